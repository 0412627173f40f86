//! Training in epochs, the same on every machine for the same seed.

use super::adam::{Adam, GraphMoments};
use super::step::{StepRule, Workspace, step};
use super::triples::{Answers, GraphError, GraphSplit, KnowledgeGraph, Triple, TripleBatch};
use crate::error::SettingsError;
use crate::graph::{GraphModel, GraphSettings};
use serde::{Deserialize, Serialize};
use thiserror::Error;
use tuppum_geometry::Random;

/// Plan of a training run: everything beside the graph that must be the same for a run to go on.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct GraphTrainingPlan {
    /// The model.
    pub model: GraphSettings,
    /// The optimiser.
    pub adam: Adam,
    /// Passes over all triples and their inverses.
    pub epochs: u32,
    /// Triples in a batch.
    pub batch: usize,
    /// False tails for each triple.
    pub false_tails: usize,
    /// `true` if no false tail may be the tail of another learnt triple of the same head and relation.
    #[serde(default)]
    pub truly_false: bool,
    /// `true` if the triples to validate and to test by are spared too, as in the published program. The run then never
    /// learns as false what it is tested on, which is a leak. Only with `truly_false`.
    #[serde(default)]
    pub leak: bool,
    /// Amount taken from the true tail's 1 and shared out evenly among the false ones; 0 for none (after Szegedy et
    /// al., "Rethinking the Inception architecture", CVPR 2016, section 7, where the true tail has a share too).
    #[serde(default)]
    pub smoothing: f32,
    /// Share of the epochs at the end over which the learning rate falls to zero in a line; 0 keeps it.
    pub decay: f32,
    /// Seed of the first numbers, the orders and the false tails.
    pub seed: u64,
}

impl Default for GraphTrainingPlan {
    /// Settings for graphs that the paper does not have.
    fn default() -> Self {
        Self {
            model: GraphSettings::default(),
            adam: Adam::default(),
            epochs: 1_000,
            batch: 1_000,
            false_tails: 50,
            truly_false: false,
            leak: false,
            smoothing: 0.0,
            decay: 0.0,
            seed: 1,
        }
    }
}

/// δ of the published runs: their score is 8 + 2⟨q, t⟩, which is 6 - d²_L.
const PUBLISHED_MARGIN: f32 = 6.0;

impl GraphTrainingPlan {
    /// Returns the published plan for WN18RR in 32 dimensions.
    pub fn wn18rr() -> Self {
        let plan = Self::default();
        let model = GraphSettings { scale: 3.5, margin: PUBLISHED_MARGIN, ..plan.model };
        Self { model, truly_false: true, ..plan }
    }

    /// Returns the published plan for FB15k-237 in 32 dimensions.
    pub fn fb15k237() -> Self {
        let plan = Self::default();
        let model = GraphSettings { scale: 2.5, margin: PUBLISHED_MARGIN, ..plan.model };
        Self { model, adam: Adam { rate: 3e-3, ..plan.adam }, epochs: 500, batch: 500, ..plan }
    }

    /// Checks that a run can have this plan.
    ///
    /// # Errors
    /// A sentence on what is wrong.
    pub fn check(&self) -> Result<(), SettingsError> {
        self.model.check()?;
        for (name, value) in [("batch", self.batch), ("number of false tails", self.false_tails)] {
            if value == 0 {
                return Err(SettingsError::Zero(name));
            }
        }
        if !(self.adam.rate > 0.0 && self.adam.rate.is_finite()) {
            return Err(SettingsError::Rate(self.adam.rate));
        }
        if !(0.0..=1.0).contains(&self.decay) {
            return Err(SettingsError::Decay(self.decay));
        }
        if !(0.0..1.0).contains(&self.smoothing) {
            return Err(SettingsError::Smoothing(self.smoothing));
        }
        if self.leak && !self.truly_false {
            return Err(SettingsError::Leak);
        }
        Ok(())
    }

    /// Returns the tails that are never drawn as false ones.
    pub fn spared(&self, graph: &KnowledgeGraph) -> Answers {
        match (self.truly_false, self.leak) {
            (false, _) => Answers::new(),
            (true, false) => graph.answers_in(&[GraphSplit::Train]),
            (true, true) => graph.answers(),
        }
    }

    /// Returns the share of the learning rate in an epoch, from 0.
    fn rate_share(&self, epoch: u32) -> f32 {
        let left = (self.epochs.saturating_sub(epoch)) as f32 / (self.epochs.max(1) as f32 * self.decay.max(1e-9));
        left.min(1.0)
    }
}

/// Reason why a run cannot begin or go on.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum TrainerError {
    /// The plan is impossible.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// The graph has nothing to learn or to measure.
    #[error(transparent)]
    Graph(#[from] GraphError),
    /// The loss is no longer a number.
    #[error("the loss is no number after epoch {epoch}; try a smaller learning rate")]
    Diverged {
        /// The epoch, from 1.
        epoch: u32,
    },
}

/// A run under way.
#[derive(Debug)]
pub struct GraphTrainer {
    /// Plan of the run.
    pub plan: GraphTrainingPlan,
    /// The model as it is now.
    pub model: GraphModel,
    /// The optimiser's memory.
    pub moments: GraphMoments,
    /// Number of epochs done.
    pub epoch: u32,
    triples: Vec<Triple>,
    /// Known tails, which are never drawn as false ones.
    known: Answers,
    work: Workspace,
}

impl GraphTrainer {
    /// Begins a run.
    ///
    /// # Errors
    /// Errors of [`GraphTrainingPlan::check`] and [`KnowledgeGraph::check`].
    pub fn new(plan: GraphTrainingPlan, graph: &KnowledgeGraph) -> Result<Self, TrainerError> {
        plan.check()?;
        graph.check()?;
        let model = GraphModel::new(plan.model, graph.entities.len(), 2 * graph.relations.len(), plan.seed);
        let moments = GraphMoments::new(&model);
        let triples = graph.both_ways(GraphSplit::Train);
        let known = plan.spared(graph);
        Ok(Self { plan, model, moments, epoch: 0, triples, known, work: Workspace::default() })
    }

    /// Triples of an epoch, inverses included.
    pub fn triples(&self) -> usize {
        self.triples.len()
    }

    /// Trains for an epoch; after each batch `on_batch` gets the number of its triples. Returns the mean loss.
    ///
    /// # Errors
    /// The loss is no longer a number.
    pub fn run_epoch(&mut self, threads: usize, mut on_batch: impl FnMut(usize)) -> Result<f64, TrainerError> {
        // Every epoch has its own seed, so a continued run draws as one that never stopped.
        let mut random = Random::new(self.plan.seed ^ (u64::from(self.epoch) + 1).wrapping_mul(0xA076_1D64_78BD_642F));
        let mut order = self.triples.clone();
        random.shuffle(&mut order);
        let (entities, share) = (self.model.entities(), self.plan.rate_share(self.epoch));
        let mut loss = 0.0;
        for triples in order.chunks(self.plan.batch) {
            let (triples, false_tails) = (triples.iter().copied(), self.plan.false_tails);
            let batch = TripleBatch::drawn(triples, false_tails, entities, &self.known, &mut random);
            let rule = StepRule { adam: &self.plan.adam, share, smoothing: self.plan.smoothing };
            let of_batch = step(&mut self.model, &mut self.moments, &batch, rule, threads, &mut self.work);
            loss += of_batch * batch.len() as f64 / order.len() as f64;
            on_batch(batch.len());
        }
        self.epoch += 1;
        if loss.is_finite() { Ok(loss) } else { Err(TrainerError::Diverged { epoch: self.epoch }) }
    }
}
