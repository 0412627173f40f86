//! `tuppum assets`: writes the tables of `assets/signs/` anew from the sign list and the corpora.
//!
//! What the counts cannot give, the model's own log probabilities of fillings, is kept from the table that is there.

mod sign_table;

use crate::signs::{Frequencies, LONGEST_COUNTED, Neighbour, Priors};
use crate::train::counts::{COLUMNS, Counts};
use crate::train::signs_file::{corpora, for_each_row};
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Fewest times that a reading must stand in the corpora to be listed: once is as often a slip as a reading.
const FEWEST: u32 = 2;

/// Mean log probability per sign of the model's best filling, in thousandths and negated, where nothing was measured
/// yet: what the restorer's training loss makes of a sign once its neighbours are filled.
const UNMEASURED_FILL: u32 = 900;

/// Arguments of `tuppum assets`.
#[derive(Args, Debug)]
pub struct AssetsArguments {
    /// Folder with `osl/signs/` (osl_readings.tsv, reading_counts.tsv) and the corpora (`*_signs.tsv`, also packed by xz).
    #[arg(long)]
    pub data: PathBuf,
    /// Folder to write `readings.tsv`, `counts.tsv` and `priors.tsv` into.
    #[arg(long, default_value = "assets/signs")]
    pub out: PathBuf,
}

/// Writes the tables.
///
/// # Errors
/// A sentence that names the file.
pub fn run(arguments: &AssetsArguments) -> Result<(), String> {
    let list = arguments.data.join("osl/signs");
    let readings = sign_table::table(&open(&list.join("osl_readings.tsv"))?, &open(&list.join("reading_counts.tsv"))?)?;
    let counts = count(&arguments.data)?;
    let priors = arguments.out.join("priors.tsv");
    // Absent on the first run only; then every filling is unmeasured.
    let before = std::fs::read_to_string(&priors).unwrap_or_default();
    for (path, table) in [
        (arguments.out.join("readings.tsv"), readings),
        (arguments.out.join("counts.tsv"), counts_table(&counts)),
        (priors, priors_table(&counts, &before)),
    ] {
        std::fs::write(&path, &table).map_err(|error| format!("{} cannot be written: {error}", path.display()))?;
        println!("{}: {} rows, {} bytes", path.display(), table.lines().count() - 1, table.len());
    }
    Ok(())
}

/// The text of a file.
fn open(path: &Path) -> Result<String, String> {
    std::fs::read_to_string(path).map_err(|error| format!("{} cannot be read: {error}", path.display()))
}

/// Counts every corpus under the folder.
fn count(data: &Path) -> Result<Counts, String> {
    let mut counts = Counts::default();
    let files = corpora(data).map_err(|error| error.to_string())?;
    let bar = ProgressBar::new(files.len() as u64);
    if let Ok(style) = ProgressStyle::with_template("{msg} {bar:30} {pos}/{len}") {
        bar.set_style(style);
    }
    for file in &files {
        bar.set_message(file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default());
        for_each_row(file, None, |row| counts.add(row)).map_err(|error| error.to_string())?;
        bar.inc(1);
    }
    bar.finish_and_clear();
    Ok(counts)
}

/// `counts.tsv`: readings by falling total.
fn counts_table(counts: &Counts) -> String {
    let mut rows: Vec<(&String, &[u32; COLUMNS], u32)> =
        counts.readings.iter().map(|(reading, row)| (reading, row, row.iter().sum())).collect();
    rows.retain(|(_, _, total)| *total >= FEWEST);
    rows.sort_by_key(|(reading, _, total)| (std::cmp::Reverse(*total), reading.as_str()));
    let mut table = format!("{}\n", Frequencies::HEADER);
    for (reading, row, _) in rows {
        let cells: Vec<String> = row.iter().map(u32::to_string).collect();
        let _ = writeln!(table, "{reading}\t{}", cells.join("\t"));
    }
    table
}

/// `priors.tsv`: word starts and lengths as counted; fillings from the table before, else unmeasured.
fn priors_table(counts: &Counts, before: &str) -> String {
    let name = |place: usize| Neighbour::ALL.get(place).map_or("", |neighbour| neighbour.name());
    let mut table = format!("{}\n", Priors::HEADER);
    for ((previous, next), (starts, of)) in &counts.word_starts {
        let _ = writeln!(table, "word_start\t{}\t{}\t{starts}\t{of}", name(*previous), name(*next));
    }
    for (length, number) in &counts.lengths {
        let _ = writeln!(table, "length\t{length}\t-\t{number}\t-");
    }
    let measured: Vec<&str> = before.lines().filter(|line| line.starts_with("fill\t")).collect();
    for line in &measured {
        let _ = writeln!(table, "{line}");
    }
    if measured.is_empty() {
        for length in 1..=LONGEST_COUNTED {
            let _ = writeln!(table, "fill\t{length}\t-\t{}\t-", UNMEASURED_FILL * length as u32);
        }
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::signs::Period;
    use crate::train::signs_row::Row;

    fn counted() -> Counts {
        let mut counts = Counts::default();
        for states in ["PPMM", "DPPP"] {
            let line = format!("P1\triao\takk\t1\t-\ta na A šur\t-\t{states}\t1010");
            counts.add(&Row::parse(&line).unwrap_or_else(|message| panic!("{message}")));
        }
        counts
    }

    #[test]
    fn written_counts_read_back() {
        let table: &'static str = counts_table(&counted()).leak();
        let frequencies = Frequencies::parse(table).unwrap_or_default();
        assert_eq!(frequencies.count("a", Period::RoyalInscriptions), 2);
        assert_eq!(frequencies.total("šur"), 0, "seen once, hence not listed");
    }

    #[test]
    fn measured_fillings_outlive_a_new_count() {
        let first = priors_table(&counted(), "");
        let priors = Priors::parse(&first).unwrap_or_default();
        assert_eq!(priors.expected_log_probability(3), -2.7);
        let second = priors_table(&counted(), &first.replace("fill\t3\t-\t2700", "fill\t3\t-\t2222"));
        assert_eq!(Priors::parse(&second).map(|priors| priors.expected_log_probability(3)), Ok(-2.222));
    }
}
