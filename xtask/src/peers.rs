//! `cargo xtask bench --peers`: the engine beside onnxruntime-web, with the same weights, in the same browser, in turn.

use crate::run::{Outcome, answer, run, timed, words};
use crate::{places, programs, tools, trunk};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// Python packages that the export needs.
const PACKAGES: [&str; 5] = ["torch", "safetensors", "onnx", "onnxscript", "onnxruntime"];
/// Names a page that is built already and is measured as it is.
const BUILT: &str = "TUPPUM_DIST";
/// Rounds that count for the large shape, which takes minutes.
const ROUNDS_OF_THE_LARGE: &str = "7";
/// Rounds that count by WebGPU, whose software adapter is slow.
const ROUNDS_BY_WEBGPU: &str = "5";

/// Milliseconds of one round, by phase.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Times {
    /// Milliseconds from the source to everything that the decoder needs of it.
    encoding: f64,
    /// The mean of a byte.
    byte: f64,
    /// Milliseconds from the question to the last byte.
    all: f64,
}

/// A row of the table: its words, its digits, and its value in a round.
type Part = (&'static str, usize, fn(&Times) -> f64);

/// A clock, and the position at which its figures begin in a round.
#[derive(Clone, Copy, Debug, PartialEq)]
enum By {
    /// The clock on the wall: what somebody who waits would see, other programs included.
    Clock = 0,
    /// The processor: only while it works for the worker.
    Processor = 2,
}

/// A middle figure between the least and the greatest.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Spread {
    least: f64,
    middle: f64,
    greatest: f64,
}

/// The comparison to make.
#[derive(Clone, Copy, Debug)]
pub struct Compared {
    /// The shape of ByT5-small with random weights in place of the translator that comes with the page.
    pub is_large: bool,
    /// `true` to compute by WebGPU instead of the CPU.
    pub by_webgpu: bool,
}

impl Compared {
    /// Rounds that count, if not the usual number.
    fn rounds(self) -> Option<&'static str> {
        match self {
            Self { by_webgpu: true, .. } => Some(ROUNDS_BY_WEBGPU),
            Self { is_large: true, .. } => Some(ROUNDS_OF_THE_LARGE),
            Self { .. } => None,
        }
    }

    /// Name of the device, for people.
    fn place(self) -> &'static str {
        if self.by_webgpu { "WebGPU on the software adapter" } else { "CPU, one thread" }
    }
}

/// Exports the weights, builds the page, measures, prints the table.
pub fn bench(compared: Compared) -> Outcome<()> {
    let runtime = tools::onnxruntime_web()?;
    let model = exported(compared.is_large)?;
    let dist = match std::env::var_os(BUILT) {
        Some(built) => PathBuf::from(built),
        None => trunk::build(true)?,
    };
    let before = load();
    let printed = measured(&dist, &model, &runtime, compared)?;
    print_tables(&printed, compared)?;
    println!("load of the machine before and after: {before} and {}", load());
    Ok(())
}

/// The folder of the exported translator.
fn exported(large: bool) -> Outcome<PathBuf> {
    let python = python_with(&PACKAGES)?;
    let out = places::target().join("peers").join(if large { "small" } else { "translator" });
    let mut export = programs::command(python);
    export.arg("recipes/translator/onnx_export.py");
    export.args(if large { ["--random", "small"].as_slice() } else { ["models/translator"].as_slice() }).arg(&out);
    timed("exporting the weights to ONNX (a minute; the large shape ten)", || run(&mut export))?;
    Ok(out)
}

/// A Python that has these packages.
pub fn python_with(packages: &[&str]) -> Outcome<PathBuf> {
    let python = ["python3", "python"].into_iter().find_map(programs::find);
    let python = python.ok_or("there is no python3 on PATH, which runs the recipes")?;
    let lacking: Vec<&str> = packages.iter().copied().filter(|package| !has_package(&python, package)).collect();
    if !lacking.is_empty() {
        let (python, lacking) = (python.display(), lacking.join(" "));
        return Err(format!(
            "the recipe needs {lacking} in {python}. Run\n    {python} -m pip install {lacking}\nand try again"
        ));
    }
    Ok(python)
}

fn has_package(python: &Path, package: &str) -> bool {
    let looks = format!("import importlib.util, sys; sys.exit(importlib.util.find_spec('{package}') is None)");
    answer(programs::command(python).args(["-c", &looks])).is_some()
}

/// Runs the browser program and returns the times of every round of both.
fn measured(dist: &Path, model: &Path, runtime: &Path, compared: Compared) -> Outcome<Value> {
    let browser = tools::browser()?;
    let mut command = programs::command("cargo");
    command.args(["run", "--quiet", "--package", "tuppum-browser-tests", "--bin", "timings", "peers"]);
    command.env(BUILT, dist).env("CHROMEDRIVER", browser.driver).env("CHROMIUM", browser.chromium);
    command.env("TUPPUM_PEERS_MODEL", model).env("TUPPUM_PEERS_RUNTIME", runtime);
    if let Some(rounds) = compared.rounds() {
        command.env("TUPPUM_PEERS_ROUNDS", rounds);
    }
    if compared.by_webgpu {
        command.env("TUPPUM_PEERS_DEVICE", "webgpu");
    }
    let output = command.output().map_err(|error| format!("cannot start `{}`: {error}", words(&command)))?;
    if !output.status.success() {
        return Err(format!("the comparison in the browser failed:\n{}", String::from_utf8_lossy(&output.stderr)));
    }
    serde_json::from_slice(&output.stdout).map_err(|error| format!("the comparison in the browser is no JSON: {error}"))
}

