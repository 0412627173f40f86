//! The joint search agrees with exhaustive search and keeps its bounds.

use super::super::singles::singles;
use super::super::toy::{ToyKnowledge, ToyScorer, on_ground, template};
use super::*;
use tuppum_testing::now;

fn run(text: &str, word_start: f32, beam: usize, scorer: &mut ToyScorer) -> Vec<Hypothesis> {
    let template = template(text);
    on_ground(&template, word_start, |ground| {
        let alone = now(singles(&template, ground.knowledge, beam, scorer, |_, _| ()));
        let alone = alone.unwrap_or_else(|error| panic!("{error}"));
        scorer.calls.clear();
        now(joint(ground, &alone, beam, scorer, |_, _| ())).unwrap_or_else(|error| panic!("{error}"))
    })
}

/// Returns every filling under the same rule of order, without a beam: of orders that lead to one filling, the most
/// likely.
fn exhaustive(text: &str, word_start: f32) -> Vec<Hypothesis> {
    const ALL: usize = 1000;
    let template = template(text);
    on_ground(&template, word_start, |ground| {
        let mut scorer = ToyScorer::default();
        let alone = now(singles(&template, ground.knowledge, ALL, &mut scorer, |_, _| ()));
        let alone = alone.unwrap_or_else(|error| panic!("{error}"));
        let mut open = Vec::new();
        let mut first = Neighbourhood::new(ground, 0..template.units.len(), template.nothing_filled(), ALL);
        first.fill_first(&alone);
        open.append(&mut first.hypotheses);
        let mut complete: BTreeMap<String, f32> = BTreeMap::new();
        while let Some(hypothesis) = open.pop() {
            if hypothesis.filled.len() == template.units.len() {
                let best = complete.entry(readings(&hypothesis)).or_insert(f32::NEG_INFINITY);
                *best = best.max(hypothesis.log_probability);
                continue;
            }
            // One hypothesis at a time, so that nothing is cut or merged on the way.
            let mut alone = Neighbourhood::new(ground, 0..template.units.len(), template.nothing_filled(), ALL);
            alone.hypotheses = vec![hypothesis];
            assert_eq!(now(alone.step(&mut scorer)), Ok(true));
            open.append(&mut alone.hypotheses);
        }
        let mut all: Vec<(String, f32)> = complete.into_iter().collect();
        all.sort_by(|one, other| other.1.total_cmp(&one.1));
        all.into_iter().map(|(readings, log_probability)| named(&readings, log_probability)).collect()
    })
}

fn readings(hypothesis: &Hypothesis) -> String {
    hypothesis.keys().into_iter().map(|(_, key)| key).collect::<Vec<_>>().join(" ")
}

/// Returns a hypothesis that has only keys.
fn named(keys: &str, log_probability: f32) -> Hypothesis {
    let choice = |key: &str| {
        let reading = JointReading {
            sign: 0,
            reading: key.into(),
            written: String::new(),
            glyph: String::new(),
            starts_word: true,
            probability: 1.0,
        };
        Some(Choice { token: 0, key: key.into(), reading })
    };
    let filled = keys.split(' ').enumerate().map(|(unit, key)| (unit, choice(key))).collect();
    Hypothesis { filled, log_probability }
}

fn assert_same(found: &[Hypothesis], expected: &[Hypothesis]) {
    assert_eq!(found.iter().map(readings).collect::<Vec<_>>(), expected.iter().map(readings).collect::<Vec<_>>());
    for (one, other) in found.iter().zip(expected) {
        // Tolerance: the same sums of logarithms.
        assert!((one.log_probability - other.log_probability).abs() < 1e-5, "{one:?} {other:?}");
    }
}

#[test]
fn a_wide_beam_finds_what_exhaustive_search_finds() {
    for text in ["auau", "uu", "aiau/au", "usi", "auua/u"] {
        for word_start in [0.2, 0.5, 0.99] {
            let expected = exhaustive(text, word_start);
            let units = template(text).units.len();
            assert_eq!(expected.len(), 5_usize.pow(units as u32), "five proposals per place");
            assert_same(&run(text, word_start, 1000, &mut ToyScorer::default()), &expected);
        }
    }
}

#[test]
fn a_narrow_beam_keeps_its_width_and_never_invents() {
    let expected = exhaustive("auauau", 0.5);
    for beam in [1, 2, 3] {
        let found = run("auauau", 0.5, beam, &mut ToyScorer::default());
        assert_eq!(found.len(), beam);
        for hypothesis in &found {
            let known = expected.iter().find(|known| readings(known) == readings(hypothesis));
            let best = known.map_or(f32::NAN, |known| known.log_probability);
            assert!(hypothesis.log_probability <= best + 1e-5, "no more probable than the best order");
        }
    }
}

#[test]
fn the_same_filling_in_another_order_is_one_hypothesis_and_the_likelier_stays() {
    let one = named("a b", -1.0);
    let mut other = named("a b", -0.5);
    other.filled.insert(1, other.filled[&1].clone());
    let found = best_of(vec![one, named("b b", -2.0), other.clone()], 5);
    assert_eq!(found.len(), 2);
    assert_eq!(found[0], other);
}

