//! Translated passages against the present text: which are still valid, what is left to translate, a signal for each
//! passage that is drawn, and the labels of lines.
//!
//! A drawn passage is notified of its own changes only: if all of them recomputed whenever one is finished, a long text
//! would keep the page busy. Labels are as in the edition, with side and column where the label alone is ambiguous.

use super::rendering::{Provenance, Rendering};
use super::shelf::Shelf;
use crate::restore::state::Workbench;
use crate::restore::state::work::Accepted;
use leptos::prelude::*;
use std::collections::{BTreeSet, HashMap};
use std::ops::Range;
use tuppum_protocol::Filled;
use tuppum_protocol::translation::{Passage, Question, Scope, Translated, passages};
use tuppum_text::{Document, LineKind};

/// The present text, cut into passages in every way in which some part of it was translated.
pub struct PresentText<'a> {
    document: &'a Document,
    filled: &'a [Filled],
    cut: Vec<((Scope, bool), Vec<Passage>)>,
}

impl<'a> PresentText<'a> {
    /// Returns the text with its accepted restorations.
    pub fn new(document: &'a Document, filled: &'a [Filled]) -> Self {
        Self { document, filled, cut: Vec::new() }
    }

    fn passages(&mut self, scope: Scope, restored: bool) -> &[Passage] {
        let place = match self.cut.iter().position(|(how, _)| *how == (scope, restored)) {
            Some(place) => place,
            None => {
                let filled = if restored { self.filled } else { &[] };
                self.cut.push(((scope, restored), passages(self.document, filled, scope)));
                self.cut.len() - 1
            }
        };
        &self.cut[place].1
    }

    /// Returns for each rendering the passage of the present text that it translates. `None` marks an outdated
    /// rendering: no passage left has the text that the model read for it. A passage that only moved is found again.
    pub fn stand(&mut self, renderings: &[Rendering]) -> Vec<Option<Passage>> {
        let mut found: Vec<Option<Passage>> = vec![None; renderings.len()];
        let mut taken: Vec<(Scope, bool, usize)> = Vec::new();
        for moved in [false, true] {
            for (place, rendering) in renderings.iter().enumerate() {
                if found[place].is_some() {
                    continue;
                }
                let (scope, restored) = (rendering.made.scope, rendering.made.restored);
                let Translated { lines, source, .. } = &rendering.translated;
                let fits = |(number, passage): &(usize, &Passage)| {
                    passage.text == *source
                        && (moved || passage.lines == *lines)
                        && !taken.contains(&(scope, restored, *number))
                };
                let nearest = |(_, passage): &(usize, &Passage)| passage.lines.start.abs_diff(lines.start);
                let passages = self.passages(scope, restored).iter().enumerate();
                if let Some((number, passage)) = passages.filter(fits).min_by_key(nearest) {
                    found[place] = Some(passage.clone());
                    taken.push((scope, restored, number));
                }
            }
        }
        found
    }
}

/// Returns the question restricted to passages that are not translated in this way yet; `None` if all are. `standing`
/// has the passage that each rendering translates.
pub fn remaining(
    question: &Question,
    made: &Provenance,
    document: &Document,
    renderings: &[Rendering],
    standing: &[Option<Passage>],
) -> Option<Question> {
    let is_done = |passage: &Passage| {
        let same = |(rendering, now): (&Rendering, &Option<Passage>)| {
            let here = now.as_ref().is_some_and(|now| now.lines == passage.lines && now.text == passage.text);
            here && rendering.made.is_like(made) && !rendering.is_unfinished()
        };
        renderings.iter().zip(standing).any(same)
    };
    let asked = question.passages(document);
    let left: Vec<usize> =
        asked.iter().filter(|passage| !is_done(passage)).map(|passage| passage.lines.start).collect();
    match left.len() {
        0 => None,
        some if some == asked.len() => Some(question.clone()),
        _ => Some(Question { only: Some(left), ..question.clone() }),
    }
}

/// Translation that is shown for the text on the workbench.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ShownTranslation {
    /// Renderings, each with the passage of the present text that it translates; `None` for an outdated one.
    pub passages: Vec<(Rendering, Option<Passage>)>,
}

