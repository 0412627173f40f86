//! Texts to train a restorer with: lines of signs and their states, from a corpus or from a transliteration.

use crate::error::TextProblem;
use serde::{Deserialize, Serialize};
use tuppum_text::pair_table::Damage;
use tuppum_text::{Document, Line, LineKind, SignKind, SignState, speaks_of_a_break};

/// Stand-in for a sign that cannot be read, as in the corpora.
const ILLEGIBLE: &str = "x";
/// Stand-in for a break of unknown length.
const BREAK: &str = "...";
/// Token for signs that are no reading in any convention: no vocabulary has it.
const UNREADABLE: &str = "<unk>";

/// A text without translation.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Text {
    /// Number of the text, which decides if it is held out. If it is empty, the text's content decides.
    #[serde(default)]
    pub name: String,
    /// Lines of the text.
    pub lines: Vec<CorpusLine>,
}

/// A line of a text.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CorpusLine {
    /// Signs separated by spaces: canonical readings, with a leading `-` inside a word; `x` for an illegible sign and
    /// `...` for a break of unknown length, as their state says.
    pub signs: String,
    /// One letter per sign for its state, as in the corpora.
    pub states: String,
}

/// A sign of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineSign<'l> {
    /// Reading of the sign.
    pub reading: &'l str,
    /// `true` if a word begins with the sign.
    pub starts_word: bool,
    /// State of preservation.
    pub state: SignState,
}

/// Sign of a break of unknown length.
const LOST: LineSign = LineSign { reading: BREAK, starts_word: true, state: SignState::Break };

impl CorpusLine {
    /// Returns a line of a transliteration as models see it; empty if they see nothing of it.
    pub fn of_line(line: &Line, source: &str) -> Self {
        let mut own = Self::default();
        match line.kind {
            LineKind::Text => {
                line.seen_by_models().for_each(|seen| own.push(seen.map_or(LOST, |(_, sign)| line_sign(sign))));
            }
            LineKind::State if speaks_of_a_break(line.span.of(source)) => own.push(LOST),
            _ => {}
        }
        own
    }

    /// Adds a sign. The reading of an illegible sign or a break is ignored.
    pub fn push(&mut self, sign: LineSign) {
        let LineSign { reading, starts_word, state } = sign;
        if !self.states.is_empty() {
            self.signs.push(' ');
        }
        if !starts_word && state != SignState::Break {
            self.signs.push('-');
        }
        self.signs.push_str(match state {
            SignState::Illegible => ILLEGIBLE,
            SignState::Break => BREAK,
            // Such a reading would vanish between the spaces, or become two.
            _ if reading.is_empty() || reading.contains(char::is_whitespace) => UNREADABLE,
            _ => reading,
        });
        self.states.push(state.letter());
    }

    /// Returns the signs of the line in order; malformed ones, which [`Text::check`] reports, are left out.
    pub fn signs(&self) -> impl Iterator<Item = LineSign<'_>> {
        self.signs.split_whitespace().zip(self.states.chars()).filter_map(|(written, letter)| {
            let state = SignState::of_letter(letter)?;
            let (reading, starts_word) = match written.strip_prefix('-') {
                Some(reading) if !reading.is_empty() => (reading, false),
                _ => (written, true),
            };
            Some(LineSign { reading, starts_word, state })
        })
    }
}

impl Text {
    /// Returns the text of a transliteration. A `$` line about lost writing becomes a line with one break, as the
    /// restorer reads it; other languages than Akkadian are left out.
    pub fn of_document(name: impl Into<String>, document: &Document) -> Self {
        let lines = document.lines.iter().map(|line| CorpusLine::of_line(line, &document.source));
        Self { name: name.into(), lines: lines.filter(|line| !line.states.is_empty()).collect() }
    }

    /// Returns the key by which the text is held out.
    pub fn key(&self) -> String {
        if self.name.is_empty() {
            self.lines.iter().map(|line| line.signs.as_str()).collect::<Vec<_>>().join("\n")
        } else {
            self.name.clone()
        }
    }

    /// Returns the number of legible signs.
    pub fn legible(&self) -> usize {
        let legible = |sign: &LineSign| sign.state.is_legible();
        self.lines.iter().flat_map(CorpusLine::signs).filter(legible).count()
    }

    /// Counts the signs except breaks of unknown length.
    pub fn count(&self, damage: &mut Damage) {
        for sign in self.lines.iter().flat_map(CorpusLine::signs).filter(|sign| sign.state != SignState::Break) {
            damage.signs += 1;
            damage.damaged += usize::from(sign.state != SignState::Preserved);
        }
    }

    /// Checks that every sign has a known state.
    ///
    /// # Errors
    /// Names the first faulty line.
    pub fn check(&self) -> Result<(), TextProblem> {
        for (number, CorpusLine { signs, states }) in self.lines.iter().enumerate() {
            let line = number + 1;
            let [count, letters] = [signs.split_whitespace().count(), states.chars().count()];
            if count != letters {
                return Err(TextProblem::States { line, signs: count, states: letters });
            }
            if let Some(letter) = states.chars().find(|letter| SignState::of_letter(*letter).is_none()) {
                return Err(TextProblem::State { line, letter });
            }
        }
        Ok(())
    }
}

