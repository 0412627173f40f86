//! Spellings of a lexicon with their lemmata, the look-up of a word, and the glosses of a transliteration.

use super::forms::{self, Forms, WriteKey, without_ending};
use crate::attested::{joiner, take_number};
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};
use std::sync::OnceLock;
use tuppum_domain::gloss::{FoundSpelling, Gloss, GlossedLine, GlossedWord, SpellingMatch};
use tuppum_text::{Document, Language, Line, LineKind, Sign, SignKind, Span};

/// Determinatives of persons, which are followed by a name.
const PERSONS: [&str; 2] = ["{m}", "{f}"];
/// Parts of speech that are names.
const NAMES: [&str; 13] = ["PN", "RN", "DN", "GN", "SN", "EN", "TN", "WN", "MN", "CN", "ON", "LN", "QN"];
/// Number of ways in which spellings can be alike, each with an index.
const INDICES: usize = SpellingMatch::ALL.len();

/// Lexicon of spellings.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Glossary {
    /// One line per lemma: lemma, guide word and part of speech, separated by tabs.
    pub(super) lemmas: String,
    /// End of each line in `lemmas`.
    lemma_ends: Vec<u32>,
    /// Readings by number.
    pub(super) readings: Vec<String>,
    numbers: HashMap<String, u16>,
    /// Numbers of the readings of all spellings, one after another. Spellings are sorted by these numbers.
    signs: Vec<u16>,
    /// End of each spelling in `signs`.
    ends: Vec<u32>,
    /// Lemmata of each spelling: how many they are, then each lemma's number and count, most frequent first.
    pub(super) glosses: Vec<u8>,
    /// Start of each spelling's lemmata in `glosses`.
    gloss_starts: Vec<u32>,
    /// Forms of the readings, computed the first time a word is not found as spelt.
    forms: OnceLock<Vec<Forms>>,
    indices: [OnceLock<KeyIndex>; INDICES],
}

/// Result of looking up a word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// Spelling under which the lexicon has the word.
    pub spelling: FoundSpelling,
    /// Lemmata, most frequent first; never empty.
    pub glosses: Vec<Gloss>,
}

impl Glossary {
    /// Returns the number of spellings.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns `true` if there are no spellings.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Returns the number of lemmata, names included.
    pub fn lemma_count(&self) -> usize {
        self.lemma_ends.len()
    }

    /// Looks up a word of canonical readings, first as spelt, then in every other way; `None` if nothing is like it.
    pub fn look_up(&self, readings: &[&str]) -> Option<Found> {
        self.look_up_but(readings, None)
    }

    /// Looks up a word as if the spelling `except` were not in the lexicon.
    pub(super) fn look_up_but(&self, readings: &[&str], except: Option<usize>) -> Option<Found> {
        if let Some(number) = self.number(readings).filter(|number| Some(*number) != except) {
            return self.found(SpellingMatch::AsSpelt, std::iter::once(number), |_| true).map(|(found, _)| found);
        }
        let forms: Vec<Forms> = readings.iter().map(|reading| Forms::of(reading)).collect();
        let word: Vec<&Forms> = forms.iter().collect();
        let is_person = readings.iter().any(|reading| PERSONS.contains(reading));
        let admits = |part_of_speech: &str| !is_person || NAMES.contains(&part_of_speech);
        SpellingMatch::ALL.into_iter().filter(|by| *by != SpellingMatch::AsSpelt).find_map(|by| {
            let alike = self.alike(by, &word)?.into_iter().filter(|number| Some(*number) != except);
            let (mut found, number) = self.found(by, alike, admits)?;
            // Logograms and determinatives are compared by sign, however they are read.
            let signs = |word: &[&Forms]| word.iter().map(|form| form.sign.clone()).collect::<Vec<_>>();
            if by == SpellingMatch::OtherSigns && signs(&word) == signs(&self.forms_of(number)) {
                found.spelling.by = SpellingMatch::OtherReading;
            }
            Some(found)
        })
    }

