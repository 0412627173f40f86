//! Training on kinds of nodes or on links: the whole graph in every step, stopped by the validation figure.

use super::node_graph::NodeGraph;
use super::scores::{area_under_curve, f1};
use super::split::{LinkSplit, NoLinks, NodeSplit};
use burn::tensor::{Device, Tensor, TensorData, activation};
use std::fmt::Display;
use thiserror::Error;
use tuppum_domain::training::{OptimiserRule, OptimiserSettings};
use tuppum_hyperbolic::neighbours::EdgeError;
use tuppum_hyperbolic::nodes::neighbourhood::{Neighbourhood, numbers};
use tuppum_hyperbolic::nodes::networks::NodeNetwork;
use tuppum_train::dropout::Pool;
use tuppum_train::optimiser::GradientSum;
use tuppum_train::optimiser::{Optimiser, StepUpdate};
use tuppum_train::update_rules::adamw;

/// Settings by which a network learns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NodeTrainingPlan {
    /// Learning rate, constant.
    pub rate: f64,
    /// Decay of matrices, times the rate.
    pub decay: f64,
    /// Share of the coordinates of a layer's input that are left out while learning.
    pub dropout: f64,
    /// Maximum number of steps, each over the whole graph.
    pub steps: u32,
    /// Steps between two measurements.
    pub every: u32,
    /// Measurements without a better one after which the run ends.
    pub patience: u32,
    /// Seed of the dropout, and of the pairs without a link.
    pub seed: u64,
}

/// Figures at the step where the validation figure was best.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct NodesFound {
    /// The step.
    pub step: u32,
    /// Figure on the part to stop by.
    pub valid: f64,
    /// Figure on the part to report.
    pub test: f64,
}

/// Reason why nothing is learnt.
#[derive(Debug, Error)]
pub enum NodeTrainingError {
    /// The graph's edges are no neighbourhoods.
    #[error(transparent)]
    Edges(#[from] EdgeError),
    /// The device gives no numbers.
    #[error("the device gave no numbers: {0}")]
    Device(String),
}

/// Learns the kinds of some nodes; figures are F1.
///
/// # Errors
/// [`NodeTrainingError`].
pub async fn learn_kinds<N: NodeNetwork>(
    network: N,
    graph: &NodeGraph,
    split: &NodeSplit,
    plan: &NodeTrainingPlan,
    device: &Device,
) -> Result<NodesFound, NodeTrainingError> {
    let gradients = device.clone().autodiff();
    let plain = Neighbourhood::new(graph.nodes(), &graph.edges, device)?;
    let around = Neighbourhood::new(graph.nodes(), &graph.edges, &gradients)?;
    let own: Vec<usize> = split.train.iter().filter_map(|node| graph.kinds.get(*node).copied()).collect();
    let count = own.len();
    let own = numbers(own, &gradients).reshape([count, 1]);
    let train = numbers(split.train.iter().copied(), &gradients);
    let (measured, learnt) = (features(graph, device), features(graph, &gradients));
    let mut run = NodeTraining::new(network, plan, device);
    let mut best = Best::default();
    for _ in 0..plan.steps {
        let points = run.points(learnt.clone(), &around);
        let logits = run.network.kinds(points).select(0, train.clone());
        let likely = activation::log_softmax(logits, 1).gather(1, own.clone());
        run.step(likely.mean().neg());
        if run.is_measured() {
            let network = run.network.valid();
            let points = network.points(measured.clone(), &plain, &mut ());
            let logits = read(network.kinds(points)).await?;
            let score = |nodes: &[usize]| {
                let width = logits.len() / graph.nodes();
                let pairs: Vec<[usize; 2]> =
                    nodes.iter().map(|node| [graph.kinds[*node], largest(&logits[node * width..][..width])]).collect();
                f1(&pairs, graph.kinds())
            };
            if best.is_over(run.number, score(&split.valid), || score(&split.test), plan.patience) {
                break;
            }
        }
    }
    Ok(best.found)
}

/// Learns links; figures are areas under the curve.
///
/// # Errors
/// [`NodeTrainingError`].
pub async fn learn_links<N: NodeNetwork>(
    network: N,
    graph: &NodeGraph,
    split: &LinkSplit,
    plan: &NodeTrainingPlan,
    device: &Device,
) -> Result<NodesFound, NodeTrainingError> {
    let gradients = device.clone().autodiff();
    let plain = Neighbourhood::new(graph.nodes(), &split.train, device)?;
    let around = Neighbourhood::new(graph.nodes(), &split.train, &gradients)?;
    let mut none = NoLinks::new(graph, plan.seed ^ 0xFA15E);
    let (measured, learnt) = (features(graph, device), features(graph, &gradients));
    let mut run = NodeTraining::new(network, plan, device);
    let mut best = Best::default();
    for _ in 0..plan.steps {
        let points = run.points(learnt.clone(), &around);
        let there = logits(&run.network, &points, &split.train);
        let not = logits(&run.network, &points, &none.draw(split.train.len()));
        run.step(activation::softplus(there.neg(), 1.0).mean() + activation::softplus(not, 1.0).mean());
        if run.is_measured() {
            let network = run.network.valid();
            let points = network.points(measured.clone(), &plain, &mut ());
            let mut areas = [0.0; 2];
            for (area, [links, others]) in areas.iter_mut().zip([&split.valid, &split.test]) {
                let links = read(logits(&network, &points, links).unsqueeze::<2>()).await?;
                let others = read(logits(&network, &points, others).unsqueeze::<2>()).await?;
                *area = area_under_curve(&links, &others);
            }
            if best.is_over(run.number, areas[0], || areas[1], plan.patience) {
                break;
            }
        }
    }
    Ok(best.found)
}

/// Logits of links between nodes.
fn logits<N: NodeNetwork>(network: &N, points: &Tensor<2>, links: &[[usize; 2]]) -> Tensor<1> {
    let device = points.device();
    let end = |end: usize| points.clone().select(0, numbers(links.iter().map(|link| link[end]), &device));
    network.links(end(0), end(1))
}

fn features(graph: &NodeGraph, device: &Device) -> Tensor<2> {
    Tensor::from_data(TensorData::new(graph.features.clone(), [graph.nodes(), graph.width]), device)
}

async fn read(tensor: Tensor<2>) -> Result<Vec<f32>, NodeTrainingError> {
    let unread = |error: &dyn Display| NodeTrainingError::Device(error.to_string());
    let data = tensor.into_data_async().await.map_err(|error| unread(&error))?;
    data.try_into_vec().map_err(|error| unread(&error))
}

fn largest(row: &[f32]) -> usize {
    row.iter().enumerate().max_by(|one, other| one.1.total_cmp(other.1)).map_or(0, |(place, _)| place)
}

/// A network in training.
struct NodeTraining<'p, N> {
    network: N,
    optimiser: Optimiser,
    plan: &'p NodeTrainingPlan,
    pool: Pool,
    number: u32,
    device: Device,
}

