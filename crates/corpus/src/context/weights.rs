//! Weights of witnesses: the features of a witness, the fitted weight of each, and the weight of the network beside all
//! witnesses.

use super::affinity::Affinity;
use super::gap::{Agreement, Context, REACH};
use crate::attested::{AttestedTexts, TEXT_END};
use std::fmt;
use tuppum_text::SignState;

/// Number of active features of a witness.
pub(super) const ACTIVE_FEATURES: usize = 2 * REACH + 6;

/// Number of lengths of runs told apart: 0 to [`REACH`].
const RUNS: usize = REACH + 1;
/// Number of steps of a text's affinity: halves of its natural logarithm.
const AFFINITIES: usize = 12;
/// Number of steps of the family's share: powers of two down to 2⁻⁸.
const SHARES: usize = 9;

// First number of each kind of features.
const AGREEMENTS: usize = 0;
const RUN_PAIRS: usize = AGREEMENTS + 2 * REACH * Agreement::COUNT;
const MATCHES: usize = RUN_PAIRS + RUNS * RUNS;
const AFFINITY: usize = MATCHES + 2 * REACH + 1;
const KINDRED: usize = AFFINITY + AFFINITIES;
const STATES: usize = KINDRED + SHARES;
const LINES: usize = STATES + 3;
/// Number of all features.
pub(super) const FEATURE_COUNT: usize = LINES + 4;

/// Returns the features of a witness at a place of the corpus.
pub(super) fn features(
    context: &Context,
    corpus: &AttestedTexts,
    affinity: &Affinity,
    place: usize,
) -> [u16; ACTIVE_FEATURES] {
    let mut features = [0; ACTIVE_FEATURES];
    let mut runs = [0, 0];
    let mut matches = 0;
    for (side, signs) in [&context.left, &context.right].into_iter().enumerate() {
        let (mut ended, mut unbroken) = (false, true);
        for distance in 0..REACH {
            let beside = if side == 0 { place.checked_sub(distance + 1) } else { Some(place + distance + 1) };
            let agreement = match (signs.get(distance), beside) {
                (Some(asked), Some(beside)) if !ended => {
                    let attested = corpus.sign(beside);
                    let agreement = Agreement::of(*asked, attested, corpus.readings());
                    ended = agreement == Agreement::End || attested.reading == TEXT_END;
                    agreement
                }
                _ => Agreement::End,
            };
            unbroken &= agreement.is_match() || agreement == Agreement::Unknown;
            matches += usize::from(agreement.is_match());
            runs[side] += usize::from(unbroken && agreement.is_match());
            let number = (side * REACH + distance) * Agreement::COUNT + agreement as usize;
            features[side * REACH + distance] = (AGREEMENTS + number) as u16;
        }
    }
    let text = corpus.text_at(place).unwrap_or_default();
    let shared = (((1.0 + affinity.text(text)).ln() * 2.0) as usize).min(AFFINITIES - 1);
    // Step 8 is the whole share, step 0 a share of 2⁻⁸ or less.
    let kindred = (8.0 + affinity.kindred(text).max(1e-4).log2()).clamp(0.0, 8.0) as usize;
    let state = match corpus.state(place) {
        SignState::Preserved => 0,
        SignState::Damaged => 1,
        SignState::Restored | SignState::Illegible | SignState::Break => 2,
    };
    let lines = usize::from(corpus.starts_line(place) == context.starts_line)
        + 2 * usize::from(corpus.starts_line(place + 1) == context.ends_line);
    let others = [
        RUN_PAIRS + runs[0] * RUNS + runs[1],
        MATCHES + matches,
        AFFINITY + shared,
        KINDRED + kindred,
        STATES + state,
        LINES + lines,
    ];
    for (feature, other) in features[2 * REACH..].iter_mut().zip(others) {
        *feature = other as u16;
    }
    features
}

/// Returns the number of signs on both sides that agree without a break, recovered from the features of a witness.
pub(super) fn run(features: &[u16; ACTIVE_FEATURES]) -> usize {
    let pair = usize::from(features[2 * REACH]).saturating_sub(RUN_PAIRS);
    pair / RUNS + pair % RUNS
}

/// Largest ln of a witness's weight.
const MAX_LN_WEIGHT: f32 = 18.0;
/// Smallest ln of a witness's weight.
const MIN_LN_WEIGHT: f32 = -10.0;

/// Weights θ of the features, and ln κ of the network.
#[derive(Clone, Debug, PartialEq)]
pub struct Weights {
    pub(super) features: Vec<f32>,
    pub(super) network: f32,
}

/// The text is not a list of the right number of weights.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContextWeightsError {
    /// Number of weights found.
    pub found: usize,
}

impl fmt::Display for ContextWeightsError {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        write!(formatter, "Weights of contexts are {} numbers, and {} were found.", FEATURE_COUNT + 1, self.found)
    }
}

impl std::error::Error for ContextWeightsError {}

impl Default for Weights {
    /// Returns the weights from which fitting starts: e^½ for every sign that agrees without a break.
    fn default() -> Self {
        let mut features = vec![0.0; FEATURE_COUNT];
        let runs = REACH + 1;
        let first = 2 * REACH * super::gap::Agreement::COUNT;
        for left in 0..runs {
            for right in 0..runs {
                features[first + left * runs + right] = 0.5 * (left + right) as f32;
            }
        }
        Self { features, network: 3.0 }
    }
}

impl Weights {
    /// Returns the compiled-in weights, fitted as in `docs/context.md`.
    pub fn shipped() -> Self {
        Self::parse(include_str!("weights.txt")).unwrap_or_default()
    }

    /// Returns the weight of a witness.
    #[inline]
    pub(super) fn of(&self, features: &[u16; ACTIVE_FEATURES]) -> f32 {
        let sum: f32 = features.iter().map(|feature| self.features[usize::from(*feature)]).sum();
        sum.clamp(MIN_LN_WEIGHT, MAX_LN_WEIGHT).exp()
    }

    /// Returns the weight κ of the network.
    pub fn of_network(&self) -> f32 {
        self.network.exp()
    }

    /// Writes the weights as text, one number a line: ln κ, then the features.
    pub fn written(&self) -> String {
        std::iter::once(self.network)
            .chain(self.features.iter().copied())
            .map(|number| format!("{number:.4}\n"))
            .collect()
    }

    /// Reads the text of [`Weights::written`].
    ///
    /// # Errors
    /// Fails if a line is not a number, or if there are too few or too many.
    pub fn parse(text: &str) -> Result<Self, ContextWeightsError> {
        let numbers: Vec<f32> = text.lines().map_while(|line| line.trim().parse().ok()).collect();
        match numbers.split_first() {
            Some((network, features))
                if features.len() == FEATURE_COUNT && numbers.iter().all(|number| number.is_finite()) =>
            {
                Ok(Self { features: features.to_vec(), network: *network })
            }
            _ => Err(ContextWeightsError { found: numbers.len() }),
        }
    }
}
