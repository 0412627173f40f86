//! Rules for every source file of the project.

mod sources;

use std::collections::BTreeMap;

/// Maximum number of lines in a file.
const LONGEST_FILE: usize = 500;

/// Maximum number of columns in a line, as for rustfmt, which does not break long strings and the insides of macros.
const LONGEST_LINE: usize = 120;

/// Returns the path and text of every source file.
fn files() -> BTreeMap<String, String> {
    sources::FOLDERS.into_iter().flat_map(sources::read).collect()
}

#[test]
fn every_file_says_what_it_is_for() {
    // A test module in a file of its own is described by the file that declares it.
    let is_told = |(file, text): &(String, String)| text.starts_with("//!") || file.ends_with("/tests.rs");
    let silent: Vec<String> = files().into_iter().filter(|file| !is_told(file)).map(|(file, _)| file).collect();
    assert!(silent.is_empty(), "these files do not open with `//!` and a sentence on what they are for: {silent:#?}");
}

#[test]
fn no_file_is_long() {
    let lines = files().into_iter().map(|(file, text)| (text.lines().count(), file));
    let long: Vec<(usize, String)> = lines.filter(|(lines, _)| *lines > LONGEST_FILE).collect();
    assert!(long.is_empty(), "files of more than {LONGEST_FILE} lines: {long:#?}");
}

#[test]
fn no_line_is_long() {
    let lines = files().into_iter().flat_map(|(file, text)| {
        let long = text.lines().enumerate().filter(|(_, line)| line.chars().count() > LONGEST_LINE);
        long.map(|(number, _)| format!("{file}:{}", number + 1)).collect::<Vec<_>>()
    });
    let long: Vec<String> = lines.collect();
    assert!(long.is_empty(), "lines of more than {LONGEST_LINE} columns: {long:#?}");
}

#[test]
fn no_documentation_has_an_example_that_nobody_runs() {
    let examples = files().into_iter().flat_map(|(file, text)| {
        let mut is_open = false;
        let mut is_example = |line: &str| {
            let comment = line.trim_start().strip_prefix("//").and_then(|line| line.strip_prefix(['/', '!']));
            let Some(fence) = comment.and_then(|line| line.trim().strip_prefix("```")) else { return false };
            is_open = !is_open;
            is_open && fence != "text"
        };
        let lines = text.lines().enumerate().filter(|(_, line)| is_example(line));
        lines.map(|(number, _)| format!("{file}:{}", number + 1)).collect::<Vec<_>>()
    });
    let examples: Vec<String> = examples.collect();
    assert!(examples.is_empty(), "`cargo xtask test` runs no examples in documentation; write a test: {examples:#?}");
}
