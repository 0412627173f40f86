//! The user's own archives, read as texts and pairs for the index.

use crate::attested::{NAME_LIST, OwnText};
use crate::names::{Onomasticon, OwnName};
use crate::translation_memory::{MemoryError, PairSource, TranslationMemory};
use tuppum_domain::archive::{OwnArchive, OwnPair, OwnReport};
use tuppum_domain::restoration::texts::{CorpusLine, number_of, parted};
use tuppum_text::{Document, LineKind};

/// An archive, read for the index.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReadArchive {
    pub name: String,
    /// Texts; if there are none, one text of the pairs' passages.
    pub texts: Vec<OwnText>,
    /// Passages with their translations: id of the text, transliteration, translation.
    pub pairs: Vec<(String, String, String)>,
    /// Names, if the archive has a list of them.
    pub names: Onomasticon,
}

impl ReadArchive {
    /// Reads an archive.
    pub fn of(archive: &OwnArchive) -> Self {
        // A list that cannot be read is never stored in the first place.
        let names = Onomasticon::read(&archive.names).unwrap_or_default();
        let mut read = Self { name: archive.name.clone(), names, ..Self::default() };
        let whole = Document::read_with(&archive.text, &archive.reading);
        for (number, document) in (1..).zip(parted(&whole, LineKind::Heading)) {
            read.add(&document, number);
        }
        let id = read.texts.first().map_or_else(|| "text 1".to_owned(), |text| text.id.clone());
        let pair = |pair: &OwnPair| (id.clone(), pair.source.clone(), pair.target.clone());
        read.pairs.extend(archive.pairs.iter().map(pair));
        if read.texts.is_empty() {
            let labelled = (1..).zip(&archive.pairs).flat_map(|(number, pair)| {
                let own = Document::read(&pair.source);
                lines(&own).map(|(_, line)| (format!("pair {number}"), line)).collect::<Vec<_>>()
            });
            let lines: Vec<_> = labelled.collect();
            read.texts.extend((!lines.is_empty()).then(|| OwnText { archive: read.name.clone(), id, lines }));
        }
        read
    }

    /// Adds a text with the translations in it.
    fn add(&mut self, document: &Document, number: usize) {
        let name = number_of(document);
        let id = if name.is_empty() { format!("text {number}") } else { name.to_owned() };
        for translation in document.typed_translations() {
            let Some(line) = translation.of.and_then(|line| document.lines.get(line)) else { continue };
            let start = line.label.map_or(line.span.start, |label| label.end);
            let source = document.source.get(start..line.span.end).unwrap_or_default().trim();
            self.pairs.push((id.clone(), source.to_owned(), translation.text.to_owned()));
        }
        let lines: Vec<_> = lines(document).collect();
        if !lines.is_empty() {
            self.texts.push(OwnText { archive: self.name.clone(), id, lines });
        }
    }

    /// Returns the texts to index: the archive's texts, and its names as a text, so that they are proposed for gaps in
    /// names too.
    pub fn indexed(&self) -> impl Iterator<Item = OwnText> + '_ {
        let spelled = |own: &OwnName| {
            let document = Document::read(&own.spelling);
            lines(&document).map(|(_, line)| (own.name.clone(), line)).collect::<Vec<_>>()
        };
        let own: Vec<_> = self.names.names.iter().flat_map(spelled).collect();
        let names =
            (!own.is_empty()).then(|| OwnText { archive: self.name.clone(), id: NAME_LIST.to_owned(), lines: own });
        self.texts.iter().cloned().chain(names)
    }

    /// Returns the translations as a memory.
    ///
    /// # Errors
    /// Fails if there are more translations than an index can number.
    pub fn memory(&self) -> Result<TranslationMemory, MemoryError> {
        let pairs = self.pairs.iter();
        let pairs = pairs.map(|(text, source, target)| PairSource { text, project: &self.name, source, target });
        Ok(TranslationMemory::new(pairs)?.of_the_users())
    }

    /// Returns the counts of the archive's content.
    pub fn report(&self) -> OwnReport {
        let lines = || self.texts.iter().flat_map(|text| &text.lines);
        let legible = |line: &CorpusLine| line.signs().filter(|sign| sign.state.is_legible()).count();
        OwnReport {
            name: self.name.clone(),
            texts: self.texts.len(),
            lines: lines().count(),
            signs: lines().map(|(_, line)| legible(line)).sum(),
            translations: self.pairs.len(),
            names: self.names.names.len(),
        }
    }
}

