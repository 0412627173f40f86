//! Holds the order of the rooms and a few habits, by reading the sources: a room imports only rooms below it, burn stays
//! out of the page, the browser stays out of everything but page and engine, files stay short and say what they are for.
#![allow(clippy::unwrap_used)] // sources that cannot be read are a failure

use std::fs;
use std::path::{Path, PathBuf};

/// Each room with the rooms that it may import.
const ROOMS: [(&str, &[&str]); 11] = [
    ("text", &[]),
    ("signs", &["text"]),
    ("geometry", &[]),
    ("model", &["text", "signs", "geometry"]),
    ("weights", &["text", "signs", "geometry", "model"]),
    ("train", &["text", "signs", "geometry", "model", "weights"]),
    ("eval", &["text", "signs", "geometry", "model", "weights", "train"]),
    ("engine", &["text", "signs", "geometry", "model", "weights", "train", "eval"]),
    ("cli", &["text", "signs", "geometry", "model", "weights", "train", "eval", "plot"]),
    ("plot", &["geometry"]),
    ("app", &["text", "signs", "plot", "engine::protocol"]),
];
/// Crates that only some rooms may name.
const CRATES: [(&[&str], &[&str]); 3] = [
    (&["burn"], &["model", "weights", "train", "eval", "engine", "cli"]),
    (&["leptos"], &["app"]),
    (&["web_sys", "js_sys", "wasm_bindgen", "wasm_bindgen_futures", "serde_wasm_bindgen", "gloo"], &["engine", "app"]),
];
/// The protocol is plain data for both sides.
const PROTOCOL: &str = "src/engine/protocol.rs";
const LONGEST_FILE: usize = 500;

/// A source file: its path, and its code without comments and text between quotes.
struct Source {
    path: String,
    text: String,
    code: String,
}

fn sources() -> Vec<Source> {
    let mut files = Vec::new();
    collect(Path::new("src"), &mut files);
    files.sort();
    let read = |path: PathBuf| {
        let text = fs::read_to_string(&path).unwrap();
        Source { path: path.to_string_lossy().replace('\\', "/"), code: code_of(&text), text }
    };
    files.into_iter().map(read).collect()
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
}

/// Leaves out comments and the inside of plain string literals, where words mean nothing to the compiler.
fn code_of(text: &str) -> String {
    let mut code = String::new();
    for line in text.lines() {
        let mut inside = false;
        let mut previous = ' ';
        let bare: String = line.split("//").next().unwrap_or_default().to_owned();
        for letter in bare.chars() {
            if letter == '"' && previous != '\\' && previous != '\'' {
                inside = !inside;
            } else if !inside {
                code.push(letter);
            }
            previous = letter;
        }
        code.push('\n');
    }
    code
}

/// The room of a file, `text` for `src/text/tokens.rs` and `src/text.rs`; none for the roots.
fn room(path: &str) -> Option<&str> {
    let inside = path.strip_prefix("src/")?;
    let name = inside.split(['/', '.']).next()?;
    ROOMS.iter().map(|(room, _)| *room).find(|room| *room == name)
}

/// Every path in this crate that the code names, without `crate::`, one per branch of a group.
fn imports(code: &str) -> Vec<String> {
    let joined: String = code.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut all = Vec::new();
    for start in ["crate::", "tuppum::"] {
        for (at, _) in joined.match_indices(start) {
            if joined[..at].ends_with(|letter: char| letter.is_alphanumeric() || letter == '_' || letter == '$') {
                continue;
            }
            branches(&joined[at + start.len()..], "", &mut all);
        }
    }
    all
}

/// Follows `a::{b, c::d}` into `a::b` and `a::c::d`; returns what comes after.
fn branches<'a>(text: &'a str, before: &str, all: &mut Vec<String>) -> &'a str {
    let end = text.find(|letter: char| !(letter.is_alphanumeric() || letter == '_' || letter == ':'));
    let (path, mut rest) = text.split_at(end.unwrap_or(text.len()));
    let here = format!("{before}{path}");
    if !rest.starts_with('{') || !(path.is_empty() || path.ends_with("::")) {
        all.push(here);
        return rest;
    }
    while rest.starts_with(['{', ',', ' ']) && !rest.is_empty() {
        rest = rest[1..].trim_start();
        if rest.starts_with('}') {
            break;
        }
        rest = branches(rest, &here, all).trim_start();
        // A renamed import: skip the new name.
        if let Some(renamed) = rest.strip_prefix("as ") {
            rest = renamed.trim_start_matches(|letter: char| letter.is_alphanumeric() || letter == '_').trim_start();
        }
    }
    rest.strip_prefix('}').unwrap_or(rest)
}

