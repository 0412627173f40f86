//! Meaning of columns, guessed from their names or from their cells.

use super::table::{GUESSED_FROM, SOURCE, TARGET, TEXT, Table, WEIGHT};
use serde::{Deserialize, Serialize};

/// Explanation of the columns that a table must have.
const NEEDED: &str = "These two are needed; all other columns may stay as they are, and are ignored unless you choose \
    them.";

/// Numbers of the columns by their meaning, from 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Columns {
    /// Column of the transliteration.
    pub source: Option<usize>,
    /// Column of the translation.
    pub target: Option<usize>,
    /// Column of the name of the text that a row comes from.
    pub text: Option<usize>,
    /// Column of the row's weight, which is 1 if there is no such column.
    pub weight: Option<usize>,
}

impl Columns {
    /// Guesses by the names of the columns, and by their contents where the names say nothing.
    pub fn guess(table: &Table) -> Self {
        let named = |names: &[&str]| {
            names.iter().find_map(|name| table.columns.iter().position(|column| column.to_lowercase() == *name))
        };
        let mut columns =
            Self { source: named(&SOURCE), target: named(&TARGET), text: named(&TEXT), weight: named(&WEIGHT) };
        let free = |columns: &Self, column: &usize| !columns.chosen().contains(&Some(*column));
        let best = |columns: &Self, score: fn(&str) -> f64| {
            let scored = (0..table.columns.len()).filter(|column| free(columns, column));
            let scored = scored.map(|column| (column, mean(table, column, score))).filter(|(_, score)| *score > 0.2);
            scored.fold(None, |best: Option<(usize, f64)>, other| match best {
                Some(best) if best.1 >= other.1 => Some(best),
                _ => Some(other),
            })
        };
        if columns.source.is_none() {
            columns.source = best(&columns, like_transliteration).map(|(column, _)| column);
        }
        if columns.target.is_none() {
            columns.target = best(&columns, like_translation).map(|(column, _)| column);
        }
        if columns.text.is_none() && !table.header {
            columns.text = best(&columns, like_number_of_a_text).map(|(column, _)| column);
        }
        columns
    }

    /// Returns the four columns, in the order of the fields.
    pub fn chosen(&self) -> [Option<usize>; 4] {
        [self.source, self.target, self.text, self.weight]
    }

    /// Returns a description of what is wrong with the choice, for the user.
    pub fn problem(&self, table: &Table) -> Option<String> {
        if table.columns.len() < 2 {
            return Some(
                "There is only one column. A row needs a transliteration and its translation, with a tab, comma or \
                 semicolon between them."
                    .into(),
            );
        }
        match (self.source, self.target) {
            (None, _) => Some(format!("Say which column is the transliteration. {NEEDED}")),
            (_, None) => Some(format!("Say which column is the translation. {NEEDED}")),
            (source, target) if source == target => {
                Some("One column cannot be both transliteration and translation.".into())
            }
            _ => None,
        }
    }
}

fn mean(table: &Table, column: usize, score: fn(&str) -> f64) -> f64 {
    let cells = table.rows.iter().take(GUESSED_FROM).filter_map(|row| row.cells.get(column));
    let (sum, count) = cells.fold((0.0, 0.0), |(sum, count), cell| (sum + score(cell), count + 1.0));
    if count == 0.0 { 0.0 } else { sum / count }
}

/// Returns the share of words with joined signs, an index or a determinative.
fn like_transliteration(cell: &str) -> f64 {
    let joined = |word: &&str| {
        word.trim_matches('-').contains('-')
            || word.contains('{')
            || word.contains(|letter| ('₀'..='₉').contains(&letter))
    };
    share(cell.split_whitespace(), joined)
}

/// Returns the share of words that consist of letters only.
fn like_translation(cell: &str) -> f64 {
    let plain = |word: &&str| {
        let word = word.trim_matches(|letter: char| !letter.is_alphanumeric());
        !word.is_empty() && word.chars().all(char::is_alphabetic)
    };
    // A single word is weaker evidence: it may be a name.
    let trust = if cell.split_whitespace().nth(1).is_none() { 0.5 } else { 1.0 };
    share(cell.split_whitespace(), plain) * trust
}

/// Returns 1 for one word with a digit, such as P123456, Q004739 or BIN425, else 0.
fn like_number_of_a_text(cell: &str) -> f64 {
    let cell = cell.trim();
    let letters =
        cell.chars().next().is_some_and(char::is_uppercase) && cell.contains(|letter: char| letter.is_ascii_digit());
    f64::from(u8::from(letters && !cell.contains([' ', '-', '{'])))
}

fn share<'a>(words: impl Iterator<Item = &'a str>, holds: impl Fn(&&'a str) -> bool) -> f64 {
    let (all, held_out) =
        words.fold((0.0, 0.0), |(all, held_out), word| (all + 1.0, held_out + f64::from(u8::from(holds(&word)))));
    if all == 0.0 { 0.0 } else { held_out / all }
}
