//! The row of attested signs, and what is asked of it: text, line and neighbours of a place, places of a sign.

use super::labels::Labels;
use super::readings::{BREAK, ReadingId, Readings, SignClass, TEXT_END};
use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;
use tuppum_text::SignState;

/// Number of a sign among all signs of all texts, ends of texts included.
pub type Place = u32;
/// Number of a text.
pub type TextNumber = u16;

/// A sign of the question or of a corpus: what is read, and whether a word begins with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct AttestedSign {
    /// The reading, or [`ILLEGIBLE`], [`BREAK`], [`TEXT_END`].
    pub reading: ReadingId,
    /// Whether a word begins here.
    pub starts_word: bool,
}

impl AttestedSign {
    /// As it is stored: the reading above the lowest bit, the word start in it.
    #[inline]
    pub(crate) fn packed(self) -> u16 {
        self.reading << 1 | u16::from(self.starts_word)
    }

    #[inline]
    pub(crate) fn unpacked(packed: u16) -> Self {
        Self { reading: packed >> 1, starts_word: packed & 1 == 1 }
    }
}

/// What is known of a text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TextRecord {
    /// Its number (`P390626`).
    pub id: String,
    /// Oracc's project, or CDLI's name of the period; thousands of texts share one.
    pub project: Arc<str>,
    /// Oracc's code of the language.
    pub language: Arc<str>,
    /// Whether it is one of the user's own; `project` then is the name of their archive.
    pub own: bool,
    /// Its first line, counted through all texts.
    pub(super) first_line: u32,
}

impl TextRecord {
    /// Where the edition can be read: Oracc for its own projects, CDLI for others that have a number there.
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

/// Many texts, and where each sign stands in them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AttestedTexts {
    pub(super) readings: Readings,
    pub(super) signs: Vec<u16>,
    /// The state in the lower bits, and [`STARTS_LINE`].
    pub(super) states: Vec<u8>,
    /// The text of every [`BLOCK`]th sign.
    pub(super) block_texts: Vec<TextNumber>,
    pub(super) texts: Vec<TextRecord>,
    /// The first sign of each text: apart from what else is known of them, since a search asks for it all the time.
    pub(super) first_signs: Vec<Place>,
    /// The first sign of every line.
    pub(super) lines: Vec<Place>,
    pub(super) labels: Labels,
    /// The places of each class of signs lie between two of these in `places`.
    class_ends: Vec<u32>,
    places: Vec<Place>,
    /// For every text the number of its project and language.
    families: Vec<u16>,
    /// For every text how many of its signs can be read.
    readable: Vec<u32>,
}

/// How many signs one entry stands for that says whose text they are: of texts with some two hundred signs each, the
/// next but one is hardly ever looked at.
pub(super) const BLOCK: usize = 32;
/// Mark of a sign that begins a line, beside its state.
const STARTS_LINE: u8 = 4;
/// State of what has no reading; the bits of all states.
const UNREAD: u8 = 3;

/// A state as it is stored.
pub(super) fn stored(state: SignState) -> u8 {
    match state {
        SignState::Preserved => 0,
        SignState::Damaged => 1,
        SignState::Restored => 2,
        SignState::Illegible | SignState::Break => UNREAD,
    }
}

impl AttestedTexts {
    /// The readings that occur.
    pub fn readings(&self) -> &Readings {
        &self.readings
    }

    /// How many signs there are, ends of texts included.
    pub fn len(&self) -> usize {
        self.signs.len()
    }

