//! The command line: `tuppum`.

fn main() -> std::process::ExitCode {
    tuppum::cli::main()
}
