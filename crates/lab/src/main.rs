//! The laboratory: `tuppum-lab`.

fn main() -> std::process::ExitCode {
    tuppum_lab::main()
}
