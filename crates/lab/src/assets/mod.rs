//! `tuppum-lab assets`: writes the tables of `assets/signs/` from the sign list and the corpora, the points of
//! `assets/geometry/`, or the tree of `assets/hierarchy/`.
//!
//! With a model it also measures how probable the model finds its own fillings of breaks, which counts cannot give;
//! without one these figures are kept from the present table.

mod fillings;
mod hierarchy;
mod points;
mod sign_table;

use tuppum_cli::device::OpenDevice;
use tuppum_cli::failure::{About, Result};
use tuppum_cli::input;
use tuppum_cli::restore::open;
use tuppum_cli::terminal::style;
use tuppum_domain::restoration::search::Restorer;
use tuppum_nn::torso::{NeverYields, TorsoScorer};

use clap::{Args, ValueEnum};
use fillings::Sample;
use indicatif::ProgressBar;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use tuppum_corpus::counts::{COLUMNS, CorpusCounts};
use tuppum_corpus::signs_file::{corpora, for_each_row};
use tuppum_corpus::signs_row::SignsRow;
use tuppum_text::signs::{Frequencies, LONGEST_COUNTED, Neighbour, Priors};

/// Minimum number of occurrences in the corpora for a reading to be listed: a single one is as often a slip as a
/// reading.
const MIN_OCCURRENCES: u32 = 2;

/// Mean log probability per sign of the model's best filling, in thousandths and negated, where nothing was measured
/// yet: the restorer's training loss of a sign whose neighbours are filled.
const UNMEASURED_FILL: u32 = 900;

/// Number of passages that the model is asked for.
const PASSAGES: usize = 40;
/// Rows of the corpora from one passage to the next.
const EVERY: usize = 8_000;

/// Arguments of `tuppum-lab assets`.
#[derive(Args, Debug)]
pub struct AssetsArguments {
    /// Files to write.
    #[arg(value_enum, default_value_t = What::Tables)]
    pub what: What,
    /// Folder with `osl/signs/` (osl_readings.tsv, reading_counts.tsv) and the corpora (`*_signs.tsv`, also packed by
    /// xz).
    #[arg(long)]
    pub data: PathBuf,
    /// Folder to write into; `assets/signs`, `assets/geometry` or `assets/hierarchy` unless given.
    #[arg(long)]
    pub out: Option<PathBuf>,
    /// Folder of a model to measure fillings of breaks with; takes some minutes.
    #[arg(long)]
    pub model: Option<PathBuf>,
}

/// Files that the command writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum What {
    /// `readings.tsv`, `counts.tsv` and `priors.tsv`: what the page and the restorer know of signs.
    Tables,
    /// Points of bytes and of signs in the Poincaré ball, and the table of the signs' names; needs reading_counts.tsv,
    /// the corpora and the lexicon of forms.
    Points,
    /// Points of signs with their company only, over the table of names that is compiled in.
    ContextPoints,
    /// The tree of signs, readings, words and phrases; needs reading_counts.tsv, the corpora and the lexicon of forms.
    Hierarchy,
}

/// Writes the tables, the points, or the tree.
///
/// # Errors
/// A sentence that names the file.
pub fn run(arguments: &AssetsArguments) -> Result<()> {
    let out = |default: &str| arguments.out.clone().unwrap_or_else(|| PathBuf::from(default));
    match arguments.what {
        What::Tables => tables(arguments, &out("assets/signs")),
        What::Points => points::write(&arguments.data, &out("assets/geometry")),
        What::ContextPoints => points::write_context_alone(&arguments.data, &out("assets/geometry")),
        What::Hierarchy => hierarchy::write(&arguments.data, &out("assets/hierarchy")),
    }
}

/// Writes the tables.
fn tables(arguments: &AssetsArguments, out: &Path) -> Result<()> {
    let list = arguments.data.join("osl/signs");
    let readings = sign_table::table(
        &input::read(&list.join("osl_readings.tsv"))?,
        &input::read(&list.join("reading_counts.tsv"))?,
    )?;
    let (counts, sample) = count(&arguments.data)?;
    let priors = out.join("priors.tsv");
    let fills = match &arguments.model {
        Some(folder) => measured(folder, &sample)?,
        // The table is absent on the first run only; then every filling is unmeasured.
        None => kept(&std::fs::read_to_string(&priors).unwrap_or_default()),
    };
    for (path, table) in [
        (out.join("readings.tsv"), readings),
        (out.join("counts.tsv"), counts_table(&counts)),
        (priors, priors_table(&counts, &fills)),
    ] {
        std::fs::write(&path, &table).cannot("be written", &path)?;
        println!("{}: {} rows, {} bytes", path.display(), table.lines().count() - 1, table.len());
    }
    Ok(())
}

