//! Probability of the model's own fillings of breaks, by length; the priors compare fillings with it.
//!
//! Stretches of preserved signs, one to ten in turn, are cut out of the corpora and asked for as breaks of unknown
//! length, as a user would ask. The texts around them are whole, so that only this break is missing.

use futures_lite::future::block_on;
use tuppum_cli::failure::Result;
use tuppum_corpus::signs_row::SignsRow;
use tuppum_domain::restoration::search::Restorer;
use tuppum_domain::restoration::{Question, Scorer};
use tuppum_text::signs::LONGEST_COUNTED;
use tuppum_text::{Document, SignKind};

/// Number of lines around the break that the model reads.
const LINES: usize = 5;

/// A line of a text as canonical transliteration, sign by sign.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Number of the text, so that lines of two are not mixed.
    text: String,
    /// Joiner before each sign and its reading.
    signs: Vec<(&'static str, String)>,
}

/// Gathers stretches of lines to cut breaks into: one row of a fixed number, spread over the corpora.
#[derive(Debug, Default)]
pub struct Sample {
    recent: Vec<Line>,
    rows: usize,
    /// Lines of one text each, the break to be cut into the middle one.
    pub passages: Vec<Vec<Line>>,
}

impl Sample {
    /// Adds a row; every `every`-th one ends a passage if it and those before it are whole.
    pub fn add(&mut self, row: &SignsRow, every: usize) {
        self.rows += 1;
        if self.recent.first().is_some_and(|line| line.text != row.text) {
            self.recent.clear();
        }
        match line(row) {
            Some(line) => self.recent.push(line),
            None => self.recent.clear(),
        }
        if self.recent.len() > LINES {
            self.recent.remove(0);
        }
        let wanted = self.rows / every.max(1) >= self.passages.len();
        let middle = self.recent.get(LINES / 2).map_or(0, |line| line.signs.len());
        if wanted && self.recent.len() == LINES && middle > 2 {
            self.passages.push(std::mem::take(&mut self.recent));
        }
    }
}

/// Returns a row as a line, if every sign of it is preserved.
fn line(row: &SignsRow) -> Option<Line> {
    let mut signs = Vec::new();
    let mut after_determinative = false;
    for sign in &row.signs {
        if !sign.state.is_read() {
            return None;
        }
        let determinative = sign.reading.starts_with('{');
        let joiner = match sign.starts_word {
            true => " ",
            false if determinative || after_determinative => "",
            false => "-",
        };
        after_determinative = determinative;
        signs.push((joiner, sign.reading.to_string()));
    }
    Some(Line { text: row.text.to_string(), signs })
}

/// Returns the passage as a question with a break of `length` signs in its middle line; `None` if that line is too
/// short to keep a sign on either side, or the reader sees another number of breaks.
pub fn question(passage: &[Line], length: usize) -> Option<Question> {
    let mut text = String::new();
    for (number, line) in passage.iter().enumerate() {
        let cut =
            if number == passage.len() / 2 { Some(line.signs.len().checked_sub(length + 2)? / 2 + 1) } else { None };
        for (place, (joiner, reading)) in line.signs.iter().enumerate() {
            match cut {
                Some(start) if place == start => text.push_str(" [...]"),
                Some(start) if (start..start + length).contains(&place) => {}
                _ => text.extend([*joiner, reading]),
            }
        }
        text.push('\n');
    }
    let breaks = Document::read(&text).signs().filter(|sign| sign.kind == SignKind::Gap).count();
    (breaks == 1).then(|| Question { beam: 1, top: 1, longest: LONGEST_COUNTED, ..Question::about(text) })
}

/// Mean log probability of the best filling for each length, in negated thousandths; `on_answer` is called after each
/// passage.
///
/// # Errors
/// The model failed, or there is nothing to ask.
pub fn measure<S: Scorer>(
    restorer: &Restorer,
    passages: &[Vec<Line>],
    scorer: &mut S,
    on_answer: impl Fn(),
) -> Result<Vec<u32>>
where
    S::Error: std::error::Error + Send + Sync + 'static,
{
    let mut sums = [0.0; LONGEST_COUNTED];
    let mut asked = 0.0;
    for (number, passage) in passages.iter().enumerate() {
        on_answer();
        let Some(question) = question(passage, number % LONGEST_COUNTED + 1) else { continue };
        let answer = block_on(restorer.answer(&question, scorer, |_| ()))?;
        for filling in answer.gaps.iter().flat_map(|gap| &gap.lengths) {
            if let Some(sum) = filling.length.checked_sub(1).and_then(|place| sums.get_mut(place)) {
                *sum += filling.readings.iter().map(|reading| f64::from(reading.probability).ln()).sum::<f64>();
            }
        }
        asked += 1.0;
    }
    if asked == 0.0 {
        return Err("no passage of the corpora is whole and long enough to cut a break into".into());
    }
    Ok(sums.iter().map(|sum| (-sum / asked * 1_000.0).round() as u32).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(rows: &[(&str, &str, &str, &str)]) -> Sample {
        let mut sample = Sample::default();
        for (text, readings, states, starts) in rows {
            let line = format!("{text}\tOA\takk\t1\t-\t{readings}\t-\t{states}\t{starts}");
            sample.add(&SignsRow::parse(&line).unwrap(), 1);
        }
        sample
    }

    #[test]
    fn a_break_is_cut_into_the_middle_of_a_whole_passage() {
        let rows = [("P1", "a na {d} UTU qi₂ bi₂ ma", "PPPPPPP", "1010100"); LINES];
        let sample = sample(&rows);
        assert_eq!(sample.passages.len(), 1);
        let question = question(&sample.passages[0], 3).unwrap();
        let lines: Vec<&str> = question.text.lines().map(str::trim).collect();
        assert_eq!(lines[1], "a-na {d}UTU qi₂-bi₂-ma");
        assert_eq!(lines[2], "a-na [...]-bi₂-ma");
        assert_eq!(super::question(&sample.passages[0], 6), None, "the line has seven signs");
    }

    #[test]
    fn passages_are_of_one_text_and_whole() {
        let whole = ("P1", "a na be li₂", "PPPP", "1010");
        assert!(sample(&[whole; LINES - 1]).passages.is_empty());
        let other = ("P2", "a na be li₂", "PPPP", "1010");
        assert!(sample(&[whole, whole, whole, other, other]).passages.is_empty());
        let broken = ("P1", "a na x li₂", "PPXP", "1010");
        assert!(sample(&[whole, whole, broken, whole, whole]).passages.is_empty());
    }
}
