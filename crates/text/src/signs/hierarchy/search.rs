//! Search for nodes of the tree by what a person types: a sign's name, a reading in any convention, a word, a glyph.

use super::{Hierarchy, Kind, key};
use crate::Document;

/// Result of a search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SearchResult {
    /// Nodes, the best first, at most as many as asked for.
    pub nodes: Vec<usize>,
    /// Number of all results.
    pub total: usize,
}

/// Quality of a match; smaller is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Fit {
    Whole,
    Beginning,
    Part,
}

impl Hierarchy {
    /// Returns at most `most` nodes whose label or glyph fits the query: whole labels first, then beginnings, then
    /// parts; signs before readings before words; the frequent before the rare. `sza2`, `šá` and `ša₂` give the same
    /// result.
    pub fn search(&self, query: &str, most: usize) -> SearchResult {
        let query = query.trim();
        if query.is_empty() {
            return SearchResult::default();
        }
        let typed = key(query);
        // A glyph is looked up as such, not by the name that it is read by.
        let has_glyphs = query.chars().any(|letter| ('\u{12000}'..='\u{1254f}').contains(&letter));
        let read = if has_glyphs { typed.clone() } else { key(Document::read(query).canonical().trim()) };
        let mut fitting: Vec<_> = (1..self.len())
            .filter_map(|node| {
                let label = self.folded.get(node)?;
                let fit =
                    // The query as typed and as the reader reads it: `sza` also finds the label `ša`.
                    self.glyph_fit(node, query).into_iter().chain(fit(label, &typed)).chain(fit(label, &read)).min()?;
                let about = self.node(node)?;
                Some((fit, about.kind, std::cmp::Reverse(about.count), node))
            })
            .collect();
        fitting.sort_unstable();
        let total = fitting.len();
        SearchResult { nodes: fitting.into_iter().take(most).map(|(.., node)| node).collect(), total }
    }

    fn glyph_fit(&self, node: usize, query: &str) -> Option<Fit> {
        let about = self.node(node).filter(|about| about.kind == Kind::Sign && !about.glyph.is_empty())?;
        fit(&about.glyph, query)
    }
}

fn fit(label: &str, query: &str) -> Option<Fit> {
    if query.is_empty() || !label.contains(query) {
        None
    } else if label == query {
        Some(Fit::Whole)
    } else if label.starts_with(query) {
        Some(Fit::Beginning)
    } else {
        Some(Fit::Part)
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::small;

    fn check(query: &str, nodes: &[usize]) {
        assert_eq!(small().search(query, 10).nodes, nodes, "{query}");
    }

    #[test]
    fn any_convention_finds_a_reading() {
        for query in ["ša₂", "sza2", "šá", " ŠA₂ ", "SZA2"] {
            check(query, &[2, 4]);
        }
    }

    #[test]
    fn names_words_phrases_and_glyphs() {
        check("𒃻", &[2]);
        check("gar", &[7]);
        check("a-na", &[5, 6]);
        check("a-na lugal", &[6]);
        check("", &[]);
        check("qqq", &[]);
    }

    #[test]
    fn whole_before_beginning_before_part() {
        check("a", &[1, 3, 5, 6, 2, 4, 7]);
        let found = small().search("a", 2);
        assert_eq!((found.nodes, found.total), (vec![1, 3], 7));
    }
}
