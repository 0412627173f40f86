//! Tests which lines are transliteration, and what their numbers are.

use super::tests::{assert_sound, shown};
use crate::LineKind::{Comment, Empty, Heading, State as Remark, Surface, Text, Translation};
use crate::{Document, LineKind, ReadingOptions, Severity};

/// Reads single lines and compares their kinds and labels.
fn check_kinds(rows: &[(&str, LineKind, Option<&str>)]) {
    for (typed, kind, label) in rows {
        let document = Document::read(typed);
        let found: Vec<_> =
            document.lines.iter().map(|line| (line.kind, line.label.map(|label| label.of(typed)))).collect();
        assert_eq!(found, [(*kind, *label)], "{typed}");
        assert_sound(&document);
    }
}

#[test]
fn atf_blocks_keep_their_lines() {
    check_kinds(&[
        ("&P123456 = CDLI 1", Heading, None),
        ("#atf: lang akk", Comment, None),
        ("# a remark", Comment, None),
        (">>Q000001 001", Comment, None),
        ("@obverse", Surface, None),
        ("@column 1", Surface, None),
        ("@prologue", Surface, None),
        ("$ 3 lines broken", Remark, None),
        ("(break)", Remark, None),
        ("(rest of obverse broken)", Remark, None),
        ("    ; a-gu-u ṣa-al-mu", Comment, None),
        ("#hash a-na", Comment, None),
        ("#From Oracc. See http://oracc.org/saao/saa01/P224485", Comment, None),
        ("#link: def A = P229574", Comment, None),
        ("Museum no.: BM 012839", Comment, None),
        ("Dates referenced: ", Comment, None),
        ("Transliteration:", Comment, None),
        ("$ (Only sealings on the reverse)", Remark, None),
        ("$ruling", Remark, None),
        ("Obv.", Surface, None),
        ("Rev. II:", Surface, None),
        ("Vs.", Surface, None),
        ("Rs. III'", Surface, None),
        ("lower edge", Surface, None),
        ("Edge", Surface, None),
        ("(erasure)", Remark, None),
        ("uninscribed", Remark, None),
        ("3 lines broken", Remark, None),
        ("British Museum 80798", Remark, None),
        ("1’. a-na", Text, Some("1’.")),
        ("rev. ii 5' a-na", Text, Some("rev. ii 5'")),
        ("iv 16 a-na", Text, Some("iv 16")),
        ("#possibly KI!", Comment, None),
        ("// (U₂ URU.AN.NA III 1)", Comment, None),
        ("// F K.2422+ iv 19", Comment, None),
        ("7-8. a-na", Text, Some("7-8.")),
        ("4'-9'. a-na", Text, Some("4'-9'.")),
        ("65'a. a-na", Text, Some("65'a.")),
        ("a+1'. a-na", Text, Some("a+1'.")),
        ("#tr.en: To the king", Translation, None),
        ("   ", Empty, None),
    ]);
}

#[test]
fn headings_and_remarks_without_marks_are_no_signs() {
    check_kinds(&[]);
}

#[test]
fn line_numbers_are_seen() {
    check_kinds(&[
        ("1. a-na", Text, Some("1.")),
        ("3'. a-na", Text, Some("3'.")),
        ("12a. a-na", Text, Some("12a.")),
        ("(5) a-na", Text, Some("(5)")),
        ("o 12. a-na", Text, Some("o 12.")),
        ("o i 12 a-na", Text, Some("o i 12")),
        ("r. 5' a-na", Text, Some("r. 5'")),
        ("(o 1) a-na LUGAL EN-ia", Text, Some("(o 1)")),
        ("(o 2) ARAD-ka {m}aš-šur-ZU", Text, Some("(o 2)")),
        ("(r 1) lu DI-mu a-na LUGAL", Text, Some("(r 1)")),
        ("(rev. 3') x x", Text, Some("(rev. 3')")),
        ("  (r.e. 2)\ta-na", Text, Some("(r.e. 2)")),
        ("(e. 1) [x] x", Text, Some("(e. 1)")),
        ("(o ii 12') a-na", Text, Some("(o ii 12')")),
        ("(x 3) a-na", Text, None),
        ("(o 1)-na a-na", Text, None),
        ("(o a-na) a-na", Text, None),
        // Not ATF, though it looks a little like it.
        ("1 GIN₂ KU₃.BABBAR", Text, None),
        ("1(diš) GIN₂", Text, None),
        ("x 3 GIN₂", Text, None),
        ("i 3 a-na", Text, None),
        ("le", Text, None),
        ("up-pu", Text, None),
        ("a-na & u₃", Text, None),
        ("& co", Text, None),
        ("$5 a-na", Text, None),
        ("(x) a-na", Text, None),
    ]);
}

/// Returns the labels of the lines, and the number of inferred ones.
fn labels(typed: &str, options: &ReadingOptions) -> (Vec<String>, usize) {
    let document = Document::read_with(typed, options);
    let label = |line: &crate::Line| line.label.map_or_else(String::new, |label| label.of(typed).to_owned());
    let inferred = document.lines.iter().filter(|line| line.label_is_inferred).count();
    assert_eq!(document.has_inferred_labels(), inferred > 0);
    assert_sound(&Document::read(typed));
    (document.lines.iter().map(label).collect(), inferred)
}

