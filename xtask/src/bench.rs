//! `cargo xtask bench`: the sizes and speeds that the project promises, beside what this machine can do.

use crate::run::{Outcome, answer, words};
use crate::test::in_worker;
use crate::toolchain::Wasm;
use crate::{cut, engine, places, programs, sizes, tools, trunk};
use serde_json::Value;
use std::path::Path;
use std::process::Command;

/// A measured value, and the promise it is held to.
struct Row {
    what: String,
    value: String,
    promise: String,
}

/// Rows printed by `timings` of the browser tests, as one JSON object: key, words, milliseconds promised.
const TIMINGS: [(&str, &str, Option<f64>); 20] = [
    ("interactive_first_visit_ms", "page usable, first visit", None),
    ("interactive_ms", "page usable, later visits", Some(1_000.0)),
    ("engine_ready_ms", "engine ready on the CPU, first visit", None),
    ("singles_ms", "60 signs, 5 gaps, each alone, CPU", Some(600.0)),
    ("joint_ms", "the same jointly, beam 5, CPU", Some(5_000.0)),
    ("translation_first_ms", "120 bytes translated, 5 beams, CPU: first bytes", Some(700.0)),
    ("translation_ms", "the same to the end", Some(4_000.0)),
    ("translation_lines_one_core_ms", "20 lines translated by one core", None),
    ("translation_lines_side_by_side_ms", "the same by at most four, helpers started on the way", None),
    ("translation_next_lines_side_by_side_ms", "20 more lines by them", None),
    ("corpora_open_ms", "edited texts opened from the browser's storage", Some(1_500.0)),
    ("corpora_gaps_ms", "five gaps looked up in them", Some(50.0)),
    ("corpora_parallels_ms", "parallels of a line found in them", Some(100.0)),
    ("corpora_gloss_ms", "200 lines glossed", Some(300.0)),
    ("corpora_attribute_ms", "a text of two lines attributed", None),
    ("tree_visible_frame_ms", "sign tree dragged, all in sight: 95 % of frames", Some(33.0)),
    ("tree_all_frame_ms", "sign tree dragged, most culled: 95 % of frames", Some(33.0)),
    ("attention_frame_ms", "three attention maps of 504 bytes drawn anew: 95 % of frames", Some(100.0)),
    ("training_longest_task_ms", "longest task of the page while it trains", Some(50.0)),
    ("training_frame_ms", "the page while it trains: 95 % of frames", Some(17.0)),
];

/// Amounts that belong to the timings of the edited texts, of translation, of the tree and of the maps.
const NODES: [(&str, &str); 6] = [
    ("corpora_memory_mb", "MB of the worker's memory for the edited texts (at most 60)"),
    ("translation_bytes", "bytes of that translation"),
    ("tree_visible_nodes", "nodes drawn in each frame, all in sight"),
    ("tree_all_nodes", "nodes of the tree of which most is culled"),
    ("tree_all_drawn", "of these drawn in each frame"),
    ("attention_cells", "cells of the three attention maps"),
];

/// Builds the release, measures, prints the table.
pub fn bench() -> Outcome<()> {
    let dist = trunk::build(true)?;
    let mut rows = vec![
        size("page wasm, gzip", &cut::module(&dist)?, "under 500 KB")?,
        size("engine wasm, gzip", &engine::module(&dist)?, "under 3,000 KB")?,
        size("its part for graphics cards, gzip", &engine::graphics(&dist)?, "")?,
    ];
    let printed = in_browser(&dist)?;
    rows.extend(timings(&printed));
    rows.push(training(&printed)?);
    rows.push(lorentz()?);
    rows.push(matmul()?);
    rows.extend(encoder()?);
    print_table(&rows);
    Ok(())
}

fn size(what: &str, file: &Path, promise: &str) -> Outcome<Row> {
    let size = sizes::of(file)?;
    Ok(Row { what: what.to_owned(), value: sizes::kilobytes(size.gzip), promise: promise.to_owned() })
}

