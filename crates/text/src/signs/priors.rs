//! Statistics of the corpora that are used before the model: whether a word begins at a gap, and the lengths of breaks.

use super::error::{RowProblem, TableError};
use super::{count, rows};
use crate::tokens::{BEGIN, END, GAP, ILLEGIBLE, INNER_ILLEGIBLE, INNER_MASK, LINE_END, MASK, TokenId, Vocabulary};
use std::sync::OnceLock;

const TABLE: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/signs/priors.tsv"));

/// First line of the table. `word_start` rows: neighbour before, neighbour after, number of signs between them that
/// begin a word, number of all signs between them. `length` rows: length, unused, number of breaks. `fill` rows:
/// length, unused, mean log probability of the best filling in thousandths, negated.
const HEADER: &str = "kind\tfirst\tsecond\tcount\tof";

/// Longest length with a count of its own; longer ones share a geometric tail.
pub const LONGEST_COUNTED: usize = 10;

/// Share of the corpora's legible signs that begin a word (0.399).
const WORD_STARTS: f32 = 0.4;

/// Kind of neighbour of a gap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Neighbour {
    /// Beginning of the line or text before a gap, end of it after a gap.
    LineEdge,
    /// Sign that begins a word.
    WordStart,
    /// Sign inside a word.
    Inside,
    /// Determinative that begins a word: `{d}` before the god's name.
    LeadingDeterminative,
    /// Determinative inside a word: `{KI}` after the place's name, or `{d}` within a personal name.
    InnerDeterminative,
    /// Sign that cannot be read, or another gap of one sign.
    Illegible,
    /// Break of unknown length.
    Gap,
}

impl Neighbour {
    /// All neighbours, in the order of the table.
    pub const ALL: [Neighbour; 7] = [
        Neighbour::LineEdge,
        Neighbour::WordStart,
        Neighbour::Inside,
        Neighbour::LeadingDeterminative,
        Neighbour::InnerDeterminative,
        Neighbour::Illegible,
        Neighbour::Gap,
    ];

    /// Returns the kind of a legible sign.
    pub fn of_sign(reading: &str, starts_word: bool) -> Neighbour {
        match (reading.starts_with('{'), starts_word) {
            (true, true) => Neighbour::LeadingDeterminative,
            (true, false) => Neighbour::InnerDeterminative,
            (false, true) => Neighbour::WordStart,
            (false, false) => Neighbour::Inside,
        }
    }

    /// Returns the name of the neighbour in the table.
    pub fn name(self) -> &'static str {
        match self {
            Neighbour::LineEdge => "line_edge",
            Neighbour::WordStart => "word_start",
            Neighbour::Inside => "inside",
            Neighbour::LeadingDeterminative => "leading_determinative",
            Neighbour::InnerDeterminative => "inner_determinative",
            Neighbour::Illegible => "illegible",
            Neighbour::Gap => "gap",
        }
    }

    /// Returns the neighbour of this name.
    fn named(name: &str, row: usize) -> Result<Neighbour, TableError> {
        let found = Neighbour::ALL.into_iter().find(|neighbour| neighbour.name() == name);
        found.ok_or_else(|| RowProblem::Neighbour(name.to_owned()).in_row(row))
    }
}

/// Probabilities counted on the training corpora.
#[derive(Clone, Debug, PartialEq)]
pub struct Priors {
    word_start: [[f32; Neighbour::ALL.len()]; Neighbour::ALL.len()],
    log_lengths: [f32; LONGEST_COUNTED],
    /// Natural logarithms of the tail's total share and of the ratio from one length to the next.
    log_tail: (f32, f32),
    fills: [f32; LONGEST_COUNTED],
}

impl Default for Priors {
    /// Returns uninformed priors: half of all gaps begin a word, and all lengths up to ten are equally likely.
    fn default() -> Self {
        Self {
            word_start: [[0.5; Neighbour::ALL.len()]; Neighbour::ALL.len()],
            log_lengths: [(1.0 / LONGEST_COUNTED as f32).ln(); LONGEST_COUNTED],
            log_tail: (f32::NEG_INFINITY, 0.0),
            fills: [0.0; LONGEST_COUNTED],
        }
    }
}

impl Priors {
    /// First line of the table, which names the columns.
    pub const HEADER: &str = HEADER;

