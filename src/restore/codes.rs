//! Special characters and the codes that Tab completes in the text field.

/// A character with its code and its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Character {
    /// Text to insert.
    pub text: &'static str,
    /// Code to type before Tab.
    pub code: &'static str,
    pub name: &'static str,
}

const fn character(text: &'static str, code: &'static str, name: &'static str) -> Character {
    Character { text, code, name }
}

/// The palette in its order.
pub const CHARACTERS: [Character; 29] = [
    character("š", "\\sz", "s with hook"),
    character("ṣ", "\\s,", "s with dot"),
    character("ṭ", "\\t,", "t with dot"),
    character("ḫ", "\\h", "h with breve"),
    character("ʾ", "\\'", "aleph"),
    character("Š", "\\SZ", "capital s with hook"),
    character("Ṣ", "\\S,", "capital s with dot"),
    character("Ṭ", "\\T,", "capital t with dot"),
    character("Ḫ", "\\H", "capital h with breve"),
    character("₀", "\\0", "index 0"),
    character("₁", "\\1", "index 1"),
    character("₂", "\\2", "index 2"),
    character("₃", "\\3", "index 3"),
    character("₄", "\\4", "index 4"),
    character("₅", "\\5", "index 5"),
    character("₆", "\\6", "index 6"),
    character("₇", "\\7", "index 7"),
    character("₈", "\\8", "index 8"),
    character("₉", "\\9", "index 9"),
    character("ₓ", "\\x", "index x, unknown"),
    character("⸢", "\\<", "damaged from here"),
    character("⸣", "\\>", "damaged to here"),
    character("[", "\\(", "missing from here"),
    character("]", "\\)", "missing to here"),
    character("{d}", "\\d", "determinative of gods"),
    character("{m}", "\\m", "determinative of men"),
    character("{f}", "\\f", "determinative of women"),
    character("[x]", "\\?", "one illegible sign"),
    character("[...]", "\\.", "break of unknown length"),
];

/// Returns the character whose code ends right before the caret, preferring longer codes.
pub fn completion(before: &str) -> Option<Character> {
    let fitting = CHARACTERS.into_iter().filter(|character| before.ends_with(character.code));
    fitting.max_by_key(|character| character.code.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_before_the_caret_is_completed() {
        for (before, expected) in
            [("a-\\sz", Some("š")), ("\\s,", Some("ṣ")), ("u\\2", Some("₂")), ("a-na", None), ("", None), ("\\", None)]
        {
            assert_eq!(completion(before).map(|character| character.text), expected, "{before}");
        }
    }

    #[test]
    fn codes_differ() {
        let codes: std::collections::HashSet<_> = CHARACTERS.iter().map(|character| character.code).collect();
        assert_eq!(codes.len(), CHARACTERS.len());
    }
}
