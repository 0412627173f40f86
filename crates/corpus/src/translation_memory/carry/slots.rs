//! Aligns the words of a passage and of an edited source, and finds words that certainly replace each other.

use super::names::NameClass;
use super::numbers::{is_part_of_number, numeral};

/// Scores of an alignment: for two words side by side, and for a word without partner.
const SAME: f32 = 2.0;
const ALIKE: f32 = 1.0;
const OTHER: f32 = -0.6;
const ALONE: f32 = -0.4;
/// Minimum common beginning, as a share of the longer word, of two forms of one word.
const MIN_COMMON_BEGINNING: f32 = 0.5;

/// Word of the passage and the word of the source that it replaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Slot {
    /// Index of the word in the passage.
    pub asked: usize,
    /// Index of the word in the source.
    pub attested: usize,
}

/// Returns the places where both texts have different names of one kind, or different numbers, beside a word that is
/// the same in both.
pub(super) fn slots(asked: &[&str], attested: &[&str]) -> Vec<Slot> {
    let pairs = aligned(asked, attested);
    let is_same = |(one, other): (usize, usize)| asked.get(one) == attested.get(other) && asked.get(one).is_some();
    let is_sure = |number: usize| {
        let Some(&(one, other)) = pairs.get(number) else { return false };
        let before = number.checked_sub(1).and_then(|number| pairs.get(number)).copied();
        let behind = pairs.get(number + 1).copied();
        let joins_before = before.is_some_and(|pair| is_same(pair) && pair.0 + 1 == one && pair.1 + 1 == other);
        let joins_behind = behind.is_some_and(|pair| is_same(pair) && pair.0 == one + 1 && pair.1 == other + 1);
        joins_before || joins_behind
    };
    let slot = |(number, &(one, other)): (usize, &(usize, usize))| {
        let (own, their) = (asked.get(one)?, attested.get(other)?);
        let counts = exchange(own, their) && own != their && is_sure(number);
        (counts && !is_in_number(asked, one) && !is_in_number(attested, other))
            .then_some(Slot { asked: one, attested: other })
    };
    pairs.iter().enumerate().filter_map(slot).collect()
}

/// Returns `true` if a word is a number that continues in the word beside it: hundreds, fractions, lost digits.
fn is_in_number(words: &[&str], number: usize) -> bool {
    let beside = [number.checked_sub(1), Some(number + 1)];
    let is_number = words.get(number).is_some_and(|word| numeral(word).is_some());
    is_number && beside.into_iter().flatten().filter_map(|number| words.get(number)).any(|word| is_part_of_number(word))
}

/// Returns `true` if two words are names of one kind, or numbers of one kind.
fn exchange(one: &str, other: &str) -> bool {
    match (numeral(one), numeral(other)) {
        (Some(one), Some(other)) => one.is_day == other.is_day,
        (None, None) => NameClass::of(one).is_some_and(|class| NameClass::of(other) == Some(class)),
        _ => false,
    }
}

/// Returns the score of two words side by side.
fn worth(one: &str, other: &str) -> f32 {
    if one == other {
        return SAME;
    }
    let same = one.chars().zip(other.chars()).take_while(|(one, other)| one == other).count();
    let longer = one.chars().count().max(other.chars().count());
    if exchange(one, other) || same as f32 >= MIN_COMMON_BEGINNING * longer as f32 { ALIKE } else { OTHER }
}

/// Returns the pairs of words in the best global alignment (Needleman and Wunsch 1970).
fn aligned(asked: &[&str], attested: &[&str]) -> Vec<(usize, usize)> {
    let columns = attested.len() + 1;
    let mut scores = vec![0.0_f32; (asked.len() + 1) * columns];
    let place = |row: usize, column: usize| row * columns + column;
    for row in 0..=asked.len() {
        for column in 0..columns {
            let score = match (row.checked_sub(1), column.checked_sub(1)) {
                (None, None) => 0.0,
                (Some(above), None) => scores[place(above, column)] + ALONE,
                (None, Some(left)) => scores[place(row, left)] + ALONE,
                (Some(above), Some(left)) => (scores[place(above, left)] + worth(asked[above], attested[left]))
                    .max(scores[place(above, column)] + ALONE)
                    .max(scores[place(row, left)] + ALONE),
            };
            scores[place(row, column)] = score;
        }
    }
    let (mut row, mut column) = (asked.len(), attested.len());
    let mut pairs = Vec::new();
    while row > 0 && column > 0 {
        let here = scores[place(row, column)];
        if here == scores[place(row - 1, column)] + ALONE {
            row -= 1;
        } else if here == scores[place(row, column - 1)] + ALONE {
            column -= 1;
        } else {
            (row, column) = (row - 1, column - 1);
            pairs.push((row, column));
        }
    }
    pairs.reverse();
    pairs
}
