//! The shelf in local storage: reduced until it fits. Since it is stored while passages come in, only passages that
//! have changed are serialised again.

use super::rendering::Rendering;
use super::shelf::{Shelf, Translation};
use crate::kit::storage;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Maximum size of all stored translations, in bytes. Browsers allow about 5 MB in all, and the texts on the workbench
/// come first.
pub const MAX_STORED_BYTES: usize = 1_200_000;

/// Level of detail of a stored translation; each leaves out more than the one before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Detail {
    /// Everything.
    Whole,
    /// Alignment rounded to two digits, which say as well as eight which words belong together.
    Rounded,
    /// No alignment.
    WithoutAlignment,
    /// No alignment, and only the chosen candidate.
    Chosen,
}

/// Levels of detail for older translations and for the newest one, tried in this order until all fit.
const DETAIL_STEPS: [(Detail, Detail); 6] = [
    (Detail::Whole, Detail::Whole),
    (Detail::Rounded, Detail::Rounded),
    (Detail::WithoutAlignment, Detail::Rounded),
    (Detail::Chosen, Detail::Rounded),
    (Detail::Chosen, Detail::WithoutAlignment),
    (Detail::Chosen, Detail::Chosen),
];

/// JSON before and after the translations.
const JSON_BEGIN: &str = r#"{"translations":["#;
const JSON_END: &str = "]}";

/// Stored form of the shelf.
#[derive(Deserialize)]
struct StoredShelf {
    translations: Vec<Translation>,
}

/// Reads a stored shelf; one that this version does not understand is empty.
pub fn read(text: Option<&str>) -> Shelf {
    let stored = text.and_then(storage::read_json::<StoredShelf>);
    Shelf { translations: stored.into_iter().flat_map(|stored| stored.translations).map(Arc::new).collect() }
}

/// Writes shelves, and keeps the JSON of each translation that is still on the shelf.
#[derive(Default)]
pub struct ShelfWriter {
    /// Translations in the order of the shelf.
    written: Vec<Written>,
}

/// JSON of a translation.
struct Written {
    translation: Arc<Translation>,
    /// JSON before and after the passages.
    around: [String; 2],
    /// JSON of the passages, in their order.
    passages: Vec<WrittenPassage>,
}

/// JSON of a passage.
#[derive(Default)]
struct WrittenPassage {
    /// Size in bytes by level of detail, where it is known.
    bytes: [Option<usize>; 4],
    /// JSON written last, with its level of detail.
    json: Option<(Detail, String)>,
}

impl ShelfWriter {
    /// Returns the shelf as JSON of at most `most` bytes, and `true` if something by the user had to be left out for
    /// it. Precision is left out first, then alignment and candidates that were not chosen, in older texts before the
    /// newest; then whole texts. The newest translation is always stored.
    pub fn write(&mut self, shelf: &Shelf, most: usize) -> (String, bool) {
        let (mut shelf, mut lost) = (shelf.clone(), false);
        let mut step = DETAIL_STEPS[0];
        let mut further = DETAIL_STEPS.into_iter().skip(1);
        self.take(&shelf);
        loop {
            let commas = shelf.translations.len().saturating_sub(1);
            let texts: usize = self.by_detail(&shelf, step).map(|(written, detail)| written.bytes(detail)).sum();
            if JSON_BEGIN.len() + texts + commas + JSON_END.len() <= most {
                break;
            }
            match further.next() {
                Some(next) => step = next,
                None if shelf.translations.len() > 1 => lost |= shelf.drop_one(),
                None => break,
            }
        }
        let all: Vec<String> = self.by_detail(&shelf, step).map(|(written, detail)| written.json(detail)).collect();
        (format!("{JSON_BEGIN}{}{JSON_END}", all.join(",")), lost)
    }

    /// Takes the translations on the shelf, with the JSON written of them before.
    fn take(&mut self, shelf: &Shelf) {
        let mut before = std::mem::take(&mut self.written);
        let taken = shelf.translations.iter().map(|translation| {
            let place = before.iter().position(|written| written.translation.text == translation.text);
            Written::after(place.map(|place| before.swap_remove(place)), translation)
        });
        self.written = taken.collect();
    }

