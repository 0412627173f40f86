//! Proper names: finds the words of the source that are names, the rendering of each, and names rendered in two ways.
//!
//! A word is taken for a name by its determinative (person, deity, place), or because a capitalised word within an
//! English sentence was written attending to it. Both are signs of a name, not proofs; nothing is changed without the
//! user.

use super::{Candidate, Translated, Wording};
use std::collections::BTreeMap;
use std::ops::Range;

/// Determinatives of names, in canonical form: deity, man, woman, place, city, land, river.
const DETERMINATIVES: [&str; 8] = ["{d}", "{m}", "{f}", "{MUNUS}", "{KI}", "{URU}", "{KUR}", "{I₇}"];
/// Words that are capitalised because they begin a sentence.
const NO_NAMES: &str = "A After All Also And Another Any Are As At Be Because Before But By Concerning Day Did Do Does \
                        During Each Every For From Give Good Great Has Have He Her Here His How I If In Is It Its Just \
                        King Land Let Like Lord May Month My No Not Now O Of On One Or Our Please Regarding Say Sealed \
                        See Send She Since So Speak Tell That The Their Then There These They This Those Thus To Total \
                        Until We What When Where Wherever Which While Who Why With Within Witness Year You Your";
/// Minimum share of a capitalised word's attention to a source word without a determinative.
const MIN_ATTENTION_SHARE: f32 = 0.5;

/// A name in a passage with its rendering.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mention {
    /// Name as the model read it, without the enclitic -ma.
    pub name: String,
    /// Index of its word in the source.
    pub source: usize,
    /// Place of its rendering in the English, in bytes, without punctuation and genitive.
    pub bytes: Range<usize>,
    /// Rendering of the name.
    pub rendering: String,
}

/// Places of a rendering: indices of passages, and places in their English, in bytes.
pub type Places = Vec<(usize, Range<usize>)>;

/// One name with its renderings, most frequent first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    /// Name as the model read it.
    pub name: String,
    /// Renderings with their places.
    pub renderings: Vec<(String, Places)>,
}

impl Name {
    /// Returns `true` if the name is rendered in more than one way.
    pub fn disagrees(&self) -> bool {
        self.renderings.len() > 1
    }
}

/// Returns the names of a passage as rendered in `text`, whose words are `words` of this candidate.
pub fn mentions(translated: &Translated, candidate: &Candidate, text: &str, words: &[Wording]) -> Vec<Mention> {
    let mut found: Vec<Mention> = Vec::new();
    let mut last_word = None;
    let mut begins = true;
    for (number, word) in words.iter().enumerate() {
        let written = &text[word.bytes.clone()];
        let first = std::mem::replace(&mut begins, ends_sentence(written));
        let attention = word.word.and_then(|word| candidate.words.get(word)).map(|word| word.attention.as_slice());
        let Some((source, share)) = attention.and_then(strongest) else { continue };
        let Some(read) = translated.words.get(source).map(|word| word.text.as_str()) else { continue };
        let core = core(written);
        let counts = has_determinative(read) || (!first && share >= MIN_ATTENTION_SHARE && is_legible(read));
        if !counts
            || !is_capitalised(&written[core.clone()])
            || NO_NAMES.split(' ').any(|word| word == &written[core.clone()])
        {
            continue;
        }
        let bytes = word.bytes.start + core.start..word.bytes.start + core.end;
        let goes_on = !first && last_word.is_some_and(|last| last + 1 == number);
        match found.last_mut().filter(|mention| goes_on && mention.source == source) {
            Some(mention) => mention.bytes.end = bytes.end,
            None => {
                found.push(Mention { name: name_of(read), source, bytes, rendering: String::new() });
            }
        }
        last_word = Some(number);
    }
    for mention in &mut found {
        text[mention.bytes.clone()].clone_into(&mut mention.rendering);
    }
    found
}

