//! What the built application is made of: a list of all crates that are compiled into page and engine, with versions,
//! licences and checksums, as CycloneDX in JSON.
//!
//! It says nothing of the time or the machine, so that the same sources have the same list.

use crate::files::{read_text, write};
use crate::places;
use crate::programs::cargo;
use crate::run::{Outcome, answer, words};
use crate::toolchain::TARGET;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The list's name in a built folder; its kind is told by the name's end, as CycloneDX has it.
const FILE: &str = "tuppum.cdx.json";
/// Programs compiled for the browser: the page and its worker.
const PROGRAMS: [&str; 2] = ["tuppum", "tuppum-engine"];

/// Name and version of a crate.
type Crate = (String, String);

/// Writes the list into a built folder.
pub fn write_into(folder: &Path) -> Outcome<()> {
    write(&folder.join(FILE), bill()?.to_string())
}

/// The list.
fn bill() -> Outcome<Value> {
    let linked = linked()?;
    let checksums = checksums(&read_text(&places::project().join("Cargo.lock"))?);
    let described = described()?;
    let packages = packages(&described);
    let mut components = Vec::new();
    for key in linked.iter().filter(|(name, _)| name != PROGRAMS[0]) {
        let package = packages.get(key).ok_or_else(|| format!("cargo describes no {} {}", key.0, key.1))?;
        components.push(component(key, package, checksums.get(key))?);
    }
    let (program, package) = packages
        .iter()
        .find(|((name, _), _)| name == PROGRAMS[0])
        .ok_or_else(|| format!("cargo describes no {}", PROGRAMS[0]))?;
    let mut application = component(program, package, None)?;
    application["type"] = json!("application");
    Ok(json!({
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": { "component": application },
        "components": components,
        "dependencies": dependencies(&described, &linked),
    }))
}

/// The crates that are linked into page and engine. What only compiles them (macros, build scripts) is left out.
fn linked() -> Outcome<BTreeSet<Crate>> {
    let mut tree = cargo(&["tree", "--locked", "--target", TARGET, "--edges", "normal,no-proc-macro"]);
    tree.args(["--prefix", "none", "--format", "{p}", "--package", PROGRAMS[0], "--package", PROGRAMS[1]]);
    let told = answer(&mut tree).ok_or_else(|| format!("`{}` failed", words(&tree)))?;
    Ok(told.lines().filter_map(named).collect())
}

/// Reads `serde v1.0.229`, behind which the place of a crate of ours may stand.
fn named(line: &str) -> Option<Crate> {
    let mut words = line.split_whitespace();
    let (name, version) = (words.next()?, words.next()?);
    Some((name.to_owned(), version.strip_prefix('v')?.to_owned()))
}

/// The checksums of `Cargo.lock`; crates of ours have none.
fn checksums(lock: &str) -> BTreeMap<Crate, String> {
    let field = |package: &str, name: &str| {
        let line = package.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(" = \""))?;
        Some(line.trim_end_matches('"').to_owned())
    };
    let of = |package| Some(((field(package, "name")?, field(package, "version")?), field(package, "checksum")?));
    lock.split("[[package]]").filter_map(of).collect()
}

/// Returns cargo's metadata of all crates, with the edges between them.
fn described() -> Outcome<Value> {
    let mut metadata = cargo(&["metadata", "--locked", "--format-version", "1", "--filter-platform", TARGET]);
    let told = answer(&mut metadata).ok_or_else(|| format!("`{}` failed", words(&metadata)))?;
    serde_json::from_str(&told).map_err(|error| format!("`{}` is not read: {error}", words(&metadata)))
}

fn packages(described: &Value) -> BTreeMap<Crate, &Value> {
    described["packages"].as_array().into_iter().flatten().map(|package| (key(package), package)).collect()
}

fn key(package: &Value) -> Crate {
    let text = |field: &str| package[field].as_str().unwrap_or_default().to_owned();
    (text("name"), text("version"))
}

/// A crate's entry.
fn component(key: &Crate, package: &Value, checksum: Option<&String>) -> Outcome<Value> {
    let (name, version) = key;
    // The slash of old manifests means the same.
    let licence = package["license"].as_str().map(|licence| licence.replace(" / ", "/").replace('/', " OR "));
    let licence = licence.ok_or_else(|| format!("{name} {version} says no licence"))?;
    let mut entry = json!({
        "type": "library",
        "bom-ref": reference(key),
        "name": name,
        "version": version,
        "licenses": [{ "expression": licence }],
        "purl": reference(key),
    });
    if let Some(checksum) = checksum {
        entry["hashes"] = json!([{ "alg": "SHA-256", "content": checksum }]);
    }
    if is_patched(name) {
        entry["pedigree"] =
            json!({ "notes": format!("patches/{name} of the sources stands in for the published crate.") });
    }
    Ok(entry)
}

/// Returns `true` if a folder of ours stands in for the published crate.
fn is_patched(name: &str) -> bool {
    places::project().join("patches").join(name).is_dir()
}

/// The address of a crate in the notation of packages; a version's plus sign would mean a space there.
fn reference((name, version): &Crate) -> String {
    format!("pkg:cargo/{name}@{}", version.replace('+', "%2B"))
}

