//! The inputs that are kept for a target, one a line: in `tests/fuzz`, and beside the build what earlier runs found.

use super::escape::{escaped, unescaped};
use crate::project::project;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Begins a line that says something about the inputs after it.
const REMARK: &str = "#! ";
/// The variable that names the folder in which runs leave what they found.
const FOUND: &str = "TUPPUM_FUZZ_FOUND";
/// The most inputs that are left there for one target.
const MOST_FOUND: usize = 20_000;

/// The inputs that are kept for the target of this name.
///
/// # Panics
/// The file is there and cannot be read.
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

/// Where runs leave what they found for the next one, if they do.
fn found_in(name: &str) -> Option<PathBuf> {
    Some(PathBuf::from(std::env::var_os(FOUND)?).join(format!("{name}.txt")))
}

/// What earlier runs found for the target of this name.
///
/// # Panics
/// The file is there and cannot be read.
pub fn earlier(name: &str) -> Vec<Vec<u8>> {
    found_in(name).map(|path| inputs_of(&path)).unwrap_or_default()
}

/// Leaves what a run found for the next run, the last ones where there are very many.
///
/// # Panics
/// The file cannot be written.
pub fn leave(name: &str, inputs: &[Vec<u8>]) {
    let Some(path) = found_in(name) else { return };
    let last = &inputs[inputs.len().saturating_sub(MOST_FOUND)..];
    let text: String = last.iter().map(|input| escaped(input) + "\n").collect();
    // Written beside and put in place at once, so that a run that is broken off leaves the old one.
    let beside = path.with_extension("new");
    if let Err(error) = std::fs::write(&beside, text).and_then(|()| std::fs::rename(&beside, &path)) {
        panic!("cannot write {}: {error}", path.display());
    }
}

/// Writes what a run found worth keeping in the place of what was kept before; remarks and the lines up to the last
/// remark stay.
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
