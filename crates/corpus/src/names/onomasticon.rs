//! The user's own lists of names: which spellings name what, and the rendering of each name.

use crate::attested::TooLarge;
use crate::glosses::{Glossary, GlossaryBuilder, LexiconRow};
use std::collections::BTreeSet;
use thiserror::Error;
use tuppum_domain::names::NameKind;
use tuppum_text::pair_table::Table;
use tuppum_text::{Document, Line};

/// Names of the columns, in the order assumed if the table does not name them.
const COLUMNS: [&str; 4] = ["spelling", "name", "kind", "rendering"];

/// Reason why a list of names cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum OnomasticonError {
    /// The table has no rows.
    #[error(
        "There is no name in the table. It needs a row for each spelling, with tabs between spelling, name, kind and \
         rendering; only the first must be filled, and a first row may name the columns."
    )]
    Empty,
    /// The first row names columns, but not the spellings.
    #[error(
        "Line 1 names the columns {found}, but none is called “spelling”, as the column of the transliterated names \
         must be."
    )]
    NoSpellings {
        /// Column names found.
        found: String,
    },
    /// A row cannot be split into cells.
    #[error("Line {line} of the table cannot be read: {reason}.")]
    Row {
        /// Line number from 1.
        line: usize,
        /// Reason in plain words.
        reason: String,
    },
    /// A spelling is not a single word of legible signs.
    #[error(
        "Line {line}: “{spelling}” is no spelling of a name. It must be one word whose signs can all be read, such as \
         {{m}}a-šur-i-di₂."
    )]
    Spelling {
        /// Line number from 1.
        line: usize,
        /// Content of the cell.
        spelling: String,
    },
    /// The kind is unknown.
    #[error("Line {line}: “{kind}” is no kind of names. These are: {}.", known_kinds())]
    Kind {
        /// Line number from 1.
        line: usize,
        /// Content of the cell.
        kind: String,
    },
    /// The list has more readings than can be numbered.
    #[error(transparent)]
    TooLarge(#[from] TooLarge),
}

/// A spelling of a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnName {
    /// Word in canonical transliteration.
    pub spelling: String,
    /// Name; the spelling if the table has none.
    pub name: String,
    pub kind: NameKind,
    /// Rendering of the name; the name if the table has none.
    pub rendering: String,
}

/// A list of names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Onomasticon {
    /// Spellings, in the order of the table.
    pub names: Vec<OwnName>,
}

impl Onomasticon {
    /// Reads a table. A first row with a cell “spelling”, or with two of the other names, names the columns, which may
    /// then be in any order and among others; otherwise they are spelling, name, kind and rendering. A name without a
    /// kind gets the kind that its determinative shows, else a person.
    ///
    /// # Errors
    /// Returns [`OnomasticonError`], with the line.
    pub fn read(text: &str) -> Result<Self, OnomasticonError> {
        let is_header = names_columns(text);
        let table = Table::with_short_rows(text, is_header, COLUMNS.len());
        if let Some(fault) = table.faults.first() {
            return Err(OnomasticonError::Row { line: fault.line, reason: fault.reason.to_string() });
        }
        let mut places: [Option<usize>; 4] = std::array::from_fn(Some);
        if is_header {
            let called = |name: &str| table.columns.iter().position(|column| column.to_lowercase() == name);
            places = COLUMNS.map(called);
            if places[0].is_none() {
                return Err(OnomasticonError::NoSpellings { found: table.columns.join(", ") });
            }
        }
        let mut names = Vec::with_capacity(table.rows.len());
        for row in &table.rows {
            let cells = places.map(|place| place.and_then(|place| row.cells.get(place)).map_or("", |cell| cell.trim()));
            names.push(own_name(row.line, cells)?);
        }
        if names.is_empty() { Err(OnomasticonError::Empty) } else { Ok(Self { names }) }
    }

    /// Returns the names as a lexicon, whose guide words are the renderings.
    ///
    /// # Errors
    /// Fails if there are more readings than numbers for them.
    pub fn glossary<'a>(lists: impl IntoIterator<Item = &'a Self>) -> Result<Glossary, TooLarge> {
        let mut builder = GlossaryBuilder::default();
        let mut known = BTreeSet::new();
        for own in lists.into_iter().flat_map(|list| &list.names) {
            // If several lists have a spelling, the first one decides.
            if known.insert(&own.spelling) {
                let OwnName { spelling, name, kind, rendering } = own;
                let (guide_word, part_of_speech) = (rendering.as_str(), kind.letters());
                builder.add(&LexiconRow { spelling, lemma: name, guide_word, part_of_speech, count: 1 });
            }
        }
        builder.build()
    }
}

/// Returns `true` if the first row names columns.
fn names_columns(text: &str) -> bool {
    let first = text.trim_start_matches('\u{FEFF}').lines().next().unwrap_or_default();
    let cells = first.split(['\t', ',', ';']).map(|cell| cell.trim().trim_matches('"').to_lowercase());
    let known: Vec<String> = cells.filter(|cell| COLUMNS.contains(&cell.as_str())).collect();
    known.len() >= 2 || known.first().is_some_and(|cell| cell == COLUMNS[0])
}

