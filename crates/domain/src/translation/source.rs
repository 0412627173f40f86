//! Converts a document to the translator's input: lines in canonical form without brackets and flags, `x` for an
//! illegible sign, `...` for a break, as in its training texts.

use super::super::restoration::Filled;
use super::{clauses, numbers};
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::ops::Range;
use tuppum_text::{Document, Joiner, LineKind, Sign, SignIndex, SignKind};

/// Maximum bytes of lines joined to one passage: the length of those that the translator was trained on.
pub const LONGEST_PASSAGE: usize = 384;

/// Bytes from which a line is taken for a text without line ends and cut into its clauses. A line on a tablet rarely
/// has half as many.
const UNLINED: usize = 160;

/// Stand-in for lost lines.
const BREAK: &str = " ...";

/// Amount of text translated at a time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Scope {
    /// Every line on its own.
    #[default]
    Lines,
    /// Groups of lines, as long as those that the translator was trained to read.
    Whole,
}

/// A stretch of text that is translated as one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Passage {
    /// Indices of its lines in the document.
    pub lines: Range<usize>,
    /// Text that the model reads.
    pub text: String,
    /// Words of the passage in order.
    pub words: Vec<SourceWord>,
}

/// A word of a passage.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourceWord {
    /// Place in the passage's text, in bytes.
    pub bytes: Range<usize>,
    /// Signs of the word in the document.
    pub signs: Range<SignIndex>,
    /// `true` if a reading in the word was filled in rather than typed.
    pub filled: bool,
    /// Places of filled-in readings in the passage's text, in bytes.
    pub restored: Vec<Range<usize>>,
    /// `true` for a counted sign that continues the number before it: `4(diš)` in `1(u) 4(diš)`.
    pub goes_on: bool,
}

/// Content between two translated lines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Between {
    /// Nothing: the text goes on.
    #[default]
    Nothing,
    /// Something is lost.
    Break,
    /// A text ends.
    End,
}

/// Returns the passages of a document, in order. Lines without a legible sign are left out, since there is nothing to
/// translate. Lines in another language than Akkadian are skipped, and a stretch in one within a line becomes a break.
/// Lines of a text without line ends are cut into clauses of at most [`LONGEST_PASSAGE`]. Only lines of one text are
/// joined; lost text between them becomes a break.
pub fn passages(document: &Document, filled: &[Filled], scope: Scope) -> Vec<Passage> {
    let mut found: Vec<Passage> = Vec::new();
    let (mut first, mut between) = (0, Between::default());
    for (number, line) in document.lines.iter().enumerate() {
        let signs = first..first + line.signs.len();
        first = signs.end;
        let is_legible = |(index, sign): (SignIndex, &Sign)| {
            sign.is_akkadian() && (sign.reading().is_some() || filled.iter().any(|filled| filled.sign == index))
        };
        if !line.signs.is_empty() && !line.signs.iter().any(Sign::is_akkadian) {
            continue;
        }
        let is_lost = match line.kind {
            LineKind::Text => !signs.clone().zip(&line.signs).any(is_legible),
            LineKind::State => is_loss(line.span.of(&document.source)),
            LineKind::Heading => {
                between = Between::End;
                continue;
            }
            _ => continue,
        };
        if is_lost {
            between = if between == Between::End { between } else { Between::Break };
        } else if line.kind == LineKind::Text {
            let mut passage = Passage { lines: number..number + 1, ..Passage::default() };
            let mut end = line.span.start;
            for (index, sign) in signs.zip(&line.signs) {
                let is_apart = numbers::parts(document.source.get(end..sign.span.start).unwrap_or_default());
                let words = passage.words.len();
                passage.push(index, sign, filled.iter().find(|filled| filled.sign == index));
                passage.note_number(words, is_apart);
                end = sign.span.end;
            }
            for piece in passage.pieces() {
                match found.last_mut() {
                    Some(last) if scope == Scope::Whole && last.takes(&piece, between) => last.join(piece, between),
                    _ => found.push(piece),
                }
                between = Between::Nothing;
            }
        }
    }
    found
}

/// Returns `true` if a remark on the state of the tablet reports lost text: anything but a ruling, a seal or free
/// space.
fn is_loss(remark: &str) -> bool {
    let remark = remark.to_lowercase();
    !["ruling", "ruled", "blank", "seal", "uninscribed", "vacat", "space"].iter().any(|other| remark.contains(other))
}