#[test]
fn five_gaps_in_sixty_signs_fit_the_budget_of_rows() {
    let text = format!("{}{}", "aaaaaaaaaau".repeat(5), "aaaaa");
    let mut scorer = ToyScorer::default();
    run(&text, 0.4, 5, &mut scorer);
    // Four more gaps, five hypotheses, both masks: the worst case. The toy's flat probabilities prune little; rows with
    // one mask are 20.
    assert!(scorer.rows() <= 40, "{}", scorer.rows());
    assert!(scorer.calls.len() <= 8, "all hypotheses of a step in one call: {}", scorer.calls.len());
    let mut scorer = ToyScorer::default();
    run(&text.replace('u', "s"), 0.4, 5, &mut scorer);
    assert_eq!((scorer.rows(), scorer.calls.len()), (20, 4));
}

#[test]
fn asked_one_at_a_time_fewer_rows_give_the_same_answer() {
    let (mut fewest, mut all) = (0, 0);
    for text in ["auauau", "aiausau/au", "uuuu", "aaauaauaaauaaaau"] {
        for (word_start, beam) in [(0.2, 1), (0.4, 3), (0.5, 5), (0.97, 5)] {
            let mut together = ToyScorer::default();
            let mut single = ToyScorer { at_once: 1, ..ToyScorer::default() };
            let expected = run(text, word_start, beam, &mut together);
            assert_same(&run(text, word_start, beam, &mut single), &expected);
            assert!(single.rows() <= together.rows());
            fewest += single.rows();
            all += together.rows();
        }
    }
    assert!(fewest < all, "{fewest} of {all}");
}

#[test]
fn a_beam_of_one_asks_for_the_other_mask_only_where_it_could_win() {
    let mut scorer = ToyScorer::default();
    run("auaauaau", 0.93, 1, &mut scorer);
    assert_eq!(scorer.rows(), 2, "7 % can beat no choice of the likelier mask here");
}

#[test]
fn a_hundred_gaps_cost_rows_in_proportion() {
    let mut scorer = ToyScorer::default();
    let found = run(&"aaau/".repeat(100), 0.5, 5, &mut scorer);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].filled.len(), 100);
    assert!(scorer.rows() <= 200, "{}", scorer.rows());
    assert!(scorer.calls.iter().flatten().all(|row| row.ids.len() <= LONGEST_WINDOW + 1));
}

#[test]
fn neighbourhoods_take_every_unit_once_and_are_bounded() {
    let text = format!("{}{}{}", "u".repeat(20), "a".repeat(300), "auaauaa");
    let template = template(&text);
    let found = neighbourhoods(&template);
    assert_eq!(found, [0..8, 8..16, 16..20, 20..22]);
}

#[test]
fn every_step_is_heard_with_one_gap_more() {
    let template = template("auauau");
    let mut reported = Vec::new();
    on_ground(&template, 0.5, |ground| {
        let mut scorer = ToyScorer::default();
        let alone = now(singles(&template, ground.knowledge, 5, &mut scorer, |_, _| ())).unwrap_or_default();
        let on_step = |filled, best: &[Hypothesis]| reported.push((filled, best[0].filled.len()));
        assert!(now(joint(ground, &alone, 5, &mut scorer, on_step)).is_ok());
    });
    assert_eq!(reported, [(1, 1), (2, 2), (3, 3)]);
}

#[test]
fn what_can_be_seen_holds_in_every_hypothesis_and_an_impossible_trace_leaves_the_place_open() {
    for (seen, expected) in [("b", Some("b")), ("zz", None)] {
        let mut template = template("auau");
        template.units[1].traces.starts_with = seen.into();
        let found = on_ground(&template, 0.5, |ground| {
            let mut scorer = ToyScorer::default();
            let alone = now(singles(&template, ground.knowledge, 5, &mut scorer, |_, _| ())).unwrap_or_default();
            now(joint(ground, &alone, 5, &mut scorer, |_, _| ())).unwrap_or_default()
        });
        assert!(!found.is_empty());
        for hypothesis in found {
            assert_eq!(hypothesis.filled[&1].as_ref().map(|choice| choice.key.as_str()), expected);
            assert!(hypothesis.filled[&0].is_some());
        }
    }
}

#[test]
fn a_stopped_scorer_stops_the_search() {
    let template = template("auauau");
    on_ground(&template, 0.5, |ground: &Ground<'_, ToyKnowledge>| {
        let mut scorer = ToyScorer { fails_after: Some(2), ..ToyScorer::default() };
        let alone = now(singles(&template, ground.knowledge, 5, &mut scorer, |_, _| ())).unwrap_or_default();
        assert_eq!(now(joint(ground, &alone, 5, &mut scorer, |_, _| ())).err(), Some("cancelled"));
    });
}
