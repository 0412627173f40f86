//! Reader of one sign: from the letters as typed to the canonical reading, or the reason why there is none.

use super::rules::{Rule, Rules};
use crate::letters;

/// Context of a sign.
#[derive(Clone, Copy, Debug, Default)]
pub struct Surroundings {
    /// `true` between underscores: the sign is a logogram in either case.
    pub logogram: bool,
    /// `true` in braces or raised.
    pub determinative: bool,
    /// `true` if the text writes names with a capital, so that a single capital before a syllable is not a logogram.
    pub capital_of_name: bool,
}

/// Canonical reading with the changes that led to it.
#[derive(Debug, PartialEq, Eq)]
pub struct Normal {
    /// Canonical reading; a determinative without its braces.
    pub reading: String,
    /// Rules that changed the sign.
    pub rules: Rules,
}

/// Reason why letters are not a reading.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// Character that no convention uses.
    Foreign(char),
    /// Long vowel, which belongs to normalised Akkadian and not to transliteration.
    Normalised,
    /// Capitals and small letters in one sign.
    MixedCase,
    /// Syllable without a vowel.
    NoVowel,
    /// Number of letters beyond that of any reading.
    TooLong,
    /// Two indices, as in `bí₂`, or an index without letters.
    Index,
    /// Bracket or bar that does not close, or an empty pair.
    Structure,
}

/// Maximum number of letters of a reading; the longest of the sign list (`ŠAGGAMUNU`, `immindara`) stay below.
const LONGEST: usize = 14;

/// Maximum number of bytes of a sign, including bars and qualifier.
const MOST_BYTES: usize = 160;

/// Normalises the letters of one sign.
pub fn normalise(raw: &str, around: Surroundings) -> Result<Normal, Reason> {
    if around.determinative && matches!(raw, "f" | "F") {
        let mut rules = Rules::default();
        let reading = determinative(raw.to_owned(), &mut rules);
        return Ok(Normal { reading, rules });
    }
    if raw.len() > MOST_BYTES {
        return Err(Reason::TooLong);
    }
    let mut spelled = Spelling { rules: Rules::default(), out: String::with_capacity(raw.len() + 4), accent: None };
    spelled.spell(raw)?;
    let Spelling { mut rules, out, accent } = spelled;
    let reading = match out.chars().next() {
        None => return Err(Reason::Structure),
        Some('|') => compound(&out)?,
        Some(first) if first.is_ascii_digit() || out.starts_with("n(") || out == "n" => number(&out)?,
        Some(_) => {
            let case = cased(&out, around, &mut rules)?;
            value(&case, accent)?
        }
    };
    let reading = if around.determinative { determinative(reading, &mut rules) } else { reading };
    Ok(Normal { reading, rules })
}

struct Spelling {
    rules: Rules,
    out: String,
    /// Subscript that an accent stands for.
    accent: Option<char>,
}

impl Spelling {
    /// Replaces letters, accents and indices by their canonical characters.
    fn spell(&mut self, raw: &str) -> Result<(), Reason> {
        let in_compound = raw.starts_with('|');
        let mut rest = raw.chars().peekable();
        while let Some(letter) = rest.next() {
            let next = rest.peek().copied();
            let last = self.out.chars().next_back();
            let after_letter = last.is_some_and(|last| last.is_alphabetic() || last == 'ʾ' || letters::is_index(last));
            let cluster = match (letter, next) {
                ('s' | 'c', Some('z')) => Some('š'),
                ('S' | 'C', Some('Z' | 'z')) => Some('Š'),
                ('s', Some(',')) => Some('ṣ'),
                ('S', Some(',')) => Some('Ṣ'),
                ('t', Some(',')) => Some('ṭ'),
                ('T', Some(',')) => Some('Ṭ'),
                ('h', Some(',')) => Some('h'),
                ('H', Some(',')) => Some('H'),
                _ => None,
            };
            if let Some(letter) = cluster {
                rest.next();
                self.rules.add(Rule::AsciiLetters);
                self.out.push(letter);
                continue;
            }
            match letter {
                '0'..='9' if after_letter => self.index(letters::subscript(letter), Rule::Digit),
                'x' | 'ₓ' if after_letter => self.x(letter, last, next, in_compound),
                _ if letters::digit_of_raised(letter).is_some() && after_letter => {
                    let digit = letters::digit_of_raised(letter).and_then(letters::subscript);
                    self.index(digit, Rule::Raised);
                }
                _ if letters::without_accent(letter).is_some() => self.accented(letter)?,
                _ if letters::is_index(letter) && !after_letter => return Err(Reason::Index),
                _ => self.plain(letter)?,
            }
        }
        Ok(())
    }

    fn index(&mut self, subscript: Option<char>, rule: Rule) {
        self.out.extend(subscript);
        self.rules.add(rule);
    }