impl Passage {
    /// Adds a sign of the document, or its filling.
    fn push(&mut self, index: SignIndex, sign: &Sign, filled: Option<&Filled>) {
        let own = match &sign.kind {
            _ if !sign.is_akkadian() => "...",
            SignKind::Reading(reading) => reading.as_str(),
            SignKind::Illegible | SignKind::Unreadable => "x",
            SignKind::Gap => "...",
        };
        match filled.filter(|_| sign.is_akkadian()) {
            None => self.write(index, own, sign.joiner, false),
            Some(filled) => {
                for (place, (reading, starts_word)) in filled.readings.iter().enumerate() {
                    let joiner = match (starts_word, sign.joiner) {
                        (true, _) => Joiner::Space,
                        (false, Joiner::Space) => Joiner::Hyphen,
                        (false, typed) if place == 0 => typed,
                        (false, _) => Joiner::Hyphen,
                    };
                    self.write(index, reading, joiner, true);
                }
            }
        }
    }

    /// Marks the words from `first` on that continue the number before them; the first one does not if it `is_apart`.
    fn note_number(&mut self, first: usize, is_apart: bool) {
        for word in first.max(1)..self.words.len() {
            let own = self.words[word].bytes.start..self.words[word].bytes.end;
            let goes_on = numbers::go_on(&self.text[self.words[word - 1].bytes.clone()], &self.text[own]);
            self.words[word].goes_on = goes_on && !(is_apart && word == first);
        }
    }

    fn write(&mut self, index: SignIndex, reading: &str, joiner: Joiner, filled: bool) {
        // Two breaks in a row are one: nobody can tell where the first ends.
        if reading == "..." && self.text.ends_with("...") {
            if let Some(word) = self.words.last_mut() {
                word.signs.end = index + 1;
            }
            return;
        }
        // A break belongs to no word.
        let apart = joiner == Joiner::Space || reading == "..." || self.text.ends_with("...");
        if apart || self.words.is_empty() {
            if !self.text.is_empty() {
                self.text.push(' ');
            }
            let place = self.text.len();
            self.words.push(SourceWord { bytes: place..place, signs: index..index, ..SourceWord::default() });
        } else {
            let touches = reading.starts_with('{') || self.text.ends_with('}');
            self.text.push_str(match joiner {
                Joiner::Dot => ".",
                Joiner::Plus => "+",
                Joiner::Nothing => "",
                Joiner::Hyphen if filled && touches => "",
                Joiner::Hyphen | Joiner::Space => "-",
            });
        }
        let place = self.text.len();
        self.text.push_str(reading);
        if let Some(word) = self.words.last_mut() {
            word.bytes.end = self.text.len();
            word.signs.end = index + 1;
            word.filled |= filled;
            word.restored.extend(filled.then_some(place..word.bytes.end));
        }
    }

    /// Returns the passage as it is, or cut into clauses if it is too long for a line.
    fn pieces(self) -> Vec<Self> {
        if self.text.len() < UNLINED {
            return vec![self];
        }
        let begins = self.begins();
        let piece = |pair: &[usize]| {
            let words = self.words.get(pair[0]..pair[1]).unwrap_or_default();
            let start = words.first().map_or(0, |word| word.bytes.start);
            let end = words.last().map_or(start, |word| word.bytes.end);
            let words = words.iter().cloned().map(|word| word.moved(|place| place - start)).collect();
            Self { lines: self.lines.clone(), text: self.text[start..end].to_owned(), words }
        };
        begins.windows(2).map(piece).collect()
    }

    /// Returns the indices of the words with which the pieces begin, and the number of words. The passages of a line
    /// are told apart by their text, so a clause that stands there twice is joined to the next one. Where two pieces
    /// would be equal all the same, the line is cut by length alone.
    fn begins(&self) -> Vec<usize> {
        let bytes: Vec<Range<usize>> = self.words.iter().map(|word| word.bytes.clone()).collect();
        let text = |from: usize, to: usize| self.text.get(bytes[from].start..bytes[to - 1].end).unwrap_or_default();
        let clauses = clauses::beginnings(&self.text, &bytes, LONGEST_PASSAGE);
        let (mut begins, mut seen, mut begin) = (Vec::new(), HashSet::new(), 0);
        for end in clauses.into_iter().skip(1).chain([bytes.len()]) {
            let own = text(begin, end);
            if own.len() <= LONGEST_PASSAGE && seen.insert(own) {
                begins.push(begin);
                begin = end;
            } else if own.len() > LONGEST_PASSAGE {
                return by_length(&bytes);
            }
        }
        match begins.last() {
            _ if begin == bytes.len() => {}
            // The last clause stood before; the piece before it has room for it.
            Some(last)
                if text(*last, bytes.len()).len() <= LONGEST_PASSAGE && !seen.contains(text(*last, bytes.len())) => {}
            _ => return by_length(&bytes),
        }
        begins.push(bytes.len());
        begins
    }

