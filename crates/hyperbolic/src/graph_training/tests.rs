//! The step by hand against finite differences and against burn; the same run for any number of threads; bad tables.

use super::adam::{Adam, GraphMoments};
use super::step::{StepRule, Workspace, step};
use super::triples::{Answers, GraphSplit, KnowledgeGraph, Triple, TripleBatch};
use super::{GraphTrainer, GraphTrainingPlan};
use crate::graph::{GraphGeometry, GraphModel, GraphSettings};
use tuppum_geometry::Random;

const GEOMETRIES: [GraphGeometry; 5] = [
    GraphGeometry::Lorentz,
    GraphGeometry::Poincare,
    GraphGeometry::RotH,
    GraphGeometry::AttH,
    GraphGeometry::Euclidean,
];

/// Returns a small model with something in every number, and a batch that meets some entities often and one never.
pub fn small(geometry: GraphGeometry, curvature: f32) -> (GraphModel, TripleBatch) {
    let settings =
        GraphSettings { geometry, dimension: 4, curvature, margin: 2.0, reach: 0.0, ..GraphSettings::default() };
    let mut model = GraphModel::new(settings, 7, 4, 4);
    let mut random = Random::new(5);
    for numbers in [&mut model.points, &mut model.shifts, &mut model.head_biases, &mut model.tail_biases] {
        numbers.iter_mut().for_each(|one| *one = 0.6 * random.normal() as f32);
    }
    model.transforms.iter_mut().for_each(|one| *one += 0.4 * random.normal() as f32);
    model.complete();
    let triples = [(0, 0, 1), (1, 2, 0), (2, 1, 2), (3, 3, 4), (0, 1, 5)];
    let triples = triples.map(|(head, relation, tail)| Triple { head, relation, tail });
    (model, TripleBatch::drawn(triples.into_iter(), 4, 6, &Answers::new(), &mut random))
}

/// Loss and moments of a step that moves nothing, with a share of smoothing.
pub fn still(model: &GraphModel, batch: &TripleBatch, smoothing: f32) -> (f64, GraphMoments) {
    let (mut model, mut moments) = (model.clone(), GraphMoments::new(model));
    let adam = Adam { rate: 0.0, ..Adam::default() };
    let loss = step(
        &mut model,
        &mut moments,
        batch,
        StepRule { adam: &adam, share: 1.0, smoothing },
        1,
        &mut Workspace::default(),
    );
    (loss, moments)
}

/// After one step the first moment is a tenth of the gradient.
fn gradient(first: &[f32]) -> Vec<f64> {
    first.iter().map(|one| f64::from(*one) / 0.1).collect()
}

/// Central differences of the loss by a list of numbers. The loss is summed in f64 from f32 terms: with steps of 0.01
/// rounding leaves 1e-5, and curvature about as much.
fn slopes(
    (model, batch, smoothing): (&GraphModel, &TripleBatch, f32),
    list: impl Fn(&mut GraphModel) -> &mut Vec<f32>,
) -> Vec<f64> {
    const STEP: f32 = 0.01;
    let loss = |at: usize, by: f32| {
        let mut moved = model.clone();
        list(&mut moved)[at] += by;
        moved.complete();
        still(&moved, batch, smoothing).0
    };
    let count = list(&mut model.clone()).len();
    (0..count).map(|at| (loss(at, STEP) - loss(at, -STEP)) / f64::from(2.0 * STEP)).collect()
}

#[track_caller]
fn agree(name: &str, found: &[f64], expected: &[f64]) {
    let largest = expected.iter().fold(0.0f64, |most, one| most.max(one.abs()));
    assert!(largest > 1e-3, "{name}: nothing to compare");
    for (at, (found, expected)) in found.iter().zip(expected).enumerate() {
        assert!((found - expected).abs() < 2e-3 * largest.max(0.05), "{name} {at}: {found} and {expected}");
    }
    assert_eq!(found.len(), expected.len());
}

