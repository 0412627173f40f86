//! What all runs of `cargo xtask fuzz` did so far, target by target: a file beside the build, and a table.

use crate::files;
use crate::run::Outcome;
use std::collections::BTreeMap;
use std::fmt::{Display, Formatter};
use std::path::{Path, PathBuf};

/// A target that ended.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ended {
    /// Name of the target.
    pub name: String,
    inputs: u64,
    seconds: f64,
    edges: u64,
    /// Kinds of failure.
    failures: u64,
}

impl Ended {
    /// Reads what a target says of itself. The test's own name may stand before it on the line.
    pub fn read(line: &str) -> Option<Self> {
        let cells: Vec<&str> = line.split_once("fuzzed\t")?.1.split('\t').collect();
        let [name, inputs, seconds, edges, failures] = cells[..] else { return None };
        Some(Self {
            name: name.to_owned(),
            inputs: inputs.parse().ok()?,
            seconds: seconds.parse().ok()?,
            edges: edges.parse().ok()?,
            failures: failures.parse().ok()?,
        })
    }
}

/// All runs of all targets.
#[derive(Debug, PartialEq)]
pub struct Totals {
    path: PathBuf,
    /// Totals by name of the target: number of runs, and the sums of their inputs and seconds with the edges that all
    /// of them reached and the failures of the last.
    targets: BTreeMap<String, (u64, Ended)>,
}

impl Totals {
    /// Reads the file of earlier runs; a missing file counts as none.
    pub fn read(path: &Path) -> Outcome<Self> {
        let mut targets = BTreeMap::new();
        let text = if path.exists() { files::read_text(path)? } else { String::new() };
        for line in text.lines() {
            let read = line
                .split_once('\t')
                .and_then(|(runs, rest)| Some((runs.parse().ok()?, Ended::read(&format!("fuzzed\t{rest}"))?)));
            let (runs, ended): (u64, Ended) = read.ok_or_else(|| {
                format!("{} has a line that is none of its own, `{line}`: remove the file", path.display())
            })?;
            targets.insert(ended.name.clone(), (runs, ended));
        }
        Ok(Self { path: path.to_owned(), targets })
    }

    /// A seed that no run had.
    pub fn next_seed(&self) -> u64 {
        self.targets.values().map(|(runs, _)| *runs).max().unwrap_or_default() + 1
    }

    /// Adds a run and writes all down.
    pub fn add(&mut self, ended: Ended) -> Outcome<()> {
        let (runs, total) = self.targets.entry(ended.name.clone()).or_default();
        *runs += 1;
        let (inputs, seconds) = (total.inputs + ended.inputs, total.seconds + ended.seconds);
        *total = Ended { inputs, seconds, ..ended };
        let line = |(runs, Ended { name, inputs, seconds, edges, failures }): &(u64, Ended)| {
            format!("{runs}\t{name}\t{inputs}\t{seconds:.1}\t{edges}\t{failures}\n")
        };
        let text: String = self.targets.values().map(line).collect();
        files::write(&self.path, text)
    }
}

impl Display for Totals {
    fn fmt(&self, out: &mut Formatter<'_>) -> std::fmt::Result {
        out.write_str("| target | runs | seconds | inputs | a second | edges | failures |\n")?;
        out.write_str("|---|---:|---:|---:|---:|---:|---:|\n")?;
        for (runs, Ended { name, inputs, seconds, edges, failures }) in self.targets.values() {
            let speed = *inputs as f64 / seconds.max(1e-3);
            writeln!(out, "| {name} | {runs} | {seconds:.0} | {inputs} | {speed:.0} | {edges} | {failures} |")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{Ended, Totals};

    #[test]
    fn a_target_says_what_it_did() {
        let ended = Ended::read("test fuzz_reading ... fuzzed\treading\t1200\t60.0\t812\t0").unwrap();
        assert_eq!((ended.name.as_str(), ended.inputs, ended.edges), ("reading", 1200, 812));
        assert_eq!(Ended::read("running 3 tests"), None);
    }

    #[test]
    fn runs_add_up_in_the_file() {
        let folder = std::env::temp_dir().join(format!("tuppum-totals-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join("totals.tsv");
        let ended = |inputs| Ended { name: "pack".into(), inputs, seconds: 2.0, edges: 7, failures: 0 };
        let mut totals = Totals::read(&path).unwrap();
        assert_eq!(totals.next_seed(), 1);
        totals.add(ended(10)).unwrap();
        totals.add(ended(30)).unwrap();
        let again = Totals::read(&path).unwrap();
        assert_eq!(again, totals);
        assert_eq!(again.next_seed(), 3);
        assert!(again.to_string().contains("| pack | 2 | 4 | 40 | 10 | 7 | 0 |"), "{again}");
        std::fs::write(&path, "what is this").unwrap();
        assert!(Totals::read(&path).is_err());
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
