//! All translations that are kept, the newest first, one for each text that was translated; and how they are made to fit
//! into the browser's small storage.

use super::rendering::Rendering;
use crate::engine::protocol::translation::{Passage, Translated};
use serde::{Deserialize, Serialize};

/// How many texts' translations are kept.
const MOST_TEXTS: usize = 8;
/// How many bytes they may take together, as kept. Browsers allow about 5 MB in all, and the work comes first.
pub const MOST_BYTES: usize = 1_200_000;

/// What was translated of one text.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Translation {
    /// The text that it was made for, as typed.
    pub text: String,
    /// Its passages in the order of the text.
    pub renderings: Vec<Rendering>,
}

/// The translations that are kept, newest first.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Shelf {
    /// One for each text.
    pub translations: Vec<Translation>,
}

impl Translation {
    /// Puts a finished passage in its place. What was there before gives way: the same passage hands over what the user made
    /// of it, others whose lines are translated anew go unless they hold the user's own wording.
    pub fn put(&mut self, mut new: Rendering) {
        if let Some(before) = self.renderings.iter().find(|before| before.key() == new.key()) {
            new.take_over(before);
        }
        let lines = new.translated.lines.clone();
        let overlaps = |other: &Translated| other.lines.start < lines.end && lines.start < other.lines.end;
        self.renderings
            .retain(|before| before.key() != new.key() && (before.edited.is_some() || !overlaps(&before.translated)));
        let place = self.renderings.partition_point(|other| other.translated.lines.start < lines.start);
        self.renderings.insert(place, new);
    }

    /// The rendering with this key.
    pub fn find(&mut self, key: &(usize, String)) -> Option<&mut Rendering> {
        self.renderings.iter_mut().find(|rendering| rendering.is(key))
    }
}

impl Shelf {
    /// The translation of this text, or else the newest, which is then of an earlier wording or of another text.
    pub fn shown(&self, text: &str) -> Option<&Translation> {
        self.translations.iter().find(|translation| translation.text == text).or(self.translations.first())
    }

    /// The translation of this text to be written on, now the newest. A new one begins with what still holds of the newest
    /// one before, moved to where it stands now, and with what the user wrote themselves; `standing` says which passages
    /// those of [`Shelf::shown`] translate now.
    pub fn begin(&mut self, text: &str, standing: &[Option<Passage>]) -> &mut Translation {
        let new = match self.translations.iter().position(|translation| translation.text == text) {
            Some(place) => self.translations.remove(place),
            None => Translation { text: text.to_owned(), renderings: self.carried(standing) },
        };
        self.translations.insert(0, new);
        self.translations.truncate(MOST_TEXTS);
        &mut self.translations[0]
    }

    fn carried(&self, standing: &[Option<Passage>]) -> Vec<Rendering> {
        let before = self.translations.first().map_or(&[][..], |newest| &newest.renderings);
        let something_holds = standing.iter().any(Option::is_some);
        let carry = |(rendering, now): (&Rendering, &Option<Passage>)| match now {
            Some(passage) => {
                let mut moved = rendering.clone();
                let Translated { lines, words, .. } = Translated::beginning(passage);
                (moved.translated.lines, moved.translated.words) = (lines, words);
                Some(moved)
            }
            None => (something_holds && rendering.edited.is_some()).then(|| rendering.clone()),
        };
        let mut carried: Vec<Rendering> = before.iter().zip(standing).filter_map(carry).collect();
        carried.sort_by_key(|rendering| rendering.translated.lines.start);
        carried
    }

    /// Puts the translation away that is shown for this text.
    pub fn put_away(&mut self, text: &str) {
        let shown = self.shown(text).map(|translation| translation.text.clone());
        self.translations.retain(|translation| Some(&translation.text) != shown.as_ref());
    }

    /// The shelf as kept, within `most` bytes: first the oldest texts go, then which words belong together, then the
    /// translations that were not chosen. The newest translation itself always stays.
    pub fn to_keep(&self, most: usize) -> String {
        let mut kept = self.clone();
        let mut json = written(&kept);
        while json.len() > most && kept.translations.len() > 1 {
            kept.translations.pop();
            json = written(&kept);
        }
        for lighten in [round, forget_alignment, forget_others] {
            if json.len() <= most {
                break;
            }
            kept.translations.iter_mut().flat_map(|translation| &mut translation.renderings).for_each(lighten);
            json = written(&kept);
        }
        json
    }
}

fn written(shelf: &Shelf) -> String {
    // Plain data with string keys always serialises.
    serde_json::to_string(shelf).unwrap_or_default()
}

