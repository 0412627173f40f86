//! The labels of lines (`obverse 3`): hundreds of thousands of lines have some thousand different ones, each kept once.

use std::collections::HashMap;

/// What each line is called.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Labels {
    names: Vec<Box<str>>,
    /// For every line the number of its label.
    of_lines: Vec<u32>,
    /// The numbers of the labels, while lines are being added.
    numbers: HashMap<Box<str>, u32>,
}

impl Labels {
    /// Makes room for so many lines.
    pub(super) fn reserve(&mut self, lines: usize) {
        self.of_lines.reserve_exact(lines);
    }

    /// Adds a line.
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

    /// The label of a line; nothing beyond the last one.
    pub(super) fn get(&self, line: usize) -> &str {
        let number = self.of_lines.get(line).copied();
        number.and_then(|number| self.names.get(number as usize)).map_or("", |name| name)
    }

    /// Keeps the first lines alone, and no label that none of them has.
    pub(super) fn truncate(&mut self, lines: usize) {
        self.of_lines.truncate(lines);
        self.names.truncate(self.of_lines.iter().max().map_or(0, |last| *last as usize + 1));
        self.settle();
    }

    /// Gives back what only adding needs.
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
