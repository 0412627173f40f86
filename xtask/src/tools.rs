//! The tools: found on PATH or in the project's own folder, else installed at pinned versions.

use crate::places;
use crate::run::{Outcome, answer, run, timed, words};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Must equal the version of the crate in `Cargo.lock`.
pub const WASM_BINDGEN: &str = "0.2.130";
/// It knows what the crate `wasm_split_macros` in `Cargo.lock` writes.
const WASM_SPLIT: &str = "0.2.4";
/// Its `wasm-opt` makes the release small.
pub const BINARYEN: &str = "132.0.0";

/// PATH with the project's own tools first.
pub fn path() -> OsString {
    let own = [places::tools().join("bin"), places::tools().join("node_modules/.bin")];
    let rest = std::env::var_os("PATH").unwrap_or_default();
    std::env::join_paths(own.into_iter().chain(std::env::split_paths(&rest))).unwrap_or(rest)
}

/// A program on that PATH.
pub fn find(program: &str) -> Option<PathBuf> {
    std::env::split_paths(&path()).map(|folder| folder.join(program)).find(|file| file.is_file())
}

/// A command that finds the project's tools.
pub fn command(program: impl AsRef<std::ffi::OsStr>) -> Command {
    let mut command = Command::new(program);
    command.env("PATH", path()).current_dir(places::project());
    command
}

/// Finds or installs all of them, those of the release too.
pub fn all() -> Outcome<()> {
    crate::toolchain::Wasm::ready()?;
    println!("wasm-bindgen  {}", wasm_bindgen()?.display());
    println!("wasm-split    {}", wasm_split()?.display());
    println!("wasm-opt      {}", wasm_opt()?.display());
    let browser = browser()?;
    println!("chromedriver  {}", browser.driver.display());
    println!("chromium      {}", browser.chromium.display());
    Ok(())
}

/// `wasm-bindgen`, and beside it `wasm-bindgen-test-runner`.
pub fn wasm_bindgen() -> Outcome<PathBuf> {
    let find = || find("wasm-bindgen").filter(|program| has_version(program, WASM_BINDGEN));
    if let Some(found) = find().filter(|found| found.with_file_name("wasm-bindgen-test-runner").is_file()) {
        return Ok(found);
    }
    // Not --locked: the lock file in that package names a crate that was withdrawn.
    let mut install = quick_install("wasm-bindgen-cli", WASM_BINDGEN, &places::tools());
    timed(&format!("installing wasm-bindgen {WASM_BINDGEN} by cargo (about 2 minutes)"), || run(&mut install))?;
    find().ok_or_else(|| missing("wasm-bindgen", WASM_BINDGEN))
}

/// `wasm-split-cli`. It does not tell its version, so its folder does.
pub fn wasm_split() -> Outcome<PathBuf> {
    let root = places::tools().join(format!("wasm-split-{WASM_SPLIT}"));
    let program = root.join("bin/wasm-split-cli");
    if !program.is_file() {
        let mut install = quick_install("wasm_split_cli_support", WASM_SPLIT, &root);
        install.args(["--locked", "--features", "build-binary"]);
        timed(&format!("installing wasm-split {WASM_SPLIT} by cargo (about 2 minutes)"), || run(&mut install))?;
    }
    Ok(program)
}

/// `wasm-opt`, for releases only.
pub fn wasm_opt() -> Outcome<PathBuf> {
    let major = BINARYEN.split('.').next().unwrap_or(BINARYEN);
    let find = || find("wasm-opt").filter(|program| has_version(program, major));
    if let Some(found) = find() {
        return Ok(found);
    }
    if crate::tools::find("npm").is_none() {
        apt("npm, which brings wasm-opt", &["npm"])?;
    }
    let mut install = command("npm");
    install.args(["install", "--no-audit", "--no-fund", "--prefix"]).arg(places::tools());
    install.arg(format!("binaryen@{BINARYEN}"));
    timed(&format!("installing binaryen {BINARYEN} by npm (about 1 minute)"), || run(&mut install))?;
    find().ok_or_else(|| missing("wasm-opt", major))
}

