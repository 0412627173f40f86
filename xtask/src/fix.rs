//! `cargo xtask fix`: formats, applies clippy's suggestions, and looks over the dependencies.

use crate::places;
use crate::programs;
use crate::run::{Outcome, run, timed};

/// Dependency checks that run when they are there; `--install` fetches them.
const CHECKS: [(&str, &str, &[&str]); 2] = [
    ("cargo-machete", "0.9.1", &["machete"]),
    ("cargo-deny", "0.18.9", &["deny", "check", "bans", "licenses", "sources"]),
];

/// Runs them one after the other.
pub fn fix(install: bool) -> Outcome<()> {
    let cargo = |arguments: &[&str]| run(programs::command("cargo").args(arguments));
    cargo(&["clippy", "--workspace", "--all-targets", "--fix", "--allow-dirty", "--allow-staged"])?;
    cargo(&["fmt", "--all"])?;
    for (program, version, arguments) in CHECKS {
        if programs::find(program).is_none() && install {
            let mut command = programs::command("cargo");
            command.args(["install", program, "--version", version, "--locked", "--root"]).arg(places::tools());
            timed(&format!("installing {program} {version} by cargo (minutes)"), || run(&mut command))?;
        }
        if programs::find(program).is_some() {
            // cargo-machete takes this variable, which `cargo run` sets, to mean that it was not started by cargo.
            run(programs::command("cargo").args(arguments).env_remove("CARGO_PKG_NAME"))?;
        } else {
            println!("{program} is not here; `cargo xtask fix --install` fetches it");
        }
    }
    Ok(())
}
