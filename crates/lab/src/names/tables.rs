//! The tables of `tuppum-lab hybonet name-kinds`.

use super::kinds::scores::KindScores;
use crate::document::{deviation, mean};
use std::fmt::Write;
use tuppum_corpus::names::NameClasses;

/// Scores of one method, seed by seed, with determinatives and without.
#[derive(Debug)]
pub struct Row {
    name: &'static str,
    runs: Vec<[KindScores; 2]>,
    /// Seconds for each seed.
    pub seconds: f64,
}

impl Row {
    /// Returns an empty row.
    pub fn named(name: &'static str) -> Self {
        Self { name, runs: Vec::new(), seconds: 0.0 }
    }

    /// Adds a seed's scores, with determinatives and without.
    pub fn add(&mut self, scores: [KindScores; 2]) {
        self.runs.push(scores);
    }

    /// Returns `true` if there are no scores.
    pub fn is_empty(&self) -> bool {
        self.runs.is_empty()
    }

    fn figure(&self, view: usize, figure: impl Fn(&KindScores) -> f64) -> String {
        let own: Vec<f64> = self.runs.iter().map(|run| figure(&run[view])).collect();
        if own.len() > 1 {
            format!("{:.1} ± {:.1}", mean(&own), deviation(&own))
        } else {
            format!("{:.1}", mean(&own))
        }
    }

    fn plain(&self, view: usize, figure: impl Fn(&KindScores) -> f64) -> String {
        format!("{:.1}", mean(&self.runs.iter().map(|run| figure(&run[view])).collect::<Vec<_>>()))
    }
}

const VIEWS: [&str; 2] = ["with determinatives", "without"];

/// Writes the sentences `above`, the table of the rows, and the table of each kind by the last row.
pub fn tables(above: &str, rows: &[Row]) -> String {
    let mut out = format!(
        "{above}\n\n| told by | determinatives | right | F1 of names | F1 no name | calibration error | seconds each \
         |\n\
         |---|---|---|---|---|---|---|\n"
    );
    for row in rows {
        for (view, name) in VIEWS.iter().enumerate() {
            // Writing into a string never fails.
            let _ = writeln!(
                out,
                "| {} | {name} | {} | {} | {} | {} | {:.0} |",
                row.name,
                row.figure(view, |scores| scores.right),
                row.figure(view, |scores| scores.mean_f1),
                row.plain(view, |scores| scores.classes[0].f1),
                row.plain(view, |scores| scores.calibration_error),
                row.seconds
            );
        }
    }
    let Some(last) = rows.last() else { return out };
    let _ = write!(
        out,
        "\nKind by kind, {}: precision, recall and F1 with determinatives, then without, and the examples of one seed.\
         \n\n| kind | precision | recall | F1 | precision without | recall without | F1 without | examples |\n\
         |---|---|---|---|---|---|---|---|\n",
        last.name
    );
    for class in 0..NameClasses::COUNT {
        let kind = NameClasses::kind(class).map_or_else(|| "no name".to_owned(), |kind| kind.to_string());
        let cells: Vec<String> = (0..VIEWS.len())
            .flat_map(|view| {
                [
                    last.plain(view, |scores| scores.classes[class].precision),
                    last.plain(view, |scores| scores.classes[class].recall),
                    last.plain(view, |scores| scores.classes[class].f1),
                ]
            })
            .collect();
        let count = last.runs.first().map_or(0, |run| run[0].classes[class].count);
        let _ = writeln!(out, "| {kind} | {} | {count} |", cells.join(" | "));
    }
    out
}
