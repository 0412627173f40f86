//! Labels of lines (`obverse 3`). Hundreds of thousands of lines share a few thousand labels, so each label is stored
//! once.

use std::collections::HashMap;

/// Labels of all lines.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Labels {
    names: Vec<Box<str>>,
    /// Index into `names` for each line.
    of_lines: Vec<u32>,
    /// Index of each label, filled only while lines are being added.
    numbers: HashMap<Box<str>, u32>,
}

impl Labels {
    /// Reserves room for this many lines.
    pub(super) fn reserve(&mut self, lines: usize) {
        self.of_lines.reserve_exact(lines);
    }

    /// Appends a line.
    pub(super) fn push(&mut self, label: &str) {
        if self.numbers.is_empty() {
            self.numbers.extend(self.names.iter().cloned().zip(0..));
        }
        let number = match self.numbers.get(label) {
            Some(number) => *number,
            None => {
                let next = self.names.len() as u32;
                self.names.push(label.into());
                self.numbers.insert(label.into(), next);
                next
            }
        };
        self.of_lines.push(number);
    }

    /// Returns the label of a line; empty beyond the last line.
    pub(super) fn get(&self, line: usize) -> &str {
        let number = self.of_lines.get(line).copied();
        number.and_then(|number| self.names.get(number as usize)).map_or("", |name| name)
    }

    /// Keeps the first `lines` lines and drops labels that none of them has.
    pub(super) fn truncate(&mut self, lines: usize) {
        self.of_lines.truncate(lines);
        self.names.truncate(self.of_lines.iter().max().map_or(0, |last| *last as usize + 1));
        self.settle();
    }

    /// Frees the map that only adding needs.
    pub(super) fn settle(&mut self) {
        self.numbers = HashMap::new();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn every_line_keeps_its_label(
            first in prop::collection::vec("[ab]{0,2}", 0..9), more in prop::collection::vec("[abc]{0,2}", 0..9),
        ) {
            let mut labels = Labels::default();
            first.iter().for_each(|label| labels.push(label));
            labels.settle();
            let alone = labels.clone();
            more.iter().for_each(|label| labels.push(label));
            for (line, label) in first.iter().chain(&more).enumerate() {
                prop_assert_eq!(labels.get(line), label);
            }
            prop_assert_eq!(labels.get(first.len() + more.len()), "");
            labels.truncate(first.len());
            prop_assert_eq!(labels, alone);
        }
    }
}
