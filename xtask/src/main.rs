//! `cargo xtask`: builds, serves, tests and measures Tuppum, on a machine that has nothing but rustup.

mod bench;
mod cards;
mod cut;
mod dependencies;
mod divide;
mod engine;
mod files;
mod finish;
mod firefox;
mod fix;
mod fuzz;
mod fuzzed;
mod nextest;
mod optimise;
mod peers;
mod places;
mod precache;
mod profiles;
mod programs;
mod python;
mod run;
mod sbom;
mod sizes;
mod step_time;
mod tally;
mod test;
mod toolchain;
mod tools;
mod trunk;
mod turn;

use run::Outcome;
use std::process::ExitCode;

/// The commands: name, options, and what each does. Lines of help are at most 100 columns wide.
const COMMANDS: [(&str, &str, &str); 10] = [
    (
        "serve",
        "[--release] [--port N]",
        "Builds and serves the page on 127.0.0.1 (trunk serve) and reloads it on every edit.",
    ),
    ("build", "[--release]", "Builds the whole application into dist/ (trunk build)."),
    (
        "test",
        "[quick | STAGE ...]",
        "Runs every check in order, only the named stages, or those to run while working (quick).",
    ),
    (
        "fuzz",
        "[TARGET] [--seconds N] [--rounds N] [--keep]",
        "Puts mutated inputs through every reader, going on from earlier runs. --keep writes inputs that \
         reached new code into tests/fuzz.",
    ),
    (
        "bench",
        "[--peers [--large] [--webgpu] [--training]]",
        "Prints sizes and speeds as a table. With --peers: the translator beside onnxruntime-web (--large: in the \
         shape of ByT5-small; --webgpu: by WebGPU), or a training step beside PyTorch's (--training). This needs \
         Python with torch, safetensors, onnx, onnxscript and onnxruntime; TUPPUM_DIST names a release that is \
         built already.",
    ),
    ("python", "[--dev]", "Builds the Python package into dist-python/ and tests it."),
    ("fix", "[--install]", "Formats, applies clippy's suggestions, and looks for unused or unsafe dependencies."),
    ("dependencies", "", "Checks licences, sources and known weaknesses of all dependencies."),
    ("tools", "", "Finds or installs every tool, and prints where each lies."),
    ("hook", "engine | finish", "Called by trunk, as trunk.toml says."),
];

fn main() -> ExitCode {
    if std::env::var_os(fuzz::WRAPS).is_some() {
        return fuzz::wrap(&std::env::args_os().skip(1).collect::<Vec<_>>());
    }
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
    if rest.iter().any(|argument| ["--help", "-h"].contains(argument)) {
        print!("{}", help(name));
        return Ok(());
    }
    let release = rest.contains(&"--release");
    match name {
        "serve" => trunk::serve(release, port(rest)?),
        "build" => {
            only(rest, &["--release"])?;
            trunk::build(release).map(|_| ())
        }
        "hook" => hook(rest),
        "test" => test::test(rest),
        "fuzz" => fuzz::fuzz(rest),
        "bench" => measure(rest),
        "dependencies" => dependencies::check(),
        "python" => python::python(rest.contains(&"--dev")),
        "fix" => fix::fix(rest.contains(&"--install")),
        "tools" => tools::all(),
        "help" | "--help" | "-h" => {
            print!("{}", help(rest.first().copied().unwrap_or_default()));
            Ok(())
        }
        other => Err(format!("there is no command `{other}`; these are:\n{}", help(""))),
    }
}

/// Help on one command, or on all where there is none of this name.
fn help(name: &str) -> String {
    let one = COMMANDS.iter().filter(|(command, ..)| *command == name).collect::<Vec<_>>();
    let commands = if one.is_empty() { COMMANDS.iter().collect() } else { one };
    let lines = commands.iter().map(|(name, options, does)| {
        format!("cargo xtask {name} {options}").trim_end().to_owned() + "\n    " + does + "\n"
    });
    lines.collect()
}

/// Refuses arguments that a command does not know.
fn only(arguments: &[&str], known: &[&str]) -> Outcome<()> {
    match arguments.iter().find(|argument| !known.contains(argument)) {
        None => Ok(()),
        Some(unknown) => Err(format!("there is no option `{unknown}` here; these are: {}", known.join(", "))),
    }
}

fn measure(arguments: &[&str]) -> Outcome<()> {
    only(arguments, &["--peers", "--large", "--webgpu", "--training"])?;
    let [by_peers, is_large, by_webgpu, trains] =
        ["--peers", "--large", "--webgpu", "--training"].map(|flag| arguments.contains(&flag));
    match (by_peers, trains, is_large || by_webgpu) {
        (true, false, _) => peers::bench(peers::Compared { is_large, by_webgpu }),
        (true, true, false) => step_time::bench(),
        (true, true, true) => Err("--training goes with neither --large nor --webgpu".to_owned()),
        (false, false, false) => bench::bench(),
        (false, ..) => Err("--large, --webgpu and --training go with --peers".to_owned()),
    }
}

fn hook(arguments: &[&str]) -> Outcome<()> {
    let told = trunk::Hook::from_environment()?;
    match arguments {
        ["engine"] => engine::hook(&told),
        ["finish"] => finish::hook(&told),
        _ => Err(format!("the hooks are `engine` and `finish`, not `{}`", arguments.join(" "))),
    }
}

fn port(arguments: &[&str]) -> Outcome<u16> {
    let Some(at) = arguments.iter().position(|argument| *argument == "--port") else { return Ok(8080) };
    let given = arguments.get(at + 1).copied().unwrap_or_default();
    given.parse().map_err(|_| format!("--port wants a number from 0 to 65535, not `{given}`"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn help_is_printed_and_nothing_done() {
        for (name, ..) in COMMANDS {
            assert_eq!(command(&[name, "--help"]), Ok(()));
            assert!(help(name).starts_with(&format!("cargo xtask {name}")) && help(name).lines().count() == 2);
        }
        assert_eq!(help("").lines().count(), 2 * COMMANDS.len());
    }

    #[test]
    fn what_is_not_known_is_refused() {
        assert!(command(&["buidl"]).is_err_and(|said| said.contains("`buidl`") && said.contains("cargo xtask build")));
        assert!(command(&["build", "--relase"]).is_err_and(|said| said.contains("`--relase`")));
        assert!(command(&["bench", "--large"]).is_err_and(|said| said.contains("--peers")));
        assert!(command(&["bench", "--peers", "--training", "--large"]).is_err());
    }
}
