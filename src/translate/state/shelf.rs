//! All stored translations, newest first, one for each translated text.

use super::rendering::Rendering;
use crate::texts::likeness::{MIN_LIKENESS, likeness, words};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use tuppum_protocol::translation::{Passage, Translated};

/// Maximum number of stored translations; more are kept only while the user wrote a wording in each of them.
const MAX_TEXTS: usize = 24;

/// Translation of one text.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Translation {
    /// Text that was translated, as typed.
    pub text: String,
    /// Passages in the order of the text.
    pub renderings: Vec<Rendering>,
    /// Renderings that the user chose for proper names, by the name as the translator reads it.
    #[serde(default)]
    pub names: BTreeMap<String, String>,
}

/// Stored translations, newest first. A copy shares them until one is changed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Shelf {
    pub translations: Vec<Arc<Translation>>,
}

impl Translation {
    /// Inserts a finished passage. An earlier translation of the same passage is replaced and hands over the user's
    /// changes; other passages that overlap the new one are removed unless the user wrote a wording for them.
    pub fn put(&mut self, mut new: Rendering) {
        if let Some(before) = self.renderings.iter().find(|before| before.key() == new.key()) {
            new.take_over(before);
        }
        self.renderings.retain(|before| before.key() != new.key() && (before.is_the_users() || !before.overlaps(&new)));
        let place = self.renderings.partition_point(|other| other.place() < new.place());
        self.renderings.insert(place, new);
    }

    /// Restores the choices, wordings and names of an earlier state; passages that were added since stay.
    pub fn go_back_to(&mut self, before: Self) {
        for old in before.renderings {
            if let Some(own) = self.find(&old.key()) {
                (own.chosen, own.edited, own.own, own.draft) = (old.chosen, old.edited, old.own, old.draft);
            }
        }
        self.names = before.names;
    }

    /// Returns the rendering with this key.
    pub fn find(&mut self, key: &(usize, String)) -> Option<&mut Rendering> {
        self.renderings.iter_mut().find(|rendering| rendering.is(key))
    }
}

impl Shelf {
    /// Returns the translation of this text, or else that of the most similar text, if it is similar enough to be an
    /// earlier wording of this one. The `others` are known to be different texts and are left out. Of equally similar
    /// texts the newest wins.
    pub fn shown(&self, text: &str, others: &BTreeSet<String>) -> Option<&Translation> {
        self.translations.get(self.nearest(text, others)?).map(Arc::as_ref)
    }

    /// Returns the translation that [`Shelf::shown`] returns, to change it.
    pub fn shown_mut(&mut self, text: &str, others: &BTreeSet<String>) -> Option<&mut Translation> {
        let place = self.nearest(text, others)?;
        self.translations.get_mut(place).map(Arc::make_mut)
    }

    /// Returns the translation of exactly this text.
    pub fn of(&self, text: &str) -> Option<&Translation> {
        self.translations.iter().find(|translation| translation.text == text).map(Arc::as_ref)
    }

    /// Returns the translation of exactly this text, to change it.
    pub fn of_mut(&mut self, text: &str) -> Option<&mut Translation> {
        self.translations.iter_mut().find(|translation| translation.text == text).map(Arc::make_mut)
    }

    fn nearest(&self, text: &str, others: &BTreeSet<String>) -> Option<usize> {
        let own = self.translations.iter().position(|translation| translation.text == text);
        own.or_else(|| {
            let words = words(text);
            let newest_last = self.translations.iter().enumerate().rev();
            let newest_last = newest_last.filter(|(_, other)| !others.contains(&other.text));
            let alike = newest_last.map(|(place, other)| (place, likeness(&words, &other.text)));
            alike
                .filter(|(_, likeness)| *likeness >= MIN_LIKENESS)
                .max_by_key(|(_, likeness)| *likeness)
                .map(|(place, _)| place)
        })
    }

    /// Returns the translation of this text, to add passages to, and makes it the newest. A new one starts with the
    /// still valid passages of the one shown before, moved to their present lines, and with the user's own wordings.
    /// `standing` has the passage that each rendering of [`Shelf::shown`] translates now.
    pub fn begin(&mut self, text: &str, others: &BTreeSet<String>, standing: &[Option<Passage>]) -> &mut Translation {
        let new = match self.translations.iter().position(|translation| translation.text == text) {
            Some(place) => self.translations.remove(place),
            None => Arc::new(self.carried(text, others, standing, false)),
        };
        self.insert(new);
        Arc::make_mut(&mut self.translations[0])
    }

