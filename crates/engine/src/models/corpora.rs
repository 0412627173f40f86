//! The corpora of edited texts: opening them, and searching them for gaps, lines and words.

use crate::errors;
use crate::job::Job;
use crate::storage::folder;
use std::ops::Range;
use tuppum_corpus::attested::read;
use tuppum_corpus::formulary::Formulary;
use tuppum_corpus::names::NameModel;
use tuppum_corpus::opened::OpenCorpus;
use tuppum_corpus::{glosses, translation_memory};
use tuppum_protocol::{
    CorpusEvent, CorpusReport, Failure, FindingEvent, ModelRef, OpenCorpora, PassageEvent, Phase, Question, WordEvent,
};
use tuppum_text::{Document, SignIndex};

/// File name of the texts.
const PACK: &str = "corpus.pack";
/// File name of the sources with published translations, an optional file.
const TRANSLATIONS: &str = "translations.pack";
/// File name of the lexicon, an optional file.
const GLOSSES: &str = "glosses.pack";
/// File name of the name model, an optional file.
const NAMES: &str = "names.pack";

/// Collects the files of the corpora and opens them.
///
/// # Errors
/// There is neither network nor a stored copy, a pack is damaged or of another version, or the job was cancelled.
pub async fn open(job: &Job, asked: &OpenCorpora) -> Result<OpenCorpus, Failure> {
    let ModelRef::Shipped(folder) = &asked.corpora else { return Err(errors::no_files()) };
    let folder = folder::open(folder, asked.store, &job.token, &|progress| job.emit(progress)).await?;
    // Each pack is dropped as soon as it is read.
    let texts = {
        let pack = folder.whole(PACK).await?;
        job.progress(Phase::Read, 0, 1);
        read(&pack).map_err(|error| errors::unreadable(PACK, error))?
    };
    let mut corpus = OpenCorpus::new(texts).map_err(|error| errors::unreadable(PACK, error))?;
    if folder.manifest.file(TRANSLATIONS).is_ok() {
        let pack = folder.whole(TRANSLATIONS).await?;
        let memory = translation_memory::read(&pack).map_err(|error| errors::unreadable(TRANSLATIONS, error))?;
        corpus = corpus.with_memory(memory);
    }
    if folder.manifest.file(GLOSSES).is_ok() {
        let pack = folder.whole(GLOSSES).await?;
        corpus = corpus.with_glossary(glosses::read(&pack).map_err(|error| errors::unreadable(GLOSSES, error))?);
    }
    if folder.manifest.file(NAMES).is_ok() {
        let pack = folder.whole(NAMES).await?;
        corpus = corpus.with_name_model(NameModel::read(&pack).map_err(|error| errors::unreadable(NAMES, error))?);
    }
    job.progress(Phase::Read, 1, 1);
    let texts = corpus.texts();
    job.emit(CorpusEvent::Corpus(CorpusReport {
        texts: texts.text_count() as u64,
        signs: texts.len().saturating_sub(texts.text_count()) as u64,
        translations: corpus.translation_count() as u64,
        spellings: corpus.glossary().len() as u64,
        proposes_names: corpus.proposes_names(),
        stored: folder.stored,
        storage_note: folder.storage_note,
    }));
    Ok(corpus)
}

/// Finds attested readings for a gap.
///
/// # Errors
/// The text has no such sign.
pub fn attested(job: &Job, corpus: &OpenCorpus, question: &Question, sign: SignIndex) -> Result<(), Failure> {
    job.emit(FindingEvent::Attested(corpus.attested(question, sign).map_err(errors::question)?));
    Ok(())
}

/// Finds passages similar to some lines.
pub fn parallels(job: &Job, corpus: &OpenCorpus, document: Document, lines: Range<usize>, most: usize) {
    job.emit(FindingEvent::Parallels(corpus.parallels(document, lines, most)));
}

/// Finds the published translations of the nearest passages.
pub fn remembered(job: &Job, corpus: &OpenCorpus, source: &str) {
    job.emit(PassageEvent::Remembered(corpus.remembered(source)));
}

/// Finds the words of a transliteration in the lexicon, and the names among them.
pub fn gloss(job: &Job, corpus: &OpenCorpus, document: &Document) {
    job.emit(WordEvent::Glossed(corpus.gloss(document)));
}

/// Finds the probable origin of a text.
pub fn attribute(job: &Job, corpus: &OpenCorpus, document: &Document) {
    job.emit(FindingEvent::Attributed(corpus.attribution(document)));
}

/// Covers a passage with clauses of the formulary.
pub fn cover(job: &Job, document: &Document) {
    job.emit(PassageEvent::Covered(Formulary::shared().cover(document)));
}
