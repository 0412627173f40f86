//! `tuppum-lab assets hierarchy`: writes the tree of signs, readings, words and phrases, and prints the figures of its
//! making.

use indicatif::ProgressBar;
use std::collections::HashSet;
use std::path::Path;
use tuppum_cli::failure::{About, Result};
use tuppum_cli::input;
use tuppum_cli::terminal::style;
use tuppum_corpus::hierarchy::builder::{Built, Thresholds, build};
use tuppum_corpus::hierarchy::graph::Graph;
use tuppum_corpus::hierarchy::words::WordCounts;
use tuppum_corpus::hierarchy::{Hierarchy, Kind, table};
use tuppum_corpus::signs_file::{corpora, for_each_row, text_of};
use tuppum_text::signs::taxonomy::ReadingCount;

/// Spellings with their lemmas.
pub const LEXICON: &str = "oracc/lexicon/oracc_forms.tsv.xz";

/// Writes `tree.tsv` into a folder, and prints the figures for the README beside it.
///
/// # Errors
/// A sentence that names the file.
pub fn write(data: &Path, out: &Path) -> Result<()> {
    let counts = input::read(&data.join("osl/signs/reading_counts.tsv"))?;
    let counts = ReadingCount::parse(&counts)?;
    let forms = text_of(&data.join(LEXICON))?;
    let lexicon: HashSet<&str> = forms.lines().skip(1).filter_map(|line| line.split('\t').next()).collect();
    let words = count(data)?;
    let built = build(&counts, &words, &lexicon, &Thresholds::default());
    let (path, table) = (out.join("tree.tsv"), table(&built.hierarchy));
    std::fs::create_dir_all(out).and_then(|()| std::fs::write(&path, &table)).cannot("be written", &path)?;
    println!("{}: {} nodes, {} bytes", path.display(), built.hierarchy.nodes().len(), table.len());
    report(&built, &words);
    Ok(())
}

/// Counts the words of every corpus under the folder.
///
/// # Errors
/// A sentence that names the file.
pub fn count(data: &Path) -> Result<WordCounts> {
    let mut words = WordCounts::default();
    let files = corpora(data)?;
    let bar = ProgressBar::new(files.len() as u64).with_style(style("{msg} {bar:30} {pos}/{len}"));
    for file in &files {
        bar.set_message(file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default());
        for_each_row(file, None, |row| words.add(row))?;
        bar.inc(1);
    }
    bar.finish_and_clear();
    Ok(words)
}

/// Prints nodes and parents by kind, and what was left out.
fn report(built: &Built, words: &WordCounts) {
    let tree: &Hierarchy = &built.hierarchy;
    let graph = Graph::of(tree);
    println!("| kind | nodes | with several parents | parents in the mean | most parents |\n|---|---|---|---|---|");
    for kind in Kind::ALL {
        let parents: Vec<usize> = tree.of_kind(kind).map(|node| graph.parents(node).len()).collect();
        let (several, sum) = (parents.iter().filter(|parents| **parents > 1).count(), parents.iter().sum::<usize>());
        let (mean, most) = (sum as f64 / parents.len().max(1) as f64, parents.iter().max().unwrap_or(&0));
        println!("| {} | {} | {several} | {mean:.2} | {most} |", kind.name(), parents.len());
    }
    println!("edges: {} in the graph, {} in the tree", graph.edges(), tree.nodes().len() - 1);
    let texts: HashSet<&str> = tree.of_kind(Kind::Reading).map(|node| tree.nodes()[node].label.as_str()).collect();
    println!("different readings: {}", texts.len());
    let mut children = vec![0; tree.nodes().len()];
    tree.nodes().iter().skip(1).for_each(|node| children[node.parent] += 1);
    let most = |kind: Kind| {
        let widest = tree.of_kind(kind).max_by_key(|node| children[*node]);
        widest.map_or(String::new(), |node| format!("{} with {} children", tree.nodes()[node].label, children[node]))
    };
    println!("widest: {}; {}; {}", most(Kind::Sign), most(Kind::Reading), most(Kind::Word));
    println!("left out: {} words not readable, {} without a place", built.unreadable, built.homeless);
    println!(
        "lines skipped: {}; different words {}, phrases {}",
        words.skipped,
        words.words.len(),
        words.phrases.len()
    );
}
