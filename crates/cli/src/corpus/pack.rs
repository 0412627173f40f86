//! Opening a pack of attested texts.

use crate::failure::{About, Result, at};
use std::path::Path;
use tuppum_corpus::attested::{AttestedTexts, read};

/// The pack in its folder.
pub const PACK: &str = "corpus.pack";
/// Sources with their published translations, beside it.
pub const TRANSLATIONS: &str = "translations.pack";

/// The attested texts of a pack, or of the pack in a folder.
///
/// # Errors
/// When it cannot be read, or is none.
pub fn opened(pack: &Path) -> Result<AttestedTexts> {
    let pack = if pack.is_file() { pack.to_path_buf() } else { pack.join(PACK) };
    let bytes = std::fs::read(&pack).map_err(|error| {
        at(&pack, format_args!("{error}; `tuppum corpus build DATA` makes a pack of the corpora in a folder"))
    })?;
    read(&bytes).at(&pack)
}
