//! Open corpora that answer questions: readings attested elsewhere for a gap, passages parallel to lines of a text,
//! published translations, glosses, names and attribution. The page and the commands ask the same.

use crate::attested::{AttestedSign, AttestedTexts, OwnText, TEXT_END, TextNumber, TooLarge, asked, written_signs};
use crate::attribution::attribute;
use crate::context::{Context, ContextScorer, Contexts, CorpusTokens, LastTextCache, Weights, evidence, signs_of};
use crate::glosses::Glossary;
use crate::names::{NameModel, Onomasticon, find_names};
use crate::own::ReadArchive;
use crate::parallels::{Parallel, parallels};
use crate::translation_memory::{MemoryError, TranslationMemory};
use std::ops::Range;
use thiserror::Error;
use tuppum_domain::attested::{AttestedReading, Attribution, ParallelPassages, RememberedTranslation};
use tuppum_domain::gloss::GlossedLine;
use tuppum_domain::restoration::question::possible_kinds;
use tuppum_domain::restoration::saliency::{AroundGap, SaliencyError};
use tuppum_domain::restoration::search::{RestoreError, Restorer, Update};
use tuppum_domain::restoration::texts::Text;
use tuppum_domain::restoration::{Answer, Boundary, Question, Scorer};
use tuppum_text::tokens::{SPECIALS, Vocabulary, VocabularyError};
use tuppum_text::{Document, SignIndex};

/// Minimum known signs of a line; with fewer it has parallels everywhere.
const MIN_KNOWN_SIGNS: usize = 3;

