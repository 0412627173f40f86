//! The text as the reading view shows it: lines of words of signs, with brackets at the ends of each damaged or missing
//! stretch. It is plain data, so that unchanged lines can be recognised and need not be drawn again.

use crate::restore::state::work::{AcceptedReading, Work};
use tuppum_text::{Document, Joiner, Line, LineKind, Sign, SignIndex, SignKind, State, Style};

/// A line of the reading view.
#[derive(Clone, Debug, PartialEq)]
pub struct LineView {
    /// Number of the line in the input, from 1.
    pub place: usize,
    /// Label of the line without its full stop, or its number among the text lines.
    pub label: String,
    /// `true` if the label was typed.
    pub labelled: bool,
    /// Kind of line.
    pub kind: LineKind,
    /// Words of a text line.
    pub words: Vec<WordView>,
    /// Number of signs cut off at the end of the line, because the text is long.
    pub hidden: usize,
    /// Content of any other line as typed; only its beginning if it is very long.
    pub apart: String,
}

/// A word: signs that belong together.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WordView {
    /// Signs of the word in order.
    pub signs: Vec<SignView>,
}

/// A sign of the reading view.
#[derive(Clone, Debug, PartialEq)]
pub struct SignView {
    /// Number of the sign in the document.
    pub sign: SignIndex,
    /// Joiner and opening brackets before the sign.
    pub before: String,
    /// Closing brackets after the sign.
    pub after: String,
    /// State of preservation.
    pub state: State,
    /// Appearance of the sign.
    pub look: Look,
}

/// Appearance of a sign.
#[derive(Clone, Debug, PartialEq)]
pub enum Look {
    /// A reading.
    Reading(String),
    /// A sign to restore: illegible, or legible and chosen, then with its reading.
    Missing(Option<String>),
    /// A break to restore.
    Break,
    /// An illegible sign or break that is left alone.
    LeftAlone(String),
    /// Accepted proposals.
    Accepted(Vec<AcceptedReading>),
    /// Text that is not a reading, as typed, and the reason.
    Unreadable(String, String),
}

/// Average signs per line that the limit on drawn signs allows.
const SIGNS_PER_LINE: usize = 20;
/// Maximum number of characters shown of a line that is not transliteration.
const MAX_APART_CHARACTERS: usize = 2_000;

/// Returns the first `most` lines of a document as the reading view shows them; fewer if lines are very long.
pub fn lines(document: &Document, work: &Work, most: usize) -> Vec<LineView> {
    let mut first_sign = 0;
    let mut text_lines = 0;
    let mut views = Vec::new();
    let mut signs_left = most * SIGNS_PER_LINE;
    for (index, line) in document.lines.iter().take(most).enumerate() {
        if signs_left == 0 {
            break;
        }
        text_lines += usize::from(line.kind == LineKind::Text);
        if line.kind != LineKind::Empty {
            let shown = line.signs.len().min(signs_left);
            views.push(LineView {
                place: index + 1,
                hidden: line.signs.len() - shown,
                words: words(document, work, line.signs.get(..shown).unwrap_or_default(), first_sign),
                ..line_frame(document, line, text_lines)
            });
            signs_left -= shown;
        }
        first_sign += line.signs.len();
    }
    views
}

/// Makes a line without its signs.
fn line_frame(document: &Document, line: &Line, text_lines: usize) -> LineView {
    let typed = line.label_in(&document.source).map(str::to_owned);
    let text = line.kind == LineKind::Text;
    let apart = line.span.of(&document.source).trim();
    LineView {
        place: 0,
        labelled: typed.is_some(),
        label: typed.unwrap_or_else(|| if text { text_lines.to_string() } else { String::new() }),
        kind: line.kind,
        words: Vec::new(),
        hidden: 0,
        apart: if text { String::new() } else { apart.chars().take(MAX_APART_CHARACTERS).collect() },
    }
}

fn words(document: &Document, work: &Work, signs: &[Sign], first: SignIndex) -> Vec<WordView> {
    let mut words: Vec<WordView> = Vec::new();
    for (place, sign) in signs.iter().enumerate() {
        let state_before = place.checked_sub(1).and_then(|before| signs.get(before)).map(|sign| sign.state);
        let state_behind = signs.get(place + 1).map(|sign| sign.state);
        let mut before = joiner(sign.joiner).to_owned();
        if state_before != Some(sign.state) {
            before.push_str(brackets(sign.state).0);
        }
        let after = if state_behind == Some(sign.state) { "" } else { brackets(sign.state).1 };
        let index = first + place;
        let view = SignView {
            sign: index,
            before,
            after: after.to_owned(),
            state: sign.state,
            look: look(document, work, sign, index),
        };
        match words.last_mut() {
            Some(word) if !sign.starts_word() => word.signs.push(view),
            _ => words.push(WordView { signs: vec![view] }),
        }
    }
    words
}