    /// Reads `x` after a letter: an operator in `KAxU`, else the index of a value without a number.
    fn x(&mut self, letter: char, last: Option<char>, next: Option<char>, in_compound: bool) {
        let capitals = last.is_some_and(char::is_uppercase) || last.is_some_and(letters::is_index);
        let operator = letter == 'x' && (in_compound || (capitals && next.is_some_and(char::is_uppercase)));
        // The corpora keep a plain x inside number signs: 1(|GEŠʾUxKASKAL|)
        let in_number = self.out.starts_with(|first: char| first.is_ascii_digit());
        match letter {
            'x' if in_number && self.out.contains('|') => self.out.push('x'),
            'x' if operator => {
                self.out.push('×');
                self.rules.add(Rule::Operator);
            }
            'x' => self.index(Some('ₓ'), Rule::Digit),
            other => self.out.push(other),
        }
    }

    fn accented(&mut self, letter: char) -> Result<(), Reason> {
        let Some((plain, index)) = letters::without_accent(letter) else { return Ok(()) };
        if self.accent.is_some() || self.out.contains(['(', '|']) {
            return Err(Reason::Index);
        }
        self.accent = Some(index);
        self.out.push(plain);
        self.rules.add(Rule::Accent);
        Ok(())
    }

    fn plain(&mut self, letter: char) -> Result<(), Reason> {
        let (canonical, rule) = match letter {
            'ḫ' | 'ẖ' | 'ḥ' => ('h', Rule::Breve),
            'Ḫ' | 'Ḥ' => ('H', Rule::Breve),
            'ĝ' | 'Ĝ' | 'ğ' | 'Ğ' => (if letter.is_lowercase() { 'g' } else { 'G' }, Rule::NasalG),
            'ş' | 'Ş' => (if letter.is_lowercase() { 'ṣ' } else { 'Ṣ' }, Rule::Letters),
            'ţ' | 'Ţ' => (if letter.is_lowercase() { 'ṭ' } else { 'Ṭ' }, Rule::Letters),
            'ś' | 'Ś' => (if letter.is_lowercase() { 'š' } else { 'Š' }, Rule::Letters),
            '\'' | '’' | '‘' | 'ʼ' | 'ʿ' | 'ʔ' | '`' | '´' | '′' => ('ʾ', Rule::Aleph),
            _ if letters::is_fraction(letter) => return self.fraction(letter),
            'ā' | 'ē' | 'ī' | 'ō' | 'ū' | 'â' | 'ê' | 'î' | 'ô' | 'û' | 'Ā' | 'Ē' | 'Ī' | 'Ū' | 'Â' | 'Ê' | 'Î'
            | 'Û' => {
                return Err(Reason::Normalised);
            }
            other => (other, Rule::Nothing),
        };
        let known = canonical.is_ascii_digit()
            || letters::is_index(canonical)
            || letters::is_sign_letter(letters::lower(canonical))
            || matches!(canonical, '|' | '(' | ')')
            || (self.out.contains(['|', '(', '@'])
                && matches!(canonical, '.' | '+' | '×' | '&' | '%' | '/' | '-' | '~' | 'N' | 'x'))
            || (self.out.contains('@') && "cfgstnzkrhv".contains(canonical))
            || matches!(canonical, '@' | '/' if !self.out.is_empty());
        if !known {
            return Err(Reason::Foreign(canonical));
        }
        self.out.push(canonical);
        self.rules.add(rule);
        Ok(())
    }

    fn fraction(&mut self, letter: char) -> Result<(), Reason> {
        let written = match letter {
            '½' => "1/2",
            '⅓' => "1/3",
            '⅔' => "2/3",
            '¼' => "1/4",
            '¾' => "3/4",
            '⅙' => "1/6",
            _ => "5/6",
        };
        if !self.out.is_empty() {
            return Err(Reason::Structure);
        }
        self.out.push_str(written);
        self.rules.add(Rule::Fraction);
        Ok(())
    }
}

/// Reads `|KA×U|`: bars around capitals and operators.
fn compound(spelled: &str) -> Result<String, Reason> {
    let inner = spelled.strip_prefix('|').and_then(|rest| rest.strip_suffix('|')).ok_or(Reason::Structure)?;
    let has_name = inner.chars().any(char::is_alphabetic);
    if !has_name || inner.contains('|') || inner.len() > 80 || !balanced(inner) {
        return Err(Reason::Structure);
    }
    Ok(spelled.to_owned())
}

/// Reads `7`, `1/2`, `1(diš)`, `n(ban₂)`.
fn number(spelled: &str) -> Result<String, Reason> {
    let (count, unit) = match spelled.split_once('(') {
        Some((count, unit)) => (count, Some(unit.strip_suffix(')').ok_or(Reason::Structure)?)),
        None => (spelled, None),
    };
    let is_number =
        |text: &str| !text.is_empty() && text.len() <= 8 && text.chars().all(|digit| digit.is_ascii_digit());
    let sound = match count.split_once('/') {
        Some((over, under)) => is_number(over) && is_number(under),
        None => is_number(count) || count == "n",
    };
    let unit_sound = unit.is_none_or(|unit| unit.chars().any(char::is_alphabetic) && balanced(unit) && unit.len() < 80);
    if sound && unit_sound { Ok(spelled.to_owned()) } else { Err(Reason::Structure) }
}

