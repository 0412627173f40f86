//! The ablation: what more data, augmentation and the hyperbolic bias bring, each on its own and together. The same
//! model is trained in several ways (*arms*), each with several seeds, and all are measured on the same pairs. This
//! module names the arms, chooses which of them to compare, and draws the conclusions.

mod compared;
mod division;
mod gain;

pub use compared::{ArmComparison, all_compared};
pub use division::{Division, HALF};
pub use gain::{Gain, all_gains};

use tuppum_domain::translation::training::Validation;

/// Ingredients of an arm beyond the pairs that all arms have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ingredients {
    /// Letter of the arm.
    pub name: &'static str,
    /// `true` if the arm has the supplementary pairs.
    pub data: bool,
    /// `true` if sources are augmented.
    pub augmentation: bool,
    /// `true` if the model has the hyperbolic bias.
    pub bias: bool,
}

/// All arms. A to D cross the bias with more data and augmentation together; E and F have one of these two alone.
pub const ARMS: [Ingredients; 6] = [
    Ingredients { name: "A", data: false, augmentation: false, bias: false },
    Ingredients { name: "B", data: true, augmentation: true, bias: false },
    Ingredients { name: "C", data: false, augmentation: false, bias: true },
    Ingredients { name: "D", data: true, augmentation: true, bias: true },
    Ingredients { name: "E", data: true, augmentation: false, bias: false },
    Ingredients { name: "F", data: false, augmentation: true, bias: false },
];

/// Outcome of one run.
#[derive(Clone, Copy, Debug)]
pub struct Outcome<'a> {
    /// Name of the arm.
    pub arm: &'a str,
    /// Seed of the run.
    pub seed: u64,
    /// Loss of the run on the pairs that all runs are measured on.
    pub validation: &'a Validation,
}

/// Returns the measurements of two arms for each seed that both have, in the order of the first arm's runs.
fn both<'a>(outcomes: &[Outcome<'a>], first: &str, second: &str) -> Vec<[&'a Validation; 2]> {
    let of = |name: &str, seed: u64| outcomes.iter().find(|run| run.arm == name && run.seed == seed);
    let firsts = outcomes.iter().filter(|run| run.arm == first);
    firsts.filter_map(|run| of(second, run.seed).map(|other| [run.validation, other.validation])).collect()
}

/// Returns the bits of every pair in the mean of several runs.
fn mean<'a>(runs: impl Iterator<Item = &'a Validation>) -> Validation {
    let mut sum = Validation::default();
    let mut count = 0.0_f32;
    for run in runs {
        sum.bits.resize(run.bits.len(), 0.0);
        sum.bits.iter_mut().zip(&run.bits).for_each(|(sum, bits)| *sum += bits);
        sum.bits_per_byte += run.bits_per_byte;
        sum.bytes.clone_from(&run.bytes);
        count += 1.0;
    }
    sum.bits.iter_mut().for_each(|bits| *bits /= count);
    sum.bits_per_byte /= f64::from(count);
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a run on pairs of 10 bytes each.
    pub fn measured(bits: Vec<f32>) -> Validation {
        let bytes = vec![10; bits.len()];
        let bits_per_byte = f64::from(bits.iter().sum::<f32>()) / (10 * bits.len()) as f64;
        Validation { after: 1, bits_per_byte, bits, bytes }
    }

    #[test]
    fn every_ingredient_is_varied_alone_from_the_plain_arm() {
        let count = |arm: &Ingredients| [arm.data, arm.augmentation, arm.bias].into_iter().filter(|is| *is).count();
        let single: Vec<&str> = ARMS.iter().filter(|arm| count(arm) == 1).map(|arm| arm.name).collect();
        assert_eq!(single, ["C", "E", "F"]);
        assert_eq!(ARMS.map(|arm| arm.name).concat(), "ABCDEF");
    }
}
