//! Learning the points of a part of the sign tree while the user watches, on the processor and without a model.

use crate::errors;
use crate::event_loop::Throttle;
use crate::job::Job;
use tuppum_corpus::hierarchy::{Kind, Node};
use tuppum_hyperbolic::graph::GraphGeometry;
use tuppum_hyperbolic::graph_training::live::Live;
use tuppum_hyperbolic::graph_training::triples::{Answers, GraphSplit, Triple};
use tuppum_hyperbolic::links::{self, RankedLink};
use tuppum_hyperbolic::ranks::{Ranking, ranks};
use tuppum_nn::torso::Yield;
use tuppum_protocol::{DIMENSIONS, Failure, FoundAgain, Proposed, Settling, TreeEvent, TreePart};

/// Epochs between measurements.
const MEASURED: u32 = 20;
/// Numbers of links sent from a ranking: attested ones, and others.
const RANKED: [usize; 2] = [14, 6];

/// Learns the points and sends their positions about ten times a second.
///
/// # Errors
/// The part is too small or not a tree, or the job was cancelled.
pub async fn run(job: &Job, part: &TreePart) -> Result<(), Failure> {
    let nodes = nodes(part).map_err(errors::question)?;
    let begin = |geometry, dimension| {
        Live::new(nodes.clone(), geometry, dimension, part.epochs, part.seed).map_err(errors::question)
    };
    let mut picture = begin(GraphGeometry::Lorentz, DIMENSIONS[0])?;
    let mut flat = begin(GraphGeometry::Euclidean, DIMENSIONS[0])?;
    let mut ranking = begin(GraphGeometry::Lorentz, DIMENSIONS[1])?;
    // All three runs hold out the same links.
    let judge = Judge::of(&picture);
    let (yielder, throttle) = (job.yielder(), Throttle::new());
    let mut state = Settling { epochs: part.epochs, points: picture.disk(), ..Settling::default() };
    job.emit(TreeEvent::Settling(state.clone()));
    for epoch in 1..=part.epochs {
        yielder.yield_now().await.map_err(|_| errors::cancelled())?;
        let loss = picture.trainer.run_epoch(1, |_| ()).map_err(errors::internal)?;
        flat.trainer.run_epoch(1, |_| ()).map_err(errors::internal)?;
        ranking.trainer.run_epoch(1, |_| ()).map_err(errors::internal)?;
        if epoch % MEASURED == 0 || epoch == part.epochs {
            state.found = Some([&picture, &flat, &ranking].map(|live| judge.found(live)));
            state.ranked = ranked(&ranking, part.chosen as usize);
        }
        if throttle.passes(u64::from(epoch), u64::from(part.epochs)) {
            (state.epoch, state.loss, state.points) = (epoch, loss, picture.disk());
            job.emit(TreeEvent::Settling(state.clone()));
        }
    }
    Ok(())
}

/// Returns the most probable readings and words of the chosen sign.
fn ranked(live: &Live, chosen: usize) -> [Vec<Proposed>; 2] {
    links::of_sign(live, chosen).map(|list| {
        let proposed = |(rank, link): (usize, RankedLink)| Proposed {
            rank: rank as u32,
            node: link.node as u32,
            score: link.score,
            attested: link.attested,
            held_out: link.held_out,
        };
        links::best(&list, RANKED[0], RANKED[1]).into_iter().map(proposed).collect()
    })
}

/// Links by which the runs are measured.
struct Judge {
    learnt: Vec<Triple>,
    held_out: Vec<Triple>,
    answers: Answers,
}

impl Judge {
    fn of(live: &Live) -> Self {
        let graph = &live.graph;
        Self { learnt: graph.both_ways(GraphSplit::Train), held_out: live.held_out(), answers: graph.answers() }
    }

    fn found(&self, live: &Live) -> FoundAgain {
        let mrr = |triples: &[Triple]| Ranking::of(&ranks(&live.trainer.model, triples, &self.answers, 1)).mrr;
        let links = (self.held_out.len() / 2) as u32;
        FoundAgain { learnt: mrr(&self.learnt), held_out: mrr(&self.held_out), links }
    }
}

/// Reads the nodes of a part.
fn nodes(part: &TreePart) -> Result<Vec<Node>, String> {
    let TreePart { parents, kinds, labels, .. } = part;
    if parents.is_empty() || parents.len() != kinds.len() || parents.len() != labels.len() {
        return Err("The part of the tree is empty, or its lists differ in length.".into());
    }
    let node = |(number, ((parent, kind), label)): (usize, ((&u32, &u8), &String))| {
        let kind = Kind::ALL.get(usize::from(*kind)).copied();
        let kind = kind.ok_or_else(|| format!("Node {number} of the part is of no known kind."))?;
        let parent = *parent as usize;
        if parent >= number.max(1) {
            return Err(format!("Node {number} of the part comes before the node above it."));
        }
        Ok(Node { parent, kind, label: label.clone(), glyph: String::new(), count: 1 })
    };
    parents.iter().zip(kinds).zip(labels).enumerate().map(node).collect()
}
