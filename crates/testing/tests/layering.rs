//! Rules for the dependencies of each crate, checked against cargo's own resolution for the browser.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;
use std::sync::LazyLock;

use serde_json::Value;
use tuppum_testing::project;

/// Machine-learning crates, which only the worker and the command line link.
const TENSORS: [&str; 4] = ["burn", "cubecl", "cubek", "wgpu"];
/// Crates that access a browser.
const BROWSER: [&str; 5] = ["leptos", "web-sys", "js-sys", "wasm-bindgen", "gloo"];
/// Maximum number of crates of the project.
const MOST_CRATES: usize = 16;

/// Packages of the project, and all packages that they need for the browser.
struct Packages {
    names: BTreeMap<String, String>,
    /// Dependencies of each package, without those of its tests and build scripts.
    needs: BTreeMap<String, Vec<String>>,
    /// Names of the project's packages.
    own: Vec<String>,
}

/// The packages, read once, since cargo takes a second for it. Cargo downloads browser-only dependencies here if no
/// build has done so.
static PACKAGES: LazyLock<Packages> = LazyLock::new(Packages::read);

impl Packages {
    fn read() -> Self {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let arguments = ["--format-version", "1", "--locked", "--filter-platform", "wasm32-unknown-unknown"];
        let found = Command::new(cargo).arg("metadata").args(arguments).current_dir(project("")).output();
        let found = found.unwrap_or_else(|error| panic!("cargo metadata cannot be run: {error}"));
        assert!(found.status.success(), "cargo metadata failed: {}", String::from_utf8_lossy(&found.stderr));
        let found: Value = serde_json::from_slice(&found.stdout).unwrap_or_else(|error| panic!("no JSON: {error}"));
        let names = list(&found["packages"]).map(|package| (text(&package["id"]), text(&package["name"])));
        let needs = list(&found["resolve"]["nodes"]).map(|node| {
            let needs = list(&node["deps"]).filter(|need| list(&need["dep_kinds"]).any(|kind| kind["kind"].is_null()));
            (text(&node["id"]), needs.map(|need| text(&need["pkg"])).collect())
        });
        let own = list(&found["workspace_members"]).map(text).collect();
        Self { names: names.collect(), needs: needs.collect(), own }
    }

    fn id(&self, name: &str) -> &String {
        let id = self.own.iter().find(|id| self.names[*id] == name);
        id.unwrap_or_else(|| panic!("the project has no package {name}"))
    }

    /// Returns the direct dependencies of a package.
    fn direct(&self, name: &str) -> BTreeSet<&str> {
        self.needs[self.id(name)].iter().map(|need| self.names[need].as_str()).collect()
    }

    /// Returns all dependencies of a package, direct and indirect, each with the chain that leads to it.
    fn all(&self, name: &str) -> BTreeMap<&str, String> {
        let (mut seen, mut found, mut open) =
            (BTreeSet::new(), BTreeMap::new(), vec![(self.id(name), name.to_owned())]);
        while let Some((id, way)) = open.pop() {
            for need in &self.needs[id] {
                if seen.insert(need) {
                    let way = format!("{way} → {}", self.names[need]);
                    found.insert(self.names[need].as_str(), way.clone());
                    open.push((need, way));
                }
            }
        }
        found
    }

    /// Returns the names of the project's packages.
    fn own_names(&self) -> impl Iterator<Item = &str> {
        self.own.iter().map(|id| self.names[id].as_str())
    }

    /// Fails if a package depends on one for which `is_refused` returns `true`.
    #[track_caller]
    fn refuse(&self, name: &str, is_refused: impl Fn(&str) -> bool) {
        let all = self.all(name);
        let refused: Vec<&String> = all.iter().filter(|(need, _)| is_refused(need)).map(|(_, way)| way).collect();
        assert!(refused.is_empty(), "{name} must not depend on these: {refused:#?}");
    }
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn is_tensors(name: &str) -> bool {
    TENSORS.iter().any(|start| name.starts_with(start))
}

fn is_browser(name: &str) -> bool {
    BROWSER.contains(&name)
}

#[test]
fn the_page_links_no_tensors() {
    PACKAGES.refuse("tuppum", is_tensors);
    assert!(PACKAGES.all("tuppum-engine").keys().any(|need| is_tensors(need)), "they are told by these names");
}

#[test]
fn the_core_knows_neither_tensors_nor_a_browser() {
    for name in ["tuppum-random", "tuppum-text", "tuppum-geometry", "tuppum-domain", "tuppum-protocol"] {
        PACKAGES.refuse(name, |need| is_tensors(need) || is_browser(need));
    }
    // These reach browser crates only through others, and access no browser themselves: on wasm plotters always pulls
    // in web-sys, and the browser's random numbers (getrandom) come in where sha2 could request some.
    for name in ["tuppum-plot", "tuppum-corpus"] {
        PACKAGES.refuse(name, |need| is_tensors(need) || ["leptos", "gloo"].contains(&need));
        let direct = PACKAGES.direct(name);
        assert!(!direct.iter().any(|need| is_browser(need)), "{name} depends on {direct:?}");
    }
}

#[test]
fn text_and_geometry_stand_on_the_ground() {
    for (name, allowed) in
        [("tuppum-random", &[][..]), ("tuppum-text", &["tuppum-random"]), ("tuppum-geometry", &["tuppum-random"])]
    {
        PACKAGES.refuse(name, |need| need.starts_with("tuppum") && !allowed.contains(&need));
    }
}

#[test]
fn only_page_and_engine_speak_to_a_browser() {
    for name in PACKAGES.own_names() {
        let direct = PACKAGES.direct(name);
        assert!(name == "tuppum" || !direct.contains("leptos"), "{name} depends on leptos");
        let may = ["tuppum", "tuppum-engine", "tuppum-wasm-tests"].contains(&name);
        assert!(may || !direct.contains("web-sys"), "{name} depends on web-sys");
    }
}

#[test]
fn nothing_depends_on_the_laboratory() {
    for name in PACKAGES.own_names() {
        PACKAGES.refuse(name, |need| need == "tuppum-lab");
    }
    assert!(PACKAGES.all("tuppum-lab").contains_key("tuppum-cli"), "it stands on the command line's library");
}

#[test]
fn there_are_few_crates() {
    let folders = std::fs::read_dir(project("crates")).unwrap_or_else(|error| panic!("crates: {error}"));
    let count = folders.flatten().filter(|entry| entry.path().is_dir()).count();
    assert!(count <= MOST_CRATES, "{count} crates, more than {MOST_CRATES}");
}