fn line_sign(sign: &tuppum_text::Sign) -> LineSign<'_> {
    let starts_word = sign.starts_word();
    let reading = match &sign.kind {
        SignKind::Illegible => ILLEGIBLE,
        SignKind::Gap => BREAK,
        SignKind::Unreadable => UNREADABLE,
        SignKind::Reading(reading) => reading.as_str(),
    };
    LineSign { reading, starts_word, state: sign.standing() }
}

/// Returns the texts of a file of transliterations. Lines such as `&P361583 = …` begin a text of that number; in a file
/// without them, empty lines separate texts, which have no name.
pub fn texts(typed: &str) -> Vec<Text> {
    let whole = Document::read(typed);
    let has_headings = whole.lines.iter().any(|line| line.kind == LineKind::Heading);
    let parts = if has_headings { LineKind::Heading } else { LineKind::Empty };
    let read = |document: &Document| Text::of_document(number_of(document), document);
    parted(&whole, parts).iter().map(read).filter(|text| !text.lines.is_empty()).collect()
}

/// Splits a transliteration of several texts into one document each; a line of this kind begins the next text.
pub fn parted(whole: &Document, parts: LineKind) -> Vec<Document> {
    let typed = whole.source.as_str();
    let mut starts: Vec<usize> =
        whole.lines.iter().filter(|line| line.kind == parts).map(|line| line.span.start).collect();
    starts.insert(0, 0);
    let ends = starts.iter().skip(1).copied().chain([typed.len()]);
    starts.iter().zip(ends).filter_map(|(start, end)| typed.get(*start..end)).map(Document::read).collect()
}

/// Returns the number in a text's first heading (`&P361583 = …`); empty if there is none.
pub fn number_of(document: &Document) -> &str {
    let heading = document.lines.iter().find(|line| line.kind == LineKind::Heading);
    let name = heading.map(|line| line.span.of(&document.source).trim().trim_start_matches('&'));
    name.and_then(|name| name.split_whitespace().next()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(typed: &str, expected: &[(&str, &[(&str, &str)])]) {
        let found = texts(typed);
        let found: Vec<(&str, Vec<(&str, &str)>)> = found
            .iter()
            .map(|text| {
                let lines = text.lines.iter().map(|line| (line.signs.as_str(), line.states.as_str()));
                (text.name.as_str(), lines.collect())
            })
            .collect();
        let expected: Vec<_> = expected.iter().map(|(name, lines)| (*name, lines.to_vec())).collect();
        assert_eq!(found, expected, "{typed}");
    }

    #[test]
    fn headings_part_texts_and_else_empty_lines_do() {
        check(
            "&P000001 = one\n@obverse\n1. a-na x\n\n2. [be]-⸢li₂⸣\n$ 3 lines broken\n&P000002\n1. LUGAL [...]\n",
            &[("P000001", &[("a -na x", "PPX"), ("be -li₂", "MD"), ("...", "G")]), ("P000002", &[("LUGAL ...", "PG")])],
        );
        check("1. a-na\n2. šu\n\n\n1. i-na", &[("", &[("a -na", "PP"), ("šu", "P")]), ("", &[("i -na", "PP")])]);
        check("", &[]);
        check("\n\n", &[]);
    }

    #[test]
    fn other_languages_are_left_out() {
        let text = Text::of_document("", &Document::read("1. %sux lugal x\n2. a %sux lugal x %akk na"));
        let lines: Vec<(&str, &str)> = text.lines.iter().map(|line| (&*line.signs, &*line.states)).collect();
        assert_eq!(lines, [("a ... na", "PGP")]);
    }

    #[test]
    fn signs_come_back_as_they_were_pushed() {
        let signs = [
            ("{d}", true, SignState::Preserved),
            ("UTU", false, SignState::Damaged),
            ("x", false, SignState::Illegible),
            ("...", true, SignState::Break),
            ("1(diš)", true, SignState::Restored),
        ]
        .map(|(reading, starts_word, state)| LineSign { reading, starts_word, state });
        let mut line = CorpusLine::default();
        signs.into_iter().for_each(|sign| line.push(sign));
        assert_eq!((line.signs.as_str(), line.states.as_str()), ("{d} -UTU -x ... 1(diš)", "PDXGM"));
        assert_eq!(line.signs().collect::<Vec<_>>(), signs);
        let text = Text { name: String::new(), lines: vec![line] };
        let mut damage = Damage::default();
        text.count(&mut damage);
        assert_eq!((text.legible(), damage), (3, Damage { signs: 4, damaged: 3 }));
        assert_eq!(text.check(), Ok(()));
        let wrong = Text { lines: vec![CorpusLine { signs: "a".into(), states: "Q".into() }], ..Text::default() };
        assert!(wrong.check().unwrap_err().to_string().contains("state 'Q'"));
    }
}
