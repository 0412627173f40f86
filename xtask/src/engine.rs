//! The engine's package: the worker's script, its glue and its wasm, under names that hold their hash.
//!
//! Built apart from the page; cargo decides what is compiled, and an unchanged outcome is not packed again.

use crate::dist::Build;
use crate::optimise::optimise;
use crate::precache::short_hash;
use crate::run::{Outcome, file_error, run, timed};
use crate::toolchain::{TARGET, Wasm};
use crate::{places, sizes, tools};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

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

/// Has cargo compile what changed, and packs the outcome unless it was packed before.
pub fn engine(build: Build) -> Outcome<Engine> {
    let wasm = Wasm::ready()?;
    let folder = places::target().join("engine-package").join(build.name());
    let compiled = timed("compiling the engine (20 minutes the first time, later under one)", || compile(&wasm))?;
    let source = short_hash(&fs::read(&compiled).map_err(file_error("read", &compiled))?);
    if let Some(engine) = found(&folder, &source) {
        println!("── engine: unchanged, {}", engine.script);
        return Ok(engine);
    }
    let engine = timed("packing the engine", || pack(&compiled, &folder, &source, build))?;
    let size = sizes::of(&engine.wasm())?;
    println!("   engine wasm {}, {} in gzip", sizes::kilobytes(size.raw), sizes::kilobytes(size.gzip));
    Ok(engine)
}

fn compile(wasm: &Wasm) -> Outcome<PathBuf> {
    let mut cargo = tools::command("cargo");
    cargo.args(["build", "--package", "tuppum-engine", "--target", TARGET, "--profile", "engine"]);
    wasm.prepare(&mut cargo);
    run(&mut cargo)?;
    Ok(places::target().join(TARGET).join("engine/engine.wasm"))
}

fn pack(compiled: &Path, folder: &Path, source: &str, build: Build) -> Outcome<Engine> {
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
    write("source", &format!("{source} {script}"))?;
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

fn found(folder: &Path, source: &str) -> Option<Engine> {
    let note = fs::read_to_string(folder.join("source")).ok()?;
    let script = note.strip_prefix(source)?.trim().to_owned();
    let engine = Engine { folder: folder.to_path_buf(), script };
    engine.wasm().is_file().then_some(engine)
}
