//! Rules for every source file of the project.

mod sources;

use std::collections::BTreeMap;

/// Maximum number of lines in a file.
const LONGEST_FILE: usize = 500;

/// Minimum number of lines in a file without tests of its own.
const SHORTEST_FILE: usize = 80;

/// Files below that, each a noun that no other file owns, or kept apart so that files do not import each other in a
/// circle.
const SMALL_FILES: [&str; 28] = [
    "crates/cli/src/device/graphics.rs",
    "crates/cli/src/failure.rs",
    "crates/domain/src/archive.rs",
    "crates/domain/src/dependencies.rs",
    "crates/domain/src/restoration/knowledge.rs",
    "crates/engine/src/wasm_module.rs",
    "crates/geometry/src/vector.rs",
    "crates/hyperbolic/src/support.rs",
    "crates/nn/src/byt5/self_test.rs",
    "crates/nn/src/yielding.rs",
    "crates/protocol/src/device.rs",
    "crates/protocol/src/live_tree.rs",
    "crates/text/src/read/dividers.rs",
    "crates/text/src/read/evidence.rs",
    "crates/text/src/read/inner_space.rs",
    "crates/text/src/read/unit.rs",
    "crates/train/src/restorer/checkpoint.rs",
    "crates/train/src/restorer/export.rs",
    "crates/train/src/translator/export.rs",
    "crates/train/src/translator/fresh.rs",
    "crates/weights/src/tensors.rs",
    "src/frame/clipboard.rs",
    "src/frame/keys.rs",
    "src/kit/colours.rs",
    "src/kit/entries.rs",
    "src/kit/later.rs",
    "src/kit/number_field.rs",
    "src/learn/page.rs",
];

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
fn no_file_is_a_splinter() {
    let is_product = |file: &str| file.starts_with("src/") || (file.starts_with("crates/") && file.contains("/src/"));
    let roots = ["/mod.rs", "/lib.rs", "/main.rs", "/tests.rs", "_tests.rs"];
    let is_small = |(file, text): &(String, String)| {
        let is_root = roots.iter().any(|root| file.ends_with(root));
        is_product(file) && !is_root && !text.contains("cfg(test)") && text.lines().count() < SHORTEST_FILE
    };
    let small: Vec<String> = files().into_iter().filter(is_small).map(|(file, _)| file).collect();
    assert_eq!(small, SMALL_FILES, "files of fewer than {SHORTEST_FILE} lines: join them with what they belong to");
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
