//! A text on the shelf, as the browser stores it.

use crate::corpora::own::name_of;
use crate::kit::storage;
use crate::restore::export::copied_text;
use crate::restore::state::history::History;
use crate::restore::state::work::Work;
use serde::{Deserialize, Serialize};
use tuppum_text::{Document, LineKind};

/// Prefix of the keys. Each text has a key of its own, so that two tabs do not overwrite each other's texts.
const PREFIX: &str = "tuppum.shelf.1.";
/// Maximum bytes of a text with its undo steps; older steps are dropped. Browsers allow about 5 MB in all.
const MAX_BYTES_WITH_STEPS: usize = 150_000;

/// A text with the decisions about it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct KeptText {
    /// Number by which the text names itself, or its first line.
    pub name: String,
    /// Time of the last change, in milliseconds since 1 January 1970.
    pub changed: f64,
    /// Number of lines of transliteration.
    pub lines: usize,
    /// Number of gaps without an accepted reading.
    pub open: usize,
    /// Number of gaps with an accepted reading.
    pub restored: usize,
    /// The work, with as many undo steps as fit.
    pub history: History,
}

impl KeptText {
    /// Makes the stored form of a work.
    pub fn of(history: &History, changed: f64) -> Self {
        let work = &history.present;
        let document = Document::read_with(&work.text, &work.reading);
        let is_open = |(place, sign)| work.is_gap(place, sign) && work.accepted_at(place).is_none();
        let is_line = |line: &&tuppum_text::Line| line.kind == LineKind::Text && !line.signs.is_empty();
        Self {
            name: name_of(&document),
            changed,
            lines: document.lines.iter().filter(is_line).count(),
            open: document.signs().enumerate().filter(|pair| is_open(*pair)).count(),
            restored: work.accepted.len(),
            history: history.within(MAX_BYTES_WITH_STEPS),
        }
    }

    /// Returns the text with its accepted readings and a remark that lists them.
    pub fn restored_text(&self) -> String {
        let Work { text, reading, .. } = &self.history.present;
        copied_text(&Document::read_with(text, reading), &self.history.present)
    }
}

/// Returns the history to keep: the whole if its present is worth keeping, else the newest past step that is.
pub fn worth_keeping(history: &History, is_worth: impl Fn(&Work) -> bool) -> Option<History> {
    if is_worth(&history.present) {
        return Some(history.clone());
    }
    history.past().find(|work| is_worth(work)).cloned().map(History::beginning_with)
}

/// Joins all texts into one, each under its name.
pub fn as_one(texts: &[&KeptText]) -> String {
    let one = |text: &&KeptText| {
        let name =
            if text.history.present.text.starts_with('&') { String::new() } else { format!("# {}\n", text.name) };
        format!("{name}{}\n", text.restored_text().trim_end())
    };
    texts.iter().map(one).collect::<Vec<_>>().join("\n")
}

/// Reads all stored texts with their keys, newest first.
pub fn all() -> Vec<(String, KeptText)> {
    let texts = storage::names(PREFIX).into_iter();
    let mut texts: Vec<(String, KeptText)> =
        texts.filter_map(|key| storage::stored(&key).map(|text| (key, text))).collect();
    texts.sort_by(|one, other| other.1.changed.total_cmp(&one.1.changed).then_with(|| one.0.cmp(&other.0)));
    texts
}

/// Returns `true` if a key belongs to a stored text.
pub fn is_key(key: &str) -> bool {
    key.starts_with(PREFIX)
}

/// Returns an unused key.
pub fn new_key() -> String {
    format!("{PREFIX}{:.0}-{:.0}", js_sys::Date::now(), js_sys::Math::random() * 1e9)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::restore::state::work::Accepted;

    #[test]
    fn what_is_open_and_what_is_restored_is_counted() {
        let mut work = Work::on("&P361583 = a letter\n@obverse\n1. um-ma x-x-ma\n2. a-na x");
        work.accept(Accepted { sign: 2, readings: Vec::new(), model: None });
        let kept = KeptText::of(&History::beginning_with(work), 1.0);
        assert_eq!((kept.name.as_str(), kept.lines, kept.open, kept.restored), ("P361583", 2, 2, 1));
    }

    #[test]
    fn many_steps_are_not_stored() {
        let mut history = History::beginning_with(Work::on("a".repeat(MAX_BYTES_WITH_STEPS / 2 + 1)));
        assert!(KeptText::of(&history, 0.0).history == history);
        history.step("write", |work| work.text.push_str(" x"));
        let kept = KeptText::of(&history, 0.0).history;
        assert_eq!((kept.undo_name(), &kept.present), (None, &history.present));
    }

    #[test]
    fn what_an_example_took_the_place_of_is_kept() {
        let is_worth = |work: &Work| work.text != "example" && !work.text.is_empty();
        assert_eq!(worth_keeping(&History::beginning_with(Work::on("example")), is_worth), None);
        let mut history = History::beginning_with(Work::on("mine"));
        assert_eq!(worth_keeping(&history, is_worth).as_ref(), Some(&history));
        history.step("open an example", |work| *work = Work::on("example"));
        let kept = worth_keeping(&history, is_worth).map(|history| history.present.text);
        assert_eq!(kept.as_deref(), Some("mine"));
    }

    #[test]
    fn all_texts_are_written_as_one() {
        let of = |text: &str| KeptText::of(&History::beginning_with(Work::on(text)), 0.0);
        let (first, second) = (of("&P1 = x\n1. a-na"), of("um-ma"));
        assert_eq!(as_one(&[&first, &second]), "&P1 = x\n1. a-na\n\n# um-ma\num-ma\n");
    }
}
