//! Names in transliterations, and their renderings in the translations of other passages.

use super::super::words::{Words, english_words};
use rapidfuzz::fuzz;
use std::collections::BTreeMap;
use std::ops::Range;

/// Largest number of pairs inspected for a name; out of more, an even sample is taken.
const MAX_PAIRS_INSPECTED: usize = 60;
/// Minimum share of the translations with the name that must contain the rendering.
const MIN_USUAL_SHARE: f32 = 0.6;
/// Minimum share of the translations that must contain a word for it to count as a rendering.
const MIN_RENDERING_SHARE: f32 = 0.15;
/// Minimum sum of a rendering's bond and similarity.
const MIN_CERTAINTY: f32 = 0.7;
/// Minimum lead of a rendering over any other word.
const MIN_LEAD: f32 = 0.2;
/// Minimum similarity of letters; anything below is chance, or a logogram.
const MIN_LIKENESS: f32 = 0.4;
/// Added to the number of pairs with a word, so that a word that occurs once proves little.
const RARITY_PRIOR: f32 = 2.0;
/// Words that editors write for a lost name.
const UNNAMED: [&str; 2] = ["NN", "PN"];

/// Kind of a name, shown by its determinative.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NameClass {
    Man,
    Woman,
    Deity,
    /// A city, land or river.
    Place,
    Month,
    Star,
}

impl NameClass {
    /// Returns the kind of a name; `None` for other words.
    pub fn of(word: &str) -> Option<Self> {
        let first = word.strip_prefix('{').and_then(|rest| rest.split_once('}'));
        match first {
            Some((_, "")) => None,
            Some(("m" | "1", _)) => Some(Self::Man),
            Some(("f" | "MI₂" | "MUNUS", _)) => Some(Self::Woman),
            Some(("d", _)) => Some(Self::Deity),
            Some(("URU" | "KUR" | "ID₂" | "I₇", _)) => Some(Self::Place),
            Some(("ITI" | "ITU", _)) => Some(Self::Month),
            Some(("MUL", _)) => Some(Self::Star),
            _ => (word.ends_with("{KI}") && !word.starts_with("{KI}")).then_some(Self::Place),
        }
    }
}

/// Returns `true` if every sign of a name can be read.
fn is_whole(spelling: &str) -> bool {
    !spelling.split(['-', '.', '}', '{']).any(|sign| sign == "x") && !spelling.contains("...")
}

/// Word of a translation that may render a name.
#[derive(Clone, Debug, PartialEq)]
struct Rendering {
    word: String,
    /// Share of the passages with the name whose translation has the word.
    share: f32,
    /// Sum of the word's bond to the name and the similarity of their letters.
    sure: f32,
}

/// Spellings of a word in translations.
#[derive(Debug, Default)]
struct Variants<'a> {
    all: usize,
    counts: BTreeMap<&'a str, usize>,
}

impl<'a> Variants<'a> {
    fn add(&mut self, variant: &'a str) {
        self.all += 1;
        *self.counts.entry(variant).or_default() += 1;
    }

    fn most_usual(&self) -> Option<&'a str> {
        self.counts.iter().max_by_key(|(_, count)| **count).map(|(variant, _)| *variant)
    }

    /// Returns the number of pairs that contain the word in any spelling.
    fn standing(&self, words: &Words) -> usize {
        self.counts.keys().filter_map(|word| words.number(word)).map(|number| words.count(number)).sum()
    }
}

/// Renderings of names in the translations of pairs.
pub(super) struct Names<'a> {
    /// Words of the pairs.
    pub words: &'a Words,
    /// Source of a pair.
    pub source: &'a dyn Fn(usize) -> &'a str,
    /// Translation of a pair.
    pub translation: &'a dyn Fn(usize) -> &'a str,
    /// Pairs that do not count as evidence.
    pub except: Range<usize>,
}

