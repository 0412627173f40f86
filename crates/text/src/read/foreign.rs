//! Formats that are pasted or opened in place of a transliteration: XML, JSON, tables.

use serde::de::IgnoredAny;

/// Format that is not a transliteration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// XML, including TEI.
    Xml,
    /// HTML, a web page.
    Html,
    /// JSON, one object or several.
    Json,
    /// Cells between tabs under a row of column names.
    Table,
}

/// Beginnings of XML and HTML.
const BEGINNINGS: [(&str, Format); 5] = [
    ("<?xml", Format::Xml),
    ("<TEI", Format::Xml),
    ("<teiCorpus", Format::Xml),
    ("<!doctype", Format::Html),
    ("<html", Format::Html),
];

/// Column names of tables of transliterations and their translations.
const COLUMNS: [&str; 17] = [
    "akkadian",
    "byte_probability",
    "english",
    "glyph",
    "lines",
    "period",
    "probability",
    "project",
    "publication",
    "reading",
    "sign_name",
    "source",
    "target",
    "text_id",
    "translation",
    "transliteration",
    "word_start",
];

impl Format {
    /// Returns the format of a text that by its beginning is not a transliteration.
    pub fn of(text: &str) -> Option<Self> {
        let text = text.trim_start();
        match text.as_bytes().first()? {
            b'<' => markup(text),
            b'{' | b'[' => is_json(text).then_some(Self::Json),
            _ => is_table(text).then_some(Self::Table),
        }
    }

    /// Returns the name of the format.
    pub fn name(self) -> &'static str {
        match self {
            Self::Xml => "XML",
            Self::Html => "HTML, a page of the web",
            Self::Json => "JSON",
            Self::Table => "a table",
        }
    }
}

fn markup(text: &str) -> Option<Format> {
    let begins = |(name, _): &&(&str, Format)| {
        let after = text.get(name.len()..).and_then(|after| after.chars().next());
        let is_end = after.is_some_and(|letter| letter.is_whitespace() || letter == '>');
        // <tei>-na is a sign that an editor supplied.
        is_end && text.get(..name.len()).is_some_and(|own| own == *name || own.eq_ignore_ascii_case("<!doctype"))
    };
    BEGINNINGS.iter().find(begins).map(|(_, format)| *format)
}

/// Returns `true` if a text begins with a JSON object, unlike `{d}UTU` and `[{d}UTU]`.
fn is_json(text: &str) -> bool {
    let object = text.strip_prefix('[').map_or(text, str::trim_start);
    let has_name = object.strip_prefix('{').is_some_and(|inner| inner.trim_start().starts_with('"'));
    has_name && matches!(serde_json::Deserializer::from_str(text).into_iter::<IgnoredAny>().next(), Some(Ok(_)))
}

/// Returns `true` if the first line that is not a comment names columns.
fn is_table(text: &str) -> bool {
    /// Minimum number of columns of a table.
    const MIN_COLUMNS: usize = 3;
    /// Minimum number of known column names.
    const KNOWN: usize = 2;
    let Some(header) = text.lines().find(|line| !line.starts_with('#') && !line.trim().is_empty()) else {
        return false;
    };
    let cells: Vec<String> = header.split('\t').map(|cell| cell.trim().to_lowercase()).collect();
    let is_name = |cell: &String| cell.bytes().all(|letter| letter.is_ascii_lowercase() || letter == b'_');
    let known = cells.iter().filter(|cell| COLUMNS.contains(&cell.as_str())).count();
    cells.len() >= MIN_COLUMNS && known >= KNOWN && cells.iter().all(is_name)
}

#[cfg(test)]
mod tests {
    use super::Format;
    use crate::read::tests::assert_sound;
    use crate::{Document, LineKind, Severity};

    #[test]
    fn other_formats_are_held_back_with_one_remark() {
        let rows = [
            ("<?xml version=\"1.0\"?>\n<TEI><w>a-na</w></TEI>", "This is XML, not a transliteration."),
            ("\u{feff}\n <TEI xmlns=\"http://www.tei-c.org/ns/1.0\">\n</TEI>\n", "This is XML, not a transliteration."),
            ("<!DOCTYPE html>\n<html>", "This is HTML, a page of the web, not a transliteration."),
            ("{\n  \"note\": \"a-na\",\n  \"text\": \"1. x\"\n}", "This is JSON, not a transliteration."),
            ("[{\"text\": \"a\"}]", "This is JSON, not a transliteration."),
            ("{\"a\": 1}\n{\"a\": 2}", "This is JSON, not a transliteration."),
            (
                "# by Tuppum\nlines\trank\tprobability\tsource\n1\t1\t0.5\ta-na",
                "This is a table, not a transliteration.",
            ),
        ];
        for (typed, message) in rows {
            let document = Document::read(typed);
            let told: Vec<_> = document.diagnostics.iter().filter(|told| told.severity == Severity::Warning).collect();
            assert_eq!(told.iter().map(|told| told.message.as_str()).collect::<Vec<_>>(), [message], "{typed}");
            assert!(told[0].hint.as_ref().is_some_and(|hint| hint.contains("paste")), "{told:?}");
            assert_eq!(document.signs().count(), 0, "{typed}");
            assert!(document.lines.iter().all(|line| matches!(line.kind, LineKind::Comment | LineKind::Empty)));
            assert_sound(&document);
        }
    }

    #[test]
    fn transliterations_are_no_other_format() {
        let texts = [
            "{d}UTU a-na",
            "[{d}UTU]",
            "{m}a-šur",
            "<ma>-na",
            "<TE>-na",
            "<tei>-na",
            "[{\"",
            "{\"a\" a-na",
            "{}",
            "a\tna\tma",
            "reading\tsource",
        ];
        for typed in texts {
            assert_eq!(Format::of(typed), None, "{typed}");
        }
    }
}
