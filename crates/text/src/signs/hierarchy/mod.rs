//! Tree of the script as the page shows it: sign → reading → word → phrase, with counts of the corpora.
//!
//! `tuppum-lab assets hierarchy` writes the table; the page fetches it because it is too large to be compiled in. A row
//! is a node, parents before children; the number of a node is that of its row.

mod search;

pub use search::SearchResult;

use super::error::{RowProblem, TableError};
use super::{fold, rows};

/// First line of the table.
pub const HEADER: &str = "parent\tkind\tlabel\tglyph\tcount";

/// Kind of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// Whole script.
    Root,
    /// Sign, by its name.
    Sign,
    /// Reading of the sign above.
    Reading,
    /// Word, as spelt.
    Word,
    /// Words that recur together.
    Phrase,
}

impl Kind {
    /// All kinds, from the root down.
    pub const ALL: [Kind; 5] = [Kind::Root, Kind::Sign, Kind::Reading, Kind::Word, Kind::Phrase];

    /// Returns the name in the table.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Root => "root",
            Kind::Sign => "sign",
            Kind::Reading => "reading",
            Kind::Word => "word",
            Kind::Phrase => "phrase",
        }
    }

    fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// Node of the tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// Number of the parent; the root is its own parent.
    pub parent: usize,
    /// Kind of the node.
    pub kind: Kind,
    /// Name of a sign, a reading, a word or a phrase, as written.
    pub label: String,
    /// Cuneiform of a sign; empty for all else, and where Unicode has none.
    pub glyph: String,
    /// Number of occurrences in the corpora.
    pub count: u64,
}

/// Tree of the script.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hierarchy {
    nodes: Vec<Node>,
    children: Vec<Vec<usize>>,
    /// Labels in the form that is searched.
    folded: Vec<String>,
}

impl Hierarchy {
    /// Reads the table.
    ///
    /// # Errors
    /// [`TableError`] names the first invalid row: another header, an unknown kind, a parent that does not come before
    /// its child, a second root, a cell that is not a count; or that there is no row.
    pub fn parse(table: &str) -> Result<Self, TableError> {
        let mut nodes = Vec::new();
        for (line, cells) in rows(table, HEADER)? {
            nodes.push(read(&cells, nodes.len()).map_err(|problem| problem.in_row(line))?);
        }
        if nodes.is_empty() { Err(TableError::NoRows) } else { Ok(Self::new(nodes)) }
    }

    /// Builds the tree of these nodes: the first is the root, every other comes after its parent.
    pub fn new(nodes: Vec<Node>) -> Self {
        let mut children = vec![Vec::new(); nodes.len()];
        for (number, node) in nodes.iter().enumerate().skip(1) {
            children[node.parent].push(number);
        }
        let folded = nodes.iter().map(|node| key(&node.label)).collect();
        Self { nodes, children, folded }
    }

    /// Returns the numbers of the nodes of a kind, in order.
    pub fn of_kind(&self, kind: Kind) -> impl Iterator<Item = usize> {
        self.nodes.iter().enumerate().filter(move |(_, node)| node.kind == kind).map(|(number, _)| number)
    }

    /// Returns the parent of every node but the root, as `geometry` takes a tree.
    pub fn parents(&self) -> Vec<usize> {
        self.nodes.iter().skip(1).map(|node| node.parent).collect()
    }

    /// Returns the number of nodes, including the root.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Returns `true` if there are no nodes, as in the default value; a table that was read always has nodes.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Returns all nodes in their order.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// Returns a node by its number.
    pub fn node(&self, number: usize) -> Option<&Node> {
        self.nodes.get(number)
    }

    /// Returns the numbers of a node's children in the order of the table, the most frequent first.
    pub fn children(&self, number: usize) -> &[usize] {
        self.children.get(number).map_or(&[], Vec::as_slice)
    }

    /// Returns the parent of a node; `None` for the root.
    pub fn parent(&self, number: usize) -> Option<usize> {
        self.nodes.get(number).filter(|_| number > 0).map(|node| node.parent)
    }

    /// Returns the previous or next node under the same parent; the first comes after the last.
    pub fn sibling(&self, number: usize, back: bool) -> Option<usize> {
        let all = self.children(self.parent(number)?);
        let place = all.iter().position(|one| *one == number)?;
        let step = if back { all.len() - 1 } else { 1 };
        all.get((place + step) % all.len()).copied()
    }

    /// Returns the nodes from the root down to a node, both included; empty if there is no such node.
    pub fn line(&self, number: usize) -> Vec<usize> {
        let mut line: Vec<usize> = (number < self.len()).then_some(number).into_iter().collect();
        while let Some(above) = line.last().and_then(|node| self.parent(*node)) {
            line.push(above);
        }
        line.reverse();
        line
    }

    /// Returns the labels from below the root down to a node, which name it in other editions of the table too. The
    /// second of several signs with one name gets `~2` at its end, and so on.
    pub fn path(&self, number: usize) -> Vec<String> {
        self.line(number).into_iter().skip(1).filter_map(|node| self.step(node)).collect()
    }

    /// Returns the name of a node among its siblings.
    fn step(&self, number: usize) -> Option<String> {
        let label = &self.node(number)?.label;
        let siblings = self.children(self.parent(number)?);
        let before = siblings.iter().take_while(|one| **one != number);
        match before.filter(|one| self.node(**one).is_some_and(|node| node.label == *label)).count() {
            0 => Some(label.clone()),
            same => Some(format!("{label}~{}", same + 1)),
        }
    }

