//! Which groups of two and three signs of a text stand in which edited texts: one pass over all of them.

use crate::attested::{AttestedSign, AttestedTexts, Place, ReadingId, SignClass, TEXT_END, TextNumber, is_logogram};
use std::collections::HashMap;

/// What signs are compared by: a syllable by its reading, which is of its period; a logogram, a numeral or a
/// determinative by its sign, since how these are read is of the editor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Compared {
    Syllable(ReadingId),
    Sign(SignClass),
}

/// A group of signs that follow one another.
#[derive(Clone, Debug)]
pub(super) struct Group {
    /// Where it stands first among the signs asked about.
    pub place: usize,
    /// How many signs it has.
    pub length: usize,
    /// The texts that have it, rising, and where each has it first.
    pub texts: Vec<(TextNumber, Place)>,
    /// How rare it is, in nats.
    pub weight: f32,
}

impl Group {
    /// Where a text has it first.
    pub fn place_in(&self, text: TextNumber) -> Option<usize> {
        let found = self.texts.binary_search_by_key(&text, |(text, _)| *text).ok()?;
        self.texts.get(found).map(|(_, place)| *place as usize)
    }
}

/// The signs of a question, numbered: 0 stands for every other one.
struct Numbered {
    /// The number of each reading of the corpora.
    of_reading: Vec<u16>,
    /// How many numbers there are.
    count: usize,
}

impl Numbered {
    fn new(corpus: &AttestedTexts, signs: &[AttestedSign]) -> Self {
        let readings = corpus.readings();
        let compared = |reading: ReadingId| {
            let name = readings.name(reading);
            let by_sign = is_logogram(name) || name.starts_with(|first: char| first == '{' || first.is_ascii_digit());
            if by_sign { Compared::Sign(readings.class(reading)) } else { Compared::Syllable(reading) }
        };
        let mut numbers: HashMap<Compared, u16> = HashMap::new();
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

/// The groups of signs that can be read, each once, that stand in some text.
pub(super) fn shared_groups(corpus: &AttestedTexts, signs: &[AttestedSign]) -> Vec<Group> {
    let numbered = Numbered::new(corpus, signs);
    let mut found = Groups::new(&numbered, signs);
    for text in 0..corpus.text_count() as TextNumber {
        let places = corpus.signs_of(text);
        let begin = places.start;
        // The number of the sign before, and the one before that; 0 where the question has none of them.
        let (mut first, mut second) = (0, 0);
        for (place, sign) in corpus.packed(places).iter().enumerate() {
            let third = numbered.of(AttestedSign::unpacked(*sign));
            if second != 0 && third != 0 {
                found.meet([first, second, third], begin + place, text);
            }
            (first, second) = (second, third);
        }
    }
    found.finish(corpus.text_count())
}

/// The groups of a question while the corpora are gone through.
struct Groups {
    all: Vec<Group>,
    /// For each two numbers the place of their group among all, and 1; 0 where it is none. Most pairs of the corpora
    /// are none of the question, and a table tells that fastest.
    pairs: Vec<u32>,
    count: usize,
    triples: HashMap<[u16; 3], usize>,
}

impl Groups {
    fn new(numbered: &Numbered, signs: &[AttestedSign]) -> Self {
        let count = numbered.count;
        let mut groups = Self { all: Vec::new(), pairs: vec![0; count * count], count, triples: HashMap::new() };
        let own: Vec<u16> = signs.iter().map(|sign| numbered.of(*sign)).collect();
        for place in 0..own.len() {
            let known = |length: usize| own.get(place..place + length).filter(|group| !group.contains(&0));
            let group = |length| Group { place, length, texts: Vec::new(), weight: 0.0 };
            if let Some([first, second]) = known(2)
                && let Some(pair) = groups.pairs.get_mut(usize::from(*first) * count + usize::from(*second))
                && *pair == 0
            {
                groups.all.push(group(2));
                *pair = groups.all.len() as u32;
            }
            if let Some(&[first, second, third]) = known(3) {
                groups.triples.entry([first, second, third]).or_insert_with(|| {
                    groups.all.push(group(3));
                    groups.all.len() - 1
                });
            }
        }
        groups
    }

    /// The group of two numbers.
    #[inline]
    fn pair(&self, first: u16, second: u16) -> Option<usize> {
        let pair = self.pairs.get(usize::from(first) * self.count + usize::from(second))?;
        pair.checked_sub(1).map(|pair| pair as usize)
    }

    /// Meets three signs of the corpora, the last of which stands at a place of a text.
    fn meet(&mut self, signs: [u16; 3], place: usize, text: TextNumber) {
        let [first, second, third] = signs;
        let Some(pair) = self.pair(second, third) else { return };
        let triple = self.pair(first, second).and_then(|_| self.triples.get(&signs).copied());
        for (number, length) in [(Some(pair), 2), (triple, 3)] {
            let group = number.and_then(|number| self.all.get_mut(number));
            if let Some(group) = group.filter(|group| group.texts.last().is_none_or(|(last, _)| *last != text)) {
                group.texts.push((text, (place + 1 - length) as Place));
            }
        }
    }

    /// The groups that some of so many texts have, with how rare they are.
    fn finish(mut self, texts: usize) -> Vec<Group> {
        self.all.retain(|group| !group.texts.is_empty());
        // One more than there are, so that what all texts have still makes them a little alike.
        self.all.iter_mut().for_each(|group| group.weight = ((texts + 1) as f32 / group.texts.len() as f32).ln());
        self.all
    }
}
