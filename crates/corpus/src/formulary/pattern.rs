//! Patterns of clauses: words, each in one or several spellings, and slots.

use super::error::FormularyProblem;
use super::index::SpellingIndex;
use super::word::PassageWord;

/// What may stand in a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum SlotKind {
    /// A person, known by name or not, with the father's name.
    Person,
    /// One person or several, with "and" between them.
    Persons,
    /// The same where a word stands behind that ends the list: there need be no "and".
    Group,
    /// A person whose name is known, or an office.
    Name,
    /// A place.
    Place,
    /// A month.
    Month,
    /// Who gives the year its name.
    Eponym,
    /// A number.
    Number,
    /// Numbers of units of weight or measure.
    Amount,
    /// An amount for each of something.
    Rate,
    /// A thing without a number.
    Goods,
    /// An amount or a number of some goods.
    Sum,
    /// A number of days, tablets and the like, which are no goods.
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

/// A place in a pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// A word in one of these spellings.
    Word {
        /// The spellings.
        spellings: Vec<PassageWord>,
        /// Their numbers among all words of the formulary.
        numbers: Vec<u32>,
        /// Whether it may lack.
        is_optional: bool,
    },
    /// A slot.
    Slot {
        /// Its name (`person2`).
        name: String,
        /// Its kind.
        kind: SlotKind,
        /// What is put behind its last word, as `ma`.
        ending: Option<PassageWord>,
    },
}

/// A pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pattern {
    pub tokens: Vec<Token>,
}

/// The words of all patterns by their number.
#[derive(Clone, Debug, Default)]
pub(super) struct Literals {
    index: SpellingIndex,
    count: u32,
}

impl Literals {
    /// The number of a word, new or known.
    fn number(&mut self, word: &PassageWord) -> u32 {
        let words = std::slice::from_ref(word);
        if let Some(number) = self.index.sounding_like(words).first() {
            return *number;
        }
        self.index.add(words, self.count);
        self.count += 1;
        self.count - 1
    }

    /// The numbers of the words that one of a passage may be.
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

    /// The names of its slots in order.
    pub fn slots(&self) -> impl Iterator<Item = &str> {
        self.tokens.iter().filter_map(|token| match token {
            Token::Slot { name, .. } => Some(name.as_str()),
            Token::Word { .. } => None,
        })
    }
}

fn read_token(token: &str, literals: &mut Literals) -> Result<Token, FormularyProblem> {
    let wrong = || FormularyProblem::Token(token.to_owned());
    // A determinative is written in braces as well; a slot's name has digits behind it only.
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

/// Whether what stands in braces is the name of a slot: small plain letters, more than a determinative has, and digits.
fn is_slot(name: &str) -> bool {
    let letters = name.trim_end_matches(|letter: char| letter.is_ascii_digit());
    letters.len() > 2 && letters.bytes().all(|letter| letter.is_ascii_lowercase())
}

/// The kind of a slot by its name.
pub(super) fn slot_kind(name: &str) -> Result<SlotKind, FormularyProblem> {
    let letters = name.trim_end_matches(|letter: char| letter.is_ascii_digit());
    let found = SlotKind::ALL.iter().find(|(own, _)| *own == letters).map(|(_, kind)| *kind);
    found.ok_or_else(|| FormularyProblem::Slot(name.to_owned(), SlotKind::ALL.map(|(name, _)| name).join(", ")))
}

/// A word of a pattern; none where it is several, or no word.
fn one_word(text: &str) -> Option<PassageWord> {
    let is_balanced = text.matches('(').count() == text.matches(')').count()
        && text.matches('{').count() == text.matches('}').count();
    let mut words = PassageWord::all_of(text);
    let word = words.pop().filter(|word| word.is_legible() && is_balanced)?;
    words.is_empty().then_some(word)
}
