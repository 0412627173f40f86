//! The triples of a knowledge graph, with its entities and relations numbered, and batches of them with false tails.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt;
use thiserror::Error;
use tuppum_geometry::Random;

/// Head, relation and tail, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Triple {
    /// The head.
    pub head: u32,
    /// The relation; numbers from the count of [`KnowledgeGraph::relations`] on are inverse relations.
    pub relation: u32,
    /// The tail.
    pub tail: u32,
}

/// A knowledge graph in three parts.
///
/// Every relation has an inverse, numbered after all of them: a question for the head of a triple is one for the tail
/// of the inverse triple.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KnowledgeGraph {
    /// Names of the entities.
    pub entities: Vec<String>,
    /// Names of the relations, without inverses.
    pub relations: Vec<String>,
    /// Triples to learn from.
    pub train: Vec<Triple>,
    /// Triples to choose settings by.
    pub valid: Vec<Triple>,
    /// Triples to report figures of.
    pub test: Vec<Triple>,
}

/// Known tails of heads and relations.
pub type Answers = BTreeMap<(u32, u32), BTreeSet<u32>>;

/// A part of the graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GraphSplit {
    /// Triples to learn from.
    Train,
    /// Triples to choose settings by.
    Valid,
    /// Triples to report figures of.
    Test,
}

impl fmt::Display for GraphSplit {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str(match self {
            Self::Train => "train",
            Self::Valid => "valid",
            Self::Test => "test",
        })
    }
}

/// Reason why tables are no graph.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum GraphError {
    /// A part has no triple.
    #[error(
        "the graph is empty: its part \"{0}\" has no triple. Each line must be head, relation and tail, separated by \
         tabs."
    )]
    Empty(GraphSplit),
    /// A line is no triple.
    #[error("{part}, line {line}: {problem}")]
    Line {
        /// The part.
        part: GraphSplit,
        /// Number of the line, from 1.
        line: usize,
        /// Problem of the line.
        problem: TripleProblem,
    },
}

/// Problem of a line of a graph.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum TripleProblem {
    /// The line has more or fewer than three columns.
    #[error(
        "there should be three columns separated by tabs, head, relation and tail; this line has {found} column{}: \
         {line:?}",
        if *.found == 1 { "" } else { "s" }
    )]
    Columns {
        /// Number of columns found.
        found: usize,
        /// The line.
        line: String,
    },
    /// A name is missing.
    #[error("the {name} is empty: {line:?}")]
    Empty {
        /// Head, relation or tail.
        name: &'static str,
        /// The line.
        line: String,
    },
}

/// Numbers names as they come.
#[derive(Debug, Default)]
struct Names {
    numbers: HashMap<String, u32>,
    names: Vec<String>,
}

impl Names {
    fn number(&mut self, name: &str) -> u32 {
        if let Some(number) = self.numbers.get(name) {
            return *number;
        }
        let number = self.names.len() as u32;
        self.numbers.insert(name.to_owned(), number);
        self.names.push(name.to_owned());
        number
    }
}

impl KnowledgeGraph {
    /// Reads the tables of the three parts: a triple a line, head, relation and tail separated by tabs, no header.
    ///
    /// # Errors
    /// A line with more or fewer than three columns, or with an empty name, by part and line; or no triples at all.
    pub fn parse(tables: [(GraphSplit, &str); 3]) -> Result<Self, GraphError> {
        let (mut entities, mut relations, mut graph) = (Names::default(), Names::default(), Self::default());
        for (part, table) in tables {
            let mut triples = Vec::new();
            let lines = table.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
            for (number, line) in lines {
                let [head, relation, tail] =
                    columns(line).map_err(|problem| GraphError::Line { part, line: number + 1, problem })?;
                let (head, tail) = (entities.number(head), entities.number(tail));
                triples.push(Triple { head, relation: relations.number(relation), tail });
            }
            *graph.part_mut(part) = triples;
        }
        (graph.entities, graph.relations) = (entities.names, relations.names);
        graph.check()?;
        Ok(graph)
    }

    fn part_mut(&mut self, part: GraphSplit) -> &mut Vec<Triple> {
        match part {
            GraphSplit::Train => &mut self.train,
            GraphSplit::Valid => &mut self.valid,
            GraphSplit::Test => &mut self.test,
        }
    }

