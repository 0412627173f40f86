//! Saliency of one answer: the row around its gap for the torso, and the sign of the document at each place.

use super::window::LONGEST_ROW;
use super::{Filled, Question};
use thiserror::Error;
use tuppum_text::encode::encode;
use tuppum_text::tokens::{BEGIN, GAP, ILLEGIBLE, INNER_ILLEGIBLE, INNER_MASK, MASK, TokenId, UNKNOWN, Vocabulary};
use tuppum_text::{Document, Sign, SignIndex, SignKind};

/// Reason why the saliency of an answer cannot be computed, for the user.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum SaliencyError {
    /// The model has no such reading.
    #[error("The model does not know the reading {0} there, so its answer depends on no sign.")]
    UnknownReading(String),
    /// The text has no such sign.
    #[error("There is no sign number {0} to restore in this text.")]
    NoSign(SignIndex),
}

/// One answer, prepared for asking which signs it rests on.
#[derive(Clone, Debug, PartialEq)]
pub struct SaliencyQuestion {
    /// Row with a mask at the gap.
    pub ids: Vec<TokenId>,
    /// Place of the mask in the row.
    pub place: usize,
    /// Token of the answer.
    pub token: TokenId,
    signs: Vec<Option<SignIndex>>,
}

impl SaliencyQuestion {
    /// Creates the row of the question's text around the gap `sign`, with other gaps open, and the token of `reading`.
    ///
    /// # Errors
    /// Returns [`SaliencyError`], for the user: there is no such sign, or the model does not know the reading.
    pub fn new(
        question: &Question,
        vocabulary: &Vocabulary,
        sign: SignIndex,
        reading: &str,
        starts_word: bool,
    ) -> Result<Self, SaliencyError> {
        let token = vocabulary.id(reading, starts_word);
        if token == UNKNOWN {
            return Err(SaliencyError::UnknownReading(reading.to_owned()));
        }
        let AroundGap { mut ids, mut place, mut signs } = AroundGap::new(question, vocabulary, sign, starts_word)?;
        if ids[0] != BEGIN {
            // Every row of the restoration begins with this token.
            ids.insert(0, BEGIN);
            signs.insert(0, None);
            place += 1;
            ids.truncate(LONGEST_ROW);
            signs.truncate(LONGEST_ROW);
        }
        Ok(Self { ids, place, token, signs })
    }

    /// Converts shares per place of the row to shares per sign of the document, in order, without the gap itself.
    pub fn by_sign(&self, shares: &[f32]) -> Vec<(SignIndex, f32)> {
        let mut found: Vec<(SignIndex, f32)> = Vec::new();
        for (place, (sign, &share)) in self.signs.iter().zip(shares).enumerate() {
            let Some(sign) = *sign else { continue };
            if place == self.place {
                continue;
            }
            match found.last_mut() {
                // A break filled with several signs counts as its strongest sign.
                Some((last, strongest)) if *last == sign => *strongest = strongest.max(share),
                _ => found.push((sign, share)),
            }
        }
        let strongest = found.iter().map(|(_, share)| *share).fold(0.0, f32::max);
        if strongest > 0.0 {
            found.iter_mut().for_each(|(_, share)| *share /= strongest);
        }
        found
    }
}

/// Row of a question's text around a gap, with other gaps open.
#[derive(Clone, Debug, PartialEq)]
pub struct AroundGap {
    /// Row with a mask at the gap.
    pub ids: Vec<TokenId>,
    /// Place of the mask in the row.
    pub place: usize,
    /// Index in the document of the sign at each place.
    pub signs: Vec<Option<SignIndex>>,
}

impl AroundGap {
    /// Creates the row around the gap `sign`, with the mask of a sign that begins a word or one that does not.
    ///
    /// # Errors
    /// Returns [`SaliencyError::NoSign`].
    pub fn new(
        question: &Question,
        vocabulary: &Vocabulary,
        sign: SignIndex,
        starts_word: bool,
    ) -> Result<Self, SaliencyError> {
        let document = Document::read_with(&question.text, &question.reading);
        let all: Vec<&Sign> = document.signs().collect();
        let encoded = encode(&document, vocabulary);
        let (mut ids, mut signs, mut place) = (Vec::new(), Vec::new(), None);
        for (&id, &number) in encoded.ids.iter().zip(&encoded.signs) {
            if number == Some(sign) && place.is_none() {
                place = Some(ids.len());
                ids.push(if starts_word { MASK } else { INNER_MASK });
            } else if let Some(filled) = number.and_then(|number| accepted(question, number)) {
                ids.extend(filled.readings.iter().map(|(reading, starts)| vocabulary.id(reading, *starts)));
            } else {
                let sign = number.and_then(|number| Some((number, *all.get(number)?)));
                ids.push(sign.map_or(id, |(number, sign)| open_or(question, number, sign, id)));
            }
            signs.resize(ids.len(), number);
        }
        let place = place.ok_or(SaliencyError::NoSign(sign))?;
        let start = place.saturating_sub(LONGEST_ROW / 2).min(ids.len().saturating_sub(LONGEST_ROW));
        let end = ids.len().min(start + LONGEST_ROW);
        Ok(Self { ids: ids[start..end].to_vec(), place: place - start, signs: signs[start..end].to_vec() })
    }
}

