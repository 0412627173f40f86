//! Searches for an answer: gaps on their own, then jointly, then breaks of unknown length, refining as it goes.

use super::assemble;
use super::joint::{Ground, Hypothesis, joint};
use super::knowledge::Knowledge;
use super::lengths::{STEPS, lengths};
use super::plan::{Extent, Gap, QuestionError, SearchPlan};
use super::rank::Ranker;
use super::singles::singles;
use super::tables::Tables;
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
        let ground = Ground { sheet: &plan.sheet, signs: &signs, knowledge: &knowledge, vocabulary: &self.vocabulary };
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
    let alone = singles(&plan.sheet, ground.knowledge, enough, scorer, on_row).await?;
    let mut answer = assemble::first(ground, plan, &alone, question.top);
    on_update(Update::Answer(answer.clone()));

    let units = plan.sheet.units.len();
    let often = units.div_ceil(JOINT_ANSWERS).max(1);
    let on_filled = |filled: usize, best: &[Hypothesis]| {
        on_update(Update::Progress { phase: SearchPhase::Joint, done: filled as u64, total: units as u64 });
        if filled.is_multiple_of(often) || filled == units {
            assemble::add_joint(&mut answer, plan, best);
            on_update(Update::Answer(answer.clone()));
        }
    };
    let best = joint(ground, &alone, question.beam, scorer, on_filled).await?;

    let mut filling = plan.sheet.nothing_filled();
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
#[path = "search_tests.rs"]
mod tests;
