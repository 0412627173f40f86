//! Occurrences of words with a clear meaning, with the features of the word and of its company, in parts by lemma.

use super::lexicon::ClearSpelling;
use std::collections::HashMap;
use tuppum_corpus::names::{FeaturePart, NameWord, each_feature};
use tuppum_corpus::signs_row::SignsRow;
use tuppum_geometry::Random;

/// Maximum number of occurrences of a spelling that are looked at. So no word outweighs the others, and rare spellings,
/// which a lexicon is the likelier to lack, count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MaxOccurrences {
    /// Maximum for a name.
    pub names: usize,
    /// Maximum for a word that is no name.
    pub others: usize,
}

/// Number of parts of the lemmata: one part is held out to measure, and one to choose settings by.
const PARTS: u64 = 10;

/// Part that a lemma belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LemmaPart {
    /// To learn from.
    Train,
    /// To choose settings and temperature by.
    Choose,
    /// To measure on.
    Test,
}

impl LemmaPart {
    /// Returns the part of a spelling's lemma, by hash and seed.
    pub fn of(spelling: &ClearSpelling, seed: u64) -> Self {
        // FNV-1a.
        let hash = spelling
            .lemma
            .bytes()
            .fold(0xCBF2_9CE4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3));
        match Random::stream(seed, hash).bits() % PARTS {
            0 if spelling.open => Self::Test,
            1 if spelling.open => Self::Choose,
            _ => Self::Train,
        }
    }
}

/// The lines of corpora, word by word; every spelling is kept once.
#[derive(Clone, Debug, Default)]
pub struct WordLines {
    numbers: HashMap<String, u32>,
    spellings: Vec<String>,
    lines: Vec<Vec<u32>>,
}

impl WordLines {
    /// Adds a line.
    pub fn add(&mut self, row: &SignsRow) {
        let mut words: Vec<String> = Vec::new();
        for sign in &row.signs {
            match words.last_mut() {
                Some(word) if !sign.starts_word => {
                    word.push(' ');
                    word.push_str(sign.reading);
                }
                _ => words.push(sign.reading.to_owned()),
            }
        }
        let line = words.into_iter().map(|word| self.number(word)).collect();
        self.lines.push(line);
    }

    fn number(&mut self, word: String) -> u32 {
        if let Some(number) = self.numbers.get(&word) {
            return *number;
        }
        let number = self.spellings.len() as u32;
        self.spellings.push(word.clone());
        self.numbers.insert(word, number);
        number
    }
}

/// An occurrence of a word with a clear meaning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NameExample {
    /// Number of its spelling.
    pub spelling: u32,
    /// The place in [`tuppum_corpus::names::NameClasses`].
    pub class: usize,
    /// Numbers of its features, in the order of [`FeaturePart`].
    pub features: Vec<u32>,
    /// First places of the features of the second, third and fourth part.
    pub starts: [u32; 3],
}

impl NameExample {
    /// Returns the features of the parts that a view shows.
    pub fn seen(&self, view: View) -> impl Iterator<Item = u32> + Clone + '_ {
        let [second, third, fourth] = self.starts.map(|start| start as usize);
        let ranges = [
            (0..second, true),
            (second..third, view.determinatives),
            (third..fourth, view.company),
            (fourth..self.features.len(), view.company && view.determinatives),
        ];
        ranges.into_iter().filter(|(_, seen)| *seen).flat_map(|(range, _)| self.features[range].iter().copied())
    }
}

/// Parts of an example that are looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct View {
    /// `true` if the words around the word are looked at.
    pub company: bool,
    /// `true` if determinatives are looked at, of the word and of the words around it.
    pub determinatives: bool,
}

/// All examples.
#[derive(Clone, Debug, Default)]
pub struct NameExamples {
    /// Spellings of the examples: their readings with spaces between, and what they mean.
    pub spellings: Vec<(String, ClearSpelling)>,
    /// The features' texts.
    pub features: Vec<String>,
    /// The occurrences, grouped by spelling.
    pub all: Vec<NameExample>,
}

impl NameExamples {
    /// Returns the occurrences of words with a clear meaning in lines; of many occurrences of a spelling some by
    /// chance.
    pub fn of(lines: &WordLines, clear: &HashMap<String, ClearSpelling>, most: MaxOccurrences) -> Self {
        let mut places: Vec<Vec<(u32, u32)>> = vec![Vec::new(); lines.spellings.len()];
        for (number, line) in lines.lines.iter().enumerate() {
            for (at, word) in line.iter().enumerate() {
                places[*word as usize].push((number as u32, at as u32));
            }
        }
        let words: Vec<NameWord> =
            lines.spellings.iter().map(|spelling| NameWord::of_readings(spelling.split(' '))).collect();
        let (mut found, mut numbers, mut random) = (Self::default(), HashMap::new(), Random::new(0));
        for (spelling, mut places) in lines.spellings.iter().zip(places) {
            let Some(meaning) = clear.get(spelling) else { continue };
            random.shuffle(&mut places);
            places.truncate(if meaning.class == 0 { most.others } else { most.names });
            let number = found.spellings.len() as u32;
            found.spellings.push((spelling.clone(), meaning.clone()));
            for (line, at) in places {
                let line: Vec<NameWord> =
                    lines.lines[line as usize].iter().map(|word| words[*word as usize].clone()).collect();
                let example = found.example(&line, at as usize, (number, meaning.class), &mut numbers);
                found.all.push(example);
            }
        }
        found
    }

    fn example(
        &mut self,
        line: &[NameWord],
        at: usize,
        (spelling, class): (u32, usize),
        numbers: &mut HashMap<String, u32>,
    ) -> NameExample {
        let mut parts: [Vec<u32>; 4] = Default::default();
        each_feature(line, at, &mut |part, text| {
            let number = numbers.get(text).copied().unwrap_or_else(|| {
                let number = self.features.len() as u32;
                self.features.push(text.to_owned());
                numbers.insert(text.to_owned(), number);
                number
            });
            let place = match part {
                FeaturePart::Word => 0,
                FeaturePart::Determinatives => 1,
                FeaturePart::Company => 2,
                FeaturePart::CompanyDeterminatives => 3,
            };
            parts[place].push(number);
        });
        let lengths = [0, 1, 2].map(|place: usize| parts[..=place].iter().map(Vec::len).sum::<usize>() as u32);
        NameExample { spelling, class, features: parts.concat(), starts: lengths }
    }

    /// Returns the numbers of the examples of a part.
    pub fn part(&self, part: LemmaPart, seed: u64) -> Vec<u32> {
        let parts: Vec<LemmaPart> = self.spellings.iter().map(|(_, meaning)| LemmaPart::of(meaning, seed)).collect();
        let own = |(number, example): (usize, &NameExample)| {
            (parts[example.spelling as usize] == part).then_some(number as u32)
        };
        self.all.iter().enumerate().filter_map(own).collect()
    }
}
