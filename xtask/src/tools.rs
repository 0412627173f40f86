//! The tools: found on PATH or in the project's own folder, else installed at pinned versions.

use crate::programs::{apt, command, find};
use crate::run::{Outcome, answer, run, timed};
use crate::{places, turn};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Version of wasm-bindgen; must equal that of the crate in `Cargo.lock`.
const WASM_BINDGEN: &str = "0.2.130";
/// Version of wasm-split: it must understand what `wasm_split_macros` in `Cargo.lock` writes.
const WASM_SPLIT: &str = "0.2.4";
/// Version of trunk, which builds and serves the page: the newest that the compiler here can build.
const TRUNK: &str = "0.21.14";
/// Version of Binaryen, whose `wasm-opt` makes the release small.
const BINARYEN: &str = "132.0.0";
/// Version of geckodriver, which drives Firefox; Debian has no package of it.
const GECKODRIVER: &str = "0.37.1";
/// Version of cargo-machete, which finds dependencies that nothing uses.
const CARGO_MACHETE: &str = "0.9.1";
/// Version of cargo-deny, which checks licences, sources and known weaknesses of dependencies.
const CARGO_DENY: &str = "0.20.2";
/// Version of cargo-nextest, which runs native and browser tests.
const CARGO_NEXTEST: &str = "0.9.143";
/// Version of axe-core, which checks accessibility in the browser tests (MPL-2.0; no part of the page).
const AXE: &str = "4.14.1";
/// Version of onnxruntime-web, with which the engine's speed is compared (MIT; no part of the page).
pub const ONNXRUNTIME: &str = "1.30.0";

/// Finds or installs all of them, those of the release too.
pub fn all() -> Outcome<()> {
    crate::toolchain::Wasm::ready()?;
    println!("wasm-bindgen  {}", wasm_bindgen()?.display());
    println!("wasm-split    {}", wasm_split()?.display());
    println!("trunk         {}", trunk()?.display());
    println!("wasm-opt      {}", wasm_opt()?.display());
    let browser = browser()?;
    println!("chromedriver  {}", browser.driver.display());
    println!("chromium      {}", browser.chromium.display());
    let firefox = firefox()?;
    println!("cargo-nextest {}", cargo_nextest()?.display());
    println!("geckodriver   {}", firefox.driver.display());
    println!("firefox       {}", firefox.program.display());
    println!("axe-core      {}", axe()?.display());
    Ok(())
}

/// `wasm-bindgen`, and beside it `wasm-bindgen-test-runner`.
pub fn wasm_bindgen() -> Outcome<PathBuf> {
    let find = || {
        let program = find("wasm-bindgen").filter(|program| has_version(program, WASM_BINDGEN))?;
        program.with_file_name("wasm-bindgen-test-runner").is_file().then_some(program)
    };
    // Not --locked: the lock file in that package names a crate that was withdrawn.
    find_or_install("wasm-bindgen", find, || cargo_install("wasm-bindgen-cli", WASM_BINDGEN, &places::tools(), &[]))
}

/// `trunk`, without its code that downloads tools: all of them are found or installed here.
pub fn trunk() -> Outcome<PathBuf> {
    let find = || find("trunk").filter(|program| has_version(program, TRUNK));
    let options = ["--locked", "--no-default-features"];
    find_or_install("trunk", find, || cargo_install("trunk", TRUNK, &places::tools(), &options))
}

/// `wasm-split-cli`. It does not print its version, so the version is in the name of its folder.
pub fn wasm_split() -> Outcome<PathBuf> {
    let root = places::tools().join(format!("wasm-split-{WASM_SPLIT}"));
    let find = || Some(root.join("bin/wasm-split-cli")).filter(|program| program.is_file());
    let options = ["--locked", "--features", "build-binary"];
    find_or_install("wasm-split", find, || cargo_install("wasm_split_cli_support", WASM_SPLIT, &root, &options))
}

/// `wasm-opt`, for releases only.
pub fn wasm_opt() -> Outcome<PathBuf> {
    let major = BINARYEN.split('.').next().unwrap_or(BINARYEN);
    let find = || find("wasm-opt").filter(|program| has_version(program, major));
    find_or_install("wasm-opt", find, || npm_install("binaryen", BINARYEN))
}

/// `cargo-machete`.
pub fn cargo_machete() -> Outcome<PathBuf> {
    cargo_program("cargo-machete", CARGO_MACHETE)
}

/// `cargo-deny`.
pub fn cargo_deny() -> Outcome<PathBuf> {
    cargo_program("cargo-deny", CARGO_DENY)
}

/// `cargo-nextest`, any version that is here: `.config/nextest.toml` names the oldest that will do.
pub fn cargo_nextest() -> Outcome<PathBuf> {
    let install = || cargo_install("cargo-nextest", CARGO_NEXTEST, &places::tools(), &["--locked"]);
    find_or_install("cargo-nextest", || find("cargo-nextest"), install)
}

/// A program that has the name of its package and prints its version.
fn cargo_program(program: &str, version: &str) -> Outcome<PathBuf> {
    let find = || find(program).filter(|program| has_version(program, version));
    find_or_install(program, find, || cargo_install(program, version, &places::tools(), &["--locked"]))
}

/// Finds a tool; else installs it and finds it then. Only one xtask of this machine installs at a time: two would
/// write into the same folders.
fn find_or_install<T>(name: &str, find: impl Fn() -> Option<T>, install: impl FnOnce() -> Outcome<()>) -> Outcome<T> {
    if let Some(found) = find() {
        return Ok(found);
    }
    let _turn = turn::take()?;
    // Another xtask may have installed it while this one waited.
    if let Some(found) = find() {
        return Ok(found);
    }
    install()?;
    find().ok_or_else(|| format!("{name} was installed but is not found, or does not run; look at {}", tools_folder()))
}

