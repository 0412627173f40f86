//! One xtask of a machine installs tools at a time; a second one waits and then finds what the first has installed.

use crate::files::folder;
use crate::places;
use crate::run::{Outcome, file_error};
use std::fs::File;
use std::path::Path;

/// Waits until no other xtask installs. The lock is held until the file is dropped; the system gives it back after a
/// crash too.
pub fn take() -> Outcome<File> {
    take_in(&places::cache())
}

fn take_in(cache: &Path) -> Outcome<File> {
    folder(cache)?;
    let path = cache.join("installing.lock");
    let file = File::create(&path).map_err(file_error("create", &path))?;
    if file.try_lock().is_err() {
        println!("── another xtask installs tools; waiting for it");
        file.lock().map_err(file_error("lock", &path))?;
    }
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicBool, Ordering};

    #[test]
    fn the_second_waits_for_the_first() {
        let cache = std::env::temp_dir().join(format!("tuppum-turn-{}", std::process::id()));
        let is_over = AtomicBool::new(false);
        let first = take_in(&cache).unwrap();
        std::thread::scope(|scope| {
            let second = scope.spawn(|| {
                let _turn = take_in(&cache).unwrap();
                assert!(is_over.load(Ordering::SeqCst), "two at a time");
            });
            // The lock is taken by file, not by process: nothing but giving it back lets the second go on.
            let third = File::open(cache.join("installing.lock")).unwrap();
            assert!(third.try_lock().is_err());
            is_over.store(true, Ordering::SeqCst);
            drop(first);
            second.join().unwrap();
        });
        std::fs::remove_dir_all(cache).unwrap();
    }
}
