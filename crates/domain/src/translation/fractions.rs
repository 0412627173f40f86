//! Writes the fractions of a translation as the Deep Past Challenge writes them: as decimals, or as single signs.

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

impl Fractions {
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
}
