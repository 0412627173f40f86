//! A user's table of pairs, each a transliteration and its translation: from a file or a paste to pairs to train on.
//!
//! Text is cut into a [`Table`] of rows and columns, whose separator and header are guessed. [`Columns`] holds the
//! meaning of the columns, guessed too, and the user can change it. An [`Import`] makes pairs of the rows. Reading
//! never fails: every row becomes a pair or is listed with its line and the reason why it is left out.

mod column_names;
mod columns;
mod damage;
mod import;
mod json;
mod leaks;
mod row;
mod table;

use thiserror::Error;

pub use columns::Columns;
pub use damage::Damage;
pub use import::{Corpus, Import, ImportedPair};
pub use leaks::{leaks, leaks_among};
pub use row::{Fault, LeftOut, TableRow};
pub use table::{Shape, Table};

/// Size limit of a file, in bytes: the page holds the file, its table and its pairs in memory at the same time.
pub const LARGEST: usize = 20_000_000;

/// Reason why a file cannot be read, for the user.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum DecodeError {
    /// The file is larger than the limit.
    #[error(
        "The file has {:.1} MB; at most {:.0} MB are read here. Cut it, or train with “tuppum train” on the command \
         line.",
        *.0 as f64 / 1e6,
        LARGEST as f64 / 1e6
    )]
    TooLarge(usize),
    /// The file is a zip archive, as spreadsheets are.
    #[error("This is a packed file, perhaps a spreadsheet. Save it as CSV or as text with tabs (UTF-8).")]
    Packed,
    /// The file begins with a UTF-16 mark but is not UTF-16.
    #[error("This is not text: it begins as UTF-16 but does not continue as such.")]
    Utf16,
    /// The file is in another encoding.
    #[error("The file is not UTF-8 (line {line}). Save it again as UTF-8: other encodings lose š, ṣ, ṭ and ₂.")]
    Utf8 {
        /// First line that is not UTF-8, from 1.
        line: usize,
    },
}

/// Decodes a file: UTF-8, or UTF-16 as spreadsheets write "Unicode text".
///
/// # Errors
/// [`DecodeError`]: the file is too large, or not text.
pub fn decode(bytes: &[u8]) -> Result<String, DecodeError> {
    if bytes.len() > LARGEST {
        return Err(DecodeError::TooLarge(bytes.len()));
    }
    if bytes.starts_with(b"PK") {
        return Err(DecodeError::Packed);
    }
    let wide = |rest: &[u8], word: fn([u8; 2]) -> u16| {
        let words: Vec<u16> = rest.chunks_exact(2).map(|pair| word([pair[0], pair[1]])).collect();
        String::from_utf16(&words).map_err(|_| DecodeError::Utf16)
    };
    match bytes {
        [0xFF, 0xFE, rest @ ..] => wide(rest, u16::from_le_bytes),
        [0xFE, 0xFF, rest @ ..] => wide(rest, u16::from_be_bytes),
        _ => match std::str::from_utf8(bytes) {
            Ok(text) => Ok(text.to_owned()),
            Err(error) => {
                let line = bytes[..error.valid_up_to()].iter().filter(|byte| **byte == b'\n').count() + 1;
                Err(DecodeError::Utf8 { line })
            }
        },
    }
}

#[cfg(test)]
mod tests;
