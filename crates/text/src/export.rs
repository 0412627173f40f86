//! What leaves Tuppum: the typed text with restorations written in, in square brackets and in the user's convention;
//! and cells of tables, without tabs, line ends and anything that a spreadsheet would compute.

use super::{Document, Joiner, Sign, SignIndex, SignKind, Span, State, is_logogram, write};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// Readings that fill one sign or break, each with `true` if it begins a word.
pub type Filling = Vec<(String, bool)>;

/// Writes these fillings into the typed text. Everything else stays as typed; brackets are added where there are none
/// yet, and a filling that continues a word is joined to it.
pub fn restored(document: &Document, fillings: &[(SignIndex, Filling)]) -> String {
    let fillings: BTreeMap<SignIndex, &Filling> = fillings.iter().map(|(sign, filling)| (*sign, filling)).collect();
    let signs: Vec<&Sign> = document.signs().collect();
    let (line_starts, logograms) = (line_starts(document), between_logograms(&signs));
    let mut out = String::with_capacity(document.source.len() + fillings.len() * 8);
    let mut done = 0;
    let mut index = 0;
    while let Some(sign) = signs.get(index) {
        // The signs of x+3 share one place and are written together.
        let together = signs.iter().skip(index).take_while(|other| other.span == sign.span).count().max(1);
        let members = index..index + together;
        if members.clone().any(|member| fillings.get(&member).is_some_and(|filling| !filling.is_empty())) {
            let starts_line = line_starts.contains(&index);
            let before = Span::new(done, sign.span.start).of(&document.source);
            let first = fillings.get(&index).and_then(|filling| filling.first());
            let previous = if starts_line { None } else { index.checked_sub(1) };
            let previous = previous.map(|before| last_reading(before, &signs, &fillings));
            push_joint(&mut out, before, first, sign, previous, logograms);
            let group: Vec<String> = members
                .map(|member| {
                    fillings.get(&member).map_or_else(
                        || as_read(signs[member], document),
                        |filling| filled(filling, signs[member], document, logograms),
                    )
                })
                .collect();
            out.push_str(&group.join(" "));
            done = sign.span.end;
        }
        index += together;
    }
    out.push_str(Span::new(done, document.source.len()).of(&document.source));
    out
}

/// Writes a filling as [`restored`] does, without brackets.
pub fn filling_as_written(document: &Document, sign: SignIndex, filling: &Filling) -> Option<String> {
    let signs: Vec<&Sign> = document.signs().collect();
    let written = filled(filling, signs.get(sign)?, document, between_logograms(&signs));
    Some(written.trim_matches(['[', ']']).to_owned())
}

fn line_starts(document: &Document) -> std::collections::BTreeSet<SignIndex> {
    let mut next = 0;
    let mut starts = std::collections::BTreeSet::new();
    for line in &document.lines {
        starts.insert(next);
        next += line.signs.len();
    }
    starts
}

/// Returns the last reading of a sign's filling, or its own reading; empty if it has neither.
fn last_reading<'a>(index: SignIndex, signs: &[&'a Sign], fillings: &BTreeMap<SignIndex, &'a Filling>) -> &'a str {
    let filled = fillings.get(&index).and_then(|filling| filling.last()).map(|(reading, _)| reading.as_str());
    filled.or_else(|| signs.get(index).and_then(|sign| sign.reading())).unwrap_or("")
}

/// Writes the text between the last written sign and a filling: as typed, but a hyphen for the space if the filling
/// continues the word, and a space for the hyphen if it begins one.
fn push_joint(
    out: &mut String,
    before: &str,
    first: Option<&(String, bool)>,
    sign: &Sign,
    previous: Option<&str>,
    logograms: &'static str,
) {
    let (Some((reading, starts_word)), Some(previous)) = (first, previous) else {
        out.push_str(before);
        return;
    };
    if *starts_word == sign.starts_word() {
        out.push_str(before);
        return;
    }
    let joint = if *starts_word { " " } else { joint_between(previous, reading, logograms) };
    // Only the text after the previous sign may change, never a line number or a remark.
    let from = before.rfind(|letter: char| letter.is_alphanumeric()).map_or(0, |place| place + 1);
    // `from` is one byte after the start of the last letter or digit; the letter ends at the next character boundary.
    let from = (from..=before.len()).find(|&place| before.is_char_boundary(place)).unwrap_or(before.len());
    let (kept, between) = before.split_at(from);
    out.push_str(kept);
    let is_joint =
        |letter: char| letter.is_whitespace() || (sign.joiner != Joiner::Space && matches!(letter, '-' | '.' | '+'));
    match between.find(is_joint) {
        Some(place) => {
            out.push_str(&between[..place]);
            out.push_str(joint);
            out.extend(between[place..].chars().filter(|&letter| !is_joint(letter)));
        }
        None => {
            out.push_str(between);
            out.push_str(joint);
        }
    }
}

/// Returns the text of a sign of `x+3` or `[3 signs]` that was not filled.
fn as_read(sign: &Sign, document: &Document) -> String {
    match &sign.kind {
        SignKind::Gap => "...".to_owned(),
        _ if sign.span.of(&document.source).contains('[') => "[x]".to_owned(),
        _ => "x".to_owned(),
    }
}