fn balanced(text: &str) -> bool {
    let mut depth = 0_i32;
    for letter in text.chars() {
        depth += i32::from(letter == '(') - i32::from(letter == ')');
        if depth < 0 {
            return false;
        }
    }
    depth == 0
}

/// Gives the whole value one case: capitals between underscores, small letters for the capital of a name.
fn cased(spelled: &str, around: Surroundings, rules: &mut Rules) -> Result<String, Reason> {
    let end = spelled.find(['(', '@']).unwrap_or(spelled.len());
    let (value, qualifier) = spelled.split_at(end);
    let is_letter = |letter: &char| letter.is_alphabetic() && !letters::is_index(*letter) && *letter != 'ʾ';
    let count = value.chars().filter(is_letter).count();
    let uppers = value.chars().filter(|letter| is_letter(letter) && letter.is_uppercase()).count();
    let first_is_upper = value.chars().find(is_letter).is_some_and(char::is_uppercase);
    let is_mixed = uppers > 0 && uppers < count;
    let all = |to: fn(char) -> char| {
        let changed = value.chars().map(|letter| if letters::is_index(letter) { letter } else { to(letter) });
        changed.chain(qualifier.chars()).collect::<String>()
    };
    if around.logogram && !around.determinative && uppers < count {
        rules.add(Rule::Logogram);
        return Ok(all(letters::upper));
    }
    if around.determinative && is_mixed {
        return Ok(all(letters::upper));
    }
    let is_capitalised =
        uppers == 1 && first_is_upper && (is_mixed || (around.capital_of_name && "AEIU".contains(value)));
    if is_capitalised && !around.logogram && !value.contains('×') {
        rules.add(Rule::Name);
        return Ok(all(letters::lower));
    }
    if is_mixed { Err(Reason::MixedCase) } else { Ok(spelled.to_owned()) }
}

/// Reads letters, then at most one index, then perhaps `(DU)`; the accent becomes the index.
fn value(spelled: &str, accent: Option<char>) -> Result<String, Reason> {
    let end = spelled.find(|letter| letters::is_index(letter) || matches!(letter, '(' | '@')).unwrap_or(spelled.len());
    let (name, after) = spelled.split_at(end);
    let index_end = after.find(|letter| !letters::is_index(letter)).unwrap_or(after.len());
    let (index, tail) = after.split_at(index_end);
    let count = name.chars().count();
    if count == 0 || count > LONGEST || index.chars().count() > 3 {
        return Err(if count > LONGEST { Reason::TooLong } else { Reason::Index });
    }
    if let Some(odd) = name.chars().find(|&letter| !(letters::is_sign_letter(letters::lower(letter)) || letter == '×'))
    {
        return Err(Reason::Foreign(odd));
    }
    let has_vowel = name.chars().any(|letter| "aeiuAEIUʾ".contains(letter));
    if !has_vowel && name.chars().any(char::is_lowercase) && count > 1 {
        return Err(Reason::NoVowel);
    }
    let tail_sound = match tail.as_bytes() {
        [] => true,
        [b'@', rest @ ..] => rest.split(|letter| *letter == b'@').all(is_modifier),
        [b'(', .., b')'] if index == "ₓ" => {
            tail.chars().any(char::is_alphabetic) && balanced(tail) && tail.len() < 80
        }
        _ => false,
    };
    if !tail_sound {
        return Err(Reason::Structure);
    }
    match accent {
        Some(_) if !index.is_empty() => Err(Reason::Index),
        Some(accent) => Ok(format!("{name}{accent}{tail}")),
        None => Ok(spelled.to_owned()),
    }
}

/// Returns `true` for a modifier, the part after an `@`: a letter for a form of the sign, or the degrees by which it is
/// turned.
fn is_modifier(modifier: &[u8]) -> bool {
    !modifier.is_empty() && modifier.iter().all(u8::is_ascii_alphanumeric)
}

/// Writes `d`, `m` and `f` small, every other determinative in capitals.
fn determinative(reading: String, rules: &mut Rules) -> String {
    match reading.as_str() {
        "1" | "diš" | "DIŠ" | "1(diš)" | "1(DIŠ)" => {
            rules.add(Rule::Person);
            return "m".to_owned();
        }
        "d" | "m" | "f" => return reading,
        "D" | "M" | "F" => {
            rules.add(Rule::DeterminativeCase);
            return reading.to_lowercase();
        }
        _ => {}
    }
    let (value, modifier) = reading.split_at(reading.find('@').unwrap_or(reading.len()));
    let capital = |letter| if letters::is_index(letter) { letter } else { letters::upper(letter) };
    let capitals: String = value.chars().map(capital).chain(modifier.chars()).collect();
    if capitals != reading {
        rules.add(Rule::DeterminativeCase);
    }
    capitals
}