/// Two digits say which words belong together as well as eight.
fn round(rendering: &mut Rendering) {
    let candidates = rendering.translated.candidates.iter_mut();
    for share in candidates.flat_map(|candidate| &mut candidate.words).flat_map(|word| &mut word.looked_at) {
        *share = (*share * 100.0).round() / 100.0;
    }
}

fn forget_alignment(rendering: &mut Rendering) {
    let candidates = rendering.translated.candidates.iter_mut();
    candidates.flat_map(|candidate| &mut candidate.words).for_each(|word| word.looked_at.clear());
}

fn forget_others(rendering: &mut Rendering) {
    if let Some(chosen) = rendering.candidate().cloned() {
        rendering.translated.candidates = vec![chosen];
        rendering.chosen = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::super::plan::Present;
    use super::super::toy::rendering;
    use super::*;
    use crate::text::Document;

    fn texts(translation: &Translation) -> Vec<&str> {
        translation.renderings.iter().map(Rendering::text).collect()
    }

    fn begin<'s>(shelf: &'s mut Shelf, text: &str) -> &'s mut Translation {
        let document = Document::read(text);
        let standing =
            shelf.shown(text).map(|shown| Present::new(&document, &[]).stand(&shown.renderings)).unwrap_or_default();
        shelf.begin(text, &standing)
    }

    #[test]
    fn passages_stand_in_order_and_keep_what_the_user_did() {
        let mut translation = Translation::default();
        translation.put(rendering(1, "um-ma", &["thus"]));
        translation.put(rendering(0, "a-na", &["to", "for"]));
        assert_eq!(texts(&translation), ["to", "thus"]);
        translation.renderings[0].choose(1);
        translation.renderings[1].edit("so");
        translation.put(rendering(0, "a-na", &["to", "for"]));
        translation.put(rendering(1, "um-ma", &["thus says"]));
        assert_eq!(texts(&translation), ["for", "so"]);
        // Both lines together: what the user wrote for one of them stays beside the new translation.
        let mut whole = rendering(0, "a-na um-ma", &["to thus"]);
        whole.translated.lines = 0..2;
        translation.put(whole);
        assert_eq!(texts(&translation), ["to thus", "so"]);
    }

    #[test]
    fn each_text_has_its_own_translation_and_begins_with_what_still_holds() {
        let mut shelf = Shelf::default();
        begin(&mut shelf, "a-na\num-ma").put(rendering(0, "a-na", &["to"]));
        shelf.translations[0].put(rendering(1, "um-ma", &["thus"]));
        assert_eq!(shelf.shown("qi₂-bi₂-ma").map(texts), Some(vec!["to", "thus"]), "an outdated one still shows");
        let edited = begin(&mut shelf, "x\nqi₂\na-na");
        assert_eq!(texts(edited), ["to"]);
        assert_eq!(edited.renderings[0].translated.lines, 2..3);
        assert_eq!(shelf.shown("a-na\num-ma").map(texts), Some(vec!["to", "thus"]), "undo finds the earlier one");
        assert_eq!(texts(begin(&mut shelf, "a-na\num-ma")), ["to", "thus"]);
        assert_eq!(shelf.translations.len(), 2);
        begin(&mut shelf, "KU₃.BABBAR");
        assert!(shelf.translations[0].renderings.is_empty(), "another text begins with nothing");
        shelf.put_away("KU₃.BABBAR");
        assert_eq!(shelf.translations.len(), 2);
    }

    #[test]
    fn the_shelf_is_bounded() {
        let mut shelf = Shelf::default();
        for number in 0..MOST_TEXTS + 3 {
            begin(&mut shelf, &format!("a-na {number}"));
        }
        assert_eq!(shelf.translations.len(), MOST_TEXTS);
    }

    #[test]
    fn what_does_not_fit_goes_in_order_of_worth() {
        let mut shelf = Shelf::default();
        begin(&mut shelf, "um-ma").put(rendering(0, "um-ma", &["thus"]));
        begin(&mut shelf, "a-na").put(rendering(0, "a-na be-li₂", &["to my lord", "for the lord"]));
        shelf.translations[0].renderings[0].choose(1);
        let read = |most: usize| serde_json::from_str::<Shelf>(&shelf.to_keep(most)).unwrap();
        let whole = written(&shelf).len();
        assert_eq!(read(whole), shelf);
        assert_eq!(read(whole - 1).translations, shelf.translations[..1]);
        let least = read(0);
        assert_eq!(texts(&least.translations[0]), ["for the lord"]);
        let candidates = &least.translations[0].renderings[0].translated.candidates;
        assert!(candidates.len() == 1 && candidates[0].words[0].looked_at.is_empty());
    }
}
