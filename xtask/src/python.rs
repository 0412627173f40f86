//! The Python package: its wheel, built by maturin, installed into a clean environment and tested there. Nothing else
//! in the project needs Python.

use crate::programs::{apt, cargo, command, find};
use crate::run::{Outcome, file_error, run, timed};
use crate::{places, programs};
use std::path::{Path, PathBuf};

/// The version that `pyproject.toml` asks for.
const MATURIN: &str = "maturin==1.16.0";

/// Builds the wheel into `dist-python/` and tests it; with `dev` as cargo's tests are compiled, soon and slower to run.
pub fn python(dev: bool) -> Outcome<()> {
    let profile = if dev { "dev" } else { "release" };
    let wheel = timed("building the wheel", || wheel(profile))?;
    let program = timed("building the command to compare with", || {
        run(&mut cargo(&["build", "--package", "tuppum-cli", "--features", "wgpu", "--profile", profile]))?;
        Ok(places::target().join(if dev { "debug" } else { "release" }).join("tuppum"))
    })?;
    timed("testing the wheel in a clean environment", || {
        let folder = places::target().join("python-test");
        let python = environment(&folder)?;
        run(pip(&python).arg(&wheel))?;
        let mut test = programs::command(&python);
        test.args(["-m", "unittest", "discover", "--start-directory"]).arg(places::project().join("python/tests"));
        run(test.env("TUPPUM_COMMAND", program).env("TUPPUM_PROJECT", places::project()).current_dir(folder))
    })?;
    timed("clippy, warnings denied", || {
        let package = ["clippy", "--package", "tuppum-python", "--features", "wgpu", "--quiet", "--"];
        run(cargo(&package).args(["--deny", "warnings"]))
    })
}

/// The built wheel.
fn wheel(profile: &str) -> Outcome<PathBuf> {
    let python = environment(&places::target().join("python-build"))?;
    run(pip(&python).arg(MATURIN))?;
    let out = places::project().join("dist-python");
    if out.exists() {
        std::fs::remove_dir_all(&out).map_err(file_error("empty", &out))?;
    }
    let mut build = command(&python);
    build.args(["-m", "maturin", "build", "--profile", profile, "--features", "wgpu"]);
    build.args(["--manifest-path", "python/Cargo.toml", "--interpreter"]);
    run(build.arg(&python).arg("--out").arg(&out))?;
    let files = std::fs::read_dir(&out).map_err(file_error("read", &out))?;
    let wheel = files.flatten().map(|file| file.path()).find(|path| path.extension().is_some_and(|end| end == "whl"));
    wheel.ok_or_else(|| format!("maturin left no wheel in {}", out.display()))
}

/// An environment of Python without anything in it; its interpreter.
fn environment(folder: &Path) -> Outcome<PathBuf> {
    if find("python3").is_none() {
        apt("Python", &["python3", "python3-venv"])?;
    }
    run(command("python3").args(["-m", "venv", "--clear"]).arg(folder))?;
    Ok(folder.join("bin/python"))
}

fn pip(python: &Path) -> std::process::Command {
    let mut pip = command(python);
    pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]);
    pip
}