    /// Returns each translation to be stored with its level of detail. The JSON of translations that do not fit is kept
    /// too: they are still on the shelf when it is written next.
    fn by_detail<'a>(
        &'a mut self,
        stored: &'a Shelf,
        (older, newest): (Detail, Detail),
    ) -> impl Iterator<Item = (&'a mut Written, Detail)> {
        let is_stored =
            |written: &&mut Written| stored.translations.iter().any(|one| Arc::ptr_eq(one, &written.translation));
        self.written.iter_mut().filter(is_stored).zip(std::iter::once(newest).chain(std::iter::repeat(older)))
    }
}

impl Written {
    /// Returns the known JSON of a translation: that of passages unchanged since `before`, the JSON of the same text.
    fn after(before: Option<Self>, translation: &Arc<Translation>) -> Self {
        let mut before = match before {
            Some(before) if Arc::ptr_eq(&before.translation, translation) => return before,
            before => before,
        };
        let passage = |rendering: &Rendering| {
            let Self { translation, passages, .. } = before.as_mut()?;
            let place = translation.renderings.partition_point(|other| other.place() < rendering.place());
            let is_same = translation.renderings.get(place) == Some(rendering);
            passages.get_mut(place).filter(|_| is_same).map(std::mem::take)
        };
        let passages = translation.renderings.iter().map(passage).map(Option::unwrap_or_default).collect();
        Self { translation: translation.clone(), around: around(translation), passages }
    }

    fn json(&mut self, detail: Detail) -> String {
        let all: Vec<&str> = self.passages().map(|(passage, rendering)| passage.json(rendering, detail)).collect();
        let all = all.join(",");
        let [begin, end] = &self.around;
        format!("{begin}{all}{end}")
    }

    fn bytes(&mut self, detail: Detail) -> usize {
        let around: usize = self.around.iter().map(String::len).sum();
        let commas = self.passages.len().saturating_sub(1);
        around + commas + self.passages().map(|(passage, rendering)| passage.bytes(rendering, detail)).sum::<usize>()
    }

    fn passages(&mut self) -> impl Iterator<Item = (&mut WrittenPassage, &Rendering)> {
        self.passages.iter_mut().zip(&self.translation.renderings)
    }
}

/// Returns the JSON before and after the passages of a translation.
fn around(Translation { text, names, .. }: &Translation) -> [String; 2] {
    [format!("{{\"text\":{},\"renderings\":[", as_json(text)), format!("],\"names\":{}}}", as_json(names))]
}

impl WrittenPassage {
    fn json(&mut self, rendering: &Rendering, detail: Detail) -> &str {
        let known = self.json.take().filter(|(known, _)| *known == detail);
        let (_, json) = self.json.insert(known.unwrap_or_else(|| (detail, written(rendering, detail))));
        self.bytes[detail as usize] = Some(json.len());
        json
    }

    fn bytes(&mut self, rendering: &Rendering, detail: Detail) -> usize {
        self.bytes[detail as usize].unwrap_or_else(|| self.json(rendering, detail).len())
    }
}

fn written(rendering: &Rendering, detail: Detail) -> String {
    let lighten = match detail {
        Detail::Whole => return as_json(rendering),
        Detail::Rounded => round,
        Detail::WithoutAlignment => forget_alignment,
        Detail::Chosen => forget_others,
    };
    let mut lighter = rendering.clone();
    lighten(&mut lighter);
    as_json(&lighter)
}

/// Returns JSON of plain data with string keys, which always serialises.
fn as_json(data: &impl Serialize) -> String {
    serde_json::to_string(data).unwrap_or_default()
}

fn round(rendering: &mut Rendering) {
    let candidates = rendering.translated.candidates.iter_mut();
    for share in candidates.flat_map(|candidate| &mut candidate.words).flat_map(|word| &mut word.attention) {
        *share = (*share * 100.0).round() / 100.0;
    }
}

fn forget_alignment(rendering: &mut Rendering) {
    let candidates = rendering.translated.candidates.iter_mut();
    candidates.flat_map(|candidate| &mut candidate.words).for_each(|word| word.attention.clear());
}

