//! `cargo xtask`: everything that is done to Tuppum, each by one command, on a machine that has nothing but rustup.

mod bench;
mod dist;
mod engine;
mod fix;
mod optimise;
mod page;
mod places;
mod precache;
mod run;
mod serve;
mod sizes;
mod split;
mod tally;
mod test;
mod toolchain;
mod tools;
mod watch;

use run::Outcome;
use std::process::ExitCode;

const HELP: &str = "\
cargo xtask serve [--release] [--port N]   build, serve on 127.0.0.1, print the address, rebuild on every edit
cargo xtask build [--release]              build the page and the engine into dist/
cargo xtask test  [STAGE ...]              every check, in order; or only the named stages
cargo xtask bench                          sizes and speeds, as a table
cargo xtask fix   [--install]              format and apply clippy's suggestions; look for unused or unsafe dependencies
cargo xtask tools                          only find or install the tools
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match command(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("\nxtask: {message}");
            ExitCode::FAILURE
        }
    }
}

fn command(arguments: &[&str]) -> Outcome<()> {
    let (name, rest) = arguments.split_first().map_or(("help", &[] as &[&str]), |(name, rest)| (*name, rest));
    let build = dist::Build::from_arguments(rest);
    match name {
        "serve" => serve::serve(build, port(rest)?),
        "build" => dist::build(build).map(|_| ()),
        "test" => test::test(rest),
        "bench" => bench::bench(),
        "fix" => fix::fix(rest.contains(&"--install")),
        "tools" => tools::all(),
        "help" | "--help" | "-h" => {
            print!("{HELP}");
            Ok(())
        }
        other => Err(format!("there is no command `{other}`; these are:\n{HELP}")),
    }
}

fn port(arguments: &[&str]) -> Outcome<u16> {
    let Some(at) = arguments.iter().position(|argument| *argument == "--port") else { return Ok(8080) };
    let given = arguments.get(at + 1).copied().unwrap_or_default();
    given.parse().map_err(|_| format!("--port wants a number from 0 to 65535, not `{given}`"))
}