    /// Whether there is no text.
    pub fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }

    /// How many texts there are.
    pub fn text_count(&self) -> usize {
        self.texts.len()
    }

    /// The sign at a place; beyond the last one the end of a text.
    #[inline]
    pub fn sign(&self, place: usize) -> AttestedSign {
        self.signs
            .get(place)
            .map_or(AttestedSign { reading: TEXT_END, starts_word: true }, |packed| AttestedSign::unpacked(*packed))
    }

    /// So many signs from a place on, as they are packed; none where there are fewer.
    #[inline]
    pub(crate) fn packed_from<const LENGTH: usize>(&self, place: usize) -> Option<&[u16; LENGTH]> {
        self.signs.get(place..)?.first_chunk()
    }

    /// The signs of some places, as they are packed.
    pub(crate) fn packed(&self, places: Range<usize>) -> &[u16] {
        self.signs.get(places).unwrap_or_default()
    }

    /// The class of the sign at a place.
    #[inline]
    pub fn class(&self, place: usize) -> SignClass {
        self.readings.class(self.sign(place).reading)
    }

    /// How the sign at a place stands. The end of a text is illegible.
    pub fn state(&self, place: usize) -> SignState {
        match self.states.get(place).map(|state| state & UNREAD) {
            Some(0) => SignState::Preserved,
            Some(1) => SignState::Damaged,
            Some(2) => SignState::Restored,
            _ if self.sign(place).reading == BREAK => SignState::Break,
            _ => SignState::Illegible,
        }
    }

    /// Whether a line begins with the sign at a place. The end of a text begins one too.
    #[inline]
    pub fn starts_line(&self, place: usize) -> bool {
        self.states.get(place).is_none_or(|state| state & STARTS_LINE != 0)
    }

    /// The text of a place.
    #[inline]
    pub fn text_at(&self, place: usize) -> Option<TextNumber> {
        let first = usize::from(*self.block_texts.get(place / BLOCK).filter(|_| place < self.signs.len())?);
        let next = self.first_signs.get(first + 1..)?.iter().position(|begin| *begin as usize > place);
        TextNumber::try_from(next.map_or(self.texts.len() - 1, |next| first + next)).ok()
    }

    /// What is known of a text.
    pub fn text(&self, number: TextNumber) -> Option<&TextRecord> {
        self.texts.get(usize::from(number))
    }

    /// All texts in order.
    pub fn texts(&self) -> &[TextRecord] {
        &self.texts
    }

    /// The number of a text by its name (`P390626`).
    pub fn text_number(&self, id: &str) -> Option<TextNumber> {
        self.texts.iter().position(|text| text.id == id).and_then(|number| number.try_into().ok())
    }

    /// The signs of a text, without its end.
    pub fn signs_of(&self, number: TextNumber) -> Range<usize> {
        let start = |number: usize| self.first_signs.get(number).map_or(self.signs.len(), |first| *first as usize);
        let (first, next) = (start(usize::from(number)), start(usize::from(number) + 1));
        first..next.saturating_sub(1).max(first)
    }

    /// The number of the line in which a place lies, counted through all texts.
    pub fn line_at(&self, place: usize) -> usize {
        self.lines.partition_point(|first| *first as usize <= place).saturating_sub(1)
    }

    /// The label of a line (`obverse 3`).
    pub fn label(&self, line: usize) -> &str {
        self.labels.get(line)
    }

    /// How many lines there are.
    pub fn line_count(&self) -> usize {
        self.lines.len()
    }

    /// The signs of a line. The end of a text is in none.
    pub fn signs_of_line(&self, line: usize) -> Range<usize> {
        let first = |line: usize| self.lines.get(line).map(|first| *first as usize);
        let Some(start) = first(line) else { return 0..0 };
        let end = first(line + 1).unwrap_or(self.signs.len());
        start..if end > start && self.sign(end - 1).reading == TEXT_END { end - 1 } else { end }
    }

    /// The places of a class of signs, rising.
    pub fn places(&self, class: SignClass) -> &[Place] {
        let end = |class: usize| self.class_ends.get(class).map_or(0, |end| *end as usize);
        let start = usize::from(class).checked_sub(1).map_or(0, end);
        self.places.get(start..end(usize::from(class))).unwrap_or_default()
    }

    /// The places at which a pattern begins: classes of signs at distances from its beginning, the first at 0.
    pub fn places_of_pattern(&self, pattern: &[(usize, SignClass)]) -> impl Iterator<Item = usize> {
        let mut rising = pattern.to_vec();
        rising.sort_by_key(|(_, class)| self.places(*class).len());
        // The rarest is looked up; of the others the rarer tells more places apart, so that it is asked first.
        let (distance, class) = rising.first().copied().unwrap_or_default();
        let begin = move |place: &Place| (*place as usize).checked_sub(distance);
        let is_met =
            move |place: &usize| rising.iter().skip(1).all(|(distance, class)| self.class(place + distance) == *class);
        self.places(class).iter().filter_map(begin).filter(is_met)
    }

    /// For every text the number of what it belongs to: a project, and in it a language.
    pub fn families(&self) -> &[u16] {
        &self.families
    }

    /// How many signs of a text can be read, its end not among them; 0 for a text that is not there.
    pub fn readable_signs(&self, number: TextNumber) -> usize {
        self.readable.get(usize::from(number)).map_or(0, |count| *count as usize)
    }

    /// Sorts the places by class. Illegible signs, breaks and ends of texts are nowhere looked for.
    fn index(&mut self) {
        // What is there is given back before its successor takes room.
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

/// Putting texts one behind another, for the builder and the reader of packs.
impl AttestedTexts {
    pub(super) fn with_readings(readings: Readings) -> Self {
        Self { readings, ..Self::default() }
    }

    /// Makes room for so many signs, lines and texts: what grows by and by takes up to twice the room.
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

    /// Finds anew where every sign stands, what every text belongs to, and how much of it can be read.
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

/// For every text the number of its project and language. A project's name ends at its stroke: the volumes of the State
/// Archives are one.
fn families(texts: &[TextRecord]) -> Vec<u16> {
    let mut numbers = HashMap::new();
    let family_of = |text: &TextRecord| {
        let project = text.project.split('/').next().unwrap_or("").to_owned();
        let next = numbers.len() as u16;
        *numbers.entry((project, text.language.clone())).or_insert(next)
    };
    texts.iter().map(family_of).collect()
}
