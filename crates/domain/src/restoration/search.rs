//! Searches for an answer: gaps on their own, then jointly, then breaks of unknown length, refining as it goes.

use super::assemble;
use super::joint::{Ground, Hypothesis, joint};
use super::knowledge::{Knowledge, Tables};
use super::lengths::{STEPS, lengths};
use super::plan::{Extent, Gap, QuestionError, SearchPlan};
use super::rank::Ranker;
use super::singles::singles;
use super::{Answer, Question, Scorer};
use std::fmt;
use tuppum_text::signs::{Frequencies, Priors, SignList};
use tuppum_text::tokens::Vocabulary;
use tuppum_text::{Document, SignIndex};

/// Largest number of answers sent during the joint search. Otherwise there is one after every gap filled, and an answer
/// about a thousand gaps is megabytes.
const JOINT_ANSWERS: usize = 20;

/// Report of a running search.
#[derive(Clone, Debug, PartialEq)]
pub enum Update {
    /// Progress of the search.
    Progress {
        /// Phase of the search.
        phase: SearchPhase,
        /// Amount done.
        done: u64,
        /// Amount in all.
        total: u64,
    },
    /// Answer so far, which replaces the one before. Joint fillings contain the gaps that are filled so far.
    Answer(Answer),
}

/// Phases of the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SearchPhase {
    /// Every gap on its own; counts rows.
    Singles,
    /// All gaps together; counts gaps filled.
    Joint,
    /// Breaks of unknown length; counts steps.
    Lengths,
}

/// Reason why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RestoreError<E> {
    /// The question cannot be answered.
    Question(QuestionError),
    /// The model stopped.
    Scorer(E),
}

impl<E: fmt::Display> fmt::Display for RestoreError<E> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RestoreError::Question(error) => error.fmt(formatter),
            RestoreError::Scorer(error) => error.fmt(formatter),
        }
    }
}

impl<E: fmt::Debug + fmt::Display> std::error::Error for RestoreError<E> {}

/// Answers questions with any scorer of a vocabulary.
pub struct Restorer {
    vocabulary: Vocabulary,
    ranker: Ranker,
}

impl Restorer {
    /// Creates a restorer for a model with these tokens.
    pub fn new(vocabulary: Vocabulary) -> Self {
        let ranker = Ranker::new(&vocabulary, SignList::shared(), Frequencies::shared());
        Self { vocabulary, ranker }
    }

    /// Tokens of the model.
    pub fn vocabulary(&self) -> &Vocabulary {
        &self.vocabulary
    }

    /// Restores what the question asks. `on_update` gets progress and every refinement of the answer.
    ///
    /// # Errors
    /// Returns [`RestoreError::Question`], which is for the user, or the scorer's error.
    pub async fn answer<S: Scorer>(
        &self,
        question: &Question,
        scorer: &mut S,
        on_update: impl FnMut(Update),
    ) -> Result<Answer, RestoreError<S::Error>> {
        let document = Document::read_with(&question.text, &question.reading);
        let plan = SearchPlan::new(question, &document, &self.vocabulary).map_err(RestoreError::Question)?;
        let knowledge = Tables {
            ranker: &self.ranker,
            vocabulary: &self.vocabulary,
            priors: Priors::shared(),
            period: question.period,
            style: document.style,
        };
        let signs: Vec<SignIndex> = plan.gaps.iter().map(|gap| gap.sign).collect();
        let ground =
            Ground { template: &plan.template, signs: &signs, knowledge: &knowledge, vocabulary: &self.vocabulary };
        search(question, &plan, &ground, scorer, on_update).await.map_err(RestoreError::Scorer)
    }
}

/// Runs a plan with the knowledge beside the model.
///
/// # Errors
/// Returns the scorer's errors.
async fn search<S: Scorer, K: Knowledge>(
    question: &Question,
    plan: &SearchPlan,
    ground: &Ground<'_, K>,
    scorer: &mut S,
    mut on_update: impl FnMut(Update),
) -> Result<Answer, S::Error> {
    if plan.gaps.is_empty() {
        return Ok(Answer::default());
    }
    // The joint search takes its first choices from the singles, so there must be as many as its beam.
    let enough = question.top.max(question.beam);
    let on_row = |done, total| on_update(Update::Progress { phase: SearchPhase::Singles, done, total });
    let alone = singles(&plan.template, ground.knowledge, enough, scorer, on_row).await?;
    let mut answer = assemble::first(ground, plan, &alone, question.top);
    on_update(Update::Answer(answer.clone()));

    let units = plan.template.units.len();
    let often = units.div_ceil(JOINT_ANSWERS).max(1);
    let on_filled = |filled: usize, best: &[Hypothesis]| {
        on_update(Update::Progress { phase: SearchPhase::Joint, done: filled as u64, total: units as u64 });
        if filled.is_multiple_of(often) || filled == units {
            assemble::add_joint(&mut answer, plan, best);
            on_update(Update::Answer(answer.clone()));
        }
    };
    let best = joint(ground, &alone, question.beam, scorer, on_filled).await?;

    let mut filling = plan.template.nothing_filled();
    if let Some(best) = best.first() {
        best.write(&mut filling);
    }
    let breaks: Vec<(usize, &Gap)> =
        plan.gaps.iter().enumerate().filter(|(_, gap)| gap.extent == Extent::Unknown).collect();
    let total = (breaks.len() * STEPS) as u64;
    for (before, numbered) in breaks.into_iter().enumerate() {
        let on_step = |step: usize| {
            let done = (before * STEPS + step) as u64;
            on_update(Update::Progress { phase: SearchPhase::Lengths, done, total });
        };
        let sizes = (question.longest, question.top);
        let found = lengths(ground, numbered, &filling, sizes, scorer, on_step).await?;
        assemble::add_break(&mut answer, numbered.0, found);
        assemble::add_joint(&mut answer, plan, &best);
        on_update(Update::Answer(answer.clone()));
    }
    Ok(answer)
}

#[cfg(test)]
mod tests {
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
        let ground = Ground { template: &plan.template, signs: &signs, knowledge: &knowledge, vocabulary: &vocabulary };
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
        let (answer, reported) = run(&Question::about("a x b x\n... a"), &mut ToyScorer::default())
            .unwrap_or_else(|error| panic!("{error}"));
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
        let answer =
            answered(&Question { choices: vec![GapChoice { traces, ..choice(1) }], ..Question::about("a x b x") });
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
}
