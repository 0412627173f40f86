//! A user's corpus of pairs, a transliteration and its translation: from a file or a paste to pairs that can be trained
//! on.
//!
//! Text is cut into a [`Table`] of rows and columns, whose separator and header are guessed; [`Columns`] says which
//! column is what, guessed too and changed at will; an [`Import`] makes pairs of the rows. Reading never fails: every
//! row becomes a pair or is listed with its line and the reason why it is left out.

mod column_names;
mod columns;
mod damage;
mod import;
mod json;
mod leaks;
mod row;
mod table;

pub use columns::Columns;
pub use damage::Damage;
pub use import::{Corpus, Import, Pair};
pub use leaks::{leaks, leaks_among};
pub use row::{Fault, Row};
pub use table::{Shape, Table};

/// The largest file that is read, in bytes: the page holds it, its table and its pairs in memory at a time.
pub const LARGEST: usize = 20_000_000;

/// The text of a file: UTF-8, or UTF-16 as spreadsheets write "Unicode text".
///
/// # Errors
/// For the user: the file is too large, or no text.
pub fn decode(bytes: &[u8]) -> Result<String, String> {
    if bytes.len() > LARGEST {
        let (size, most) = (bytes.len() as f64 / 1e6, LARGEST as f64 / 1e6);
        return Err(format!(
            "The file has {size:.1} MB; at most {most:.0} MB are read here. Cut it, or train with “tuppum train” on \
             the command line."
        ));
    }
    if bytes.starts_with(b"PK") {
        return Err("This is a packed file, perhaps a spreadsheet. Save it as CSV or as text with tabs (UTF-8).".into());
    }
    let wide = |rest: &[u8], word: fn([u8; 2]) -> u16| {
        let words: Vec<u16> = rest.chunks_exact(2).map(|pair| word([pair[0], pair[1]])).collect();
        String::from_utf16(&words).map_err(|_| "This is no text: it begins as UTF-16 and does not go on so.".to_owned())
    };
    match bytes {
        [0xFF, 0xFE, rest @ ..] => wide(rest, u16::from_le_bytes),
        [0xFE, 0xFF, rest @ ..] => wide(rest, u16::from_be_bytes),
        _ => match std::str::from_utf8(bytes) {
            Ok(text) => Ok(text.to_owned()),
            Err(error) => {
                let line = bytes[..error.valid_up_to()].iter().filter(|byte| **byte == b'\n').count() + 1;
                Err(format!(
                    "The file is not UTF-8 (line {line}). Save it again as UTF-8: other encodings lose š, ṣ, ṭ and ₂."
                ))
            }
        },
    }
}

#[cfg(test)]
mod tests;
