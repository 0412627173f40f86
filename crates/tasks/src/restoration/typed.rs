//! Evidence for word starts in the joiners that an editor typed around a gap.

use tuppum_text::{Document, Joiner, Sign, SignIndex, SignKind};

/// Probability of a word start if the editor wrote a hyphen before the place, which is rarely wrong.
const INSIDE: f32 = 0.02;
/// Probability of a word start if the editor wrote a space before the place and more of the word behind it.
const START: f32 = 0.98;

/// Returns the probability that a word begins with each sign of a document, in order, or `None` where the typed joiners
/// do not tell.
///
/// A joiner other than a space shows that the sign is inside a word. A space shows a word start if the sign can be
/// read, if a joiner binds the next sign to it (`x-tu`), or at the beginning of a line. Before an `x` that stands alone
/// it shows nothing: nine of ten in the editions are set apart, whatever stood there. A break of unknown length may
/// begin with anything.
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

/// Returns the kinds of sign that may stand at one place: `true` for word-initial, `false` for word-internal.
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
