//! Letter tables that the reader and the writer share: indices, accents, raised letters.

/// Subscript digits, `₀` to `₉`.
pub const SUBSCRIPTS: [char; 10] = ['₀', '₁', '₂', '₃', '₄', '₅', '₆', '₇', '₈', '₉'];

/// Vowels with their accents for index 2 and for index 3.
const ACCENTS: [(char, char, char); 8] = [
    ('a', 'á', 'à'),
    ('e', 'é', 'è'),
    ('i', 'í', 'ì'),
    ('u', 'ú', 'ù'),
    ('A', 'Á', 'À'),
    ('E', 'É', 'È'),
    ('I', 'Í', 'Ì'),
    ('U', 'Ú', 'Ù'),
];

/// Letters with a raised form. Capitals come last, so that writing finds the small letter.
const RAISED: &[(char, char)] = &[
    ('a', 'ᵃ'),
    ('b', 'ᵇ'),
    ('d', 'ᵈ'),
    ('e', 'ᵉ'),
    ('f', 'ᶠ'),
    ('g', 'ᵍ'),
    ('h', 'ʰ'),
    ('i', 'ⁱ'),
    ('k', 'ᵏ'),
    ('l', 'ˡ'),
    ('m', 'ᵐ'),
    ('n', 'ⁿ'),
    ('p', 'ᵖ'),
    ('r', 'ʳ'),
    ('s', 'ˢ'),
    ('t', 'ᵗ'),
    ('u', 'ᵘ'),
    ('w', 'ʷ'),
    ('y', 'ʸ'),
    ('z', 'ᶻ'),
    ('A', 'ᴬ'),
    ('B', 'ᴮ'),
    ('D', 'ᴰ'),
    ('E', 'ᴱ'),
    ('G', 'ᴳ'),
    ('H', 'ᴴ'),
    ('I', 'ᴵ'),
    ('K', 'ᴷ'),
    ('L', 'ᴸ'),
    ('M', 'ᴹ'),
    ('N', 'ᴺ'),
    ('P', 'ᴾ'),
    ('R', 'ᴿ'),
    ('T', 'ᵀ'),
    ('U', 'ᵁ'),
    ('W', 'ᵂ'),
];

/// Raised digits, `⁰` to `⁹`.
const RAISED_DIGITS: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];

/// Returns the subscript of an ASCII digit.
pub fn subscript(digit: char) -> Option<char> {
    SUBSCRIPTS.get(digit.to_digit(10)? as usize).copied()
}

/// Returns the ASCII digit of a subscript.
pub fn digit_of_subscript(letter: char) -> Option<char> {
    let place = SUBSCRIPTS.iter().position(|&subscript| subscript == letter)?;
    char::from_digit(place as u32, 10)
}

/// Returns the plain vowel under an accent, and the subscript that the accent stands for.
pub fn without_accent(letter: char) -> Option<(char, char)> {
    ACCENTS.iter().find_map(|&(plain, acute, grave)| match letter {
        _ if letter == acute => Some((plain, '₂')),
        _ if letter == grave => Some((plain, '₃')),
        _ => None,
    })
}

/// Returns the vowel with the accent for index 2 or 3.
pub fn with_accent(vowel: char, index: char) -> Option<char> {
    let &(_, acute, grave) = ACCENTS.iter().find(|entry| entry.0 == vowel)?;
    match index {
        '₂' => Some(acute),
        '₃' => Some(grave),
        _ => None,
    }
}

/// Returns the letter or digit of a raised form.
pub fn lowered(raised: char) -> Option<char> {
    RAISED.iter().find(|entry| entry.1 == raised).map(|entry| entry.0).or_else(|| digit_of_raised(raised))
}

/// Returns the digit of a raised form.
pub fn digit_of_raised(raised: char) -> Option<char> {
    let place = RAISED_DIGITS.iter().position(|&digit| digit == raised)?;
    char::from_digit(place as u32, 10)
}

/// Returns the raised form of a letter or digit, as one or two characters (`ˢ̌` for š).
pub fn raised(letter: char) -> Option<String> {
    if let Some(digit) = letter.to_digit(10) {
        return RAISED_DIGITS.get(digit as usize).map(char::to_string);
    }
    let (plain, mark) = match letter {
        'š' => ('s', Some('\u{30c}')),
        'ṣ' => ('s', Some('\u{323}')),
        'ṭ' => ('t', Some('\u{323}')),
        'ḫ' => ('h', Some('\u{32e}')),
        other => (other, None),
    };
    let &(_, up) = RAISED.iter().find(|entry| entry.0 == plain)?;
    Some(std::iter::once(up).chain(mark).collect())
}