impl Names<'_> {
    /// Returns where a translation has the attested name, and the text to put there for the asked name. Returns `None`
    /// unless the name occurs exactly once and both renderings are certain.
    pub fn exchanged(&self, translation: &str, attested: &str, asked: &str) -> Option<(Range<usize>, String)> {
        let class = NameClass::of(asked)?;
        let own = if is_whole(asked) { self.rendering(asked)? } else { return None };
        let (place, word) = self.place(translation, attested)?;
        // Two spellings of one name: the editor's choice stays.
        if self
            .renderings(attested, &(0..0))
            .iter()
            .any(|other| is_variant(&other.word, &own) && other.share >= MIN_RENDERING_SHARE)
        {
            return None;
        }
        if is_variant(&own, &word) || english_words(translation).any(|(_, other)| is_variant(genitive(other), &own)) {
            return None;
        }
        if class != NameClass::Month {
            return Some((place, own));
        }
        let Some(number) = number_of_month(translation.get(place.end..)?) else { return Some((place, own)) };
        let other = self.number_of(asked, &own)?;
        Some((place.start..place.end + number.len(), own + &other))
    }

    /// Returns where a translation renders a name, and the word that renders it.
    fn place(&self, translation: &str, spelling: &str) -> Option<(Range<usize>, String)> {
        let there = |word: &str| {
            let found = english_words(translation).filter(|(_, other)| is_variant(genitive(other), word));
            found.map(|(place, other)| place.start..place.start + genitive(other).len()).collect::<Vec<_>>()
        };
        let word = if is_whole(spelling) {
            let mut known = self.renderings(spelling, &(0..0));
            known.retain(|rendering| !there(&rendering.word).is_empty());
            best(&known)?.word.clone()
        } else {
            UNNAMED.into_iter().find(|word| !there(word).is_empty())?.to_owned()
        };
        match there(&word).as_slice() {
            [place] => Some((place.clone(), word)),
            _ => None,
        }
    }

    /// Returns the rendering of a name, if it is certain.
    fn rendering(&self, spelling: &str) -> Option<String> {
        let known = self.renderings(spelling, &self.except);
        best(&known).filter(|best| best.share >= MIN_USUAL_SHARE).map(|best| best.word.clone())
    }

    /// Returns the capitalised words in the translations of passages with a name. Spellings of one word (`Sîn`, `Sin`)
    /// are counted together, and the most frequent one represents them.
    fn renderings(&self, spelling: &str, except: &Range<usize>) -> Vec<Rendering> {
        let pairs: Vec<usize> = self.words.pairs_with(spelling, except).collect();
        let step = pairs.len().div_ceil(MAX_PAIRS_INSPECTED).max(1);
        let letters = plain(spelling);
        let (mut found, mut all) = (BTreeMap::<String, Variants>::new(), 0.0_f32);
        for pair in pairs.iter().step_by(step) {
            let others = self.other_names(*pair, spelling);
            for (own, variant) in self.capitals(*pair) {
                // A word clearly more similar to another name of the same passage renders that name.
                let like = likeness(&letters, &own);
                if others.iter().all(|other| likeness(other, &own) < like.max(MIN_LIKENESS) + MIN_LEAD) {
                    found.entry(own).or_default().add(variant);
                }
            }
            all += 1.0;
        }
        let rendering = |(own, variants): (String, Variants)| {
            let share = variants.all as f32 / all;
            // Probability of the word given the name, times the reverse probability; the root makes it their geometric
            // mean.
            let bond = share * (variants.all * step) as f32 / (variants.standing(self.words) as f32 + RARITY_PRIOR);
            let like = Some(likeness(&letters, &own)).filter(|like| *like >= MIN_LIKENESS).unwrap_or_default();
            let sure = bond.min(1.0).sqrt() + like;
            // A word that occurs once and shares no letters with the name may render anything.
            (like > 0.0 || variants.all > 1).then_some(())?;
            Some(Rendering { word: variants.most_usual()?.to_owned(), share, sure })
        };
        found.into_iter().filter_map(rendering).collect()
    }

    /// Returns the distinct capitalised words in the translation of a pair, by their plain letters.
    fn capitals(&self, pair: usize) -> BTreeMap<String, &str> {
        let words = english_words((self.translation)(pair)).map(|(_, word)| genitive(word));
        words.filter(|word| is_name(word)).map(|word| (plain(word), word)).collect()
    }

    /// Returns the plain letters of the other names in the source of a pair.
    fn other_names(&self, pair: usize, spelling: &str) -> Vec<String> {
        let names = (self.source)(pair).split_whitespace().filter(|word| *word != spelling);
        names.filter(|word| NameClass::of(word).is_some()).map(plain).collect()
    }

    /// Returns the number behind the name of a month: ` (II)`.
    fn number_of(&self, spelling: &str, word: &str) -> Option<String> {
        let of = |pair: usize| {
            let text = (self.translation)(pair);
            let (place, _) = english_words(text).find(|(_, own)| is_variant(own, word))?;
            number_of_month(text.get(place.end..)?).map(str::to_owned)
        };
        self.words.pairs_with(spelling, &self.except).take(MAX_PAIRS_INSPECTED).find_map(of)
    }
}

