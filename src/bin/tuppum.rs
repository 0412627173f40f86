//! The command line: `tuppum`.

fn main() {}