    /// Returns the triples of a part.
    pub fn part(&self, part: GraphSplit) -> &[Triple] {
        match part {
            GraphSplit::Train => &self.train,
            GraphSplit::Valid => &self.valid,
            GraphSplit::Test => &self.test,
        }
    }

    /// Checks that there is something to learn from and something to measure.
    ///
    /// # Errors
    /// A sentence that names the empty part.
    pub fn check(&self) -> Result<(), GraphError> {
        for part in [GraphSplit::Train, GraphSplit::Valid, GraphSplit::Test] {
            if self.part(part).is_empty() {
                return Err(GraphError::Empty(part));
            }
        }
        Ok(())
    }

    /// Returns the inverse of a triple.
    pub fn inverse(&self, triple: Triple) -> Triple {
        let count = self.relations.len() as u32;
        let relation = if triple.relation < count { triple.relation + count } else { triple.relation - count };
        Triple { head: triple.tail, relation, tail: triple.head }
    }

    /// Returns the triples of a part, then their inverses.
    pub fn both_ways(&self, part: GraphSplit) -> Vec<Triple> {
        let triples = self.part(part);
        triples.iter().copied().chain(triples.iter().map(|triple| self.inverse(*triple))).collect()
    }

    /// Returns all tails that are known for a head and a relation, in any part and both ways.
    pub fn answers(&self) -> Answers {
        self.answers_in(&[GraphSplit::Train, GraphSplit::Valid, GraphSplit::Test])
    }

    /// Returns all tails that some parts have for a head and a relation, both ways.
    pub fn answers_in(&self, parts: &[GraphSplit]) -> Answers {
        let mut answers = Answers::new();
        for triple in parts.iter().flat_map(|part| self.both_ways(*part)) {
            answers.entry((triple.head, triple.relation)).or_default().insert(triple.tail);
        }
        answers
    }
}

/// Returns the three columns of a line.
fn columns(line: &str) -> Result<[&str; 3], TripleProblem> {
    let cells: Vec<&str> = line.trim_end_matches('\r').split('\t').collect();
    let Ok(columns) = <[&str; 3]>::try_from(cells.as_slice()) else {
        return Err(TripleProblem::Columns { found: cells.len(), line: line.to_owned() });
    };
    match columns.iter().zip(["head", "relation", "tail"]).find(|(cell, _)| cell.trim().is_empty()) {
        Some((_, name)) => Err(TripleProblem::Empty { name, line: line.to_owned() }),
        None => Ok(columns),
    }
}

/// Triples whose scores are compared with those of false tails.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TripleBatch {
    /// The heads.
    pub heads: Vec<u32>,
    /// The relations.
    pub relations: Vec<u32>,
    /// Tails of each head: the true one, then the false ones.
    pub tails: Vec<u32>,
    /// Tails of each head.
    pub width: usize,
}

impl TripleBatch {
    /// Draws for each of these triples `false_tails` entities, evenly from all but the entities `known` to be true
    /// tails of its head and relation.
    pub fn drawn(
        triples: impl Iterator<Item = Triple>,
        false_tails: usize,
        entities: usize,
        known: &Answers,
        random: &mut Random,
    ) -> Self {
        let mut batch = Self { width: false_tails + 1, ..Self::default() };
        for triple in triples {
            batch.heads.push(triple.head);
            batch.relations.push(triple.relation);
            batch.tails.push(triple.tail);
            // Where every entity is a true tail there is none to draw.
            let known = known.get(&(triple.head, triple.relation)).filter(|known| known.len() < entities);
            for _ in 0..false_tails {
                let mut tail = random.below(entities) as u32;
                while known.is_some_and(|known| known.contains(&tail)) {
                    tail = random.below(entities) as u32;
                }
                batch.tails.push(tail);
            }
        }
        batch
    }

    /// Returns the number of triples.
    pub fn len(&self) -> usize {
        self.heads.len()
    }

    /// Returns `true` if the batch has no triples.
    pub fn is_empty(&self) -> bool {
        self.heads.is_empty()
    }
}
