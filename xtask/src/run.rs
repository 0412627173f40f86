//! Running other programs, and saying what is done and how long it took.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// A failure is a sentence for the person at the terminal.
pub type Outcome<T> = Result<T, String>;

/// Runs a command, its output going to the terminal.
pub fn run(command: &mut Command) -> Outcome<()> {
    let status = command.status().map_err(|error| cannot_start(command, &error))?;
    if status.success() { Ok(()) } else { Err(format!("`{}` failed ({status})", words(command))) }
}

/// Runs a command and returns what it printed; nothing when it fails or is not there.
pub fn answer(command: &mut Command) -> Option<String> {
    let output = command.stderr(Stdio::null()).stdin(Stdio::null()).output().ok()?;
    let printed = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    output.status.success().then_some(printed)
}

/// Runs a command quietly, for at most this long; whether it succeeded.
pub fn succeeds_within(command: &mut Command, limit: Duration) -> bool {
    let Ok(mut child) = command.stdout(Stdio::null()).stderr(Stdio::null()).stdin(Stdio::null()).spawn() else {
        return false;
    };
    let start = Instant::now();
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return status.success(),
            Ok(None) if start.elapsed() < limit => std::thread::sleep(Duration::from_millis(100)),
            _ => {
                // It is ours and over time; whether it was already gone makes no difference.
                let _ = child.kill();
                let _ = child.wait();
                return false;
            }
        }
    }
}

/// Does something under a heading and says how long it took.
pub fn timed<T>(what: &str, work: impl FnOnce() -> Outcome<T>) -> Outcome<T> {
    println!("── {what}");
    let start = Instant::now();
    let result = work();
    let verdict = if result.is_ok() { "done" } else { "failed" };
    println!("── {what}: {verdict} in {}", duration(start.elapsed()));
    result
}

/// `8.1 s` or `3 min 12 s`.
pub fn duration(time: Duration) -> String {
    let seconds = time.as_secs();
    if seconds < 60 {
        format!("{:.1} s", time.as_secs_f64())
    } else {
        format!("{} min {} s", seconds / 60, seconds % 60)
    }
}

/// The command as one would type it.
pub fn words(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
}

/// Words an input or output failure.
pub fn file_error<'a>(doing: &'a str, path: &'a std::path::Path) -> impl FnOnce(std::io::Error) -> String + 'a {
    move |error| format!("cannot {doing} {}: {error}", path.display())
}

fn cannot_start(command: &Command, error: &std::io::Error) -> String {
    format!("cannot start `{}`: {error}", command.get_program().to_string_lossy())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_read_well() {
        assert_eq!(duration(Duration::from_millis(8_140)), "8.1 s");
        assert_eq!(duration(Duration::from_secs(192)), "3 min 12 s");
    }

    #[test]
    fn a_slow_program_is_stopped() {
        let start = Instant::now();
        assert!(!succeeds_within(Command::new("sleep").arg("30"), Duration::from_millis(200)));
        assert!(start.elapsed() < Duration::from_secs(10));
    }

    #[test]
    fn a_missing_program_gives_no_answer() {
        assert_eq!(answer(&mut Command::new("tuppum-no-such-program")), None);
    }
}
