//! Writes the parts of a passage as a table for a spreadsheet: one row each, cells separated by tabs.

use super::Cover;
use std::fmt::Write;
use tuppum_text::table_cell;

/// First line of the table.
const HEADER: &str = "part\twords\tclause\tkind\tenglish\tslots\ttexts\n";

/// Writes a cover as TSV. Rows of uncovered words have empty later cells.
pub fn table(cover: &Cover) -> String {
    let mut table = HEADER.to_owned();
    for (number, part) in cover.parts.iter().enumerate() {
        let start = format!("{}\t{}", number + 1, table_cell(&part.words.join(" ")));
        // Writing into a string never fails.
        let _ = match &part.clause {
            Some(clause) => {
                let slots: Vec<String> = clause
                    .slots
                    .iter()
                    .map(|slot| format!("{}: {} = {}", slot.slot, slot.written, slot.english))
                    .collect();
                let (name, kind, english) = (table_cell(&clause.name), clause.kind.name(), table_cell(&clause.english));
                let (slots, texts) = (slots.join(" | "), clause.texts.join(" | "));
                let (slots, texts) = (table_cell(&slots), table_cell(&texts));
                writeln!(table, "{start}\t{name}\t{kind}\t{english}\t{slots}\t{texts}")
            }
            None => writeln!(table, "{start}\t\t\t\t\t"),
        };
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formulary::{CoverPart, CoveredClause, FilledSlot, TextKind};
    use tuppum_text::Span;

    #[test]
    fn every_part_has_a_row_and_every_row_seven_cells() {
        let clause = CoveredClause {
            name: "seal".into(),
            kind: TextKind::WitnessList,
            english: "Seal\tof Dada".into(),
            slots: vec![FilledSlot {
                slot: "person".into(),
                written: "da-da".into(),
                english: "Dada".into(),
                is_known: true,
            }],
            texts: vec!["P1".into(), "P2".into()],
        };
        let part = |words: &str, clause: Option<CoveredClause>| CoverPart {
            span: Span::new(0, 1),
            words: words.split(' ').map(str::to_owned).collect(),
            clause,
        };
        let table = table(&Cover { parts: vec![part("KIŠIB₃ da-da", Some(clause)), part("x", None)] });
        let rows: Vec<Vec<&str>> = table.lines().map(|row| row.split('\t').collect()).collect();
        assert!(rows.iter().all(|row| row.len() == 7), "{table}");
        assert_eq!(
            rows[1][1..],
            ["KIŠIB₃ da-da", "seal", "witness list", "Seal of Dada", "person: da-da = Dada", "P1 | P2"]
        );
        assert_eq!(rows[2], ["2", "x", "", "", "", "", ""]);
    }
}