/// Gathers the names of all passages, in alphabetical order.
pub fn gather(mentions: impl IntoIterator<Item = (usize, Mention)>) -> Vec<Name> {
    let mut names: BTreeMap<String, BTreeMap<String, Places>> = BTreeMap::new();
    for (passage, Mention { name, bytes, rendering, .. }) in mentions {
        names.entry(name).or_default().entry(rendering).or_default().push((passage, bytes));
    }
    let name = |(name, renderings): (String, BTreeMap<String, Places>)| {
        let mut renderings: Vec<_> = renderings.into_iter().collect();
        renderings.sort_by_key(|(_, places)| std::cmp::Reverse(places.len()));
        Name { name, renderings }
    };
    names.into_iter().map(name).collect()
}

/// Returns the text with `rendering` at these places, which must not overlap.
pub fn replaced(text: &str, places: &[Range<usize>], rendering: &str) -> String {
    let mut places = places.to_vec();
    // From the end, so that earlier places stay valid.
    places.sort_by_key(|place| std::cmp::Reverse(place.start));
    let mut text = text.to_owned();
    for place in places {
        text.replace_range(place, rendering);
    }
    text
}

fn has_determinative(read: &str) -> bool {
    DETERMINATIVES.iter().any(|determinative| read.contains(determinative))
}

fn is_legible(read: &str) -> bool {
    read.split('-').any(|sign| sign != "x" && sign != "...")
}

/// Returns the name without the enclitic that ends a clause.
fn name_of(read: &str) -> String {
    read.strip_suffix("-ma").filter(|name| name.contains('-')).unwrap_or(read).to_owned()
}

fn strongest(attention: &[f32]) -> Option<(usize, f32)> {
    attention.iter().copied().enumerate().max_by(|a, b| a.1.total_cmp(&b.1)).filter(|(_, share)| *share > 0.0)
}

fn ends_sentence(word: &str) -> bool {
    word.trim_end_matches(['"', '”', '’', '\'', ')', ']']).ends_with(['.', '!', '?', ':'])
}

/// Returns the place of the word without surrounding punctuation and without a genitive.
fn core(word: &str) -> Range<usize> {
    let is_part = |letter: char| letter.is_alphanumeric();
    let start = word.find(is_part).unwrap_or(0);
    let end = word.rfind(is_part).map_or(0, |last| last + word[last..].chars().next().map_or(0, char::len_utf8));
    let whole = word.get(start..end.max(start)).unwrap_or_default();
    let shorter = whole.strip_suffix("'s").or_else(|| whole.strip_suffix("’s")).unwrap_or(whole);
    start..start + shorter.len()
}

/// Returns `true` if the first letter that has a case is a capital (ʾ and ʿ have none).
fn is_capitalised(word: &str) -> bool {
    word.chars().find(|letter| letter.is_uppercase() || letter.is_lowercase()).is_some_and(char::is_uppercase)
}

#[cfg(test)]
mod tests {
    use super::super::answer::words_of;
    use super::super::wording::wording;
    use super::super::{ShownWord, TargetWord};
    use super::*;
    use proptest::prelude::*;

    /// Returns a passage of these words, and a translation whose words each attended to the source word with this
    /// index.
    fn passage(source: &[&str], english: &[(&str, usize)]) -> (Translated, Candidate) {
        let word = |text: &&str| ShownWord { text: text.to_string(), signs: 0..1, filled: false, restored: Vec::new() };
        let translated = Translated { words: source.iter().map(word).collect(), ..Translated::default() };
        let text = english.iter().map(|(word, _)| *word).collect::<Vec<_>>().join(" ");
        let target = |(bytes, (_, at)): (Range<usize>, &(&str, usize))| {
            let attention = (0..source.len()).map(|place| if place == *at { 0.6 } else { 0.1 }).collect();
            TargetWord { bytes, probability: 0.9, right: None, attention }
        };
        let words = words_of(&text).zip(english).map(target).collect();
        let candidate = Candidate { text: text.clone(), probability: 0.1, ended: true, words, ..Candidate::default() };
        (translated, candidate)
    }

    fn found(source: &[&str], english: &[(&str, usize)]) -> Vec<(String, String)> {
        let (translated, candidate) = passage(source, english);
        let words = wording(&candidate, None);
        let all = mentions(&translated, &candidate, &candidate.text, &words);
        all.into_iter().map(|mention| (mention.name, mention.rendering)).collect()
    }

