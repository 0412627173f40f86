//! Corpus files on disk: `*_signs.tsv`, plain or packed by xz.

use super::signs_row::{HEADER, Row};
use std::fmt;
use std::fs::File;
use std::io::{BufRead, BufReader, Cursor};
use std::path::{Path, PathBuf};

/// The folder whose texts no model and no table has seen.
const HELD_BACK: &str = "validation";
/// Deepest folder below the given one in which corpora are looked for: `oracc/monolingual/`.
const DEPTH: usize = 3;

/// The Oracc Sign List itself: named like a corpus and often beside them, but none.
const SIGN_LIST: &str = "osl_signs.tsv";

/// Why a corpus could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CorpusError {
    /// File or folder.
    pub path: PathBuf,
    /// Line from 1, where one is to blame.
    pub line: Option<usize>,
    /// What is wrong and what to do.
    pub message: String,
}

impl fmt::Display for CorpusError {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        match self.line {
            Some(line) => write!(formatter, "{}, line {line}: {}", self.path.display(), self.message),
            None => write!(formatter, "{}: {}", self.path.display(), self.message),
        }
    }
}

impl std::error::Error for CorpusError {}

/// The corpora under a path, in order of name: the file itself, or every `*_signs.tsv` and `*_signs.tsv.xz` in a folder
/// and the folders in it. Folders named `validation` below it are left out: their texts are for measuring, and what is
/// counted or learnt must not know them.
///
/// # Errors
/// When there is nothing of the kind.
pub fn corpora(path: &Path) -> Result<Vec<PathBuf>, CorpusError> {
    let mut found = Vec::new();
    if path.is_file() {
        found.push(path.to_path_buf());
    } else {
        collect(path, DEPTH, &mut found)?;
        found.sort();
    }
    if found.is_empty() {
        let message = "there is no file named *_signs.tsv or *_signs.tsv.xz here or in the folders below".into();
        return Err(CorpusError { path: path.to_path_buf(), line: None, message });
    }
    Ok(found)
}

/// Adds the corpora in a folder.
fn collect(folder: &Path, depth: usize, found: &mut Vec<PathBuf>) -> Result<(), CorpusError> {
    let fail =
        |error: std::io::Error| CorpusError { path: folder.to_path_buf(), line: None, message: error.to_string() };
    for entry in std::fs::read_dir(folder).map_err(fail)? {
        let path = entry.map_err(fail)?.path();
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        if path.is_dir() && depth > 0 {
            if name == HELD_BACK {
                continue;
            }
            collect(&path, depth - 1, found)?;
        } else if name != SIGN_LIST && (name.ends_with("_signs.tsv") || name.ends_with("_signs.tsv.xz")) {
            found.push(path);
        }
    }
    Ok(())
}

/// Calls `on_row` for each of the first `limit` rows of a file. A plain file is read line by line; of an xz file the
/// text is held in memory once, for its decoder gives whole blocks.
///
/// # Errors
/// With the line, if the header or a row is not as it should be.
pub fn for_each_row(path: &Path, limit: Option<usize>, on_row: impl FnMut(&Row)) -> Result<(), CorpusError> {
    let mut file = opened(path)?;
    if is_packed(path) {
        read_rows(path, Cursor::new(unpacked(path, &mut file)?), limit, on_row)
    } else {
        read_rows(path, file, limit, on_row)
    }
}

/// The text of any table, plain or packed by xz.
///
/// # Errors
/// When the file cannot be read, or is no text.
pub fn text_of(path: &Path) -> Result<String, CorpusError> {
    let fail = |message: String| CorpusError { path: path.to_path_buf(), line: None, message };
    let mut file = opened(path)?;
    if is_packed(path) {
        String::from_utf8(unpacked(path, &mut file)?).map_err(|error| fail(format!("the file is no text: {error}")))
    } else {
        std::io::read_to_string(file).map_err(|error| fail(error.to_string()))
    }
}

fn opened(path: &Path) -> Result<BufReader<File>, CorpusError> {
    let fail = |error: std::io::Error| CorpusError { path: path.to_path_buf(), line: None, message: error.to_string() };
    File::open(path).map(BufReader::new).map_err(fail)
}

fn is_packed(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "xz")
}

