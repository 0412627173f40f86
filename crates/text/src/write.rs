//! Writes canonical readings in a user's convention.

use super::convention::{DeterminativeStyle, IndexStyle, LetterStyle, Style};
use super::letters;

/// Writes a canonical reading (`u₂`, `{d}`, `1(diš)`) in this style. Reading the result again gives the same reading.
pub fn reading(canonical: &str, style: &Style) -> String {
    let inner = canonical.strip_prefix('{').and_then(|rest| rest.strip_suffix('}'));
    let Some(inner) = inner else { return value(canonical, style) };
    match style.determinatives {
        DeterminativeStyle::Braces => format!("{{{}}}", value(inner, style)),
        DeterminativeStyle::LowerBraces => format!("{{{}}}", value(&small(inner), style)),
        DeterminativeStyle::Raised => {
            raised(&small(inner), style).unwrap_or_else(|| format!("{{{}}}", value(inner, style)))
        }
    }
}

/// Returns a reading in small letters.
pub(crate) fn small(reading: &str) -> String {
    reading.chars().map(|letter| if letters::is_index(letter) { letter } else { letters::lower(letter) }).collect()
}

/// Writes letters and index of a reading without braces.
fn value(canonical: &str, style: &Style) -> String {
    let indexed = match style.index {
        IndexStyle::Subscript => canonical.to_owned(),
        IndexStyle::Digit => canonical.chars().map(plain_index).collect(),
        IndexStyle::Accent => accented(canonical),
    };
    let mut written = String::with_capacity(indexed.len());
    for letter in indexed.chars() {
        match (letter, style.letters) {
            ('š', LetterStyle::Ascii) => written.push_str("sz"),
            ('ṣ', LetterStyle::Ascii) => written.push_str("s,"),
            ('ṭ', LetterStyle::Ascii) => written.push_str("t,"),
            ('Š', LetterStyle::Ascii) => written.push_str("SZ"),
            ('Ṣ', LetterStyle::Ascii) => written.push_str("S,"),
            ('Ṭ', LetterStyle::Ascii) => written.push_str("T,"),
            ('ʾ', LetterStyle::Ascii) => written.push('\''),
            ('×', LetterStyle::Ascii) => written.push('x'),
            ('h', _) if style.breve_h => written.push('ḫ'),
            ('H', _) if style.breve_h => written.push('Ḫ'),
            (other, _) => written.push(other),
        }
    }
    written
}

fn plain_index(letter: char) -> char {
    if letter == 'ₓ' { 'x' } else { letters::digit_of_subscript(letter).unwrap_or(letter) }
}

/// Writes index 2 or 3 as an accent on the first vowel; every other index, and compound signs, stay as they are.
fn accented(canonical: &str) -> String {
    let mut marks = canonical.char_indices().filter(|&(_, letter)| letters::is_index(letter));
    let only = match (marks.next(), marks.next()) {
        (Some(only), None) if !canonical.contains(['|', '(']) => only,
        _ => return canonical.to_owned(),
    };
    let mut is_set = false;
    let accent = |letter: char| {
        let accented = if is_set { None } else { letters::with_accent(letter, only.1) };
        is_set |= accented.is_some();
        accented.unwrap_or(letter)
    };
    let marked: String = canonical.chars().filter(|&letter| letter != only.1).map(accent).collect();
    if is_set { marked } else { canonical.to_owned() }
}

/// Writes a determinative in raised letters, if all its letters have a raised form.
fn raised(inner: &str, style: &Style) -> Option<String> {
    let letters_of = |letter: char| match letter {
        'h' if style.breve_h => letters::raised('ḫ'),
        _ => letters::raised(letters::digit_of_subscript(letter).unwrap_or(letter)),
    };
    inner.chars().map(letters_of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Document, SignKind};

    const CATF: Style = Style {
        index: IndexStyle::Digit,
        letters: LetterStyle::Ascii,
        breve_h: false,
        determinatives: DeterminativeStyle::LowerBraces,
    };
    const PRINT: Style = Style {
        index: IndexStyle::Accent,
        letters: LetterStyle::Unicode,
        breve_h: true,
        determinatives: DeterminativeStyle::Raised,
    };

    #[test]
    fn writes_each_convention() {
        let rows = [
            ("u₂", "u2", "ú"),
            ("u₃", "u3", "ù"),
            ("u₄", "u4", "u₄"),
            ("šu", "szu", "šu"),
            ("ṣi₂", "s,i2", "ṣí"),
            ("ṬU₃", "T,U3", "ṬÙ"),
            ("aʾ", "a'", "aʾ"),
            ("ha", "ha", "ḫa"),
            ("KU₃", "KU3", "KÙ"),
            ("{d}", "{d}", "ᵈ"),
            ("{KI}", "{ki}", "ᵏⁱ"),
            ("{LU₂}", "{lu2}", "ˡᵘ²"),
            ("{GIŠ}", "{gisz}", "ᵍⁱˢ̌"),
            ("1(diš)", "1(disz)", "1(diš)"),
            ("kuₓ(DU)", "kux(DU)", "kuₓ(DU)"),
            ("|KA×U|", "|KAxU|", "|KA×U|"),
        ];
        for (canonical, catf, print) in rows {
            assert_eq!(reading(canonical, &CATF), catf, "C-ATF for {canonical}");
            assert_eq!(reading(canonical, &PRINT), print, "print edition for {canonical}");
            assert_eq!(reading(canonical, &Style::default()), canonical, "canonical for {canonical}");
        }
    }

    /// Returns every combination of habits.
    fn styles() -> Vec<Style> {
        let mut styles = Vec::new();
        for index in [IndexStyle::Subscript, IndexStyle::Digit, IndexStyle::Accent] {
            for letters in [LetterStyle::Unicode, LetterStyle::Ascii] {
                for breve_h in [false, true] {
                    for determinatives in
                        [DeterminativeStyle::Braces, DeterminativeStyle::LowerBraces, DeterminativeStyle::Raised]
                    {
                        styles.push(Style { index, letters, breve_h, determinatives });
                    }
                }
            }
        }
        styles
    }

    #[test]
    fn every_style_reads_back() {
        let syllables = ["a", "ha", "šu", "ṣi", "uṭ", "aʾ", "gal", "LUGAL", "HAR", "ŠE", "ia"];
        let indices = ["", "₂", "₃", "₄", "₁₁", "₂₃", "ₓ"];
        let mut readings: Vec<String> =
            syllables.iter().flat_map(|name| indices.map(|index| format!("{name}{index}"))).collect();
        let odd = ["{d}", "{m}", "{f}", "{KI}", "{LU₂}", "{GIŠ}", "{URU}", "{NA₄}", "{I₇}", "{MUŠEN}", "{HI}", "{ŠE}"];
        readings.extend(odd.map(str::to_owned));
        readings.extend(
            ["7", "1/2", "1(diš)", "5/6(diš)", "1(geš₂)", "kuₓ(DU)", "|KA×U|", "|GI₆.NAM|", "R"].map(str::to_owned),
        );
        for style in styles() {
            for canonical in &readings {
                let written = reading(canonical, &style);
                let read = Document::read(&written);
                let kinds: Vec<&SignKind> = read.signs().map(|sign| &sign.kind).collect();
                assert_eq!(
                    kinds,
                    [&SignKind::Reading(canonical.clone())],
                    "{canonical} written {written} in {style:?}"
                );
            }
        }
    }
}