fn look(document: &Document, work: &Work, sign: &Sign, index: SignIndex) -> Look {
    if let Some(accepted) = work.accepted_at(index) {
        return Look::Accepted(accepted.readings.clone());
    }
    let gap = work.is_gap(index, sign);
    match &sign.kind {
        SignKind::Reading(reading) if gap => Look::Missing(Some(displayed(reading, document))),
        SignKind::Reading(reading) => Look::Reading(displayed(reading, document)),
        SignKind::Illegible if gap => Look::Missing(None),
        SignKind::Illegible => Look::LeftAlone("x".into()),
        SignKind::Gap if gap => Look::Break,
        SignKind::Gap => Look::LeftAlone("…".into()),
        SignKind::Unreadable => {
            let covers = |d: &&tuppum_text::Diagnostic| d.span.start < sign.span.end && sign.span.start < d.span.end;
            let reason = document.diagnostics.iter().find(covers).map(|diagnostic| diagnostic.message.clone());
            Look::Unreadable(sign.span.of(&document.source).to_owned(), reason.unwrap_or_default())
        }
    }
}

/// Writes a canonical reading for display: with subscripts, and with ḫ for users who write it.
pub fn displayed(reading: &str, document: &Document) -> String {
    tuppum_text::write::reading(reading, &Style { breve_h: document.style.breve_h, ..Style::default() })
}

/// Writes a canonical reading in the text's own convention.
pub fn as_the_text_writes(reading: &str, document: &Document) -> String {
    tuppum_text::write::reading(reading, &document.style)
}

fn joiner(joiner: Joiner) -> &'static str {
    match joiner {
        Joiner::Space | Joiner::Nothing => "",
        Joiner::Hyphen => "-",
        Joiner::Dot => ".",
        Joiner::Plus => "+",
    }
}

fn brackets(state: State) -> (&'static str, &'static str) {
    match state {
        State::Preserved => ("", ""),
        State::Damaged => ("⸢", "⸣"),
        State::Missing => ("[", "]"),
    }
}

/// Returns the CDLI number in a heading (`&P361583 = ...`): a P and six digits.
pub fn cdli_number(heading: &str) -> Option<&str> {
    let number = heading.strip_prefix('&')?.split(|letter: char| !letter.is_ascii_alphanumeric()).next()?;
    let digits = number.strip_prefix('P')?;
    (digits.len() == 6 && digits.bytes().all(|digit| digit.is_ascii_digit())).then_some(number)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tuppum_text::{ConventionFound, Language, Span};

    fn sign(kind: SignKind, state: State, joiner: Joiner) -> Sign {
        Sign { span: Span::default(), kind, state, joiner, language: Language::default() }
    }

    fn reading(text: &str, state: State, joiner: Joiner) -> Sign {
        sign(SignKind::Reading(text.into()), state, joiner)
    }

    fn document(signs: Vec<Sign>) -> Document {
        let label_is_inferred = false;
        let line = Line { span: Span::default(), label: None, label_is_inferred, kind: LineKind::Text, signs };
        let style = Style { breve_h: true, ..Style::default() };
        let (source, convention) = (String::new(), ConventionFound::default());
        Document { source, convention, style, lines: vec![line], edits: Vec::new(), diagnostics: Vec::new() }
    }

    #[test]
    fn brackets_enclose_a_stretch_not_each_sign() {
        let signs = vec![
            reading("a", State::Missing, Joiner::Space),
            reading("na", State::Missing, Joiner::Hyphen),
            reading("LUGAL", State::Damaged, Joiner::Space),
            reading("ia", State::Preserved, Joiner::Hyphen),
        ];
        let views = lines(&document(signs), &Work::default(), 10);
        let set = |word: &WordView| -> String {
            word.signs.iter().map(|sign| format!("{}_{}", sign.before, sign.after)).collect()
        };
        let shown: Vec<_> = views[0].words.iter().map(set).collect();
        assert_eq!(shown, ["[_-_]", "⸢_⸣-_"]);
    }

    #[test]
    fn what_is_chosen_left_alone_or_accepted_looks_so() {
        let signs = vec![
            reading("ha", State::Preserved, Joiner::Space),
            sign(SignKind::Illegible, State::Preserved, Joiner::Space),
            sign(SignKind::Gap, State::Missing, Joiner::Space),
        ];
        let mut work = Work { chosen: vec![0], left_alone: vec![1], ..Work::default() };
        work.accept(crate::restore::state::work::Accepted { sign: 2, readings: Vec::new(), model: None });
        let views = lines(&document(signs), &work, 10);
        let looks: Vec<_> = views[0].words.iter().flat_map(|word| &word.signs).map(|sign| sign.look.clone()).collect();
        assert_eq!(looks, [Look::Missing(Some("ḫa".into())), Look::LeftAlone("x".into()), Look::Accepted(Vec::new())]);
    }

    #[test]
    fn a_very_long_line_is_shown_in_part() {
        let signs = vec![reading("a", State::Preserved, Joiner::Space); SIGNS_PER_LINE + 5];
        let views = lines(&document(signs), &Work::default(), 1);
        assert_eq!((views[0].words.len(), views[0].hidden), (SIGNS_PER_LINE, 5));
    }

    #[test]
    fn headings_with_a_catalogue_number_are_known() {
        for (heading, expected) in [
            ("&P361583", Some("P361583")),
            ("&P361583 = CCT 3", Some("P361583")),
            ("&Q004739", None),
            ("P361583", None),
        ] {
            assert_eq!(cdli_number(heading), expected, "{heading}");
        }
    }
}
