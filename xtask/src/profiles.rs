//! A folder in memory for the profiles of browsers under test, where the machine has one with room.

use crate::run::answer;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The folder of Linux whose files lie in memory.
const MEMORY: &str = "/dev/shm";
/// Prefix of the folders' names, before the number of the process that made them.
const NAME: &str = "tuppum-browser-profiles-";
/// Gigabytes that must be free in it, and of the machine's memory: two browsers with the largest models, several times
/// over.
const ROOM: u64 = 4;

/// The folder, removed with all in it on drop.
pub struct Profiles(Option<PathBuf>);

impl Profiles {
    /// A new folder in memory; none where there is no such place, or too little room.
    pub fn in_memory() -> Self {
        remove_leftovers(Path::new(MEMORY));
        let free = answer(Command::new("df").args(["--output=avail", "--block-size=1G", MEMORY]));
        let free = free.as_deref().and_then(free_gigabytes).unwrap_or(0);
        let memory = std::fs::read_to_string("/proc/meminfo").ok();
        let unused = memory.as_deref().and_then(unused_gigabytes).unwrap_or(0);
        let folder = Path::new(MEMORY).join(format!("{NAME}{}", std::process::id()));
        Self((free.min(unused) >= ROOM && std::fs::create_dir(&folder).is_ok()).then_some(folder))
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

/// Removes what runs left that were killed: their processes are gone.
fn remove_leftovers(memory: &Path) {
    for entry in std::fs::read_dir(memory).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let process = name.to_str().and_then(|name| name.strip_prefix(NAME)).and_then(|id| id.parse::<u32>().ok());
        if process.is_some_and(|id| !Path::new("/proc").join(id.to_string()).exists()) {
            let _ = std::fs::remove_dir_all(entry.path());
        }
    }
}

/// Reads what `df` prints: a heading, then a number.
fn free_gigabytes(printed: &str) -> Option<u64> {
    printed.lines().last()?.trim().parse().ok()
}

/// Reads `MemAvailable:   12345678 kB`.
fn unused_gigabytes(memory: &str) -> Option<u64> {
    let line = memory.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    Some(line.split_whitespace().next()?.parse::<u64>().ok()? / (1 << 20))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn room_is_read() {
        assert_eq!(free_gigabytes("Avail\n  24\n"), Some(24));
        assert_eq!(free_gigabytes("df: /dev/shm: No such file or directory"), None);
        assert_eq!(unused_gigabytes("MemTotal: 9 kB\nMemAvailable:   8388608 kB\n"), Some(8));
        assert_eq!(unused_gigabytes("MemTotal: 9 kB\n"), None);
    }

    #[test]
    fn the_folder_goes_away_and_so_do_those_of_processes_that_are_gone() {
        let place = std::env::temp_dir().join(format!("tuppum-places-{}", std::process::id()));
        // No process has the largest number.
        let [own, left] = [std::process::id(), u32::MAX].map(|id| place.join(format!("{NAME}{id}")));
        for folder in [&own, &left] {
            std::fs::create_dir_all(folder.join("inside")).unwrap();
        }
        remove_leftovers(&place);
        assert!(own.exists() && !left.exists());
        let mut command = Command::new("true");
        let profiles = Profiles(Some(own.clone()));
        profiles.tell(&mut command);
        assert!(command.get_envs().any(|(name, value)| name == "TUPPUM_PROFILES" && value == Some(own.as_os_str())));
        drop(profiles);
        assert!(!own.exists());
        std::fs::remove_dir_all(place).unwrap();
    }
}
