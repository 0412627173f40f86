//! The graph layer, and links and kinds of nodes by distance (the paper's appendix on graphs).

use super::{LinearSettings, Lorentz, LorentzLinear};
use burn::module::{Module, Param};
use burn::tensor::{Device, Distribution, Tensor, TensorData};
use thiserror::Error;

/// A layer over the nodes of a graph: a Lorentz linear layer, then for every node the centroid (Eq. 4) of its own point
/// and its neighbours'.
///
/// The caller gives the weights of the neighbours; [`shares`] gives the even weights of graph convolution. No tangent
/// space is entered, unlike in earlier hyperbolic graph networks.
#[derive(Module, Debug)]
pub struct LorentzNeighbours {
    /// The linear layer.
    pub linear: LorentzLinear,
    #[module(skip)]
    lorentz: Lorentz,
}

impl LorentzNeighbours {
    /// Returns a layer with random weights.
    pub fn new(lorentz: Lorentz, settings: &LinearSettings, device: &Device) -> Self {
        Self { linear: LorentzLinear::new(lorentz, settings, device), lorentz }
    }

    /// Returns the nodes' new points.
    ///
    /// # Shapes
    /// Points `[nodes, inputs + 1]` and weights `[nodes, nodes]`, not negative and in no row all 0, to
    /// `[nodes, outputs + 1]`.
    pub fn forward(&self, x: Tensor<2>, weights: Tensor<2>) -> Tensor<2> {
        self.lorentz.centroids(weights, self.linear.forward(x))
    }
}

/// Reason why a graph has no weights.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum EdgeError {
    /// The graph has no node.
    #[error("the graph is empty: it has no node")]
    Empty,
    /// An edge leads to a missing node.
    #[error("the edge {one} – {other} leads out of the graph, which has {nodes} nodes, counted from 0")]
    Outside {
        /// First node of the edge.
        one: usize,
        /// Second node of the edge.
        other: usize,
        /// Nodes of the graph.
        nodes: usize,
    },
}

/// Returns even weights for every node and its neighbours: 1 / (1 + neighbours). `edges` are pairs of nodes, taken both
/// ways.
///
/// # Errors
/// The graph is empty, or an edge leads to a missing node.
pub fn shares(nodes: usize, edges: &[[usize; 2]], device: &Device) -> Result<Tensor<2>, EdgeError> {
    if nodes == 0 {
        return Err(EdgeError::Empty);
    }
    if let Some(&[one, other]) = edges.iter().find(|edge| edge.iter().any(|end| *end >= nodes)) {
        return Err(EdgeError::Outside { one, other, nodes });
    }
    let mut weights = vec![0.0f32; nodes * nodes];
    let own = (0..nodes).map(|node| [node, node]);
    for [one, other] in edges.iter().copied().chain(own) {
        weights[one * nodes + other] = 1.0;
        weights[other * nodes + one] = 1.0;
    }
    for row in weights.chunks_exact_mut(nodes) {
        let sum: f32 = row.iter().sum();
        row.iter_mut().for_each(|weight| *weight /= sum);
    }
    Ok(Tensor::from_data(TensorData::new(weights, [nodes, nodes]), device))
}

/// Logits of links, (r - d²_L(x, y)) / t: the logarithm of the odds of the Fermi-Dirac decoder 1 / (1 + exp((d² - r) /
/// t)).
///
/// # Shapes
/// Points side by side, `[links, n + 1]` twice, to `[links]`.
pub fn link_logits(lorentz: Lorentz, x: Tensor<2>, y: Tensor<2>, reach: f64, temperature: f64) -> Tensor<1> {
    let links = x.dims()[0];
    let squared = lorentz.squared_distance(x, y).reshape([links]);
    (squared.neg() + reach) / temperature
}

/// The distance classifier: every kind is a point, and the nearer a node lies to it, the likelier it is of the kind;
/// logits -d²_L(x, kind) + bias.
///
/// The kinds' points are trained by their space-like coordinates, and the time-like one is computed from them, so they
/// stay on the hyperboloid under any optimiser.
#[derive(Module, Debug)]
pub struct DistanceClassifier {
    /// Space-like coordinates of the kinds: `[kinds, n]`.
    pub kinds: Param<Tensor<2>>,
    /// Bias of each kind: `[kinds]`.
    pub bias: Param<Tensor<1>>,
    #[module(skip)]
    lorentz: Lorentz,
}

impl DistanceClassifier {
    /// Returns a classifier with kinds near the origin.
    pub fn new(lorentz: Lorentz, size: usize, kinds: usize, device: &Device) -> Self {
        let spread = Distribution::Normal(0.0, 0.1);
        Self {
            kinds: Param::from_tensor(Tensor::<2>::random([kinds, size], spread, device)),
            bias: Param::from_data(TensorData::new(vec![0.0f32; kinds], [kinds]), device),
            lorentz,
        }
    }

    /// Returns the logits of the kinds.
    ///
    /// # Shapes
    /// `[points, n + 1]` to `[points, kinds]`.
    pub fn forward(&self, x: Tensor<2>) -> Tensor<2> {
        let kinds = self.lorentz.lift(self.kinds.val());
        let count = self.bias.dims()[0];
        self.lorentz.squared_distances(x, kinds).neg() + self.bias.val().reshape([1, count])
    }
}
