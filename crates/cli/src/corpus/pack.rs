//! Opening the packs of attested texts and of the lexicon.

use crate::failure::{About, Result, at};
use crate::input;
use std::path::{Path, PathBuf};
use tuppum_corpus::attested::{AttestedTexts, read};
use tuppum_corpus::glosses::{self, Glossary};
use tuppum_corpus::names::{NameModel, Onomasticon};
use tuppum_corpus::own::ReadArchive;
use tuppum_domain::archive::OwnArchive;

/// File name of the pack of attested texts.
pub const PACK: &str = "corpus.pack";
/// File name of the pack of sources with their published translations.
pub const TRANSLATIONS: &str = "translations.pack";
/// File name of the pack of spellings with their lemmata.
pub const GLOSSES: &str = "glosses.pack";
/// File name of the model of names.
pub const NAMES: &str = "names.pack";

/// Returns the attested texts of a pack, or of the pack in a folder.
///
/// # Errors
/// When it cannot be read, or is none.
pub fn opened(pack: &Path) -> Result<AttestedTexts> {
    let (pack, bytes) = bytes_of(pack, PACK, "`tuppum corpus build DATA` makes a pack of the corpora in a folder")?;
    read(&bytes).at(&pack)
}

/// Returns the lexicon of a pack, or of the pack in a folder.
///
/// # Errors
/// When it cannot be read, or is none.
pub fn opened_glosses(pack: &Path) -> Result<Glossary> {
    let made = "`tuppum corpus build DATA --lexicon TABLE` makes a pack of a lexicon";
    let (pack, bytes) = bytes_of(pack, GLOSSES, made)?;
    glosses::read(&bytes).at(&pack)
}

/// Returns the model of names of a pack, or of the pack in a folder.
///
/// # Errors
/// When it cannot be read, or is none.
pub fn opened_names(pack: &Path) -> Result<NameModel> {
    let (pack, bytes) = bytes_of(pack, NAMES, "`tuppum-lab hybonet name-kinds --model FILE` makes one")?;
    NameModel::read(&bytes).at(&pack)
}

/// Reads lists of names of the user's own as a lexicon.
///
/// # Errors
/// When one of them cannot be read; the message has file and line.
pub fn own_names(files: &[PathBuf]) -> Result<Glossary> {
    let lists: Vec<Onomasticon> =
        files.iter().map(|file| Onomasticon::read(&input::read(file)?).at(file)).collect::<Result<_>>()?;
    Ok(Onomasticon::glossary(&lists)?)
}

/// Reads files of texts of the user's own as archives, named after their files.
///
/// # Errors
/// When one of them cannot be read.
pub fn own(files: &[PathBuf]) -> Result<Vec<ReadArchive>> {
    let archive = |file: &PathBuf| {
        let name = file.file_stem().unwrap_or(file.as_os_str()).to_string_lossy().into_owned();
        Ok(ReadArchive::of(&OwnArchive { name, text: input::read(file)?, ..OwnArchive::default() }))
    };
    files.iter().map(archive).collect()
}

/// Returns the bytes of a file, or of the file of this name in a folder, with its path.
fn bytes_of(pack: &Path, name: &str, advice: &str) -> Result<(PathBuf, Vec<u8>)> {
    let pack = if pack.is_file() { pack.to_path_buf() } else { pack.join(name) };
    let bytes = std::fs::read(&pack).map_err(|error| at(&pack, format_args!("{error}; {advice}")))?;
    Ok((pack, bytes))
}