/// The script of axe-core.
pub fn axe() -> Outcome<PathBuf> {
    npm_file("axe-core", AXE, "axe.min.js")
}

/// The folder with onnxruntime-web's scripts and modules.
pub fn onnxruntime_web() -> Outcome<PathBuf> {
    let script = npm_file("onnxruntime-web", ONNXRUNTIME, "dist/ort.wasm.min.mjs")?;
    Ok(script.parent().map_or_else(|| script.clone(), Path::to_path_buf))
}

/// A file of a package of npm, which is installed if it is not there.
fn npm_file(package: &str, version: &str, file: &str) -> Outcome<PathBuf> {
    let folder = places::tools().join("node_modules").join(package);
    let find = || {
        let described = std::fs::read_to_string(folder.join("package.json")).ok()?;
        let is_wanted = described.contains(&format!("\"version\": \"{version}\""));
        Some(folder.join(file)).filter(|file| is_wanted && file.is_file())
    };
    find_or_install(package, find, || npm_install(package, version))
}

/// Installs a package of npm among the tools.
fn npm_install(package: &str, version: &str) -> Outcome<()> {
    if find("npm").is_none() {
        apt(&format!("npm, which brings {package}"), &["npm"])?;
    }
    let mut install = command("npm");
    install.args(["install", "--no-audit", "--no-fund", "--prefix"]).arg(places::tools());
    install.arg(format!("{package}@{version}"));
    timed(&format!("installing {package} {version} by npm (about 1 minute)"), || run(&mut install))
}

/// A browser and its driver, of the same major version.
pub struct Browser {
    /// Chromium or Chrome.
    pub chromium: PathBuf,
    /// The browser's driver.
    pub driver: PathBuf,
}

/// Finds or installs the browser for tests.
pub fn browser() -> Outcome<Browser> {
    let install = || apt("Chromium and its driver, for the tests", &["chromium", "chromium-driver"]);
    find_or_install("Chromium with a chromedriver of the same major version", find_browser, install)
}

/// Folders in which drivers for Vulkan are registered.
const VULKAN_DRIVERS: [&str; 2] = ["/usr/share/vulkan/icd.d", "/etc/vulkan/icd.d"];

/// Finds a driver for Vulkan, or installs Mesa's, which computes on the processor.
pub fn vulkan() -> Outcome<()> {
    let install = || apt("Vulkan on the processor, for the tests", &["mesa-vulkan-drivers"]);
    find_or_install("a driver for Vulkan", || has_vulkan().then_some(()), install)
}

fn has_vulkan() -> bool {
    let registered = VULKAN_DRIVERS.iter().filter_map(|folder| std::fs::read_dir(folder).ok()).flatten();
    registered.flatten().any(|file| file.path().extension().is_some_and(|extension| extension == "json"))
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

/// Firefox and its driver, which works with every Firefox of its time.
pub struct Firefox {
    /// Firefox, or the one with extended support that Debian has.
    pub program: PathBuf,
    /// The browser's driver.
    pub driver: PathBuf,
}

/// Finds or installs the second browser for tests.
pub fn firefox() -> Outcome<Firefox> {
    Ok(Firefox { program: firefox_itself()?, driver: geckodriver()? })
}

fn firefox_itself() -> Outcome<PathBuf> {
    let given = std::env::var_os("FIREFOX").map(PathBuf::from);
    let find = || given.clone().or_else(|| ["firefox-esr", "firefox"].iter().find_map(|name| find(name)));
    find_or_install("Firefox", find, || apt("Firefox, for the tests", &["firefox-esr"]))
}

fn geckodriver() -> Outcome<PathBuf> {
    let given = std::env::var_os("GECKODRIVER").map(PathBuf::from);
    let find = || given.clone().or_else(|| find("geckodriver").filter(|program| has_version(program, GECKODRIVER)));
    let install = || cargo_install("geckodriver", GECKODRIVER, &places::tools(), &["--locked"]);
    find_or_install("geckodriver", find, install)
}

/// The first number in `Chromium 156.0.1.2 built on ...`.
fn major(version: &str) -> Option<u32> {
    let digits = version.split(|letter: char| !letter.is_ascii_digit()).find(|part| !part.is_empty())?;
    digits.parse().ok()
}

/// `cargo install` for a tool that runs for seconds: compiled quickly, since optimising it fully takes three times as
/// long.
fn cargo_install(package: &str, version: &str, root: &Path, options: &[&str]) -> Outcome<()> {
    let mut install = command("cargo");
    install.args(["install", package, "--version", version, "--root"]).arg(root).args(options);
    install.arg("--target-dir").arg(places::target().join("tools"));
    for (setting, value) in [("LTO", "off"), ("CODEGEN_UNITS", "16"), ("OPT_LEVEL", "1"), ("DEBUG", "0")] {
        install.env(format!("CARGO_PROFILE_RELEASE_{setting}"), value);
    }
    install.env_remove("RUSTFLAGS").env_remove("CARGO_ENCODED_RUSTFLAGS");
    timed(&format!("installing {package} {version} by cargo (2 to 8 minutes)"), || run(&mut install))
}

/// Returns `true` if `--version` prints this version as a word of its own.
fn has_version(program: &Path, version: &str) -> bool {
    let printed = answer(Command::new(program).arg("--version")).unwrap_or_default();
    printed.split_whitespace().any(|word| word == version)
}

fn tools_folder() -> String {
    places::tools().display().to_string()
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