    /// Returns the priors that are compiled in.
    pub fn shared() -> &'static Priors {
        static PRIORS: OnceLock<Priors> = OnceLock::new();
        // The table is our own and a test reads it. If it were broken, both boundaries and all lengths would count the
        // same.
        PRIORS.get_or_init(|| Priors::parse(TABLE).unwrap_or_default())
    }

    /// Reads a table of counts and turns them into probabilities.
    ///
    /// # Errors
    /// [`TableError`] names the row.
    pub fn parse(table: &str) -> Result<Self, TableError> {
        let mut priors = Priors::default();
        let mut lengths = Vec::new();
        for (row, cells) in rows(table, HEADER)? {
            match cells[..] {
                ["word_start", previous, next, starts, of] => {
                    let (previous, next) = (Neighbour::named(previous, row)?, Neighbour::named(next, row)?);
                    let (starts, of) = (count(starts, row)?, count(of, row)?);
                    if starts > of {
                        return Err(RowProblem::WordStarts { starts, of }.in_row(row));
                    }
                    // Laplace's rule: a pair never seen gives one half.
                    priors.word_start[previous as usize][next as usize] = (starts as f32 + 1.0) / (of as f32 + 2.0);
                }
                ["length", length, _, number, _] => lengths.push((count(length, row)? as usize, count(number, row)?)),
                ["fill", length, _, thousandths, _] => {
                    let slot =
                        (count(length, row)? as usize).checked_sub(1).and_then(|place| priors.fills.get_mut(place));
                    let slot = slot.ok_or(RowProblem::Length { longest: LONGEST_COUNTED }.in_row(row))?;
                    *slot = -(count(thousandths, row)? as f32) / 1000.0;
                }
                _ => return Err(RowProblem::RowKind(cells.first().map(|kind| (*kind).to_owned())).in_row(row)),
            }
        }
        priors.set_lengths(&lengths);
        Ok(priors)
    }

    /// Sets the log probabilities. Lengths up to ten have their counts plus one. Longer ones share the rest
    /// geometrically, with the mean of the corpora's longer breaks.
    fn set_lengths(&mut self, lengths: &[(usize, u32)]) {
        // Laplace's rule: a length never seen keeps a small probability.
        let mut counts = [1.0_f64; LONGEST_COUNTED];
        let (mut tail, mut excess) = (0.0_f64, 0.0_f64);
        for &(length, number) in lengths {
            match length.checked_sub(1).and_then(|place| counts.get_mut(place)) {
                Some(slot) => *slot += f64::from(number),
                None if length > LONGEST_COUNTED => {
                    tail += f64::from(number);
                    excess += f64::from(number) * (length - LONGEST_COUNTED) as f64;
                }
                None => {}
            }
        }
        let all = counts.iter().sum::<f64>() + tail;
        self.log_lengths = counts.map(|number| (number / all).ln() as f32);
        if tail > 0.0 {
            // A geometric distribution from 1 with mean m continues with probability 1 - 1/m.
            let ratio = 1.0 - tail / excess;
            self.log_tail = (((tail / all) * (1.0 - ratio)).ln() as f32, ratio.ln() as f32);
        }
    }

    /// Returns the probability that a sign begins a word, given its neighbours.
    pub fn word_start(&self, previous: Neighbour, next: Neighbour) -> f32 {
        self.word_start[previous as usize][next as usize]
    }

    /// Returns the probability of a word start between two tokens.
    ///
    /// A mask or an illegible sign is an unknown sign that may begin a word or not. The counts beside `x` in the
    /// corpora would mislead, because editors set it apart whatever stood there.
    pub fn word_start_between(&self, previous: TokenId, next: TokenId, vocabulary: &Vocabulary) -> f32 {
        let mut probability = 0.0;
        for (before, weight) in possible(previous, vocabulary) {
            for (after, other) in possible(next, vocabulary) {
                probability += weight * other * self.word_start(before, after);
            }
        }
        probability
    }

    /// Returns the natural logarithm of the share of breaks with this many signs; minus infinity for none.
    pub fn log_length(&self, length: usize) -> f32 {
        match length {
            0 => f32::NEG_INFINITY,
            1..=LONGEST_COUNTED => self.log_lengths[length - 1],
            _ if self.log_tail.0 == f32::NEG_INFINITY => f32::NEG_INFINITY,
            // Geometric: each further sign costs the same.
            _ => self.log_tail.0 + self.log_tail.1 * (length - LONGEST_COUNTED - 1) as f32,
        }
    }

    /// Returns the mean natural log probability that the model gives its own best filling of a break of this length. A
    /// filling is as good as its log probability lies above this; without it short fillings would always win.
    pub fn expected_log_probability(&self, length: usize) -> f32 {
        match length {
            0 => 0.0,
            1..=LONGEST_COUNTED => self.fills[length - 1],
            // Beyond the table every sign costs what the mean sign of the longest costs.
            _ => self.fills[LONGEST_COUNTED - 1] * length as f32 / LONGEST_COUNTED as f32,
        }
    }
}

