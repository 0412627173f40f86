//! Export of translations as text, TSV and JSON. Every format says that the translations are a machine's proposals,
//! which of them the user chose or wrote, and which are outdated or unfinished. TEI is in `tei`.

use super::published::{Published, PublishedPart, PublishedTranslation};
use crate::restore::state::work::Work;
use crate::translate::state::passages::label;
use crate::translate::state::rendering::Rendering;
use serde::Serialize;
use tuppum_protocol::TranslatorReport;
use tuppum_protocol::translation::Passage;
use tuppum_text::{Document, LineKind, table_cell};

/// Statement at the head of every export of a translation.
pub const STATEMENT: &str = "The translation is a machine's proposal, with the probabilities of its model; where it is \
    marked as the user's, a person edited it. Restored signs marked as Tuppum's were proposed by a machine and \
    accepted by the user; they have not been seen on the tablet. What is marked as published stands in an edition of \
    another, similar passage, at the place that is named.";

/// Statement at the head of an export without a translation.
pub const RESTORED_STATEMENT: &str = "Restored signs marked as Tuppum's were proposed by a machine and accepted by the \
    user; they have not been seen on the tablet.";

/// Columns of [`tsv`].
///
/// - `lines`: labels of the passage's lines
/// - `rank`: rank of a candidate, from 1; empty for the user's own wording and for published translations
/// - `stands`: 1 for the wording that the user chose or wrote
/// - `by`: `machine`, `user`, `edition` (a published translation of a similar passage) or `own texts` (one of the
///   user's own texts)
/// - `status`: `current`, `outdated`, `unfinished`, or `held back` where too few words are expected to be right
/// - `probability`: probability of the whole; `byte_probability`: mean over its bytes; `score`: the number that ranks
///   candidates; `right`: expected share of right words, where it was measured for the translator; `like`: similarity
///   of the similar passage
/// - `translation`: the English; `source`: the text that the model read
/// - `model`: the translator; `place`: place of the similar passage, and its licence
pub const COLUMNS: [&str; 14] = [
    "lines",
    "rank",
    "stands",
    "by",
    "status",
    "probability",
    "byte_probability",
    "score",
    "right",
    "like",
    "translation",
    "source",
    "model",
    "place",
];

/// Returns the heading of a text, or "Untitled text".
pub fn title(document: &Document) -> String {
    let heading = document.lines.iter().find(|line| line.kind == LineKind::Heading);
    let own = heading.map(|line| line.span.of(&document.source).trim().trim_start_matches('&'));
    let name = own.map(|own| own.split_once('=').map_or(own, |(_, name)| name).trim());
    name.filter(|name| !name.is_empty()).unwrap_or("Untitled text").to_owned()
}

/// Returns the status of a rendering in a word; `now` is the passage that it translates, if it is not outdated.
pub fn status(rendering: &Rendering, now: Option<&Passage>) -> &'static str {
    match (now, rendering.is_unfinished()) {
        (None, _) => "outdated",
        (Some(_), true) => "unfinished",
        (Some(_), false) if rendering.is_held_back() => "held back",
        (Some(_), false) => "current",
    }
}

/// Returns the English, one passage a line, after a line with the statement.
pub fn text(
    document: &Document,
    renderings: &[Rendering],
    standing: &[Option<Passage>],
    published: &Published,
) -> String {
    let mut out = format!("# {STATEMENT}\n");
    for (rendering, now) in renderings.iter().zip(standing) {
        let mark = match (status(rendering, now.as_ref()), rendering.own_wording()) {
            ("outdated", _) => " [made for an earlier wording of the text]",
            ("unfinished", _) => " [unfinished]",
            ("held back", _) => "[held back: few of its words would be right]",
            (_, Some(_)) => " [edited by the user]",
            _ => "",
        };
        out.push_str(&format!("{}. {}{mark}\n", label(document, rendering, now.as_ref()), clean(rendering.text())));
        if let Some(found) = published.beside(rendering) {
            for part in &found.parts {
                let (like, whose) =
                    ((100.0 * found.similarity).round(), if found.own { "own text" } else { "published" });
                let (words, place) = (clean(&part.translation), &part.place);
                out.push_str(&format!("    {whose}, {like} % like: “{words}” ({place}; {})\n", part.licence));
            }
        }
    }
    out
}

