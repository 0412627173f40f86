//! Editorial marks beside a reading: uncertain, corrected, left out by the scribe, or struck out. The canonical form,
//! which models read, has none of them; here they are read from the typed text, for formats that keep them.

use super::document::{Document, Line, Sign, Span};

/// Editorial marks of one sign.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Editorial {
    /// `true` for `a?`: the reading is uncertain.
    pub is_uncertain: bool,
    /// `true` for `a!`: the tablet has something else, which the editor corrects, or a sign of an unusual form.
    pub is_corrected: bool,
    /// Sign on the tablet where the editor corrects it: `ZA` in `a!(ZA)`.
    pub written: Option<String>,
    /// `true` for `<a>`: the scribe left the sign out, and the editor supplies it.
    pub is_omitted: bool,
}

/// Editorial marks in a line of text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EditorialLine {
    /// Marks of each sign of the line.
    pub signs: Vec<Editorial>,
    /// Passages that the editor strikes out, in the order of the line.
    pub surplus: Vec<Surplus>,
}

/// Passage that the scribe wrote and the editor strikes out: `<<a-na>>`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Surplus {
    /// Place in the line of the sign before which the passage stands; the number of signs if it ends the line.
    pub before: usize,
    /// `true` if the passage stands in the word of the sign before it, without a space between.
    pub in_word: bool,
    /// Signs of the passage, in canonical form.
    pub signs: String,
}

/// Reads the editorial marks in a line of this text. A bracket without its partner is ignored.
pub fn editorial(document: &Document, line: &Line) -> EditorialLine {
    let start = line.label.map_or(line.span.start, |label| label.end);
    let starts = line.signs.iter().map(|sign| sign.span.start).chain([line.span.end]);
    let ends = [start].into_iter().chain(line.signs.iter().map(|sign| sign.span.end));
    let mut reading = EditorialReader {
        said: EditorialLine { signs: vec![Editorial::default(); line.signs.len()], surplus: Vec::new() },
        omitted_from: None,
    };
    for (place, (from, to)) in ends.zip(starts).enumerate() {
        reading.between(place, Span::new(from, to.max(from)).of(&document.source));
        if let (Some(sign), Some(said)) = (line.signs.get(place), reading.said.signs.get_mut(place)) {
            within(sign, &document.source, said);
        }
    }
    reading.said
}

/// Reads flags between the sign's own characters: `{d?}`.
fn within(sign: &Sign, source: &str, said: &mut Editorial) {
    let own = sign.span.of(source);
    if own.len() > 1 {
        said.is_uncertain |= own.contains('?');
        said.is_corrected |= own.contains('!');
    }
}

struct EditorialReader {
    said: EditorialLine,
    /// Place of the sign before which a bracket of omission opened.
    omitted_from: Option<usize>,
}

impl EditorialReader {
    /// Reads the characters between the sign at this place and the one before it.
    fn between(&mut self, place: usize, mut rest: &str) {
        // Flags belong to the sign that they touch, even if brackets close in between.
        let mut touches = place > 0;
        let mut in_word = place > 0;
        while let Some(letter) = rest.chars().next() {
            let length = match letter {
                '<' if rest.starts_with("<<") => self.surplus((place, in_word), rest, ("<<", ">>")),
                '«' => self.surplus((place, in_word), rest, ("«", "»")),
                '<' if rest.starts_with("<(") => aside(rest, ")>"),
                '<' | '‹' | '⟨' | '〈' => {
                    self.omitted_from = Some(place);
                    letter.len_utf8()
                }
                // Closing bracket without an opening one.
                '>' if rest.starts_with(">>") => 2,
                '>' | '›' | '⟩' | '〉' => {
                    let from = self.omitted_from.take().unwrap_or(place);
                    self.said.signs.iter_mut().take(place).skip(from).for_each(|sign| sign.is_omitted = true);
                    letter.len_utf8()
                }
                '?' | '!' if touches => self.flag(place - 1, rest),
                _ => letter.len_utf8(),
            };
            in_word &= !letter.is_whitespace();
            touches &= !(letter.is_whitespace() || matches!(letter, '-' | '.' | '+' | ':' | '/'));
            rest = rest.get(length..).unwrap_or("");
        }
    }

    /// Reads a flag after a sign, with the sign on the tablet if given; returns the number of bytes read.
    fn flag(&mut self, sign: usize, rest: &str) -> usize {
        let Some(said) = self.said.signs.get_mut(sign) else { return 1 };
        let after = rest.trim_start_matches(['?', '!', '*', '#']);
        let flags = rest.len() - after.len();
        said.is_uncertain |= rest[..flags].contains('?');
        said.is_corrected |= rest[..flags].contains('!');
        let Some(written) = in_parentheses(after) else { return flags };
        if said.is_corrected && !written.trim().is_empty() && !written.contains(char::is_whitespace) {
            said.written = Some(canonical(written));
        }
        flags + written.len() + 2
    }

