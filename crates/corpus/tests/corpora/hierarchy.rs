//! Tests of the shipped tree of signs, readings, words and phrases: its content, and that the corpora still give it.
#![allow(clippy::unwrap_used)] // an asset that cannot be read is a failure

use std::collections::HashSet;
use std::fs;
use std::path::PathBuf;
use tuppum_corpus::hierarchy::graph::{Graph, follows_the_rule};
use tuppum_corpus::hierarchy::table;
use tuppum_corpus::hierarchy::{Hierarchy, Kind};

fn root(name: &str) -> PathBuf {
    tuppum_testing::project(name)
}

fn shipped() -> String {
    fs::read_to_string(root("assets/hierarchy/tree.tsv")).unwrap()
}

#[test]
fn the_shipped_tree_is_whole_and_compact() {
    let shipped = shipped();
    assert!(shipped.len() < 1_500_000, "{} bytes are fetched by the page", shipped.len());
    let tree = Hierarchy::parse(&shipped).unwrap();
    assert_eq!(table(&tree), shipped);
    let count = |kind| tree.of_kind(kind).count();
    assert_eq!((count(Kind::Root), count(Kind::Sign), count(Kind::Reading)), (1, 741, 3_448));
    assert!(count(Kind::Word) > 20_000 && count(Kind::Phrase) > 3_000);
    // The parent of each kind is of the kind above, children are sorted by falling count, and every branch is
    // contiguous.
    let mut last = vec![u64::MAX; tree.nodes().len()];
    let mut open = vec![0];
    for (number, node) in tree.nodes().iter().enumerate().skip(1) {
        let parent = &tree.nodes()[node.parent];
        assert_eq!(node.kind as usize, parent.kind as usize + 1, "{node:?}");
        assert_eq!(node.glyph.is_empty(), node.kind != Kind::Sign, "{node:?}");
        assert!(node.count <= last[node.parent], "{node:?}");
        last[node.parent] = node.count;
        while open.last() != Some(&node.parent) {
            assert!(open.pop().is_some(), "{node:?} is not in its parent's branch");
        }
        open.push(number);
    }
    let words: HashSet<&str> = tree.of_kind(Kind::Word).map(|word| tree.nodes()[word].label.as_str()).collect();
    assert_eq!(words.len(), count(Kind::Word), "a word is in one place");
    assert!(["a-na", "{d}UTU", "LUGAL", "be-li₂-ia"].iter().all(|word| words.contains(word)));
}

#[test]
fn words_hang_where_the_rule_says_and_have_more_parents_in_the_graph() {
    let tree = Hierarchy::parse(&shipped()).unwrap();
    assert!(follows_the_rule(&tree));
    let graph = Graph::of(&tree);
    let of = |kind| tree.of_kind(kind).filter(|node| graph.parents(*node).len() > 1).count();
    // Figures stated by the README and the document.
    assert_eq!((of(Kind::Word), of(Kind::Phrase)), (27_664, 5_179));
    let document = fs::read_to_string(root("docs/geometry.md")).unwrap();
    for kind in [Kind::Word, Kind::Phrase] {
        let row = format!("| {} | {} | {} |", kind.name(), tree.of_kind(kind).count(), of(kind));
        assert!(document.contains(&row), "run `tuppum-lab geometry distortion --out docs/geometry.md` anew: {row}");
    }
    assert!(
        (0..tree.nodes().len()).skip(1).all(|node| graph.parents(node).first() == Some(&tree.nodes()[node].parent))
    );
}

#[test]
fn the_corpora_give_the_shipped_tree_again() {
    use tuppum_corpus::hierarchy::builder::{Thresholds, build};
    use tuppum_corpus::hierarchy::words::WordCounts;
    use tuppum_corpus::signs_file::{corpora, for_each_row, text_of};
    use tuppum_text::signs::taxonomy::ReadingCount;
    let data = root("../shared/data");
    if !data.join("osl").exists() {
        println!("not run: {} is not there", data.display());
        return;
    }
    let counts = fs::read_to_string(data.join("osl/signs/reading_counts.tsv")).unwrap();
    let forms = text_of(&data.join("oracc/lexicon/oracc_forms.tsv.xz")).unwrap();
    let lexicon: HashSet<&str> = forms.lines().skip(1).filter_map(|line| line.split('\t').next()).collect();
    let mut words = WordCounts::default();
    for file in corpora(&data).unwrap() {
        for_each_row(&file, None, |row| words.add(row)).unwrap();
    }
    let built = build(&ReadingCount::parse(&counts).unwrap(), &words, &lexicon, &Thresholds::default());
    assert!(table(&built.hierarchy) == shipped(), "run `tuppum-lab assets hierarchy` anew, and its README");
}