/// Returns the most certain rendering, if it is certain enough and clearly more so than any other.
fn best(known: &[Rendering]) -> Option<&Rendering> {
    let best = known.iter().max_by(|one, other| one.sure.total_cmp(&other.sure))?;
    let others = known.iter().filter(|other| other.word != best.word).map(|other| other.sure);
    (best.sure >= MIN_CERTAINTY && best.sure >= others.fold(0.0, f32::max) + MIN_LEAD).then_some(best)
}

/// Returns the Roman number in brackets at the beginning of a text.
fn number_of_month(text: &str) -> Option<&str> {
    let inside = text.strip_prefix(" (")?.split_once(')')?.0;
    let is_roman = !inside.is_empty() && inside.chars().all(|sign| "IVX/2".contains(sign));
    is_roman.then(|| text.get(..inside.len() + 3)).flatten()
}

/// Returns `true` if two words are spellings of one name: `Sîn`, `Sin`.
fn is_variant(one: &str, other: &str) -> bool {
    one == other || is_name(one) && is_name(other) && plain(one) == plain(other)
}

/// Returns the word without the ending of a genitive.
fn genitive(word: &str) -> &str {
    word.strip_suffix("'s").or_else(|| word.strip_suffix("’s")).unwrap_or(word)
}

/// Returns `true` if the first letter with a case is a capital and some other letter is small: `II` is a number.
fn is_name(word: &str) -> bool {
    word.chars().find(|letter| letter.is_uppercase() || letter.is_lowercase()).is_some_and(char::is_uppercase)
        && word.chars().any(char::is_lowercase)
}

/// Returns the similarity of plain letters, from 0 to 1.
fn likeness(one: &str, other: &str) -> f32 {
    fuzz::ratio(one.chars(), other.chars()) as f32
}

/// Returns the letters of a name without determinatives, joiners, numbers and marks, so that spelling and rendering can
/// be compared.
fn plain(name: &str) -> String {
    let mut plain = String::new();
    let mut inside = false;
    for letter in name.chars().flat_map(char::to_lowercase) {
        let letter = match letter {
            '{' => {
                inside = true;
                continue;
            }
            '}' => {
                inside = false;
                continue;
            }
            _ if inside => continue,
            'š' | 'ṣ' | 'ś' => 's',
            'ṭ' => 't',
            'ḫ' => 'h',
            'ā' | 'â' | 'á' | 'à' => 'a',
            'ē' | 'ê' | 'é' | 'è' => 'e',
            'ī' | 'î' | 'í' | 'ì' => 'i',
            'ū' | 'û' | 'ú' | 'ù' => 'u',
            letter if letter.is_ascii_lowercase() => letter,
            _ => continue,
        };
        if !plain.ends_with(letter) {
            plain.push(letter);
        }
    }
    plain
}
