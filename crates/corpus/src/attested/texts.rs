//! The sequence of attested signs and its queries: text, line and neighbours of a place, places of a sign; and signs
//! from and as transliteration, with the place of their edition.

use super::labels::Labels;
use super::readings::{BREAK, ILLEGIBLE, ReadingId, Readings, SignClass, TEXT_END};
use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;
use tuppum_domain::attested::{EditionPlace, WrittenSign};
use tuppum_domain::restoration::texts::{CorpusLine, Text};
use tuppum_text::{SignState, is_logogram};

/// Index of a sign in the sequence of all texts, where each end of a text also counts as a sign.
pub type Place = u32;
/// Number of a text.
pub type TextNumber = u16;

/// A sign of a question or of a corpus.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct AttestedSign {
    /// Reading, or [`ILLEGIBLE`], [`BREAK`], [`TEXT_END`].
    pub reading: ReadingId,
    /// `true` if a word begins with this sign.
    pub starts_word: bool,
}

impl AttestedSign {
    /// Returns the sign in two bytes: the reading in the upper 15 bits, the word start in the lowest.
    #[inline]
    pub(crate) fn packed(self) -> u16 {
        self.reading << 1 | u16::from(self.starts_word)
    }

    #[inline]
    pub(crate) fn unpacked(packed: u16) -> Self {
        Self { reading: packed >> 1, starts_word: packed & 1 == 1 }
    }
}

/// Metadata of a text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TextRecord {
    /// Number of the text (`P390626`).
    pub id: String,
    /// Oracc's project, or CDLI's name of the period. Shared, since thousands of texts have the same one.
    pub project: Arc<str>,
    /// Oracc's code of the language.
    pub language: Arc<str>,
    /// `true` if the text is the user's own; `project` then holds the name of their archive.
    pub own: bool,
    /// Index of the first line among all lines of the corpus.
    pub(super) first_line: u32,
}

impl TextRecord {
    /// Returns the web address of the edition: at Oracc for its own projects, at CDLI for other texts with a CDLI
    /// number.
    pub fn address(&self) -> Option<String> {
        let is_number = |id: &str| id.len() == 7 && id[1..].bytes().all(|byte| byte.is_ascii_digit());
        if self.own || !self.id.is_ascii() || !is_number(&self.id) {
            return None;
        }
        let is_cdli = self.project.contains(' ');
        Some(if is_cdli {
            format!("https://cdli.earth/{}", self.id)
        } else {
            format!("https://oracc.museum.upenn.edu/{}/{}", self.project, self.id)
        })
    }
}

/// Index of many texts and of the places of every sign in them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AttestedTexts {
    pub(super) readings: Readings,
    pub(super) signs: Vec<u16>,
    /// State of each sign in the lower bits, and [`STARTS_LINE`].
    pub(super) states: Vec<u8>,
    /// Text number of every [`BLOCK`]th sign.
    pub(super) block_texts: Vec<TextNumber>,
    pub(super) texts: Vec<TextRecord>,
    /// First sign of each text. Kept apart from the records, since a search reads it all the time.
    pub(super) first_signs: Vec<Place>,
    /// First sign of every line.
    pub(super) lines: Vec<Place>,
    pub(super) labels: Labels,
    /// End of each class's places in `places`; they begin where those of the class before end.
    class_ends: Vec<u32>,
    places: Vec<Place>,
    /// Number of each text's project and language.
    families: Vec<u16>,
    /// Number of legible signs of each text.
    readable: Vec<u32>,
}

/// Number of signs per entry of `block_texts`. Texts have some two hundred signs, so finding the text of a sign hardly
/// ever steps further than to the next text.
pub(super) const BLOCK: usize = 32;
/// Bit beside the state that marks a sign as the first of a line.
const STARTS_LINE: u8 = 4;
/// State of signs without a reading; also the mask of the state bits.
const UNREAD: u8 = 3;

/// Returns the stored form of a state.
pub(super) fn stored(state: SignState) -> u8 {
    match state {
        SignState::Preserved => 0,
        SignState::Damaged => 1,
        SignState::Restored => 2,
        SignState::Illegible | SignState::Break => UNREAD,
    }
}

impl AttestedTexts {
    /// Readings that occur in the corpus.
    pub fn readings(&self) -> &Readings {
        &self.readings
    }

