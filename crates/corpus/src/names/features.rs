//! Features of a word and of the words around it, as texts.

use std::fmt::Write;
use tuppum_text::is_logogram;

/// Stand-in for a gap, which corpora write as three full stops.
const GAP: &str = "…";
/// Number of words before and behind that count.
const REACH_WORDS: isize = 2;
/// Largest number of readings considered; no word is so long.
const MAX_READINGS: usize = 24;
/// Number of readings from which on words count as equally long.
const LONG_WORD_READINGS: usize = 6;

/// Readings of a word, with determinatives apart.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NameWord {
    /// Readings in order, without determinatives.
    bare: Vec<String>,
    /// All readings joined by hyphens, without determinatives.
    joined: String,
    /// Determinatives before the first reading, with braces.
    front: Vec<String>,
    /// Determinatives between readings.
    inside: Vec<String>,
    /// Determinatives behind the last reading.
    behind: Vec<String>,
}

impl NameWord {
    /// Reads a word in canonical transliteration (`{m}{d}30-PAP.MEŠ-SU`). Skips brackets and marks of damage.
    pub fn read(word: &str) -> Self {
        let (mut readings, mut open) = (Vec::new(), String::new());
        // Bars and parentheses enclose one sign, however it is joined.
        let mut within = 0_u32;
        for letter in word.replace("...", GAP).chars() {
            match letter {
                '[' | ']' | '⸢' | '⸣' | '?' | '!' | '#' | '*' | '<' | '>' => continue,
                '(' => within += 2,
                ')' => within = within.saturating_sub(2),
                '|' => within ^= 1,
                '{' => end(&mut open, &mut readings),
                '-' | '.' | ':' | '+' if within == 0 => {
                    end(&mut open, &mut readings);
                    continue;
                }
                _ => {}
            }
            open.push(letter);
            if letter == '}' {
                end(&mut open, &mut readings);
            }
        }
        end(&mut open, &mut readings);
        Self::of_readings(readings.iter().map(String::as_str))
    }

    /// Creates a word from readings, with determinatives in braces.
    pub fn of_readings<'a>(readings: impl IntoIterator<Item = &'a str>) -> Self {
        let mut word = Self::default();
        for reading in readings.into_iter().take(MAX_READINGS) {
            match (reading.starts_with('{'), word.bare.is_empty()) {
                (true, true) => word.front.push(reading.to_owned()),
                (true, false) => word.behind.push(reading.to_owned()),
                (false, _) => {
                    word.inside.append(&mut word.behind);
                    word.bare.push(if reading == "..." { GAP } else { reading }.to_owned());
                }
            }
        }
        word.joined = word.bare.join("-");
        word
    }

    /// Readings in order, without determinatives.
    pub fn bare(&self) -> &[String] {
        &self.bare
    }

    /// Returns the word without determinatives.
    pub fn without_determinatives(&self) -> Self {
        Self { bare: self.bare.clone(), joined: self.joined.clone(), ..Self::default() }
    }
}

/// Ends a reading.
fn end(open: &mut String, readings: &mut Vec<String>) {
    if !open.is_empty() {
        readings.push(std::mem::take(open));
    }
}

/// Source of a feature.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FeaturePart {
    /// The word itself, without determinatives.
    Word,
    /// The word's determinatives.
    Determinatives,
    /// The words around it, without their determinatives.
    Company,
    /// The determinatives of the words around it.
    CompanyDeterminatives,
}

/// Calls `on` with each feature of the word `at` of a line: first those of the word, then those of each word around it.
/// The text that `on` gets lasts for the call only.
pub fn each_feature(words: &[NameWord], at: usize, on: &mut dyn FnMut(FeaturePart, &str)) {
    let Some(word) = words.get(at) else { return };
    let mut text = String::new();
    let mut say = |part: FeaturePart, mark: &str, what: &[&str]| {
        text.clear();
        text.push_str(mark);
        what.iter().for_each(|one| text.push_str(one));
        on(part, &text);
    };
    own_readings(word, &mut say);
    own_determinatives(word, &mut say);
    for by in -REACH_WORDS..=REACH_WORDS {
        if by == 0 {
            continue;
        }
        let neighbour = at.checked_add_signed(by).and_then(|place| words.get(place));
        neighbour_features(neighbour, by, &mut say);
    }
}

