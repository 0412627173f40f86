//! Networks over the nodes of a graph: on the hyperboloid, and the graph convolution that they are compared with.

use super::neighbourhood::Neighbourhood;
use crate::neighbours::{DistanceClassifier, link_logits};
use crate::{Activation, LinearForm, LinearSettings, Lorentz, LorentzLinear};
use burn::module::{Module, ModuleMapper, Param};
use burn::nn::{Linear, LinearConfig};
use burn::tensor::{Device, Tensor, TensorData, activation};
use tuppum_geometry::Random;
use tuppum_nn::layers::Dropout;

/// Squared distance at which a link is as likely as not, and its scale, as in Chami et al.
const FERMI: [f64; 2] = [2.0, 1.0];
/// λ of the layers at the start, as in the published code.
const SCALE: f64 = 10.0;
/// b of the gates at the start, as in the published code.
const OPEN: f64 = 20.0;
/// Number added to every gate: in f32 the gates of a node whose neighbours are all far away would be 0, and its
/// centroid nowhere.
const MIN_GATE: f64 = 1e-6;
/// Deviation of the points of kinds at the start.
const KINDS_SPREAD: f64 = 0.1;

/// Sizes of a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NodeNetworkSettings {
    /// Features of a node.
    pub features: usize,
    /// Coordinates of a layer's output; space-like ones on the hyperboloid.
    pub width: usize,
    /// Layers.
    pub layers: usize,
    /// Kinds of nodes.
    pub kinds: usize,
    /// Seed of the numbers to begin with.
    pub seed: u64,
}

/// Network over the nodes of a graph, in either space.
pub trait NodeNetwork: Module {
    /// Returns every node's vector after all layers: features `[nodes, features]` to `[nodes, n]`, where n counts a
    /// time-like coordinate on the hyperboloid.
    fn points(&self, features: Tensor<2>, around: &Neighbourhood, dropout: &mut impl Dropout) -> Tensor<2>;

    /// Logits of the kinds: `[nodes, n]` to `[nodes, kinds]`.
    fn kinds(&self, points: Tensor<2>) -> Tensor<2>;

    /// Logits of links between points side by side, by the Fermi-Dirac decoder (2 - d²) / 1: `[links, n]` twice to
    /// `[links]`.
    fn links(&self, one: Tensor<2>, other: Tensor<2>) -> Tensor<1>;
}

/// The paper's network: Lorentz linear layers, each followed by the centroid of a node's own point and its neighbours'.
#[derive(Module, Debug)]
pub struct LorentzNodes {
    layers: Vec<LorentzNodeLayer>,
    classifier: DistanceClassifier,
}

/// A layer of [`LorentzNodes`].
#[derive(Module, Debug)]
pub struct LorentzNodeLayer {
    linear: LorentzLinear,
    gate: Option<NeighbourGate>,
}

/// Weight of each neighbour, as in the published code: its even share times σ(b - d²_L(q, k) / s), where q and k are
/// Lorentz linear layers of the node's point and of the neighbour's; s is trained as its logarithm.
#[derive(Module, Debug)]
pub struct NeighbourGate {
    query: LorentzLinear,
    key: LorentzLinear,
    log_scale: Param<Tensor<1>>,
    bias: Param<Tensor<1>>,
}

impl NeighbourGate {
    fn new(width: usize, device: &Device) -> Self {
        let linear = || LorentzLinear::new(Lorentz::UNIT, &layer(width, width, Activation::None), device);
        let constant = |value: f64| Param::from_data(TensorData::new(vec![value as f32], [1]), device);
        Self { query: linear(), key: linear(), log_scale: constant(0.5 * (width as f64).ln()), bias: constant(OPEN) }
    }

    /// Weights of the links: points `[nodes, n + 1]` to `[links, 1]`.
    fn weights(&self, points: Tensor<2>, around: &Neighbourhood) -> Tensor<2> {
        let [query, key] = around.ends(self.query.forward(points.clone()), self.key.forward(points));
        let scaled = Lorentz::UNIT.squared_distance(query, key) / self.log_scale.val().exp().reshape([1, 1]);
        let gates = activation::sigmoid(scaled.neg() + self.bias.val().reshape([1, 1])) + MIN_GATE;
        gates * around.shares()
    }
}

/// Returns a Lorentz linear layer as the published code has them in its networks of graphs.
fn layer(inputs: usize, outputs: usize, activation: Activation) -> LinearSettings {
    LinearSettings {
        activation,
        bias: true,
        normalised: Some(SCALE),
        form: LinearForm::Published,
        ..LinearSettings::exact(inputs, outputs)
    }
}

