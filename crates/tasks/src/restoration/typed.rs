//! What the joiners that an editor typed around a gap say about a word's beginning there.

use tuppum_text::{Document, Joiner, Sign, SignIndex, SignKind};

/// Probability of a word start where the editor wrote a hyphen before the place: rarely is it wrong.
const INSIDE: f32 = 0.02;
/// Probability of a word start where the editor wrote a space before the place and more of the word behind it.
const START: f32 = 0.98;

/// The probability that a word begins with each sign of a document, in order, where the typed joiners tell it; none
/// where they do not.
///
/// A joiner other than a space says that the sign stands inside a word. A space says that a word begins where the sign
/// can be read, where a joiner binds the next sign to it (`x-tu`), and where a line begins. Before an `x` that stands
/// alone it says nothing: nine of ten in the editions are set apart, whatever stood there. A break of unknown length
/// may begin with anything.
pub fn typed_word_starts(document: &Document) -> Vec<Option<f32>> {
    let of_line = |line: &[Sign]| -> Vec<Option<f32>> {
        let behind = line.iter().skip(1).map(Some).chain([None]);
        line.iter().zip(behind).enumerate().map(|(place, (sign, next))| of_sign(sign, next, place == 0)).collect()
    };
    document.lines.iter().flat_map(|line| of_line(&line.signs)).collect()
}

fn of_sign(sign: &Sign, next: Option<&Sign>, begins_line: bool) -> Option<f32> {
    let is_bound = |next: &Sign| next.joiner != Joiner::Space;
    match (&sign.kind, sign.joiner) {
        (SignKind::Gap, _) => None,
        (SignKind::Reading(_), Joiner::Space) => Some(START),
        (_, Joiner::Space) => (begins_line || next.is_some_and(is_bound)).then_some(START),
        _ => Some(INSIDE),
    }
}

/// The same for one sign as what may stand there: with a word's beginning, without, or both.
pub fn possible_kinds(document: &Document, sign: SignIndex) -> &'static [bool] {
    match typed_word_starts(document).get(sign).copied().flatten() {
        Some(START) => &[true],
        Some(_) => &[false],
        None => &[true, false],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joiners_say_what_they_say() {
        let starts = typed_word_starts(&Document::read("x a-x x x-tu ...-na\n... x {d}x"));
        let (start, inside) = (Some(START), Some(INSIDE));
        assert_eq!(starts, [start, start, inside, None, start, inside, None, inside, None, None, start, inside]);
        assert_eq!(possible_kinds(&Document::read("a x x-na"), 1), [true, false]);
        assert_eq!(possible_kinds(&Document::read("a x x-na"), 2), [true]);
        assert_eq!(possible_kinds(&Document::read("a x x-na"), 9), [true, false]);
    }
}
