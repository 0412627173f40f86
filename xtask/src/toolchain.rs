//! Rust for wasm: rustup's target where its server can be reached, else Debian's compiler with a standard library built
//! once into a folder of our own.

use crate::programs::{self, find};
use crate::run::{Outcome, answer, file_error, run, succeeds_within, timed};
use crate::{places, turn};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// The target of page and engine.
pub const TARGET: &str = "wasm32-unknown-unknown";
const DEBIAN_RUSTC: &str = "/usr/bin/rustc";
const DEBIAN_CARGO: &str = "/usr/bin/cargo";
const DEBIAN_SOURCE: &str = "/usr/lib/rustlib/src/rust/library/std/src/lib.rs";
/// Flag for compiling the standard library; page and engine take it from `.cargo/config.toml`.
const SIMD: &str = "-Ctarget-feature=+simd128";

/// A way to compile for wasm on this machine.
pub enum Wasm {
    /// The usual toolchain knows the target.
    Usual,
    /// Debian's compiler, our standard library, some lld.
    Debian {
        /// Folder with the standard library.
        sysroot: PathBuf,
        /// `rust-lld` or `wasm-ld`.
        linker: PathBuf,
    },
}

impl Wasm {
    /// Finds a way or makes one.
    pub fn ready() -> Outcome<Self> {
        if let Some(ready) = Self::found()? {
            return Ok(ready);
        }
        let _turn = turn::take()?;
        // Another xtask may have built the library while this one waited.
        if let Some(ready) = Self::found()? {
            return Ok(ready);
        }
        if find("rustup").is_some() {
            println!("── adding {TARGET} by rustup (a minute; given up after three)");
            let mut add = Command::new("rustup");
            add.args(["target", "add", TARGET]);
            if succeeds_within(&mut add, Duration::from_secs(180)) && usual_knows_target() {
                return Ok(Self::Usual);
            }
            println!("── rustup's server cannot be reached; Debian's compiler takes its place");
        }
        if !Path::new(DEBIAN_RUSTC).is_file() || !Path::new(DEBIAN_SOURCE).is_file() {
            programs::apt("Rust with the sources of its library", &["rustc-web", "cargo-web", "rust-web-src"])?;
        }
        let sysroot = debian_sysroot().ok_or_else(|| format!("{DEBIAN_RUSTC} does not tell its version"))?;
        let linker = linker()?;
        timed("building Rust's standard library for wasm, once (1 to 4 minutes)", || build_library(&sysroot))?;
        Ok(Self::Debian { sysroot, linker })
    }

    /// The way that is there already. Our own library comes first: changing compilers would have everything compiled
    /// again.
    fn found() -> Outcome<Option<Self>> {
        if let Some(sysroot) = debian_sysroot().filter(|sysroot| library_of(sysroot).is_dir()) {
            return Ok(Some(Self::Debian { sysroot, linker: linker()? }));
        }
        Ok(usual_knows_target().then_some(Self::Usual))
    }

    /// Prepares a command that runs cargo: with the compiler, the standard library and the linker of the target. Flags
    /// in the caller's environment would replace those of `.cargo/config.toml`, so they are taken out.
    pub fn prepare(&self, command: &mut Command) {
        command.env_remove("RUSTFLAGS").env_remove("CARGO_ENCODED_RUSTFLAGS");
        if let Self::Debian { sysroot, linker } = self {
            // Cargo adds these flags to those of its configuration.
            command.env(variable("RUSTFLAGS"), format!("--sysroot {}", sysroot.display()));
            command.env("RUSTC", DEBIAN_RUSTC).env("RUSTDOC", "/usr/bin/rustdoc");
            command.env(variable("LINKER"), linker);
        }
    }
}

/// Name of cargo's environment variable for the target.
pub fn variable(name: &str) -> String {
    format!("CARGO_TARGET_{}_{name}", TARGET.to_uppercase().replace('-', "_"))
}

