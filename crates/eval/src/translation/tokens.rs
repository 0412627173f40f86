//! The tokens of BLEU: the tokeniser of NIST's `mteval-v13a.pl` as sacreBLEU has it (`13a`).

use super::ngrams::{is_space, words};

/// Returns the tokens of a sentence, separated by single spaces.
pub(super) fn tokenised(sentence: &str) -> String {
    let mut line = sentence.trim_end_matches(is_space).replace("<skipped>", "").replace("-\n", "").replace('\n', " ");
    // In this order: `&amp;lt;` becomes `<`.
    for (entity, letter) in [("&quot;", "\""), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">")] {
        line = line.replace(entity, letter);
    }
    let mut letters = vec![' '];
    for letter in line.chars() {
        if is_punctuation(letter) {
            letters.extend([' ', letter, ' ']);
        } else {
            letters.push(letter);
        }
    }
    letters.push(' ');
    // Periods and commas but between digits; a dash after a digit.
    letters = spaced(&letters, |first, second| !first.is_ascii_digit() && is_stop(second), |a, b| [a, ' ', b, ' ']);
    letters = spaced(&letters, |first, second| is_stop(first) && !second.is_ascii_digit(), |a, b| [' ', a, ' ', b]);
    letters = spaced(&letters, |first, second| first.is_ascii_digit() && second == '-', |a, b| [a, ' ', b, ' ']);
    let line: String = letters.into_iter().collect();
    words(&line).collect::<Vec<_>>().join(" ")
}

/// The marks of ASCII but for apostrophe, comma, dash and period, and the space.
fn is_punctuation(letter: char) -> bool {
    matches!(letter, '{'..='~' | '['..='`' | ' '..='&' | '('..='+' | ':'..='@' | '/')
}

fn is_stop(letter: char) -> bool {
    matches!(letter, '.' | ',')
}

/// Rewrites pairs of neighbours from the left; a letter that was rewritten is in no other pair.
fn spaced(
    letters: &[char],
    is_pair: impl Fn(char, char) -> bool,
    spaced: impl Fn(char, char) -> [char; 4],
) -> Vec<char> {
    let mut out = Vec::with_capacity(letters.len() * 2);
    let mut rest = letters;
    while let [first, after @ ..] = rest {
        match after {
            [second, later @ ..] if is_pair(*first, *second) => {
                out.extend(spaced(*first, *second));
                rest = later;
            }
            _ => {
                out.push(*first);
                rest = after;
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::tokenised;

    #[test]
    fn marks_are_tokens_but_inside_numbers_and_words() {
        for (sentence, expected) in [
            ("The king (of Assyria), spoke.", "The king ( of Assyria ) , spoke ."),
            ("3,000.5 sheep, 2-3 oxen", "3,000.5 sheep , 2 - 3 oxen"),
            ("the king's son-in-law", "the king's son-in-law"),
            ("so...and. 5.", "so . . . and . 5 ."),
            ("&quot;a&quot; &amp;lt; b", "\" a \" < b"),
            ("cut-\nting <skipped>off\nhere ", "cutting off here"),
            ("ṭuppum ša₂ “Aššur”", "ṭuppum ša₂ “Aššur”"),
            ("", ""),
        ] {
            assert_eq!(tokenised(sentence), expected, "{sentence}");
        }
    }
}