impl LorentzNodes {
    /// Returns a new network; neighbours have even weights, or with `attends` learnt ones.
    pub fn new(settings: &NodeNetworkSettings, attends: bool, device: &Device) -> Self {
        let one = |number: usize| {
            let inputs = if number == 0 { settings.features } else { settings.width };
            let activation = if number == 0 { Activation::None } else { Activation::Relu };
            let settings = layer(inputs, settings.width, activation);
            LorentzNodeLayer {
                linear: LorentzLinear::new(Lorentz::UNIT, &settings, device),
                gate: attends.then(|| NeighbourGate::new(settings.outputs, device)),
            }
        };
        let network = Self {
            layers: (0..settings.layers).map(one).collect(),
            classifier: DistanceClassifier::new(Lorentz::UNIT, settings.width, settings.kinds, device),
        };
        network.map(&mut Drawing { random: Random::new(settings.seed), path: Vec::new(), time: 1 })
    }
}

impl NodeNetwork for LorentzNodes {
    fn points(&self, features: Tensor<2>, around: &Neighbourhood, dropout: &mut impl Dropout) -> Tensor<2> {
        let mut space = features;
        for layer in &self.layers {
            let points = layer.linear.forward(Lorentz::UNIT.lift(dropout.dropped(space)));
            let weights =
                layer.gate.as_ref().map_or_else(|| around.shares(), |gate| gate.weights(points.clone(), around));
            space = Lorentz::space(Lorentz::UNIT.centroid_of_sum(around.sums(weights, points)));
        }
        Lorentz::UNIT.lift(space)
    }

    fn kinds(&self, points: Tensor<2>) -> Tensor<2> {
        self.classifier.forward(points)
    }

    fn links(&self, one: Tensor<2>, other: Tensor<2>) -> Tensor<1> {
        link_logits(Lorentz::UNIT, one, other, FERMI[0], FERMI[1])
    }
}

/// Graph convolution (Kipf and Welling, "Semi-supervised classification with graph convolutional networks", ICLR 2017):
/// the mean of a node's neighbours and itself after a linear layer, max(0, x) between two layers.
#[derive(Module, Debug)]
pub struct FlatNodes {
    layers: Vec<Linear>,
    classifier: Linear,
}

impl FlatNodes {
    /// Returns a new network.
    pub fn new(settings: &NodeNetworkSettings, device: &Device) -> Self {
        let one = |number: usize| {
            let inputs = if number == 0 { settings.features } else { settings.width };
            LinearConfig::new(inputs, settings.width).init(device)
        };
        let network = Self {
            layers: (0..settings.layers).map(one).collect(),
            classifier: LinearConfig::new(settings.width, settings.kinds).init(device),
        };
        network.map(&mut Drawing { random: Random::new(settings.seed), path: Vec::new(), time: 0 })
    }
}

impl NodeNetwork for FlatNodes {
    fn points(&self, features: Tensor<2>, around: &Neighbourhood, dropout: &mut impl Dropout) -> Tensor<2> {
        let mut rows = features;
        for (number, layer) in self.layers.iter().enumerate() {
            let read = if number == 0 { rows } else { activation::relu(rows) };
            rows = around.sums(around.shares(), layer.forward(dropout.dropped(read)));
        }
        rows
    }

    fn kinds(&self, points: Tensor<2>) -> Tensor<2> {
        self.classifier.forward(points)
    }

    fn links(&self, one: Tensor<2>, other: Tensor<2>) -> Tensor<1> {
        let links = one.dims()[0];
        let squared = (one - other).square().sum_dim(1).reshape([links]);
        (squared.neg() + FERMI[0]) / FERMI[1]
    }
}

/// Draws matrices from a seed: even numbers that keep lengths. Equal seeds give equal matrices. The first `time` rows
/// of a matrix, which read the time-like coordinate, begin as 0, as in the published code.
struct Drawing {
    random: Random,
    path: Vec<String>,
    time: usize,
}

impl ModuleMapper for Drawing {
    fn enter_module(&mut self, name: &str, _: &str) {
        self.path.push(name.to_owned());
    }

    fn exit_module(&mut self, _: &str, _: &str) {
        self.path.pop();
    }

