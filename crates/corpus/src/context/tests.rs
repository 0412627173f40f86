//! Witnesses stand where they are reported, a text is no witness for itself, and the mixture is a distribution.

use super::likeness::ExpectedAgreements;
use super::near::NearSigns;
use super::*;
use crate::attested::{AttestedSign, AttestedTexts, Builder, TEXT_END};
use crate::signs_row::SignsRow;
use proptest::prelude::*;
use std::sync::Arc;

/// Builds a corpus of short letters over a few signs, with line ends.
fn corpus(texts: &[Vec<usize>]) -> AttestedTexts {
    const SIGNS: [(&str, &str); 6] = [("a", "A"), ("na", "N"), ("be", "B"), ("li", "L"), ("ni", "I"), ("li₂", "I")];
    let mut builder = Builder::default();
    for (number, text) in texts.iter().enumerate() {
        for line in text.chunks(4) {
            let of = |take: fn(&(&'static str, &'static str)) -> &'static str| {
                line.iter().map(|sign| take(&SIGNS[sign % 6])).collect::<Vec<_>>().join(" ")
            };
            let starts: String = line.iter().map(|sign| if sign % 2 == 0 { '1' } else { '0' }).collect();
            let row = format!(
                "P{number:03}\tsaao\takk\t1\t-\t{}\t{}\t{}\t{starts}",
                of(|sign| sign.0),
                of(|sign| sign.1),
                "P".repeat(line.len())
            );
            builder.add(&SignsRow::parse(&row).unwrap_or_else(|error| panic!("{error}")));
        }
    }
    builder.build().unwrap_or_else(|error| panic!("{error}"))
}

/// Returns a text of the corpus as a question.
fn question(corpus: &AttestedTexts, text: u16) -> Vec<ContextItem> {
    let mut question = vec![ContextItem::Begin];
    for place in corpus.signs_of(text) {
        if corpus.starts_line(place) && question.len() > 1 {
            question.push(ContextItem::LineEnd);
        }
        question.push(ContextItem::Sign(corpus.sign(place)));
    }
    question.push(ContextItem::LineEnd);
    question
}

/// Returns the indices of signs in a question.
fn places(question: &[ContextItem]) -> Vec<usize> {
    (0..question.len()).filter(|place| matches!(question[*place], ContextItem::Sign(_))).collect()
}

fn texts() -> impl Strategy<Value = Vec<Vec<usize>>> {
    prop::collection::vec(prop::collection::vec(0..6_usize, 3..14), 2..8)
}

proptest! {
    #[test]
    fn a_text_finds_itself_unless_it_is_excepted(own in texts(), place in any::<prop::sample::Index>()) {
        let corpus = corpus(&own);
        let weights = Weights::default();
        let contexts = Contexts { corpus: &corpus, weights: &weights };
        let question = question(&corpus, 1);
        let places = places(&question);
        let number = place.index(places.len());
        let ContextItem::Sign(sign) = question[places[number]] else { unreachable!("only signs are listed") };
        let context = Context::around(&question, places[number]);
        let here = corpus.signs_of(1).start + number;

        let open = Affinity::of(&corpus, &signs_of(&question), None);
        let found = contexts.witnesses(&context, &[sign.starts_word], &open);
        prop_assert!(found.iter().any(|witness| witness.place as usize == here));
        prop_assert!(found.iter().all(|witness| witness.weight.is_finite() && witness.weight > 0.0));
        prop_assert!(found.windows(2).all(|pair| pair[0].weight >= pair[1].weight));

        let closed = Affinity::of(&corpus, &signs_of(&question), Some(1));
        let found = contexts.witnesses(&context, &[sign.starts_word], &closed);
        prop_assert!(found.iter().all(|witness| corpus.text_at(witness.place as usize) != Some(1)));
    }

    #[test]
    fn every_witness_has_a_neighbour_that_agrees(own in texts(), place in any::<prop::sample::Index>()) {
        let corpus = corpus(&own);
        let weights = Weights::default();
        let contexts = Contexts { corpus: &corpus, weights: &weights };
        let question = question(&corpus, 0);
        let places = places(&question);
        let context = Context::around(&question, places[place.index(places.len())]);
        let affinity = Affinity::of(&corpus, &signs_of(&question), None);
        for witness in contexts.witnesses(&context, &[true], &affinity) {
            let at = witness.place as usize;
            prop_assert!(corpus.sign(at).starts_word);
            let class = |sign: &AttestedSign| corpus.readings().class(sign.reading);
            let agrees = |signs: &[AttestedSign], step: isize| (1..).zip(signs).any(|(distance, sign)| {
                at.checked_add_signed(step * distance).is_some_and(|beside| corpus.class(beside) == class(sign))
            });
            prop_assert!(agrees(&context.left, -1) || agrees(&context.right, 1));
        }
    }

    #[test]
    fn no_likely_place_is_passed_over(own in texts(), place in any::<prop::sample::Index>()) {
        let corpus = corpus(&own);
        let weights = Weights::default();
        let contexts = Contexts { corpus: &corpus, weights: &weights };
        let question = question(&corpus, 0);
        let places = places(&question);
        let context = Context::around(&question, places[place.index(places.len())]);
        let affinity = Affinity::of(&corpus, &signs_of(&question), None);
        let expected = ExpectedAgreements::around(&context, corpus.readings());
        let near = NearSigns::of(&context, &corpus, &expected);
        let found = contexts.likely_places(&context, &[false, true], &affinity);
        for place in (0..corpus.len()).filter(|place| corpus.sign(*place).reading > TEXT_END) {
            let likeness = expected.likeness(&corpus, place, f32::MIN).unwrap_or_default();
            let at_most = near.at_most(0).get(near.agreement_code(&corpus, place));
            prop_assert!(at_most >= likeness, "{at_most} is no bound of {likeness}");
            let is_near = near.seeds().iter().any(|seed| {
                place.checked_add_signed(seed.offset).is_some_and(|beside| corpus.class(beside) == seed.class)
            });
            let is_likely = is_near && likeness > 1.26;
            prop_assert!(!is_likely || found.contains(&(place as u32)), "{place} of {likeness}");
        }
        let once: std::collections::BTreeSet<_> = found.iter().collect();
        prop_assert_eq!(once.len(), found.len());
    }

    #[test]
    fn the_mixture_is_a_distribution(weights in prop::collection::vec(0.0001_f32..1e4, 0..20)) {
        let witnesses: Vec<Witness> =
            weights.iter().zip(0..).map(|(weight, place)| Witness { place, weight: *weight }).collect();
        let mixture = Mixture::of(&witnesses, 30.0, |witness| Some(witness.place % 5));
        let sum: f32 = (0..5).map(|reading| mixture.probability(&reading, 0.2)).sum();
        // Tolerance: twenty sums of f32.
        prop_assert!((sum - 1.0).abs() < 1e-5, "{sum}");
    }
}

