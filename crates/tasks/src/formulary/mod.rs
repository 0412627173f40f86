//! A transliteration covered by the clauses of a formulary: what is translated, by which clause, and what is left as it
//! stands. Plain data; the clauses lie where they are looked up.

mod table;

pub use table::table;

use serde::{Deserialize, Serialize};
use tuppum_text::Span;

/// A passage part by part. The words of all parts in turn are the words of the passage.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cover {
    /// Clauses, and the words between them.
    pub parts: Vec<CoverPart>,
}

/// A stretch of a passage: the words of one clause, or words that no clause has.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CoverPart {
    /// Place in the source, from the first character of its first word to the last one of its last.
    pub span: Span,
    /// Its words in canonical transliteration.
    pub words: Vec<String>,
    /// The clause that they are; `None` where they are left untranslated.
    pub clause: Option<CoveredClause>,
}

/// A clause of the formulary with what stands in its slots.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CoveredClause {
    /// Name of the clause (`address, sender first`).
    pub name: String,
    /// Kind of text that it belongs to.
    pub kind: TextKind,
    /// The translation, its slots filled.
    pub english: String,
    /// What stands in the slots, in the order of the Akkadian.
    pub slots: Vec<FilledSlot>,
    /// Numbers of texts in which the clause stands (`P357343`).
    pub texts: Vec<String>,
}

/// What stands in a slot of a clause.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FilledSlot {
    /// Name of the slot (`person`, `amount`, `person2`).
    pub slot: String,
    /// Its words in canonical transliteration.
    pub written: String,
    /// How it stands in the translation.
    pub english: String,
    /// Whether every name in it is known. One that is not stands in the translation as it is spelled, in angle quotes.
    pub is_known: bool,
}

/// Kind of text that a clause belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TextKind {
    /// A letter.
    Letter,
    /// A debt note.
    DebtNote,
    /// A list of seals or of witnesses.
    WitnessList,
    /// A contract about transport, or the notes that go with a caravan.
    Transport,
    /// An account.
    Account,
    /// A verdict, a deposition or an oath.
    Legal,
}

impl TextKind {
    /// All kinds.
    pub const ALL: [Self; 6] =
        [Self::Letter, Self::DebtNote, Self::WitnessList, Self::Transport, Self::Account, Self::Legal];

    /// The kind in words.
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
    /// How many words the passage has.
    pub fn words(&self) -> usize {
        self.parts.iter().map(|part| part.words.len()).sum()
    }

    /// How many of them stand in clauses.
    pub fn covered(&self) -> usize {
        self.parts.iter().filter(|part| part.clause.is_some()).map(|part| part.words.len()).sum()
    }

    /// The share of the words that stand in clauses, from 0 to 1; 0 of no words.
    pub fn share(&self) -> f64 {
        if self.words() == 0 { 0.0 } else { self.covered() as f64 / self.words() as f64 }
    }

    /// The translations of the clauses in turn, apart by semicolons; words that are left stand between them as they
    /// are spelled, in square brackets.
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
}