fn filled(filling: &Filling, sign: &Sign, document: &Document, logograms: &'static str) -> String {
    let mut text = String::new();
    let mut previous: Option<&str> = None;
    for (reading, starts_word) in filling {
        if let Some(previous) = previous {
            text.push_str(if *starts_word { " " } else { joint_between(previous, reading, logograms) });
        }
        text.push_str(&written(reading, sign, document));
        previous = Some(reading);
    }
    // A break typed as [...] or ] includes its own brackets in its span or has them around it.
    let has_brackets = sign.state == State::Missing && !sign.span.of(&document.source).contains(['[', ']']);
    if has_brackets { text } else { format!("[{text}]") }
}

/// Writes a reading in the user's convention: between underscores in the case of the other logograms there, small if
/// there are none.
fn written(reading: &str, sign: &Sign, document: &Document) -> String {
    let written = write::reading(reading, &document.style);
    if written.contains(['|', '(']) {
        return written;
    }
    match between_underscores(sign, document) {
        Some(beside) if !beside.chars().any(|letter| letter.is_uppercase() && letter != 'X') => write::small(&written),
        _ => written,
    }
}

/// Returns the text between the underscores around a sign, if it stands between two: `ku3-[x]` of `_ku3-[x]_`.
fn between_underscores<'a>(sign: &Sign, document: &'a Document) -> Option<&'a str> {
    const INDENTATION: &str = "($___$)";
    let line = document.lines.get(document.lines.partition_point(|line| line.span.end <= sign.span.start))?;
    let before = Span::new(line.span.start, sign.span.start).of(&document.source);
    let is_inside = (before.matches('_').count() - 3 * before.matches(INDENTATION).count()) % 2 == 1;
    let start = line.span.start + before.rfind('_').filter(|_| is_inside)? + 1;
    let after = Span::new(start, line.span.end).of(&document.source);
    after.split('_').next()
}

/// Returns the joiner of the text between logograms of a word: a full stop if the text has it more often than a hyphen.
fn between_logograms(signs: &[&Sign]) -> &'static str {
    let of_logograms = signs.windows(2).filter(|pair| pair.iter().all(|sign| sign.reading().is_some_and(is_logogram)));
    let (mut dots, mut hyphens) = (0, 0);
    for pair in of_logograms {
        match pair[1].joiner {
            Joiner::Dot => dots += 1,
            Joiner::Hyphen => hyphens += 1,
            Joiner::Space | Joiner::Plus | Joiner::Nothing => {}
        }
    }
    if dots > hyphens { "." } else { "-" }
}

/// Returns the joiner of two signs of one word: determinatives touch their noun, and `logograms` stands between two
/// logograms.
fn joint_between(previous: &str, next: &str, logograms: &'static str) -> &'static str {
    const AFTER_NOUN: [&str; 8] = ["{KI}", "{MUŠEN}", "{KU₆}", "{SAR}", "{MEŠ}", "{HI}", "{A}", "{BE₂}"];
    let comes_after = |reading: &str| AFTER_NOUN.contains(&reading);
    let touches = comes_after(next) || (previous.starts_with('{') && !comes_after(previous));
    match (touches, is_logogram(previous) && is_logogram(next)) {
        (true, _) => "",
        (false, true) => logograms,
        (false, false) => "-",
    }
}

/// First characters of a cell that make a spreadsheet read it as a formula, in the width of Latin and of East Asian
/// letters; and the quotation mark, after which it checks again.
const FORMULA: [char; 10] = ['=', '+', '-', '@', '"', '＝', '＋', '－', '＠', '＂'];

/// Returns the text as a cell of a tab-separated table. Tabs and line ends become spaces. A cell that a spreadsheet
/// would compute (`=1+1`, `@SUM(1)`) or reject (`-na` is not a formula it knows) gets a space in front, which makes it
/// text. Numbers (`-0.5`) stay as they are.
///
/// A space and not the apostrophe that is often advised: an apostrophe is an aleph in transliterations, and
/// spreadsheets show it in files that they open. Tuppum drops the space when it reads the table again, so no reading
/// changes.
pub fn table_cell(text: &str) -> Cow<'_, str> {
    let text = match text.contains(char::is_control) {
        true => Cow::Owned(text.replace(char::is_control, " ")),
        false => Cow::Borrowed(text),
    };
    let is_number = || text.bytes().all(|byte| byte.is_ascii_digit() || b"+-.eE".contains(&byte)) && is_float(&text);
    if text.starts_with(FORMULA) && !is_number() { Cow::Owned(format!(" {text}")) } else { text }
}

