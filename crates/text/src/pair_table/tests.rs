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

fn import(text: &str) -> Corpus {
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
    assert_eq!(faults("source,target\num-ma,thus he, the king\n"), ["2: it has 3 cells, while the first line names 2"]);
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
        json[0].starts_with("2: it is JSON, but not an object") && json[1].starts_with("3: it is not a JSON object"),
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
