//! Whole answers, from a typed text to the last refinement, by a toy model.

use super::super::toy::{ToyKnowledge, ToyScorer, vocabulary};
use super::super::{Boundary, Filled, GapChoice, Traces};
use super::*;
use tuppum_testing::now;

/// Runs a question with toy knowledge; returns the answer and the updates on the way.
fn run(question: &Question, scorer: &mut ToyScorer) -> Result<(Answer, Vec<Update>), RestoreError<&'static str>> {
    let document = Document::read_with(&question.text, &question.reading);
    let (knowledge, vocabulary) = (ToyKnowledge { word_start: 0.5 }, vocabulary());
    let plan = SearchPlan::new(question, &document, &vocabulary).map_err(RestoreError::Question)?;
    let signs: Vec<SignIndex> = plan.gaps.iter().map(|gap| gap.sign).collect();
    let ground = Ground { sheet: &plan.sheet, signs: &signs, knowledge: &knowledge, vocabulary: &vocabulary };
    let mut reported = Vec::new();
    let answer = now(search(question, &plan, &ground, scorer, |update| reported.push(update)));
    answer.map(|answer| (answer, reported)).map_err(RestoreError::Scorer)
}

fn answered(question: &Question) -> Answer {
    run(question, &mut ToyScorer::default()).unwrap_or_else(|error| panic!("{error}")).0
}

fn choice(sign: SignIndex) -> GapChoice {
    GapChoice { sign, boundary: Boundary::Unknown, traces: Traces::default(), length: None }
}

#[test]
fn the_answer_refines_in_order() {
    let (answer, reported) =
        run(&Question::about("a x b x\n... a"), &mut ToyScorer::default()).unwrap_or_else(|error| panic!("{error}"));
    let answers: Vec<&Answer> = reported
        .iter()
        .filter_map(|update| if let Update::Answer(answer) = update { Some(answer) } else { None })
        .collect();
    // Singles, one per gap of a sign, the break.
    assert_eq!(answers.len(), 4);
    assert!(answers[0].joint.is_empty() && answers[0].gaps[0].proposals.len() == 5);
    assert_eq!(answers[1].joint[0].readings.len(), 1);
    assert_eq!(answers[2].joint[0].readings.len(), 2);
    assert_eq!(answers[2].gaps[2].lengths.len(), 0);
    assert_eq!(answers[3].gaps[2].lengths.len(), 10);
    assert_eq!(*answers[3], answer);
    let phases: Vec<SearchPhase> = reported
        .iter()
        .filter_map(|update| if let Update::Progress { phase, .. } = update { Some(*phase) } else { None })
        .collect();
    assert!(phases.is_sorted_by_key(|phase| {
        [SearchPhase::Singles, SearchPhase::Joint, SearchPhase::Lengths].iter().position(|known| known == phase)
    }));
}

#[test]
fn a_text_with_many_gaps_does_not_flood_the_page() {
    let (answer, reported) = run(&Question::about("a x b x\n".repeat(50)), &mut ToyScorer::default())
        .unwrap_or_else(|error| panic!("{error}"));
    let answers = reported.iter().filter(|update| matches!(update, Update::Answer(_))).count();
    assert!((10..=JOINT_ANSWERS + 1).contains(&answers), "{answers}");
    assert_eq!(answer.joint[0].readings.len(), 100);
    assert_eq!(reported.last(), Some(&Update::Answer(answer)));
}

#[test]
fn joint_fillings_have_every_gap_in_order_and_probabilities_that_sum_to_one() {
    let answer = answered(&Question::about("a x b ...\nx a"));
    let best = &answer.joint[0];
    let length = answer.gaps[1].lengths[0].length;
    let mut expected = vec![1];
    expected.extend(vec![3; length]);
    expected.push(4);
    assert_eq!(best.readings.iter().map(|reading| reading.sign).collect::<Vec<_>>(), expected);
    let sum: f32 = answer.joint.iter().map(|joint| joint.probability).sum();
    assert!((sum - 1.0).abs() < 1e-5, "shares of the hypotheses kept: {sum}");
    assert!(answer.joint.is_sorted_by(|one, other| one.probability >= other.probability));
    let product: f32 = best.readings.iter().map(|reading| reading.probability.ln()).sum();
    // Tolerance: the same logarithms in another order.
    assert!((product - best.log_probability).abs() < 1e-4);
}

#[test]
fn top_limits_the_proposals_and_not_the_beam() {
    let question = Question { top: 2, beam: 5, ..Question::about("a x a x") };
    let answer = answered(&question);
    assert!(answer.gaps.iter().all(|gap| gap.proposals.len() == 2));
    assert_eq!(answer.joint.len(), 5);
}