/// The times of every round, by the clock or by the processor: to the first byte and to the last one. What the first
/// one took, less the mean of a byte, is the encoder and what the decoder makes of its states once.
fn times(printed: &Value, whose: &str, by: By) -> Outcome<Vec<Times>> {
    let bytes =
        printed["bytes"].as_f64().filter(|bytes| *bytes > 1.0).ok_or("nobody says how many bytes were written")?;
    let time = |round: &Value| {
        let (first, all) = (round[by as usize].as_f64()?, round[by as usize + 1].as_f64()?);
        let byte = (all - first) / (bytes - 1.0);
        Some(Times { encoding: first - byte, byte, all })
    };
    let rounds: Option<Vec<Times>> = printed[whose].as_array().and_then(|rounds| rounds.iter().map(time).collect());
    rounds.filter(|rounds| !rounds.is_empty()).ok_or_else(|| format!("there are no such times of {whose}"))
}

fn spread(figures: impl Iterator<Item = f64>) -> Spread {
    let mut figures: Vec<f64> = figures.collect();
    figures.sort_by(f64::total_cmp);
    let at = |place: usize| figures.get(place).copied().unwrap_or(f64::NAN);
    Spread { least: at(0), middle: at(figures.len() / 2), greatest: at(figures.len().saturating_sub(1)) }
}

fn words_of(spread: Spread, digits: usize) -> String {
    let Spread { least, middle, greatest } = spread;
    format!("{middle:.digits$} ({least:.digits$} to {greatest:.digits$})")
}

fn print_tables(printed: &Value, compared: Compared) -> Outcome<()> {
    println!(
        "\n{} bytes in, {} bytes out greedily, {}, without the bias, in turn: median (least to greatest) \
         of {} rounds, in ms\nboth wrote {}",
        printed["source_bytes"],
        printed["bytes"],
        compared.place(),
        times(printed, "ours", By::Clock)?.len(),
        printed["text"]
    );
    print_table(printed, By::Clock, "by the clock")?;
    if compared.by_webgpu {
        // The software adapter computes in another process.
        let bytes = printed["bytes"].as_f64().unwrap_or_default() - 1.0;
        let [own, other] = [0, 1].map(|whose| printed["kernels"][whose].as_f64().unwrap_or(f64::NAN) / bytes);
        println!("\nkernels of the device for a byte of the last round: {own:.1} ours, {other:.1} onnxruntime-web's");
        return Ok(());
    }
    // Not every system tells it.
    print_table(printed, By::Processor, "processor's time").or_else(|reason| {
        println!("\nno processor's time: {reason}");
        Ok(())
    })
}

fn print_table(printed: &Value, by: By, name: &str) -> Outcome<()> {
    let (ours, theirs) = (times(printed, "ours", by)?, times(printed, "theirs", by)?);
    println!("\n| {name} | ours | onnxruntime-web {} | theirs / ours, round by round |", tools::ONNXRUNTIME);
    println!("|---|---|---|---|");
    let parts: [Part; 3] =
        [("encoding", 0, |one| one.encoding), ("a byte", 2, |one| one.byte), ("all", 0, |one| one.all)];
    for (what, digits, part) in parts {
        let [own, other] = [&ours, &theirs].map(|rounds| words_of(spread(rounds.iter().map(part)), digits));
        let ratio = spread(ours.iter().zip(&theirs).map(|(own, other)| part(other) / part(own)));
        println!("| {what} | {own} | {other} | {} |", words_of(ratio, 2));
    }
    Ok(())
}

/// Load of the machine: programs that want a core, mean of the last minute.
fn load() -> String {
    let about = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    format!("{} on {cores} cores", about.split_whitespace().next().unwrap_or("unknown"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_byte_is_taken_from_the_encoding() {
        let rounds = [[110.0, 740.0, 11.0, 74.0], [120.0, 750.0, 12.0, 75.0]];
        let printed = serde_json::json!({"bytes": 64, "ours": rounds, "theirs": [[110.0, 740.0, null, null]]});
        let expected = [(100.0, 10.0, 740.0), (110.0, 10.0, 750.0)];
        let expected = expected.map(|(encoding, byte, all)| Times { encoding, byte, all });
        assert_eq!(times(&printed, "ours", By::Clock).expect("times"), expected);
        assert_eq!(times(&printed, "ours", By::Processor).expect("times")[1].all, 75.0);
        assert!(times(&printed, "theirs", By::Clock).is_ok());
        assert!(times(&printed, "theirs", By::Processor).is_err());
    }

    #[test]
    fn the_middle_lies_between_least_and_greatest() {
        let found = spread([3.0, 1.0, 2.0].into_iter());
        assert_eq!(found, Spread { least: 1.0, middle: 2.0, greatest: 3.0 });
        assert_eq!(words_of(found, 1), "2.0 (1.0 to 3.0)");
    }
}
