//! Shared parts of all plans of training: choice of held-out texts, schedule of the learning rate, and ranges of
//! settings.

use crate::error::{PlanProblem, SettingRange};
use serde::{Deserialize, Deserializer, Serialize};
use std::collections::BTreeSet;
use tuppum_random::Random;

/// Minimum number of pairs, or stretches of text, for a bootstrap. With fewer its interval cannot be trusted: it never
/// draws what was not measured.
pub const MIN_MEASURED_TEXTS: usize = 20;

/// Returns `true` if a batch is computed at once, as files of older versions have it.
pub(crate) fn is_one(parts: &usize) -> bool {
    *parts == 1
}

/// Returns the texts to hold out.
///
/// A text is held out if a hash of its name is below the share, so that a text stays on its side when others are added.
/// If that leaves no text on one side, the text with the lowest hash is the only one held out, or the one with the
/// highest hash the only one that trains.
pub fn held_out<'t>(texts: impl Iterator<Item = &'t str>, share: f64) -> BTreeSet<&'t str> {
    let texts: BTreeSet<(u64, &str)> = texts.map(|text| (hash(text), text)).collect();
    // Hashes are uniform over 64 bits, so this share of them is below the bound.
    let below = (share * 2_f64.powi(64)) as u64;
    let mut held_out: BTreeSet<&str> = texts.iter().filter(|(hash, _)| *hash < below).map(|(_, text)| *text).collect();
    if share > 0.0 && texts.len() > 1 {
        if held_out.is_empty() {
            held_out.extend(texts.first().map(|(_, text)| *text));
        } else if held_out.len() == texts.len()
            && let Some((_, text)) = texts.last()
        {
            held_out.remove(text);
        }
    }
    held_out
}

/// Returns the FNV-1a hash of a name, mixed once more so that its upper bits are uniform.
fn hash(name: &str) -> u64 {
    const OFFSET: u64 = 0xCBF2_9CE4_8422_2325;
    const PRIME: u64 = 0x0000_0100_0000_01B3;
    // FNV-1a alone leaves the upper bits of short names uneven; one step of the generator spreads them.
    let fnv = name.bytes().fold(OFFSET, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(PRIME));
    Random::new(fnv).bits()
}

/// Rule that updates the weights of a model, which decides what is kept of their gradients.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OptimiserRule {
    /// Keeps two moments of every number.
    #[default]
    AdamW,
    /// Keeps mean squares of every row and column only.
    Adafactor,
    /// Keeps one moment of linear maps, whose updates are made orthogonal; AdamW for everything else.
    Muon,
}

impl OptimiserRule {
    pub const ALL: [Self; 3] = [Self::AdamW, Self::Adafactor, Self::Muon];

    /// Returns the name in files, on the command line and in the page's forms.
    pub fn name(self) -> &'static str {
        match self {
            Self::AdamW => "adamw",
            Self::Adafactor => "adafactor",
            Self::Muon => "muon",
        }
    }

    /// Returns `true` for the default rule.
    fn is_usual(&self) -> bool {
        *self == Self::default()
    }
}

/// Settings of an optimiser. Each task has its own defaults.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct OptimiserSettings {
    /// Update rule; omitted from files if it is AdamW, the only one of older versions.
    #[serde(rename = "optimiser", skip_serializing_if = "OptimiserRule::is_usual")]
    pub rule: OptimiserRule,
    /// Highest learning rate.
    pub rate: f64,
    /// Share of the steps over which the rate rises to its highest; afterwards it falls linearly to zero.
    pub warm_up: f64,
    /// Factor of the rate for points of hyperbolic space; `None` if a model has no points.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub points_rate: Option<f64>,
    /// Decay of matrices, times the rate.
    pub weight_decay: f64,
    /// Shares of the first and second moments that are kept; Muon has the first only, Adafactor neither.
    pub betas: [f64; 2],
    /// Added to the root of AdamW's second moment.
    pub epsilon: f64,
    /// Largest norm of the gradient, over all tensors together; larger gradients are scaled to it.
    pub clip: f64,
}

/// Fields of [`OptimiserSettings`] in a file, all optional.
#[derive(Deserialize)]
struct Given {
    #[serde(rename = "optimiser", alias = "optimizer")]
    rule: Option<OptimiserRule>,
    rate: Option<f64>,
    warm_up: Option<f64>,
    points_rate: Option<f64>,
    weight_decay: Option<f64>,
    betas: Option<[f64; 2]>,
    epsilon: Option<f64>,
    clip: Option<f64>,
}

