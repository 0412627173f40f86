//! Sizes of what is delivered, as a server sends it: gzip.

use crate::run::{Outcome, file_error};
use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::Write;
use std::path::Path;

/// Size of a file.
pub struct Size {
    /// Bytes on disk.
    pub raw: usize,
    /// Bytes on the wire.
    pub gzip: usize,
}

/// Measures a file, at gzip's level 6, the usual one of servers.
pub fn of(path: &Path) -> Outcome<Size> {
    let bytes = std::fs::read(path).map_err(file_error("read", path))?;
    Ok(Size { raw: bytes.len(), gzip: gzip(&bytes) })
}

fn gzip(bytes: &[u8]) -> usize {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::new(6));
    // Writing to memory cannot fail.
    let _ = encoder.write_all(bytes);
    encoder.finish().map_or(0, |compressed| compressed.len())
}

/// `412 KB`, of 1,000 bytes.
pub fn kilobytes(bytes: usize) -> String {
    format!("{} KB", bytes.div_ceil(1000))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repetition_compresses() {
        assert!(gzip(&[7; 100_000]) < 1_000);
        assert_eq!(kilobytes(1_001), "2 KB");
    }
}
