//! trunk, which builds and serves the page as `trunk.toml` says, and what its hooks are told.

use crate::run::{Outcome, run};
use crate::toolchain::Wasm;
use crate::{places, programs, tools};
use std::path::PathBuf;
use std::process::Command;

/// `trunk build`: the whole application in `dist/`.
pub fn build(release: bool) -> Outcome<PathBuf> {
    let mut command = command("build", release)?;
    run(&mut command)?;
    Ok(places::dist())
}

/// `trunk serve`: builds, serves on this machine alone, reloads the page after every edit. Ends by Ctrl-C.
pub fn serve(release: bool, port: u16) -> Outcome<()> {
    let mut command = command("serve", release)?;
    println!("── the page will be at http://127.0.0.1:{port}/ - edits rebuild it, Ctrl-C ends it");
    run(command.args(["--address", "127.0.0.1", "--port", &port.to_string()]))
}

/// trunk with every tool that it and its hooks call, and with the compiler for wasm.
fn command(verb: &str, release: bool) -> Outcome<Command> {
    tools::wasm_bindgen()?;
    tools::wasm_split()?;
    if release {
        tools::wasm_opt()?;
    }
    let mut command = programs::command(tools::trunk()?);
    command.args([verb, "--config", "trunk.toml"]).args(release.then_some("--release"));
    command.env("TRUNK_SKIP_VERSION_CHECK", "true").env_remove("NO_COLOR");
    Wasm::ready()?.prepare(&mut command);
    Ok(command)
}

/// Facts that trunk passes to a hook.
pub struct Hook {
    /// Folder in which the application is assembled before it replaces the last one.
    pub staging: PathBuf,
    /// `true` for a release: small and fast rather than soon built.
    pub release: bool,
}

impl Hook {
    /// Reads trunk's environment variables.
    pub fn from_environment() -> Outcome<Self> {
        let staging = std::env::var_os("TRUNK_STAGING_DIR").map(PathBuf::from);
        let staging = staging.ok_or("TRUNK_STAGING_DIR is not set: hooks are called by trunk, as trunk.toml says")?;
        let release = std::env::var("TRUNK_PROFILE").is_ok_and(|profile| profile == "release");
        Ok(Self { staging, release })
    }

    /// Name of this kind of build in the names of folders.
    pub fn name(&self) -> &'static str {
        if self.release { "release" } else { "quick" }
    }
}
