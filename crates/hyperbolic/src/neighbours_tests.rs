//! The graph layer on a tree whose links and kinds are known.

use super::neighbours::{DistanceClassifier, LorentzNeighbours, link_logits, shares};
use super::support::{CURVATURES, near, on_hyperboloid, points, read, rows};
use super::{LinearSettings, Lorentz, LorentzLinear};
use burn::module::{Param, ParamId};
use burn::tensor::{Device, Int, Tensor, TensorData, activation};
use tuppum_geometry::Random;

/// Nodes of the complete binary tree of five levels.
const NODES: usize = 31;
/// Steps of gradient descent with momentum; the same runs in PyTorch stand still by then.
const STEPS: usize = 250;
const RATE: f64 = 0.05;

fn above(node: usize) -> usize {
    (node - 1) / 2
}

fn ancestors(node: usize) -> Vec<usize> {
    std::iter::successors((node > 0).then(|| above(node)), |at| (*at > 0).then(|| above(*at))).collect()
}

/// Returns the branch of a node: which of the four nodes two steps below the root it is or lies under; 4 for the nodes
/// above them.
fn branch(node: usize) -> usize {
    std::iter::once(node).chain(ancestors(node)).find(|at| (3..7).contains(at)).map_or(4, |at| at - 3)
}

/// Random weights as a layer begins with.
fn weights(random: &mut Random, inputs: usize, outputs: usize) -> Vec<Vec<f64>> {
    let bound = (3.0 / (inputs as f64 + 1.0)).sqrt();
    (0..=inputs).map(|_| (0..outputs).map(|_| bound * (2.0 * random.uniform() - 1.0)).collect()).collect()
}

/// Every node a point of its own: a step along its own axis.
fn nodes() -> Tensor<2> {
    let one = |node: usize| (0..NODES).map(|at| f64::from(u8::from(at == node))).collect();
    Lorentz::UNIT.lift(rows(&(0..NODES).map(one).collect::<Vec<Vec<f64>>>()).autodiff())
}

fn layer(weight: &Tensor<2>, x: Tensor<2>, shares: &Tensor<2>) -> Tensor<2> {
    let settings = LinearSettings::exact(1, 1);
    let mut layer = LorentzNeighbours::new(Lorentz::UNIT, &settings, &weight.device());
    layer.linear = LorentzLinear::of_weight(Lorentz::UNIT, weight.clone());
    layer.forward(x, shares.clone())
}

/// Trains by v = 0.9v + g, w -= rate · v.
fn trained(start: &[Vec<Vec<f64>>], loss: impl Fn(&[Tensor<2>]) -> Tensor<1>) -> Vec<Tensor<2>> {
    let mut all: Vec<Tensor<2>> = start.iter().map(|rows| self::rows(rows)).collect();
    let mut velocities: Vec<Tensor<2>> = all.iter().map(|one| one.clone() * 0.0).collect();
    for _ in 0..STEPS {
        let leaves: Vec<Tensor<2>> = all.iter().map(|one| one.clone().autodiff().require_grad()).collect();
        let gradients = loss(&leaves).backward();
        for ((own, velocity), leaf) in all.iter_mut().zip(&mut velocities).zip(&leaves) {
            *velocity = velocity.clone() * 0.9 + leaf.grad(&gradients).unwrap();
            *own = own.clone() - velocity.clone() * RATE;
        }
    }
    all.into_iter().map(Tensor::autodiff).collect()
}

fn numbers(values: &[usize]) -> Tensor<1, Int> {
    let values: Vec<i64> = values.iter().map(|one| *one as i64).collect();
    let count = values.len();
    Tensor::from_data(TensorData::new(values, [count]), &Device::flex().autodiff())
}

#[test]
fn the_layer_ends_on_the_sheet_and_wrong_graphs_are_named() {
    let device = Device::flex();
    let mut random = Random::new(3);
    for k in CURVATURES {
        let lorentz = Lorentz::new(k).unwrap();
        let x = rows(&points(&mut random, k, 4, 6, 3.0));
        let mut layer = LorentzNeighbours::new(lorentz, &LinearSettings::exact(4, 3), &device);
        layer.linear = LorentzLinear::of_weight(lorentz, rows(&weights(&mut random, 4, 3)));
        on_hyperboloid(lorentz, layer.forward(x.clone(), shares(6, &[[0, 1], [1, 2], [4, 5]], &device).unwrap()));
        // Without neighbours nothing is mixed.
        let alone = read(layer.forward(x.clone(), shares(6, &[], &device).unwrap()));
        let expected = read(layer.linear.forward(x));
        // A centroid is divided by a small difference of large squares, of which f32 loses ε for each -K t².
        let farthest = expected.iter().map(|point| point[0]).fold(1.0, f64::max);
        near(&alone, &expected, 1e-6 + f64::from(f32::EPSILON) * -k * farthest * farthest);
    }
    assert!(shares(0, &[], &device).is_err_and(|error| error.to_string().contains("empty")));
    assert!(shares(2, &[[0, 2]], &device).is_err_and(|error| error.to_string().contains("0 – 2")));
}