    /// Adds a translation as the newest. If there are too many, the oldest without anything by the user are removed.
    fn insert(&mut self, new: Arc<Translation>) {
        self.translations.insert(0, new);
        while self.translations.len() > MAX_TEXTS
            && let Some(place) = self.oldest_without_the_users()
        {
            self.translations.remove(place);
        }
    }

    /// Stores a copy of the translation that is shown for this text as this text's own, with the outdated passages; the
    /// translation of the earlier wording stays as it was.
    pub fn adopt(&mut self, text: &str, others: &BTreeSet<String>, standing: &[Option<Passage>]) {
        if self.of(text).is_none() {
            self.insert(Arc::new(self.carried(text, others, standing, true)));
        }
    }

    fn carried(&self, text: &str, others: &BTreeSet<String>, standing: &[Option<Passage>], whole: bool) -> Translation {
        let something_holds = standing.iter().any(Option::is_some);
        let carry = |(rendering, now): (&Rendering, &Option<Passage>)| match now {
            Some(passage) => {
                let mut moved = rendering.clone();
                let Translated { lines, words, .. } = Translated::beginning(passage);
                (moved.translated.lines, moved.translated.words) = (lines, words);
                Some(moved)
            }
            None => (whole || something_holds && rendering.is_the_users()).then(|| rendering.clone()),
        };
        let before = self.shown(text, others);
        let renderings = before.map_or(&[][..], |before| &before.renderings);
        let mut renderings: Vec<Rendering> = renderings.iter().zip(standing).filter_map(carry).collect();
        renderings.sort_by_key(Rendering::place);
        let names = before.filter(|_| whole || something_holds).map(|before| before.names.clone()).unwrap_or_default();
        Translation { text: text.to_owned(), renderings, names }
    }

    /// Removes the oldest translation whose wordings by the user, if any, are in another translation too, or else the
    /// oldest of all; never the newest. Returns `true` if a wording of the user's was lost.
    pub(super) fn drop_one(&mut self) -> bool {
        let free = self.oldest_without_the_users();
        self.translations.remove(free.unwrap_or(self.translations.len().saturating_sub(1)));
        free.is_none()
    }

    fn oldest_without_the_users(&self) -> Option<usize> {
        (1..self.translations.len()).rev().find(|place| !self.has_something_of_the_users(*place))
    }

