//! A user's table of pairs, each a transliteration and its translation: from a file or a paste to pairs to train on.
//!
//! Text is cut into a [`Table`] of rows and columns, whose separator and header are guessed. [`Columns`] holds the
//! meaning of the columns, guessed too, and the user can change it. An [`Import`] makes pairs of the rows. Reading
//! never fails: every row becomes a pair or is listed with its line and the reason why it is left out.

mod columns;
mod import;
mod table;

use thiserror::Error;

pub use columns::Columns;
pub use import::{Damage, Import, ImportedPair, ImportedPairs, leaks, leaks_among, one_line};
pub use table::{Fault, LeftOut, Shape, Table, TableRow};

/// Size limit of a file, in bytes: the page holds the file, its table and its pairs in memory at the same time.
pub const LARGEST: usize = 20_000_000;

/// Reason why a file cannot be read, for the user.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum DecodeError {
    /// The file is larger than the limit.
    #[error(
        "The file has {:.1} MB; at most {:.0} MB are read here. Cut it, or train with “tuppum train” on the command \
         line.",
        *.0 as f64 / 1e6,
        LARGEST as f64 / 1e6
    )]
    TooLarge(usize),
    /// The file is a zip archive, as spreadsheets are.
    #[error("This is a packed file, perhaps a spreadsheet. Save it as CSV or as text with tabs (UTF-8).")]
    Packed,
    /// The file begins with a UTF-16 mark but is not UTF-16.
    #[error("This is not text: it begins as UTF-16 but does not continue as such.")]
    Utf16,
    /// The file is in another encoding.
    #[error("The file is not UTF-8 (line {line}). Save it again as UTF-8: other encodings lose š, ṣ, ṭ and ₂.")]
    Utf8 {
        /// First line that is not UTF-8, from 1.
        line: usize,
    },
}

