//! The result as JSON, with what the command line writes plus accepted readings and device, and the text with its
//! accepted readings. Tables are those of the command line (`export::tsv`).

pub mod apparatus;
pub mod view;

use crate::kit::format::line_and_column;
use crate::restore::state::work::{Accepted, Work};
use crate::translate::state::passages::lines_of;
use serde::Serialize;
use tuppum_protocol::export::NOTE;
use tuppum_protocol::{Answer, DeviceReport, ModelRef, Question};
use tuppum_text::export::{filling_as_written, restored};
use tuppum_text::{Document, Line, Sign, SignIndex};

/// The result as JSON: enough to ask the same question again.
#[derive(Serialize)]
struct ExportedResult<'a> {
    note: &'static str,
    tuppum: &'static str,
    model: &'a ModelRef,
    device: Option<&'a DeviceReport>,
    question: &'a Question,
    canonical: &'a str,
    accepted: &'a [Accepted],
    answer: Option<&'a Answer>,
}

/// Writes the work, and the answer with its question, as JSON.
pub fn json(
    work: &Work,
    canonical: &str,
    answered: Option<(&Question, &Answer)>,
    model: &ModelRef,
    device: Option<&DeviceReport>,
) -> String {
    let present = work.question();
    let (question, answer) = answered.map_or((&present, None), |(question, answer)| (question, Some(answer)));
    let result = ExportedResult {
        note: NOTE,
        tuppum: env!("CARGO_PKG_VERSION"),
        model,
        device,
        question,
        canonical,
        accepted: &work.accepted,
        answer,
    };
    serde_json::to_string_pretty(&result).unwrap_or_default()
}

/// Returns the label of the line that holds a sign, or the line's number in the input.
pub fn line_of(document: &Document, sign: SignIndex) -> String {
    let mut first = 0;
    for line in &document.lines {
        if sign < first + line.signs.len() {
            return label_of_line(document, line);
        }
        first += line.signs.len();
    }
    String::new()
}

/// Returns the text with its accepted readings in brackets.
pub fn restored_text(document: &Document, work: &Work) -> String {
    let filled: Vec<_> = work.accepted.iter().map(|accepted| (accepted.sign, accepted.filled().readings)).collect();
    restored(document, &filled)
}

/// Returns the text with its accepted readings and, below, an ATF remark that tells them from the editor's own, which
/// also stand in brackets.
pub fn copied_text(document: &Document, work: &Work) -> String {
    let text = restored_text(document, work);
    if work.accepted.is_empty() {
        return text;
    }
    let one = |accepted: &Accepted| {
        let written = filling_as_written(document, accepted.sign, &accepted.filled().readings).unwrap_or_default();
        let probability = accepted.readings.iter().map(|reading| reading.probability).product::<f32>();
        format!("{}: [{written}] ({probability:.2})", place_in_copy(document, work, accepted.sign))
    };
    let all: Vec<String> = work.accepted.iter().map(one).collect();
    let line_end = if text.ends_with('\n') { "" } else { "\n" };
    format!(
        "{text}{line_end}#note: Proposed by a machine (Tuppum {}) and accepted, not seen on the tablet, with their \
         probability: {}\n",
        env!("CARGO_PKG_VERSION"),
        all.join("; ")
    )
}

/// Returns the place of a filling in the text with all fillings: its line, with the surface if another line has the
/// same label, and the number of its sign.
fn place_in_copy(document: &Document, work: &Work, sign: SignIndex) -> String {
    let Some(number) = line_number(document, sign) else { return String::new() };
    let first: usize = document.lines.iter().take(number).map(|line| line.signs.len()).sum();
    let earlier = work.accepted.iter().filter(|other| (first..sign).contains(&other.sign));
    let more: usize = earlier.map(|other| other.readings.len().saturating_sub(1)).sum();
    format!("{}, sign {}", lines_of(document, &(number..number + 1)), sign - first + 1 + more)
}

/// Returns the label of a line, or its number in the input.
pub fn label_of_line(document: &Document, line: &Line) -> String {
    let number = || line_and_column(&document.source, line.span.start).0.to_string();
    line.label_in(&document.source).map_or_else(number, str::to_owned)
}

/// Returns the number of the line that holds a sign, counted from 0.
pub fn line_number(document: &Document, sign: SignIndex) -> Option<usize> {
    let mut signs = 0;
    document.lines.iter().position(|line| {
        signs += line.signs.len();
        sign < signs
    })
}

/// Returns the sign with this number.
pub fn sign_at(document: &Document, sign: SignIndex) -> Option<&Sign> {
    document.signs().nth(sign)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::restore::state::work::AcceptedReading;
    use tuppum_text::LineKind;

    #[test]
    fn json_can_be_read_back_and_says_what_it_is() {
        let work = Work::on("a-na x");
        let model = ModelRef::shipped("models/restorer/");
        let text = json(&work, "a-na x", Some((&work.question(), &Answer::default())), &model, None);
        let value: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!((&value["note"], &value["model"]), (&NOTE.into(), &"models/restorer/".into()));
        assert_eq!(value["question"]["text"], "a-na x");
        assert_eq!(value["answer"]["gaps"], serde_json::json!([]));
    }

    #[test]
    fn a_copied_text_tells_a_machine_s_readings_from_an_editor_s() {
        let mut work = Work::on("1. a-na [szar] x\n2'. [...] be-li2");
        let untouched = copied_text(&Document::read(&work.text), &work);
        assert_eq!(untouched, work.text, "nothing accepted is nothing said");
        let reading = |written: &str, starts_word, probability| AcceptedReading {
            reading: written.into(),
            written: written.into(),
            glyph: String::new(),
            starts_word,
            probability,
        };
        work.accept(Accepted { sign: 3, readings: vec![reading("ri", true, 0.814)], model: None });
        work.accept(Accepted {
            sign: 4,
            readings: vec![reading("um", true, 0.5), reading("ma", false, 0.5)],
            model: None,
        });
        let text = copied_text(&Document::read(&work.text), &work);
        let (first, note) = text.split_once("\n#note: ").expect("a remark");
        assert_eq!(first, "1. a-na [szar] [ri]\n2'. [um-ma] be-li2");
        assert!(
            note.contains("not seen on the tablet")
                && note.ends_with(": 1, sign 4: [ri] (0.81); 2', sign 1: [um-ma] (0.25)\n"),
            "{note}"
        );
        let kinds: Vec<LineKind> = Document::read(&text).lines.iter().map(|line| line.kind).collect();
        assert_eq!(kinds, [LineKind::Text, LineKind::Text, LineKind::Comment], "it is read as a remark");

        let mut work = Work::on("@obverse\n1. x a-na ... x\n@reverse\n1. x");
        for sign in [3, 4, 5] {
            let both = vec![reading("um", true, 0.5), reading("ma", false, 0.5)];
            work.accept(Accepted { sign, readings: both, model: None });
        }
        let text = copied_text(&Document::read(&work.text), &work);
        let note = text.lines().last().unwrap_or_default();
        for place in ["o 1, sign 4:", "o 1, sign 6:", "r 1, sign 1:"] {
            assert!(note.contains(place), "{place} in {note}");
        }
    }
}