    /// Returns `true` if the next lines can be joined to this passage.
    fn takes(&self, next: &Self, between: Between) -> bool {
        between != Between::End && self.text.len() + next.text.len() + BREAK.len() < LONGEST_PASSAGE
    }

    /// Joins the next lines' passage.
    fn join(&mut self, next: Self, between: Between) {
        // A break beside the seam already tells that something is lost.
        let is_open = self.text.ends_with("...") || next.text.starts_with("...");
        if let Some(word) = next.words.first().filter(|_| between == Between::Break && !is_open) {
            let place = self.text.len() + 1;
            let signs = word.signs.start..word.signs.start;
            self.words.push(SourceWord { bytes: place..place + 3, signs, ..SourceWord::default() });
            self.text.push_str(BREAK);
        }
        self.text.push(' ');
        let shift = self.text.len();
        self.text.push_str(&next.text);
        self.lines.end = next.lines.end;
        self.words.extend(next.words.into_iter().map(|word| word.moved(|place| place + shift)));
    }
}

/// Returns the beginnings of pieces that have as many words as fit, and the number of words.
fn by_length(words: &[Range<usize>]) -> Vec<usize> {
    let mut begins = Vec::new();
    for (number, word) in words.iter().enumerate() {
        let start = begins.last().map(|begin: &usize| words[*begin].start);
        if start.is_none_or(|start| word.end - start > LONGEST_PASSAGE) {
            begins.push(number);
        }
    }
    begins.push(words.len());
    begins
}

impl SourceWord {
    /// Returns the word with its bytes moved to another text.
    fn moved(self, to: impl Fn(usize) -> usize) -> Self {
        let along = |bytes: Range<usize>| to(bytes.start)..to(bytes.end);
        Self { bytes: along(self.bytes), restored: self.restored.into_iter().map(along).collect(), ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(typed: &str, filled: &[Filled], scope: Scope) -> Vec<String> {
        let document = Document::read(typed);
        passages(&document, filled, scope).into_iter().map(|passage| passage.text).collect()
    }

    fn filled(sign: SignIndex, readings: &[(&str, bool)]) -> Filled {
        Filled { sign, readings: readings.iter().map(|(reading, starts)| (reading.to_string(), *starts)).collect() }
    }

    #[test]
    fn brackets_flags_and_conventions_are_gone() {
        let check = |typed: &str, expected: &str| assert_eq!(texts(typed, &[], Scope::Lines), [expected], "{typed}");
        check("1. a-na szar-ri {d}utu [be]-li2-ni#", "a-na šar-ri {d}utu be-li₂-ni");
        check("a-na [x x] x-ma KÙ.BABBAR", "a-na x x x-ma KU₃.BABBAR");
        check("a-na [...] ... um-ma", "a-na ... um-ma");
    }

    #[test]
    fn only_lines_with_something_to_read_are_translated() {
        let typed = "&P123456 = T\n@obverse\n1. a-na x\n$ 3 lines broken\n2. [...]\n3. um-ma\n#tr.en: to";
        assert_eq!(texts(typed, &[], Scope::Lines), ["a-na x", "um-ma"]);
    }

    #[test]
    fn other_languages_are_left_out() {
        let typed = "1. %sux lugal kur-ra\n2. šar ma-ti\n3. %sux x-e & %akk i-na [...]";
        assert_eq!(texts(typed, &[], Scope::Lines), ["šar ma-ti", "... i-na ..."]);
        assert_eq!(texts(typed, &[filled(6, &[("a", true)])], Scope::Whole), ["šar ma-ti ... i-na ..."]);
    }

    #[test]
    fn accepted_readings_stand_in_their_places() {
        let check = |typed: &str, filled: &[Filled], expected: &str| {
            assert_eq!(texts(typed, filled, Scope::Lines), [expected], "{typed}");
        };
        check("a-na x be-li", &[filled(2, &[("šar", true)])], "a-na šar be-li");
        check("a-na x be-li", &[filled(2, &[("šu", false)])], "a-na-šu be-li");
        check("a-x", &[filled(1, &[("na", false)])], "a-na");
        check("a-na [...] be", &[filled(2, &[("šar", true), ("ri", false)])], "a-na šar-ri be");
        check("x UTU", &[filled(0, &[("{d}", true)])], "{d} UTU");
        check("[...]", &[filled(0, &[("a", true)])], "a");
    }

    #[test]
    fn words_know_their_bytes_and_signs() {
        let document = Document::read("a-na {d}UTU\nx be-li₂");
        let found = passages(&document, &[filled(4, &[("šar", true)])], Scope::Whole);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].lines, 0..2);
        let words: Vec<(&str, Range<usize>, bool)> = found[0]
            .words
            .iter()
            .map(|word| (&found[0].text[word.bytes.clone()], word.signs.clone(), word.filled))
            .collect();
        let expected = [("a-na", 0..2, false), ("{d}UTU", 2..4, false), ("šar", 4..5, true), ("be-li₂", 5..7, false)];
        assert_eq!(words, expected);
    }