/// Decodes a file: UTF-8, or UTF-16 as spreadsheets write "Unicode text".
///
/// # Errors
/// [`DecodeError`]: the file is too large, or not text.
pub fn decode(bytes: &[u8]) -> Result<String, DecodeError> {
    if bytes.len() > LARGEST {
        return Err(DecodeError::TooLarge(bytes.len()));
    }
    if bytes.starts_with(b"PK") {
        return Err(DecodeError::Packed);
    }
    let wide = |rest: &[u8], word: fn([u8; 2]) -> u16| {
        let words: Vec<u16> = rest.chunks_exact(2).map(|pair| word([pair[0], pair[1]])).collect();
        String::from_utf16(&words).map_err(|_| DecodeError::Utf16)
    };
    match bytes {
        [0xFF, 0xFE, rest @ ..] => wide(rest, u16::from_le_bytes),
        [0xFE, 0xFF, rest @ ..] => wide(rest, u16::from_be_bytes),
        _ => match std::str::from_utf8(bytes) {
            Ok(text) => Ok(text.to_owned()),
            Err(error) => {
                let line = bytes[..error.valid_up_to()].iter().filter(|byte| **byte == b'\n').count() + 1;
                Err(DecodeError::Utf8 { line })
            }
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Document, SignKind};
    use proptest::prelude::*;

    /// Returns roughly what a model would read: the readings with spaces.
    fn read(document: &Document) -> String {
        let signs = document.signs().filter_map(|sign| match &sign.kind {
            SignKind::Reading(reading) => Some(reading.as_str()),
            _ => None,
        });
        signs.collect::<Vec<_>>().join(" ")
    }

    fn import(text: &str) -> ImportedPairs {
        let table = Table::read(text, None, None);
        let columns = Columns::guess(&table);
        let mut import = Import::new(table, columns);
        while import.go_on(2, read) {}
        import.finish()
    }

    fn pairs(text: &str) -> Vec<(usize, String, String, String)> {
        let pairs = import(text).pairs.into_iter();
        pairs.map(|pair| (pair.line, pair.text, pair.source, pair.target)).collect()
    }

    fn faults(text: &str) -> Vec<String> {
        import(text).left_out.into_iter().map(|fault| format!("{}: {}", fault.line, fault.reason)).collect()
    }

    #[track_caller]
    fn check(text: &str, expected: &[(usize, &str, &str, &str)]) {
        let expected: Vec<_> = expected
            .iter()
            .map(|(line, text, source, target)| (*line, (*text).into(), (*source).into(), (*target).into()))
            .collect();
        assert_eq!(pairs(text), expected, "{text:?}");
    }

    #[test]
    fn separators_headers_and_columns_are_guessed() {
        let both = |line| (line, "", "um ma", "thus he");
        check("source\ttarget\num-ma\tthus he\n", &[both(2)]);
        check("um-ma\tthus he", &[both(1)]);
        check("thus he\tum-ma", &[both(1)]);
        check("\u{FEFF}Translation,Transliteration\r\nthus he,um-ma\r\n", &[both(2)]);
        check("um-ma;thus he\n\num-ma;so he", &[both(1), (3, "", "um ma", "so he")]);
        check("um-ma\tP123456\tthus he", &[(1, "P123456", "um ma", "thus he")]);
        check("text_id\tsource\ttarget\nP1\tum-ma\tthus he", &[(2, "P1", "um ma", "thus he")]);
        check("{\"source\": \"um-ma\", \"target\": \"thus he\", \"id\": 7}", &[(1, "7", "um ma", "thus he")]);
    }

    #[test]
    fn columns_that_nobody_needs_are_passed_over() {
        let both = |line| (line, "", "um ma", "thus he");
        check("source\tremark\ttarget\tdate\num-ma\tbroken\tthus he\tNA", &[both(2)]);
        // Rows longer than the header: one column more, or a separator at the end.
        let more = "source\ttarget\num-ma\tthus he\tremark\na-na\tto him\tother\nlu\tmay it be\n";
        check(more, &[both(2), (3, "", "a na", "to him"), (4, "", "lu", "may it be")]);
        check("source,target\num-ma,thus he,\n", &[both(2)]);
        // A comma outside quotation marks may belong to the translation, so the translation is not cut there.
        assert_eq!(
            faults("source,target\num-ma,thus he, the king\n"),
            ["2: it has 3 cells, while the first line names 2"]
        );
    }

    #[test]
    fn quotation_marks_hold_separators_line_ends_and_themselves() {
        check(
            "source,target\n\"um-ma\",\"he, \"\"thus\"\"\nspoke\"\na-na,to him\n",
            &[(2, "", "um ma", "he, \"thus\" spoke"), (4, "", "a na", "to him")],
        );
        check(
            "source\ttarget\num-ma\t\"he said \"\"no\"\" then\"\na-na\t\"no\" he said",
            &[(2, "", "um ma", "he said \"no\" then"), (3, "", "a na", "\"no\" he said")],
        );
    }

    #[test]
    fn bad_rows_are_listed_with_line_and_reason() {
        let text =
            "source,target,weight\num-ma,\"thus\na-na,to,0.5\nšu,,1\n,to,1\nx x,broken,1\na-na,to,1\nma,but,2\na,b\n";
        assert_eq!(
            faults(text),
            [
                "2: a quotation mark is opened in it and never closed",
                "4: the translation is empty",
                "5: the transliteration is empty",
                "6: no sign of “x x” can be read",
                "7: the same pair is in line 3",
                "8: the weight “2” is not a number above 0 and up to 1",
                "9: it has 2 cells, while the first line names 3",
            ]
        );
        assert_eq!(import(text).duplicates, 1);
        assert_eq!(import(text).pairs[0].weight, 0.5);
        let json = faults("{\"source\": \"a-na\", \"target\": \"to\"}\n[1]\n{\"source\": ");
        assert!(
            json[0].starts_with("2: it is JSON, but not an object")
                && json[1].starts_with("3: it is not a JSON object"),
            "{json:?}"
        );
    }

    #[test]
    fn a_choice_of_columns_that_makes_no_sense_is_told() {
        let table = Table::read("source\ttarget\na-na\tto", None, None);
        let guess = Columns::guess(&table);
        assert_eq!(guess.problem(&table), None);
        assert!(Columns { target: guess.source, ..guess }.problem(&table).is_some());
        assert!(Columns { target: None, ..guess }.problem(&table).is_some());
        let single = Table::read("a-na šar-ri\num-ma", None, None);
        assert!(Columns::guess(&single).problem(&single).is_some_and(|problem| problem.contains("only one column")));
    }

    #[test]
    fn files_are_decoded_or_refused_with_a_reason() {
        let wide: Vec<u8> = [0xFF, 0xFE].into_iter().chain("š\tto".encode_utf16().flat_map(u16::to_le_bytes)).collect();
        assert_eq!(decode(&wide).as_deref(), Ok("š\tto"));
        assert!(decode(b"PK\x03\x04").is_err_and(|reason| reason.to_string().contains("CSV")));
        assert!(decode(b"a\n\xE1\tto").is_err_and(|reason| reason.to_string().contains("line 2")));
        assert!(decode(&vec![b'a'; LARGEST + 1]).is_err_and(|reason| reason.to_string().contains("at most 20 MB")));
    }

    #[test]
    fn damage_is_counted_without_breaks_of_unknown_length() {
        let corpus = import("source\ttarget\na-⸢na⸣ [um]-ma x [...]\tto him");
        assert_eq!(corpus.damage, Damage { signs: 5, damaged: 3 });
        assert_eq!(Damage::default().rate(), None);
    }

    #[test]
    fn what_is_set_aside_and_seen_in_training_is_found() {
        let corpus = import("source\ttarget\num-ma\tthus\na-na\tto\num-ma\tso\n");
        assert_eq!(leaks(&corpus.pairs, &[0, 1], &[2]), [2]);
        assert_eq!(leaks(&corpus.pairs, &[1], &[0, 2, 9]), Vec::<usize>::new());
    }

    /// Returns random concatenations of pieces of files.
    fn files() -> impl Strategy<Value = String> {
        let bits = prop::sample::select(vec![
            "a-na",
            "thus",
            "\t",
            ",",
            ";",
            "\"",
            "\n",
            "\r\n",
            "\r",
            " ",
            "source",
            "target",
            "{",
            "}",
            "{\"source\":\"a-na\"}",
            "[x]",
            "x",
            "š",
            "\u{FEFF}",
            "0.5",
            ":",
            "P12",
            "⸢",
            "₂",
        ]);
        prop_oneof![prop::collection::vec(bits, 0..40).prop_map(|bits| bits.concat()), any::<String>()]
    }

    proptest! {
        #[test]
        fn reading_never_fails_and_every_row_is_a_pair_or_listed(
            text in files(),
            shape in prop::option::of(0..4_usize),
            header: Option<bool>,
        ) {
            let table = Table::read(&text, shape.map(|shape| Shape::ALL[shape]), header);
            let rows = table.rows.len() + table.faults.len();
            let columns = Columns::guess(&table);
            let mut import = Import::new(table.clone(), columns);
            while import.go_on(3, read) {}
            prop_assert_eq!(import.progress().0, table.rows.len());
            let corpus = import.finish();
            prop_assert_eq!(corpus.pairs.len() + corpus.left_out.len(), rows);
            prop_assert!(corpus.left_out.windows(2).all(|two| two[0].line <= two[1].line));
            // No line with content is lost: it is in a row, a fault, or the header. A quoted cell spans several lines.
            let lines = text.trim_start_matches('\u{FEFF}').replace("\r\n", "\n").replace('\r', "\n");
            let written = lines.split('\n').filter(|line| !line.trim().is_empty()).count();
            let names = usize::from(table.header && !table.columns.is_empty());
            if table.shape == Shape::Tabs || table.shape == Shape::Json {
                prop_assert_eq!(rows + names, written);
            } else {
                prop_assert!(rows + names <= written);
            }
        }

        #[test]
        fn cells_in_quotation_marks_come_back(cells in prop::collection::vec("[a-z\", \n;]{0,12}", 2..5)) {
            let written: Vec<String> = cells.iter().map(|cell| format!("\"{}\"", cell.replace('"', "\"\""))).collect();
            let table = Table::read(&written.join(","), Some(Shape::Commas), Some(false));
            prop_assert_eq!(&table.rows[0].cells, &cells);
        }
    }
}
