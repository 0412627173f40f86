//! Kept inputs of a target, one a line: those in `tests/fuzz`, and those that earlier runs found, beside the build.

use super::escape::{escaped, unescaped};
use crate::project::project;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Prefix of a line that describes the inputs after it.
const REMARK: &str = "#! ";
/// Variable that names the folder with the inputs that runs found.
const FOUND: &str = "TUPPUM_FUZZ_FOUND";
/// Maximum number of found inputs stored for one target.
const MOST_FOUND: usize = 20_000;

/// Reads the inputs in `tests/fuzz` for the target of this name.
///
/// # Panics
/// The file exists and cannot be read.
pub fn kept(name: &str) -> Vec<Vec<u8>> {
    inputs_of(&project(format!("tests/fuzz/{name}.txt")))
}

fn inputs_of(path: &Path) -> Vec<Vec<u8>> {
    if !path.exists() {
        return Vec::new();
    }
    match std::fs::read_to_string(path) {
        Ok(text) => text.lines().filter(|line| !line.starts_with(REMARK)).map(unescaped).collect(),
        Err(error) => panic!("cannot read {}: {error}", path.display()),
    }
}

/// Returns the file with the inputs that runs found for a target; `None` if they are not stored.
fn found_in(name: &str) -> Option<PathBuf> {
    Some(PathBuf::from(std::env::var_os(FOUND)?).join(format!("{name}.txt")))
}

/// Reads the inputs that earlier runs found for the target of this name.
///
/// # Panics
/// The file exists and cannot be read.
pub fn earlier(name: &str) -> Vec<Vec<u8>> {
    found_in(name).map(|path| inputs_of(&path)).unwrap_or_default()
}

/// Stores the inputs that a run found, for the next run; of too many, the last ones.
///
/// # Panics
/// The file cannot be written.
pub fn leave(name: &str, inputs: &[Vec<u8>]) {
    let Some(path) = found_in(name) else { return };
    let last = &inputs[inputs.len().saturating_sub(MOST_FOUND)..];
    let text: String = last.iter().map(|input| escaped(input) + "\n").collect();
    // Written to another file and renamed, so that an interrupted run leaves the old file usable.
    let beside = path.with_extension("new");
    if let Err(error) = std::fs::write(&beside, text).and_then(|()| std::fs::rename(&beside, &path)) {
        panic!("cannot write {}: {error}", path.display());
    }
}

/// Replaces the kept inputs of a target by those that a run found worth keeping. Remarks, and the lines up to the last
/// remark, stay.
///
/// # Panics
/// The file cannot be written.
pub fn keep(name: &str, inputs: &[Vec<u8>]) {
    let path = project(format!("tests/fuzz/{name}.txt"));
    let before = std::fs::read_to_string(&path).unwrap_or_default();
    let by_hand = before.rfind(REMARK).map_or("", |last| {
        let end = before[last..].find('\n').map_or(before.len(), |length| last + length + 1);
        &before[..end]
    });
    let known: BTreeSet<&str> = by_hand.lines().collect();
    let mut text = if by_hand.is_empty() {
        format!("{REMARK}Reached something new under `cargo xtask fuzz {name} --keep`.\n")
    } else {
        by_hand.to_owned()
    };
    let lines: BTreeSet<String> = inputs.iter().map(|input| escaped(input)).collect();
    for line in lines.iter().filter(|line| !known.contains(line.as_str())) {
        text.push_str(line);
        text.push('\n');
    }
    if let Err(error) = std::fs::write(&path, text) {
        panic!("cannot write {}: {error}", path.display());
    }
}
