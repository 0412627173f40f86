//! Exports answers as tab-separated values, as JSON, and as the text with its best filling. All three say that they are
//! a machine's proposals.

use super::{Answer, GapAnswer, JointReading, Question};
use serde::Serialize;
use tuppum_text::{Document, SignIndex, export::restored, table_cell};

/// Note in every export.
pub const NOTE: &str = "Machine proposals with probabilities, not readings of the tablet.";

/// Columns of [`tsv`].
///
/// - `kind`: `single` for a proposal for one gap, `length` for one length of a break, `joint` for a filling of all gaps
/// - `line`: label in the text, or number of the line in the typed text, from 1
/// - `sign`: index of the sign or break in the text, from 0
/// - `rank`: from 1, among rows of the same gap and kind
/// - `place`: number of the sign in a break's filling, from 1; otherwise 1
/// - `reading`, `written`: canonical, and in the convention of the text
/// - `glyph`, `sign_name`: of the sign, if the sign list has them
/// - `word_start`: 1 if the most likely form begins a word
/// - `probability`: of the proposal, of the length, or of the whole filling
pub const COLUMNS: [&str; 11] =
    ["kind", "line", "sign", "rank", "place", "reading", "written", "glyph", "sign_name", "word_start", "probability"];

#[derive(Serialize)]
struct Export<'a> {
    note: &'a str,
    tuppum: &'a str,
    model: &'a str,
    question: &'a Question,
    answer: &'a Answer,
}

/// Returns question and answer as JSON; `model` names the model that made the proposals.
pub fn json(question: &Question, answer: &Answer, model: &str) -> String {
    let export = Export { note: NOTE, tuppum: env!("CARGO_PKG_VERSION"), model, question, answer };
    // Plain data with string keys always serialises.
    serde_json::to_string_pretty(&export).unwrap_or_default()
}

/// Returns the answer as a table: remark lines that begin with `#`, a heading row with [`COLUMNS`], then one row per
/// reading.
pub fn tsv(document: &Document, answer: &Answer, model: &str) -> String {
    let mut rows = vec![
        format!("# {NOTE}"),
        format!("# tuppum {}, model {}", env!("CARGO_PKG_VERSION"), table_cell(model)),
        COLUMNS.join("\t"),
    ];
    for gap in &answer.gaps {
        gap_rows(document, gap, &mut rows);
    }
    for (rank, joint) in answer.joint.iter().enumerate() {
        filling_rows(document, "joint", rank, &joint.readings, joint.probability, &mut rows);
    }
    rows.push(String::new());
    rows.join("\n")
}

/// Returns the typed text with the best filling of all gaps in square brackets, in the user's convention.
pub fn text(document: &Document, answer: &Answer) -> String {
    let Some(best) = answer.joint.first() else { return document.source.clone() };
    let mut fillings: Vec<(SignIndex, Vec<(String, bool)>)> = Vec::new();
    for reading in &best.readings {
        let own = (reading.reading.clone(), reading.starts_word);
        match fillings.last_mut() {
            Some((sign, readings)) if *sign == reading.sign => readings.push(own),
            _ => fillings.push((reading.sign, vec![own])),
        }
    }
    restored(document, &fillings)
}

/// Returns the label of the line that contains a sign, or the line's number in the typed text.
pub fn label_of(document: &Document, sign: SignIndex) -> String {
    let number = line_of(document, sign);
    let line = number.checked_sub(1).and_then(|place| document.lines.get(place));
    let label = line.and_then(|line| line.label_in(&document.source));
    label.map_or_else(|| number.to_string(), str::to_owned)
}

/// Returns the number, from 1, of the line that contains a sign; 0 for a sign beyond the text.
pub fn line_of(document: &Document, sign: SignIndex) -> usize {
    let mut signs = 0;
    let holds = |line: &tuppum_text::Line| {
        signs += line.signs.len();
        sign < signs
    };
    document.lines.iter().position(holds).map_or(0, |line| line + 1)
}

fn gap_rows(document: &Document, gap: &GapAnswer, rows: &mut Vec<String>) {
    for (rank, proposal) in gap.proposals.iter().enumerate() {
        rows.push(row(&[
            "single",
            &label_of(document, gap.sign),
            &gap.sign.to_string(),
            &(rank + 1).to_string(),
            "1",
            &proposal.reading,
            &proposal.written,
            &proposal.glyph,
            &proposal.sign_name,
            if proposal.starts_word { "1" } else { "0" },
            &proposal.probability.to_string(),
        ]));
    }
    for (rank, length) in gap.lengths.iter().enumerate() {
        filling_rows(document, "length", rank, &length.readings, length.probability, rows);
    }
}

