//! One row of a corpus: a line of a tablet with the state of every sign.

use super::error::SignsRowError;

/// Columns of a corpus file, in order.
pub const HEADER: &str = "text_id\tproject\tlang\tline\ttransliteration\treadings\tglyphs\tstates\tword_starts";

/// A line of a tablet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row<'a> {
    /// Number of the text (`P390626`).
    pub text: &'a str,
    /// Oracc project, or CDLI's name of the period.
    pub project: &'a str,
    /// Oracc language code.
    pub language: &'a str,
    /// The line as the edition writes it, with brackets and marks of damage.
    pub transliteration: &'a str,
    /// The signs in order.
    pub signs: Vec<CorpusSign<'a>>,
}

/// A sign of a corpus.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CorpusSign<'a> {
    /// Its reading in canonical form; for a sign that is not legible whatever the corpus writes.
    pub reading: &'a str,
    /// Its glyph as the corpus has it; `?` if unknown, or empty.
    pub glyph: &'a str,
    /// How well it is preserved.
    pub state: CorpusState,
    /// Whether it is damaged, though read (`D`).
    pub is_damaged: bool,
    /// Whether a word begins with it.
    pub starts_word: bool,
}

/// State of a sign in a corpus.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CorpusState {
    /// Preserved or damaged but read (`P`, `D`): evidence, and a target when models are scored.
    Read,
    /// Missing and restored by the editor (`M`): a target in training only.
    Restored,
    /// Unreadable (`X`, or the reading `x`).
    Illegible,
    /// A gap of unknown length (`G`).
    Gap,
}

impl CorpusSign<'_> {
    /// Whether there is a reading to learn or to score.
    pub fn is_legible(&self) -> bool {
        matches!(self.state, CorpusState::Read | CorpusState::Restored)
    }
}

impl<'a> Row<'a> {
    /// Reads one row; uninscribed places (`O`) are left out.
    ///
    /// # Errors
    /// What is wrong with it, without the place, which the caller knows.
    pub fn parse(line: &'a str) -> Result<Self, SignsRowError> {
        let cells: Vec<&str> = line.split('\t').collect();
        let [text, project, language, _, transliteration, readings, glyphs, states, word_starts] = cells[..] else {
            return Err(SignsRowError::Columns(cells.len()));
        };
        let signs = readings.split(' ').count();
        let others = [states, word_starts].map(|cell| cell.chars().count());
        if others != [signs; 2] {
            let [states, word_starts] = others;
            return Err(SignsRowError::Counts { readings: signs, states, word_starts });
        }
        // Glyphs are for counting only: a column of another length gives none.
        let glyphs: Vec<&str> = glyphs.split(' ').collect();
        let glyph = |place: usize| if glyphs.len() == signs { glyphs.get(place).copied().unwrap_or("") } else { "" };
        let mut row = Row { text, project, language, transliteration, signs: Vec::with_capacity(signs) };
        for (place, ((reading, state), start)) in
            readings.split(' ').zip(states.chars()).zip(word_starts.chars()).enumerate()
        {
            let is_damaged = state == 'D';
            let state = match state {
                'G' => CorpusState::Gap,
                'O' => continue,
                'X' => CorpusState::Illegible,
                'P' | 'D' | 'M' if reading == "x" => CorpusState::Illegible,
                'P' | 'D' => CorpusState::Read,
                'M' => CorpusState::Restored,
                letter => return Err(SignsRowError::State { sign: place + 1, letter }),
            };
            row.signs.push(CorpusSign { reading, glyph: glyph(place), state, is_damaged, starts_word: start == '1' });
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
        let row = Row::parse(&line).unwrap_or_else(|message| panic!("{message}"));
        let signs: Vec<_> = row.signs.iter().map(|sign| (sign.reading, sign.state, sign.starts_word)).collect();
        use CorpusState::*;
        assert_eq!(
            signs,
            [
                ("a", Read, true),
                ("na", Read, false),
                ("x", Illegible, false),
                ("...", Gap, true),
                ("LUGAL", Restored, true),
                ("x", Illegible, false)
            ]
        );
    }

    #[test]
    fn bad_rows_say_why() {
        let message = |line: &str| Row::parse(line).unwrap_err().to_string();
        assert_eq!(message("a\tb"), "a row has 9 columns separated by tabs, this one 2");
        assert!(message(&row("a na", "P", "10")).starts_with("there are 2 readings, 1 states and 2 word starts"));
        assert!(message(&row("a na", "PQ", "10")).starts_with("the state of sign 2 is 'Q'"));
    }
}
