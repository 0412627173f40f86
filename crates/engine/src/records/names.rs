//! Names of files, and names for new models and runs.

use tuppum_weights::FileEntry;

/// Configuration of the model.
pub const CONFIG: &str = "config.json";
/// Golden numbers to test a device with; Tuppum's own models have them.
pub const GOLDEN: &str = "golden.safetensors";
/// List of the other files, in a shipped model.
pub const MANIFEST: &str = "manifest.json";
/// Maximum bytes of a file that is read whole; no published one is longer.
pub const MAX_SHORT_FILE_BYTES: usize = 8 << 20;

/// Digits of the checksum in the name of a stored file: 64 bits tell all files of all models apart.
const CHECKSUM_DIGITS: usize = 16;

/// Returns the name under which a file of a shipped model is stored; it contains the file's checksum.
pub fn by_contents(file: &FileEntry) -> String {
    format!("{}-{}", file.sha256.get(..CHECKSUM_DIGITS).unwrap_or(&file.sha256), file.name)
}

/// Returns the name, numbered if it is taken already.
pub fn first_free(name: &str, taken: &[String]) -> String {
    let numbered = |number: usize| if number == 1 { name.to_owned() } else { format!("{name}-{number}") };
    (1..).map(numbered).find(|name| !taken.contains(name)).unwrap_or_else(|| name.to_owned())
}

/// Returns the file of this name, or else the only one with a prefix before it, as training runs are saved.
pub fn given<'a, C>(all: &'a [(String, C)], wanted: &str) -> Option<&'a C> {
    let exact = all.iter().find(|(name, _)| name == wanted);
    let behind = |name: &str| name.strip_suffix(wanted).is_some_and(|own| own.ends_with('-'));
    let mut named = all.iter().filter(|(name, _)| behind(name));
    exact.or_else(|| named.next().filter(|_| named.next().is_none())).map(|(_, content)| content)
}

/// Returns the only safetensors file, whatever its name: models are often distributed under other names.
pub fn only_weights<'a>(names: &[&'a str]) -> Option<&'a str> {
    let mut found = names.iter().filter(|name| name.ends_with(".safetensors") && **name != GOLDEN);
    found.next().copied().filter(|_| found.next().is_none())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_taken_name_gets_the_first_free_number() {
        let taken = ["a", "b", "b-2", "b-4"].map(str::to_owned);
        for (name, free) in [("c", "c"), ("a", "a-2"), ("b", "b-3"), ("b-2", "b-2-2")] {
            assert_eq!(first_free(name, &taken), free);
        }
    }

    #[test]
    fn files_are_stored_by_their_contents() {
        for (sha256, stored) in [("0123456789abcdef0123", "0123456789abcdef-x.json"), ("short", "short-x.json")] {
            let file = FileEntry { name: "x.json".to_owned(), bytes: 1, sha256: sha256.to_owned() };
            assert_eq!(by_contents(&file), stored);
        }
    }

    #[test]
    fn files_of_a_run_are_found_by_the_end_of_their_names() {
        let cases: [(&[&str], Option<usize>); 6] = [
            (&["config.json"], Some(0)),
            (&["run-config.json", "other.json"], Some(0)),
            (&["run-config.json", "config.json"], Some(1)),
            (&["one-config.json", "two-config.json"], None),
            (&["myconfig.json"], None),
            (&[], None),
        ];
        for (names, expected) in cases {
            let all: Vec<(String, usize)> =
                names.iter().enumerate().map(|(at, name)| ((*name).to_owned(), at)).collect();
            assert_eq!(given(&all, CONFIG).copied(), expected, "{names:?}");
        }
    }

    #[test]
    fn weights_under_another_name_are_taken_if_there_is_one_file_of_them() {
        let cases: [(&[&str], Option<&str>); 4] = [
            (&["config.json", "mine.safetensors"], Some("mine.safetensors")),
            (&["mine.safetensors", GOLDEN], Some("mine.safetensors")),
            (&["a.safetensors", "b.safetensors"], None),
            (&[GOLDEN], None),
        ];
        for (names, expected) in cases {
            assert_eq!(only_weights(names), expected, "{names:?}");
        }
    }
}