type Say<'s> = dyn FnMut(FeaturePart, &str, &[&str]) + 's;

fn own_readings(word: &NameWord, say: &mut Say) {
    let part = FeaturePart::Word;
    for reading in &word.bare {
        say(part, "", &[reading]);
    }
    let mut before = "^";
    for reading in word.bare.iter().map(String::as_str).chain(["$"]) {
        say(part, "", &[before, " ", reading]);
        before = reading;
    }
    let length = (b'0' + word.bare.len().min(LONG_WORD_READINGS) as u8) as char;
    say(part, "n", &[length.encode_utf8(&mut [0; 4])]);
    say(part, "s", &[&shape(&word.bare)]);
    letters(word, say);
}

/// Reports each three letters of the sound, without indices; logograms keep their capitals.
fn letters(word: &NameWord, say: &mut Say) {
    let (mut three, mut text) = (['^'; 3], String::new());
    let sound = word.bare.iter().flat_map(|reading| reading.chars()).filter(|letter| letter.is_alphabetic());
    // A vowel written twice across two signs is one.
    let mut last = '^';
    for letter in sound.chain(['$']) {
        if letter == last && "aeiu".contains(letter) {
            continue;
        }
        last = letter;
        three = [three[1], three[2], letter];
        text.clear();
        text.extend(three);
        say(FeaturePart::Word, "t", &[&text]);
    }
}

/// Returns the shape of a spelling: `L` logograms, `s` syllables, `n` numbers, `x` illegible signs; repeated letters
/// once.
fn shape(bare: &[String]) -> String {
    let mut shape = String::new();
    for reading in bare {
        let sort = match reading.chars().next() {
            Some(first) if first.is_ascii_digit() => 'n',
            _ if reading == "x" || reading == GAP => 'x',
            _ if is_logogram(reading) => 'L',
            _ => 's',
        };
        if !shape.ends_with(sort) {
            shape.push(sort);
        }
    }
    shape
}

fn own_determinatives(word: &NameWord, say: &mut Say) {
    let part = FeaturePart::Determinatives;
    let lists = [("<", &word.front), ("~", &word.inside), (">", &word.behind)];
    for (mark, list) in lists {
        for one in list {
            say(part, mark, &[one]);
        }
    }
    if let [first, second, ..] = word.front.as_slice() {
        say(part, "<", &[first, second]);
    }
    if let ([first, ..], [last, ..]) = (word.front.as_slice(), word.behind.as_slice()) {
        say(part, "<", &[first, ">", last]);
    }
}

fn neighbour_features(neighbour: Option<&NameWord>, by: isize, say: &mut Say) {
    let mut mark = String::new();
    // Writing into a string never fails.
    let _ = write!(mark, "{by:+}");
    let Some(word) = neighbour else {
        // Only next to the word: two words before a line's first word there is nothing either.
        if by.abs() == 1 {
            say(FeaturePart::Company, &mark, &["|"]);
        }
        return;
    };
    if let ([first, ..], [.., last]) = (word.bare.as_slice(), word.bare.as_slice()) {
        say(FeaturePart::Company, &mark, &["=", &word.joined]);
        if word.bare.len() > 1 {
            say(FeaturePart::Company, &mark, &["^", first]);
            say(FeaturePart::Company, &mark, &["$", last]);
        }
    }
    for (side, list) in [("<", word.front.first()), (">", word.behind.last())] {
        if let Some(determinative) = list {
            say(FeaturePart::CompanyDeterminatives, &mark, &[side, determinative]);
        }
    }
}
