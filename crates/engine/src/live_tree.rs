//! Learning the points of a part of the sign tree while the user watches, on the processor and without a model.

use crate::errors;
use crate::queue::Throttle;
use tuppum_corpus::hierarchy::{Kind, Node};
use tuppum_hyperbolic::graph::GraphGeometry;
use tuppum_hyperbolic::graph_training::live::Live;
use tuppum_hyperbolic::graph_training::triples::{Answers, GraphSplit, Triple};
use tuppum_hyperbolic::links::{self, RankedLink};
use tuppum_hyperbolic::ranks::{Ranking, ranks};
use tuppum_nn::yielding::Yield;
use tuppum_protocol::{DIMENSIONS, Failure, FoundAgain, Proposed, Settling, TreeEvent, TreePart};

/// Epochs between measurements.
const EPOCHS_BETWEEN_MEASUREMENTS: u32 = 20;
/// Numbers of links sent from a ranking: attested ones, and others.
const RANKED_LINKS: [usize; 2] = [14, 6];

/// Learns the points and sends their positions about ten times a second.
///
/// # Errors
/// The part is too small or not a tree, or the job was cancelled.
pub async fn learn(
    part: &TreePart,
    yielder: &impl Yield,
    throttle: &Throttle,
    send: impl Fn(TreeEvent),
) -> Result<(), Failure> {
    let nodes = nodes(part).map_err(errors::question)?;
    let begin = |geometry, dimension| {
        Live::new(nodes.clone(), geometry, dimension, part.epochs, part.seed).map_err(errors::question)
    };
    let mut picture = begin(GraphGeometry::Lorentz, DIMENSIONS[0])?;
    let mut flat = begin(GraphGeometry::Euclidean, DIMENSIONS[0])?;
    let mut ranking = begin(GraphGeometry::Lorentz, DIMENSIONS[1])?;
    // All three runs hold out the same links.
    let judge = Judge::of(&picture);
    let mut state = Settling { epochs: part.epochs, points: picture.disk(), ..Settling::default() };
    send(TreeEvent::Settling(state.clone()));
    for epoch in 1..=part.epochs {
        yielder.yield_now().await.map_err(|_| errors::cancelled())?;
        let loss = picture.trainer.run_epoch(1, |_| ()).map_err(errors::internal)?;
        flat.trainer.run_epoch(1, |_| ()).map_err(errors::internal)?;
        ranking.trainer.run_epoch(1, |_| ()).map_err(errors::internal)?;
        if epoch % EPOCHS_BETWEEN_MEASUREMENTS == 0 || epoch == part.epochs {
            state.found = Some([&picture, &flat, &ranking].map(|live| judge.found(live)));
            state.ranked = ranked(&ranking, part.chosen as usize);
        }
        if throttle.passes(u64::from(epoch), u64::from(part.epochs)) {
            (state.epoch, state.loss, state.points) = (epoch, loss, picture.disk());
            send(TreeEvent::Settling(state.clone()));
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
        links::best(&list, RANKED_LINKS[0], RANKED_LINKS[1]).into_iter().map(proposed).collect()
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::RefCell;
    use tuppum_nn::yielding::{Cancelled, NeverYields};
    use tuppum_protocol::FailureKind;
    use tuppum_testing::now;

    const ROOT: u8 = 0;
    const SIGN: u8 = 1;
    const READING: u8 = 2;
    const WORD: u8 = 3;

    /// Five signs with two readings each, and words of neighbouring readings, so that links can be held out.
    fn part() -> TreePart {
        let mut part = TreePart { epochs: 40, chosen: 1, seed: 1, ..TreePart::default() };
        let mut push = |parent: u32, kind: u8, label: String| {
            part.parents.push(parent);
            part.kinds.push(kind);
            part.labels.push(label);
            part.labels.len() as u32 - 1
        };
        let root = push(0, ROOT, "signs".into());
        for (consonant, next) in [("b", "d"), ("d", "g"), ("g", "k"), ("k", "l"), ("l", "b")] {
            let sign = push(root, SIGN, consonant.to_uppercase());
            for vowel in ["a", "i"] {
                let reading = push(sign, READING, format!("{consonant}{vowel}"));
                for other in ["a", "i", "u"] {
                    push(reading, WORD, format!("{consonant}{vowel}-{next}{other}"));
                }
            }
        }
        part
    }

    fn learnt(part: &TreePart, yielder: &impl Yield) -> (Result<(), Failure>, Vec<Settling>) {
        let states = RefCell::new(Vec::new());
        let send = |event| {
            if let TreeEvent::Settling(state) = event {
                states.borrow_mut().push(state);
            }
        };
        // a clock that stands still: only the first and the last epoch pass
        let outcome = now(learn(part, yielder, &Throttle::new(|| 0.0), send));
        (outcome, states.into_inner())
    }

    #[test]
    fn the_first_and_the_last_epoch_are_sent() {
        let part = part();
        let (outcome, states) = learnt(&part, &NeverYields);
        assert_eq!(outcome, Ok(()));
        let last = states.last().unwrap();
        assert_eq!((states[0].epoch, last.epoch, last.epochs), (0, 40, 40));
        assert!(states.iter().all(|state| state.points.len() == 2 * part.parents.len()));
        assert!(last.loss.is_finite() && last.found.is_some() && !last.ranked[0].is_empty());
        assert_ne!(states[0].points, last.points, "the points have moved");
    }

    #[test]
    fn the_same_seed_gives_the_same_points() {
        let points = || learnt(&part(), &NeverYields).1.pop().map(|state| state.points);
        assert!(points().is_some());
        assert_eq!(points(), points());
    }

    #[test]
    fn a_part_that_is_no_tree_is_refused() {
        let good = part();
        let cases = [
            (TreePart::default(), "is empty"),
            (TreePart { labels: Vec::new(), ..good.clone() }, "differ in length"),
            (TreePart { kinds: vec![99; good.kinds.len()], ..good.clone() }, "Node 0 of the part is of no known kind"),
            (TreePart { parents: vec![4; good.parents.len()], ..good.clone() }, "comes before the node above it"),
        ];
        for (part, expected) in cases {
            let failure = learnt(&part, &NeverYields).0.unwrap_err();
            assert_eq!(failure.kind, FailureKind::Question);
            assert!(failure.message.contains(expected), "{}", failure.message);
        }
    }

    struct IsCancelled;

    impl Yield for IsCancelled {
        async fn yield_now(&self) -> Result<(), Cancelled> {
            Err(Cancelled)
        }
    }

    #[test]
    fn a_cancel_ends_the_learning() {
        let (outcome, states) = learnt(&part(), &IsCancelled);
        assert_eq!(outcome.unwrap_err().kind, FailureKind::Cancelled);
        assert_eq!(states.len(), 1, "no epoch was made");
    }
}
