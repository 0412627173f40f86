//! Reads files of pairs: a source and its translation per row, plain or packed with xz; and decides which texts are
//! kept for validation.
//!
//! The first line names the columns, separated by tabs, with `source` and `target` among them; in a file `*.csv` commas
//! separate them. `train.csv` of the Deep Past Challenge has `transliteration` and `translation` instead. A text is
//! identified by `text_id` (or `oare_id`, in the challenge), or by `id` if the row has none. Oracc's pairs have an `id`
//! in every row, CDLI's have `line` instead; a text of CDLI is called `cdli:` and its number, so that one tablet in two
//! corpora counts as two texts, as in the training recipe.

use super::error::{CorpusError, CorpusProblem};
use super::signs_file::{is_packed, opened, text_of, unpacked};
use sha2::{Digest, Sha256};
use std::io::{BufRead, Cursor};
use std::path::Path;
use tuppum_text::pair_table::{Table, one_line};

/// Prefix of the numbers of CDLI's texts.
const CDLI: &str = "cdli:";

/// Share of the texts that is kept for validation.
pub const VALIDATION_SHARE: f64 = 0.02;

/// A source and its translation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FilePair {
    /// Id of the text; empty in files without ids.
    pub text: String,
    /// Oracc's project, or CDLI's name of the period; empty in files without it.
    pub project: String,
    pub source: String,
    pub target: String,
}

impl FilePair {
    /// Returns the number of the text without the corpus prefix, by which an edition is found.
    pub fn number(&self) -> &str {
        self.text.strip_prefix(CDLI).unwrap_or(&self.text)
    }

    /// Returns `true` if the text is kept for validation.
    pub fn is_valid(&self) -> bool {
        is_valid(&self.text)
    }
}

/// Returns `true` if a text is kept for validation, by the rule of the training recipe: the first 8 bytes of the sha256
/// of `valid:` and its id, as a fraction of 2⁶⁴, are below [`VALIDATION_SHARE`]. A text without id never is.
pub fn is_valid(text: &str) -> bool {
    let hash = Sha256::digest(format!("valid:{text}"));
    let mut first = [0; 8];
    first.copy_from_slice(&hash[..8]);
    // The conversion rounds to the nearest f64, as in Python.
    !text.is_empty() && u64::from_be_bytes(first) as f64 / 2_f64.powi(64) < VALIDATION_SHARE
}

/// Calls `on_pair` for each of the first `limit` rows of a file. A plain file is read line by line; an xz file is
/// unpacked in memory, since its decoder returns whole blocks.
///
/// # Errors
/// Names the line if the header or a row is wrong.
pub fn for_each_pair(path: &Path, limit: Option<usize>, on_pair: impl FnMut(FilePair)) -> Result<(), CorpusError> {
    if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("csv")) {
        return read_csv(path, &text_of(path)?, limit, on_pair);
    }
    let mut file = opened(path)?;
    if is_packed(path) {
        read_pairs(path, Cursor::new(unpacked(path, &mut file)?), limit, on_pair)
    } else {
        read_pairs(path, file, limit, on_pair)
    }
}

/// Reads the rows of a table whose cells are separated by commas and may be quoted; line ends within a cell become
/// spaces.
fn read_csv(
    path: &Path,
    text: &str,
    limit: Option<usize>,
    mut on_pair: impl FnMut(FilePair),
) -> Result<(), CorpusError> {
    let table = Table::read(text, None, Some(true));
    let names: Vec<&str> = table.columns.iter().map(String::as_str).collect();
    let columns = Columns::named(&names).map_err(|problem| CorpusError::in_line(path, 1, problem))?;
    if let Some(fault) = table.faults.first() {
        return Err(CorpusError::in_line(path, fault.line, CorpusProblem::Row(fault.reason.clone())));
    }
    for row in table.rows.iter().take(limit.unwrap_or(usize::MAX)) {
        let cells: Vec<String> = row.cells.iter().map(|cell| one_line(cell)).collect();
        let cells: Vec<&str> = cells.iter().map(String::as_str).collect();
        on_pair(columns.pair(&cells).map_err(|problem| CorpusError::in_line(path, row.line, problem))?);
    }
    Ok(())
}