    fn map_float<const D: usize>(&mut self, param: Param<Tensor<D>>) -> Param<Tensor<D>> {
        let (shape, device) = (param.dims(), param.val().device());
        let numbers = match shape[..] {
            [rows, columns] if self.path.last().is_some_and(|name| name == "kinds") => {
                (0..rows * columns).map(|_| (KINDS_SPREAD * self.random.normal()) as f32).collect()
            }
            [rows, columns] => {
                let bound = (3.0 / (rows - self.time).max(1) as f64).sqrt();
                let mut numbers = vec![0.0; self.time * columns];
                let count = (rows - self.time) * columns;
                numbers.extend((0..count).map(|_| (bound * (2.0 * self.random.uniform() - 1.0)) as f32));
                numbers
            }
            // Burn draws the biases of Euclid's layers; those of Lorentz layers are 0 as they are made.
            _ if self.time == 0 => vec![0.0; shape.iter().product()],
            _ => return param,
        };
        Param::from_tensor(Tensor::from_data(TensorData::new(numbers, shape), &device))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::{near, on_hyperboloid, read, rows, vectors};

    const SETTINGS: NodeNetworkSettings = NodeNetworkSettings { features: 5, width: 3, layers: 2, kinds: 2, seed: 1 };

    fn around() -> Neighbourhood {
        Neighbourhood::new(4, &[[0, 1], [1, 2]], &Device::flex()).unwrap()
    }

    fn features() -> Tensor<2> {
        rows(&vectors(&mut Random::new(3), 5, 4))
    }

    #[test]
    fn nodes_are_points_of_the_sheet_whatever_neighbours_count() {
        for attends in [false, true] {
            let network = LorentzNodes::new(&SETTINGS, attends, &Device::flex());
            let points = network.points(features(), &around(), &mut ());
            assert_eq!(points.dims(), [4, 4]);
            on_hyperboloid(Lorentz::UNIT, points.clone());
            assert_eq!(network.kinds(points.clone()).dims(), [4, 2]);
            // A point and itself: as likely a link as there is, σ(2).
            let same = read(network.links(points.clone(), points).unsqueeze::<2>());
            near(&same, &[vec![2.0; 4]], 1e-5);
        }
    }

    #[test]
    fn a_gate_that_lets_all_through_leaves_even_weights() {
        let network = LorentzNodes::new(&SETTINGS, true, &Device::flex());
        let gate = network.layers[0].gate.clone().unwrap();
        let points = Lorentz::UNIT.lift(rows(&vectors(&mut Random::new(4), 3, 4)));
        let [own, even] = [gate.weights(points.clone(), &around()), around().shares()].map(read);
        let gates: Vec<f64> = own.iter().zip(&even).map(|(own, even)| own[0] / even[0]).collect();
        // Above 1 by what is added, and by rounding.
        assert!(gates.iter().all(|gate| *gate > 0.0 && *gate < 1.0 + 2e-6), "{gates:?}");
        assert!(gates.iter().any(|gate| (gate - gates[0]).abs() > 1e-3), "they differ: {gates:?}");
        let open = NeighbourGate { bias: Param::from_tensor(Tensor::full([1], 1e6, &Device::flex())), ..gate };
        near(&read(open.weights(points, &around())), &even, 1e-5);
    }

    #[test]
    fn equal_seeds_begin_equally() {
        let points = |seed| {
            let settings = NodeNetworkSettings { seed, ..SETTINGS };
            let flat = FlatNodes::new(&settings, &Device::flex());
            let lorentz = LorentzNodes::new(&settings, true, &Device::flex());
            let found = [flat.points(features(), &around(), &mut ()), lorentz.points(features(), &around(), &mut ())];
            found.map(read)
        };
        assert_eq!(points(7), points(7));
        let ([one, two], [other, another]) = (points(7), points(8));
        assert!(one != other && two != another);
    }

    #[test]
    fn graph_convolution_is_the_mean_of_what_a_layer_makes() {
        let settings = NodeNetworkSettings { layers: 1, ..SETTINGS };
        let network = FlatNodes::new(&settings, &Device::flex());
        let made = read(network.layers[0].forward(features()));
        let mean = |of: &[usize]| -> Vec<f64> {
            (0..3).map(|at| of.iter().map(|node| made[*node][at]).sum::<f64>() / of.len() as f64).collect()
        };
        let expected = [mean(&[0, 1]), mean(&[0, 1, 2]), mean(&[1, 2]), mean(&[3])];
        near(&read(network.points(features(), &around(), &mut ())), &expected, 1e-5);
    }
}