impl ShownTranslation {
    /// Returns renderings and passages separately.
    pub fn unzip(&self) -> (Vec<Rendering>, Vec<Option<Passage>>) {
        self.passages.iter().cloned().unzip()
    }

    /// Returns the number of outdated renderings.
    pub fn outdated(&self) -> usize {
        self.passages.iter().filter(|(_, now)| now.is_none()).count()
    }
}

/// Returns the stored translation that belongs to the present text, with the passages that its renderings translate.
pub fn show(workbench: Workbench, shelf: &Shelf, others: &BTreeSet<String>) -> ShownTranslation {
    let document = workbench.text.document.get();
    let filled: Vec<_> = workbench.text.work.with(|work| work.accepted.iter().map(Accepted::filled).collect());
    let Some(translation) = shelf.shown(&document.source, others) else { return ShownTranslation::default() };
    let standing = PresentText::new(&document, &filled).stand(&translation.renderings);
    // Restorations are taken from the present text: a typed sign may have been restored since, and the reverse.
    let with_words = |(rendering, now): (&Rendering, Option<Passage>)| {
        let mut rendering = rendering.clone();
        if let Some(passage) = &now {
            rendering.translated.words = Translated::beginning(passage).words;
        }
        (rendering, now)
    };
    ShownTranslation { passages: translation.renderings.iter().zip(standing).map(with_words).collect() }
}

/// Identifies a passage within its text: its first line, and the source that the model read.
pub type PassageKey = (usize, String);
/// A rendering with the passage that it translates now (`None` if it is outdated); the whole is `None` once the
/// rendering is gone. An effect updates it a moment after the text has changed.
pub type PassageSignal = RwSignal<Option<(Rendering, Option<Passage>)>>;

/// Signals of the drawn passages; `Copy`, as signals are.
#[derive(Clone, Copy)]
pub struct PassageSignals {
    shown: Memo<ShownTranslation>,
    drawn: StoredValue<HashMap<PassageKey, PassageSignal>>,
}

impl PassageSignals {
    /// Returns an empty set that follows `shown`.
    pub fn new(shown: Memo<ShownTranslation>) -> Self {
        let all = Self { shown, drawn: StoredValue::new(HashMap::new()) };
        Effect::new(move |_| shown.with(|shown| all.tell(shown)));
        all
    }

    /// Returns the signal of a passage, updated as long as the calling component is there.
    pub fn draw(self, key: &PassageKey) -> PassageSignal {
        let own = self.shown.with_untracked(|shown| shown.passages.iter().find(|(one, _)| one.is(key)).cloned());
        let standing = RwSignal::new(own);
        self.drawn.update_value(|standings| {
            standings.insert(key.clone(), standing);
        });
        let key = key.clone();
        on_cleanup(move || {
            self.drawn.try_update_value(|standings| {
                if standings.get(&key) == Some(&standing) {
                    standings.remove(&key);
                }
            });
        });
        standing
    }

    /// Updates the signals of the passages that have changed.
    fn tell(self, shown: &ShownTranslation) {
        let present: HashMap<PassageKey, _> = shown.passages.iter().map(|own| (own.0.key(), own)).collect();
        let differs = |(key, standing): (&PassageKey, &PassageSignal)| {
            let own = present.get(key).copied();
            let is_same = standing.try_with_untracked(|before| before.as_ref() == own)?;
            (!is_same).then(|| (*standing, own.cloned()))
        };
        // Collected first, because a subscriber may draw another passage.
        let changed: Vec<_> = self.drawn.with_value(|standings| standings.iter().filter_map(differs).collect());
        for (standing, own) in changed {
            standing.try_set(own);
        }
    }
}

/// Roman numerals by which editions count the columns of a side.
const COLUMN_NUMERALS: [&str; 12] = ["i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii"];

/// Position of a line on its tablet.
#[derive(Clone, Debug, Default, PartialEq)]
struct TabletPosition {
    side: String,
    column: String,
    label: String,
}

impl TabletPosition {
    /// Returns side and column as a prefix of the label.
    fn prefix(&self) -> String {
        [&self.side, &self.column].into_iter().filter(|part| !part.is_empty()).map(|part| format!("{part} ")).collect()
    }