    /// Returns the spellings that are like a word in some way, in rising order; `None` if the way does not apply to the
    /// word.
    fn alike(&self, by: SpellingMatch, word: &[&Forms]) -> Option<Vec<usize>> {
        let (write_key, word): (WriteKey, &[&Forms]) = match by {
            // A word of one sign would match everything that sounds like it.
            SpellingMatch::OtherSigns | SpellingMatch::DoubledLetters | SpellingMatch::FinalM if word.len() < 2 => {
                return None;
            }
            SpellingMatch::AsSpelt => (forms::spelt, word),
            SpellingMatch::Capitals => (forms::folded, word),
            SpellingMatch::OtherSigns => (forms::sounds, word),
            SpellingMatch::DoubledLetters => (forms::single_letters, word),
            SpellingMatch::Ending => (forms::without_final_m, without_ending(word)?),
            SpellingMatch::FinalM => (forms::without_final_m, word),
            SpellingMatch::Determinatives => (forms::bare_sounds, word),
            SpellingMatch::OtherReading => (forms::signs, word),
        };
        let mut key = String::new();
        write_key(word, &mut key);
        if key.is_empty() {
            return None;
        }
        // Words without an ending are looked up in the index of words without a final m.
        let place = if by == SpellingMatch::Ending { SpellingMatch::FinalM } else { by } as usize;
        let index = self.indices.get(place)?.get_or_init(|| {
            let forms = self.forms();
            let mut signs = Vec::new();
            KeyIndex::new(self.len(), |number, key| {
                signs.clear();
                signs.extend(self.signs_of(number).iter().filter_map(|sign| forms.get(usize::from(*sign))));
                write_key(&signs, key);
            })
        });
        // The index compares hashes; the keys decide.
        let has_key = |number: &usize| {
            let mut own = String::new();
            write_key(&self.forms_of(*number), &mut own);
            own == key
        };
        Some(index.candidates(&key).filter(has_key).collect())
    }

    /// Returns the lemmata of some spellings together, and the number of the most frequent spelling; `None` if no lemma
    /// is admitted.
    fn found(
        &self,
        by: SpellingMatch,
        spellings: impl Iterator<Item = usize>,
        admits: impl Fn(&str) -> bool,
    ) -> Option<(Found, usize)> {
        let mut counts: BTreeMap<usize, u32> = BTreeMap::new();
        let mut commonest: Option<(u32, usize)> = None;
        for number in spellings {
            let mut own = 0_u32;
            for (lemma, count) in self.lemmas_of(number).filter(|(lemma, _)| admits(self.lemma(*lemma)[2])) {
                let sum = counts.entry(lemma).or_default();
                *sum = sum.saturating_add(count);
                own = own.saturating_add(count);
            }
            if own > 0 && commonest.is_none_or(|(most, _)| own > most) {
                commonest = Some((own, number));
            }
        }
        let (_, number) = commonest?;
        let mut counts: Vec<(usize, u32)> = counts.into_iter().collect();
        counts.sort_by_key(|(lemma, count)| (Reverse(*count), *lemma));
        let gloss = |(lemma, count)| {
            let [lemma, guide_word, part_of_speech] = self.lemma(lemma).map(str::to_owned);
            Gloss { lemma, guide_word, part_of_speech, count }
        };
        let spelling = FoundSpelling { spelling: self.spelling(number), by };
        Some((Found { spelling, glosses: counts.into_iter().map(gloss).collect() }, number))
    }

    /// Returns the number of a spelling (binary search).
    pub(super) fn number(&self, readings: &[&str]) -> Option<usize> {
        let wanted: Vec<u16> =
            readings.iter().map(|reading| self.numbers.get(*reading).copied()).collect::<Option<_>>()?;
        // Spellings of all lengths lie in one vector, so the search cannot be that of a slice.
        let (mut from, mut to) = (0, self.len());
        while from < to {
            let middle = from + (to - from) / 2;
            match self.signs_of(middle).cmp(&wanted) {
                std::cmp::Ordering::Less => from = middle + 1,
                std::cmp::Ordering::Equal => return Some(middle),
                std::cmp::Ordering::Greater => to = middle,
            }
        }
        None
    }