#[test]
fn gradients_agree_with_finite_differences() {
    for geometry in GEOMETRIES {
        for (curvature, smoothing) in [(-0.6, 0.0), (-1.0, 0.2), (-1.7, 0.0)] {
            let (model, batch) = small(geometry, curvature);
            let (_, moments) = still(&model, &batch, smoothing);
            let all = (&model, &batch, smoothing);
            agree("transforms", &gradient(&moments.transforms.first), &slopes(all, |m| &mut m.transforms));
            agree("shifts", &gradient(&moments.shifts.first), &slopes(all, |m| &mut m.shifts));
            agree("head biases", &gradient(&moments.heads.first), &slopes(all, |m| &mut m.head_biases));
            agree("tail biases", &gradient(&moments.tails.first), &slopes(all, |m| &mut m.tail_biases));
            // By a space-like coordinate xᵢ, the time-like one following, the slope is ⟨v, (xᵢ/x₀, eᵢ)⟩ of the
            // Riemannian gradient v.
            let mut expected = gradient(&moments.points.first);
            if geometry != GraphGeometry::Euclidean {
                for (entity, v) in expected.chunks_exact_mut(4).enumerate() {
                    let (x, x0) = (model.point(entity), f64::from(model.times[entity]));
                    let v0 = x.iter().zip(v.iter()).map(|(x, v)| f64::from(*x) * v).sum::<f64>() / x0;
                    v.iter_mut().zip(x).for_each(|(v, x)| *v -= v0 * f64::from(*x) / x0);
                }
            }
            agree("points", &expected, &slopes(all, |m| &mut m.points));
        }
    }
}

fn graph() -> KnowledgeGraph {
    // A ring of 40 with its doublings: enough to learn, small enough for a second.
    let line = |head: usize, relation: &str, by: usize| format!("{head}\t{relation}\t{}\n", (head + by) % 40);
    let train: String = (0..40).map(|head| line(head, "next", 1) + &line(head, "second", 2)).collect();
    let valid: String = (0..10).map(|head| line(4 * head, "third", 3)).collect();
    KnowledgeGraph::parse([
        (GraphSplit::Train, &(train + &valid)),
        (GraphSplit::Valid, &valid),
        (GraphSplit::Test, &valid),
    ])
    .unwrap()
}

fn plan(geometry: GraphGeometry) -> GraphTrainingPlan {
    let adam = Adam { rate: 0.02, ..Adam::default() };
    let reach = if geometry == GraphGeometry::Lorentz { 1.5 } else { 0.0 };
    let model = GraphSettings { geometry, dimension: 8, reach, ..GraphSettings::default() };
    GraphTrainingPlan { model, adam, batch: 30, false_tails: 10, epochs: 400, ..GraphTrainingPlan::default() }
}

#[test]
fn the_outcome_is_the_same_for_any_number_of_threads() {
    for geometry in GEOMETRIES {
        let after = |threads: usize| {
            let mut trainer = GraphTrainer::new(plan(geometry), &graph()).unwrap();
            let losses: Vec<f64> = (0..3).map(|_| trainer.run_epoch(threads, |_| ()).unwrap()).collect();
            (losses, trainer.model, trainer.moments)
        };
        let one = after(1);
        assert_eq!(one, after(2));
        assert_eq!(one, after(5));
    }
}

#[test]
fn false_tails_are_not_what_is_learnt_as_true() {
    let triples: Vec<Triple> = (0..8).map(|tail| Triple { head: 0, relation: 0, tail }).collect();
    let known = Answers::from([((0, 0), (0..8).collect())]);
    let mut random = Random::new(3);
    let mut false_tails = |entities: usize, known: &Answers| -> Vec<u32> {
        let batch = TripleBatch::drawn(triples.iter().copied(), 50, entities, known, &mut random);
        batch.tails.chunks(batch.width).flat_map(|tails| tails[1..].to_vec()).collect()
    };
    assert!(false_tails(10, &known).iter().all(|tail| [8, 9].contains(tail)));
    assert!(false_tails(10, &Answers::new()).iter().any(|tail| *tail < 8));
    // Where all are true there is none else to draw.
    assert_eq!(false_tails(8, &known).len(), 400);
}