fn filling_rows(
    document: &Document,
    kind: &str,
    rank: usize,
    readings: &[JointReading],
    probability: f32,
    rows: &mut Vec<String>,
) {
    let (mut place, mut before) = (0, None);
    for reading in readings {
        place = if before == Some(reading.sign) { place + 1 } else { 1 };
        before = Some(reading.sign);
        rows.push(row(&[
            kind,
            &label_of(document, reading.sign),
            &reading.sign.to_string(),
            &(rank + 1).to_string(),
            &place.to_string(),
            &reading.reading,
            &reading.written,
            &reading.glyph,
            "",
            if reading.starts_word { "1" } else { "0" },
            &probability.to_string(),
        ]));
    }
}

fn row(cells: &[&str; COLUMNS.len()]) -> String {
    cells.map(table_cell).join("\t")
}

#[cfg(test)]
mod tests {
    use super::super::{Joint, LengthAnswer, Proposal};
    use super::*;

    fn reading(sign: SignIndex, reading: &str) -> JointReading {
        JointReading {
            sign,
            reading: reading.into(),
            written: reading.into(),
            glyph: String::new(),
            starts_word: false,
            probability: 0.5,
        }
    }

    fn answer() -> Answer {
        let proposal = Proposal {
            reading: "ma".into(),
            written: "m\ta".into(),
            glyph: "𒈠".into(),
            sign_name: "MA".into(),
            starts_word: true,
            probability: 0.25,
            variants: Vec::new(),
        };
        let single = GapAnswer { sign: 1, proposals: vec![proposal], lengths: Vec::new(), word_start: 0.5 };
        let lengths =
            vec![LengthAnswer { length: 2, probability: 1.0, readings: vec![reading(3, "a"), reading(3, "na")] }];
        let gap = GapAnswer { sign: 3, proposals: Vec::new(), lengths, word_start: 0.5 };
        let readings = vec![reading(1, "ma"), reading(3, "a"), reading(3, "na")];
        let joint = vec![Joint { readings, probability: 1.0, log_probability: -2.0 }];
        Answer { gaps: vec![single, gap], joint }
    }

    #[test]
    fn the_table_says_what_it_is_and_every_row_has_all_columns() {
        let table = tsv(&Document::read("a x\nna ..."), &answer(), "some\tmodel");
        let rows: Vec<&str> = table.lines().collect();
        assert!(rows[0].starts_with("# Machine proposals"));
        assert!(rows[1].ends_with("model some model"));
        assert!(rows[2..].iter().all(|row| row.split('\t').count() == COLUMNS.len()), "{table}");
        assert_eq!(rows[3], "single\t1\t1\t1\t1\tma\tm a\t𒈠\tMA\t1\t0.25");
        assert_eq!(rows[5], "length\t2\t3\t1\t2\tna\tna\t\t\t0\t1");
        assert_eq!(rows.len(), 9);
    }

    #[test]
    fn no_reading_is_a_formula_in_a_spreadsheet() {
        let mut answer = answer();
        answer.gaps[0].proposals[0].reading = "=1+1".into();
        answer.joint[0].readings[0].written = "-ma".into();
        let table = tsv(&Document::read("a x\nna ..."), &answer, "=model");
        assert!(table.contains("\t =1+1\t") && table.contains("\t -ma\t"), "{table}");
    }

    #[test]
    fn lines_are_called_as_the_text_calls_them() {
        let document = Document::read("@reverse\n3'. a x\nna ...");
        assert_eq!([0, 1, 2].map(|sign| label_of(&document, sign)), ["3'", "3'", "3"]);
        assert!(tsv(&document, &answer(), "model").contains("single\t3'\t1\t"));
    }

    #[test]
    fn json_holds_what_is_needed_to_ask_again() {
        let question = Question::about("a x\nna ...");
        let value: serde_json::Value = serde_json::from_str(&json(&question, &answer(), "model")).unwrap_or_default();
        assert_eq!(value["note"], NOTE);
        assert_eq!(serde_json::from_value::<Question>(value["question"].clone()).ok(), Some(question));
        assert_eq!(serde_json::from_value::<Answer>(value["answer"].clone()).ok(), Some(answer()));
    }

    #[test]
    fn without_a_filling_the_text_is_as_typed() {
        let document = Document::read("a x\nna ...");
        assert_eq!(text(&document, &Answer::default()), document.source);
    }
}