/// Reason why the user's own archives cannot be added.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum OwnError {
    /// There are more texts or readings than an index can number.
    #[error(transparent)]
    TooLarge(#[from] TooLarge),
    /// There are more translations than an index can number.
    #[error(transparent)]
    Memory(#[from] MemoryError),
    /// Two readings cannot be told apart.
    #[error(transparent)]
    Readings(#[from] VocabularyError),
}

/// Attested texts with everything needed to answer questions.
#[derive(Clone, Debug)]
pub struct OpenCorpus {
    texts: AttestedTexts,
    weights: Weights,
    /// All readings of the corpora as tokens, so that a question can be read without a restorer.
    vocabulary: Vocabulary,
    tokens: CorpusTokens,
    memory: TranslationMemory,
    /// Translation memories of the user's own archives, one each.
    own_memories: Vec<TranslationMemory>,
    glossary: Glossary,
    /// Names of the user's own lists.
    own_names: Glossary,
    /// Model that proposes names missing in the lists and the lexicon.
    name_model: Option<NameModel>,
    last_text: LastTextCache,
}

impl OpenCorpus {
    /// Opens texts, with the compiled-in weights.
    ///
    /// # Errors
    /// Fails if a reading occurs twice in the corpora, which means that the pack is damaged.
    pub fn new(texts: AttestedTexts) -> Result<Self, VocabularyError> {
        let (vocabulary, tokens) = tokens_of(&texts)?;
        Ok(Self {
            texts,
            weights: Weights::shipped(),
            vocabulary,
            tokens,
            memory: TranslationMemory::default(),
            own_memories: Vec::new(),
            glossary: Glossary::default(),
            own_names: Glossary::default(),
            name_model: None,
            last_text: LastTextCache::default(),
        })
    }

    /// Adds published translations.
    pub fn with_memory(self, memory: TranslationMemory) -> Self {
        Self { memory, ..self }
    }

    /// Adds a lexicon.
    pub fn with_glossary(self, glossary: Glossary) -> Self {
        Self { glossary, ..self }
    }

    /// Adds a model of names.
    pub fn with_name_model(self, model: NameModel) -> Self {
        Self { name_model: Some(model), ..self }
    }

    /// Puts archives of the user's own beside the edited texts, replacing earlier archives.
    ///
    /// # Errors
    /// Fails if there are more texts, readings or pairs than an index can number; then not all of the archives are
    /// there.
    pub fn set_own(&mut self, archives: &[ReadArchive]) -> Result<(), OwnError> {
        let has_some = self.texts.texts().last().is_some_and(|text| text.own)
            || !self.own_memories.is_empty()
            || !self.own_names.is_empty();
        if archives.is_empty() && !has_some {
            return Ok(());
        }
        self.last_text.forget();
        self.own_memories.clear();
        self.own_names = Glossary::default();
        let own: Vec<OwnText> = archives.iter().flat_map(ReadArchive::indexed).collect();
        let outcome = self.texts.set_own(&own);
        // A change that failed has changed the readings too, so the tokens are rebuilt before its error is returned.
        (self.vocabulary, self.tokens) = tokens_of(&self.texts)?;
        outcome?;
        self.own_memories = archives.iter().map(ReadArchive::memory).collect::<Result<_, _>>()?;
        self.own_names = Onomasticon::glossary(archives.iter().map(|archive| &archive.names))?;
        Ok(())
    }

    pub fn texts(&self) -> &AttestedTexts {
        &self.texts
    }

    /// Returns a scorer that mixes a network's logits with attested contexts. If the question's text names itself
    /// (`&P390626 = …`) or is among the user's own, that text is no witness.
    pub fn scorer<S: Scorer>(&self, inner: S, vocabulary: &Vocabulary, question: &Question) -> ContextScorer<'_, S> {
        let document = Document::read_with(&question.text, &question.reading);
        ContextScorer::new(inner, vocabulary, self.contexts(), self.same(&document)).sharing(&self.last_text)
    }

    /// Returns the readings attested elsewhere in the place of a gap, most likely first.
    ///
    /// # Errors
    /// Fails if the text has no such sign.
    pub fn attested(&self, question: &Question, sign: SignIndex) -> Result<Vec<AttestedReading>, SaliencyError> {
        let boundary = question.choices.iter().find(|choice| choice.sign == sign).map(|choice| choice.boundary);
        let document = Document::read_with(&question.text, &question.reading);
        let kinds: &[bool] = match boundary.unwrap_or_default() {
            Boundary::WordStart => &[true],
            Boundary::Inside => &[false],
            Boundary::Unknown => possible_kinds(&document, sign),
        };
        let around = AroundGap::new(question, &self.vocabulary, sign, true)?;
        let row = self.tokens.items(&around.ids);
        let about = self.last_text.about(&self.contexts(), &signs_of(&row), self.same(&document));
        Ok(evidence(&self.contexts(), &Context::around(&row, around.place), &about, kinds))
    }

    /// Returns the `most` passages most similar to some lines of a transliteration, counted from 0 among all its lines;
    /// none if the lines have too few legible signs.
    pub fn parallels(&self, mut document: Document, lines: Range<usize>, most: usize) -> ParallelPassages {
        let same = self.same(&document);
        document.lines.truncate(lines.end);
        document.lines.drain(..lines.start.min(document.lines.len()));
        let text = Text::of_document("", &document);
        let signs: Vec<AttestedSign> = text.lines.iter().flat_map(|line| asked(line, self.texts.readings())).collect();
        if signs.iter().filter(|sign| sign.reading > TEXT_END).count() < MIN_KNOWN_SIGNS {
            return ParallelPassages::default();
        }
        let written = written_signs(&text);
        let found = parallels(&self.texts, &signs, most, same);
        let passage = |parallel: &Parallel| parallel.passage(&self.texts, &written);
        ParallelPassages {
            is_formula: found.is_formula(),
            texts: found.texts,
            passages: found.passages.iter().map(passage).collect(),
        }
    }

    /// Returns the translations of the passages nearest to a transliteration; the user's own win over equally similar
    /// published ones.
    pub fn remembered(&self, source: &str) -> RememberedTranslation {
        let published = self.memory.remembered(source);
        let own = self.own_memories.iter().map(|memory| memory.remembered(source));
        own.fold(published, |best, own| {
            let is_better = !own.runs.is_empty() && own.similarity >= best.similarity;
            if is_better { own } else { best }
        })
    }

    /// Returns the words of a transliteration with their glosses and names; without a lexicon none has a gloss.
    pub fn gloss(&self, document: &Document) -> Vec<GlossedLine> {
        let mut lines = self.glossary.gloss(document);
        find_names(&mut lines, &self.own_names, self.name_model.as_ref());
        lines
    }

    /// Returns `true` if there is a model of names.
    pub fn proposes_names(&self) -> bool {
        self.name_model.is_some()
    }

    /// Attributes a text to periods and projects. A text that names itself (`&P390626 = …`) has no vote.
    pub fn attribution(&self, document: &Document) -> Attribution {
        attribute(&self.texts, &Text::of_document("", document), self.same(document))
    }

    pub fn glossary(&self) -> &Glossary {
        &self.glossary
    }

    /// Returns the number of lines with published translations.
    pub fn translation_count(&self) -> usize {
        self.memory.len()
    }

    fn contexts(&self) -> Contexts<'_> {
        Contexts { corpus: &self.texts, weights: &self.weights }
    }

    /// Returns the text of the corpora that a transliteration is: the one that it names, or a copy among the user's
    /// own. It is no witness for itself.
    fn same(&self, document: &Document) -> Option<TextNumber> {
        self.named_in(&document.source).or_else(|| {
            let text = Text::of_document("", document);
            let signs: Vec<_> = text.lines.iter().flat_map(|line| asked(line, self.texts.readings())).collect();
            self.texts.own_copy(&signs)
        })
    }

    /// Returns the text that a transliteration names, if the corpora have it.
    fn named_in(&self, transliteration: &str) -> Option<TextNumber> {
        let heading = transliteration.lines().find_map(|line| line.trim_start().strip_prefix('&'))?;
        self.texts.text_number(heading.split([' ', '\t', '=']).next()?)
    }
}

