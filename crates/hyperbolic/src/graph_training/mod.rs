//! Training of a model of a knowledge graph: its triples, batches with false tails, Riemannian Adam over points.

pub mod adam;
pub mod live;
pub mod signs;
pub mod step;
#[cfg(test)]
mod tests;
pub mod trainer;
pub mod triples;

pub use trainer::{GraphTrainer, GraphTrainingPlan};
pub use triples::{KnowledgeGraph, Triple};
