//! What leaves the page: tab-separated values and JSON. Both say that their proposals are a machine's.

use super::format::line_and_column;
use super::work::Work;
use crate::engine::protocol::{Answer, DeviceReport, GapAnswer, Proposal};
use crate::text::{Document, Sign, SignIndex};
use serde::Serialize;

/// What every export says about itself.
pub const NOTE: &str = "Machine proposals with probabilities, not readings of the tablet.";

/// The result as JSON holds it: enough to ask the same question again.
#[derive(Serialize)]
struct Result<'a> {
    note: &'static str,
    tuppum: &'static str,
    model: &'a str,
    device: Option<&'a DeviceReport>,
    question: crate::engine::protocol::Question,
    canonical: &'a str,
    accepted: &'a [super::work::Accepted],
    answer: Option<&'a Answer>,
}

/// Question, accepted readings and answer as JSON.
pub fn json(work: &Work, canonical: &str, answer: Option<&Answer>, model: &str, device: Option<&DeviceReport>) -> String {
    let result = Result {
        note: NOTE,
        tuppum: env!("CARGO_PKG_VERSION"),
        model,
        device,
        question: work.question(),
        canonical,
        accepted: &work.accepted,
        answer,
    };
    serde_json::to_string_pretty(&result).unwrap_or_default()
}

/// One row for each proposal of each gap, with a heading row.
pub fn table(document: &Document, work: &Work, answer: Option<&Answer>) -> String {
    let mut rows = vec![
        ["line", "sign", "length", "rank", "reading", "written", "glyph", "sign_name", "word_start", "probability", "accepted"]
            .join("\t"),
    ];
    for gap in answer.map_or(&[][..], |answer| &answer.gaps) {
        rows.extend(gap_rows(document, work, gap));
    }
    for accepted in &work.accepted {
        let line = line_of(document, accepted.sign);
        for (place, reading) in accepted.readings.iter().enumerate() {
            let length = accepted.readings.len().to_string();
            let cells = [
                &line,
                &accepted.sign.to_string(),
                &length,
                &(place + 1).to_string(),
                &reading.reading,
                &reading.written,
                &reading.glyph,
                "",
                yes(reading.starts_word),
                &reading.probability.to_string(),
                "yes",
            ];
            rows.push(row(&cells));
        }
    }
    rows.push(String::new());
    rows.join("\n")
}

fn gap_rows(document: &Document, work: &Work, gap: &GapAnswer) -> Vec<String> {
    let line = line_of(document, gap.sign);
    let accepted = work.accepted_at(gap.sign).is_some();
    let single = |(rank, proposal): (usize, &Proposal)| {
        row(&[
            &line,
            &gap.sign.to_string(),
            "1",
            &(rank + 1).to_string(),
            &proposal.reading,
            &proposal.written,
            &proposal.glyph,
            &proposal.sign_name,
            yes(proposal.starts_word),
            &proposal.probability.to_string(),
            yes(accepted),
        ])
    };
    let mut rows: Vec<String> = gap.proposals.iter().enumerate().map(single).collect();
    for (rank, length) in gap.lengths.iter().enumerate() {
        let all = |text: fn(&crate::engine::protocol::JointReading) -> &str| -> String {
            length.readings.iter().map(text).collect::<Vec<_>>().join(" ")
        };
        rows.push(row(&[
            &line,
            &gap.sign.to_string(),
            &length.length.to_string(),
            &(rank + 1).to_string(),
            &all(|reading| &reading.reading),
            &all(|reading| &reading.written),
            &all(|reading| &reading.glyph),
            "",
            "",
            &length.probability.to_string(),
            yes(accepted),
        ]));
    }
    rows
}

fn yes(fact: bool) -> &'static str {
    if fact { "yes" } else { "no" }
}

/// A row whose cells cannot break the table.
fn row(cells: &[&str]) -> String {
    cells.iter().map(|cell| cell.replace(['\t', '\n', '\r'], " ")).collect::<Vec<_>>().join("\t")
}

/// The label of the line that a sign stands in, or the line's number in the input.
pub fn line_of(document: &Document, sign: SignIndex) -> String {
    let mut first = 0;
    for line in &document.lines {
        if sign < first + line.signs.len() {
            let label = line.label.map(|span| span.of(&document.source).trim().trim_end_matches('.').to_owned());
            return label.unwrap_or_else(|| line_and_column(&document.source, line.span.start).0.to_string());
        }
        first += line.signs.len();
    }
    String::new()
}

/// The sign with this number.
pub fn sign_at(document: &Document, sign: SignIndex) -> Option<&Sign> {
    document.signs().nth(sign)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_cannot_break_the_table() {
        assert_eq!(row(&["a\tb", "c\nd"]), "a b\tc d");
    }

    #[test]
    fn json_can_be_read_back_and_says_what_it_is() {
        let text = json(&Work::on("a-na x"), "a-na x", Some(&Answer::default()), "models/restorer/", None);
        let value: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(value["note"], NOTE);
        assert_eq!(value["question"]["text"], "a-na x");
        assert_eq!(value["answer"]["gaps"], serde_json::json!([]));
    }
}
