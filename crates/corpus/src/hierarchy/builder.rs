//! Builds the tree of signs, readings, words and phrases.

use super::words::WordCounts;
use super::{Hierarchy, Kind, Node, is_determinative, readings};
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap, HashSet};
use tuppum_text::signs::SignList;
use tuppum_text::signs::taxonomy::ReadingCount;

/// Minimum counts of texts in the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Thresholds {
    /// Minimum count of a word whose spelling the lexicon has, so that an editor has understood it.
    pub listed: u64,
    /// Minimum count of any other word, from corpora without a lexicon.
    pub unlisted: u64,
    /// Minimum count of a phrase.
    pub phrase: u64,
}

impl Default for Thresholds {
    /// Returns the settings of the shipped tree.
    fn default() -> Self {
        Thresholds { listed: 3, unlisted: 6, phrase: 20 }
    }
}

/// Tree, with the numbers of words left out.
#[derive(Debug)]
pub struct Built {
    pub hierarchy: Hierarchy,
    /// Number of frequent words with a sign that is not a reading (`x` in a personal name, a compound between bars).
    pub unreadable: usize,
    /// Number of words whose reading is missing in the counts, so that they have no parent.
    pub homeless: usize,
}

/// Builds the tree.
///
/// Signs and readings are those of the counts whose glyph is cuneiform; a reading that two signs write is two nodes.
/// The parent of a word is its first reading that is not a determinative, under the sign that writes this reading most
/// often; the parent of a phrase is its first word.
pub fn build(counts: &[ReadingCount], corpora: &WordCounts, lexicon: &HashSet<&str>, thresholds: &Thresholds) -> Built {
    let mut nodes = vec![Node { parent: 0, kind: Kind::Root, label: "signs".into(), glyph: String::new(), count: 0 }];
    add_signs(&mut nodes, counts);
    nodes[0].count = nodes.iter().filter(|node| node.kind == Kind::Sign).map(|node| node.count).sum();
    let by_reading = commonest(&nodes);
    let (mut unreadable, mut homeless) = (0, 0);
    let mut by_word: HashMap<&str, usize> = HashMap::new();
    let often =
        |word: &str, count: u64| count >= if lexicon.contains(word) { thresholds.listed } else { thresholds.unlisted };
    for (word, count) in by_falling_count(&corpora.words).filter(|(word, count)| often(word, *count)) {
        let Some(readings) = readings(word) else {
            unreadable += 1;
            continue;
        };
        let Some(parent) = place(&readings, &by_reading) else {
            homeless += 1;
            continue;
        };
        by_word.insert(word, nodes.len());
        nodes.push(Node { parent, kind: Kind::Word, label: word.into(), glyph: String::new(), count });
    }
    for (phrase, count) in by_falling_count(&corpora.phrases).filter(|(_, count)| *count >= thresholds.phrase) {
        // A phrase hangs under words of the tree, so all of its words must be there.
        if !phrase.split(' ').all(|word| by_word.contains_key(word)) {
            continue;
        }
        let first = phrase.split(' ').next().and_then(|word| by_word.get(word));
        if let Some(parent) = first.copied() {
            nodes.push(Node { parent, kind: Kind::Phrase, label: phrase.into(), glyph: String::new(), count });
        }
    }
    Built { hierarchy: Hierarchy::new(in_branches(nodes)), unreadable, homeless }
}

/// Adds the signs and their readings.
fn add_signs(nodes: &mut Vec<Node>, counts: &[ReadingCount]) {
    let mut signs: BTreeMap<&str, BTreeMap<&str, u64>> = BTreeMap::new();
    for row in counts.iter().filter(|row| row.count > 0 && is_cuneiform(row.glyph)) {
        *signs.entry(row.glyph).or_default().entry(row.reading).or_default() += row.count;
    }
    for (glyph, readings) in signs {
        let sign = nodes.len();
        let count = readings.values().sum();
        nodes.push(Node { parent: 0, kind: Kind::Sign, label: name(glyph, &readings), glyph: glyph.into(), count });
        for (reading, count) in readings {
            nodes.push(Node { parent: sign, kind: Kind::Reading, label: reading.into(), glyph: String::new(), count });
        }
    }
}

/// Returns `true` if every character is a cuneiform sign of Unicode.
fn is_cuneiform(glyph: &str) -> bool {
    !glyph.is_empty() && glyph.chars().all(|letter| ('\u{12000}'..='\u{1254F}').contains(&letter))
}

/// Returns the sign list's name of a glyph with these readings, else any name of the glyph, else the glyph.
fn name(glyph: &str, readings: &BTreeMap<&str, u64>) -> String {
    let mut by_count: Vec<(&&str, &u64)> = readings.iter().collect();
    by_count.sort_by_key(|(_, count)| Reverse(**count));
    let entries = by_count.into_iter().filter_map(|(reading, _)| SignList::shared().sign_of(reading));
    let mut named = entries.filter(|entry| entry.glyph == glyph && !entry.name.is_empty());
    let named = named.next().map(|entry| entry.name.into_owned());
    named.unwrap_or_else(|| SignList::shared().name_of(glyph).unwrap_or(glyph).to_owned())
}

