//! Opening a pack of attested texts.

use crate::failure::{About, Result};
use std::path::Path;
use tuppum_corpus::attested::{AttestedTexts, read};

/// The pack in its folder.
pub const PACK: &str = "corpus.pack";

/// The attested texts of a pack, or of the pack in a folder.
///
/// # Errors
/// When it cannot be read, or is none.
pub fn opened(pack: &Path) -> Result<AttestedTexts> {
    let pack = if pack.is_dir() { pack.join(PACK) } else { pack.to_path_buf() };
    read(&std::fs::read(&pack).at(&pack)?).at(&pack)
}