/// Counts every corpus under the folder, and takes passages on the way.
fn count(data: &Path) -> Result<(CorpusCounts, Sample)> {
    let (mut counts, mut sample) = (CorpusCounts::default(), Sample::default());
    let files = corpora(data)?;
    let bar = ProgressBar::new(files.len() as u64).with_style(style("{msg} {bar:30} {pos}/{len}"));
    for file in &files {
        bar.set_message(file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default());
        let on_row = |row: &SignsRow| {
            counts.add(row);
            sample.add(row, EVERY);
        };
        for_each_row(file, None, on_row)?;
        bar.inc(1);
    }
    bar.finish_and_clear();
    Ok((counts, sample))
}

/// Asks a model for the fillings of breaks in the passages.
fn measured(folder: &Path, sample: &Sample) -> Result<Vec<u32>> {
    let model = open(folder, &OpenDevice::processor())?;
    let (restorer, mut scorer) = (Restorer::new(model.vocabulary), TorsoScorer::new(model.torso, NeverYields));
    let passages = sample.passages.get(..PASSAGES).unwrap_or(&sample.passages);
    let bar = ProgressBar::new(passages.len() as u64).with_style(style("breaks {bar:30} {pos}/{len}, {eta} left"));
    let fills = fillings::measure(&restorer, passages, &mut scorer, || bar.inc(1));
    bar.finish_and_clear();
    fills
}

/// Returns the figures for fillings in a table of priors, or the constant where it has none.
fn kept(before: &str) -> Vec<u32> {
    let rows = before.lines().filter_map(|line| line.strip_prefix("fill\t")?.split('\t').nth(2)?.parse().ok());
    let rows: Vec<u32> = rows.collect();
    if rows.len() == LONGEST_COUNTED {
        rows
    } else {
        (1..=LONGEST_COUNTED as u32).map(|length| UNMEASURED_FILL * length).collect()
    }
}

/// `counts.tsv`: readings by falling total.
fn counts_table(counts: &CorpusCounts) -> String {
    let mut rows: Vec<(&String, &[u32; COLUMNS], u32)> =
        counts.readings.iter().map(|(reading, row)| (reading, row, row.iter().sum())).collect();
    rows.retain(|(_, _, total)| *total >= MIN_OCCURRENCES);
    rows.sort_by_key(|(reading, _, total)| (std::cmp::Reverse(*total), reading.as_str()));
    let mut table = format!("{}\n", Frequencies::HEADER);
    for (reading, row, _) in rows {
        let cells: Vec<String> = row.iter().map(u32::to_string).collect();
        let _ = writeln!(table, "{reading}\t{}", cells.join("\t"));
    }
    table
}

/// `priors.tsv`: word starts and lengths as counted, and the figures for fillings.
fn priors_table(counts: &CorpusCounts, fills: &[u32]) -> String {
    let name = |place: usize| Neighbour::ALL.get(place).map_or("", |neighbour| neighbour.name());
    let mut table = format!("{}\n", Priors::HEADER);
    for ((previous, next), (starts, of)) in &counts.word_starts {
        let _ = writeln!(table, "word_start\t{}\t{}\t{starts}\t{of}", name(*previous), name(*next));
    }
    for (length, number) in &counts.lengths {
        let _ = writeln!(table, "length\t{length}\t-\t{number}\t-");
    }
    for (length, thousandths) in (1..).zip(fills) {
        let _ = writeln!(table, "fill\t{length}\t-\t{thousandths}\t-");
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use tuppum_text::signs::Period;

    fn counted() -> CorpusCounts {
        let mut counts = CorpusCounts::default();
        for states in ["PPMM", "DPPP"] {
            let line = format!("P1\triao\takk\t1\t-\ta na A šur\t-\t{states}\t1010");
            counts.add(&SignsRow::parse(&line).unwrap_or_else(|message| panic!("{message}")));
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
        let first = priors_table(&counted(), &kept(""));
        let priors = Priors::parse(&first).unwrap_or_default();
        assert_eq!(priors.expected_log_probability(3), -2.7);
        let second = priors_table(&counted(), &kept(&first.replace("fill\t3\t-\t2700", "fill\t3\t-\t2222")));
        assert_eq!(Priors::parse(&second).map(|priors| priors.expected_log_probability(3)), Ok(-2.222));
    }
}