impl<'p, N: NodeNetwork> NodeTraining<'p, N> {
    fn new(network: N, plan: &'p NodeTrainingPlan, device: &Device) -> Self {
        let pool = Pool::new(plan.dropout, plan.seed, device);
        Self { network, optimiser: Optimiser::default(), plan, pool, number: 0, device: device.clone() }
    }

    fn points(&self, features: Tensor<2>, around: &Neighbourhood) -> Tensor<2> {
        let seed = self.plan.seed.wrapping_mul(1 << 20).wrapping_add(u64::from(self.number));
        self.network.points(features, around, &mut self.pool.masks(seed))
    }

    fn step(&mut self, loss: Tensor<1>) {
        let mut gradients = loss.backward();
        let mut sum = GradientSum::default();
        sum.add_module(&self.network, &mut gradients);
        self.number += 1;
        let settings = OptimiserSettings {
            rule: OptimiserRule::AdamW,
            rate: self.plan.rate,
            warm_up: 0.0,
            points_rate: None,
            weight_decay: self.plan.decay,
            betas: [0.9, 0.999],
            epsilon: 1e-8,
            clip: f64::from(f32::MAX),
        };
        let norm = sum.norm(&self.device);
        let update = StepUpdate { settings, rate: self.plan.rate, number: self.number, norm };
        let rule = |_: &str, value: Tensor<2>, gradient, before| {
            let decays = value.dims()[0] > 1;
            adamw(value, gradient, before, &update.of_weights(decays))
        };
        self.network = self.optimiser.step_module(self.network.clone(), &mut sum, &update, rule);
    }

    fn is_measured(&self) -> bool {
        self.number.is_multiple_of(self.plan.every.max(1)) || self.number == self.plan.steps
    }
}

/// The best measurement so far.
#[derive(Default)]
struct Best {
    found: NodesFound,
    /// Measurements since then.
    since: u32,
    any: bool,
}