    /// Returns the numbers of a spelling's readings.
    pub(super) fn signs_of(&self, number: usize) -> &[u16] {
        let end = |number: usize| self.ends.get(number).map_or(0, |end| *end as usize);
        let start = number.checked_sub(1).map_or(0, end);
        self.signs.get(start..end(number)).unwrap_or_default()
    }

    /// Returns the readings of a spelling.
    pub(super) fn readings_of(&self, number: usize) -> impl Iterator<Item = &str> {
        self.signs_of(number).iter().filter_map(|sign| self.readings.get(usize::from(*sign))).map(String::as_str)
    }

    /// Returns a spelling as it is written.
    fn spelling(&self, number: usize) -> String {
        written(self.readings_of(number))
    }

    /// Returns the numbers of a spelling's lemmata with their counts, most frequent first.
    pub(super) fn lemmas_of(&self, number: usize) -> impl Iterator<Item = (usize, u32)> {
        let start = self.gloss_starts.get(number).map_or(self.glosses.len(), |start| *start as usize);
        let mut bytes = self.glosses.get(start..).unwrap_or_default().iter().copied();
        let count = take_number(&mut bytes).unwrap_or_default();
        (0..count).map_while(move |_| Some((take_number(&mut bytes)?, take_number(&mut bytes)? as u32)))
    }

    /// Returns lemma, guide word and part of speech.
    pub(super) fn lemma(&self, number: usize) -> [&str; 3] {
        let end = |number: usize| self.lemma_ends.get(number).map_or(0, |end| *end as usize);
        let start = number.checked_sub(1).map_or(0, end);
        let mut cells = self.lemmas.get(start..end(number)).unwrap_or_default().trim_end().split('\t');
        std::array::from_fn(|_| cells.next().unwrap_or_default())
    }

    /// Returns the forms of all readings.
    fn forms(&self) -> &[Forms] {
        self.forms.get_or_init(|| self.readings.iter().map(|reading| Forms::of(reading)).collect())
    }

    fn forms_of(&self, number: usize) -> Vec<&Forms> {
        let forms = self.forms();
        self.signs_of(number).iter().filter_map(|sign| forms.get(usize::from(*sign))).collect()
    }
}

/// Appending of spellings, for the builder and the reader of packs.
impl Glossary {
    /// Creates a lexicon without spellings.
    pub(super) fn of_lemmas(lemmas: String, readings: Vec<String>) -> Self {
        let lemma_ends = lemmas.match_indices('\n').map(|(place, _)| place as u32 + 1).collect();
        let numbers = readings.iter().cloned().zip(0..).collect();
        Self { lemmas, lemma_ends, readings, numbers, ..Self::default() }
    }

    /// Appends a spelling; `glosses` is where its lemmata begin.
    pub(super) fn push_spelling(&mut self, signs: &[u16], glosses: u32) {
        self.signs.extend_from_slice(signs);
        self.ends.push(self.signs.len() as u32);
        self.gloss_starts.push(glosses);
    }
}

/// Joins readings into a word.
pub(crate) fn written<'a>(readings: impl Iterator<Item = &'a str>) -> String {
    let mut word = String::new();
    let mut previous = None;
    for reading in readings {
        word.push_str(joiner(previous, reading, false));
        word.push_str(reading);
        previous = Some(reading);
    }
    word
}

/// Stand-in for a sign that cannot be read.
const ILLEGIBLE: &str = "x";
/// Stand-in for a break.
const BREAK: &str = "...";

