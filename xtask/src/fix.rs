//! `cargo xtask fix`: formats, applies clippy's suggestions, and looks over the dependencies.

use crate::run::{Outcome, run};
use crate::{dependencies, programs, tools};

/// Runs them one after the other.
pub fn fix(install: bool) -> Outcome<()> {
    let cargo = |arguments: &[&str]| run(programs::command("cargo").args(arguments));
    cargo(&["clippy", "--workspace", "--all-targets", "--fix", "--allow-dirty", "--allow-staged"])?;
    cargo(&["fmt", "--all"])?;
    let missing = |program: &str| println!("{program} is not here; `cargo xtask fix --install` fetches it");
    if install {
        tools::cargo_machete()?;
        tools::cargo_deny()?;
    }
    match programs::find("cargo-machete") {
        // It takes this variable, which `cargo run` sets, to mean that it was not started by cargo.
        Some(_) => run(programs::command("cargo").arg("machete").env_remove("CARGO_PKG_NAME"))?,
        None => missing("cargo-machete"),
    }
    match programs::find("cargo-deny") {
        Some(deny) => dependencies::check_with(&deny)?,
        None => missing("cargo-deny"),
    }
    Ok(())
}
