//! A transliteration covered with clauses of a formulary: which parts are translated, by which clause, and which are
//! left as they are; also as a table for a spreadsheet. Plain data; the clauses are in `corpus`.

use serde::{Deserialize, Serialize};
use std::fmt::Write;
use tuppum_text::{Span, table_cell};

/// Cover of a passage, part by part. The words of all parts in order are the words of the passage.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cover {
    /// Clauses, and the words between them.
    pub parts: Vec<CoverPart>,
}

/// Stretch of a passage: the words of one clause, or words outside all clauses.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CoverPart {
    /// Place in the source, from the first character of the first word to the last of the last.
    pub span: Span,
    /// Words in canonical transliteration.
    pub words: Vec<String>,
    /// Clause that covers the words; `None` if they are untranslated.
    pub clause: Option<CoveredClause>,
}

/// A clause of the formulary with its slots filled.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CoveredClause {
    /// Name of the clause (`address, sender first`).
    pub name: String,
    /// Kind of text that the clause belongs to.
    pub kind: TextKind,
    /// Translation with its slots filled.
    pub english: String,
    /// Filled slots, in the order of the Akkadian.
    pub slots: Vec<FilledSlot>,
    /// Numbers of texts that contain the clause (`P357343`).
    pub texts: Vec<String>,
}

/// A filled slot of a clause.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FilledSlot {
    /// Name of the slot (`person`, `amount`, `person2`).
    pub slot: String,
    /// Words in canonical transliteration.
    pub written: String,
    /// Words in the translation.
    pub english: String,
    /// `true` if every name in the slot is known. An unknown name stands in the translation as it is spelled, in angle
    /// quotes.
    pub is_known: bool,
}

/// Kind of text that a clause belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TextKind {
    Letter,
    DebtNote,
    /// List of seals or of witnesses.
    WitnessList,
    /// Contract about transport, or notes that go with a caravan.
    Transport,
    Account,
    /// Verdict, deposition or oath.
    Legal,
}

impl TextKind {
    pub const ALL: [Self; 6] =
        [Self::Letter, Self::DebtNote, Self::WitnessList, Self::Transport, Self::Account, Self::Legal];

    /// Returns the name of the kind in words.
    pub fn name(self) -> &'static str {
        match self {
            Self::Letter => "letter",
            Self::DebtNote => "debt note",
            Self::WitnessList => "witness list",
            Self::Transport => "transport contract",
            Self::Account => "account",
            Self::Legal => "legal text",
        }
    }
}

impl Cover {
    /// Returns the number of words of the passage.
    pub fn words(&self) -> usize {
        self.parts.iter().map(|part| part.words.len()).sum()
    }

    /// Returns the number of words covered by clauses.
    pub fn covered(&self) -> usize {
        self.parts.iter().filter(|part| part.clause.is_some()).map(|part| part.words.len()).sum()
    }

    /// Returns the share of words covered by clauses, from 0 to 1; 0 for no words.
    pub fn share(&self) -> f64 {
        if self.words() == 0 { 0.0 } else { self.covered() as f64 / self.words() as f64 }
    }

    /// Returns the translations of the clauses in order, separated by semicolons; uncovered words stand between them as
    /// spelled, in square brackets.
    pub fn english(&self) -> String {
        let parts: Vec<String> = self
            .parts
            .iter()
            .map(|part| match &part.clause {
                Some(clause) => clause.english.clone(),
                None => format!("[{}]", part.words.join(" ")),
            })
            .collect();
        parts.join("; ")
    }
}

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

    fn part(words: &[&str], english: Option<&str>) -> CoverPart {
        let clause = |english: &str| CoveredClause {
            name: "seal".into(),
            kind: TextKind::WitnessList,
            english: english.into(),
            slots: Vec::new(),
            texts: Vec::new(),
        };
        CoverPart {
            span: Span::new(0, 0),
            words: words.iter().map(|word| (*word).to_owned()).collect(),
            clause: english.map(clause),
        }
    }

    #[test]
    fn the_share_counts_words_in_clauses() {
        let cover = Cover { parts: vec![part(&["KIŠIB₃", "da-da"], Some("Seal of Dada")), part(&["x-na"], None)] };
        assert_eq!((cover.words(), cover.covered()), (3, 2));
        assert!((cover.share() - 2.0 / 3.0).abs() < 1e-12);
        assert_eq!(cover.english(), "Seal of Dada; [x-na]");
        assert_eq!(Cover::default().share(), 0.0);
    }

    #[test]
    fn kinds_are_written_in_files_as_in_json() {
        let written: Vec<String> = TextKind::ALL.iter().map(|kind| serde_json::json!(kind).to_string()).collect();
        assert_eq!(written[1], "\"debt-note\"");
        assert!(TextKind::ALL.iter().all(|kind| !kind.name().is_empty()));
    }

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