impl Best {
    /// Takes a measurement; returns `true` if the run is over, after `patience` measurements without a better one.
    fn is_over(&mut self, step: u32, valid: f64, test: impl FnOnce() -> f64, patience: u32) -> bool {
        if !self.any || valid > self.found.valid {
            *self = Self { found: NodesFound { step, valid, test: test() }, since: 0, any: true };
        } else {
            self.since += 1;
        }
        self.since >= patience
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use burn::module::{Module, ModuleVisitor, Param};
    use futures_lite::future::block_on;
    use tuppum_hyperbolic::nodes::networks::{FlatNodes, LorentzNodes, NodeNetworkSettings};

    const PLAN: NodeTrainingPlan =
        NodeTrainingPlan { rate: 0.02, decay: 0.0, dropout: 0.0, steps: 120, every: 10, patience: 6, seed: 1 };

    fn settings(graph: &NodeGraph) -> NodeNetworkSettings {
        NodeNetworkSettings { features: graph.width, width: 8, layers: 2, kinds: graph.kinds(), seed: 1 }
    }

    /// Returns the numbers of a network, tensor by tensor.
    fn tensors(network: &LorentzNodes) -> Vec<(String, Vec<f32>)> {
        #[derive(Default)]
        struct All(Vec<String>, Vec<(String, Vec<f32>)>);
        impl ModuleVisitor for All {
            fn enter_module(&mut self, name: &str, _: &str) {
                self.0.push(name.to_owned());
            }
            fn exit_module(&mut self, _: &str, _: &str) {
                self.0.pop();
            }
            fn visit_float<const D: usize>(&mut self, param: &Param<Tensor<D>>) {
                self.1.push((self.0.join("."), param.val().inner().into_data().try_into_vec().unwrap()));
            }
        }
        let mut all = All::default();
        network.visit(&mut all);
        all.1
    }

    /// Two clubs that know one another by one link; features only identify the member.
    fn clubs() -> NodeGraph {
        let size = 12;
        let mut graph = NodeGraph { width: 2 * size, ..NodeGraph::default() };
        for node in 0..2 * size {
            graph.kinds.push(node / size);
            graph.features.extend((0..2 * size).map(|at| f32::from(u8::from(at == node))));
        }
        let known = (0..2 * size).flat_map(|one| (one + 1..2 * size).map(move |other| [one, other]));
        // A third of the pairs of a club know one another.
        graph.edges = known.filter(|[one, other]| one / size == other / size && (one + other) % 3 == 0).collect();
        graph.edges.push([0, 2 * size - 1]);
        graph
    }

    #[test]
    fn kinds_are_learnt_from_a_few_by_who_knows_whom() {
        let graph = clubs();
        let split = NodeSplit {
            train: vec![0, 1, 2, 12, 13, 14],
            valid: vec![3, 4, 5, 15, 16, 17],
            test: vec![6, 7, 8, 9, 10, 11, 18, 19, 20, 21, 22, 23],
        };
        let device = Device::flex();
        let gradients = device.clone().autodiff();
        let flat = FlatNodes::new(&settings(&graph), &gradients);
        let flat = block_on(learn_kinds(flat, &graph, &split, &PLAN, &device)).unwrap();
        let mut all = vec![flat];
        for attends in [false, true] {
            let network = LorentzNodes::new(&settings(&graph), attends, &gradients);
            all.push(block_on(learn_kinds(network, &graph, &split, &PLAN, &device)).unwrap());
        }
        println!("{all:?}");
        // Each node's neighbours are of its own club but for two; by chance half would be right.
        assert!(all.iter().all(|found| found.test > 0.9), "{all:?}");
    }

    #[test]
    fn links_are_foretold_and_every_parameter_moves() {
        let graph = clubs();
        let split = LinkSplit::of(&graph, 1);
        let device = Device::flex();
        let network = LorentzNodes::new(&settings(&graph), true, &device.clone().autodiff());
        let mut run = NodeTraining::new(network.clone(), &PLAN, &device);
        let around = Neighbourhood::new(graph.nodes(), &split.train, &device.clone().autodiff()).unwrap();
        let points = run.points(features(&graph, &device.clone().autodiff()), &around);
        let kinds = run.network.kinds(points.clone()).square().mean();
        run.step(logits(&run.network, &points, &split.train).square().mean() + kinds);
        let stayed: Vec<String> = tensors(&network)
            .into_iter()
            .zip(tensors(&run.network))
            .filter_map(|((name, before), (_, after))| (before == after).then_some(name))
            .collect();
        assert!(stayed.is_empty(), "did not move: {stayed:?}");
        let found = block_on(learn_links(network, &graph, &split, &PLAN, &device)).unwrap();
        println!("{found:?}");
        // Of the pairs that are none half are within a club, where nothing tells them from links: many such pairs would
        // give 0.75, and these few more or less.
        assert!(found.valid > 0.6 && found.step > 0, "{found:?}");
    }

    #[test]
    fn the_same_seed_finds_the_same() {
        let graph = clubs();
        let device = Device::flex();
        let plan = NodeTrainingPlan { dropout: 0.3, steps: 10, every: 5, ..PLAN };
        let run = || {
            let network = LorentzNodes::new(&settings(&graph), true, &device.clone().autodiff());
            block_on(learn_links(network, &graph, &LinkSplit::of(&graph, 3), &plan, &device)).unwrap()
        };
        assert_eq!(run(), run());
    }

    #[test]
    fn it_ends_when_nothing_gets_better() {
        let mut best = Best::default();
        assert!(!best.is_over(5, 0.5, || 0.4, 2) && !best.is_over(10, 0.6, || 0.3, 2));
        assert!(!best.is_over(15, 0.6, || 0.9, 2) && best.is_over(20, 0.1, || 0.9, 2));
        assert_eq!(best.found, NodesFound { step: 10, valid: 0.6, test: 0.3 });
    }
}