/// Runs the timings in the browser and returns them as a flat JSON object.
fn in_browser(dist: &Path) -> Outcome<Value> {
    let browser = tools::browser()?;
    let mut command = programs::command("cargo");
    command.args(["run", "--quiet", "--package", "tuppum-browser-tests", "--bin", "timings"]);
    command.env("TUPPUM_DIST", dist).env("CHROMEDRIVER", browser.driver).env("CHROMIUM", browser.chromium);
    let printed = printed(&mut command, "the timings in the browser")?;
    serde_json::from_str(&printed).map_err(|error| format!("the timings in the browser are no JSON: {error}"))
}

fn timings(printed: &Value) -> Vec<Row> {
    let row = |(key, what, limit): &(&str, &str, Option<f64>)| {
        let measured = number(printed, key);
        let value = measured.map_or_else(|| "not measured".to_owned(), |value| format!("{value:.0} ms"));
        let promise =
            measured.zip(*limit).map(|(value, limit)| format!("under {limit:.0} ms: {:.2} of it", value / limit));
        Row { what: (*what).to_owned(), value, promise: promise.unwrap_or_default() }
    };
    let nodes = |(key, what): &(&str, &str)| {
        let value = number(printed, key).map_or_else(|| "not measured".to_owned(), |value| format!("{value:.0}"));
        Row { what: (*what).to_owned(), value, promise: String::new() }
    };
    TIMINGS.iter().map(row).chain(NODES.iter().map(nodes)).collect()
}

/// Training in the tab beside training natively with one thread, which is what the tab has.
fn training(in_browser: &Value) -> Outcome<Row> {
    let printed = native("training", "training natively", &ONE_THREAD_AS_THE_TAB)?;
    let line = printed.lines().find_map(|line| line.trim().strip_prefix("training ")?.split_once(' '));
    let natively: Option<f64> = line.and_then(|(pairs, _)| pairs.parse().ok());
    let natively = natively.ok_or("the bench `training` printed no pairs a second")?;
    let in_tab = number(in_browser, "training_pairs_per_second");
    let ratio = in_tab.map_or_else(|| "not measured".to_owned(), |pairs| format!("{:.2}", pairs / natively));
    let what = "training pairs a second, tab by native CPU, one thread each".to_owned();
    Ok(Row { what, value: ratio, promise: format!("at least 0.6; natively {natively:.1} a second") })
}

/// A Lorentz linear layer with all its parts beside a Euclidean one.
fn lorentz() -> Outcome<Row> {
    let printed = native("hybonet", "the Lorentz linear layer", &AS_TESTS_ARE)?;
    let line = printed.lines().find(|line| line.starts_with("Lorentz linear layer, with bias and normalisation"));
    let ratio = line.and_then(|line| line.split_once("ratio ")).map(|(_, ratio)| ratio.trim().to_owned());
    let value = ratio.ok_or("the bench `hybonet` printed no ratio")?;
    let what = "Lorentz by Euclidean linear layer, 512, 1,024 points".to_owned();
    Ok(Row { what, value, promise: "at most 2".to_owned() })
}

/// The yardstick: what the CPU's kernel does on this machine, natively.
fn matmul() -> Outcome<Row> {
    let printed = native("matmul", "the matrix products", &AS_TESTS_ARE)?;
    let found = printed.lines().find_map(|line| line.trim().strip_prefix("matmul "));
    let value = found.ok_or("the bench `matmul` printed no line `matmul N GFLOP/s`")?.to_owned();
    Ok(Row { what: "matrix product 512 x 512, native CPU".to_owned(), value, promise: String::new() })
}

/// The encoder in the worker beside the worker's own yardstick, with each of its kernels.
fn encoder() -> Outcome<Vec<Row>> {
    let bench = ["--package", "tuppum-wasm-tests", "--bench", "speed", "--", "--nocapture"];
    let printed = printed(&mut in_worker(&tools::browser()?, &Wasm::ready()?, &bench)?, "the speed in the worker")?;
    let rows: Vec<Row> = printed.lines().filter_map(encoder_row).collect();
    if rows.is_empty() {
        return Err("the bench `speed` printed no line `speed KERNEL N ms N of N GFLOP/s`".to_owned());
    }
    Ok(rows)
}