    /// Moves to the side or column of a surface line, such as `@obverse` or `@column 2`.
    fn enter(&mut self, typed: &str) {
        let name = typed.trim().trim_start_matches('@').trim_end_matches(['?', '!']);
        let (first, number) = name.split_once(' ').unwrap_or((name, ""));
        match first {
            "column" => {
                let roman = number
                    .trim_end_matches('\'')
                    .parse()
                    .ok()
                    .and_then(|n: usize| COLUMN_NUMERALS.get(n.checked_sub(1)?));
                roman.copied().unwrap_or(number).clone_into(&mut self.column);
                return;
            }
            "obverse" => "o".clone_into(&mut self.side),
            "reverse" => "r".clone_into(&mut self.side),
            "tablet" | "object" | "fragment" => self.side.clear(),
            _ => name.clone_into(&mut self.side),
        }
        self.column.clear();
    }
}

/// Returns the labels of some lines of a document: `3`, `1–4`; where two lines of the document have the same label, `o
/// 1–r 4` (obverse, reverse) or `o ii 3` (second column), as Oracc writes.
pub fn lines_of(document: &Document, lines: &Range<usize>) -> String {
    let mut number = 0;
    let mut here = TabletPosition::default();
    let (mut all, mut asked, mut twice) = (BTreeSet::new(), Vec::new(), false);
    for (place, line) in document.lines.iter().enumerate() {
        match line.kind {
            LineKind::Surface => here.enter(line.span.of(&document.source)),
            LineKind::Text => {
                number += 1;
                here.label = line.label_in(&document.source).map_or_else(|| number.to_string(), str::to_owned);
                twice |= !all.insert(here.label.clone());
                asked.extend(lines.contains(&place).then(|| here.clone()));
            }
            _ => {}
        }
    }
    let prefix = |position: &TabletPosition| if twice { position.prefix() } else { String::new() };
    match asked.as_slice() {
        [] => (lines.start + 1).to_string(),
        [only] => prefix(only) + &only.label,
        [first, .., last] => {
            let again = if prefix(last) == prefix(first) { String::new() } else { prefix(last) };
            format!("{}{}–{again}{}", prefix(first), first.label, last.label)
        }
    }
}

