//! Live training on a part of the sign tree, in the plane, epoch by epoch.

use super::adam::Adam;
use super::trainer::TrainerError;
use super::{GraphTrainer, GraphTrainingPlan, KnowledgeGraph, Triple, signs};
use crate::graph::{GraphGeometry, GraphSettings};
use tuppum_corpus::hierarchy::{Hierarchy, Kind, Node};

/// Bound of the distance between queries and points. The paper's bounds are made for 32 dimensions and leave too little
/// room in two.
const SCALE: f32 = 20.0;
/// Maximum length of a space-like part: 2.8 from the centre, at 0.88 of the disk's radius.
const REACH: f32 = 8.0;
/// Learning rate; a small graph has few steps in an epoch.
const RATE: f32 = 0.03;
/// Triples in a batch.
const BATCH: usize = 100;

/// A run on a part of the tree.
#[derive(Debug)]
pub struct Live {
    /// Graph of the part; a twentieth of its links is in the split "valid", another twentieth in "test".
    pub graph: KnowledgeGraph,
    /// The run.
    pub trainer: GraphTrainer,
    /// The entity of each node; none for the root and for phrases.
    pub entities: Vec<Option<usize>>,
    kinds: Vec<Kind>,
}

impl Live {
    /// Begins a run over signs, readings and words. In Lorentz's geometry points have bounds; in the geometries of the
    /// controls they have none.
    ///
    /// # Errors
    /// The part has too few links to hold any out.
    pub fn new(
        nodes: Vec<Node>,
        geometry: GraphGeometry,
        dimension: usize,
        epochs: u32,
        seed: u64,
    ) -> Result<Self, TrainerError> {
        let tree = Hierarchy::new(nodes);
        let graph = signs::of(&tree, seed)?;
        let mut number = 0;
        let entity = |node: &Node| {
            signs::KINDS.contains(&node.kind).then(|| {
                number += 1;
                number - 1
            })
        };
        let entities = tree.nodes().iter().map(entity).collect();
        let kinds = tree.nodes().iter().map(|node| node.kind).collect();
        let model = match geometry {
            GraphGeometry::Lorentz => GraphSettings { scale: SCALE, reach: REACH, ..GraphSettings::default() },
            control => GraphSettings::control(control),
        };
        let plan = GraphTrainingPlan {
            model: GraphSettings { dimension, ..model },
            adam: Adam { rate: RATE, ..Adam::default() },
            epochs,
            batch: BATCH,
            // The last third settles.
            decay: 0.33,
            seed,
            ..GraphTrainingPlan::default()
        };
        Ok(Self { trainer: GraphTrainer::new(plan, &graph)?, graph, entities, kinds })
    }

    /// Returns the links that were held out, both ways.
    pub fn held_out(&self) -> Vec<Triple> {
        let parts = [super::triples::GraphSplit::Valid, super::triples::GraphSplit::Test];
        parts.into_iter().flat_map(|part| self.graph.both_ways(part)).collect()
    }

    /// Returns the nodes of a kind with their entities.
    pub fn nodes_of(&self, kind: Kind) -> impl Iterator<Item = (usize, usize)> {
        let nodes = self.kinds.iter().zip(&self.entities).enumerate();
        nodes.filter_map(move |(node, (own, entity))| Some((node, (*entity)?)).filter(|_| *own == kind))
    }

    /// Returns the positions of the nodes in Poincaré's disk, two coordinates each, from the first two dimensions; the
    /// middle for nodes that are no entities.
    pub fn disk(&self) -> Vec<f32> {
        let model = &self.trainer.model;
        let place = |entity: &Option<usize>| match entity {
            Some(entity) => {
                let (point, time) = (model.point(*entity), model.times[*entity]);
                // Curvature -1: s / (1 + t).
                [point[0] / (1.0 + time), point[1] / (1.0 + time)]
            }
            None => [0.0, 0.0],
        };
        self.entities.iter().flat_map(place).collect()
    }
}
