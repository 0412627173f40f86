//! The service worker's list of files with their hashes.

use crate::files::files;
use crate::run::{Outcome, file_error};
use sha2::{Digest, Sha256};
use std::fs;
use std::path::Path;

/// Placeholder that the build replaces in `public/service-worker.js`.
const LIST: &str = "const FILES = [];";
const VERSION: &str = "const VERSION = \"unbuilt\";";
const WORKER: &str = "service-worker.js";
/// Files that servers read and never serve.
const FOR_SERVERS: &str = "_headers";

/// The first half of a file's SHA-256, in hexadecimal.
pub fn short_hash(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().take(16).map(|byte| format!("{byte:02x}")).collect()
}

/// Writes the list of every file into the service worker of a built folder; of the models only their cards are listed.
pub fn write(dist: &Path) -> Outcome<()> {
    let worker = dist.join(WORKER);
    let text = fs::read_to_string(&worker).map_err(file_error("read", &worker))?;
    let mut entries = Vec::new();
    for file in files(dist) {
        let name = file.strip_prefix(dist).unwrap_or(&file).to_string_lossy().replace('\\', "/");
        if is_precached(&name) {
            let hash = short_hash(&fs::read(&file).map_err(file_error("read", &file))?);
            entries.push(format!("  [{name:?}, {hash:?}],\n"));
        }
    }
    fs::write(&worker, filled(&text, &entries)?).map_err(file_error("write", &worker))
}

fn is_precached(name: &str) -> bool {
    let is_of_a_model = name.starts_with("models/") && ![".md", ".html"].iter().any(|kind| name.ends_with(kind));
    !is_of_a_model && name != WORKER && name != FOR_SERVERS
}

fn filled(text: &str, entries: &[String]) -> Outcome<String> {
    for wanted in [LIST, VERSION] {
        if !text.contains(wanted) {
            return Err(format!("public/{WORKER} lacks the line `{wanted}`, which the build fills in"));
        }
    }
    let list = entries.concat();
    let version = short_hash(format!("{text}{list}").as_bytes());
    let text = text.replace(LIST, &format!("const FILES = [\n{list}];"));
    Ok(text.replace(VERSION, &format!("const VERSION = \"{version}\";")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_weights_stay_out() {
        assert!(is_precached("index.html") && is_precached("fonts/cuneiform.woff2"));
        assert!(!is_precached("models/restorer/restorer.safetensors") && !is_precached("models/corpus/corpus.pack"));
        assert!(!is_precached(WORKER) && !is_precached(FOR_SERVERS));
    }

    #[test]
    fn what_the_page_names_is_there_offline() {
        assert!(is_precached("models/restorer/card.html") && is_precached("assets/old-assyrian-letters.txt"));
    }

    #[test]
    fn any_change_makes_another_version() {
        let text = format!("{VERSION}\n{LIST}\n");
        let one = filled(&text, &["  [\"a\", \"1\"],\n".to_owned()]).unwrap();
        let two = filled(&text, &["  [\"a\", \"2\"],\n".to_owned()]).unwrap();
        assert!(one.contains("[\"a\", \"1\"]") && !one.contains("unbuilt"));
        assert_ne!(one.lines().next(), two.lines().next());
        assert!(filled("nothing", &[]).is_err());
    }

    #[test]
    fn hashes_are_sha_256() {
        assert_eq!(short_hash(b""), "e3b0c44298fc1c149afbf4c8996fb924");
    }
}