fn forget_others(rendering: &mut Rendering) {
    forget_alignment(rendering);
    if let Some(chosen) = rendering.candidate().cloned() {
        rendering.translated.candidates = vec![chosen];
        rendering.chosen = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::translate::state::rendering::examples::rendering;

    fn shelf() -> Shelf {
        let mut newest = Translation { text: "a-na".into(), ..Translation::default() };
        newest.put(rendering(0, "a-na be-li₂", &["to my lord", "for the lord"]));
        newest.renderings[0].choose(1);
        let mut older = Translation { text: "um-ma".into(), ..Translation::default() };
        older.put(rendering(0, "um-ma", &["thus"]));
        Shelf { translations: vec![Arc::new(newest), Arc::new(older)] }
    }

    fn texts(translation: &Translation) -> Vec<&str> {
        translation.renderings.iter().map(Rendering::text).collect()
    }

    #[test]
    fn what_does_not_fit_goes_in_order_of_worth() {
        let shelf = shelf();
        let stored = |shelf: &Shelf, most: usize| ShelfWriter::default().write(shelf, most);
        let back = |most: usize| read(Some(&stored(&shelf, most).0));
        let whole = stored(&shelf, usize::MAX).0.len();
        assert_eq!(back(whole), shelf);
        let lighter = back(whole - 1);
        assert_eq!(lighter.translations[0], shelf.translations[0], "older texts give way first");
        assert!(lighter.translations[1].renderings[0].translated.candidates[0].words[0].attention.is_empty());
        let least = back(0);
        assert_eq!((least.translations.len(), texts(&least.translations[0])), (1, vec!["for the lord"]));
        let candidates = &least.translations[0].renderings[0].translated.candidates;
        assert!(candidates.len() == 1 && candidates[0].words[0].attention.is_empty());
        assert!(!stored(&shelf, 0).1);
        let mut own = shelf.clone();
        own.of_mut("um-ma").unwrap().renderings[0].edit("so");
        assert!(stored(&own, 0).1, "it is told that something of the user's is lost");
        assert!(!stored(&own, whole * 2).1);
    }

    #[test]
    fn a_writer_that_has_written_before_writes_the_same() {
        let mut shelf = shelf();
        let mut writer = ShelfWriter::default();
        let whole = writer.write(&shelf, usize::MAX).0.len();
        for (round, most) in [whole, whole - 1, whole / 2, 0, whole * 2].into_iter().enumerate() {
            shelf.of_mut("um-ma").unwrap().renderings[0].edit(&format!("so {round}"));
            let again = writer.write(&shelf, most);
            assert_eq!(again, ShelfWriter::default().write(&shelf, most), "{most} bytes");
            shelf.translations.reverse();
        }
    }

    #[test]
    fn only_passages_that_changed_are_written_anew_and_all_are_what_they_are_as_a_whole() {
        let mut shelf = shelf();
        let mut writer = ShelfWriter::default();
        let check = |writer: &mut ShelfWriter, shelf: &Shelf, as_before: &[bool]| {
            writer.take(shelf);
            let passages = &writer.written[0].passages;
            assert_eq!(passages.iter().map(|passage| passage.json.is_some()).collect::<Vec<_>>(), as_before);
            let whole: Vec<String> = shelf.translations.iter().map(|one| as_json(&**one)).collect();
            assert_eq!(writer.write(shelf, usize::MAX).0, format!("{JSON_BEGIN}{}{JSON_END}", whole.join(",")));
        };
        check(&mut writer, &shelf, &[false]);
        let newest = |shelf: &mut Shelf, change: &dyn Fn(&mut Translation)| change(shelf.of_mut("a-na").unwrap());
        newest(&mut shelf, &|own| own.put(rendering(2, "qi₂-bi₂-ma", &["speak"])));
        check(&mut writer, &shelf, &[true, false]);
        newest(&mut shelf, &|own| own.put(rendering(1, "um-ma", &["thus"])));
        check(&mut writer, &shelf, &[true, false, true]);
        newest(&mut shelf, &|own| own.renderings[1].edit("so \"he\""));
        check(&mut writer, &shelf, &[true, false, true]);
        newest(&mut shelf, &|own| {
            own.renderings.remove(0);
            own.names.insert("Aššur".into(), "Ashur".into());
        });
        check(&mut writer, &shelf, &[true, true]);
    }

    #[test]
    fn what_is_no_shelf_is_an_empty_one() {
        for text in [None, Some(""), Some("{}"), Some(r#"{"translations":[7]}"#)] {
            assert_eq!(read(text), Shelf::default());
        }
    }
}
