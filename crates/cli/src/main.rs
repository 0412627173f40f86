//! The command line: `tuppum`.

fn main() -> std::process::ExitCode {
    tuppum_cli::main()
}
