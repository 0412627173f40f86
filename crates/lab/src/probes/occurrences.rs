//! Lines of the corpora in which the readings that a probe asks about occur; few enough for an encoder to read them in
//! minutes.

use std::collections::{BTreeMap, HashMap};
use tuppum_geometry::Random;
use tuppum_text::signs::taxonomy::{Node, SignTree};
use tuppum_text::{Document, SignIndex, State};

/// Maximum bytes of a line, unless an encoder reads fewer. Longer lines are rare, and an encoder's time grows with the
/// square.
pub const LONGEST_LINE: usize = 512;

/// A line, and the readings that are looked at in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProbeLine {
    /// The line as the edition writes it.
    pub text: String,
    /// A reading's number in [`Occurrences::readings`], and the number of the sign that has it in
    /// [`ProbeLine::document`].
    pub uses: Vec<(usize, SignIndex)>,
}

impl ProbeLine {
    /// Label before a line: without it a line that begins with a number would be read as one with a label.
    pub const LABEL: &str = "1. ";

    /// Returns the line as a document, with [`Line::LABEL`] before its first byte.
    pub fn document(&self) -> Document {
        read(&self.text)
    }
}

fn read(line: &str) -> Document {
    Document::read(&format!("{}{line}", ProbeLine::LABEL))
}

/// Readings, and lines that have each of them several times.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Occurrences {
    /// Readings in the order of the tree.
    pub readings: Vec<String>,
    /// The node of each in the tree.
    pub nodes: Vec<u32>,
    /// The lines.
    pub lines: Vec<ProbeLine>,
}

/// Lines with their readings, before any is chosen.
#[derive(Debug)]
pub struct Gathering<K> {
    /// Returns `true` if every encoder knows a reading at the beginning of a word, or inside one.
    knows: K,
    longest: usize,
    numbers: HashMap<String, usize>,
    counts: Vec<usize>,
    lines: Vec<ProbeLine>,
}

impl<K: Fn(&str, bool) -> bool> Gathering<K> {
    /// Begins without lines. `knows` returns `true` if the occurrences of a reading count, given whether it begins a
    /// word; lines of more than `longest` bytes are skipped.
    pub fn new(knows: K, longest: usize) -> Self {
        Self { knows, longest, numbers: HashMap::new(), counts: Vec::new(), lines: Vec::new() }
    }

    /// Adds a line. Signs that are missing and restored by an editor do not count.
    pub fn add(&mut self, line: &str) {
        if line.len() > self.longest {
            return;
        }
        let mut uses = Vec::new();
        for (place, sign) in read(line).signs().enumerate() {
            let Some(reading) = sign.reading().filter(|reading| (self.knows)(reading, sign.starts_word())) else {
                continue;
            };
            if sign.state == State::Missing {
                continue;
            }
            let number = match self.numbers.get(reading) {
                Some(number) => *number,
                None => {
                    self.numbers.insert(reading.to_owned(), self.counts.len());
                    self.counts.push(0);
                    self.counts.len() - 1
                }
            };
            self.counts[number] += 1;
            uses.push((number, place));
        }
        self.lines.push(ProbeLine { text: line.to_owned(), uses });
    }

    /// Draws lines. The readings are the ones that the tree has under some sign, that were seen at least `fewest`
    /// times, and whose sign has another such reading. The lines come in an order drawn by chance; a line is taken if
    /// it has a reading which was not yet looked at `times` times.
    pub fn draw(mut self, tree: &SignTree, fewest: usize, times: usize, seed: u64) -> Occurrences {
        let chosen = self.chosen(tree, fewest);
        let mut own = vec![None; self.counts.len()];
        chosen.iter().enumerate().for_each(|(own_number, (_, number, _))| own[*number] = Some(own_number));
        let mut missing = vec![times; chosen.len()];
        Random::new(seed).shuffle(&mut self.lines);
        let mut lines = Vec::new();
        for ProbeLine { text, uses } in self.lines {
            let mut wanted = |(number, place): (usize, SignIndex)| {
                let reading = own[number].filter(|reading: &usize| missing[*reading] > 0)?;
                missing[reading] -= 1;
                Some((reading, place))
            };
            let uses: Vec<(usize, SignIndex)> = uses.into_iter().filter_map(&mut wanted).collect();
            if !uses.is_empty() {
                lines.push(ProbeLine { text, uses });
            }
        }
        let nodes = chosen.iter().map(|(node, ..)| *node).collect();
        Occurrences { readings: chosen.into_iter().map(|(.., reading)| reading).collect(), nodes, lines }
    }

    /// Returns the readings that are looked at, in the order of the tree: node, number so far, name.
    fn chosen(&self, tree: &SignTree, fewest: usize) -> Vec<(u32, usize, String)> {
        let mut of_sign: BTreeMap<u32, Vec<(u32, usize, String)>> = BTreeMap::new();
        for (reading, number) in &self.numbers {
            let node = tree.number_of(reading);
            // What the tree does not have falls back on its sign or on the root.
            if self.counts[*number] >= fewest && matches!(tree.node(node), Node::Reading(_)) {
                of_sign.entry(tree.parent(node)).or_default().push((node, *number, reading.clone()));
            }
        }
        let mut chosen: Vec<_> = of_sign.into_values().filter(|readings| readings.len() > 1).flatten().collect();
        chosen.sort_unstable();
        chosen
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree() -> SignTree {
        SignTree::parse("glyph\treadings\n𒀭\tAN an {d}\n𒌓\tUTU ud\n𒁀\tba\n").unwrap()
    }

    fn gathered(knows: impl Fn(&str, bool) -> bool) -> Occurrences {
        let mut gathering = Gathering::new(knows, LONGEST_LINE);
        for line in ["an AN ba", "1(diš) {d}UTU-an", "[an] ud", "ud UTU an AN", "{d}UTU", "AN an", "AN an", "AN an"] {
            gathering.add(line);
        }
        gathering.add(&"{d}UTU ".repeat(100));
        gathering.draw(&tree(), 2, 2, 1)
    }

    #[test]
    fn readings_are_those_of_signs_that_have_several() {
        let found = gathered(|_, _| true);
        assert_eq!(found.readings, ["AN", "an", "{d}", "UTU", "ud"], "ba is alone");
        assert_eq!(found.nodes, [2, 3, 4, 6, 7]);
        // UTU is known only at the beginning of a word, and once there: ud is then alone.
        assert_eq!(gathered(|reading, starts| reading != "UTU" || starts).readings, ["AN", "an", "{d}"]);
    }

    #[test]
    fn every_reading_is_looked_at_so_many_times_and_where_it_stands() {
        let found = gathered(|_, _| true);
        let mut times = vec![0; found.readings.len()];
        for line in &found.lines {
            let document = line.document();
            let signs: Vec<_> = document.signs().collect();
            for (reading, place) in &line.uses {
                times[*reading] += 1;
                assert_eq!(signs[*place].reading(), Some(found.readings[*reading].as_str()), "{}", line.text);
                assert_ne!(signs[*place].state, State::Missing);
            }
        }
        assert_eq!(times, [2; 5]);
        assert!(found.lines.len() < 8, "a line that adds nothing is not read");
        assert_eq!(gathered(|_, _| true), found);
    }
}
