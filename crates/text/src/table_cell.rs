//! Cells of exported tables: no tabs, no line ends, and nothing that a spreadsheet would compute.

use std::borrow::Cow;

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
    use super::table_cell;
    use crate::Document;
    use crate::pair_table::{Columns, Import, Table};

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