/// Returns the lines of a document that have signs, with their labels or numbers.
fn lines(document: &Document) -> impl Iterator<Item = (String, CorpusLine)> + '_ {
    let labelled = document.lines.iter().zip(1..).map(|(line, number): (_, usize)| {
        let label = line.label_in(&document.source).map_or_else(|| number.to_string(), str::to_owned);
        (label, CorpusLine::of_line(line, &document.source))
    });
    labelled.filter(|(_, line)| !line.states.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::attested::{AttestedTexts, Builder};
    use crate::opened::OpenCorpus;
    use crate::signs_row::SignsRow;
    use tuppum_domain::attested::ParallelSign;
    use tuppum_domain::names::NameEvidence;
    use tuppum_domain::restoration::Question;

    fn edited() -> AttestedTexts {
        let mut builder = Builder::default();
        let row = "P000001\tsaao/saa01\takk\to 1\t-\ta na LUGAL be li₂ ia\t𒀀 𒈾 𒈗 𒁁 𒉌 𒅀\tPPPPPP\t101100";
        builder.add(&SignsRow::parse(row).unwrap());
        builder.build().unwrap()
    }

    fn archive(name: &str, text: &str) -> OwnArchive {
        OwnArchive { name: name.into(), text: text.into(), ..OwnArchive::default() }
    }

    fn with(archives: &[OwnArchive]) -> OpenCorpus {
        let mut corpus = OpenCorpus::new(edited()).unwrap();
        corpus.set_own(&archives.iter().map(ReadArchive::of).collect::<Vec<_>>()).unwrap();
        corpus
    }

    const LETTERS: &str =
        "&P900001 = my first\n1. um-ma be-li₂-ma\n#tr.en: Thus my lord\n\n2. a-[na] x\n&P900002\n3'. LUGAL.ŠEŠ";

    #[test]
    fn headings_part_an_archive_into_texts() {
        let read = ReadArchive::of(&archive("Letters", LETTERS));
        let lines = |text: &OwnText| text.lines.iter().map(|(label, _)| label.clone()).collect::<Vec<_>>();
        let texts: Vec<_> = read.texts.iter().map(|text| (text.id.as_str(), lines(text))).collect();
        assert_eq!(texts, [("P900001", vec!["1".to_owned(), "2".to_owned()]), ("P900002", vec!["3'".to_owned()])]);
        assert_eq!(read.pairs, [("P900001".to_owned(), "um-ma be-li₂-ma".to_owned(), "Thus my lord".to_owned())]);
        let report = OwnReport { name: "Letters".into(), texts: 2, lines: 3, signs: 9, translations: 1, names: 0 };
        assert_eq!(read.report(), report);
    }

    #[test]
    fn pairs_are_a_text_where_there_is_no_other() {
        let pairs = vec![OwnPair { source: "a-na be-li₂-ia".into(), target: "to my lord".into() }];
        let read = |text: &str| {
            ReadArchive::of(&OwnArchive {
                name: "Pairs".into(),
                text: text.into(),
                pairs: pairs.clone(),
                ..OwnArchive::default()
            })
        };
        let (alone, beside) = (read(""), read("um-ma"));
        assert_eq!((alone.texts[0].id.as_str(), alone.texts[0].lines[0].0.as_str()), ("text 1", "pair 1"));
        assert_eq!((beside.texts.len(), beside.texts[0].lines[0].0.as_str()), (1, "1"));
        assert_eq!([alone.pairs.len(), beside.pairs.len()], [1, 1]);
    }

    #[test]
    fn a_place_of_the_users_own_says_so() {
        let corpus = with(&[archive("Letters", "1. a-na LUGAL be-lu-ia um-ma")]);
        let found = corpus.attested(&Question::about("a-na LUGAL be-x-ia"), 4).unwrap();
        let places: Vec<_> = found.iter().flat_map(|reading| &reading.places).map(|place| &place.edition).collect();
        let own = places.iter().find(|edition| edition.own).expect("the archive has a reading for it");
        assert_eq!((own.text.as_str(), own.project.as_str(), own.line.as_str()), ("text 1", "Letters", "1"));
        assert_eq!(own.address, None);
        assert!(places.iter().any(|edition| !edition.own && edition.text == "P000001"));
    }

    #[test]
    fn what_is_forgotten_leaves_nothing_behind() {
        let mut corpus = with(&[archive("One", "1. šu-a-ti LUGAL"), archive("Two", LETTERS)]);
        assert_eq!(corpus.texts().text_count(), 4);
        corpus.set_own(&[]).unwrap();
        assert_eq!(corpus.texts(), &edited());
        assert_eq!(corpus.texts().len(), edited().len());
    }

    #[test]
    fn readings_that_no_edited_text_has_are_found_by_their_sign() {
        let corpus = with(&[archive("One", "1. gu-ni LUGAL um-ma")]);
        // ni and li₂, which an edited text has, are one sign.
        let found = corpus.parallels(Document::read("gu-li₂ LUGAL um-ma EN"), 0..1, 3);
        let own: Vec<_> = found.passages.iter().filter(|passage| passage.edition.own).collect();
        let ParallelSign::Variant(asked, attested) = &own[0].columns[1] else { panic!("{:?}", own[0].columns) };
        assert_eq!((asked.reading.as_str(), attested.reading.as_str()), ("li₂", "ni"));
    }

    #[test]
    fn a_copy_of_the_text_is_no_witness_for_it() {
        let typed = "1. um-ma be-li₂-ma a-na LUGAL";
        let corpus = with(&[archive("Mine", typed)]);
        let others = |typed: &str| {
            let found = corpus.parallels(Document::read(typed), 0..1, 3);
            found.passages.iter().filter(|passage| passage.edition.own).count()
        };
        assert_eq!(others(typed), 0);
        assert_eq!(others("um-ma be-x-ma a-na LUGAL"), 0);
        assert_eq!(others("um-ma be-li₂-ma a-na LUGAL EN"), 1);
    }

    #[test]
    fn the_users_own_translation_is_remembered_and_says_so() {
        let corpus = with(&[archive("Letters", LETTERS)]);
        let found = corpus.remembered("um-ma be-li₂-ma");
        assert_eq!(found.runs.len(), 1);
        assert_eq!(found.runs[0].translation, "Thus my lord");
        assert!(found.runs[0].edition.own);
        assert_eq!(found.runs[0].edition.project, "Letters");
    }

    #[test]
    fn own_names_are_told_rendered_and_proposed_for_gaps() {
        let names = "spelling\tname\tkind\trendering\nbe-lu-ba-ni\tBelu-bani\tPN\tBēlu-bāni\n".to_owned();
        let archive = OwnArchive { name: "Merchants".into(), names, ..OwnArchive::default() };
        assert_eq!(ReadArchive::of(&archive).report().names, 1);
        let corpus = with(&[archive]);
        let lines = corpus.gloss(&Document::read("a-na be-lu-ba-ni"));
        let [_, word] = lines[0].words.as_slice() else { panic!("{lines:?}") };
        let Some(NameEvidence::Own { name, rendering, .. }) = word.name.as_ref().map(|name| &name.by) else {
            panic!("{word:?}")
        };
        assert_eq!((name.as_str(), rendering.as_str()), ("Belu-bani", "Bēlu-bāni"));
        let found = corpus.attested(&Question::about("be-lu-x-ni"), 2).unwrap();
        let place = &found.first().expect("the list has a reading for it").places[0].edition;
        assert_eq!((found[0].reading.as_str(), place.own, place.line.as_str()), ("ba", true, "Belu-bani"));
        assert_eq!((place.text.as_str(), place.project.as_str()), ("names", "Merchants"));
    }

    #[test]
    fn where_own_texts_are_from_is_not_guessed_by() {
        let corpus = with(&[archive("Letters", "1. a-na LUGAL be-li₂-ia EN")]);
        let found = corpus.attribution(&Document::read("a-na LUGAL be-li₂-ia"));
        assert!(found.nearest.iter().all(|near| near.edition.text == "P000001"));
        assert!(found.projects.iter().all(|project| project.name != "Letters"));
    }
}