/// Reads the rows of an unpacked file.
fn read_pairs(
    path: &Path,
    text: impl BufRead,
    limit: Option<usize>,
    mut on_pair: impl FnMut(FilePair),
) -> Result<(), CorpusError> {
    let mut lines = text.lines().enumerate();
    let columns = match lines.next() {
        Some((_, Ok(header))) => {
            let header = header.trim_start_matches('\u{FEFF}').trim_end_matches('\r');
            Columns::named(&header.split('\t').collect::<Vec<_>>())
                .map_err(|problem| CorpusError::in_line(path, 1, problem))?
        }
        Some((_, Err(error))) => return Err(CorpusError::in_line(path, 1, error)),
        None => return Err(CorpusError::in_line(path, 1, CorpusProblem::Empty)),
    };
    for (number, line) in lines.take(limit.unwrap_or(usize::MAX)) {
        let line = line.map_err(|error| CorpusError::in_line(path, number + 1, error))?;
        let pair = columns.pair(&line.trim_end_matches('\r').split('\t').collect::<Vec<_>>());
        on_pair(pair.map_err(|problem| CorpusError::in_line(path, number + 1, problem))?);
    }
    Ok(())
}

/// Places of the columns.
#[derive(Debug)]
struct Columns {
    count: usize,
    source: usize,
    target: usize,
    text: Option<usize>,
    row: Option<usize>,
    project: Option<usize>,
    /// Prefix of the texts' ids.
    corpus: &'static str,
}

impl Columns {
    fn named(names: &[&str]) -> Result<Self, CorpusProblem> {
        let find = |name: &str| names.iter().position(|column| *column == name);
        let needed = |[name, other]: [&str; 2]| {
            find(name).or_else(|| find(other)).ok_or_else(|| CorpusProblem::PairsHeader(names.join("\t")))
        };
        let (text, row) = (find("text_id").or_else(|| find("oare_id")), find("id"));
        let project = find("project").or_else(|| find("period"));
        let corpus = if row.is_none() && text.is_some() && find("line").is_some() { CDLI } else { "" };
        Ok(Self {
            count: names.len(),
            source: needed(["source", "transliteration"])?,
            target: needed(["target", "translation"])?,
            text,
            row,
            project,
            corpus,
        })
    }