    /// Returns the number of signs, ends of texts included.
    pub fn len(&self) -> usize {
        self.signs.len()
    }

    /// Returns `true` if there is no text.
    pub fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }

    /// Returns the number of texts.
    pub fn text_count(&self) -> usize {
        self.texts.len()
    }

    /// Returns the sign at a place; beyond the last sign, the end of a text.
    #[inline]
    pub fn sign(&self, place: usize) -> AttestedSign {
        self.signs
            .get(place)
            .map_or(AttestedSign { reading: TEXT_END, starts_word: true }, |packed| AttestedSign::unpacked(*packed))
    }

    /// Returns `LENGTH` packed signs from a place on, or `None` if fewer are left.
    #[inline]
    pub(crate) fn packed_from<const LENGTH: usize>(&self, place: usize) -> Option<&[u16; LENGTH]> {
        self.signs.get(place..)?.first_chunk()
    }

    /// Returns the packed signs of some places.
    pub(crate) fn packed(&self, places: Range<usize>) -> &[u16] {
        self.signs.get(places).unwrap_or_default()
    }

    /// Returns the class of the sign at a place.
    #[inline]
    pub fn class(&self, place: usize) -> SignClass {
        self.readings.class(self.sign(place).reading)
    }

    /// Returns the state of the sign at a place. The end of a text counts as illegible.
    pub fn state(&self, place: usize) -> SignState {
        match self.states.get(place).map(|state| state & UNREAD) {
            Some(0) => SignState::Preserved,
            Some(1) => SignState::Damaged,
            Some(2) => SignState::Restored,
            _ if self.sign(place).reading == BREAK => SignState::Break,
            _ => SignState::Illegible,
        }
    }

    /// Returns `true` if a line begins with the sign at a place. The end of a text counts as the start of a line.
    #[inline]
    pub fn starts_line(&self, place: usize) -> bool {
        self.states.get(place).is_none_or(|state| state & STARTS_LINE != 0)
    }

    /// Returns the number of the text that contains a place.
    #[inline]
    pub fn text_at(&self, place: usize) -> Option<TextNumber> {
        // The block narrows the search to a few texts, where a step or two finds the right one.
        let first = usize::from(*self.block_texts.get(place / BLOCK).filter(|_| place < self.signs.len())?);
        let next = self.first_signs.get(first + 1..)?.iter().position(|begin| *begin as usize > place);
        TextNumber::try_from(next.map_or(self.texts.len() - 1, |next| first + next)).ok()
    }

    /// Returns the metadata of a text.
    pub fn text(&self, number: TextNumber) -> Option<&TextRecord> {
        self.texts.get(usize::from(number))
    }

    /// Returns all texts in order.
    pub fn texts(&self) -> &[TextRecord] {
        &self.texts
    }

    /// Returns the number of the text with this id (`P390626`).
    pub fn text_number(&self, id: &str) -> Option<TextNumber> {
        self.texts.iter().position(|text| text.id == id).and_then(|number| number.try_into().ok())
    }

    /// Returns the places of a text's signs, without its end.
    pub fn signs_of(&self, number: TextNumber) -> Range<usize> {
        let start = |number: usize| self.first_signs.get(number).map_or(self.signs.len(), |first| *first as usize);
        let (first, next) = (start(usize::from(number)), start(usize::from(number) + 1));
        first..next.saturating_sub(1).max(first)
    }

    /// Returns the line that contains a place, counted through all texts.
    pub fn line_at(&self, place: usize) -> usize {
        self.lines.partition_point(|first| *first as usize <= place).saturating_sub(1)
    }

    /// Returns the label of a line (`obverse 3`).
    pub fn label(&self, line: usize) -> &str {
        self.labels.get(line)
    }

    /// Returns the number of lines.
    pub fn line_count(&self) -> usize {
        self.lines.len()
    }

    /// Returns the places of a line's signs. The end of a text belongs to no line.
    pub fn signs_of_line(&self, line: usize) -> Range<usize> {
        let first = |line: usize| self.lines.get(line).map(|first| *first as usize);
        let Some(start) = first(line) else { return 0..0 };
        let end = first(line + 1).unwrap_or(self.signs.len());
        start..if end > start && self.sign(end - 1).reading == TEXT_END { end - 1 } else { end }
    }

    /// Returns the places of a class of signs in rising order.
    pub fn places(&self, class: SignClass) -> &[Place] {
        let end = |class: usize| self.class_ends.get(class).map_or(0, |end| *end as usize);
        let start = usize::from(class).checked_sub(1).map_or(0, end);
        self.places.get(start..end(usize::from(class))).unwrap_or_default()
    }

    /// Returns the places where a pattern begins. A pattern is a list of classes at distances from its beginning, the
    /// first at distance 0.
    pub fn places_of_pattern(&self, pattern: &[(usize, SignClass)]) -> impl Iterator<Item = usize> {
        let mut rising = pattern.to_vec();
        rising.sort_by_key(|(_, class)| self.places(*class).len());
        // Look up the rarest class and check the others from the rarest on, since a rare one rules out most places.
        let (distance, class) = rising.first().copied().unwrap_or_default();
        let begin = move |place: &Place| (*place as usize).checked_sub(distance);
        let is_met =
            move |place: &usize| rising.iter().skip(1).all(|(distance, class)| self.class(place + distance) == *class);
        self.places(class).iter().filter_map(begin).filter(is_met)
    }

    /// Returns the number of each text's family: its project and language.
    pub fn families(&self) -> &[u16] {
        &self.families
    }

    /// Returns the number of legible signs of a text without its end; 0 for an unknown text.
    pub fn readable_signs(&self, number: TextNumber) -> usize {
        self.readable.get(usize::from(number)).map_or(0, |count| *count as usize)
    }

    /// Sorts the places by class (counting sort). Illegible signs, breaks and ends of texts are left out: nobody
    /// searches for them.
    fn index(&mut self) {
        // Free the old lists before the new ones are allocated.
        (self.class_ends, self.places) = (Vec::new(), Vec::new());
        let classes = self.readings.class_count();
        let mut ends = vec![0_u32; classes];
        let looked_for = |class: SignClass| class > self.readings.class(TEXT_END);
        for place in 0..self.signs.len() {
            let class = self.class(place);
            if looked_for(class) {
                ends[usize::from(class)] += 1;
            }
        }
        // Turn the counts into the beginnings of the classes; filling then moves each to its end.
        let mut sum = 0;
        for end in &mut ends {
            sum += std::mem::replace(end, sum);
        }
        let mut places = vec![0; sum as usize];
        for place in 0..self.signs.len() {
            let class = self.class(place);
            if looked_for(class) {
                let next = &mut ends[usize::from(class)];
                places[*next as usize] = place as Place;
                *next += 1;
            }
        }
        (self.class_ends, self.places) = (ends, places);
    }
}

