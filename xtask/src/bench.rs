//! `cargo xtask bench`: the sizes and speeds that the project promises, beside what this machine can do.

use crate::dist::{self, Build};
use crate::run::{Outcome, answer};
use crate::{engine, page, places, sizes, tools};
use std::process::Command;

/// A measured value, and the promise it is held to.
struct Row {
    what: String,
    value: String,
    promise: String,
}

/// Lines that a benchmark prints for the table: `bench: what | value | promise`.
const MARK: &str = "bench: ";

/// Builds the release, measures, prints the table.
pub fn bench() -> Outcome<()> {
    let build = Build { release: true, live: false };
    let dist = dist::build(build)?;
    let engine = engine::engine(build)?;
    let mut rows = vec![
        size("page wasm, gzip", &page::module(&dist)?, "under 500 KB")?,
        size("engine wasm, gzip", &engine.wasm(), "under 5,000 KB")?,
    ];
    let browser = tools::browser()?;
    let mut benches = tools::command("cargo");
    benches.args(["test", "--package", "tuppum-browser-tests", "--test", "bench", "--", "--ignored", "--nocapture"]);
    benches.env("TUPPUM_DIST", &dist).env("CHROMEDRIVER", browser.driver).env("CHROMIUM", browser.chromium);
    rows.extend(printed_rows(&mut benches)?);
    print_table(&rows);
    Ok(())
}

fn size(what: &str, file: &std::path::Path, promise: &str) -> Outcome<Row> {
    let size = sizes::of(file)?;
    Ok(Row { what: what.to_owned(), value: sizes::kilobytes(size.gzip), promise: promise.to_owned() })
}

fn printed_rows(command: &mut Command) -> Outcome<Vec<Row>> {
    let printed = answer(command)
        .ok_or_else(|| format!("the timings in the browser failed; run `{}` to see why", crate::run::words(command)))?;
    Ok(printed.lines().filter_map(read_row).collect())
}

fn read_row(line: &str) -> Option<Row> {
    let mut parts = line.split_once(MARK)?.1.split('|').map(|part| part.trim().to_owned());
    Some(Row { what: parts.next()?, value: parts.next()?, promise: parts.next().unwrap_or_default() })
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
    fn rows_come_from_marked_lines() {
        let row = read_row("bench: five gaps, each alone | 0.41 s | under 0.6 s").unwrap();
        assert_eq!((row.what.as_str(), row.value.as_str()), ("five gaps, each alone", "0.41 s"));
        assert!(read_row("test result: ok").is_none());
    }
}
