//! Where things lie: the project, its tools, its build folders.

use std::path::{Path, PathBuf};

/// The top folder of the project: cargo says where it is when it starts a program, which clones that share a build
/// folder need, since one of them compiled the program and another runs it.
pub fn project() -> PathBuf {
    let here = std::env::var_os("CARGO_MANIFEST_DIR").map_or_else(|| env!("CARGO_MANIFEST_DIR").into(), PathBuf::from);
    here.parent().map_or_else(|| here.clone(), Path::to_path_buf)
}

/// Kept between clones: `$TUPPUM_CACHE`, else `~/.cache/tuppum`.
pub fn cache() -> PathBuf {
    let given = std::env::var_os("TUPPUM_CACHE").map(PathBuf::from);
    let home = || std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".cache/tuppum"));
    given.or_else(home).unwrap_or_else(|| project().join(".cache"))
}

/// The project's own tools: `$TUPPUM_TOOLS`, else `tools` in the cache.
pub fn tools() -> PathBuf {
    std::env::var_os("TUPPUM_TOOLS").map_or_else(|| cache().join("tools"), PathBuf::from)
}

/// Cargo's build folder.
pub fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| project().join("target"), |given| project().join(given))
}

/// The finished application.
pub fn dist() -> PathBuf {
    project().join("dist")
}