/// Appending of texts, for the builder and the reader of packs.
impl AttestedTexts {
    pub(super) fn with_readings(readings: Readings) -> Self {
        Self { readings, ..Self::default() }
    }

    /// Reserves exactly this many signs, lines and texts: vectors that grow take up to twice the memory.
    pub(super) fn reserve(&mut self, signs: usize, lines: usize, texts: usize) {
        self.signs.reserve_exact(signs);
        self.states.reserve_exact(signs);
        self.block_texts.reserve_exact(signs.div_ceil(BLOCK));
        self.labels.reserve(lines);
        self.lines.reserve_exact(lines);
        self.texts.reserve_exact(texts);
        self.first_signs.reserve_exact(texts);
    }

    pub(super) fn push_text(&mut self, record: TextRecord) {
        self.texts.push(TextRecord { first_line: self.lines.len() as u32, ..record });
        self.first_signs.push(self.signs.len() as Place);
    }

    pub(super) fn push_line(&mut self, label: &str) {
        self.labels.push(label);
        self.lines.push(self.signs.len() as Place);
    }

    pub(super) fn push_sign(&mut self, sign: AttestedSign, state: u8) {
        let begins = self.lines.last().is_some_and(|first| *first as usize == self.signs.len());
        if self.signs.len().is_multiple_of(BLOCK) {
            self.block_texts.push(self.texts.len().saturating_sub(1) as u16);
        }
        self.signs.push(sign.packed());
        self.states.push(state | if begins { STARTS_LINE } else { 0 });
    }

