//! Names by which columns are recognised.

/// Names of columns, in order of preference.
pub(super) const SOURCE: [&str; 9] =
    ["source", "src", "transliteration", "translit", "akkadian", "akk", "source_text", "source_marked", "input"];
pub(super) const TARGET: [&str; 8] = ["target", "tgt", "translation", "english", "en", "eng", "target_text", "output"];
pub(super) const TEXT: [&str; 11] =
    ["text_id", "textid", "text", "tablet", "document", "p_number", "cdli", "oare_id", "id", "name", "publication"];
pub(super) const WEIGHT: [&str; 2] = ["weight", "w"];

/// Returns `true` if these cells are names of columns and not a pair.
pub(super) fn is_header(cells: &[String]) -> bool {
    let known = |cell: &String| {
        let cell = cell.trim().to_lowercase();
        SOURCE.contains(&cell.as_str()) || TARGET.contains(&cell.as_str())
    };
    cells.iter().any(known)
}