/// Returns the node of every reading; if several signs write it, the node with the highest count.
pub(super) fn commonest(nodes: &[Node]) -> HashMap<String, usize> {
    let mut found: HashMap<String, usize> = HashMap::new();
    for (number, node) in nodes.iter().enumerate().filter(|(_, node)| node.kind == Kind::Reading) {
        let slot = found.entry(node.label.clone()).or_insert(number);
        let best = &nodes[*slot];
        // On equal counts the lower glyph wins, regardless of the order of nodes.
        let rank = |node: &Node| (Reverse(node.count), nodes[node.parent].glyph.clone());
        if rank(node) < rank(best) {
            *slot = number;
        }
    }
    found
}

/// Returns the parent of a word with these readings.
pub(super) fn place(readings: &[String], by_reading: &HashMap<String, usize>) -> Option<usize> {
    let first = readings.iter().find(|reading| !is_determinative(reading)).or_else(|| readings.first())?;
    by_reading.get(first).copied()
}

fn by_falling_count(counts: &HashMap<String, u64>) -> impl Iterator<Item = (&str, u64)> {
    let mut rows: Vec<(&str, u64)> = counts.iter().map(|(text, count)| (text.as_str(), *count)).collect();
    rows.sort_by_key(|(text, count)| (Reverse(*count), *text));
    rows.into_iter()
}

/// Reorders the nodes so that every branch is contiguous and children are sorted by falling count, then by label and
/// glyph.
fn in_branches(nodes: Vec<Node>) -> Vec<Node> {
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); nodes.len()];
    for (number, node) in nodes.iter().enumerate().skip(1) {
        children[node.parent].push(number);
    }
    let key = |number: &usize| {
        let node = &nodes[*number];
        (Reverse(node.count), &node.label, &node.glyph)
    };
    for of_one in &mut children {
        of_one.sort_by(|one, other| key(one).cmp(&key(other)));
    }
    // Stack of nodes, each with its parent's new number; the next one on top.
    let mut waiting = vec![(0, 0)];
    let mut ordered: Vec<Node> = Vec::with_capacity(nodes.len());
    while let Some((number, parent)) = waiting.pop() {
        let own = ordered.len();
        ordered.push(Node { parent, ..nodes[number].clone() });
        waiting.extend(children[number].iter().rev().map(|child| (*child, own)));
    }
    ordered
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    fn corpora(words: &[(&str, u64)], phrases: &[(&str, u64)]) -> WordCounts {
        let of = |rows: &[(&str, u64)]| rows.iter().map(|(text, count)| ((*text).to_owned(), *count)).collect();
        WordCounts { words: of(words), phrases: of(phrases), skipped: 0 }
    }

    pub fn small() -> Built {
        let row = |reading, glyph, count| ReadingCount { reading, glyph, count };
        let counts = [
            row("a", "𒀀", 50),
            row("{d}", "𒀭", 40),
            row("an", "𒀭", 9),
            row("na", "𒈾", 30),
            row("UTU", "𒌓", 20),
            row("ta", "𒋫", 5),
            row("ta", "𒋬", 4),
            row("o", "o", 70),
        ];
        let corpora = corpora(
            &[("a-na", 25), ("{d}UTU", 9), ("ta-a", 6), ("a-a", 3), ("na-an", 5), ("zu", 9), ("a-x", 9), ("{d}", 8)],
            &[("a-na {d}UTU", 20), ("a-na ta-a", 19), ("a-na zu", 30)],
        );
        build(&counts, &corpora, &HashSet::from(["a-a", "a-na"]), &Thresholds::default())
    }

    #[test]
    fn words_hang_under_their_first_reading_and_phrases_under_their_first_word() {
        let built = small();
        let nodes = built.hierarchy.nodes();
        let shown: Vec<String> = nodes
            .iter()
            .map(|node| format!("{}{} {}", "-".repeat(node.kind as usize), node.label, node.count))
            .collect();
        assert_eq!(
            shown,
            [
                "signs 158",
                "-A 50",
                "--a 50",
                "---a-na 25",
                "----a-na {d}UTU 20",
                "---a-a 3",
                "-AN 49",
                "--{d} 40",
                "---{d} 8",
                "--an 9",
                "-NA 30",
                "--na 30",
                "-UD 20",
                "--UTU 20",
                "---{d}UTU 9",
                "-TA 5",
                "--ta 5",
                "---ta-a 6",
                "-𒋬 4",
                "--ta 4"
            ]
        );
        assert_eq!((built.unreadable, built.homeless), (1, 1), "a-x and zu");
        assert!(nodes.iter().enumerate().skip(1).all(|(number, node)| node.parent < number));
        assert!(nodes.iter().all(|node| (node.kind == Kind::Sign) != node.glyph.is_empty()));
        assert_eq!(Hierarchy::parse(&super::super::table(&built.hierarchy)).as_ref(), Ok(&built.hierarchy));
    }
}