    fn pair(&self, cells: &[&str]) -> Result<FilePair, CorpusProblem> {
        if cells.len() != self.count {
            return Err(CorpusProblem::Columns { named: self.count, found: cells.len() });
        }
        let cell = |column: usize| cells.get(column).copied().unwrap_or_default();
        let number = |column: Option<usize>| column.map(cell).filter(|number| !number.is_empty());
        let text = number(self.text).or_else(|| number(self.row)).map(|number| format!("{}{number}", self.corpus));
        for (name, text) in [("source", cell(self.source)), ("target", cell(self.target))] {
            if text.trim().is_empty() {
                return Err(CorpusProblem::EmptyCell(name));
            }
        }
        Ok(FilePair {
            text: text.unwrap_or_default(),
            project: self.project.map(cell).unwrap_or_default().to_owned(),
            source: cell(self.source).to_string(),
            target: cell(self.target).to_string(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ORACC: &str = "id\ttext_id\tproject\tperiod\tsource\ttarget\n";
    const CDLI: &str = "text_id\tname\tperiod\tline\tsource\ttarget\tlines\n";

    fn read(text: &str, limit: Option<usize>) -> Result<Vec<FilePair>, CorpusError> {
        let mut pairs = Vec::new();
        read_pairs(Path::new("pairs.tsv"), text.as_bytes(), limit, |pair| pairs.push(pair))?;
        Ok(pairs)
    }

    fn pair(text: &str, project: &str, source: &str, target: &str) -> FilePair {
        let [text, project, source, target] = [text, project, source, target].map(str::to_owned);
        FilePair { text, project, source, target }
    }

    #[test]
    fn rows_of_either_corpus_are_read_up_to_the_limit() {
        let oracc = format!("{ORACC}o1\tP1\tsaao\tNA\ta-na\tto\no2\t\t\t\tLUGAL\t\"king\r\no3\tP1\t\t\tx\ty\n");
        let expected = [pair("P1", "saao", "a-na", "to"), pair("o2", "", "LUGAL", "\"king"), pair("P1", "", "x", "y")];
        assert_eq!(read(&oracc, None).unwrap(), expected);
        assert_eq!(read(&oracc, Some(2)).unwrap(), expected[..2]);
        let cdli = format!("{CDLI}P390626\tArchivum\tOA\tobverse 1\tLUGAL\tking\t6\n");
        assert_eq!(read(&cdli, None).unwrap(), [pair("cdli:P390626", "OA", "LUGAL", "king")]);
        let challenge = "oare_id\tsentence_id\tsource\ttarget\n004a\tcb7f\tum-ma\tthus\n";
        assert_eq!(read(challenge, None).unwrap(), [pair("004a", "", "um-ma", "thus")]);
        assert_eq!(read("\u{FEFF}source\ttarget\na\tb\n", None).unwrap(), [pair("", "", "a", "b")]);
    }

    #[test]
    fn a_table_of_the_challenge_is_read() {
        let text = "oare_id,transliteration,translation\n004a,um-ma a-šùr,\"Thus, \"\"Aššur\"\":\nsay\"\n";
        let read = |text: &str| {
            let mut pairs = Vec::new();
            read_csv(Path::new("train.csv"), text, None, |pair| pairs.push(pair)).map(|()| pairs)
        };
        assert_eq!(read(text).unwrap(), [pair("004a", "", "um-ma a-šùr", "Thus, \"Aššur\": say")]);
        let told = read("oare_id,transliteration,translation\n1,a,b,c,d\n").unwrap_err().to_string();
        assert!(told.starts_with("train.csv, line 2: it has 5 cells"), "{told}");
        assert!(read("oare_id,words\n1,a\n").is_err());
    }

    #[test]
    fn errors_name_file_and_line() {
        let message = |text: &str| read(text, None).unwrap_err().to_string();
        assert_eq!(message(""), "pairs.tsv, line 1: the file is empty");
        assert!(message("id\tsource\n").starts_with("pairs.tsv, line 1: the first line must name the columns"));
        let good = "o1\tP1\tsaao\tNA\ta-na\tto\n";
        assert!(
            message(&format!("{ORACC}{good}o2\tP1\n")).starts_with("pairs.tsv, line 3: the first line names 6 columns")
        );
        assert!(
            message(&format!("{ORACC}{good}{good}o3\tP1\t\t\ta\t \n"))
                .starts_with("pairs.tsv, line 4: the target is empty")
        );
        let bytes = [ORACC.as_bytes(), good.as_bytes(), b"\xff\n"].concat();
        let error = read_pairs(Path::new("pairs.tsv"), &bytes[..], None, |_| ()).unwrap_err();
        assert_eq!(error.line, Some(3));
        assert!(for_each_pair(Path::new("no/such.tsv"), None, |_| ()).is_err_and(|error| error.line.is_none()));
    }

    #[test]
    fn the_split_is_that_of_the_recipe() {
        // From is_valid() of train_translator.py, over P000001 … P000400 and with CDLI's prefix over P000001 … P000200.
        let chosen = |prefix: &str, last: u32| -> Vec<u32> {
            (1..=last).filter(|number| is_valid(&format!("{prefix}P{number:06}"))).collect()
        };
        assert_eq!(chosen("", 400), PLAIN);
        assert_eq!(chosen("cdli:", 200), PREFIXED);
        assert!(!is_valid(""));
    }

    const PLAIN: [u32; 10] = [8, 9, 127, 158, 174, 222, 303, 330, 391, 394];
    const PREFIXED: [u32; 4] = [6, 86, 184, 186];

    #[test]
    fn a_packed_file_reads_like_a_plain_one_and_a_cut_one_is_refused() {
        let folder = tuppum_testing::TemporaryFolder::new("pairs-file");
        let packed = folder.join("small.tsv.xz");
        let text = format!("{ORACC}o1\tP1\tsaao\tNA\ta-na\tto\n");
        let mut bytes = Vec::new();
        lzma_rs::xz_compress(&mut text.as_bytes(), &mut bytes).unwrap();
        std::fs::write(&packed, &bytes).unwrap();
        let mut pairs = Vec::new();
        for_each_pair(&packed, None, |pair| pairs.push(pair)).unwrap();
        assert_eq!(pairs, [pair("P1", "saao", "a-na", "to")]);
        std::fs::write(&packed, &bytes[..bytes.len() / 2]).unwrap();
        assert!(
            for_each_pair(&packed, None, |_| ()).is_err_and(|error| matches!(error.problem, CorpusProblem::Packed(_)))
        );
    }

    /// Pairs and texts, and those of each kept for validation, as the recipe counts them.
    #[test]
    fn the_corpora_split_as_in_the_recipe() {
        let data = tuppum_testing::project("../shared/data");
        let files = ["oracc/parallel/oracc_akk_en.tsv.xz", "cdli/parallel/cdli_akk_en_segments.tsv"]
            .map(|file| data.join(file));
        if !files.iter().all(|file| file.exists()) {
            println!("not run: {} is not there", data.display());
            return;
        }
        let (mut pairs, mut valid) = (0, 0);
        let (mut texts, mut valid_texts) = (std::collections::BTreeSet::new(), std::collections::BTreeSet::new());
        for file in files {
            for_each_pair(&file, None, |pair| {
                pairs += 1;
                if pair.is_valid() {
                    valid += 1;
                    valid_texts.insert(pair.text.clone());
                }
                texts.insert(pair.text);
            })
            .unwrap_or_else(|error| panic!("{error}"));
        }
        assert_eq!((pairs, texts.len(), valid, valid_texts.len()), COUNTED);
    }

    const COUNTED: (usize, usize, usize, usize) = (50030, 5274, 780, 100);
}
