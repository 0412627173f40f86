//! Reads corpus files: `*_signs.tsv`, plain or packed with xz.

use super::error::{CorpusError, CorpusProblem};
use super::signs_row::{HEADER, SignsColumns, SignsRow};
use std::fs::File;
use std::io::{BufRead, BufReader, Cursor};
use std::path::{Path, PathBuf};

/// Name of the folder whose texts no model and no table has seen.
const HELD_OUT: &str = "validation";
/// Depth of folders, below the given one, in which corpora are searched: `oracc/monolingual/`.
const MAX_DEPTH: usize = 3;

/// File of the Oracc Sign List, which is named like a corpus and often stored beside corpora.
const SIGN_LIST: &str = "osl_signs.tsv";

/// Returns the corpora under a path, sorted by name: the file itself, or every `*_signs.tsv` and `*_signs.tsv.xz` in a
/// folder and its subfolders. Subfolders named `validation` are skipped: their texts are for measuring, so that nothing
/// counted or learnt may know them.
///
/// # Errors
/// Fails if there are no corpora.
pub fn corpora(path: &Path) -> Result<Vec<PathBuf>, CorpusError> {
    let mut found = Vec::new();
    if path.is_file() {
        found.push(path.to_path_buf());
    } else {
        collect(path, MAX_DEPTH, &mut found)?;
        found.sort();
    }
    if found.is_empty() {
        return Err(CorpusError::of(path, CorpusProblem::NoCorpus));
    }
    Ok(found)
}

/// Adds the corpora in a folder.
fn collect(folder: &Path, depth: usize, found: &mut Vec<PathBuf>) -> Result<(), CorpusError> {
    let fail = |error: std::io::Error| CorpusError::of(folder, error);
    for entry in std::fs::read_dir(folder).map_err(fail)? {
        let path = entry.map_err(fail)?.path();
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        if path.is_dir() && depth > 0 {
            if name == HELD_OUT {
                continue;
            }
            collect(&path, depth - 1, found)?;
        } else if name != SIGN_LIST && (name.ends_with("_signs.tsv") || name.ends_with("_signs.tsv.xz")) {
            found.push(path);
        }
    }
    Ok(())
}

/// Calls `on_row` for each of the first `limit` rows of a file. A plain file is read line by line; an xz file is
/// unpacked in memory, since its decoder returns whole blocks.
///
/// # Errors
/// Names the line if the header or a row is wrong.
pub fn for_each_row(path: &Path, limit: Option<usize>, on_row: impl FnMut(&SignsRow)) -> Result<(), CorpusError> {
    let mut file = opened(path)?;
    if is_packed(path) {
        read_rows(path, Cursor::new(unpacked(path, &mut file)?), limit, on_row)
    } else {
        read_rows(path, file, limit, on_row)
    }
}

/// Reads the text of any table, plain or packed with xz.
///
/// # Errors
/// Fails if the file cannot be read, or is not text.
pub fn text_of(path: &Path) -> Result<String, CorpusError> {
    let mut file = opened(path)?;
    if is_packed(path) {
        let bytes = unpacked(path, &mut file)?;
        String::from_utf8(bytes).map_err(|error| CorpusError::of(path, CorpusProblem::NotText(error)))
    } else {
        std::io::read_to_string(file).map_err(|error| CorpusError::of(path, error))
    }
}

pub(crate) fn opened(path: &Path) -> Result<BufReader<File>, CorpusError> {
    File::open(path).map(BufReader::new).map_err(|error| CorpusError::of(path, error))
}

pub(crate) fn is_packed(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "xz")
}

pub(crate) fn unpacked(path: &Path, file: &mut BufReader<File>) -> Result<Vec<u8>, CorpusError> {
    let mut text = Vec::new();
    lzma_rs::xz_decompress(file, &mut text).map_err(|error| CorpusError::of(path, CorpusProblem::Packed(error)))?;
    Ok(text)
}

/// Reads the rows of an unpacked file.
fn read_rows(
    path: &Path,
    text: impl BufRead,
    limit: Option<usize>,
    mut on_row: impl FnMut(&SignsRow),
) -> Result<(), CorpusError> {
    let mut lines = text.lines().enumerate();
    let columns = match lines.next() {
        Some((_, Ok(header))) => SignsColumns::named(&header).ok_or_else(|| {
            CorpusError::in_line(path, 1, CorpusProblem::SignsHeader { expected: HEADER, found: header })
        })?,
        Some((_, Err(error))) => return Err(CorpusError::in_line(path, 1, error)),
        None => return Err(CorpusError::in_line(path, 1, CorpusProblem::Empty)),
    };
    for (number, line) in lines.take(limit.unwrap_or(usize::MAX)) {
        let line = line.map_err(|error| CorpusError::in_line(path, number + 1, error))?;
        let row = columns.row(line.trim_end_matches('\r'));
        on_row(&row.map_err(|problem| CorpusError::in_line(path, number + 1, problem))?);
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
        assert_eq!(read(&text, None).unwrap(), 3);
        assert_eq!(read(&text, Some(2)).unwrap(), 2);
    }

    #[test]
    fn columns_beside_the_nine_are_passed_over() {
        let text = format!("remark\t{HEADER}\tdate\n-\t{}\t1900\n", GOOD.trim_end());
        let mut read = Vec::new();
        read_rows(Path::new("test_signs.tsv"), text.as_bytes(), None, |row| {
            read.push((row.text.to_owned(), row.signs.len()));
        })
        .unwrap();
        assert_eq!(read, [("P1".to_owned(), 2)]);
        let short = format!("{HEADER}\tdate\n{GOOD}");
        let message = read_rows(Path::new("test_signs.tsv"), short.as_bytes(), None, |_| {}).unwrap_err().to_string();
        assert!(
            message.ends_with("line 2: the first line names 10 columns separated by tabs, this row has 9"),
            "{message}"
        );
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
        let held_out = folder.join("validation/other_signs.tsv");
        assert!(
            std::fs::create_dir_all(folder.join("validation")).and_then(|()| std::fs::write(&held_out, &text)).is_ok()
        );
        assert_eq!(corpora(&folder).unwrap(), std::slice::from_ref(&packed));
        assert_eq!(corpora(&folder.join("validation")).unwrap(), [held_out]);
        let mut rows = 0;
        for_each_row(&packed, None, |row| rows += row.signs.len()).unwrap();
        assert_eq!(rows, 4);
        assert_eq!(text_of(&packed).unwrap(), text);
        assert!(std::fs::write(&packed, &bytes[..bytes.len() / 2]).is_ok());
        assert!(
            for_each_row(&packed, None, |_| ()).is_err_and(|error| matches!(error.problem, CorpusProblem::Packed(_)))
        );
    }

    #[test]
    fn a_folder_without_corpora_says_what_is_missing() {
        let folder = tuppum_testing::TemporaryFolder::new("no-corpora");
        assert!(corpora(&folder).is_err_and(|error| error.to_string().contains("_signs.tsv")));
    }
}