#[test]
fn numbers_that_rise_with_the_lines_are_labels() {
    let check = |typed: &str, expected: &[&str], inferred: usize| {
        let found = labels(typed, &ReadingOptions::default());
        assert_eq!(found, (expected.iter().map(|own| own.to_string()).collect(), inferred), "{typed}");
    };
    // As Oracc shows them.
    check("o 1 a-na\n2 be-li₂\n3 um-ma\nr 1 [x] x\n2 x", &["o 1", "2", "3", "r 1", "2"], 3);
    check("1 a-na\n2 um-ma\n\n3 x\n4 a", &["1", "2", "", "3", "4"], 4);
    check("(o 1) a-na\n2 um-ma\n(r 1) a\n2 a", &["(o 1)", "2", "(r 1)", "2"], 2);
    check("i 1 a-na\ni 2 um-ma\ni 3 a", &["i 1", "i 2", "i 3"], 3);
    check("1 a\n2 a\n3 1 GIN₂\n@reverse\n1 a\n2 3 a", &["1", "2", "3", "", "1", "2"], 5);
    // Every fifth line, as in print.
    let fifth = "a\na\na\na\n5 a\na\na\na\na\n10 a\na\na\na\na\n15 a";
    assert_eq!(labels(fifth, &ReadingOptions::default()).1, 3);
    check("a\na\na\na\n5 a\na", &["", "", "", "", "5", ""], 1);
    check("a\na\na\n5 a\na\na", &["", "", "", "", "", ""], 0);
    // Numerals that do not fit do not speak against those that do.
    let with = |third: &str, fifth: &str| format!("a\na\n{third}\na\n{fifth} i-ra-de8-kum\na\na\na\na");
    let nine = ["", "", "", "", "5", "", "", "", ""];
    for third in ["26 ku-ta-nu ANŠE", "2 ku-ta-nu", "6 TÚGʰⁱ·ᵃ"] {
        let eleven = format!("{}\n10  dí-in a-ṣé-er\na", with(third, "5  "));
        let bare = eleven.replace("5   ", "5 ").replace("10  ", "10 ");
        for typed in [eleven, bare] {
            check(&typed, &[&nine[..], &["10", ""]].concat(), 2);
        }
        check(&with(third, "5  "), &nine, 1);
        check(&with(third, "5"), &[""; 9], 0);
    }
    check(
        "Vs.\n3 a\na\na\na\n5 a\na\nRs.\na\na\n2 a\na\n5 a",
        &["", "", "", "", "", "5", "", "", "", "", "", "", "5"],
        2,
    );
    check("3 a\na\na\na\n5 a\nRs.\na\na\na\na\n10 a", &["", "", "", "", "5", "", "", "", "", "", "10"], 2);
    // A list of numerals, two of which fit by chance.
    let list = "3 a\n4 a\n7 a\n2 a\n5 a\n2 a\n3 a\n1 a\n1 a\n10 a";
    check(list, &[""; 10], 0);
    // A line of which nothing is read still counts.
    check("a\n<<a>>\na\na\n5 a", &["", "", "", "", "5"], 1);
    // A side of its own.
    check("a-na\n3 GIN₂\nrev.\n1 ARAD-ka\n2 lu-u šul-mu", &["", "", "", "1", "2"], 2);
    check("Vs.\n5 GIN₂\na\nRs.\n1 a\n3 a", &["", "", "", "", "", ""], 0);
    // Numerals stay numerals.
    check("1 GIN₂\n5 GIN₂\n2 MA.NA", &["", "", ""], 0);
    check("1 a-na\n2 um-ma", &["", ""], 0);
    check("1. 1 UDU\n2. 2 UDU\n3. 3 UDU", &["1.", "2.", "3."], 0);
    check("3 UDU\n3 UDU\n3 UDU\n4 UDU", &["", "", "", ""], 0);
}

#[test]
fn inferred_labels_are_told_and_can_be_turned_off() {
    let typed = "1 a-na\n2 um-ma\n3 KU₃.BABBAR";
    let told = Document::read(typed).diagnostics;
    assert_eq!(told.len(), 1);
    assert_eq!(told[0].severity, Severity::Note);
    let message = |typed: &str| Document::read(typed).diagnostics.remove(0).message;
    let three = "3 lines begin with a number that fits their place (1, 2, 3): taken for line numbers.";
    assert_eq!(message(typed), three);
    let five = "1 a\n2 a\n3 a\n4 a\n5 a";
    let more = "5 lines begin with a number that fits their place (1, 2, 3 …): taken for line numbers.";
    assert_eq!(message(five), more);
    let one = "One line begins with a number that fits its place (5): taken for a line number.";
    assert_eq!(message("a\na\na\na\n5 a"), one);
    let options = ReadingOptions { bare_numbers_are_numerals: true, ..ReadingOptions::default() };
    assert_eq!(labels(typed, &options), (vec![String::new(); 3], 0));
    let document = Document::read_with(typed, &options);
    assert_eq!(document.diagnostics, []);
    assert_eq!(shown(&document), "1 a-na 2 um-ma 3 KU₃.BABBAR");
}