fn is_float(text: &str) -> bool {
    text.parse::<f64>().is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pair_table::{Columns, Import, Table};

    fn check(typed: &str, fillings: &[(SignIndex, &str)], expected: &str) {
        let document = Document::read(typed);
        let parse = |filling: &str| -> Filling {
            let parts = filling.split(' ').filter(|part| !part.is_empty());
            parts.map(|part| (part.trim_start_matches('-').to_owned(), !part.starts_with('-'))).collect()
        };
        let fillings: Vec<(SignIndex, Filling)> =
            fillings.iter().map(|(sign, filling)| (*sign, parse(filling))).collect();
        assert_eq!(restored(&document, &fillings), expected, "{typed}");
    }

    #[test]
    fn writes_fillings_in() {
        check("a-na x", &[(2, "LUGAL")], "a-na [LUGAL]");
        check("a-na [x] u2", &[(2, "LUGAL")], "a-na [LUGAL] u2");
        check("a-x LUGAL", &[(1, "-na")], "a-[na] LUGAL");
        check("szar x", &[(1, "-ru₂")], "szar-[ru2]");
        check("šar [x x]", &[(1, "-ri")], "šar-[ri x]");
        check("a-x", &[(1, "LUGAL")], "a [LUGAL]");
        check("1. x-na\n2. x u₂", &[(0, "a"), (2, "-ku")], "1. [a]-na\n2. [ku] u₂");
        check("a-na [...] ú-ul", &[(2, "be -li₂ -ia")], "a-na [be-lí-ia] ú-ul");
        check("a-na ... LUGAL", &[(2, "{d} -UTU")], "a-na [{d}UTU] LUGAL");
        check("a-na [x+2]", &[(2, "be -li₂"), (3, "u₃")], "a-na [be-li₂ u₃ x]");
        check("a-na [3 signs] u₃", &[(3, "be")], "a-na [x] [be] [x] u₃");
        check("]-na LUGAL [", &[(0, "a"), (3, "KUR")], "[a]-na LUGAL [KUR]");
        check("_ku3-[x]_ u2", &[(1, "-BABBAR")], "_ku3-[babbar]_ u2");
        check("[_ku3-x_] u2", &[(1, "-BABBAR")], "[_ku3-babbar_] u2");
        check("_x_ u2", &[(0, "|KA×U|")], "_[|KAxU|]_ u2");
        check("_KU3-x_ u2", &[(1, "-BABBAR")], "_KU3-[BABBAR]_ u2");
        // Logograms are joined as the text joins its own.
        check("KU₃.BABBAR [x x] ma", &[(2, "KU₃"), (3, "-SIG₁₇")], "KU₃.BABBAR [KU₃.SIG₁₇] ma");
        check("KU₃-BABBAR [x x] ma", &[(2, "KU₃"), (3, "-SIG₁₇")], "KU₃-BABBAR [KU₃-SIG₁₇] ma");
        check("KU₃.BABBAR [...] ma", &[(2, "DUB -SAR -ru")], "KU₃.BABBAR [DUB.SAR-ru] ma");
        check("sza _[...]_ u2", &[(1, "KU₃ -SIG₁₇")], "sza _[ku3-sig17]_ u2");
        check("_ku3_ sza x _gin2_", &[(2, "KU₃")], "_ku3_ sza [KU3] _gin2_");
        check("_lu2_ u2\n2. ($___$) _{gisz}x_", &[(3, "-ŠUR")], "_lu2_ u2\n2. ($___$) _{gisz}[szur]_");
        check("1⅓ MA.NA x", &[(4, "KU₃")], "1⅓ MA.NA [KU₃]");
        check("a-na be-li", &[], "a-na be-li");
    }

    #[test]
    fn no_cell_is_a_formula() {
        for (text, cell) in [
            ("a-na", "a-na"),
            ("", ""),
            ("-na", " -na"),
            ("+EN", " +EN"),
            ("=1+1", " =1+1"),
            ("@v", " @v"),
            ("\"=1+1\"", " \"=1+1\""),
            ("＝1", " ＝1"),
            ("\t=1", " =1"),
            ("\r\n-x", "  -x"),
            ("f\tor", "f or"),
            ("-0.5", "-0.5"),
            ("-1e-7", "-1e-7"),
            ("-inf", " -inf"),
            ("-", " -"),
            ("+49 30", " +49 30"),
            ("'", "'"),
            ("[...]", "[...]"),
        ] {
            assert_eq!(table_cell(text), cell, "{text:?}");
            assert_eq!(table_cell(&table_cell(text)), cell, "{text:?} once more");
        }
    }

    #[test]
    fn a_cell_is_read_again_as_it_was() {
        for typed in ["-na", "+EN-DU₃", "-ma [x x]", "\"a-na\"", "@v-na"] {
            let table = format!("transliteration\ttranslation\n{}\t{}\n", table_cell(typed), table_cell("-ed \"so\""));
            let table = Table::read(&table, None, None);
            let columns = Columns::guess(&table);
            let mut import = Import::new(table, columns);
            import.go_on(9, |document| document.canonical());
            let corpus = import.finish();
            let pair = corpus.pairs.first().map(|pair| (pair.typed.as_str(), pair.target.as_str()));
            assert_eq!(pair, Some((typed, "-ed \"so\"")), "{:?}", corpus.left_out);
            assert_eq!(Document::read(&table_cell(typed)).signs().count(), Document::read(typed).signs().count());
        }
    }
}