#[test]
fn a_reading_that_was_accepted_counts_as_read() {
    let filled = vec![Filled { sign: 1, readings: vec![("b".into(), true)] }];
    let accepted = answered(&Question { filled, ..Question::about("a x a x") });
    let typed = answered(&Question::about("a b a x"));
    assert_eq!(accepted, typed);
    assert_ne!(accepted.gaps[0].proposals, answered(&Question::about("a x a x")).gaps[1].proposals);
}

#[test]
fn a_break_of_known_length_is_filled_with_the_rest() {
    let known = GapChoice { length: Some(3), ..choice(1) };
    let (answer, reported) =
        run(&Question { choices: vec![known], ..Question::about("a ... b x") }, &mut ToyScorer::default())
            .unwrap_or_else(|error| panic!("{error}"));
    let lengths = &answer.gaps[0].lengths;
    assert_eq!((lengths.len(), lengths[0].length, lengths[0].probability), (1, 3, 1.0));
    assert_eq!(lengths[0].readings, answer.joint[0].readings[..3]);
    assert_eq!(answer.joint[0].readings.len(), 4);
    let first =
        reported.iter().find_map(|update| if let Update::Answer(answer) = update { Some(answer) } else { None });
    assert_eq!(first.map(|answer| answer.gaps[0].lengths[0].readings.len()), Some(3), "shown from the start");
}

#[test]
fn a_break_of_one_known_sign_is_a_single_gap() {
    let known = GapChoice { length: Some(1), ..choice(1) };
    let answer = answered(&Question { choices: vec![known], ..Question::about("a ... b") });
    assert_eq!((answer.gaps[0].proposals.len(), answer.gaps[0].lengths.len()), (5, 0));
}

#[test]
fn a_boundary_that_the_user_fixed_holds_everywhere() {
    let inside = GapChoice { boundary: Boundary::Inside, ..choice(1) };
    let start = GapChoice { boundary: Boundary::WordStart, ..choice(3) };
    let answer = answered(&Question { choices: vec![inside, start], ..Question::about("a x b x") });
    assert_eq!((answer.gaps[0].word_start, answer.gaps[1].word_start), (0.0, 1.0));
    for joint in &answer.joint {
        assert_eq!(joint.readings.iter().map(|reading| reading.starts_word).collect::<Vec<_>>(), [false, true]);
    }
}

#[test]
fn what_can_be_seen_filters_proposals_and_fillings() {
    let traces = Traces { starts_with: "c".into(), ..Traces::default() };
    let answer = answered(&Question { choices: vec![GapChoice { traces, ..choice(1) }], ..Question::about("a x b x") });
    assert!(answer.gaps[0].proposals.iter().all(|proposal| proposal.reading == "c"));
    assert!(answer.joint.iter().all(|joint| joint.readings[0].reading == "c"));
}

#[test]
fn when_all_is_accepted_the_answer_is_empty() {
    let filled = vec![Filled { sign: 1, readings: vec![("b".into(), true)] }];
    let mut scorer = ToyScorer::default();
    let found = run(&Question { filled, ..Question::about("a x") }, &mut scorer);
    assert_eq!(found, Ok((Answer::default(), Vec::new())));
    assert_eq!(scorer.rows(), 0);
}

#[test]
fn a_stopped_scorer_stops_every_phase() {
    let question = Question::about("a x b x ... a");
    let mut whole = ToyScorer::default();
    assert!(run(&question, &mut whole).is_ok());
    for calls in 0..whole.calls.len() {
        let mut scorer = ToyScorer { fails_after: Some(calls), ..ToyScorer::default() };
        assert_eq!(run(&question, &mut scorer), Err(RestoreError::Scorer("cancelled")));
    }
}

#[test]
fn a_question_without_gaps_is_refused_before_the_model_is_asked() {
    let mut scorer = ToyScorer::default();
    assert!(matches!(run(&Question::about("a b"), &mut scorer), Err(RestoreError::Question(_))));
    assert_eq!(scorer.rows(), 0);
}

#[test]
fn the_restorer_answers_with_the_compiled_tables() {
    let restorer = Restorer::new(vocabulary());
    let mut scorer = ToyScorer::default();
    let answer = now(restorer.answer(&Question::about("a x b"), &mut scorer, |_| ()));
    let answer = answer.unwrap_or_else(|error| panic!("{error}"));
    let sum: f32 = answer.gaps[0].proposals.iter().map(|proposal| proposal.probability).sum();
    assert!((sum - 1.0).abs() < 1e-4, "all five readings of the vocabulary: {sum}");
}