    fn check(source: &[&str], english: &[(&str, usize)], expected: &[(&str, &str)]) {
        let expected: Vec<_> = expected.iter().map(|(a, b)| (a.to_string(), b.to_string())).collect();
        assert_eq!(found(source, english), expected, "{english:?}");
    }

    #[test]
    fn names_are_known_by_determinatives_and_capitals() {
        check(&["{m}a-šur-i-di₂-ma"], &[("Aššur-idi:", 0)], &[("{m}a-šur-i-di₂", "Aššur-idi")]);
        check(&["um-ma", "{d}UTU"], &[("Thus", 0), ("Šamaš’s", 1)], &[("{d}UTU", "Šamaš")]);
        check(&["a-na", "pu-šu-ke-en₆"], &[("To", 0), ("Pušu-ken,", 1)], &[("pu-šu-ke-en₆", "Pušu-ken")]);
        check(&["{m}{d}AG-PAP"], &[("ʾNabu", 0), ("Nasir", 0)], &[("{m}{d}AG-PAP", "ʾNabu Nasir")]);
        check(&["be-li₂"], &[("Lord,", 0)], &[]);
        check(&["a-na-ku"], &[("so", 0), ("I", 0)], &[]);
        check(&["x-x", "..."], &[("and", 0), ("Assur", 0), ("Assur", 1)], &[]);
        check(&["{d}UTU"], &[("the", 0), ("sun", 0)], &[]);
        check(&["{m}{d}AG-MU"], &[("To", 0), ("the", 0), ("king", 0)], &[]);
        check(&["{d}AMAR.UTU"], &[("May", 0), ("Marduk", 0), ("bless", 0)], &[("{d}AMAR.UTU", "Marduk")]);
        check(&["{m}{d}AG-MU"], &[("Nabu-iddin.", 0), ("Good", 0)], &[("{m}{d}AG-MU", "Nabu-iddin")]);
        let two = [("{d}UTU", "Shamash"), ("{d}UTU", "Utu")];
        check(&["{d}UTU"], &[("by", 0), ("Shamash.", 0), ("Utu", 0)], &two);
    }

    #[test]
    fn a_name_rendered_in_two_ways_is_found_and_made_to_agree() {
        let one = passage(&["{d}a-šur"], &[("by", 0), ("Aššur", 0)]);
        let other = passage(&["{d}a-šur"], &[("Ashur’s", 0), ("and", 0), ("Ashur", 0)]);
        let mut all = Vec::new();
        for (number, (translated, candidate)) in [&one, &other].into_iter().enumerate() {
            let words = wording(candidate, None);
            all.extend(mentions(translated, candidate, &candidate.text, &words).into_iter().map(|m| (number, m)));
        }
        let names = gather(all);
        assert_eq!(names.len(), 1);
        assert!(names[0].disagrees());
        let counts: Vec<_> = names[0].renderings.iter().map(|(text, places)| (text.as_str(), places.len())).collect();
        assert_eq!(counts, [("Ashur", 2), ("Aššur", 1)]);
        let places: Vec<_> = names[0].renderings[0].1.iter().map(|(_, bytes)| bytes.clone()).collect();
        let agreed = replaced(&other.1.text, &places, "Aššur");
        assert_eq!(agreed, "Aššur’s and Aššur");
        // The user's word replaces the machine's word, so the name is still known, and agrees.
        let words = wording(&other.1, Some(&agreed));
        let now = mentions(&other.0, &other.1, &agreed, &words);
        assert!(now.len() == 2 && now.iter().all(|mention| mention.rendering == "Aššur"), "{now:?}");
    }

    proptest! {
        #[test]
        fn any_words_have_sound_places(english in proptest::collection::vec("[A-Ča-č'’ʾ.s:]{1,6}", 0..8)) {
            let pairs: Vec<(&str, usize)> = english.iter().map(|word| (word.as_str(), 0)).collect();
            let (translated, candidate) = passage(&["{d}UTU"], &pairs);
            for mention in mentions(&translated, &candidate, &candidate.text, &wording(&candidate, None)) {
                prop_assert_eq!(&candidate.text[mention.bytes], mention.rendering.as_str());
            }
        }
    }
}