#[test]
fn a_formula_is_restored_from_the_letters_that_have_it() {
    // "a na be li" twice; the third letter has lost its "be".
    let corpus = corpus(&[vec![0, 1, 2, 3, 0, 4], vec![0, 1, 2, 3, 4, 4], vec![4, 4, 4, 4]]);
    let weights = Weights::default();
    let contexts = Contexts { corpus: &corpus, weights: &weights };
    let mut question = question(&corpus, 0);
    question.truncate(5);
    let context = Context::around(&question, 3);
    let affinity = Affinity::of(&corpus, &signs_of(&question), None);
    let witnesses = contexts.witnesses(&context, &[true], &affinity);
    let mixture = Mixture::of(&witnesses, weights.of_network(), |witness| {
        Some(corpus.readings().name(corpus.sign(witness.place as usize).reading))
    });
    // Before fitting, two letters with five signs alike weigh about half of what the network does.
    assert!(mixture.share(&"be", 0.01).attested > 0.3, "{mixture:?}");
    assert_eq!(witnesses.len(), 2);
}

#[test]
fn weights_are_read_back_and_others_refused() {
    let weights = Weights::default();
    assert_eq!(Weights::parse(&weights.written()), Ok(weights));
    assert!(Weights::parse("1.0\n2.0\n").is_err_and(|error| error.to_string().contains("2 were found")));
}

#[test]
fn what_is_found_about_a_text_is_found_once_for_all_its_gaps() {
    let corpus = corpus(&[vec![0, 1, 2, 3, 0, 4], vec![0, 1, 2, 3, 4, 4], vec![4, 4, 4, 4]]);
    let weights = Weights::default();
    let contexts = Contexts { corpus: &corpus, weights: &weights };
    let newest = LastTextCache::default();
    let signs = signs_of(&question(&corpus, 0));
    let first = newest.about(&contexts, &signs, None);
    assert_eq!(first.affinity, Affinity::of(&corpus, &signs, None));
    // The division of signs into words makes no difference; for lost signs it is unknown.
    let other_way = |sign: &AttestedSign| AttestedSign { starts_word: !sign.starts_word, ..*sign };
    let again = newest.about(&contexts, &signs.iter().map(other_way).collect::<Vec<_>>(), None);
    assert!(Arc::ptr_eq(&first, &again));
    for (signs, except) in [(&signs[..], Some(1)), (&signs[1..], Some(1))] {
        let other = newest.about(&contexts, signs, except);
        assert_eq!(other.affinity, Affinity::of(&corpus, signs, except));
        assert_ne!(other.affinity, first.affinity);
    }
}

proptest! {
    #[test]
    fn witnesses_that_are_kept_are_those_that_are_found(
        own in texts(), kinds in prop::collection::vec(any::<bool>(), 1..6),
    ) {
        let corpus = corpus(&own);
        let weights = Weights::default();
        let contexts = Contexts { corpus: &corpus, weights: &weights };
        let question = question(&corpus, 0);
        let about = AboutText::new(Affinity::of(&corpus, &signs_of(&question), None));
        for (place, kind) in places(&question).into_iter().cycle().zip(kinds) {
            let context = Context::around(&question, place);
            // One kind alone, then both kinds with one cached, then both from the cache.
            for kinds in [&[kind][..], &[false, true], &[false, true]] {
                let found = about.witnesses(&contexts, &context, kinds);
                prop_assert_eq!(found, contexts.witnesses(&context, kinds, &about.affinity));
            }
        }
    }
}