fn accepted(question: &Question, sign: SignIndex) -> Option<&Filled> {
    question.filled.iter().find(|filled| filled.sign == sign)
}

/// Returns the mask of another open gap, or the token as it is. A gap outside the question is illegible, as in the
/// restoration.
fn open_or(question: &Question, number: SignIndex, sign: &Sign, id: TokenId) -> TokenId {
    let is_chosen = question.chosen.contains(&number);
    let illegible = sign.kind == SignKind::Illegible && !question.left_alone.contains(&number);
    let is_asked = question.only.as_ref().is_none_or(|only| only.contains(&number));
    match (id != GAP && (illegible || is_chosen), is_asked) {
        (true, true) => MASK,
        (true, false) if is_chosen && sign.starts_word() => ILLEGIBLE,
        (true, false) if is_chosen => INNER_ILLEGIBLE,
        _ => id,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tuppum_text::ReadingOptions;
    use tuppum_text::tokens::{LINE_END, SPECIALS};

    fn vocabulary() -> Vocabulary {
        let tokens = SPECIALS.iter().copied().chain(["a", "-na", "-ma"]).map(str::to_owned).collect();
        Vocabulary::new(tokens).unwrap()
    }

    #[test]
    fn a_text_is_read_as_the_question_says() {
        let place = |reading: ReadingOptions, sign: SignIndex| {
            let question = Question { reading, ..Question::about("1 a x\n2 a\n3 a") };
            AroundGap::new(&question, &vocabulary(), sign, true).map(|row| (row.place, row.ids.len()))
        };
        let numerals = ReadingOptions { bare_numbers_are_numerals: true, ..ReadingOptions::default() };
        assert_eq!(place(ReadingOptions::default(), 1), Ok((2, 8)));
        assert_eq!(place(numerals, 2), Ok((3, 11)));
    }

    #[test]
    fn the_gap_is_masked_and_accepted_readings_are_read() {
        let mut question = Question::about("a-x x a-na");
        question.filled.push(Filled { sign: 2, readings: vec![("a".into(), true), ("ma".into(), false)] });
        let saliency = SaliencyQuestion::new(&question, &vocabulary(), 1, "ma", false).unwrap();
        assert_eq!(saliency.ids, [BEGIN, 10, INNER_MASK, 10, 12, 10, 11, LINE_END]);
        assert_eq!((saliency.place, saliency.token), (2, 12));
        let shares = saliency.by_sign(&[0.5, 0.2, 1.0, 0.1, 0.4, 0.2, 0.0, 0.0]);
        assert_eq!(shares, [(0, 0.5), (2, 1.0), (3, 0.5), (4, 0.0)]);
    }

    #[test]
    fn gaps_not_asked_about_are_illegible_and_rows_begin_as_rows_do() {
        let only = Question { only: Some(vec![1]), chosen: vec![3], ..Question::about("a-x x a-na") };
        let saliency = SaliencyQuestion::new(&only, &vocabulary(), 1, "ma", false).unwrap();
        assert_eq!(saliency.ids, [BEGIN, 10, INNER_MASK, ILLEGIBLE, ILLEGIBLE, 11, LINE_END]);
        let long = Question::about(format!("{} x a", "a ".repeat(2 * LONGEST_ROW)));
        let saliency = SaliencyQuestion::new(&long, &vocabulary(), 2 * LONGEST_ROW, "a", true).unwrap();
        assert_eq!((saliency.ids.len(), saliency.ids[0]), (LONGEST_ROW, BEGIN));
        assert_eq!(saliency.ids[saliency.place], MASK);
    }

    #[test]
    fn what_cannot_be_asked_is_refused() {
        let question = Question::about("a-x");
        assert!(
            SaliencyQuestion::new(&question, &vocabulary(), 9, "ma", false)
                .unwrap_err()
                .to_string()
                .contains("number 9")
        );
        assert!(
            SaliencyQuestion::new(&question, &vocabulary(), 1, "bu", false).unwrap_err().to_string().contains("bu")
        );
    }
}
