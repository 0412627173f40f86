//! `cargo xtask`: everything that is done to Tuppum, each by one command, on a machine that has nothing but rustup.

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
mod optimise;
mod peers;
mod places;
mod precache;
mod profiles;
mod programs;
mod python;
mod run;
mod sbom;
mod side_by_side;
mod sizes;
mod step_time;
mod tally;
mod test;
mod toolchain;
mod tools;
mod trunk;

use run::Outcome;
use std::process::ExitCode;

const HELP: &str = "\
cargo xtask serve [--release] [--port N]   trunk serve: build, serve on 127.0.0.1, reload on every edit
cargo xtask build [--release]              trunk build: the whole application in dist/
cargo xtask test  [STAGE ...]              every check, in order; or only the named stages
cargo xtask fuzz  [TARGET] [--seconds N]   mutated inputs through every reader, going on from earlier runs;
                  [--rounds N] [--keep]    so often; --keep writes what reached new code into tests/fuzz
cargo xtask bench [--peers [--large]       sizes and speeds, as a table; or the translator's beside onnxruntime-web's,
                           [--webgpu]      in the shape of ByT5-small, by WebGPU;
                           [--training]]   or a step of training beside PyTorch's
cargo xtask python [--dev]                 the Python package: its wheel in dist-python/, tested
cargo xtask fix   [--install]              format and apply clippy's suggestions; look for unused or unsafe dependencies
cargo xtask dependencies                   their licences and sources, and whether weaknesses of them are known
cargo xtask tools                          only find or install the tools
cargo xtask hook  engine|finish            what trunk.toml has trunk call
";

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
    let release = rest.contains(&"--release");
    match name {
        "serve" => trunk::serve(release, port(rest)?),
        "build" => trunk::build(release).map(|_| ()),
        "hook" => hook(rest),
        "test" => test::test(rest),
        "fuzz" => fuzz::fuzz(rest),
        "bench" if rest == ["--peers", "--training"] => step_time::bench(),
        "bench" if rest.contains(&"--peers") => {
            let [is_large, by_webgpu] = ["--large", "--webgpu"].map(|flag| rest.contains(&flag));
            peers::bench(peers::Compared { is_large, by_webgpu })
        }
        "bench" if rest.is_empty() => bench::bench(),
        "bench" => {
            Err(format!("`bench` does not know {}; --large, --webgpu and --training go with --peers", rest.join(" ")))
        }
        "dependencies" => dependencies::check(),
        "python" => python::python(rest.contains(&"--dev")),
        "fix" => fix::fix(rest.contains(&"--install")),
        "tools" => tools::all(),
        "help" | "--help" | "-h" => {
            print!("{HELP}");
            Ok(())
        }
        other => Err(format!("there is no command `{other}`; these are:\n{HELP}")),
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
