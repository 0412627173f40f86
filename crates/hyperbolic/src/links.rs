//! Links of a sign as a model of the sign tree ranks them: its readings, and words of its readings.

use crate::graph::GraphModel;
use crate::graph_training::KnowledgeGraph;
use crate::graph_training::triples::{GraphSplit, Triple};
use crate::graph_training::{live::Live, signs};
use crate::ranks::scores;
use std::collections::BTreeMap;
use tuppum_corpus::hierarchy::Kind;

/// A link that a model ranks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RankedLink {
    /// Node at the end of the link.
    pub node: usize,
    /// σ of the score: the probability, by the model, that the link is not drawn by chance.
    pub score: f32,
    /// `true` if the tree has the link.
    pub attested: bool,
    /// `true` if the tree has the link and the model did not learn it.
    pub held_out: bool,
}

/// Returns the readings of a sign and the words of its attested readings, each list by falling score.
pub fn of_sign(live: &Live, sign: usize) -> [Vec<RankedLink>; 2] {
    let (graph, model) = (&live.graph, &live.trainer.model);
    let Some(head) = live.entities.get(sign).copied().flatten() else { return [Vec::new(), Vec::new()] };
    let known = known(graph);
    let reads = |tail: u32| known.get(&Triple { head: head as u32, relation: signs::READ, tail }).copied();
    let nodes = |kind: Kind| live.nodes_of(kind);
    let of_readings = scored(model, head as u32, signs::READ);
    let readings = nodes(Kind::Reading).map(|(node, entity)| link(node, of_readings[entity], reads(entity as u32)));
    let own: Vec<u32> =
        known.keys().filter(|one| one.head == head as u32 && one.relation == signs::READ).map(|one| one.tail).collect();
    let by_reading: Vec<(u32, Vec<f32>)> =
        own.iter().map(|reading| (*reading, scored(model, *reading, signs::WRITE))).collect();
    let words = nodes(Kind::Word).filter_map(|(node, entity)| {
        let best = by_reading.iter().map(|(_, scores)| scores[entity]).max_by(f32::total_cmp)?;
        let part = |reading: &u32| known.get(&Triple { head: *reading, relation: signs::WRITE, tail: entity as u32 });
        // Attested by any of the readings; learnt if any link to it was.
        let parts: Vec<GraphSplit> = own.iter().filter_map(part).copied().collect();
        let part = parts.iter().find(|part| **part == GraphSplit::Train).or(parts.first()).copied();
        Some(link(node, best, part))
    });
    let mut lists = [readings.collect::<Vec<_>>(), words.collect()];
    lists.iter_mut().for_each(|list| list.sort_by(|one, other| other.score.total_cmp(&one.score)));
    lists
}

/// Returns the best links of a list with their ranks: `attested` ones that are attested, and `proposed` ones that are
/// not.
pub fn best(list: &[RankedLink], attested: usize, proposed: usize) -> Vec<(usize, RankedLink)> {
    let mut left = [proposed, attested];
    let ranked = list.iter().enumerate().filter(|(_, link)| {
        let left = &mut left[usize::from(link.attested)];
        let taken = *left > 0;
        *left = left.saturating_sub(1);
        taken
    });
    ranked.map(|(place, link)| (place + 1, *link)).collect()
}

/// Returns every link of the graph, forward, with its part.
fn known(graph: &KnowledgeGraph) -> BTreeMap<Triple, GraphSplit> {
    let parts = [GraphSplit::Train, GraphSplit::Valid, GraphSplit::Test];
    parts.into_iter().flat_map(|part| graph.part(part).iter().map(move |triple| (*triple, part))).collect()
}

fn scored(model: &GraphModel, head: u32, relation: u32) -> Vec<f32> {
    scores(model, &[Triple { head, relation, tail: 0 }]).pop().unwrap_or_default()
}

fn link(node: usize, score: f32, part: Option<GraphSplit>) -> RankedLink {
    let held_out = part.is_some_and(|part| part != GraphSplit::Train);
    RankedLink { node, score: 1.0 / (1.0 + (-score).exp()), attested: part.is_some(), held_out }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::GraphGeometry;
    use crate::graph_training::signs::tests::tree;

    #[test]
    fn what_was_learnt_ranks_before_what_is_not_there() {
        let nodes = tree().nodes().to_vec();
        let mut live = Live::new(nodes.clone(), GraphGeometry::Lorentz, 8, 300, 1).unwrap();
        for _ in 0..300 {
            live.trainer.run_epoch(1, |_| ()).unwrap();
        }
        let sign = nodes.iter().position(|node| node.kind == Kind::Sign).unwrap();
        let [readings, words] = of_sign(&live, sign);
        assert_eq!((readings.len(), words.len()), (10, 30));
        for list in [&readings, &words] {
            assert!(list.windows(2).all(|pair| pair[0].score >= pair[1].score));
            assert!(list.iter().all(|link| (0.0..=1.0).contains(&link.score) && (link.attested || !link.held_out)));
        }
        let attested: Vec<usize> = readings.iter().filter(|link| link.attested).map(|link| link.node).collect();
        assert_eq!(attested.len(), 2);
        assert!(attested.iter().all(|node| nodes[*node].parent == sign));
        assert!(words.iter().filter(|link| link.attested).count() >= 6);
        let mean = |wanted: &dyn Fn(&RankedLink) -> bool| {
            let own: Vec<f32> = words.iter().filter(|link| wanted(link)).map(|link| link.score).collect();
            own.iter().sum::<f32>() / own.len() as f32
        };
        let (learnt, not) = (mean(&|link| link.attested && !link.held_out), mean(&|link| !link.attested));
        assert!(learnt > 2.0 * not, "{learnt} {not}: {words:?}");
        let best = best(&readings, 1, 3);
        assert_eq!((best.len(), best.iter().filter(|(_, link)| link.attested).count()), (4, 1));
        assert!(best.iter().all(|(rank, link)| readings[rank - 1] == *link));
        assert_eq!(of_sign(&live, 0), [Vec::new(), Vec::new()]);
    }
}