fn usual_knows_target() -> bool {
    let library = answer(Command::new("rustc").args(["--print", "target-libdir", "--target", TARGET]));
    library.is_some_and(|library| holds_core(Path::new(&library)))
}

fn holds_core(library: &Path) -> bool {
    let files = fs::read_dir(library).into_iter().flatten().flatten();
    files.into_iter().any(|file| file.file_name().to_string_lossy().starts_with("libcore-"))
}

fn debian_sysroot() -> Option<PathBuf> {
    let printed = answer(Command::new(DEBIAN_RUSTC).arg("--version"))?;
    let version = printed.split_whitespace().nth(1)?;
    Some(places::cache().join(format!("sysroot-{version}")))
}

fn library_of(sysroot: &Path) -> PathBuf {
    sysroot.join("lib/rustlib").join(TARGET).join("lib")
}

/// The linker in a rustup toolchain, else LLVM's.
fn linker() -> Outcome<PathBuf> {
    let in_toolchain = || {
        let sysroot = answer(Command::new("rustc").args(["--print", "sysroot"]))?;
        let host = answer(Command::new("rustc").arg("-vV"))?;
        let host = host.lines().find_map(|line| line.strip_prefix("host: "))?.to_owned();
        Some(PathBuf::from(sysroot).join("lib/rustlib").join(host).join("bin/rust-lld")).filter(|file| file.is_file())
    };
    if let Some(linker) = in_toolchain().or_else(|| find("rust-lld")).or_else(|| find("wasm-ld")) {
        return Ok(linker);
    }
    programs::apt("a linker for wasm", &["lld"])?;
    find("wasm-ld").ok_or_else(|| "no linker for wasm: neither rust-lld nor wasm-ld is here".to_owned())
}

/// Builds the standard library for the target through an empty package and keeps its files, so that every later build
/// is a plain one. Tests need the crate `test`; thin LTO needs the bitcode.
fn build_library(sysroot: &Path) -> Outcome<()> {
    let work = sysroot.with_extension("building");
    let source = work.join("src");
    fs::create_dir_all(&source).map_err(file_error("create", &source))?;
    let manifest = "[package]\nname = \"nothing\"\nversion = \"0.0.0\"\nedition = \"2024\"\n[workspace]\n";
    for (name, text) in [("Cargo.toml", manifest), ("src/lib.rs", "#![no_std]\n")] {
        let file = work.join(name);
        fs::write(&file, text).map_err(file_error("write", &file))?;
    }
    let cargo = if Path::new(DEBIAN_CARGO).is_file() { DEBIAN_CARGO } else { "cargo" };
    let mut build = Command::new(cargo);
    build.args(["build", "--release", "--target", TARGET]).current_dir(&work);
    build.env("RUSTC", DEBIAN_RUSTC).env("RUSTC_BOOTSTRAP", "1");
    build.env("CARGO_UNSTABLE_BUILD_STD", "std,panic_abort,test").env("CARGO_TARGET_DIR", work.join("target"));
    build.env("RUSTFLAGS", format!("-Cembed-bitcode=yes {SIMD}")).env_remove("CARGO_ENCODED_RUSTFLAGS");
    run(&mut build)?;
    keep_library(&work.join("target").join(TARGET).join("release/deps"), sysroot)?;
    fs::remove_dir_all(&work).map_err(file_error("remove", &work))
}

fn keep_library(built: &Path, sysroot: &Path) -> Outcome<()> {
    let library = library_of(sysroot);
    // Filled aside and renamed, so that an interrupted copy is never taken for a library.
    let filling = library.with_extension("filling");
    fs::create_dir_all(&filling).map_err(file_error("create", &filling))?;
    for file in fs::read_dir(built).map_err(file_error("read", built))?.flatten() {
        let name = file.file_name().to_string_lossy().into_owned();
        if name.ends_with(".rlib") && !name.starts_with("libnothing") {
            fs::copy(file.path(), filling.join(&name)).map_err(file_error("copy", &file.path()))?;
        }
    }
    fs::rename(&filling, &library).map_err(file_error("create", &library))
}