/// Returns `true` if the letter, given in lower case, can occur in a sign in canonical form.
pub fn is_sign_letter(letter: char) -> bool {
    matches!(letter, 'a' | 'b' | 'c' | 'd' | 'e' | 'g'..='n' | 'p'..='u' | 'w' | 'y' | 'z')
        || matches!(letter, 'š' | 'ṣ' | 'ṭ' | 'ʾ' | 'ŋ')
}

/// Returns the upper-case character of a letter, or the letter itself if there is none. Latin, Greek and Cyrillic
/// letters are one or 32 places after their capital. The standard library's table of all scripts would add five
/// kilobytes to every first visit to the page, for these letters alone.
pub fn upper(letter: char) -> char {
    if letter.is_ascii() {
        return letter.to_ascii_uppercase();
    }
    let before = |places| char::from_u32((letter as u32).wrapping_sub(places));
    let capital = [1, 32].into_iter().filter_map(before).find(|&before| before != letter && lower(before) == letter);
    capital.unwrap_or(letter)
}

/// Returns the single lower-case character of a letter, or the letter itself if there is none or more than one.
pub fn lower(letter: char) -> char {
    let mut forms = letter.to_lowercase();
    match (forms.next(), forms.next()) {
        (Some(only), None) => only,
        _ => letter,
    }
}

/// Returns `true` for a subscript digit or `ₓ`.
pub fn is_index(letter: char) -> bool {
    letter == 'ₓ' || SUBSCRIPTS.contains(&letter)
}

/// Returns `true` for a raised letter or digit.
pub fn is_raised(letter: char) -> bool {
    !letter.is_ascii() && lowered(letter).is_some()
}

/// Returns `true` for a fraction in one character.
pub fn is_fraction(letter: char) -> bool {
    matches!(letter, '½' | '⅓' | '⅔' | '¼' | '¾' | '⅙' | '⅚')
}

/// Returns `true` for a small letter on the line.
pub fn is_small(letter: char) -> bool {
    letter.is_lowercase() && !is_index(letter) && !is_raised(letter)
}

/// Returns `true` if a canonical reading is a logogram: letters, all of them capitals, and neither a determinative nor
/// a number. Parentheses after a value (`kuₓ(DU)`) name the sign and are ignored.
pub fn is_logogram(reading: &str) -> bool {
    let value = match reading.starts_with('|') {
        true => reading,
        false => reading.split('(').next().unwrap_or_default(),
    };
    let mut letters = value.chars().filter(|letter| letter.is_alphabetic() && !is_index(*letter)).peekable();
    !value.starts_with('{') && letters.peek().is_some() && letters.all(char::is_uppercase)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logograms_are_in_capitals() {
        for logogram in ["LUGAL", "GABAₓ", "GU₄", "EN.LIL₂", "|KA×ME|", "|(LAL₂.LAGAB)×NUN|", "Š"] {
            assert!(is_logogram(logogram), "{logogram}");
        }
        for other in ["kuₓ(DU)", "šu", "{KI}", "{LU₂}", "1(diš)", "5", "", "₂"] {
            assert!(!is_logogram(other), "{other}");
        }
    }

    #[test]
    fn capitals_of_latin_letters_are_those_of_unicode() {
        // Letters whose capital is in another block: µ, ÿ, ı, long s.
        let elsewhere = ['µ', 'ÿ', 'ı', 'ſ'];
        let extended = ('\0'..'\u{180}').chain('\u{1e00}'..'\u{1e96}');
        for letter in extended.filter(|letter| !elsewhere.contains(letter)) {
            let forms: Vec<char> = letter.to_uppercase().collect();
            let expected = if let [only] = forms[..] { only } else { letter };
            assert_eq!(upper(letter), expected, "{letter}");
        }
        assert_eq!(elsewhere.map(upper), elsewhere);
        assert_eq!(['α', 'я', 'ʾ', '𒀭', '\0'].map(upper), ['Α', 'Я', 'ʾ', '𒀭', '\0']);
    }
}