/// Restores what a question asks, with corpora or without: if they are open, attested contexts count beside the
/// network.
///
/// # Errors
/// Returns the errors of [`Restorer::answer`].
pub async fn restore<S: Scorer>(
    corpus: Option<&OpenCorpus>,
    restorer: &Restorer,
    question: &Question,
    mut scorer: S,
    on_update: impl FnMut(Update),
) -> Result<Answer, RestoreError<S::Error>> {
    match corpus {
        Some(corpus) => {
            let mut scorer = corpus.scorer(scorer, restorer.vocabulary(), question);
            restorer.answer(question, &mut scorer, on_update).await
        }
        None => restorer.answer(question, &mut scorer, on_update).await,
    }
}

/// Returns all readings of texts as tokens, and the correspondence of tokens and readings.
fn tokens_of(texts: &AttestedTexts) -> Result<(Vocabulary, CorpusTokens), VocabularyError> {
    let readings = texts.readings();
    let names = (TEXT_END + 1..readings.len() as u16).map(|number| readings.name(number));
    let both = names.flat_map(|name| [name.to_owned(), format!("-{name}")]);
    let vocabulary = Vocabulary::new(SPECIALS.map(str::to_owned).into_iter().chain(both).collect())?;
    let tokens = CorpusTokens::new(&vocabulary, readings);
    Ok((vocabulary, tokens))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::attested::Builder;
    use crate::glosses::{GlossaryBuilder, LexiconRow};
    use crate::signs_row::SignsRow;
    use tuppum_domain::attested::{ParallelSign, WrittenSign};
    use tuppum_domain::restoration::GapChoice;
    use tuppum_domain::restoration::{Logits, Row, Traces};

    fn opened() -> OpenCorpus {
        let mut builder = Builder::default();
        for row in [
            "P000001\tsaao/saa01\takk\to 1\t-\ta na LUGAL be li₂ ia\t𒀀 𒈾 𒈗 𒁁 𒉌 𒅀\tPPPPPP\t101100",
            "P000002\tsaao/saa05\takk\to 1\t-\ta na LUGAL be li₂ ia\t𒀀 𒈾 𒈗 𒁁 𒉌 𒅀\tPPPPMP\t101100",
            "P000003\tsaao/saa05\takk\to 1\t-\tEN ni\t𒂗 𒉌\tPP\t10",
        ] {
            builder.add(&SignsRow::parse(row).unwrap_or_else(|error| panic!("{error}")));
        }
        OpenCorpus::new(builder.build().unwrap_or_else(|error| panic!("{error}"))).unwrap()
    }

    #[test]
    fn a_gap_is_answered_by_places() {
        let found = opened().attested(&Question::about("a-na LUGAL be-x-ia"), 4).unwrap();
        let first = found.first().expect("two texts have the sign");
        assert_eq!((first.reading.as_str(), first.starts_word, first.texts), ("li₂", false, 2));
        let place = &first.places[0];
        assert_eq!(
            (place.before.as_str(), place.sign.as_str(), place.behind.as_str()),
            ("a-na LUGAL be-", "li₂", "-ia")
        );
        let addresses: Vec<_> = first.places.iter().filter_map(|place| place.edition.address.as_deref()).collect();
        assert!(addresses.contains(&"https://oracc.museum.upenn.edu/saao/saa01/P000001"), "{addresses:?}");
    }

    /// A network that knows nothing.
    struct Even(usize);

    impl Scorer for Even {
        type Error = std::convert::Infallible;

        async fn score(&mut self, rows: &[Row]) -> Result<Vec<Logits>, Self::Error> {
            Ok(rows.iter().map(|row| vec![vec![0.0; self.0]; row.places.len()]).collect())
        }
    }

    #[test]
    fn what_the_search_has_looked_up_is_not_looked_up_again_for_its_places() {
        let (corpus, question) = (opened(), Question::about("a-na LUGAL be-x-ia-x"));
        let restorer = Restorer::new(corpus.vocabulary.clone());
        let mut scorer = corpus.scorer(Even(corpus.vocabulary.len()), &corpus.vocabulary, &question);
        let answer = tuppum_testing::now(restorer.answer(&question, &mut scorer, |_| ())).unwrap();
        assert_eq!(answer.gaps.len(), 2);
        let row = corpus.tokens.items(&AroundGap::new(&question, &corpus.vocabulary, 4, true).unwrap().ids);
        let about = corpus.last_text.about(&corpus.contexts(), &signs_of(&row), None);
        let kept = about.kept();
        assert!(kept > 0, "the search left nothing");
        for gap in [4, 6] {
            assert!(corpus.attested(&question, gap).is_ok());
        }
        assert_eq!(about.kept(), kept);
    }

    #[test]
    fn where_a_word_begins_is_learnt_from_the_places() {
        let (corpus, question) = (opened(), Question::about("a-na x be-li₂-ia"));
        let restorer = Restorer::new(corpus.vocabulary.clone());
        let even = || Even(corpus.vocabulary.len());
        let alone = tuppum_testing::now(restorer.answer(&question, &mut even(), |_| ())).unwrap();
        let mut scorer = corpus.scorer(even(), &corpus.vocabulary, &question);
        let answer = tuppum_testing::now(restorer.answer(&question, &mut scorer, |_| ())).unwrap();
        let [before, after] = [&alone, &answer].map(|answer| answer.gaps[0].word_start);
        assert!((0.05..0.9).contains(&before) && after > 0.9, "{before} {after}");
        assert_eq!(answer.gaps[0].proposals[0].reading, "LUGAL");
    }

    #[test]
    fn restoring_asks_the_corpora_where_they_are_open() {
        let (corpus, question) = (opened(), Question::about("a-na x be-li₂-ia"));
        let restorer = Restorer::new(corpus.vocabulary.clone());
        let answer = |corpus: Option<&OpenCorpus>, mut network: Even| {
            tuppum_testing::now(restore(corpus, &restorer, &question, &mut network, |_| ())).unwrap()
        };
        let even = || Even(corpus.vocabulary.len());
        assert_eq!(answer(None, even()), tuppum_testing::now(restorer.answer(&question, &mut even(), |_| ())).unwrap());
        assert_eq!(answer(Some(&corpus), even()).gaps[0].proposals[0].reading, "LUGAL");
    }

    #[test]
    fn what_is_known_of_the_boundary_is_kept() {
        let choice = GapChoice { sign: 4, boundary: Boundary::WordStart, traces: Traces::default(), length: None };
        let question = Question { choices: vec![choice], ..Question::about("a-na LUGAL be-x-ia") };
        assert!(opened().attested(&question, 4).unwrap().is_empty());
        assert_eq!(opened().attested(&question, 40), Err(SaliencyError::NoSign(40)));
    }

    #[test]
    fn a_text_that_names_itself_is_no_witness() {
        let question = Question::about("&P000001 = SAA 1\n1. a-na LUGAL be-x-ia");
        let found = opened().attested(&question, 4).unwrap();
        assert!(found[0].places.iter().all(|place| place.edition.text == "P000002"));
        let found = opened().parallels(Document::read(&question.text), 1..2, 5);
        assert!(found.passages.iter().all(|passage| passage.edition.text == "P000002"));
        assert_eq!(found.passages.len(), 1);
    }

    #[test]
    fn words_are_glossed_where_there_is_a_lexicon() {
        let document = Document::read("a-na LUGAL");
        let glosses = |corpus: &OpenCorpus| corpus.gloss(&document)[0].words[1].glosses.clone();
        assert!(glosses(&opened()).is_empty());
        let mut builder = GlossaryBuilder::default();
        let row = LexiconRow { spelling: "LUGAL", lemma: "šarru", guide_word: "king", part_of_speech: "N", count: 7 };
        builder.add(&row);
        let corpus = opened().with_glossary(builder.build().unwrap());
        assert_eq!((glosses(&corpus)[0].lemma.as_str(), glosses(&corpus)[0].count), ("šarru", 7));
    }

    #[test]
    fn a_text_is_attributed_by_others_than_itself() {
        let found = opened().attribution(&Document::read("&P000001 = SAA 1\n1. a-na LUGAL be-li₂-ia"));
        assert_eq!(found.nearest.iter().map(|near| near.edition.text.as_str()).collect::<Vec<_>>(), ["P000002"]);
        assert_eq!((found.projects[0].name.as_str(), found.signs), ("saao/saa05", 6));
    }

    #[test]
    fn passages_stand_side_by_side() {
        let found = opened().parallels(Document::read("x\na-na LUGAL EN-ni-ia"), 1..2, 5);
        assert_eq!((found.passages.len(), found.is_formula), (2, false));
        let columns = &found.passages[0].columns;
        let sign = |joiner: &str, reading: &str| WrittenSign { joiner: joiner.into(), reading: reading.into() };
        assert_eq!(columns[0], ParallelSign::Same(sign("", "a")));
        assert!(columns.contains(&ParallelSign::Variant(sign("-", "ni"), sign("-", "li₂"))));
        assert!(columns.contains(&ParallelSign::Different(sign(" ", "EN"), sign(" ", "be"))));
        assert!(opened().parallels(Document::read("x\na-na LUGAL"), 0..1, 5).passages.is_empty());
    }
}