/// Returns the label of a translated passage: that of the passage `now` in the present text, or of an outdated one the
/// label in the text that it was made for.
pub fn label(document: &Document, rendering: &Rendering, now: Option<&Passage>) -> String {
    match now {
        Some(passage) => lines_of(document, &passage.lines),
        None if rendering.label.is_empty() => lines_of(document, &rendering.translated.lines),
        None => rendering.label.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::translate::state::rendering::examples::{made, rendering};

    fn lines(text: &str, renderings: &[Rendering]) -> Vec<Option<usize>> {
        let document = Document::read(text);
        let standing = PresentText::new(&document, &[]).stand(renderings);
        standing.into_iter().map(|passage| passage.map(|passage| passage.lines.start)).collect()
    }

    #[test]
    fn a_translation_is_valid_only_for_what_the_model_read() {
        let both = [rendering(0, "a-na", &["to"]), rendering(1, "um-ma", &["thus"])];
        assert_eq!(lines("a-na\num-ma", &both), [Some(0), Some(1)]);
        assert_eq!(lines("a-na#\n[um-ma]", &both), [Some(0), Some(1)], "the model reads the same");
        assert_eq!(lines("a-na\num-mi", &both), [Some(0), None]);
        assert_eq!(lines("", &both), [None, None]);
    }

    #[test]
    fn what_moved_is_found_again() {
        let both = [rendering(0, "a-na", &["to"]), rendering(1, "um-ma", &["thus"])];
        assert_eq!(lines("qi₂-bi₂-ma\na-na\num-ma", &both), [Some(1), Some(2)]);
        let twice = [rendering(0, "a-na", &["to"]), rendering(1, "a-na", &["for"])];
        assert_eq!(lines("a-na\na-na", &twice), [Some(0), Some(1)]);
        assert_eq!(lines("a-na", &twice), [Some(0), None], "one passage has one translation");
    }

    #[test]
    fn the_pieces_of_a_long_line_stand_side_by_side() {
        let text = "a-na be-li₂ ".repeat(60);
        let document = Document::read(&text);
        let pieces = passages(&document, &[], Scope::Lines);
        assert!(pieces.len() > 1);
        let mut translation = crate::translate::state::shelf::Translation::default();
        for piece in pieces.iter().rev() {
            let mut one = rendering(0, &piece.text, &["to"]);
            one.translated = Translated { candidates: one.translated.candidates, ..Translated::beginning(piece) };
            translation.put(one);
        }
        let standing = PresentText::new(&document, &[]).stand(&translation.renderings);
        assert_eq!(standing.into_iter().flatten().collect::<Vec<_>>(), pieces);
        let question = Question::about(text);
        let standing = PresentText::new(&document, &[]).stand(&translation.renderings);
        assert_eq!(remaining(&question, &made(), &document, &translation.renderings, &standing), None);
    }

    #[test]
    fn restorations_taken_back_outdate_what_was_made_with_them() {
        let document = Document::read("a-na x");
        let filled = [Filled { sign: 2, readings: vec![("šar".into(), true)] }];
        let mut with = rendering(0, "a-na šar", &["to the king"]);
        let mut without = rendering(0, "a-na x", &["to …"]);
        without.made.restored = false;
        let stand = |filled: &[Filled], one: &Rendering| {
            PresentText::new(&document, filled).stand(std::slice::from_ref(one))[0].is_some()
        };
        assert!(stand(&filled, &with) && stand(&filled, &without));
        assert!(!stand(&[], &with) && stand(&[], &without));
        with.made.restored = false;
        assert!(!stand(&filled, &with));
    }

    #[test]
    fn only_what_is_missing_is_asked_for() {
        let document = Document::read("a-na\num-ma\nqi₂-bi₂-ma");
        let question = Question::about(document.source.clone());
        let check = |renderings: &[Rendering], expected: Option<Option<Vec<usize>>>| {
            let standing = PresentText::new(&document, &[]).stand(renderings);
            let left = remaining(&question, &made(), &document, renderings, &standing);
            assert_eq!(left.map(|question| question.only), expected);
        };
        check(&[], Some(None));
        let mut renderings = vec![rendering(0, "a-na", &["to"])];
        check(&renderings, Some(Some(vec![1, 2])));
        renderings.push(rendering(1, "um-ma", &[]));
        check(&renderings, Some(Some(vec![1, 2])));
        renderings[1] = rendering(1, "um-ma", &["thus"]);
        renderings.push(rendering(2, "qi₂-bi₂-ma", &["speak"]));
        check(&renderings, None);
        renderings[0].made.restored = false;
        check(&renderings, None);
        renderings[0].made.beams = 9;
        check(&renderings, Some(Some(vec![0])));
    }

    #[test]
    fn lines_are_named_as_the_edition_names_them() {
        let document = Document::read("@obverse\n1'. a-na\n2'. um-ma\n\nqi₂-bi₂-ma");
        for (lines, expected) in [(1..2, "1'"), (1..3, "1'–2'"), (4..5, "3"), (0..9, "1'–3")] {
            assert_eq!(lines_of(&document, &lines), expected);
        }
    }

    #[test]
    fn sides_and_columns_tell_equal_labels_apart() {
        let typed = "@tablet\n@obverse\n@column 1\n1. a\n2. na\n@column 2\n1. um\n@reverse\n1. ma\n@left edge\n1. qi₂";
        let document = Document::read(typed);
        for (lines, expected) in [
            (3..4, "o i 1"),
            (6..7, "o ii 1"),
            (8..9, "r 1"),
            (10..11, "left edge 1"),
            (3..5, "o i 1–2"),
            (3..9, "o i 1–r 1"),
        ] {
            assert_eq!(lines_of(&document, &lines), expected);
        }
    }

    #[test]
    fn an_outdated_passage_keeps_the_label_that_it_had() {
        let document = Document::read("7. a-na");
        let mut one = crate::translate::state::rendering::examples::rendering(0, "um-ma", &["thus"]);
        assert_eq!(label(&document, &one, None), "7");
        "3".clone_into(&mut one.label);
        assert_eq!(label(&document, &one, None), "3");
    }
}
