//! Fractions of a translation in the forms that translations have: `1 1/2`, and as the Deep Past Challenge writes them,
//! as decimals or as single signs.

/// Form of fractions in a translation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Fractions {
    /// `1 1/2`, as the translator writes them.
    #[default]
    Slash,
    /// `1.5`, with at most four digits, as most translations of the challenge have them.
    Decimal,
    /// `1½`.
    Sign,
}

/// Fractions that Old Assyrian texts have, in the three forms; decimals are cut, not rounded, as in the challenge.
const KNOWN: [(&str, &str, &str); 7] = [
    ("1/2", ".5", "½"),
    ("1/3", ".3333", "⅓"),
    ("2/3", ".6666", "⅔"),
    ("1/4", ".25", "¼"),
    ("3/4", ".75", "¾"),
    ("1/6", ".1666", "⅙"),
    ("5/6", ".8333", "⅚"),
];

/// Greatest distance of a decimal from its fraction: three digits are enough to know it.
const NEAR: f64 = 5e-4;

/// Returns the fraction, with a slash, that the digits behind a decimal point stand for: `1/3` for `3333`.
pub fn of_decimals(digits: &str) -> Option<&'static str> {
    let value = |digits: &str| format!("0{digits}").parse::<f64>().ok();
    let own = value(&format!(".{digits}")).filter(|_| digits.bytes().all(|digit| digit.is_ascii_digit()))?;
    // Three of the fractions are whole decimals; the others are cut behind the fourth digit, or rounded anywhere.
    KNOWN
        .iter()
        .find(|(_, decimal, _)| value(decimal).is_some_and(|known| (own - known).abs() < NEAR))
        .map(|known| known.0)
}

/// Returns a translation with every fraction as `1 1/2`, whichever form it has.
pub fn with_slashes(text: &str) -> String {
    let mut text = text.to_owned();
    for (slash, _, sign) in KNOWN {
        text = text.replace(sign, &format!(" {slash}"));
    }
    let word = |word: &str| {
        let (number, rest) = word.split_at(word.trim_end_matches(|letter: char| !letter.is_alphanumeric()).len());
        let parts = number.split_once('.').filter(|(whole, _)| whole.bytes().all(|digit| digit.is_ascii_digit()));
        match parts.and_then(|(whole, digits)| Some((whole.trim_start_matches('0'), of_decimals(digits)?))) {
            Some(("", fraction)) => format!("{fraction}{rest}"),
            Some((whole, fraction)) => format!("{whole} {fraction}{rest}"),
            None => word.to_owned(),
        }
    };
    text.split(' ').map(word).collect::<Vec<_>>().join(" ")
}

impl Fractions {
    /// All forms.
    pub const ALL: [Self; 3] = [Self::Slash, Self::Decimal, Self::Sign];

    /// Returns the name of the form on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Slash => "slash",
            Self::Decimal => "decimal",
            Self::Sign => "sign",
        }
    }

    /// Returns a translation with its fractions in this form; fractions that no scribe wrote stay as they are.
    pub fn written(self, text: &str) -> String {
        let mut words: Vec<String> = Vec::new();
        for word in text.split(' ') {
            let Some((form, rest)) = self.form(word) else {
                words.push(word.to_owned());
                continue;
            };
            let whole = words.pop_if(|whole| !whole.is_empty() && whole.bytes().all(|digit| digit.is_ascii_digit()));
            let none = if self == Self::Decimal { "0" } else { "" };
            words.push(whole.unwrap_or_else(|| none.to_owned()) + form + rest);
        }
        words.join(" ")
    }

    /// Returns the form of the fraction that a word is, and the punctuation behind it.
    fn form(self, word: &str) -> Option<(&'static str, &str)> {
        let found = |(slash, decimal, sign): &(&'static str, &'static str, &'static str)| {
            let rest = word.strip_prefix(slash)?;
            let form = match self {
                Self::Slash => return None,
                Self::Decimal => decimal,
                Self::Sign => sign,
            };
            (!rest.starts_with(|letter: char| letter.is_alphanumeric() || letter == '/')).then_some((*form, rest))
        };
        KNOWN.iter().find_map(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fractions_are_written_in_each_form() {
        let text = "He owes 1 1/2 shekels, 1/3 mina, 10 5/6; (2/3) 1/24 3 4/5 and 1/2.";
        let check = |form: Fractions, expected: &str| assert_eq!(form.written(text), expected);
        check(Fractions::Slash, text);
        check(Fractions::Decimal, "He owes 1.5 shekels, 0.3333 mina, 10.8333; (2/3) 1/24 3 4/5 and 0.5.");
        check(Fractions::Sign, "He owes 1½ shekels, ⅓ mina, 10⅚; (2/3) 1/24 3 4/5 and ½.");
    }

    #[test]
    fn every_form_is_read_as_a_fraction_with_a_slash() {
        for text in
            ["1 1/2 minas, 2/3; 1/6", "1½ minas, ⅔; ⅙", "1.5 minas, 0.66666; 0.167", "1.5 minas, 0.6667; 0.1666"]
        {
            let read = with_slashes(text);
            assert_eq!(read.split_whitespace().collect::<Vec<_>>(), ["1", "1/2", "minas,", "2/3;", "1/6"], "{text}");
        }
        assert_eq!(with_slashes("1.2 and 3.14 P1.5"), "1.2 and 3.14 P1.5");
    }
}
