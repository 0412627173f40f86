//! Translations as data to take along: text, a table, JSON. All say that they are a machine's proposals, which of them
//! the user chose or wrote, and which are outdated or unfinished. TEI is in `tei`.

use super::labels::label;
use super::rendering::Rendering;
use crate::restore::work::Work;
use serde::Serialize;
use tuppum_protocol::TranslatorReport;
use tuppum_protocol::translation::Passage;
use tuppum_text::{Document, LineKind};

/// What every export says about itself.
pub const STATEMENT: &str = "The translation is a machine's proposal, with the probabilities of its model; where it is \
    marked as the user's, a person edited it. Restored signs marked as Tuppum's were proposed by a machine and \
    accepted by the user; they have not been seen on the tablet.";

/// The columns of [`tsv`].
///
/// - `lines`: labels of the passage's lines
/// - `rank`: of a candidate, from 1; empty for the user's own wording
/// - `stands`: 1 for what the user chose or wrote
/// - `by`: `machine` or `user`
/// - `status`: `current`, `outdated` or `unfinished`
/// - `probability`: of the whole; `byte_probability`: mean of its bytes; `score`: what candidates are ranked by
/// - `translation`, and `source`: what the model read
/// - `model`: the translator
pub const COLUMNS: [&str; 11] = [
    "lines",
    "rank",
    "stands",
    "by",
    "status",
    "probability",
    "byte_probability",
    "score",
    "translation",
    "source",
    "model",
];

/// What a text is called: its heading, or that it has none.
pub fn title(document: &Document) -> String {
    let heading = document.lines.iter().find(|line| line.kind == LineKind::Heading);
    let own = heading.map(|line| line.span.of(&document.source).trim().trim_start_matches('&'));
    let name = own.map(|own| own.split_once('=').map_or(own, |(_, name)| name).trim());
    name.filter(|name| !name.is_empty()).unwrap_or("Untitled text").to_owned()
}

/// How a rendering stands, in a word.
pub fn status(rendering: &Rendering, now: Option<&Passage>) -> &'static str {
    match (now, rendering.is_unfinished()) {
        (None, _) => "outdated",
        (Some(_), true) => "unfinished",
        (Some(_), false) => "current",
    }
}

/// The English as it stands, a passage a line, after a remark on what it is.
pub fn text(document: &Document, renderings: &[Rendering], standing: &[Option<Passage>]) -> String {
    let mut out = format!("# {STATEMENT}\n");
    for (rendering, now) in renderings.iter().zip(standing) {
        let mark = match (status(rendering, now.as_ref()), rendering.own_wording()) {
            ("outdated", _) => " [made for an earlier wording of the text]",
            ("unfinished", _) => " [unfinished]",
            (_, Some(_)) => " [edited by the user]",
            _ => "",
        };
        out.push_str(&format!("{}. {}{mark}\n", label(document, rendering, now.as_ref()), clean(rendering.text())));
    }
    out
}

/// A table: remarks that begin with `#`, a row with [`COLUMNS`], then one row for each candidate and each own wording.
pub fn tsv(document: &Document, renderings: &[Rendering], standing: &[Option<Passage>]) -> String {
    let mut rows = vec![
        format!("# {STATEMENT}"),
        format!("# tuppum {}, {}", env!("CARGO_PKG_VERSION"), clean(&models(renderings))),
        COLUMNS.join("\t"),
    ];
    for (rendering, now) in renderings.iter().zip(standing) {
        let lines = label(document, rendering, now.as_ref());
        let status = status(rendering, now.as_ref());
        let own = rendering.own_wording().is_some();
        let model = rendering.made.model.to_string();
        let mut push = |rank: &str, stands: bool, by: &str, numbers: [String; 3], text: &str| {
            let [probability, byte_probability, score] = numbers;
            let stands = if stands { "1" } else { "0" };
            let cells = [
                &lines,
                rank,
                stands,
                by,
                status,
                &probability,
                &byte_probability,
                &score,
                text,
                &rendering.translated.source,
                &model,
            ];
            rows.push(cells.map(clean).join("\t"));
        };
        for (rank, candidate) in rendering.translated.candidates.iter().enumerate() {
            let numbers = [candidate.probability, candidate.byte_probability, candidate.score].map(|n| n.to_string());
            push(&(rank + 1).to_string(), !own && rank == rendering.chosen, "machine", numbers, &candidate.text);
        }
        if rendering.is_unfinished() {
            push("", true, "machine", Default::default(), &rendering.translated.partial);
        }
        if let Some(edited) = &rendering.edited {
            push("", own, "user", Default::default(), edited);
        }
    }
    rows.push(String::new());
    rows.join("\n")
}

