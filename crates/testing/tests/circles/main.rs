//! Imports between the files of a crate. No circles: where two files need each other, a type moves apart from its
//! `impl`, or both import a third file. And `src/kit` of the page imports nothing else of the page.

mod modules;
#[path = "../sources/mod.rs"]
mod sources;
mod tokens;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use modules::{Edges, Modules};

/// Names of the root files of crates.
const ROOTS: [&str; 2] = ["lib.rs", "main.rs"];

#[test]
fn the_files_of_a_crate_form_no_circles() {
    let mut report = String::new();
    for (folder, sources) in crates() {
        report += &circles_of(&folder, &sources);
    }
    assert!(report.is_empty(), "files that need each other:\n{report}");
}

#[test]
fn the_kit_of_the_page_imports_nothing_else_of_the_page() {
    let crates = crates();
    let edges = Modules::read(&crates["src"], "src/lib.rs").edges();
    let is_kit = |file: &str| file.starts_with("src/kit/");
    assert!(edges.keys().any(|(from, to)| !is_kit(from) && is_kit(to)), "nothing of src/kit was found");
    let outside: Edges = edges.into_iter().filter(|((from, to), _)| is_kit(from) && !is_kit(to)).collect();
    assert!(outside.is_empty(), "src/kit must not import these; what needs them belongs to src/frame: {outside:#?}");
}

/// Returns the sources of every crate, by its folder.
fn crates() -> BTreeMap<String, BTreeMap<String, String>> {
    let mut crates: BTreeMap<String, BTreeMap<String, String>> = BTreeMap::new();
    for (file, text) in sources::FOLDERS.into_iter().flat_map(sources::read) {
        let folder = match file.split_once("src/") {
            Some((before, _)) if before.is_empty() || before.ends_with('/') => format!("{before}src"),
            _ => continue,
        };
        crates.entry(folder).or_default().insert(file, text);
    }
    crates
}

/// Returns every circle of files under a folder, with the names that tie it, as text; empty if there is none.
fn circles_of(folder: &str, sources: &BTreeMap<String, String>) -> String {
    let mut edges = Edges::new();
    for root in ROOTS.map(|root| format!("{folder}/{root}")) {
        if sources.contains_key(&root) {
            edges.extend(Modules::read(sources, &root).edges());
        }
    }
    let mut report = String::new();
    for circle in circles(&edges) {
        report += "circle:\n";
        for ((from, to), names) in &edges {
            if circle.contains(from) && circle.contains(to) {
                let names: Vec<&str> = names.iter().map(String::as_str).collect();
                let _ = writeln!(report, "  {from} -> {to}: {}", names.join(", "));
            }
        }
    }
    report
}

/// Returns the sets of files in which each leads to all others.
fn circles(edges: &Edges) -> BTreeSet<BTreeSet<String>> {
    let mut next: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (from, to) in edges.keys() {
        next.entry(from).or_default().push(to);
    }
    let ahead: BTreeMap<&str, BTreeSet<&str>> = next.keys().map(|&file| (file, reached(&next, file))).collect();
    let leads = |from: &str, to: &str| ahead.get(from).is_some_and(|files| files.contains(to));
    let circle = |&file: &&str| {
        let members = ahead[file].iter().filter(|other| leads(other, file));
        members.map(|&other| other.to_owned()).collect::<BTreeSet<String>>()
    };
    next.keys().map(circle).filter(|circle| !circle.is_empty()).collect()
}

/// Returns every file that can be reached from `start` through imports.
fn reached<'a>(next: &BTreeMap<&'a str, Vec<&'a str>>, start: &'a str) -> BTreeSet<&'a str> {
    let (mut reached, mut open) = (BTreeSet::new(), vec![start]);
    while let Some(file) = open.pop() {
        for &other in next.get(file).into_iter().flatten() {
            if reached.insert(other) {
                open.push(other);
            }
        }
    }
    reached
}

#[cfg(test)]
mod tests {
    use super::circles_of;

    /// Checks an invented crate of three files: `house`, in a folder with a `roof` and a `wall`.
    fn invented(house: &str, roof: &str, wall: &str) -> String {
        let files = [
            ("src/lib.rs", "mod house;"),
            ("src/house/mod.rs", house),
            ("src/house/roof.rs", roof),
            ("src/house/wall.rs", wall),
        ];
        circles_of("src", &files.map(|(file, text)| (file.to_owned(), text.to_owned())).into())
    }

    const HOUSE: &str = "mod roof; mod wall; pub use roof::Roof; pub use self::wall::{Wall, Wall as Side};";

    #[test]
    fn re_exports_and_declarations_are_no_ties() {
        assert_eq!(invented(HOUSE, "use super::Side; pub struct Roof(Side);", "pub struct Wall;"), "");
        let tests = "pub struct Wall; #[cfg(test)] mod tests { use super::super::Roof; }";
        assert_eq!(invented(HOUSE, "pub struct Roof(super::Wall);", tests), "");
        let commented = "pub struct Wall; // super::Roof\nconst NAME: &str = \"super::Roof\";";
        assert_eq!(invented(HOUSE, "pub struct Roof(super::Wall);", commented), "");
    }

    #[test]
    fn circles_are_named_with_what_ties_them() {
        let expected =
            "circle:\n  src/house/roof.rs -> src/house/wall.rs: Wall\n  src/house/wall.rs -> src/house/roof.rs: Roof\n";
        let roof = "pub struct Roof(crate::house::Wall);";
        assert_eq!(invented(HOUSE, roof, "use super::Roof; pub struct Wall;"), expected);
        assert_eq!(invented(HOUSE, roof, "pub struct Wall; fn f() { let _ = super::roof::Roof::new; }"), expected);
        assert_eq!(invented(HOUSE, roof, "use super::*; pub struct Wall; impl Roof {}"), expected);
        let nested = "pub struct Wall; mod inner { use super::super::{roof::{self, Roof as R}}; }";
        assert_eq!(invented(HOUSE, roof, nested), expected);
    }

    #[test]
    fn a_function_may_be_called_as_its_file_is() {
        let house = "mod roof; mod wall; fn wall() -> wall::Wall {} fn f() { roof::build(); }";
        let roof = "use super::wall::Wall; pub fn build() {}";
        assert_eq!(invented(house, roof, "pub struct Wall;"), "");
        let report = invented(house, "use super::wall; pub fn build() {}", "pub struct Wall;");
        assert!(report.contains("src/house/roof.rs -> src/house/mod.rs: wall"), "{report}");
    }

    #[test]
    fn what_is_handed_on_all_at_once_is_found_where_it_is() {
        let house = "mod roof; mod wall; pub use self::roof::*; pub use self::wall::*; pub struct Storey(Roof);";
        assert_eq!(invented(house, "use super::Wall; pub struct Roof(Wall);", "pub struct Wall;"), "");
        let report = invented(house, "use super::Wall; pub struct Roof(Wall);", "use super::Roof; pub struct Wall;");
        assert!(report.contains("src/house/wall.rs -> src/house/roof.rs: Roof"), "{report}");
        assert_eq!(invented("mod roof; mod wall; pub use other::Wall;", "use super::Wall;", "use super::Roof;"), "");
    }

    #[test]
    fn a_folder_and_its_file_may_form_one() {
        let house = "mod roof; mod wall; pub use roof::Roof; pub struct Storey; fn f(_: Roof) {}";
        let report = invented(house, "use super::Storey; pub struct Roof;", "");
        assert!(report.contains("src/house/mod.rs -> src/house/roof.rs: Roof"), "{report}");
    }
}
