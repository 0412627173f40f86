//! Finds which groups of two and three signs of a text stand in which edited texts, in one pass over all of them.

use crate::attested::{AttestedSign, AttestedTexts, Place, ReadingId, SignClass, TEXT_END, TextNumber};
use std::collections::HashMap;
use tuppum_text::is_logogram;

/// Key by which signs are compared: a syllable by its reading, which is typical of its period; a logogram, numeral or
/// determinative by its sign, since editors differ in how they read those.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum SignKey {
    Syllable(ReadingId),
    Sign(SignClass),
}

/// Group of two or three consecutive signs.
#[derive(Clone, Debug)]
pub(super) struct Group {
    /// First place of the group among the signs asked about.
    pub place: usize,
    /// Number of signs: 2 or 3.
    pub length: usize,
    /// Texts that contain the group, in rising order, each with the group's first place in it.
    pub texts: Vec<(TextNumber, Place)>,
    /// Rarity of the group in nats.
    pub weight: f32,
}

impl Group {
    /// Returns the first place of the group in a text.
    pub fn place_in(&self, text: TextNumber) -> Option<usize> {
        let found = self.texts.binary_search_by_key(&text, |(text, _)| *text).ok()?;
        self.texts.get(found).map(|(_, place)| *place as usize)
    }
}

/// Numbers of the compared signs of a question; 0 stands for every other sign.
struct NumberedSigns {
    /// Number of each reading of the corpora.
    of_reading: Vec<u16>,
    /// Largest number plus one.
    count: usize,
}

impl NumberedSigns {
    fn new(corpus: &AttestedTexts, signs: &[AttestedSign]) -> Self {
        let readings = corpus.readings();
        let compared = |reading: ReadingId| {
            let name = readings.name(reading);
            let by_sign = is_logogram(name) || name.starts_with(|first: char| first == '{' || first.is_ascii_digit());
            if by_sign { SignKey::Sign(readings.class(reading)) } else { SignKey::Syllable(reading) }
        };
        let mut numbers: HashMap<SignKey, u16> = HashMap::new();
        for sign in signs.iter().filter(|sign| sign.reading > TEXT_END) {
            let next = numbers.len() as u16 + 1;
            numbers.entry(compared(sign.reading)).or_insert(next);
        }
        let of_reading = (0..readings.len() as ReadingId).map(|reading| match reading {
            ..=TEXT_END => 0,
            _ => numbers.get(&compared(reading)).copied().unwrap_or_default(),
        });
        Self { of_reading: of_reading.collect(), count: numbers.len() + 1 }
    }

    #[inline]
    fn of(&self, sign: AttestedSign) -> u16 {
        self.of_reading.get(usize::from(sign.reading)).copied().unwrap_or_default()
    }
}

/// Returns the legible groups of the question that stand in some text, each once.
pub(super) fn shared_groups(corpus: &AttestedTexts, signs: &[AttestedSign]) -> Vec<Group> {
    let numbered = NumberedSigns::new(corpus, signs);
    let mut found = Groups::new(&numbered, signs);
    // This loop visits every sign of the corpora for every question, so its tables are plain local slices.
    let (numbers, pairs, count) = (numbered.of_reading.as_slice(), std::mem::take(&mut found.pairs), found.count);
    for text in 0..corpus.text_count() as TextNumber {
        let places = corpus.signs_of(text);
        let begin = places.start;
        // `row` is where the pairs that begin with the sign before start in `pairs`; `before` is the pair that ends
        // with it.
        let (mut row, mut before) = (0, 0);
        for (place, sign) in corpus.packed(places).iter().enumerate() {
            let reading = usize::from(AttestedSign::unpacked(*sign).reading);
            let number = usize::from(numbers.get(reading).copied().unwrap_or_default());
            let pair = pairs.get(row + number).copied().unwrap_or_default();
            if pair != 0 {
                found.record(pair as usize - 1, (begin + place, 2), text);
                if before != 0
                    && let Some(triple) = found.triple(before as usize - 1, number)
                {
                    found.record(triple, (begin + place, 3), text);
                }
            }
            (row, before) = (number * count, pair);
        }
    }
    found.finish(corpus.text_count())
}

/// Groups of a question while the corpora are being scanned.
struct Groups {
    all: Vec<Group>,
    /// Index plus one in `all` of the group of two numbers; 0 if the question lacks that pair. A table is
    /// fastest here, since most pairs of the corpora are not in the question.
    pairs: Vec<u32>,
    count: usize,
    /// Signs that follow each pair of `all` in the question, each with the index of the group of three.
    /// There are nearly always one or two, so a list is faster than a table or a hash of threes.
    triples: Vec<Vec<(usize, usize)>>,
}

impl Groups {
    fn new(numbered: &NumberedSigns, signs: &[AttestedSign]) -> Self {
        let count = numbered.count;
        let mut groups = Self { all: Vec::new(), pairs: vec![0; count * count], count, triples: Vec::new() };
        let own: Vec<usize> = signs.iter().map(|sign| usize::from(numbered.of(*sign))).collect();
        for place in 0..own.len() {
            let known = |length: usize| own.get(place..place + length).filter(|group| !group.contains(&0));
            let group = |length| Group { place, length, texts: Vec::new(), weight: 0.0 };
            if let Some([first, second]) = known(2)
                && let Some(pair) = groups.pairs.get_mut(first * count + second)
                && *pair == 0
            {
                groups.all.push(group(2));
                *pair = groups.all.len() as u32;
            }
            if let Some(&[first, second, third]) = known(3)
                && let Some(pair) = groups.pair(first, second)
                && groups.triple(pair, third).is_none()
            {
                groups.triples.resize_with(groups.all.len(), Vec::new);
                groups.triples[pair].push((third, groups.all.len()));
                groups.all.push(group(3));
            }
        }
        groups.triples.resize_with(groups.all.len(), Vec::new);
        groups
    }

    /// Returns the group of two numbers.
    #[inline]
    fn pair(&self, first: usize, second: usize) -> Option<usize> {
        let pair = self.pairs.get(first * self.count + second)?;
        pair.checked_sub(1).map(|pair| pair as usize)
    }

    /// Returns the group of a pair and the number that follows it.
    #[inline]
    fn triple(&self, pair: usize, third: usize) -> Option<usize> {
        self.triples.get(pair)?.iter().find(|(number, _)| *number == third).map(|(_, group)| *group)
    }

    /// Records that a group of `length` signs ends at `place` in a text.
    #[inline]
    fn record(&mut self, group: usize, (place, length): (usize, usize), text: TextNumber) {
        let group = self.all.get_mut(group);
        if let Some(group) = group.filter(|group| group.texts.last().is_none_or(|(last, _)| *last != text)) {
            group.texts.push((text, (place + 1 - length) as Place));
        }
    }

    /// Returns the groups that occur in at least one of the `texts` texts, with their rarity.
    fn finish(mut self, texts: usize) -> Vec<Group> {
        self.all.retain(|group| !group.texts.is_empty());
        // One more than the number of texts, so that a group that all texts share still counts a little.
        self.all.iter_mut().for_each(|group| group.weight = ((texts + 1) as f32 / group.texts.len() as f32).ln());
        self.all
    }
}