/// A browser and its driver, of the same major version.
pub struct Browser {
    /// Chromium or Chrome.
    pub chromium: PathBuf,
    /// Its driver.
    pub driver: PathBuf,
}

/// Finds or installs the browser for tests.
pub fn browser() -> Outcome<Browser> {
    if let Some(found) = find_browser() {
        return Ok(found);
    }
    apt("Chromium and its driver, for the tests", &["chromium", "chromium-driver"])?;
    find_browser().ok_or_else(|| {
        "no Chromium with a chromedriver of the same major version is on PATH; install both, then try again".to_owned()
    })
}

fn find_browser() -> Option<Browser> {
    let driver = std::env::var_os("CHROMEDRIVER").map(PathBuf::from).or_else(|| find("chromedriver"))?;
    let wanted = major(&answer(Command::new(&driver).arg("--version"))?)?;
    let named = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
    let chromium = named.iter().filter_map(|name| find(name)).find(|program| {
        answer(Command::new(program).arg("--version")).and_then(|version| major(&version)) == Some(wanted)
    })?;
    Some(Browser { chromium, driver })
}

/// The first number in `Chromium 156.0.1.2 built on ...`.
fn major(version: &str) -> Option<u32> {
    let digits = version.split(|letter: char| !letter.is_ascii_digit()).find(|part| !part.is_empty())?;
    digits.parse().ok()
}

/// Installs Debian packages: as root at once, otherwise it says what root would have to run.
pub fn apt(what: &str, packages: &[&str]) -> Outcome<()> {
    let mut install = Command::new("apt-get");
    install.args(["install", "--yes", "--no-install-recommends"]).args(packages);
    install.env("DEBIAN_FRONTEND", "noninteractive");
    let by_hand = format!("sudo {}", words(&install));
    if find("apt-get").is_none() {
        return Err(format!("{what}: not found, and there is no apt-get to install {}", packages.join(", ")));
    }
    if answer(Command::new("id").arg("-u")).as_deref() != Some("0") {
        return Err(format!("{what}: not found; installing it needs root. Run\n    {by_hand}\nand try again"));
    }
    timed(&format!("installing {what} by apt: {} (a few minutes)", packages.join(", ")), || {
        // A fresh machine has no package lists; where they are there, an unreachable mirror is no reason to stop.
        let _ = run(Command::new("apt-get").args(["update", "--quiet"]));
        run(&mut install)
    })
}

/// `cargo install` for a tool that runs for seconds: compiled quickly, since optimising it fully takes thrice as long.
fn quick_install(package: &str, version: &str, root: &Path) -> Command {
    let mut install = command("cargo");
    install.args(["install", package, "--version", version, "--root"]).arg(root);
    install.arg("--target-dir").arg(places::target().join("tools"));
    for (setting, value) in [("LTO", "off"), ("CODEGEN_UNITS", "16"), ("OPT_LEVEL", "1"), ("DEBUG", "0")] {
        install.env(format!("CARGO_PROFILE_RELEASE_{setting}"), value);
    }
    install.env_remove("RUSTFLAGS").env_remove("CARGO_ENCODED_RUSTFLAGS");
    install
}

/// Whether `--version` prints this version as a word of its own.
fn has_version(program: &Path, version: &str) -> bool {
    let printed = answer(Command::new(program).arg("--version")).unwrap_or_default();
    printed.split_whitespace().any(|word| word == version)
}

fn missing(tool: &str, version: &str) -> String {
    format!("{tool} {version} was installed into {} but does not run from there", places::tools().display())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn majors_of_browsers() {
        assert_eq!(major("Chromium 156.0.7900.12 built on Debian"), Some(156));
        assert_eq!(major("ChromeDriver 156.0.7900.12 (abc)"), Some(156));
        assert_eq!(major("none"), None);
    }

    #[test]
    fn wasm_bindgen_is_the_one_of_the_lock_file() {
        let lock = std::fs::read_to_string(places::project().join("Cargo.lock")).unwrap();
        assert!(lock.contains(&format!("name = \"wasm-bindgen\"\nversion = \"{WASM_BINDGEN}\"\n")));
    }
}
