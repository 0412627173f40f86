//! Patterns of clauses: words, each in one or more spellings, and slots.

use super::error::FormularyProblem;
use super::word::{PassageWord, SpellingIndex};

/// Kind of a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum SlotKind {
    /// A person, known by name or not, with an optional father's name.
    Person,
    /// One or more persons joined by "and".
    Persons,
    /// Persons in front of a word that ends the list, so that there need be no "and".
    Group,
    /// A person with a known name, or an office.
    Name,
    Place,
    Month,
    /// The person who gives the year its name.
    Eponym,
    Number,
    /// Numbers of units of weight or measure.
    Amount,
    /// An amount paid for each of something.
    Rate,
    /// Goods without a number.
    Goods,
    /// An amount or a number of goods.
    Sum,
    /// A number of days, tablets and the like, which are not goods.
    Count,
}

impl SlotKind {
    const ALL: [(&str, Self); 13] = [
        ("person", Self::Person),
        ("persons", Self::Persons),
        ("group", Self::Group),
        ("name", Self::Name),
        ("place", Self::Place),
        ("month", Self::Month),
        ("eponym", Self::Eponym),
        ("number", Self::Number),
        ("amount", Self::Amount),
        ("rate", Self::Rate),
        ("goods", Self::Goods),
        ("sum", Self::Sum),
        ("count", Self::Count),
    ];
}

/// Element of a pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// A word, in one of several spellings.
    Word {
        spellings: Vec<PassageWord>,
        /// Numbers of the spellings among all words of the formulary.
        numbers: Vec<u32>,
        /// `true` if the word may be missing.
        is_optional: bool,
    },
    Slot {
        /// Name of the slot (`person2`).
        name: String,
        kind: SlotKind,
        /// Ending of the slot's last word, such as `ma`.
        ending: Option<PassageWord>,
    },
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pattern {
    pub tokens: Vec<Token>,
}

/// Numbered words of all patterns.
#[derive(Clone, Debug, Default)]
pub(super) struct Literals {
    index: SpellingIndex,
    count: u32,
}

impl Literals {
    /// Returns the number of a word, adding the word if it is new.
    fn number(&mut self, word: &PassageWord) -> u32 {
        let words = std::slice::from_ref(word);
        if let Some(number) = self.index.sounding_like(words).first() {
            return *number;
        }
        self.index.add(words, self.count);
        self.count += 1;
        self.count - 1
    }

    /// Returns the numbers of the pattern words that a word of a passage may be.
    pub fn of(&self, word: &PassageWord) -> Vec<u32> {
        self.index.numbers(std::slice::from_ref(word)).to_vec()
    }
}

impl Pattern {
    /// Reads a pattern.
    pub fn read(text: &str, literals: &mut Literals) -> Result<Self, FormularyProblem> {
        let tokens: Vec<Token> =
            text.split_whitespace().map(|token| read_token(token, literals)).collect::<Result<_, _>>()?;
        let pattern = Self { tokens };
        let slots: Vec<&str> = pattern.slots().collect();
        if let Some((_, slot)) = slots.iter().enumerate().find(|(place, slot)| slots[..*place].contains(slot)) {
            return Err(FormularyProblem::SameSlot((*slot).to_owned()));
        }
        if pattern.tokens.iter().all(|token| matches!(token, Token::Word { is_optional: true, .. })) {
            return Err(FormularyProblem::Empty("the pattern"));
        }
        Ok(pattern)
    }

    /// Names of the slots in order.
    pub fn slots(&self) -> impl Iterator<Item = &str> {
        self.tokens.iter().filter_map(|token| match token {
            Token::Slot { name, .. } => Some(name.as_str()),
            Token::Word { .. } => None,
        })
    }
}

fn read_token(token: &str, literals: &mut Literals) -> Result<Token, FormularyProblem> {
    let wrong = || FormularyProblem::Token(token.to_owned());
    // Determinatives are written in braces too; see [`is_slot`].
    let slot = token.strip_prefix('{').and_then(|rest| rest.split_once('}'));
    if let Some((name, ending)) = slot.filter(|(name, _)| is_slot(name)) {
        let ending = match ending.strip_prefix('-') {
            Some(ending) => Some(one_word(ending).ok_or_else(wrong)?),
            None if ending.is_empty() => None,
            None => return Err(wrong()),
        };
        return Ok(Token::Slot { name: name.to_owned(), kind: slot_kind(name)?, ending });
    }
    let inner = token.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
    let spellings = inner.unwrap_or(token).split('|').map(|word| one_word(word).ok_or_else(wrong));
    let spellings: Vec<PassageWord> = spellings.collect::<Result<_, _>>()?;
    let numbers = spellings.iter().map(|word| literals.number(word)).collect();
    Ok(Token::Word { spellings, numbers, is_optional: inner.is_some() })
}

/// Returns `true` if the text in braces is a slot's name: more small plain letters than a determinative has, then
/// digits.
fn is_slot(name: &str) -> bool {
    let letters = name.trim_end_matches(|letter: char| letter.is_ascii_digit());
    letters.len() > 2 && letters.bytes().all(|letter| letter.is_ascii_lowercase())
}

/// Returns the kind of a slot by its name.
pub(super) fn slot_kind(name: &str) -> Result<SlotKind, FormularyProblem> {
    let letters = name.trim_end_matches(|letter: char| letter.is_ascii_digit());
    let found = SlotKind::ALL.iter().find(|(own, _)| *own == letters).map(|(_, kind)| *kind);
    found.ok_or_else(|| FormularyProblem::Slot(name.to_owned(), SlotKind::ALL.map(|(name, _)| name).join(", ")))
}

/// Reads a single word of a pattern; `None` if the text is several words, or not a word.
fn one_word(text: &str) -> Option<PassageWord> {
    let is_balanced = text.matches('(').count() == text.matches(')').count()
        && text.matches('{').count() == text.matches('}').count();
    let mut words = PassageWord::all_of(text);
    let word = words.pop().filter(|word| word.is_legible() && is_balanced)?;
    words.is_empty().then_some(word)
}