    pub(super) fn end_text(&mut self) {
        self.push_sign(AttestedSign { reading: TEXT_END, starts_word: true }, UNREAD | STARTS_LINE);
    }

    pub(super) fn finish(mut self) -> Self {
        self.sort();
        self
    }

    /// Rebuilds the places of signs, the families of texts and the counts of legible signs.
    pub(super) fn sort(&mut self) {
        self.labels.settle();
        self.index();
        self.families = families(&self.texts);
        let count = |text: usize| {
            let signs = self.signs_of(text as TextNumber);
            signs.filter(|place| self.sign(*place).reading > TEXT_END).count() as u32
        };
        self.readable = (0..self.texts.len()).map(count).collect();
    }
}

impl AttestedTexts {
    /// Returns a stretch as canonical transliteration, with a space between lines.
    pub fn written(&self, signs: Range<usize>) -> String {
        let first = signs.start;
        let write = |place: usize| {
            let WrittenSign { joiner, reading } = self.written_sign(place, (place > first).then(|| place - 1));
            joiner + &reading
        };
        signs.map(write).collect()
    }

    /// Returns a sign as it is written behind the sign at `previous`.
    pub fn written_sign(&self, place: usize, previous: Option<usize>) -> WrittenSign {
        let name = |place: usize| self.readings().name(self.sign(place).reading);
        let begins = self.sign(place).starts_word || self.starts_line(place);
        let joiner = joiner(previous.map(name), name(place), begins).to_owned();
        WrittenSign { joiner, reading: name(place).to_owned() }
    }

    /// Returns the edition of a stretch of a text: id, project, lines and address.
    pub fn edition(&self, number: TextNumber, signs: Range<usize>) -> EditionPlace {
        let Some(text) = self.text(number) else { return EditionPlace::default() };
        let (first, last) = (self.line_at(signs.start), self.line_at(signs.end.saturating_sub(1)));
        let line = match first == last {
            true => self.label(first).to_owned(),
            false => format!("{} to {}", self.label(first), self.label(last)),
        };
        let (id, project) = (text.id.clone(), text.project.to_string());
        EditionPlace { text: id, project, line, address: text.address(), own: text.own }
    }
}

/// Returns the signs of a line. A reading that the corpus lacks becomes illegible, since nothing can agree with it.
pub fn asked(line: &CorpusLine, readings: &Readings) -> Vec<AttestedSign> {
    let signs = line.signs().map(|sign| {
        let reading = match sign.state {
            SignState::Break => BREAK,
            SignState::Illegible => ILLEGIBLE,
            SignState::Preserved | SignState::Damaged | SignState::Restored => {
                readings.number(sign.reading).unwrap_or(ILLEGIBLE)
            }
        };
        AttestedSign { reading, starts_word: sign.starts_word }
    });
    signs.collect()
}

/// Returns the signs of a transliteration as they are written, each with the joiner before it.
pub(crate) fn written_signs(text: &Text) -> Vec<WrittenSign> {
    let mut previous: Option<&str> = None;
    let mut written = Vec::new();
    for sign in text.lines.iter().flat_map(|line| line.signs()) {
        let joiner = joiner(previous, sign.reading, sign.starts_word).to_owned();
        written.push(WrittenSign { joiner, reading: sign.reading.to_owned() });
        previous = Some(sign.reading);
    }
    written
}

/// Returns the joiner between two signs; empty before the first sign.
pub(crate) fn joiner(previous: Option<&str>, name: &str, starts_word: bool) -> &'static str {
    match previous {
        None => "",
        Some(_) if starts_word => " ",
        Some(previous) if name.starts_with('{') || previous.ends_with('}') => "",
        Some(previous) if is_logogram(previous) && is_logogram(name) => ".",
        Some(_) => "-",
    }
}

/// Returns the family of each text, a number for its project and language. A project's name counts up to its slash, so
/// that the volumes of the State Archives are one.
fn families(texts: &[TextRecord]) -> Vec<u16> {
    let mut numbers = HashMap::new();
    let family_of = |text: &TextRecord| {
        let project = text.project.split('/').next().unwrap_or("").to_owned();
        let next = numbers.len() as u16;
        *numbers.entry((project, text.language.clone())).or_insert(next)
    };
    texts.iter().map(family_of).collect()
}
