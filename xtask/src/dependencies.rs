//! `cargo xtask dependencies`: whether all that we depend on may be used (licences, sources), and whether a weakness of
//! it is known (advisories of RustSec). What could not be looked up is told as an error, never passed over.

use crate::run::{Outcome, run};
use crate::{programs, tools};
use std::path::Path;
use std::process::Command;

/// Looks them all over, installing cargo-deny where it is not.
pub fn check() -> Outcome<()> {
    check_with(&tools::cargo_deny()?)
}

/// Looks them all over with this cargo-deny.
pub fn check_with(deny: &Path) -> Outcome<()> {
    run(deny_command(deny).args(["--offline", "check", "bans", "licenses", "sources"]))?;
    println!("── fetching the advisories of RustSec");
    if let Err(problem) = run(deny_command(deny).args(["fetch", "db"])) {
        return Err(not_checked(&problem));
    }
    run(deny_command(deny).args(["--offline", "check", "advisories"]))
        .map_err(|problem| format!("{problem}: a dependency has a known weakness, or nobody cares for it any more"))
}

/// cargo-deny over every package of ours: without being told it looks at that of the page alone.
fn deny_command(deny: &Path) -> Command {
    let mut command = programs::command(deny);
    command.args(["--workspace", "--color", "never"]);
    command
}

fn not_checked(problem: &str) -> String {
    format!(
        "THE ADVISORIES WERE NOT CHECKED: {problem}.\nTheir database is a git repository that this machine could not \
         fetch. Licences and sources are in order; run `cargo xtask dependencies` again where the network allows it."
    )
}

#[cfg(test)]
mod tests {
    use super::check_with;
    use crate::files;
    use std::process::Command;

    /// A cargo-deny that fails at this.
    fn failing_at(what: &str) -> Result<(), String> {
        let folder = std::env::temp_dir().join(format!("tuppum-deny-{}-{}", what.len(), std::process::id()));
        files::new_folder(&folder)?;
        let program = folder.join("cargo-deny");
        let script = format!("#!/bin/sh\ncase \"$*\" in *{what}*) exit 1;; *--workspace*) ;; *) exit 2;; esac");
        // Another process writes it: while this one holds it open for writing, a test beside this one may begin a
        // program that inherits it, and the system refuses to run what is open for writing.
        let write = Command::new("sh")
            .args(["-c", "printf %s \"$1\" > \"$2\" && chmod 755 \"$2\"", "sh", &script])
            .arg(&program)
            .status();
        assert!(write.is_ok_and(|status| status.success()));
        let outcome = check_with(&program);
        std::fs::remove_dir_all(&folder).map_err(|error| error.to_string())?;
        outcome
    }

    #[test]
    fn what_could_not_be_checked_is_no_success() {
        assert_eq!(failing_at("nothing"), Ok(()));
        assert!(failing_at("fetch").is_err_and(|said| said.contains("NOT CHECKED")));
        assert!(failing_at("advisories").is_err_and(|said| said.contains("known weakness")));
        assert!(failing_at("licenses").is_err_and(|said| !said.contains("advisories")));
    }
}
