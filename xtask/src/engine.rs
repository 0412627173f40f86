//! The engine's package: the worker's script, its glue and its wasm, under names that hold their hash.
//!
//! Built apart from the page and only when something changed that it is made of, so that an edit of the page never links
//! the engine again.

use crate::dist::Build;
use crate::optimise::optimise;
use crate::precache::short_hash;
use crate::run::{Outcome, file_error, run, timed};
use crate::toolchain::{TARGET, Wasm};
use crate::{places, sizes, tools, watch};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Rooms and files that the engine does not contain.
const NOT_IN_ENGINE: [&str; 7] =
    ["src/app", "src/plot", "src/cli", "src/main.rs", "src/bin/tuppum.rs", "assets/fonts", "assets/hierarchy"];

/// A built package.
pub struct Engine {
    /// Where its three files lie.
    pub folder: PathBuf,
    /// Name of the worker's script, which finds the others.
    pub script: String,
}

impl Engine {
    /// Path of the wasm.
    pub fn wasm(&self) -> PathBuf {
        self.folder.join(self.script.replace(".js", "_bg.wasm"))
    }
}

/// The package as it is, when its sources are unchanged; else builds it.
pub fn engine(build: Build) -> Outcome<Engine> {
    let wasm = Wasm::ready()?;
    let folder = places::target().join("engine-package").join(build.name());
    let sources = fingerprint(&wasm)?;
    if let Some(engine) = found(&folder, &sources) {
        println!("── engine: unchanged, {}", engine.script);
        return Ok(engine);
    }
    let compiled = timed("compiling the engine (20 minutes the first time, later under one)", || compile(&wasm))?;
    let engine = timed("packing the engine", || pack(&compiled, &folder, &sources, build))?;
    let size = sizes::of(&engine.wasm())?;
    println!("   engine wasm {}, {} in gzip", sizes::kilobytes(size.raw), sizes::kilobytes(size.gzip));
    Ok(engine)
}

/// Arguments for cargo that choose the engine's code.
pub fn cargo_arguments() -> [&'static str; 8] {
    ["--package", "tuppum", "--target", TARGET, "--profile", "engine", "--no-default-features", "--features=engine"]
}

fn compile(wasm: &Wasm) -> Outcome<PathBuf> {
    let mut cargo = tools::command("cargo");
    cargo.arg("build").args(cargo_arguments()).args(["--bin", "engine"]);
    wasm.prepare(&mut cargo);
    run(&mut cargo)?;
    Ok(places::target().join(TARGET).join("engine/engine.wasm"))
}

fn pack(compiled: &Path, folder: &Path, sources: &str, build: Build) -> Outcome<Engine> {
    let work = folder.with_extension("packing");
    for old in [folder, &work] {
        if old.exists() {
            fs::remove_dir_all(old).map_err(file_error("remove", old))?;
        }
    }
    let mut bindgen = Command::new(tools::wasm_bindgen()?);
    bindgen.args(["--target", "web", "--no-typescript", "--out-name", "engine", "--out-dir"]).arg(&work).arg(compiled);
    run(&mut bindgen)?;
    let (module, glue) = (work.join("engine_bg.wasm"), work.join("engine.js"));
    if build.release {
        optimise(&module, "-O2")?;
    }
    let read = |file: &Path| fs::read(file).map_err(file_error("read", file));
    let hash = short_hash(&[read(&module)?, read(&glue)?].concat());
    let script = format!("engine-{hash}.js");
    let rename = |from: &Path, to: String| fs::rename(from, work.join(to)).map_err(file_error("rename", from));
    rename(&module, format!("engine-{hash}_bg.wasm"))?;
    rename(&glue, format!("engine-{hash}-glue.js"))?;
    let write =
        |name: &str, text: &str| fs::write(work.join(name), text).map_err(file_error("write", &work.join(name)));
    write(&script, &start_script(&hash))?;
    write("sources", &format!("{sources} {script}"))?;
    fs::rename(&work, folder).map_err(file_error("rename", &work))?;
    Ok(Engine { folder: folder.to_path_buf(), script })
}

/// The worker's script. A failure of the start is thrown again outside the promise, so that the page hears of it.
fn start_script(hash: &str) -> String {
    format!(
        "import init from \"./engine-{hash}-glue.js\";\n\
         const module_or_path = new URL(\"./engine-{hash}_bg.wasm\", import.meta.url);\n\
         init({{ module_or_path }}).catch((error) => setTimeout(() => {{ throw error; }}));\n"
    )
}

fn found(folder: &Path, sources: &str) -> Option<Engine> {
    let note = fs::read_to_string(folder.join("sources")).ok()?;
    let script = note.strip_prefix(sources)?.trim().to_owned();
    let engine = Engine { folder: folder.to_path_buf(), script };
    engine.wasm().is_file().then_some(engine)
}

/// A hash over everything the engine is made of.
fn fingerprint(wasm: &Wasm) -> Outcome<String> {
    let project = places::project();
    let mut all = Vec::new();
    for file in watch::files(&["src", "assets", "Cargo.toml", "Cargo.lock"].map(|part| project.join(part))) {
        let name = file.strip_prefix(&project).unwrap_or(&file);
        if NOT_IN_ENGINE.iter().any(|part| name.starts_with(part)) {
            continue;
        }
        all.extend_from_slice(name.to_string_lossy().as_bytes());
        all.push(0);
        all.extend(short_hash(&fs::read(&file).map_err(file_error("read", &file))?).bytes());
    }
    let how = format!("{} {} {} {:?}", wasm.version(), wasm.flags(), tools::BINARYEN, cargo_arguments());
    all.extend(how.bytes());
    Ok(short_hash(&all))
}