    /// Reads a passage between two marks, which must occur as a pair; returns the number of bytes read.
    fn surplus(&mut self, (before, in_word): (usize, bool), rest: &str, (opens, closes): (&str, &str)) -> usize {
        let Some(inner) = rest.strip_prefix(opens) else { return rest.len() };
        let Some((struck, _)) = inner.split_once(closes) else { return opens.len() };
        if !struck.trim().is_empty() {
            self.said.surplus.push(Surplus { before, in_word, signs: canonical(struck.trim()) });
        }
        opens.len() + struck.len() + closes.len()
    }
}

/// Returns the content of the parentheses at the beginning of the text: `2(disz)` of `(2(disz))`.
fn in_parentheses(text: &str) -> Option<&str> {
    let inner = text.strip_prefix('(')?;
    let mut open = 1;
    for (place, letter) in inner.char_indices() {
        match letter {
            '(' => open += 1,
            ')' => open -= 1,
            _ => {}
        }
        if open == 0 {
            return inner.get(..place);
        }
    }
    None
}

/// Returns the length in bytes of a passage without marks, up to and including this end; 1 if there is no end.
fn aside(rest: &str, end: &str) -> usize {
    rest.find(end).map_or(1, |place| place + end.len())
}

fn canonical(typed: &str) -> String {
    Document::read(typed).canonical()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(typed: &str) -> EditorialLine {
        let document = Document::read(typed);
        editorial(&document, &document.lines[0])
    }

    /// Returns each sign's marks: `?`, `!`, `<`, and the sign on the tablet.
    fn marks(typed: &str) -> Vec<String> {
        let shown = |sign: &Editorial| {
            let flags = [(sign.is_uncertain, "?"), (sign.is_corrected, "!"), (sign.is_omitted, "<")];
            let flags: String = flags.iter().filter(|(is, _)| *is).map(|(_, mark)| *mark).collect();
            flags + sign.written.as_deref().unwrap_or("")
        };
        said(typed).signs.iter().map(shown).collect()
    }

    #[test]
    fn flags_belong_to_the_sign_that_they_touch() {
        assert_eq!(marks("1. a-na? LUGAL!-ri"), ["", "?", "!", ""]);
        assert_eq!(marks("a#?-na [szar?]-ri! x?"), ["?", "", "?", "!", "?"]);
        assert_eq!(marks("⸢a⸣?-na be-lí?!"), ["?", "", "", "?!"]);
        assert_eq!(marks("a ? na"), ["", "", ""], "alone it is a sign, and says nothing of the one before");
        assert_eq!(marks("{d?}UTU a(?)-na"), ["?", "", "?", ""]);
    }

    #[test]
    fn what_the_tablet_has_is_told() {
        assert_eq!(marks("1. ku!(KI)-ub"), ["!KI", ""]);
        assert_eq!(marks("LIMMU2!(ZA).BA?"), ["!ZA", "?"]);
        assert_eq!(marks("u2!(szu)-ma"), ["!šu", ""]);
        assert_eq!(marks("3(disz)!(2(disz)) a!(|KA.(ME)|)-na"), ["!2(diš)", "!|KA.(ME)|", ""]);
        assert_eq!(marks("a!(KI na"), ["!", "", ""], "a parenthesis that nothing closes");
    }

    #[test]
    fn omitted_signs_are_those_between_their_brackets() {
        assert_eq!(marks("1. <a-na> be-<li2>-ia"), ["<", "<", "", "<", ""]);
        assert_eq!(marks("‹a›-na <(erased)>"), ["<", ""]);
        assert_eq!(marks("a-<na be-li2"), ["", "", "", ""], "a bracket without its partner says nothing");
        assert_eq!(marks("<a>> na"), ["", ""], "nor does one with another's");
    }

    #[test]
    fn surplus_signs_are_none_of_the_line() {
        let surplus = |before, in_word, signs: &str| Surplus { before, in_word, signs: signs.to_owned() };
        let line = said("1. a-na <<a-na>> be-li2 <<x>>");
        assert_eq!(line.signs.len(), 4);
        assert_eq!(line.surplus, [surplus(2, false, "a-na"), surplus(4, false, "x")]);
        assert_eq!(said("<<a>>").surplus, [surplus(0, false, "a")]);
        assert_eq!(said("«ŠU» a").surplus, [surplus(0, false, "ŠU")]);
        assert_eq!(said("a-<<ma>>-na-<<na>> a").surplus, [surplus(1, true, "ma"), surplus(2, true, "na")]);
    }
}