/// Everything as JSON: the text, what was accepted in it, and every passage with its candidates, words and alignment.
pub fn json(
    work: &Work,
    document: &Document,
    renderings: &[Rendering],
    standing: &[Option<Passage>],
    translator: Option<&TranslatorReport>,
) -> String {
    #[derive(Serialize)]
    struct Result<'a> {
        note: &'static str,
        tuppum: &'static str,
        translator: Option<&'a TranslatorReport>,
        text: &'a str,
        canonical: String,
        accepted: &'a [crate::restore::work::Accepted],
        passages: Vec<One<'a>>,
    }
    #[derive(Serialize)]
    struct One<'a> {
        lines: String,
        status: &'static str,
        translation: &'a str,
        by: &'static str,
        #[serde(flatten)]
        rendering: &'a Rendering,
    }
    let passages = renderings.iter().zip(standing).map(|(rendering, now)| {
        let (lines, status) = (label(document, rendering, now.as_ref()), status(rendering, now.as_ref()));
        let by = if rendering.own_wording().is_some() { "user" } else { "machine" };
        One { lines, status, translation: rendering.text(), by, rendering }
    });
    let result = Result {
        note: STATEMENT,
        tuppum: env!("CARGO_PKG_VERSION"),
        translator,
        text: &work.text,
        canonical: document.canonical(),
        accepted: &work.accepted,
        passages: passages.collect(),
    };
    serde_json::to_string_pretty(&result).unwrap_or_default()
}

fn models(renderings: &[Rendering]) -> String {
    let mut models: Vec<String> = renderings.iter().map(|rendering| rendering.made.model.to_string()).collect();
    models.dedup();
    format!("translator {}", models.join(", "))
}

/// A cell has no tabs and no line ends.
fn clean(cell: &str) -> String {
    cell.replace(['\t', '\n', '\r'], " ")
}

#[cfg(test)]
mod tests {
    use super::super::toy::rendering;
    use super::*;

    fn example() -> (Document, Vec<Rendering>, Vec<Option<Passage>>) {
        let document = Document::read("&P123456 = Letter\n1. a-na\n2. um-ma\n3. KU₃.BABBAR");
        let mut renderings =
            vec![rendering(1, "a-na", &["to", "f\tor"]), rendering(2, "um-ma", &["thus"]), rendering(9, "x", &["old"])];
        renderings[0].choose(1);
        renderings[1].edit("so");
        let mut stopped = rendering(3, "KU₃.BABBAR", &[]);
        stopped.translated.partial = "sil".into();
        renderings.push(stopped);
        let standing = super::super::plan::Present::new(&document, &[]).stand(&renderings);
        (document, renderings, standing)
    }

    #[test]
    fn the_text_has_what_stands_and_says_whose_it_is() {
        let (document, renderings, standing) = example();
        let text = text(&document, &renderings, &standing);
        let lines: Vec<&str> = text.lines().skip(1).collect();
        let expected = [
            "1. f or",
            "2. so [edited by the user]",
            "10. old [made for an earlier wording of the text]",
            "3. sil [unfinished]",
        ];
        assert_eq!(lines, expected);
        assert_eq!(title(&document), "Letter");
    }

    #[test]
    fn every_row_of_the_table_has_all_columns() {
        let (document, renderings, standing) = example();
        let table = tsv(&document, &renderings, &standing);
        let rows: Vec<&str> = table.lines().skip(2).collect();
        assert!(rows.iter().all(|row| row.split('\t').count() == COLUMNS.len()), "{table}");
        assert_eq!(rows[2], "1\t2\t1\tmachine\tcurrent\t0.125\t0.9\t-0.5\tf or\ta-na\tmodels/toy/");
        assert_eq!(rows[4], "2\t\t1\tuser\tcurrent\t\t\t\tso\tum-ma\tmodels/toy/");
        assert_eq!(rows.len(), 7);
    }

    #[test]
    fn json_holds_all_and_says_what_it_is() {
        let (document, renderings, standing) = example();
        let work = Work::on(document.source.clone());
        let value: serde_json::Value =
            serde_json::from_str(&json(&work, &document, &renderings, &standing, None)).unwrap();
        assert_eq!(value["note"], STATEMENT);
        assert_eq!(value["passages"][0]["translation"], "f\tor");
        assert_eq!(value["passages"][1]["by"], "user");
        assert_eq!(value["passages"][2]["status"], "outdated");
        assert_eq!(value["passages"][0]["translated"]["candidates"][1]["words"][0]["probability"], 0.25);
        let back: Rendering = serde_json::from_value(value["passages"][0].clone()).unwrap();
        assert_eq!(back, renderings[0]);
    }
}
