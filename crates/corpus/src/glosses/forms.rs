//! Keys by which a reading is compared: the reading itself, its letters, its sound, its sign; and endings that scribes
//! write as separate signs, behind a word that the lexicon may list without them.

use tuppum_text::is_logogram;
use tuppum_text::signs::{SignList, fold};

/// Separator of signs in a key. It occurs in no reading.
const APART: char = ' ';

/// Forms of a reading.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Forms {
    /// Canonical reading (`{GIŠ}`, `bi₄`, `LUGAL`).
    pub reading: String,
    /// Reading in small letters.
    pub folded: String,
    /// Letters without index; for logograms and determinatives the sign, since they are not written by sound.
    pub sound: String,
    /// Sign; for a syllable with its sound, voiced and voiceless consonants alike, and e as i.
    pub sign: String,
    /// `true` for a determinative.
    pub is_determinative: bool,
}

impl Forms {
    /// Computes the forms of a canonical reading.
    pub fn of(reading: &str) -> Self {
        let folded = fold(reading);
        let is_determinative = reading.starts_with('{');
        let by_sign = is_determinative || is_logogram(reading);
        let named = SignList::shared().sign_of(reading).map(|entry| entry.name.into_owned());
        let sign = named.filter(|name| !name.is_empty()).unwrap_or_else(|| folded.clone());
        let letters: String = folded.chars().filter(|letter| !is_index(*letter)).collect();
        Self {
            reading: reading.to_owned(),
            sound: if by_sign { format!("#{sign}#") } else { letters.clone() },
            sign: if by_sign { sign } else { format!("{sign}={}", letters.chars().map(coarse).collect::<String>()) },
            folded,
            is_determinative,
        }
    }
}

/// Returns `true` if a letter belongs to the index of a reading.
fn is_index(letter: char) -> bool {
    matches!(letter, '₀'..='₉' | 'ₓ')
}

/// Maps consonants that the script hardly distinguishes to one of them, and e to i.
fn coarse(letter: char) -> char {
    match letter {
        'd' | 'ṭ' => 't',
        'b' => 'p',
        'g' | 'q' => 'k',
        'z' | 'ṣ' | 'š' => 's',
        'e' => 'i',
        other => other,
    }
}

/// Function that appends a word's key to a text.
pub(super) type WriteKey = fn(&[&Forms], &mut String);

/// Writes the readings unchanged.
pub(super) fn spelt(signs: &[&Forms], key: &mut String) {
    join(signs.iter().map(|sign| sign.reading.as_str()), key);
}

/// Writes the readings in small letters.
pub(super) fn folded(signs: &[&Forms], key: &mut String) {
    join(signs.iter().map(|sign| sign.folded.as_str()), key);
}

/// Writes the sounds sign by sign.
pub(super) fn sounds(signs: &[&Forms], key: &mut String) {
    join(signs.iter().map(|sign| sign.sound.as_str()), key);
}

/// Writes the sounds sign by sign, without determinatives.
pub(super) fn bare_sounds(signs: &[&Forms], key: &mut String) {
    join(signs.iter().filter(|sign| !sign.is_determinative).map(|sign| sign.sound.as_str()), key);
}

/// Writes the signs.
pub(super) fn signs(signs: &[&Forms], key: &mut String) {
    join(signs.iter().map(|sign| sign.sign.as_str()), key);
}

/// Writes the determinatives in order, then the sound of the rest as one text, with doubled letters written once.
/// Writes nothing if there is no rest.
pub(super) fn single_letters(signs: &[&Forms], key: &mut String) {
    join(signs.iter().filter(|sign| sign.is_determinative).map(|sign| sign.sound.as_str()), key);
    key.push(APART);
    let mut before = APART;
    for letter in signs.iter().filter(|sign| !sign.is_determinative).flat_map(|sign| sign.sound.chars()) {
        // Two adjacent logograms put their marks side by side; these are not a doubled letter.
        if letter == '#' || letter != before {
            key.push(letter);
        }
        before = letter;
    }
    if before == APART {
        key.clear();
    }
}

/// Writes [`single_letters`] without the m of an ending in -um, -im, -am.
pub(super) fn without_final_m(signs: &[&Forms], key: &mut String) {
    single_letters(signs, key);
    if key.strip_suffix('m').is_some_and(|rest| rest.ends_with(['a', 'e', 'i', 'u'])) {
        key.pop();
    }
}

fn join<'a>(parts: impl Iterator<Item = &'a str>, key: &mut String) {
    for part in parts {
        if !key.is_empty() {
            key.push(APART);
        }
        key.push_str(part);
    }
}

/// Enclitics and pronouns of one sign.
const SINGLE: [&str; 21] = [
    "ma", "mi", "mi₃", "me", "šu", "šu₂", "ši", "ši₂", "ša", "ša₂", "ka", "ka₃", "ki", "ku", "ni", "ia", "ia₂", "i₃",
    "i", "su", "su₂",
];
/// Pronouns of two signs: possible first and second signs.
const DOUBLE: ([&str; 7], [&str; 4]) = (["šu", "šu₂", "ku", "ši", "ši₂", "su", "su₂"], ["nu", "ni", "ti", "tu"]);

/// Returns the word without such an ending, if it has one and a stem is left.
pub(super) fn without_ending<'w, 'f>(word: &'w [&'f Forms]) -> Option<&'w [&'f Forms]> {
    let (last, rest) = word.split_last()?;
    if let Some((before, first)) = rest.split_last()
        && !first.is_empty()
        && DOUBLE.0.contains(&before.reading.as_str())
        && DOUBLE.1.contains(&last.reading.as_str())
    {
        return Some(first);
    }
    (!rest.is_empty() && SINGLE.contains(&last.reading.as_str())).then_some(rest)
}
