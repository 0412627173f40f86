//! A section of a document that a command replaces, the text between two lines of comment, and what its tables say of
//! several runs: mean and spread over their seeds, and processor time, which unlike the clock's does not grow on a busy
//! machine.

use std::path::PathBuf;
use tuppum_cli::failure::{About, Result};

const END: &str = "<!-- end -->";

/// The section of a document in which a command writes its tables.
#[derive(Debug)]
pub struct DocumentSection {
    document: Option<PathBuf>,
    begin: String,
}

impl DocumentSection {
    /// Finds the section of `tuppum-lab hybonet COMMAND` in a document; without a document the section goes to the
    /// standard output. The document is checked before the command spends minutes on the section's content.
    ///
    /// # Errors
    /// The document cannot be read, or lacks the two lines.
    pub fn of(document: Option<&PathBuf>, command: &str) -> Result<Self> {
        let begin = format!("<!-- written by `tuppum-lab hybonet {command}`: begin -->");
        let place = Self { document: document.cloned(), begin };
        place.around().map(|_| place)
    }

    /// Returns the document before and after the section, as it is now: it may have changed since.
    fn around(&self) -> Result<[String; 2]> {
        let Some(path) = &self.document else { return Ok(Default::default()) };
        let text = std::fs::read_to_string(path).at(path)?;
        let begin = &self.begin;
        let (before, rest) =
            text.split_once(begin.as_str()).ok_or_else(|| format!("the document must have the line {begin:?}"))?;
        let (_, after) =
            rest.split_once(END).ok_or_else(|| format!("the document must have the line {END:?} after {begin:?}"))?;
        Ok([before.to_owned(), after.to_owned()])
    }

    /// Writes the section.
    ///
    /// # Errors
    /// The document cannot be written, or has lost the two lines.
    pub fn fill(&self, written: &str) -> Result<()> {
        let [before, after] = self.around()?;
        match &self.document {
            Some(path) => std::fs::write(path, format!("{before}{}\n\n{written}\n{END}{after}", self.begin)).at(path),
            None => tuppum_cli::terminal::print(written),
        }
    }
}

/// Names the seeds: `seed 1`, `seeds 1, 2, 3`.
pub fn named_seeds(seeds: &[u64]) -> String {
    let numbers = seeds.iter().map(u64::to_string).collect::<Vec<_>>().join(", ");
    format!("{} {numbers}", if seeds.len() == 1 { "seed" } else { "seeds" })
}

/// Returns the mean; 0 if there is no value.
pub fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

/// Returns the standard deviation of a sample.
pub fn deviation(values: &[f64]) -> f64 {
    let mean = mean(values);
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    (squares / (values.len().max(2) - 1) as f64).sqrt()
}

/// Ticks a second in which Linux counts processor time: hundredths of a second, on every processor that it runs on
/// today.
const TICKS: f64 = 100.0;

/// Returns the seconds of processor time of this process, all processors together; `None` if the system does not report
/// it as Linux does.
pub fn processor_seconds() -> Option<f64> {
    seconds_in(&std::fs::read_to_string("/proc/self/stat").ok()?)
}

/// Parses a line of Linux. The name of the program stands in parentheses and may hold anything; after it, `utime` is
/// the twelfth field, `stime` the next.
fn seconds_in(stat: &str) -> Option<f64> {
    let (_, fields) = stat.rsplit_once(')')?;
    let ticks: Vec<f64> = fields.split_whitespace().skip(11).take(2).filter_map(|ticks| ticks.parse().ok()).collect();
    (ticks.len() == 2).then(|| ticks.iter().sum::<f64>() / TICKS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn user_and_system_time_are_added_whatever_the_program_is_called() {
        let stat = "12 (a) b (c) S 1 12 12 0 -1 4194560 1 2 3 4 250 50 7 8 20 0 1 0 99";
        assert_eq!(seconds_in(stat), Some(3.0));
        assert_eq!(seconds_in("12 (a) S 1"), None);
        assert_eq!(seconds_in(""), None);
    }
}