impl Glossary {
    /// Glosses the words of all lines of transliteration. Words marked as Sumerian, or as another language than
    /// Akkadian, get no gloss. Neither do numbers: gods are written with numerals too, but only a determinative shows
    /// it (`{d}30`).
    pub fn gloss(&self, document: &Document) -> Vec<GlossedLine> {
        let lines = document.lines.iter().enumerate().filter(|(_, line)| line.kind == LineKind::Text);
        let glossed = lines.map(|(number, line)| {
            let words = words(line).map(|word| self.gloss_word(word, &document.source)).collect();
            GlossedLine { line: number, words }
        });
        glossed.collect()
    }

    fn gloss_word(&self, word: &[Sign], source: &str) -> GlossedWord {
        let span =
            Span::new(word.first().map_or(0, |sign| sign.span.start), word.last().map_or(0, |sign| sign.span.end));
        let readings: Option<Vec<&str>> = word.iter().map(Sign::reading).collect();
        let shown = |sign: &'_ Sign| match &sign.kind {
            SignKind::Reading(reading) => reading.clone(),
            SignKind::Illegible => ILLEGIBLE.to_owned(),
            SignKind::Gap => BREAK.to_owned(),
            SignKind::Unreadable => sign.span.of(source).to_owned(),
        };
        let shown: Vec<String> = word.iter().map(shown).collect();
        let mut glossed = GlossedWord {
            span,
            written: written(shown.iter().map(String::as_str)),
            is_legible: readings.is_some(),
            is_numeral: readings.as_deref().is_some_and(is_numeral),
            found: None,
            glosses: Vec::new(),
            name: None,
        };
        let is_akkadian = word.iter().all(|sign| !matches!(sign.language, Language::Sumerian | Language::Other));
        let asked = readings.filter(|_| is_akkadian && !glossed.is_number());
        if let Some(found) = asked.and_then(|readings| self.look_up(&readings)) {
            (glossed.found, glossed.glosses) = (Some(found.spelling), found.glosses);
        }
        glossed
    }
}

/// Splits a line into words. A break is a word of its own, or part of a word that it touches.
fn words(line: &Line) -> impl Iterator<Item = &[Sign]> {
    line.signs.chunk_by(|_, next| !next.starts_word())
}

/// Returns `true` if a word consists of numerals only, determinatives aside.
pub(super) fn is_numeral(readings: &[&str]) -> bool {
    let mut others = readings.iter().filter(|reading| !reading.starts_with('{')).peekable();
    let is_number = |reading: &&str| {
        reading.starts_with(|first: char| {
            first.is_ascii_digit() || matches!(first, '½' | '⅓' | '⅔' | '¼' | '¾' | '⅙' | '⅚')
        })
    };
    others.peek().is_some() && others.all(is_number)
}

/// Numbers of spellings by the hashes of their keys.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct KeyIndex {
    /// Hash in the upper half, number in the lower half, in rising order.
    entries: Vec<u64>,
}

impl KeyIndex {
    /// Indexes spellings; `write` puts the key of one into an empty text. Spellings with an empty key are left out.
    pub fn new(spellings: usize, mut write: impl FnMut(usize, &mut String)) -> Self {
        let mut entries = Vec::with_capacity(spellings);
        let mut key = String::new();
        for number in 0..spellings {
            key.clear();
            write(number, &mut key);
            if !key.is_empty() {
                entries.push(u64::from(hash(&key)) << 32 | number as u64);
            }
        }
        entries.sort_unstable();
        Self { entries }
    }

    /// Returns the spellings that may have a key, in rising order. The caller must compare keys, since different keys
    /// can have the same hash.
    pub fn candidates(&self, key: &str) -> impl Iterator<Item = usize> {
        let wanted = u64::from(hash(key));
        let start = self.entries.partition_point(|entry| entry >> 32 < wanted);
        let rest = self.entries.get(start..).unwrap_or_default();
        rest.iter().take_while(move |entry| **entry >> 32 == wanted).map(|entry| *entry as u32 as usize)
    }
}

/// Hashes a key by FNV-1a (Fowler, Noll and Vo), which is fast for keys as short as these.
fn hash(key: &str) -> u32 {
    key.bytes().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}