    #[test]
    fn restored_readings_are_known_by_their_bytes() {
        let document = Document::read("a-na\nx-x be-[x]");
        let filling = [filled(2, &[("šar", true)]), filled(5, &[("li₂", false), ("ia", false)])];
        for (scope, passage) in [(Scope::Lines, 1), (Scope::Whole, 0)] {
            let found = passages(&document, &filling, scope).remove(passage);
            let restored = found.words.iter().flat_map(|word| &word.restored);
            let texts: Vec<&str> = restored.map(|bytes| &found.text[bytes.clone()]).collect();
            assert_eq!(texts, ["šar", "li₂", "ia"], "{}", found.text);
        }
    }

    #[test]
    fn together_are_only_lines_that_belong_together() {
        let check = |typed: &str, expected: &[&str]| assert_eq!(texts(typed, &[], Scope::Whole), expected, "{typed}");
        check("@obverse\n1. a-na\n@reverse\n1. um-ma", &["a-na um-ma"]);
        check("a-na\n$ single ruling\num-ma", &["a-na um-ma"]);
        check("a-na\n$ 5 lines broken\num-ma", &["a-na ... um-ma"]);
        check("a-na\n[...]\n[x x]\num-ma", &["a-na ... um-ma"]);
        check("a-na [...]\n[...]\num-ma", &["a-na ... um-ma"]);
        check("$ 2 lines broken\na-na\n[...]", &["a-na"]);
        check("&P100001 = A\na-na\n&P100002 = B\n$ broken\num-ma", &["a-na", "um-ma"]);
        let passage = passages(&Document::read("a-na\n[...]\num-ma"), &[], Scope::Whole).remove(0);
        let words = passage.words.iter().map(|word| (&passage.text[word.bytes.clone()], word.signs.clone()));
        assert_eq!(words.collect::<Vec<_>>(), [("a-na", 0..2), ("...", 3..3), ("um-ma", 3..5)]);
        assert_eq!(passage.lines, 0..3);
    }

    #[test]
    fn a_line_longer_than_any_that_trained_is_cut_between_words() {
        let typed = "a-na {d}UTU be-li₂-ia ".repeat(60);
        let document = Document::read(&typed);
        let filling = [filled(90, &[("šar", false)])];
        for scope in [Scope::Lines, Scope::Whole] {
            let found = passages(&document, &filling, scope);
            assert!(found.len() > 2 && found.iter().all(|passage| passage.text.len() <= LONGEST_PASSAGE));
            let uncut = found.iter().map(|passage| passage.text.as_str()).collect::<Vec<_>>().join(" ");
            assert_eq!(uncut.matches("be-li₂-ia").count() + uncut.matches("be-li₂-šar").count(), 60, "{uncut}");
            let mut signs = 0;
            for word in found.iter().flat_map(|passage| &passage.words) {
                assert_eq!(word.signs.start, signs, "no sign is lost");
                signs = word.signs.end;
            }
            let restored = found.iter().flat_map(|passage| {
                passage.words.iter().flat_map(|word| &word.restored).map(|bytes| &passage.text[bytes.clone()])
            });
            assert_eq!(restored.collect::<Vec<_>>(), ["šar"]);
        }
        let word = "a-".repeat(400) + "a";
        assert_eq!(texts(&word, &[], Scope::Lines), [word], "a word is not cut");
    }

    #[test]
    fn a_clause_that_stands_twice_in_a_line_is_no_passage_of_its_own() {
        let typed = "um-ma a-šur-GAL-ma šu-ma la₂ iš-qul₂ ṣi₂-ib-tam₂ u₂-ṣa-ab₂ IGI a-šur-i-di₂ ".repeat(5);
        let mut found = texts(&typed, &[], Scope::Lines);
        assert!(found.len() > 1 && found.join(" ") == typed.trim_end(), "{found:#?}");
        let count = found.len();
        found.sort();
        found.dedup();
        assert_eq!(found.len(), count);
    }

    #[test]
    fn a_whole_text_is_cut_where_training_cut_it() {
        let typed = "a-na be-li₂-ia qi₂-bi₂-ma\n".repeat(40);
        let found = texts(&typed, &[], Scope::Whole);
        assert!(found.len() > 1 && found.iter().all(|text| text.len() < LONGEST_PASSAGE + 40), "{}", found.len());
        assert_eq!(found.join(" "), ["a-na be-li₂-ia qi₂-bi₂-ma"; 40].join(" "));
    }
}
