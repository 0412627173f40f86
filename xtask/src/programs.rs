//! Programs: found on PATH or among the project's own tools, or installed from Debian's packages.

use crate::places;
use crate::run::{Outcome, answer, run, timed, words};
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Command;

/// PATH with the project's own tools first.
fn path() -> OsString {
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

/// Cargo for this machine, with nothing in the environment meant for wasm.
pub fn cargo(arguments: &[&str]) -> Command {
    let mut cargo = command("cargo");
    cargo.args(arguments).env_remove("RUSTFLAGS").env_remove("CARGO_ENCODED_RUSTFLAGS");
    cargo
}