impl OptimiserSettings {
    /// Reads settings; missing ones are taken from `self`.
    ///
    /// # Errors
    /// Returns the errors of the file format.
    pub fn read<'de, D: Deserializer<'de>>(self, settings: D) -> Result<Self, D::Error> {
        let given = Given::deserialize(settings)?;
        Ok(Self {
            rule: given.rule.unwrap_or(self.rule),
            rate: given.rate.unwrap_or(self.rate),
            warm_up: given.warm_up.unwrap_or(self.warm_up),
            points_rate: self.points_rate.map(|usual| given.points_rate.unwrap_or(usual)),
            weight_decay: given.weight_decay.unwrap_or(self.weight_decay),
            betas: given.betas.unwrap_or(self.betas),
            epsilon: given.epsilon.unwrap_or(self.epsilon),
            clip: given.clip.unwrap_or(self.clip),
        })
    }

    /// Checks that every number is in range.
    ///
    /// # Errors
    /// Names the first that is not.
    pub fn check(&self) -> Result<(), PlanProblem> {
        are_shares(&[("warm-up", self.warm_up)])?;
        are_below_one(&[("first beta", self.betas[0]), ("second beta", self.betas[1])])?;
        are_above_zero(&[("learning rate", self.rate), ("longest gradient", self.clip), ("epsilon", self.epsilon)])?;
        let points_rate = self.points_rate.unwrap_or_default();
        are_not_negative(&[("weight decay", self.weight_decay), ("rate of the points", points_rate)])
    }

    /// Returns the learning rate of a step, counted from 0, in a run of `of` steps: it rises to the highest over the
    /// warm-up, then falls along a line that ends at 0 after the last step.
    pub fn rate_at(&self, step: u32, of: u32) -> f64 {
        let (step, of) = (f64::from(step), f64::from(of.max(1)));
        let rising = (self.warm_up * of).round().min(of);
        if step < rising { self.rate * (step + 1.0) / rising } else { self.rate * (of - step) / (of - rising).max(1.0) }
    }
}

/// Settings with their names.
type Named<'s> = &'s [(&'static str, f64)];

/// Checks that all are from 0 to 1.
///
/// # Errors
/// Names the first that is not.
pub fn are_shares(settings: Named) -> Result<(), PlanProblem> {
    are(settings, SettingRange::Share, |share| (0.0..=1.0).contains(&share))
}

/// Checks that all are from 0 to below 1.
///
/// # Errors
/// Names the first that is not.
pub fn are_below_one(settings: Named) -> Result<(), PlanProblem> {
    are(settings, SettingRange::BelowOne, |share| (0.0..1.0).contains(&share))
}

/// Checks that all are above 0.
///
/// # Errors
/// Names the first that is not.
pub fn are_above_zero(settings: Named) -> Result<(), PlanProblem> {
    are(settings, SettingRange::AboveZero, |value| value.is_finite() && value > 0.0)
}

/// Checks that none is below 0.
///
/// # Errors
/// Names the first that is.
pub fn are_not_negative(settings: Named) -> Result<(), PlanProblem> {
    are(settings, SettingRange::NotNegative, |value| value.is_finite() && value >= 0.0)
}

fn are(settings: Named, range: SettingRange, holds: impl Fn(f64) -> bool) -> Result<(), PlanProblem> {
    match settings.iter().find(|(_, value)| !holds(*value)) {
        Some(&(name, value)) => Err(PlanProblem::Setting { name, value, range }),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_optimiser_is_called_the_same_in_files_and_elsewhere() {
        for rule in OptimiserRule::ALL {
            assert_eq!(serde_json::to_value(rule).unwrap(), rule.name());
        }
    }

    #[test]
    fn the_rate_rises_and_falls_along_lines() {
        let (betas, points_rate) = ([0.9, 0.999], None);
        let settings = OptimiserSettings {
            rule: OptimiserRule::AdamW,
            rate: 1.0,
            warm_up: 0.25,
            points_rate,
            weight_decay: 0.0,
            betas,
            epsilon: 1e-8,
            clip: 1.0,
        };
        let rates: Vec<f64> = (0..8).map(|step| settings.rate_at(step, 8)).collect();
        let sixth = 1.0 / 6.0;
        let expected = [0.5, 1.0, 1.0, 5.0 * sixth, 4.0 * sixth, 3.0 * sixth, 2.0 * sixth, sixth];
        assert!(rates.iter().zip(expected).all(|(rate, expected)| (rate - expected).abs() < 1e-12), "{rates:?}");
        assert_eq!(OptimiserSettings { warm_up: 0.0, ..settings }.rate_at(0, 1), 1.0);
        assert_eq!(OptimiserSettings { warm_up: 1.0, ..settings }.rate_at(3, 4), 1.0);
    }
}