#[test]
fn nodes_take_the_kind_of_their_branch() {
    let edges: Vec<[usize; 2]> = (1..NODES).map(|node| [above(node), node]).collect();
    let shares = shares(NODES, &edges, &Device::flex().autodiff()).unwrap();
    let (known, hidden): (Vec<usize>, Vec<usize>) = (0..NODES).partition(|node| node % 3 == 0);
    let logits = |t: &[Tensor<2>]| {
        let mut classifier = DistanceClassifier::new(Lorentz::UNIT, 4, 5, &t[2].device());
        classifier.kinds = Param::initialized(ParamId::new(), t[2].clone());
        classifier.forward(layer(&t[1], layer(&t[0], nodes(), &shares), &shares))
    };
    let mut random = Random::new(8);
    let kinds = (0..5).map(|_| (0..4).map(|_| 0.1 * random.normal()).collect()).collect();
    let start = [weights(&mut random, NODES, 8), weights(&mut random, 8, 4), kinds];
    let branches: Vec<usize> = known.iter().map(|node| branch(*node)).collect();
    let t = trained(&start, |t| {
        let likely = activation::log_softmax(logits(t).select(0, numbers(&known)), 1);
        likely.gather(1, numbers(&branches).reshape([branches.len(), 1])).mean().neg()
    });
    let found = read(logits(&t).inner());
    let best = |row: &[f64]| (0..5).max_by(|one, other| row[*one].total_cmp(&row[*other])).unwrap();
    let right = hidden.iter().filter(|node| best(&found[**node]) == branch(**node)).count();
    // Four runs in PyTorch with other seeds found all 20; the commonest kind alone would find 5.
    assert!(right >= 19, "{right} of {}", hidden.len());
}

#[test]
fn links_to_ancestors_are_foretold() {
    let pairs: Vec<[usize; 2]> =
        (1..NODES).flat_map(|node| ancestors(node).into_iter().map(move |above| [above, node])).collect();
    let far: Vec<[usize; 2]> = pairs.iter().copied().filter(|[one, node]| *one != above(*node)).collect();
    let held_out: Vec<[usize; 2]> = far.into_iter().step_by(6).collect();
    let learnt: Vec<[usize; 2]> = pairs.iter().copied().filter(|pair| !held_out.contains(pair)).collect();
    let all = (0..NODES).flat_map(|one| (one + 1..NODES).map(move |other| [one, other]));
    let none: Vec<[usize; 2]> = all.filter(|pair| !pairs.contains(pair)).collect();
    let shares = shares(NODES, &learnt, &Device::flex().autodiff()).unwrap();
    let logits = |t: &[Tensor<2>], links: &[[usize; 2]]| {
        let x = layer(&t[0], nodes(), &shares);
        let end = |side: usize| numbers(&links.iter().map(|link| link[side]).collect::<Vec<_>>());
        link_logits(Lorentz::UNIT, x.clone().select(0, end(0)), x.select(0, end(1)), 2.0, 1.0)
    };
    let mut random = Random::new(9);
    let t = trained(&[weights(&mut random, NODES, 4)], |t| {
        let (there, not) = (logits(t, &learnt), logits(t, &none));
        activation::softplus(there.neg(), 1.0).mean() + activation::softplus(not, 1.0).mean()
    });
    let of = |links: &[[usize; 2]]| read(logits(&t, links).inner().unsqueeze::<2>()).concat();
    let (held_out, none) = (of(&held_out), of(&none));
    let better = |one: f64| none.iter().map(|other| f64::from(u8::from(one > *other))).sum::<f64>();
    let area = held_out.iter().map(|one| better(*one)).sum::<f64>() / (held_out.len() * none.len()) as f64;
    // Four runs in PyTorch with other seeds: 0.876 to 0.880.
    assert!(area > 0.85, "area under the curve {area}");
}