/// Returns the dependencies of every linked crate.
fn dependencies(described: &Value, linked: &BTreeSet<Crate>) -> Vec<Value> {
    let packages = described["packages"].as_array().into_iter().flatten();
    let keys: BTreeMap<&str, Crate> =
        packages.map(|package| (package["id"].as_str().unwrap_or_default(), key(package))).collect();
    let known = |id: &Value| keys.get(id.as_str()?).filter(|key| linked.contains(*key));
    let is_linked =
        |edge: &&Value| edge["dep_kinds"].as_array().into_iter().flatten().any(|kind| kind["kind"].is_null());
    let mut all: Vec<(String, Vec<String>)> = Vec::new();
    for node in described["resolve"]["nodes"].as_array().into_iter().flatten() {
        let Some(user) = known(&node["id"]) else { continue };
        let used = node["deps"].as_array().into_iter().flatten().filter(is_linked);
        let used: BTreeSet<String> = used.filter_map(|edge| known(&edge["pkg"])).map(reference).collect();
        all.push((reference(user), used.into_iter().collect()));
    }
    all.sort();
    all.into_iter().map(|(user, used)| json!({ "ref": user, "dependsOn": used })).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks what CycloneDX 1.6 requires of our fields, and what its readers rely on.
    #[test]
    fn the_list_is_one_of_cyclonedx() {
        let bill = bill().unwrap();
        assert_eq!((&bill["bomFormat"], &bill["specVersion"]), (&json!("CycloneDX"), &json!("1.6")));
        assert!(bill["version"].as_u64().is_some_and(|version| version >= 1));
        let application = &bill["metadata"]["component"];
        assert_eq!((&application["type"], &application["name"]), (&json!("application"), &json!("tuppum")));
        let mut references = BTreeSet::from([application["bom-ref"].as_str().unwrap()]);
        let components = bill["components"].as_array().unwrap();
        assert!(components.len() > 200, "only {} crates", components.len());
        for component in components {
            let text = |field: &str| component[field].as_str().filter(|text| !text.is_empty()).unwrap();
            assert_eq!(text("type"), "library");
            assert!(text("purl").starts_with(&format!("pkg:cargo/{}@", text("name"))));
            assert!(references.insert(text("bom-ref")), "{} is there twice", text("bom-ref"));
            let licence = component["licenses"][0]["expression"].as_str().unwrap();
            assert!(is_expression(licence), "{licence}");
            let is_replaced = component["pedigree"]["notes"].is_string();
            assert_eq!(is_replaced, text("name") == "gemm", "{}", text("name"));
            let is_ours = text("name").starts_with("tuppum") || is_replaced;
            let checksum = component["hashes"][0]["content"].as_str().unwrap_or_default();
            let is_checksum = checksum.len() == 64 && checksum.bytes().all(|digit| digit.is_ascii_hexdigit());
            assert!(is_checksum || (is_ours && checksum.is_empty()), "{}: {checksum}", text("name"));
        }
        let named = |name: &str| components.iter().any(|component| component["name"] == name);
        assert!(named("gemm"), "the crate that ours stands in for is among them");
        assert!(named("burn") && named("leptos") && named("tuppum-engine") && !named("serde_derive"));
        for dependency in bill["dependencies"].as_array().unwrap() {
            assert!(references.contains(dependency["ref"].as_str().unwrap()));
            let used = dependency["dependsOn"].as_array().unwrap();
            assert!(used.iter().all(|used| references.contains(used.as_str().unwrap())));
        }
        assert_eq!(bill["dependencies"].as_array().unwrap().len(), references.len());
        assert_eq!(bill, super::bill().unwrap(), "the same sources have the same list");
    }

    /// Names of licences with `AND`, `OR`, `WITH` between them, and parentheses.
    fn is_expression(licence: &str) -> bool {
        let words: Vec<&str> = licence.split_whitespace().map(|word| word.trim_matches(['(', ')'])).collect();
        let is_name = |word: &str| {
            word.starts_with(|first: char| first.is_ascii_alphanumeric())
                && word.chars().all(|letter| letter.is_ascii_alphanumeric() || "-.+".contains(letter))
        };
        words.len() % 2 == 1
            && words.iter().enumerate().all(|(at, word)| match at % 2 {
                0 => is_name(word),
                _ => ["AND", "OR", "WITH"].contains(word),
            })
    }

    #[test]
    fn lines_and_locks_are_read() {
        assert_eq!(named("gemm v0.19.0 (patches/gemm)"), Some(("gemm".into(), "0.19.0".into())));
        assert_eq!(named(""), None);
        let lock = "version = 4\n[[package]]\nname = \"a\"\nversion = \"1.0\"\nchecksum = \"00ff\"\n\n\
            [[package]]\nname = \"own\"\nversion = \"0.1.0\"\n";
        assert_eq!(checksums(lock), BTreeMap::from([(("a".into(), "1.0".into()), "00ff".into())]));
        assert_eq!(reference(&("a".into(), "1.0+x".into())), "pkg:cargo/a@1.0%2Bx");
    }
}