/// Returns a table: two remarks that begin with `#`, a row with [`COLUMNS`], then one row for each candidate, each
/// wording of the user's, and each published translation of a similar passage.
pub fn tsv(
    document: &Document,
    renderings: &[Rendering],
    standing: &[Option<Passage>],
    published: &Published,
) -> String {
    let mut rows = vec![
        format!("# {STATEMENT}"),
        format!("# tuppum {}, {}", env!("CARGO_PKG_VERSION"), clean(&models(renderings))),
        COLUMNS.join("\t"),
    ];
    for (rendering, now) in renderings.iter().zip(standing) {
        let lines = label(document, rendering, now.as_ref());
        let status = status(rendering, now.as_ref());
        let model = rendering.made.model.to_string();
        let (source, mut own) = (&rendering.translated.source, own_rows(rendering));
        own.iter_mut().for_each(|row| row.model = &model);
        let published = published.beside(rendering).map(published_rows).unwrap_or_default();
        rows.extend(own.iter().chain(&published).map(|row| row.cells(&lines, status, source)));
    }
    rows.push(String::new());
    rows.join("\n")
}

/// Cells that differ between the rows of a passage; an empty one means that the row has no such value.
#[derive(Default)]
struct Row<'a> {
    rank: String,
    stands: bool,
    by: &'static str,
    /// Probability, mean probability of a byte, score, and expected share of right words.
    numbers: [String; 4],
    like: String,
    translation: &'a str,
    model: &'a str,
    place: String,
}

impl Row<'_> {
    fn cells(&self, lines: &str, status: &str, source: &str) -> String {
        let [probability, byte_probability, score, right] = &self.numbers;
        let stands = if self.stands { "1" } else { "0" };
        let Self { rank, by, like, translation, model, place, .. } = self;
        let before = [lines, rank, stands, by, status, probability, byte_probability, score, right, like];
        before.into_iter().chain([translation, source, model, place]).map(table_cell).collect::<Vec<_>>().join("\t")
    }
}

/// Returns a row for each candidate of the machine (of an unfinished passage one for its beginning), and one for the
/// user's own wording.
fn own_rows(rendering: &Rendering) -> Vec<Row<'_>> {
    let own = rendering.own_wording().is_some();
    let candidates = rendering.translated.candidates.iter().enumerate();
    let mut rows: Vec<Row> = candidates
        .map(|(rank, one)| {
            let [probability, byte, score] =
                [one.probability, one.byte_probability, one.score].map(|own| own.to_string());
            let numbers = [probability, byte, score, one.right.map(|right| right.to_string()).unwrap_or_default()];
            let stands = !own && !rendering.is_held_back() && rank == rendering.chosen;
            let rank = (rank + 1).to_string();
            Row { rank, stands, by: "machine", numbers, translation: &one.text, ..Row::default() }
        })
        .collect();
    if rendering.is_unfinished() {
        let translation = &rendering.translated.partial;
        rows.push(Row { stands: true, by: "machine", translation, ..Row::default() });
    }
    if let Some(translation) = &rendering.edited {
        rows.push(Row { stands: own, by: "user", translation, ..Row::default() });
    }
    rows
}

fn published_rows(found: &PublishedTranslation) -> Vec<Row<'_>> {
    let by = if found.own { "own texts" } else { "edition" };
    let rows = found.parts.iter().map(|PublishedPart { translation, place, licence }| {
        let (place, like) = (format!("{place}; {licence}"), found.similarity.to_string());
        Row { by, like, place, translation, ..Row::default() }
    });
    rows.collect()
}

