//! Compact storage for many short texts, words and rows of numbers, each kind in one piece of memory. Fifty thousand
//! pairs with their words would be half a million small allocations, whose overhead would exceed their content.

use std::collections::HashMap;

/// Lines in one text.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Lines {
    text: String,
    /// End of each line, before its line feed.
    ends: Vec<u32>,
}

impl Lines {
    /// Splits a text into lines, each ended by a line feed.
    pub fn of(mut text: String) -> Self {
        // The text is never changed again, so its spare capacity would be wasted.
        text.shrink_to_fit();
        let mut ends = Vec::with_capacity(text.lines().count());
        ends.extend(text.match_indices('\n').map(|(end, _)| end as u32));
        if !text.is_empty() && !text.ends_with('\n') {
            ends.push(text.len() as u32);
        }
        Self { text, ends }
    }

    /// Joins texts as lines. Line feeds within them become spaces.
    pub fn collect<'a>(texts: impl Iterator<Item = &'a str>) -> Self {
        Self::of(texts.map(|text| text.replace(['\n', '\r'], " ") + "\n").collect())
    }

    /// Returns the number of lines.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns a line; empty beyond the last one.
    pub fn get(&self, line: usize) -> &str {
        let Some(end) = self.ends.get(line) else { return "" };
        let begin = line.checked_sub(1).and_then(|before| self.ends.get(before)).map_or(0, |before| before + 1);
        self.text.get(begin as usize..*end as usize).unwrap_or("")
    }

    /// Returns all lines in order.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        (0..self.len()).map(|line| self.get(line))
    }

    /// Returns all lines as one text, each with its line feed.
    pub fn text(&self) -> &str {
        &self.text
    }
}

/// Look-up of numbered words.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct WordList {
    /// Words in the order of their bytes.
    sorted: Lines,
    /// Number of each word.
    numbers: Vec<u32>,
}

impl WordList {
    /// Sorts words for look-up.
    pub fn new<W: AsRef<str>>(numbers: HashMap<W, u32>) -> Self {
        let mut words: Vec<(W, u32)> = numbers.into_iter().collect();
        words.sort_unstable_by(|one, other| one.0.as_ref().cmp(other.0.as_ref()));
        let numbers = words.iter().map(|(_, number)| *number).collect();
        Self { sorted: Lines::collect(words.iter().map(|(word, _)| word.as_ref())), numbers }
    }

    /// Returns the number of a word (binary search).
    pub fn number(&self, word: &str) -> Option<u32> {
        let (mut low, mut high) = (0, self.sorted.len());
        while low < high {
            let middle = low.midpoint(high);
            match self.sorted.get(middle).cmp(word) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
                std::cmp::Ordering::Equal => return self.numbers.get(middle).copied(),
            }
        }
        None
    }

    /// Returns the number of words.
    pub fn len(&self) -> usize {
        self.numbers.len()
    }
}

/// Rows of numbers.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Rows {
    numbers: Vec<u32>,
    /// End of each row in `numbers`.
    ends: Vec<u32>,
}

impl Rows {
    /// Appends a row.
    pub fn push(&mut self, row: &[u32]) {
        self.numbers.extend(row);
        self.ends.push(self.numbers.len() as u32);
    }

    /// Frees unused capacity: vectors that grow take up to twice the memory.
    pub fn shrink(mut self) -> Self {
        self.numbers.shrink_to_fit();
        self.ends.shrink_to_fit();
        self
    }

    /// Returns the number of rows.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns a row; empty beyond the last.
    pub fn get(&self, row: usize) -> &[u32] {
        let end = |row: usize| self.ends.get(row).map_or(0, |end| *end as usize);
        let begin = row.checked_sub(1).map_or(0, end);
        self.numbers.get(begin..end(row)).unwrap_or_default()
    }

    /// Returns for each number below `count` the rows that contain it, in rising order (counting sort).
    pub fn inverted(&self, count: usize) -> Self {
        let mut begins = vec![0_u32; count];
        for number in &self.numbers {
            if let Some(times) = begins.get_mut(*number as usize) {
                *times += 1;
            }
        }
        // Turn the counts into the beginnings of the rows.
        let mut sum = 0;
        for begin in &mut begins {
            sum += std::mem::replace(begin, sum);
        }
        let mut rows = vec![0; sum as usize];
        for row in 0..self.len() {
            for number in self.get(row) {
                if let Some(next) = begins.get_mut(*number as usize) {
                    rows[*next as usize] = row as u32;
                    *next += 1;
                }
            }
        }
        // Filling has moved each beginning to the end of its row.
        Self { numbers: rows, ends: begins }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn lines_are_found_with_and_without_a_last_line_feed() {
        for text in ["a-na\n\nLUGAL\n", "a-na\n\nLUGAL"] {
            let lines = Lines::of(text.to_owned());
            assert_eq!(lines.iter().collect::<Vec<_>>(), ["a-na", "", "LUGAL"]);
            assert_eq!((lines.len(), lines.get(3)), (3, ""));
        }
        assert_eq!(Lines::of(String::new()).len(), 0);
        assert_eq!(Lines::collect(["one\ntwo", "three"].into_iter()).text(), "one two\nthree\n");
    }

    proptest! {
        #[test]
        fn words_keep_their_numbers(words in prop::collection::hash_set("[aš ]{0,3}", 0..20)) {
            let numbers: HashMap<String, u32> = words.into_iter().zip(5..).collect();
            let list = WordList::new(numbers.clone());
            prop_assert_eq!(list.len(), numbers.len());
            prop_assert!(numbers.iter().all(|(word, number)| list.number(word) == Some(*number)));
            prop_assert_eq!(list.number("none of these"), None);
        }

        #[test]
        fn rows_are_inverted(rows in prop::collection::vec(prop::collection::btree_set(0_u32..6, 0..4), 0..8)) {
            let mut all = Rows::default();
            rows.iter().for_each(|row| all.push(&row.iter().copied().collect::<Vec<_>>()));
            let inverted = all.shrink().inverted(6);
            for number in 0..6 {
                let wanted = (0..).zip(&rows).filter(|(_, row)| row.contains(&number)).map(|(place, _)| place);
                prop_assert_eq!(inverted.get(number as usize), wanted.collect::<Vec<u32>>());
            }
        }
    }
}