#[test]
fn only_a_leak_spares_what_the_run_is_asked_for() {
    let tables = [(GraphSplit::Train, "a\tr\tb\n"), (GraphSplit::Valid, "a\tr\tc\n"), (GraphSplit::Test, "a\tr\td\n")];
    let graph = KnowledgeGraph::parse(tables).unwrap();
    let leaking = GraphTrainingPlan { leak: true, ..plan(GraphGeometry::Lorentz) };
    assert!(leaking.check().is_err_and(|error| error.to_string().contains("any entity is drawn")));
    let [learnt, valid, test] = [&graph.train, &graph.valid, &graph.test].map(|triples| triples[0].tail);
    let spared = |truly_false, leak| {
        let plan = GraphTrainingPlan { truly_false, leak, ..plan(GraphGeometry::Lorentz) };
        let mut spared = plan.spared(&graph);
        spared.remove(&(graph.train[0].head, graph.train[0].relation)).unwrap_or_default()
    };
    assert!(spared(false, false).is_empty());
    assert_eq!(spared(true, false), [learnt].into());
    assert_eq!(spared(true, true), [learnt, valid, test].into());
}

#[test]
fn a_small_graph_is_learnt_and_points_stay_where_they_may() {
    for geometry in GEOMETRIES {
        let graph = graph();
        let mut trainer = GraphTrainer::new(plan(geometry), &graph).unwrap();
        let mut loss = f64::NAN;
        // The controls begin near the centre, where a step turns or stretches next to nothing.
        for _ in 0..if geometry == GraphGeometry::Lorentz { 60 } else { 400 } {
            loss = trainer.run_epoch(1, |_| ()).unwrap();
        }
        // Whoever knows nothing but that one tail in eleven is true loses 0.305. A tail drawn as false is true in one
        // case of forty.
        assert!(loss < 0.22, "{geometry}: {loss}");
        let model = &trainer.model;
        for entity in 0..40 {
            let (point, time) = (model.point(entity), model.times[entity]);
            assert_eq!(time, model.settings.time(point));
            let reach = point.iter().map(|one| one * one).sum::<f32>().sqrt();
            assert!(geometry != GraphGeometry::Lorentz || reach < 1.5001, "{reach}");
        }
    }
}

#[test]
fn tables_that_are_wrong_name_the_line() {
    let check = |table: &str, expected: &str| {
        let message = KnowledgeGraph::parse([
            (GraphSplit::Train, "a\tr\tb\n"),
            (GraphSplit::Valid, table),
            (GraphSplit::Test, "a\tr\tb\n"),
        ])
        .unwrap_err()
        .to_string();
        assert!(message.contains(expected), "{message}");
    };
    check("a\tr\tb\na\tr\n", "valid, line 2: there should be three columns");
    check("a\tr\tb\na\tr\n", "this line has 2 columns");
    check("a\t\tb\n", "valid, line 1: the relation is empty");
    check("a r b\n", "this line has 1 column:");
    check("\n\n", "the graph is empty: its part \"valid\" has no triple");
    let plan = GraphTrainingPlan { batch: 0, ..plan(GraphGeometry::Lorentz) };
    assert!(GraphTrainer::new(plan, &graph()).is_err_and(|error| error.to_string().contains("the batch is 0")));
}

#[test]
fn inverses_ask_for_heads() {
    let graph = graph();
    assert_eq!((graph.entities.len(), graph.relations.len()), (40, 3));
    let triple = graph.valid[0];
    let inverse = graph.inverse(triple);
    assert_eq!((inverse.head, inverse.relation, inverse.tail), (triple.tail, triple.relation + 3, triple.head));
    assert_eq!(graph.inverse(inverse), triple);
    assert_eq!(graph.answers()[&(inverse.head, inverse.relation)].iter().next(), Some(&triple.head));
    assert_eq!(graph.both_ways(GraphSplit::Valid).len(), 20);
}

#[path = "burn_tests.rs"]
mod burn_tests;