    /// Returns the child of a node that has this name among its siblings.
    fn child(&self, parent: usize, step: &str) -> Option<usize> {
        let named = |label: &str, place: usize| {
            let mut same =
                self.children(parent).iter().filter(|one| self.node(**one).is_some_and(|n| n.label == label));
            same.nth(place).copied()
        };
        // A tilde may also be part of a name.
        named(step, 0).or_else(|| {
            let (label, place) = step.rsplit_once('~')?;
            named(label, place.parse::<usize>().ok()?.checked_sub(1)?)
        })
    }

    /// Returns the node with this path; if the path leads nowhere, the last node on it that exists.
    pub fn at_path<'a>(&self, path: impl IntoIterator<Item = &'a str>) -> usize {
        let mut at = 0;
        for step in path {
            let Some(child) = self.child(at, step) else { break };
            at = child;
        }
        at
    }
}

/// Returns the form of a label or query for comparison: without differences of case and convention.
fn key(label: &str) -> String {
    fold(label)
}

fn read(cells: &[&str], number: usize) -> Result<Node, RowProblem> {
    let &[parent, kind, label, glyph, times] = cells else { return Err(RowProblem::Cells) };
    let kind = Kind::named(kind).ok_or_else(|| RowProblem::NodeKind(kind.to_owned()))?;
    if (number == 0) != (kind == Kind::Root) {
        return Err(RowProblem::Root);
    }
    let parent = match parent.parse() {
        _ if number == 0 && parent.is_empty() => 0,
        Ok(parent) if parent < number => parent,
        _ => return Err(RowProblem::Parent { parent: parent.to_owned(), node: number }),
    };
    let count = times.parse().map_err(|_| RowProblem::Count(times.to_owned()))?;
    Ok(Node { parent, kind, label: label.to_owned(), glyph: glyph.to_owned(), count })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Table that the page fetches.
    const TABLE: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/hierarchy/tree.tsv"));

    pub const SMALL: &str = "parent\tkind\tlabel\tglyph\tcount
\troot\tsigns\t\t100
0\tsign\tA\t𒀀\t60
0\tsign\tŠA₂\t𒃻\t40
1\treading\ta\t\t55
2\treading\tša₂\t\t30
3\tword\ta-na\t\t20
5\tphrase\ta-na LUGAL\t\t7
2\treading\tgar\t\t10
";

    pub fn small() -> Hierarchy {
        Hierarchy::parse(SMALL).unwrap()
    }

    #[test]
    fn nodes_know_their_neighbours() {
        let tree = small();
        assert_eq!((tree.len(), tree.children(0), tree.children(2)), (8, &[1, 2][..], &[4, 7][..]));
        assert_eq!((tree.parent(0), tree.parent(5), tree.parent(99)), (None, Some(3), None));
        assert_eq!(
            (tree.sibling(4, false), tree.sibling(7, false), tree.sibling(4, true)),
            (Some(7), Some(4), Some(7))
        );
        assert_eq!((tree.sibling(0, true), tree.sibling(5, true)), (None, Some(5)));
        assert_eq!(tree.line(6), [0, 1, 3, 5, 6]);
        assert!(tree.line(99).is_empty());
    }

    #[test]
    fn paths_lead_back() {
        let tree = small();
        for node in 0..tree.len() {
            assert_eq!(tree.at_path(tree.path(node).iter().map(String::as_str)), node);
        }
        assert_eq!(tree.path(6), ["A", "a", "a-na", "a-na LUGAL"]);
        assert_eq!(tree.at_path(["A", "e₄", "a-na"]), 1, "as far as there is a way");
    }

    #[test]
    fn broken_tables_are_named() {
        for (row, part) in [
            ("0\tsign\tA\t\tmany", "\"many\""),
            ("0\tcity\tA\t\t1", "no kind \"city\""),
            ("1\tsign\tA\t\t1", "\"1\" is no node"),
            ("\tsign\tA\t\t1", "\"\" is no node"),
            ("0\troot\tA\t\t1", "first node is the root"),
            ("3\tword\ta-na\t\t1", "\"3\" is no node"),
            ("0\tverb\ta\t\t1", "no kind \"verb\""),
        ] {
            let table = format!("{HEADER}\n\troot\tsigns\t\t1\n{row}\n");
            let message = Hierarchy::parse(&table).unwrap_err().to_string();
            assert!(message.contains(part) && message.contains("row 3"), "{message}");
        }
        assert!(Hierarchy::parse("").is_err() && Hierarchy::parse(HEADER).is_err());
    }

    #[test]
    fn the_table_of_the_page_is_whole() {
        let tree = Hierarchy::parse(TABLE).unwrap();
        assert!(tree.len() > 1_000 && TABLE.len() < 2_000_000, "{} nodes, {} bytes", tree.len(), TABLE.len());
        assert!(tree.nodes().iter().skip(1).all(|node| tree.nodes()[node.parent].kind < node.kind));
        for node in 0..tree.len() {
            let path = tree.path(node);
            let same = tree.at_path(path.iter().map(String::as_str));
            assert_eq!(same, node, "{path:?} is there twice");
        }
    }
}