/// Returns everything as JSON: the text, its accepted restorations, and every passage with its candidates, words and
/// alignment.
pub fn json(
    work: &Work,
    document: &Document,
    renderings: &[Rendering],
    standing: &[Option<Passage>],
    published: &Published,
    translator: Option<&TranslatorReport>,
) -> String {
    #[derive(Serialize)]
    struct ExportedTranslation<'a> {
        note: &'static str,
        tuppum: &'static str,
        translator: Option<&'a TranslatorReport>,
        text: &'a str,
        canonical: String,
        accepted: &'a [crate::restore::state::work::Accepted],
        passages: Vec<ExportedPassage<'a>>,
    }
    #[derive(Serialize)]
    struct ExportedPassage<'a> {
        lines: String,
        status: &'static str,
        translation: &'a str,
        by: &'static str,
        /// Published translation of the nearest edited passage.
        #[serde(skip_serializing_if = "Option::is_none")]
        published: Option<&'a PublishedTranslation>,
        #[serde(flatten)]
        rendering: &'a Rendering,
    }
    let passages = renderings.iter().zip(standing).map(|(rendering, now)| {
        let (lines, status) = (label(document, rendering, now.as_ref()), status(rendering, now.as_ref()));
        let by = if rendering.own_wording().is_some() { "user" } else { "machine" };
        let published = published.beside(rendering);
        ExportedPassage { lines, status, translation: rendering.text(), by, published, rendering }
    });
    let result = ExportedTranslation {
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

/// Returns the text with tabs and line breaks replaced by spaces.
fn clean(cell: &str) -> String {
    cell.replace(['\t', '\n', '\r'], " ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::translate::export::published::examples::published;
    use crate::translate::state::rendering::examples::rendering;

    fn example() -> (Document, Vec<Rendering>, Vec<Option<Passage>>) {
        let document = Document::read("&P123456 = Letter\n1. a-na\n2. um-ma\n3. KU₃.BABBAR");
        let mut renderings =
            vec![rendering(1, "a-na", &["to", "f\tor"]), rendering(2, "um-ma", &["thus"]), rendering(9, "x", &["old"])];
        renderings[0].choose(1);
        renderings[1].edit("so");
        let mut stopped = rendering(3, "KU₃.BABBAR", &[]);
        stopped.translated.partial = "sil".into();
        renderings.push(stopped);
        let standing = crate::translate::state::passages::PresentText::new(&document, &[]).stand(&renderings);
        (document, renderings, standing)
    }

    #[test]
    fn the_text_has_what_stands_and_says_whose_it_is() {
        let (document, renderings, standing) = example();
        let text = text(&document, &renderings, &standing, &Published::default());
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
        let table = tsv(&document, &renderings, &standing, &Published::default());
        let rows: Vec<&str> = table.lines().skip(2).collect();
        assert!(rows.iter().all(|row| row.split('\t').count() == COLUMNS.len()), "{table}");
        assert_eq!(rows[2], "1\t2\t1\tmachine\tcurrent\t0.125\t0.9\t-0.5\t\t\tf or\ta-na\tmodels/toy/\t");
        assert_eq!(rows[4], "2\t\t1\tuser\tcurrent\t\t\t\t\t\tso\tum-ma\tmodels/toy/\t");
        assert_eq!(rows.len(), 7);
    }

    #[test]
    fn no_wording_is_a_formula_in_a_spreadsheet() {
        let (document, mut renderings, standing) = example();
        renderings[0].edit("=HYPERLINK(\"https://example.org\")");
        let table = tsv(&document, &renderings, &standing, &Published::default());
        assert!(table.contains("\t =HYPERLINK(") && table.contains("\t-0.5\t"), "{table}");
    }

    #[test]
    fn what_is_held_back_is_listed_but_does_not_stand() {
        let (document, mut renderings, standing) = example();
        renderings.truncate(1);
        renderings[0].choose(0);
        renderings[0].translated.candidates[0].held_back = true;
        renderings[0].translated.candidates[0].right = Some(0.25);
        let text = text(&document, &renderings, &standing, &Published::default());
        assert_eq!(text.lines().nth(1), Some("1. [held back: few of its words would be right]"));
        let table = tsv(&document, &renderings, &standing, &Published::default());
        let row = table.lines().nth(3).unwrap();
        assert_eq!(row, "1\t1\t0\tmachine\theld back\t0.125\t0.9\t-0.5\t0.25\t\tto\ta-na\tmodels/toy/\t");
    }

    #[test]
    fn what_is_published_goes_along_with_its_place() {
        let (document, renderings, standing) = example();
        let text = text(&document, &renderings, &standing, &published("um-ma"));
        let place = "P334567 (saao/saa01), o 1, https://example.org/P334567; CC BY-SA 3.0";
        assert_eq!(text.lines().nth(3), Some(format!("    published, 50 % like: “To the king” ({place})").as_str()));
        let table = tsv(&document, &renderings, &standing, &published("um-ma"));
        let row = format!("2\t\t0\tedition\tcurrent\t\t\t\t\t0.5\tTo the king\tum-ma\t\t{place}");
        assert!(table.lines().any(|own| own == row), "{table}");
    }

    #[test]
    fn json_holds_all_and_says_what_it_is() {
        let (document, renderings, standing) = example();
        let work = Work::on(document.source.clone());
        let value: serde_json::Value =
            serde_json::from_str(&json(&work, &document, &renderings, &standing, &published("a-na"), None)).unwrap();
        assert_eq!(value["note"], STATEMENT);
        assert_eq!(value["passages"][0]["translation"], "f\tor");
        assert_eq!(value["passages"][1]["by"], "user");
        assert_eq!(value["passages"][0]["published"]["parts"][0]["licence"], "CC BY-SA 3.0");
        assert!(value["passages"][1].get("published").is_none());
        assert_eq!(value["passages"][2]["status"], "outdated");
        assert_eq!(value["passages"][0]["translated"]["candidates"][1]["words"][0]["probability"], 0.25);
        let back: Rendering = serde_json::from_value(value["passages"][0].clone()).unwrap();
        assert_eq!(back, renderings[0]);
    }
}
