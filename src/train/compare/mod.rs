//! Verdict on a finished run: one sentence on the held-out loss, shown before all figures. `translators`, `restorers`
//! and `translations` show the figures.

pub mod restorers;
pub mod translations;
pub mod translators;

use crate::train::Training;
use leptos::prelude::*;
use tuppum_protocol::{Compared, MIN_MEASURED_TEXTS, RestorersCompared, Task};

/// Conclusion from the change of the held-out loss.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Too few held-out texts for a conclusion; the change points this way.
    TooFew(Direction),
    /// Too few held-out texts to estimate the change, but it is far larger than the differences among them.
    Clear(Direction),
    /// Lower loss, hardly by chance.
    Better,
    /// Higher loss, hardly by chance.
    Worse,
    /// Change within what chance explains; it points this way.
    Chance(Direction),
}

/// Direction of a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Higher loss.
    Higher,
    /// Lower or equal loss.
    NotHigher,
}

impl Verdict {
    /// Judges a change of the loss (after minus before) by its 95 % bootstrap interval over `texts` held-out texts.
    pub fn of(texts: usize, difference: f64, [low, high]: [f64; 2]) -> Self {
        let direction = if difference > 0.0 { Direction::Higher } else { Direction::NotHigher };
        match () {
            () if texts < MIN_MEASURED_TEXTS && is_far_from_nothing([low, high]) => Self::Clear(direction),
            () if texts < MIN_MEASURED_TEXTS => Self::TooFew(direction),
            () if high < 0.0 => Self::Better,
            () if low > 0.0 => Self::Worse,
            () => Self::Chance(direction),
        }
    }

    /// Judges the comparison of two translators.
    pub fn of_pairs(found: &Compared) -> Self {
        Self::of(found.texts, found.difference, found.interval)
    }

    /// Judges the comparison of two restorers. Comparisons of early versions count stretches only, not texts.
    pub fn of_signs(found: &RestorersCompared) -> Self {
        let ([difference, low, high], texts) = (found.bits, found.texts);
        Self::of(if texts == 0 { found.sequences } else { texts }, difference, [low, high])
    }

    /// Returns the verdict as a sentence; `learnt` names what the model may have learnt by heart, such as “pairs”.
    pub fn sentence(self, learnt: &str) -> String {
        match self {
            Self::Better => "It predicts what was set aside better than before; chance among these texts alone would \
                hardly explain that."
                .to_owned(),
            Self::Worse => format!(
                "⚠ It predicts what was set aside worse than before: it may have learnt your {learnt} by heart. Fewer \
                 steps, a lower learning rate or more {learnt} help."
            ),
            Self::Chance(direction) => format!("{} That may be chance.", pointing(direction)),
            Self::Clear(Direction::NotHigher) => {
                "It predicts what was set aside clearly better than before; these are too few \
                texts to say exactly by how much."
                    .to_owned()
            }
            Self::Clear(Direction::Higher) => format!(
                "⚠ It predicts what was set aside clearly worse than before: it may have learnt your {learnt} by \
                 heart. These are too few texts to say exactly by how much."
            ),
            Self::TooFew(direction) => {
                format!("{} These are too few texts to tell the change from chance.", pointing(direction))
            }
        }
    }

    /// Returns `true` if the loss is higher than before, even if by chance.
    pub fn is_warning(self) -> bool {
        matches!(
            self,
            Self::Worse
                | Self::Chance(Direction::Higher)
                | Self::TooFew(Direction::Higher)
                | Self::Clear(Direction::Higher)
        )
    }
}

/// Returns `true` if an interval lies farther from 0 than it is wide. From few texts it comes out too narrow, but
/// hardly by that much.
fn is_far_from_nothing([low, high]: [f64; 2]) -> bool {
    low.max(-high) > high - low
}

fn pointing(direction: Direction) -> &'static str {
    match direction {
        Direction::Higher => "⚠ It predicts what was set aside worse than before.",
        Direction::NotHigher => "It predicts what was set aside no worse than before.",
    }
}

/// Warning for a run that ended with a higher held-out loss; absent otherwise.
#[component]
pub fn Worse() -> impl IntoView {
    let training = expect_context::<Training>();
    let warning = Memo::new(move |_| match training.task() {
        Task::Translation => training.compared.with(|found| found.as_ref().and_then(pairs_warning)),
        Task::Restoration => training.restorers.with(|found| found.as_ref().and_then(signs_warning)),
    });
    move || {
        warning.get().map(|warning| {
            view! {
                <p id="train-worse" class="warning-line" role="alert">
                    {warning}
                </p>
            }
        })
    }
}

fn pairs_warning(found: &Compared) -> Option<String> {
    let verdict = Verdict::of_pairs(found);
    let figures = format!("{:.3} bits per byte before, {:.3} now.", found.before, found.after);
    verdict.is_warning().then(|| format!("{} {figures}", verdict.sentence("pairs")))
}

fn signs_warning(found: &RestorersCompared) -> Option<String> {
    let verdict = Verdict::of_signs(found);
    let figures = format!("{:.3} bits per sign before, {:.3} now.", found.before.bits, found.after.bits);
    verdict.is_warning().then(|| format!("{} {figures}", verdict.sentence("texts")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_that_did_harm_says_so() {
        let found = |before: f64, after: f64, interval| Compared {
            before,
            after,
            difference: after - before,
            interval,
            pairs: 15,
            texts: MIN_MEASURED_TEXTS,
            ..Compared::default()
        };
        let harm = pairs_warning(&found(0.864, 1.024, [0.1, 0.22])).unwrap();
        assert!(harm.starts_with("⚠ It predicts what was set aside worse than before"), "{harm}");
        assert!(harm.ends_with("0.864 bits per byte before, 1.024 now."), "{harm}");
        let few = Compared { texts: MIN_MEASURED_TEXTS - 1, ..found(0.864, 1.024, [0.1, 0.22]) };
        let few = pairs_warning(&few).unwrap();
        assert!(few.starts_with('⚠') && few.contains("too few texts"), "{few}");
        assert!(
            pairs_warning(&found(0.864, 0.9, [-0.1, 0.2])).is_some_and(|warning| warning.contains("may be chance"))
        );
        assert_eq!(pairs_warning(&found(0.864, 0.8, [-0.1, -0.02])), None);
        assert_eq!(pairs_warning(&found(0.864, 0.864, [-0.1, 0.1])), None);
    }

    #[test]
    fn the_interval_decides() {
        let of = |difference, interval| Verdict::of(MIN_MEASURED_TEXTS, difference, interval);
        assert_eq!(of(-0.2, [-0.3, -0.1]), Verdict::Better);
        assert_eq!(of(0.2, [0.1, 0.3]), Verdict::Worse);
        assert_eq!(of(0.1, [-0.1, 0.3]), Verdict::Chance(Direction::Higher));
        assert_eq!(of(-0.1, [-0.3, 0.1]), Verdict::Chance(Direction::NotHigher));
        assert_eq!(Verdict::of(MIN_MEASURED_TEXTS - 1, -0.2, [-0.3, -0.1]), Verdict::TooFew(Direction::NotHigher));
        assert_eq!(Verdict::of(6, -5.16, [-5.413, -5.053]), Verdict::Clear(Direction::NotHigher));
        assert_eq!(Verdict::of(6, 5.16, [5.053, 5.413]), Verdict::Clear(Direction::Higher));
        assert_eq!(Verdict::of(6, -0.003, [-0.006, 0.001]), Verdict::TooFew(Direction::NotHigher));
    }
}
