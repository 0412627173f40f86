//! A folder in memory for the profiles of browsers under test, where the machine has one with room.

use crate::run::answer;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The folder of Linux whose files lie in memory.
const MEMORY: &str = "/dev/shm";
/// Gigabytes that must be free in it: two browsers with the largest models, several times over.
const ROOM: u64 = 4;

/// The folder, removed with all in it on drop.
pub struct Profiles(Option<PathBuf>);

impl Profiles {
    /// A new folder in memory; none where there is no such place, or too little room.
    pub fn in_memory() -> Self {
        let free = answer(Command::new("df").args(["--output=avail", "--block-size=1G", MEMORY]));
        let free = free.as_deref().and_then(free_gigabytes).unwrap_or(0);
        let folder = Path::new(MEMORY).join("tuppum-browser-profiles");
        // What a run left that was killed goes with it.
        let _ = std::fs::remove_dir_all(&folder);
        Self((free >= ROOM && std::fs::create_dir_all(&folder).is_ok()).then_some(folder))
    }

    /// Tells the tests that a command runs.
    pub fn tell(&self, command: &mut Command) {
        if let Some(folder) = &self.0 {
            command.env("TUPPUM_PROFILES", folder);
        }
    }
}

impl Drop for Profiles {
    fn drop(&mut self) {
        if let Some(folder) = &self.0 {
            let _ = std::fs::remove_dir_all(folder);
        }
    }
}

/// Reads what `df` prints: a heading, then a number.
fn free_gigabytes(printed: &str) -> Option<u64> {
    printed.lines().last()?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn room_is_read_and_the_folder_goes_away() {
        assert_eq!(free_gigabytes("Avail\n  24\n"), Some(24));
        assert_eq!(free_gigabytes("df: /dev/shm: No such file or directory"), None);
        let folder = std::env::temp_dir().join(format!("tuppum-profiles-{}", std::process::id()));
        std::fs::create_dir_all(folder.join("inside")).unwrap();
        let mut command = Command::new("true");
        let profiles = Profiles(Some(folder.clone()));
        profiles.tell(&mut command);
        assert!(command.get_envs().any(|(name, value)| name == "TUPPUM_PROFILES" && value == Some(folder.as_os_str())));
        drop(profiles);
        assert!(!folder.exists());
    }
}
