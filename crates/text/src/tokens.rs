//! Tokens of the restorer: one per sign, with a leading `-` inside a word.

use std::collections::HashMap;
use thiserror::Error;

/// Number of a token in the vocabulary.
pub type TokenId = u32;

/// `<pad>`.
pub const PAD: TokenId = 0;
/// `<unk>`: a reading that the vocabulary does not have.
pub const UNKNOWN: TokenId = 1;
/// `<mask>`: a sign to restore that begins a word.
pub const MASK: TokenId = 2;
/// `-<mask>`: a sign to restore inside a word.
pub const INNER_MASK: TokenId = 3;
/// `<gap>`: a break of unknown length.
pub const GAP: TokenId = 4;
/// `<x>`: an illegible sign that begins a word and is not to be restored.
pub const ILLEGIBLE: TokenId = 5;
/// `-<x>`: an illegible sign inside a word that is not to be restored.
pub const INNER_ILLEGIBLE: TokenId = 6;
/// `<br>`: the end of a line.
pub const LINE_END: TokenId = 7;
/// `<bos>`: the beginning of a text.
pub const BEGIN: TokenId = 8;
/// `<eos>`, reserved.
pub const END: TokenId = 9;
/// Special tokens that open every vocabulary, in the order of the constants above.
pub const SPECIALS: [&str; 10] =
    ["<pad>", "<unk>", "<mask>", "-<mask>", "<gap>", "<x>", "-<x>", "<br>", "<bos>", "<eos>"];

/// Reason why tokens are not a vocabulary.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum VocabularyError {
    /// A special token is not at its place.
    #[error("the vocabulary must have {special} at place {place}, found {found:?}")]
    Special {
        /// Token expected there.
        special: &'static str,
        /// Place of the token, from 0.
        place: usize,
        /// Token at the place.
        found: Option<String>,
    },
    /// A token occurs more than once.
    #[error("the vocabulary names {tokens} tokens, but only {different} differ")]
    Doubles {
        /// Number of all tokens.
        tokens: usize,
        /// Number of distinct tokens.
        different: usize,
    },
}

/// Tokens of a torso, in the order of its embedding rows.
#[derive(Clone, Debug)]
pub struct Vocabulary {
    tokens: Vec<String>,
    ids: HashMap<String, TokenId>,
}

impl Vocabulary {
    /// Creates the vocabulary with these tokens, which open with [`SPECIALS`] and are all different.
    ///
    /// # Errors
    /// [`VocabularyError`] names the first token out of place.
    pub fn new(tokens: Vec<String>) -> Result<Self, VocabularyError> {
        for (place, special) in SPECIALS.iter().enumerate() {
            if tokens.get(place).map(String::as_str) != Some(special) {
                return Err(VocabularyError::Special { special, place, found: tokens.get(place).cloned() });
            }
        }
        let ids: HashMap<String, TokenId> = tokens.iter().cloned().zip(0..).collect();
        if ids.len() != tokens.len() {
            return Err(VocabularyError::Doubles { tokens: tokens.len(), different: ids.len() });
        }
        Ok(Self { tokens, ids })
    }

    /// Returns the number of tokens, including the specials.
    pub fn len(&self) -> usize {
        self.tokens.len()
    }

    /// Returns `false`: the specials are always there.
    pub fn is_empty(&self) -> bool {
        self.tokens.is_empty()
    }

    /// Returns the token's text (`-na`, `{d}`, `<mask>`), or `<unk>` for a number outside the vocabulary.
    pub fn text(&self, id: TokenId) -> &str {
        self.tokens.get(id as usize).map_or(SPECIALS[UNKNOWN as usize], String::as_str)
    }

    /// Returns the number of a canonical reading at the start of a word or inside one; [`UNKNOWN`] if there is none. A
    /// reading with a modifier that has no token of its own, `TA@v`, counts as the one without.
    pub fn id(&self, reading: &str, starts_word: bool) -> TokenId {
        let found = |reading: &str| {
            if starts_word { self.ids.get(reading) } else { self.ids.get(&format!("-{reading}")) }.copied()
        };
        let plain = || without_modifier(reading).and_then(|plain| found(&plain));
        found(reading).or_else(plain).unwrap_or(UNKNOWN)
    }

    /// Returns the canonical reading of a token without its leading `-`, and `true` if it begins a word; `None` for
    /// specials.
    pub fn reading(&self, id: TokenId) -> Option<(&str, bool)> {
        if (id as usize) < SPECIALS.len() {
            return None;
        }
        let text = self.tokens.get(id as usize)?;
        Some(match text.strip_prefix('-') {
            Some(reading) if !reading.is_empty() => (reading, false),
            _ => (text, true),
        })
    }
}

/// Returns a reading without its modifier: `TA` of `TA@v`, `{KAM}` of `{KAM@v}`. `None` if it has none, and for
/// compound signs, which would be other signs without it.
pub fn without_modifier(reading: &str) -> Option<String> {
    let (plain, _) = reading.split_once('@').filter(|_| !reading.contains(['|', '(']))?;
    Some(if reading.ends_with('}') { format!("{plain}}}") } else { plain.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modifiers_are_left_out_where_no_token_has_them() {
        let own = ["TA", "-{KAM}", "KA@g"];
        let tokens = SPECIALS.iter().chain(&own).map(|token| (*token).to_owned()).collect();
        let vocabulary = Vocabulary::new(tokens).unwrap();
        let first = SPECIALS.len() as TokenId;
        let found = [("TA@v", true), ("{KAM@v}", false), ("KA@g", true), ("KA@v", true), ("|TA@v.A|", true)];
        let found = found.map(|(reading, starts_word)| vocabulary.id(reading, starts_word));
        assert_eq!(found, [first, first + 1, first + 2, UNKNOWN, UNKNOWN]);
    }
}