    fn has_something_of_the_users(&self, place: usize) -> bool {
        let own = |translation: &'_ Translation| -> BTreeSet<(String, Option<String>)> {
            let users = translation.renderings.iter().filter(|rendering| rendering.is_the_users());
            users.map(|one| (one.translated.source.clone(), one.draft.clone().or(one.edited.clone()))).collect()
        };
        let others = self.translations.iter().enumerate().filter(|(other, _)| *other != place);
        let elsewhere: BTreeSet<_> = others.flat_map(|(_, translation)| own(translation)).collect();
        self.translations.get(place).is_some_and(|translation| !own(translation).is_subset(&elsewhere))
    }

    /// Removes the translation that is shown for this text and returns it.
    pub fn delete(&mut self, text: &str, others: &BTreeSet<String>) -> Option<Translation> {
        let place = self.nearest(text, others)?;
        Some(Arc::unwrap_or_clone(self.translations.remove(place)))
    }

    /// Adds a deleted translation, or some passages of one, again.
    pub fn put_back(&mut self, deleted: Translation) {
        match self.of_mut(&deleted.text) {
            Some(translation) => {
                for rendering in deleted.renderings {
                    if translation.find(&rendering.key()).is_none() {
                        translation.renderings.push(rendering);
                    }
                }
                translation.renderings.sort_by_key(Rendering::place);
            }
            None => self.translations.insert(0, Arc::new(deleted)),
        }
    }

    /// Merges in what another tab stored since both tabs had `before`. Where both changed the translation of one text,
    /// the one of this tab stays.
    pub fn merge(&mut self, before: &Self, theirs: Self) {
        let find =
            |shelf: &Self, text: &str| shelf.translations.iter().position(|translation| translation.text == text);
        // New translations are inserted before those that both tabs had, but behind the one in use in this tab.
        let mut new = self.translations.len().min(1);
        for their in theirs.translations {
            let base = find(before, &their.text).and_then(|place| before.translations.get(place));
            if base == Some(&their) {
                continue;
            }
            match find(self, &their.text).and_then(|place| self.translations.get_mut(place)) {
                Some(own) if base == Some(own) => *own = their,
                Some(_) => {}
                None => {
                    self.translations.insert(new, their);
                    new += 1;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::translate::state::passages::PresentText;
    use crate::translate::state::rendering::examples::rendering;
    use tuppum_text::Document;

    const NONE: BTreeSet<String> = BTreeSet::new();

    fn texts(translation: &Translation) -> Vec<&str> {
        translation.renderings.iter().map(Rendering::text).collect()
    }

    fn newest(shelf: &mut Shelf) -> &mut Translation {
        Arc::make_mut(&mut shelf.translations[0])
    }

    fn begin<'s>(shelf: &'s mut Shelf, text: &str) -> &'s mut Translation {
        let document = Document::read(text);
        let standing = shelf
            .shown(text, &NONE)
            .map(|shown| PresentText::new(&document, &[]).stand(&shown.renderings))
            .unwrap_or_default();
        shelf.begin(text, &NONE, &standing)
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
        // Both lines together: the user's wording for one of them stays beside the new translation.
        let mut whole = rendering(0, "a-na um-ma", &["to thus"]);
        whole.translated.lines = 0..2;
        translation.put(whole);
        assert_eq!(texts(&translation), ["to thus", "so"]);
    }

    #[test]
    fn each_text_has_its_own_translation_and_begins_with_what_still_holds() {
        let mut shelf = Shelf::default();
        begin(&mut shelf, "a-na\num-ma").put(rendering(0, "a-na", &["to"]));
        newest(&mut shelf).put(rendering(1, "um-ma", &["thus"]));
        assert_eq!(
            shelf.shown("a-na\nšu-ma", &NONE).map(texts),
            Some(vec!["to", "thus"]),
            "an outdated one still shows"
        );
        assert_eq!(shelf.shown("1. qi₂-bi₂-ma", &NONE), None, "but not under a text that has nothing to do with it");
        let other = BTreeSet::from(["a-na\num-ma".to_owned()]);
        assert_eq!(shelf.shown("a-na\nšu-ma", &other), None, "nor that of another text, however like it is");
        let edited = begin(&mut shelf, "x\nqi₂\na-na");
        assert_eq!(texts(edited), ["to"]);
        assert_eq!(edited.renderings[0].translated.lines, 2..3);
        assert_eq!(
            shelf.shown("a-na\num-ma", &NONE).map(texts),
            Some(vec!["to", "thus"]),
            "undo finds the earlier one"
        );
        assert_eq!(texts(begin(&mut shelf, "a-na\num-ma")), ["to", "thus"]);
        assert_eq!(shelf.translations.len(), 2);
        begin(&mut shelf, "KU₃.BABBAR");
        assert!(shelf.translations[0].renderings.is_empty(), "another text begins with nothing");
        shelf.delete("KU₃.BABBAR", &NONE);
        assert_eq!(shelf.translations.len(), 2);
    }

    #[test]
    fn the_text_most_like_the_present_one_is_shown_and_carried_on() {
        let mut shelf = Shelf::default();
        begin(&mut shelf, "a-na be-li₂\nqi₂-bi₂").put(rendering(0, "a-na be-li₂", &["to my lord"]));
        newest(&mut shelf).renderings[0].edit("unto my lord");
        begin(&mut shelf, "um-ma a-na\nKU₃.BABBAR").put(rendering(0, "um-ma a-na", &["thus to"]));
        assert_eq!(shelf.shown("a-na be-li₂\nqi₂-bi₂-ma", &NONE).map(texts), Some(vec!["unto my lord"]));
        assert_eq!(shelf.shown("a-na", &NONE).map(texts), Some(vec!["thus to"]), "the newest of equals");
        assert_eq!(shelf.shown("{d}UTU", &NONE), None);
        assert_eq!(texts(begin(&mut shelf, "a-na be-li₂\nqi₂-bi₂-ma")), ["unto my lord"]);
    }

    #[test]
    fn what_goes_from_a_shortened_text_stays_with_the_longer_one() {
        let mut shelf = Shelf::default();
        begin(&mut shelf, "a-na\num-ma").put(rendering(0, "a-na", &["to"]));
        newest(&mut shelf).put(rendering(1, "um-ma", &["thus"]));
        let before = shelf.clone();
        let document = Document::read("a-na");
        let standing = PresentText::new(&document, &[]).stand(&before.translations[0].renderings);
        shelf.adopt("a-na", &NONE, &standing);
        assert_eq!(texts(&shelf.translations[0]), ["to", "thus"], "nothing goes by itself");
        newest(&mut shelf).renderings.remove(1);
        assert_eq!(shelf.shown("a-na", &NONE).map(texts), Some(vec!["to"]));
        assert_eq!(shelf.translations[1..], before.translations);
        let one = shelf.clone();
        shelf.adopt("a-na", &NONE, &[]);
        assert_eq!(shelf, one, "a text that has its own keeps it");
    }

    #[test]
    fn what_is_deleted_comes_back() {
        let mut shelf = Shelf::default();
        begin(&mut shelf, "a-na\num-ma").put(rendering(0, "a-na", &["to"]));
        newest(&mut shelf).put(rendering(1, "um-ma", &["thus"]));
        let before = shelf.clone();
        let deleted = shelf.delete("a-na\num-ma", &NONE).unwrap();
        assert!(shelf.translations.is_empty() && shelf.delete("a-na", &NONE).is_none());
        shelf.put_back(deleted.clone());
        assert_eq!(shelf, before);
        newest(&mut shelf).renderings[0].edit("unto");
        newest(&mut shelf).renderings.remove(1);
        shelf.put_back(deleted);
        assert_eq!(texts(&shelf.translations[0]), ["unto", "thus"], "what was made since stays");
    }

    #[test]
    fn two_tabs_lose_nothing_of_each_other() {
        let mut before = Shelf::default();
        for text in ["a-na", "um-ma", "qi₂"] {
            begin(&mut before, text).put(rendering(0, text, &["machine"]));
        }
        let (mut ours, mut theirs) = (before.clone(), before.clone());
        let edit = |shelf: &mut Shelf, text: &str, wording: &str| {
            shelf.of_mut(text).unwrap().renderings[0].edit(wording);
        };
        edit(&mut ours, "a-na", "ours");
        edit(&mut theirs, "a-na", "theirs");
        edit(&mut theirs, "um-ma", "theirs");
        ours.delete("qi₂", &NONE);
        begin(&mut theirs, "{d}UTU").put(rendering(0, "{d}UTU", &["Šamaš"]));
        ours.merge(&before, theirs);
        let found = |text: &str| ours.of(text).map(texts);
        assert_eq!(found("a-na"), Some(vec!["ours"]));
        assert_eq!(found("um-ma"), Some(vec!["theirs"]));
        assert_eq!((found("qi₂"), found("{d}UTU")), (None, Some(vec!["Šamaš"])));
    }

    #[test]
    fn the_shelf_is_bounded_and_what_the_user_wrote_goes_last() {
        let mut shelf = Shelf::default();
        begin(&mut shelf, "um-ma").put(rendering(0, "um-ma", &["thus"]));
        newest(&mut shelf).renderings[0].edit("so");
        for number in 0..MAX_TEXTS + 3 {
            begin(&mut shelf, &format!("a-na {number}"));
        }
        assert_eq!(shelf.translations.len(), MAX_TEXTS);
        assert_eq!(shelf.shown("um-ma", &NONE).map(texts), Some(vec!["so"]));
        // Corrections of a text carry its wordings along, so that earlier states of the text are removed first.
        begin(&mut shelf, "um-ma\nx");
        assert!(shelf.has_something_of_the_users(0) && shelf.translations.iter().all(|one| one.text != "um-ma"));
        for number in 0..MAX_TEXTS + 3 {
            let text = format!("{{d}}UTU {number}");
            begin(&mut shelf, &text).put(rendering(0, &text, &["Šamaš"]));
            newest(&mut shelf).renderings[0].edit("Shamash");
        }
        assert_eq!(shelf.translations.len(), MAX_TEXTS + 4, "what the user wrote is bounded by its bytes alone");
    }
}