/// `speed plain 90.1 ms 40.2 of 50.3 GFLOP/s`, or `speed relaxed none`.
fn encoder_row(line: &str) -> Option<Row> {
    let words: Vec<&str> = line.split_once("speed ")?.1.split_whitespace().collect();
    let what = format!("encoder of 10 M numbers, 257 bytes, in the worker, {} instructions", words.first()?);
    let [_, time, "ms", reached, "of", peak, _] = words[..] else {
        return Some(Row { what, value: "not in this browser".to_owned(), promise: String::new() });
    };
    let ratio = reached.parse::<f64>().ok()? / peak.parse::<f64>().ok()?;
    let promise = format!("{reached} of {peak} GFLOP/s of a large product: {ratio:.2}, at least 0.7");
    Some(Row { what, value: format!("{time} ms"), promise })
}

/// Settings with which a native bench is built and run.
struct Native {
    /// The profile of cargo.
    profile: &'static str,
    /// Number of threads; the bench's own choice if none.
    threads: Option<&'static str>,
}

/// The profile `dev` optimises the matrix products fully, and is compiled already where tests have run.
const AS_TESTS_ARE: Native = Native { profile: "dev", threads: None };
/// Optimised as the engine in the tab is, so that the two can be compared; it compiles its dependencies anew the first
/// time.
const ONE_THREAD_AS_THE_TAB: Native = Native { profile: "engine", threads: Some("1") };

/// Runs a bench and returns its output.
fn native(bench: &str, what: &str, how: &Native) -> Outcome<String> {
    let mut command = programs::command("cargo");
    command.args(["bench", "--quiet", "--package", "tuppum-lab", "--profile", how.profile, "--bench", bench]);
    if let Some(threads) = how.threads {
        command.env("RAYON_NUM_THREADS", threads);
    }
    printed(&mut command, what)
}

fn printed(command: &mut Command, what: &str) -> Outcome<String> {
    answer(command).ok_or_else(|| format!("{what} failed; run `{}` to see why", words(command)))
}

/// The number at a key of a flat JSON object.
fn number(timings: &Value, key: &str) -> Option<f64> {
    timings.get(key)?.as_f64()
}

fn print_table(rows: &[Row]) {
    let width = |part: fn(&Row) -> &str| rows.iter().map(|row| part(row).chars().count()).max().unwrap_or(0);
    let (what, value) = (width(|row| &row.what), width(|row| &row.value));
    println!("\n{:<what$}  {:>value$}  promise", "measured", "value");
    for row in rows {
        println!("{:<what$}  {:>value$}  {}", row.what, row.value, row.promise);
    }
    println!("on {} at {}", machine(), places::project().display());
}

fn machine() -> String {
    let about = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = about.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": ")).map(|(_, name)| name);
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    format!("{cores} cores of {}", name.unwrap_or("an unnamed processor"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_encoder_is_told_beside_its_yardstick() {
        let row = encoder_row("    speed plain 90.1 ms 40.0 of 50.0 GFLOP/s").expect("a row");
        assert_eq!((row.value.as_str(), row.promise.contains("0.80")), ("90.1 ms", true), "{}", row.promise);
        assert_eq!(encoder_row("speed relaxed none").expect("a row").value, "not in this browser");
        assert!(encoder_row("test result: ok").is_none());
    }

    #[test]
    fn numbers_come_from_the_timings() {
        let printed = serde_json::json!({"gaps": 5, "singles_ms": 412.5, "device": "CPU", "joint_ms": 3100});
        assert_eq!(number(&printed, "singles_ms"), Some(412.5));
        assert_eq!(number(&printed, "joint_ms"), Some(3100.0));
        assert_eq!(number(&printed, "device"), None);
        assert_eq!(number(&printed, "ready_ms"), None);
    }
}
