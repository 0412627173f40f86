//! The inputs that are kept for a target, one a line, in `tests/fuzz`.

use super::escape::{escaped, unescaped};
use crate::project::project;
use std::collections::BTreeSet;

/// Begins a line that says something about the inputs after it.
const REMARK: &str = "#! ";

/// The inputs that are kept for the target of this name.
///
/// # Panics
/// The file is there and cannot be read.
pub fn kept(name: &str) -> Vec<Vec<u8>> {
    let path = project(format!("tests/fuzz/{name}.txt"));
    if !path.exists() {
        return Vec::new();
    }
    match std::fs::read_to_string(&path) {
        Ok(text) => text.lines().filter(|line| !line.starts_with(REMARK)).map(unescaped).collect(),
        Err(error) => panic!("cannot read {}: {error}", path.display()),
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
