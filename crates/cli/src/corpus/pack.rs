//! The packs of attested texts and of the lexicon: opened, and built by `tuppum corpus build`.

use crate::failure::{About, Result, at};
use crate::input;
use clap::Args;
use std::path::{Path, PathBuf};
use tuppum_corpus::attested::{AttestedTexts, Builder, read, write};
use tuppum_corpus::glosses::{self, Glossary, GlossaryBuilder, for_each_entry};
use tuppum_corpus::names::{NameModel, Onomasticon};
use tuppum_corpus::own::ReadArchive;
use tuppum_corpus::pairs_file::{FilePair, for_each_pair};
use tuppum_corpus::signs_file::{corpora, for_each_row};
use tuppum_corpus::translation_memory::{self, PairSource, TranslationMemory};
use tuppum_domain::archive::OwnArchive;
use tuppum_weights::{Checksum, Manifest};

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

/// Name of the list of the packs, with their lengths and checksums, as every model that comes with the page has one.
const MANIFEST: &str = "manifest.json";

/// Arguments of `tuppum corpus build`.
#[derive(Args, Debug)]
pub struct BuildArguments {
    /// A corpus (`*_signs.tsv`, also packed by xz), or a folder with corpora in it or below. Folders named `validation`
    /// are left out.
    data: PathBuf,
    /// Tables of pairs, a source and its published translation a row: packed beside the texts.
    #[arg(long, num_args = 1..)]
    pairs: Vec<PathBuf>,
    /// Tables of a lexicon, a spelling and one of its lemmata a row: packed beside the texts.
    #[arg(long, num_args = 1..)]
    lexicon: Vec<PathBuf>,
    /// A model of names (`tuppum-lab hybonet name-kinds --model`): put beside them.
    #[arg(long)]
    names: Option<PathBuf>,
    /// The folder in which the pack and its manifest are written.
    #[arg(long, default_value = "models/corpus")]
    out: PathBuf,
}

/// Builds the pack and prints what is in it.
///
/// # Errors
/// A corpus cannot be read, or the pack cannot be written.
pub fn run(arguments: &BuildArguments) -> Result<()> {
    let texts = gathered(&arguments.data)?;
    let pack = write(&texts);
    std::fs::create_dir_all(&arguments.out).cannot("be made", &arguments.out)?;
    let save = |name: &str, bytes: &[u8]| {
        let path = arguments.out.join(name);
        std::fs::write(&path, bytes).cannot("be written", &path)
    };
    let mut files = vec![(PACK, pack)];
    if !arguments.pairs.is_empty() {
        let memory = remembered(&arguments.pairs)?;
        files.push((TRANSLATIONS, translation_memory::write(&memory)));
        println!("{} lines with published translations", memory.len());
    }
    if !arguments.lexicon.is_empty() {
        let glossary = glossary(&arguments.lexicon)?;
        files.push((GLOSSES, glosses::write(&glossary)));
        println!("{} spellings of {} lemmata", glossary.len(), glossary.lemma_count());
    }
    if let Some(names) = &arguments.names {
        let model = opened_names(names)?;
        println!("a model of names of {} features", model.feature_count());
        files.push((NAMES, model.write()));
    }
    let mut entries = Vec::new();
    for (name, pack) in &files {
        let mut checksum = Checksum::default();
        checksum.add(pack);
        entries.push(checksum.entry(name));
        save(name, pack)?;
        println!("{name}: {} bytes", pack.len());
    }
    save(MANIFEST, &serde_json::to_vec_pretty(&Manifest::of_corpus(entries))?)?;
    println!(
        "{}: {} texts, {} signs, {} readings of {} signs",
        arguments.out.display(),
        texts.text_count(),
        texts.len() - texts.text_count(),
        texts.readings().len(),
        texts.readings().class_count()
    );
    Ok(())
}

/// Returns all texts of the corpora under a path.
fn gathered(data: &Path) -> Result<AttestedTexts> {
    let mut builder = Builder::default();
    for file in corpora(data)? {
        builder.begin_file(&file.file_name().map(|name| name.to_string_lossy()).unwrap_or_default());
        for_each_row(&file, None, |row| builder.add(row))?;
    }
    Ok(builder.build()?)
}

/// Returns all pairs of the tables.
fn remembered(tables: &[PathBuf]) -> Result<TranslationMemory> {
    let mut pairs: Vec<FilePair> = Vec::new();
    for table in tables {
        for_each_pair(table, None, |pair| pairs.push(pair))?;
    }
    Ok(TranslationMemory::new(pairs.iter().map(PairSource::from))?)
}

/// Returns all rows of the tables of a lexicon.
fn glossary(tables: &[PathBuf]) -> Result<Glossary> {
    let mut builder = GlossaryBuilder::default();
    for table in tables {
        for_each_entry(table, |row| builder.add(row))?;
    }
    Ok(builder.build()?)
}
