//! A row of a corpus: a line of a tablet with the state of every sign.

use super::error::{CorpusProblem, SignsRowError};
use tuppum_text::SignState;

/// Columns of a corpus file, in order.
pub const HEADER: &str = "text_id\tproject\tlang\tline\ttransliteration\treadings\tglyphs\tstates\tword_starts";

/// Number of columns.
const COLUMNS: usize = 9;

/// Places of the columns of [`HEADER`] in a file, which may have other columns too.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignsColumns {
    places: [usize; COLUMNS],
    named: usize,
}

impl SignsColumns {
    /// Finds the columns in the first line of a file; `None` if one of them is missing.
    pub fn named(header: &str) -> Option<Self> {
        let names: Vec<&str> = header.trim_end().split('\t').collect();
        let mut places = [0; COLUMNS];
        for (place, name) in places.iter_mut().zip(HEADER.split('\t')) {
            *place = names.iter().position(|own| *own == name)?;
        }
        Some(Self { places, named: names.len() })
    }

    /// Reads one row of the file, ignoring other columns.
    ///
    /// # Errors
    /// Returns what is wrong with the row, without its place, which the caller knows.
    pub fn row<'a>(&self, line: &'a str) -> Result<SignsRow<'a>, CorpusProblem> {
        let cells: Vec<&str> = line.split('\t').collect();
        if cells.len() != self.named {
            return Err(CorpusProblem::Columns { named: self.named, found: cells.len() });
        }
        let own = self.places.map(|place| cells.get(place).copied().unwrap_or_default());
        SignsRow::of_cells(own).map_err(CorpusProblem::from)
    }
}

/// A line of a tablet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignsRow<'a> {
    /// Number of the text (`P390626`).
    pub text: &'a str,
    /// Oracc project, or CDLI's name of the period.
    pub project: &'a str,
    /// Oracc language code.
    pub language: &'a str,
    /// Label of the line (`obverse 3`).
    pub line: &'a str,
    /// The line as the edition writes it, with brackets and marks of damage.
    pub transliteration: &'a str,
    /// Signs in order.
    pub signs: Vec<CorpusSign<'a>>,
}

/// A sign of a corpus.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CorpusSign<'a> {
    /// Reading in canonical form; for an illegible sign whatever the corpus writes.
    pub reading: &'a str,
    /// Glyph in the corpus; `?` or empty if unknown.
    pub glyph: &'a str,
    /// State of preservation of the sign.
    pub state: SignState,
    /// `true` if a word begins with the sign.
    pub starts_word: bool,
}

impl<'a> SignsRow<'a> {
    /// Reads one row; uninscribed places (`O`) are left out.
    ///
    /// # Errors
    /// Returns what is wrong with the row, without its place, which the caller knows.
    pub fn parse(line: &'a str) -> Result<Self, SignsRowError> {
        let cells: Vec<&str> = line.split('\t').collect();
        Self::of_cells(<[&str; COLUMNS]>::try_from(cells).map_err(|cells| SignsRowError::Columns(cells.len()))?)
    }

    /// Reads the cells of a row in the order of [`HEADER`].
    fn of_cells(cells: [&'a str; COLUMNS]) -> Result<Self, SignsRowError> {
        let [text, project, language, label, transliteration, readings, glyphs, states, word_starts] = cells;
        let signs = readings.split(' ').count();
        let others = [states, word_starts].map(|cell| cell.chars().count());
        if others != [signs; 2] {
            let [states, word_starts] = others;
            return Err(SignsRowError::Counts { readings: signs, states, word_starts });
        }
        // Glyphs are only counted, so a column of another length is ignored.
        let glyphs: Vec<&str> = glyphs.split(' ').collect();
        let glyph = |place: usize| if glyphs.len() == signs { glyphs.get(place).copied().unwrap_or("") } else { "" };
        let mut row =
            SignsRow { text, project, language, line: label, transliteration, signs: Vec::with_capacity(signs) };
        for (place, ((reading, state), start)) in
            readings.split(' ').zip(states.chars()).zip(word_starts.chars()).enumerate()
        {
            let state = match SignState::of_letter(state) {
                Some(state) if state.is_legible() && reading == "x" => SignState::Illegible,
                Some(state) => state,
                None if state == 'O' => continue,
                None => return Err(SignsRowError::State { sign: place + 1, letter: state }),
            };
            row.signs.push(CorpusSign { reading, glyph: glyph(place), state, starts_word: start == '1' });
        }
        Ok(row)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(readings: &str, states: &str, starts: &str) -> String {
        format!("P1\tsaao/saa01\takk-x-neoass\to 1\t-\t{readings}\t-\t{states}\t{starts}")
    }

    #[test]
    fn states_are_treated_as_in_the_recipe() {
        let line = row("a na x ... LUGAL o x", "PDPGMOX", "1001110");
        let row = SignsRow::parse(&line).unwrap_or_else(|message| panic!("{message}"));
        let signs: Vec<_> = row.signs.iter().map(|sign| (sign.reading, sign.state, sign.starts_word)).collect();
        use SignState::*;
        assert_eq!(
            signs,
            [
                ("a", Preserved, true),
                ("na", Damaged, false),
                ("x", Illegible, false),
                ("...", Break, true),
                ("LUGAL", Restored, true),
                ("x", Illegible, false)
            ]
        );
    }

    #[test]
    fn bad_rows_say_why() {
        let message = |line: &str| SignsRow::parse(line).unwrap_err().to_string();
        assert_eq!(message("a\tb"), "a row has 9 columns separated by tabs, this one 2");
        assert!(message(&row("a na", "P", "10")).starts_with("there are 2 readings, 1 states and 2 word starts"));
        assert!(message(&row("a na", "PQ", "10")).starts_with("the state of sign 2 is 'Q'"));
    }
}