fn unpacked(path: &Path, file: &mut BufReader<File>) -> Result<Vec<u8>, CorpusError> {
    let mut text = Vec::new();
    lzma_rs::xz_decompress(file, &mut text).map_err(|error| {
        let message = format!("the file cannot be unpacked, it may be cut off ({error:?}); fetch it anew");
        CorpusError { path: path.to_path_buf(), line: None, message }
    })?;
    Ok(text)
}

/// The rows of an unpacked file.
fn read_rows(
    path: &Path,
    text: impl BufRead,
    limit: Option<usize>,
    mut on_row: impl FnMut(&Row),
) -> Result<(), CorpusError> {
    let fail = |line: usize, message: String| CorpusError { path: path.to_path_buf(), line: Some(line), message };
    let mut lines = text.lines().enumerate();
    match lines.next() {
        Some((_, Ok(header))) if header.trim_end() == HEADER => {}
        Some((_, Ok(header))) => {
            return Err(fail(1, format!("the first line must name the columns {HEADER:?}, found {header:?}")));
        }
        Some((_, Err(error))) => return Err(fail(1, error.to_string())),
        None => return Err(fail(1, "the file is empty".into())),
    }
    for (number, line) in lines.take(limit.unwrap_or(usize::MAX)) {
        let line = line.map_err(|error| fail(number + 1, error.to_string()))?;
        on_row(&Row::parse(line.trim_end_matches('\r')).map_err(|message| fail(number + 1, message))?);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = "P1\tOA\takk\t1\ta-na\ta na\t𒀀 𒈾\tPP\t10\n";

    fn read(text: &str, limit: Option<usize>) -> Result<usize, CorpusError> {
        let mut rows = 0;
        read_rows(Path::new("test_signs.tsv"), text.as_bytes(), limit, |_| rows += 1)?;
        Ok(rows)
    }

    #[test]
    fn rows_are_read_up_to_the_limit() {
        let text = format!("{HEADER}\n{GOOD}{GOOD}{GOOD}");
        assert_eq!(read(&text, None), Ok(3));
        assert_eq!(read(&text, Some(2)), Ok(2));
    }

    #[test]
    fn errors_name_file_and_line() {
        let message = |text: &str| read(text, None).err().map(|error| error.to_string()).unwrap_or_default();
        assert_eq!(message(""), "test_signs.tsv, line 1: the file is empty");
        assert!(message("id\ttext\n").starts_with("test_signs.tsv, line 1: the first line must name the columns"));
        let bad = format!("{HEADER}\n{GOOD}{}", GOOD.replace("PP", "PPP"));
        assert!(
            message(&bad).starts_with("test_signs.tsv, line 3: there are 2 readings, 3 states"),
            "{}",
            message(&bad)
        );
    }

    #[test]
    fn a_packed_file_reads_like_a_plain_one_and_a_cut_one_is_refused() {
        let folder = tuppum_testing::TemporaryFolder::new("signs-file");
        let packed = folder.join("deep/small_signs.tsv.xz");
        let text = format!("{HEADER}\n{GOOD}{GOOD}");
        let mut bytes = Vec::new();
        let written = std::fs::create_dir_all(folder.join("deep"))
            .and_then(|()| lzma_rs::xz_compress(&mut text.as_bytes(), &mut bytes))
            .and_then(|()| std::fs::write(&packed, &bytes));
        assert!(written.is_ok(), "{written:?}");
        let held_back = folder.join("validation/other_signs.tsv");
        assert!(
            std::fs::create_dir_all(folder.join("validation")).and_then(|()| std::fs::write(&held_back, &text)).is_ok()
        );
        assert_eq!(corpora(&folder), Ok(vec![packed.clone()]));
        assert_eq!(corpora(&folder.join("validation")), Ok(vec![held_back]));
        let mut rows = 0;
        assert_eq!(for_each_row(&packed, None, |row| rows += row.signs.len()), Ok(()));
        assert_eq!(rows, 4);
        assert_eq!(text_of(&packed), Ok(text));
        assert!(std::fs::write(&packed, &bytes[..bytes.len() / 2]).is_ok());
        assert!(for_each_row(&packed, None, |_| ()).is_err_and(|error| error.message.contains("cannot be unpacked")));
    }

    #[test]
    fn a_folder_without_corpora_says_what_is_missing() {
        let folder = tuppum_testing::TemporaryFolder::new("no-corpora");
        assert!(corpora(&folder).is_err_and(|error| error.message.contains("_signs.tsv")));
    }
}