fn own_name(line: usize, cells: [&str; 4]) -> Result<OwnName, OnomasticonError> {
    let [spelling, name, kind, rendering] = cells;
    let written =
        spelled(spelling).ok_or_else(|| OnomasticonError::Spelling { line, spelling: spelling.to_owned() })?;
    let kind = match kind {
        "" => super::find::possible_kinds(&written).and_then(<[_]>::first).copied().unwrap_or(NameKind::Person),
        kind => known_kind(kind).ok_or_else(|| OnomasticonError::Kind { line, kind: kind.to_owned() })?,
    };
    let name = if name.is_empty() { written.clone() } else { name.to_owned() };
    let rendering = if rendering.is_empty() { name.clone() } else { rendering.to_owned() };
    Ok(OwnName { spelling: written, name, kind, rendering })
}

/// Returns a spelling in canonical transliteration; `None` unless it is a single word of legible signs.
fn spelled(typed: &str) -> Option<String> {
    let document = Document::read(typed);
    let [line] = document.lines.as_slice() else { return None };
    let readings: Vec<&str> = line.signs.iter().map(|sign| sign.reading()).collect::<Option<_>>()?;
    let is_one_word = |line: &Line| line.signs.iter().skip(1).all(|sign| !sign.starts_word());
    (!readings.is_empty() && is_one_word(line)).then(|| crate::glosses::written(readings.into_iter()))
}

/// Returns a kind by its English name or by Oracc's letters.
fn known_kind(typed: &str) -> Option<NameKind> {
    let letters = NameKind::of_letters(&typed.to_uppercase());
    letters.or_else(|| NameKind::ALL.into_iter().find(|kind| kind.to_string() == typed.to_lowercase()))
}

fn known_kinds() -> String {
    let kinds: Vec<String> = NameKind::ALL.iter().map(|kind| format!("{kind} ({})", kind.letters())).collect();
    kinds.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(text: &str) -> String {
        Onomasticon::read(text).unwrap_err().to_string()
    }

    #[test]
    fn columns_are_known_by_their_names_or_by_their_order() {
        let named = "kind\tnote\tSpelling\trendering\tname\nPN\tmerchant\tpu-szu-ke-en6\tPushu-ken\tPūšu-kēn\n";
        let ordered = "pu-šu-ke-en₆\tPūšu-kēn\tperson\tPushu-ken\n";
        let own = OwnName {
            spelling: "pu-šu-ke-en₆".into(),
            name: "Pūšu-kēn".into(),
            kind: NameKind::Person,
            rendering: "Pushu-ken".into(),
        };
        for table in [named, ordered] {
            assert_eq!(Onomasticon::read(table).unwrap().names, std::slice::from_ref(&own), "{table}");
        }
    }

    #[test]
    fn only_whole_cells_name_columns() {
        let spellings = |text: &str| Onomasticon::read(text).unwrap().names.len();
        assert_eq!(spellings("spelling\na-šur\n"), 1);
        assert_eq!(spellings("a-šur\tThe kind one\tPN\tname in doubt\nba-ba\tBaba\tDN\tBaba\n"), 2);
    }

    #[test]
    fn rows_may_end_early() {
        let rows = "a-šur-i-di₂\tAššur-idī\tperson\tAshur-idi\npu-šu-ke-en₆\na-šur\tAššur\tgod\n";
        for (heading, separator) in ["", "spelling\tname\tkind\trendering\n"]
            .into_iter()
            .flat_map(|heading| ["\t", ",", ";"].map(|separator| (heading, separator)))
        {
            let read = Onomasticon::read(&format!("{heading}{rows}").replace('\t', separator)).unwrap().names;
            let told: Vec<(&str, &str)> = read.iter().map(|own| (own.name.as_str(), own.rendering.as_str())).collect();
            assert_eq!(told, [("Aššur-idī", "Ashur-idi"), ("pu-šu-ke-en₆", "pu-šu-ke-en₆"), ("Aššur", "Aššur")]);
        }
    }

    #[test]
    fn what_is_not_told_is_taken_from_the_spelling() {
        let read =
            Onomasticon::read("spelling\tname\n{URU}ni-nu-a\tNinua\n{d}be-er-ru\t\nšu-be-lum\tŠu-Belum\n").unwrap();
        let told: Vec<_> = read.names.iter().map(|own| (own.kind, own.name.as_str(), own.rendering.as_str())).collect();
        let settlement = (NameKind::Settlement, "Ninua", "Ninua");
        let god = (NameKind::God, "{d}be-er-ru", "{d}be-er-ru");
        assert_eq!(told, [settlement, god, (NameKind::Person, "Šu-Belum", "Šu-Belum")]);
    }

    #[test]
    fn errors_say_where_and_what_to_do() {
        assert!(message("").contains("no name in the table"));
        assert!(message("spelling\tname\n").contains("no name in the table"));
        assert!(message("name\tkind\nA\tPN\n").contains("none is called “spelling”"));
        assert!(message("a-na be-li₂\tX\nb\tY\n").contains("Line 1: “a-na be-li₂” is no spelling"));
        assert!(message("ba-x\tX\nb\tY\n").contains("Line 1: “ba-x” is no spelling"));
        let kind = message("spelling\tkind\na-šur\tgod\nba-ba\tuncle\n");
        assert!(kind.contains("Line 3: “uncle”") && kind.contains("ruler (RN)"), "{kind}");
        assert!(message("spelling,name\na-šur,Aššur,god\n").contains("has 3 cells, while the first line names 2"));
    }
}
