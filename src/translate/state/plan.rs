//! Comparison of translated passages with the present text: which are valid, and what is still to be translated.

use super::rendering::{Made, Rendering};
use tuppum_protocol::Filled;
use tuppum_protocol::translation::{Passage, Question, Scope, Translated, passages};
use tuppum_text::Document;

/// The present text, cut into passages in every way in which some part of it was translated.
pub struct Present<'a> {
    document: &'a Document,
    filled: &'a [Filled],
    cut: Vec<((Scope, bool), Vec<Passage>)>,
}

impl<'a> Present<'a> {
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
    made: &Made,
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::translate::state::toy::{made, rendering};

    fn lines(text: &str, renderings: &[Rendering]) -> Vec<Option<usize>> {
        let document = Document::read(text);
        let standing = Present::new(&document, &[]).stand(renderings);
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
        let standing = Present::new(&document, &[]).stand(&translation.renderings);
        assert_eq!(standing.into_iter().flatten().collect::<Vec<_>>(), pieces);
        let question = Question::about(text);
        let standing = Present::new(&document, &[]).stand(&translation.renderings);
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
            Present::new(&document, filled).stand(std::slice::from_ref(one))[0].is_some()
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
            let standing = Present::new(&document, &[]).stand(renderings);
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
}