/// What breaks the order in one file.
fn broken_order(path: &str, code: &str) -> Vec<String> {
    let Some((own, allowed)) = room(path).and_then(|own| ROOMS.iter().find(|(room, _)| *room == own)) else {
        return Vec::new();
    };
    let within = |import: &str, part: &str| import == part || import.starts_with(&format!("{part}::"));
    let forbidden = |import: &String| {
        let names_room = ROOMS.iter().any(|(room, _)| within(import, room));
        names_room && !within(import, own) && !allowed.iter().any(|room| within(import, room))
    };
    imports(code).into_iter().filter(forbidden).map(|import| format!("{path} imports {import}")).collect()
}

/// Whether the code names this crate in a path or an import.
fn names_crate(code: &str, name: &str) -> bool {
    code.match_indices(name).any(|(at, _)| {
        let before = code[..at].chars().next_back();
        let after = &code[at + name.len()..];
        let own_word = !before.is_some_and(|letter| letter.is_alphanumeric() || letter == '_' || letter == ':');
        own_word && (after.starts_with("::") || code[..at].ends_with("use ") && after.starts_with(';'))
    })
}

fn foreign_crates(path: &str, code: &str) -> Vec<String> {
    let Some(own) = room(path) else { return Vec::new() };
    let mut found = Vec::new();
    for (crates, rooms) in CRATES {
        let allowed = rooms.contains(&own) && path != PROTOCOL;
        let named = crates.iter().filter(|name| !allowed && names_crate(code, name));
        found.extend(named.map(|name| format!("{path} names {name}")));
    }
    found
}

#[track_caller]
fn none(found: Vec<String>) {
    assert!(found.is_empty(), "\n{}\n", found.join("\n"));
}

#[test]
fn rooms_import_only_what_lies_below() {
    none(sources().iter().flat_map(|source| broken_order(&source.path, &source.code)).collect());
}

#[test]
fn crates_stay_in_their_rooms() {
    none(sources().iter().flat_map(|source| foreign_crates(&source.path, &source.code)).collect());
}

#[test]
fn every_file_says_what_it_is_for() {
    // A module of tests says it by its name.
    let silent = |source: &&Source| !source.path.ends_with("/tests.rs") && !source.text.starts_with("//! ");
    none(sources().iter().filter(silent).map(|source| format!("{} does not open with //!", source.path)).collect());
}

#[test]
fn files_stay_short() {
    let long = |source: &&Source| source.text.lines().count() > LONGEST_FILE;
    none(sources().iter().filter(long).map(|source| format!("{} is too long", source.path)).collect());
}

#[test]
fn these_tests_can_fail() {
    let group =
        "use crate::{\n  text::Document,\n  engine::{protocol::Event, worker as w},\n};\nfn a() { crate::app::b() }";
    assert_eq!(imports(group), ["text::Document", "engine::protocol::Event", "engine::worker", "app::b"]);
    assert_eq!(broken_order("src/app/work.rs", group), ["src/app/work.rs imports engine::worker"]);
    assert_eq!(
        broken_order("src/text/span.rs", "use crate::signs::SignList;"),
        ["src/text/span.rs imports signs::SignList"]
    );
    assert_eq!(
        broken_order("src/geometry/ball/mod.rs", "use crate::signs::fold;"),
        ["src/geometry/ball/mod.rs imports signs::fold"]
    );
    assert_eq!(broken_order("src/signs/list.rs", "use crate::geometry::Ball;").len(), 1);
    assert!(broken_order("src/engine/worker.rs", "use crate::model::torso::Torso;").is_empty());
    assert_eq!(foreign_crates("src/app/work.rs", "use burn::tensor::Tensor;"), ["src/app/work.rs names burn"]);
    assert_eq!(foreign_crates(PROTOCOL, "use web_sys::Worker;"), ["src/engine/protocol.rs names web_sys"]);
    assert!(foreign_crates("src/text/span.rs", &code_of("// burn::tensor\nlet a = \"burn::\";")).is_empty());
}