/// Returns the possible kinds of a token as a neighbour, with weights.
fn possible(token: TokenId, vocabulary: &Vocabulary) -> [(Neighbour, f32); 2] {
    let sure = |neighbour| [(neighbour, 1.0), (neighbour, 0.0)];
    match token {
        LINE_END | BEGIN | END => sure(Neighbour::LineEdge),
        GAP => sure(Neighbour::Gap),
        MASK | INNER_MASK | ILLEGIBLE | INNER_ILLEGIBLE => {
            [(Neighbour::WordStart, WORD_STARTS), (Neighbour::Inside, 1.0 - WORD_STARTS)]
        }
        _ => match vocabulary.reading(token) {
            Some((reading, starts_word)) => sure(Neighbour::of_sign(reading, starts_word)),
            // A reading outside the vocabulary: rare readings are mostly logograms that stand alone.
            None => sure(Neighbour::WordStart),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(rows: &str) -> Result<Priors, TableError> {
        Priors::parse(&format!("{HEADER}\n{rows}"))
    }

    #[test]
    fn counts_become_probabilities() {
        let priors = parse("word_start\tinside\tline_edge\t3\t8\n").unwrap_or_default();
        assert_eq!(priors.word_start(Neighbour::Inside, Neighbour::LineEdge), 0.4);
        assert_eq!(priors.word_start(Neighbour::Gap, Neighbour::Gap), 0.5);
    }

    #[test]
    fn lengths_and_their_tail_sum_to_one() {
        let priors =
            parse("length\t1\t\t60\t\nlength\t2\t\t20\t\nlength\t11\t\t6\t\nlength\t14\t\t4\t\n").unwrap_or_default();
        let sum: f64 = (1..2_000).map(|length| f64::from(priors.log_length(length)).exp()).sum();
        // 2,000 f32 logarithms.
        assert!((sum - 1.0).abs() < 1e-5, "{sum}");
        assert!((priors.log_length(1).exp() - 61.0 / 100.0).abs() < 1e-6);
        assert_eq!(priors.log_length(0), f32::NEG_INFINITY);
    }

    #[test]
    fn a_neighbour_that_cannot_be_read_says_nothing() {
        let tokens = crate::tokens::SPECIALS.iter().chain(&["na", "-na"]).map(|token| token.to_string()).collect();
        let vocabulary = Vocabulary::new(tokens).unwrap();
        let (priors, start, inside) = (Priors::shared(), vocabulary.id("na", true), vocabulary.id("na", false));
        let between = |previous| priors.word_start_between(previous, inside, &vocabulary);
        assert_eq!(between(start), priors.word_start(Neighbour::WordStart, Neighbour::Inside));
        assert_eq!(between(ILLEGIBLE), between(MASK));
        assert!(between(start) < between(MASK) && between(MASK) < between(inside));
        // Legible signs beside an x mostly begin words; a sign beside an unreadable one need not.
        assert!(priors.word_start(Neighbour::Illegible, Neighbour::Inside) > between(inside));
    }

    #[test]
    fn broken_rows_are_named() {
        for (rows, message) in [
            ("word_start\tinside\tmoon\t1\t2\n", "row 2: \"moon\" is no neighbour"),
            ("word_start\tinside\tgap\t3\t2\n", "row 2: 3 of 2 signs begin a word"),
            ("fill\t11\t\t5\t\n", "row 2: lengths go from 1 to 10"),
            ("fill\t0\t\t5\t\n", "row 2: lengths go from 1 to 10"),
            ("guess\t1\t\t5\t\n", "row 2: Some(\"guess\") is no kind of row"),
        ] {
            assert_eq!(parse(rows).unwrap_err().to_string(), message);
        }
    }

    #[test]
    fn the_table_compiled_in_makes_sense() {
        let priors = Priors::parse(TABLE).unwrap_or_default();
        // After `{d}` comes the god's name in the same word; after `{KI}` as often as not the next word.
        assert!(priors.word_start(Neighbour::LeadingDeterminative, Neighbour::Inside) < 0.05);
        assert!(priors.word_start(Neighbour::InnerDeterminative, Neighbour::WordStart) > 0.4);
        for length in 1..10 {
            assert!(priors.expected_log_probability(length) > priors.expected_log_probability(length + 1));
            assert!(priors.log_length(length).is_finite());
        }
    }
}
