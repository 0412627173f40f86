//! How often texts whose origin is known are attributed rightly, how well probabilities tell that, and the fit of the
//! vote's numbers.

use super::nearest::Near;
use super::origin::Origin;
use super::vote::{Origins, Voting};
use crate::attested::AttestedTexts;

/// How many texts vote in a fit; more or fewer were no better.
const VOTERS: usize = 20;
// The numbers that a fit tries.
const TEMPERATURES: [f32; 5] = [0.12, 0.2, 0.3, 0.5, 1.0];
const PRIORS: [f32; 5] = [0.01, 0.03, 0.1, 0.3, 1.0];
const SHARPNESSES: [f32; 4] = [0.8, 1.0, 1.2, 1.5];
const GROWTHS: [f32; 5] = [0.0, 0.1, 0.2, 0.4, 0.6];
/// Probabilities are compared in as many bins with how often answers were right.
const BINS: usize = 10;

/// A text whose origin is known, with the texts that are nearest to it.
#[derive(Clone, Debug, PartialEq)]
pub struct Measured {
    /// Its project of Oracc, or CDLI's period.
    pub project: String,
    /// Oracc's code of its language.
    pub language: String,
    /// How many of its signs can be read and stand in the corpora.
    pub signs: usize,
    /// The nearest texts, the likest first.
    pub nearest: Vec<Near>,
}

/// How good attributions are.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct OriginScores {
    /// Texts whose origin is known, and stands in the corpora.
    pub texts: usize,
    /// The share of them whose first answer is right.
    pub first: f64,
    /// The share of them of which one of the first three answers is right.
    pub among_three: f64,
    /// The mean of -ln of the probability of the right answer, in nats.
    pub loss: f64,
    /// How far stated probabilities of first answers are from how often these are right: the mean of the difference
    /// over ten bins, weighed by their answers.
    pub calibration_error: f64,
}

impl OriginScores {
    /// Measures texts, each with the numbers that answer for it; with no voters, what the commonest origin is worth.
    pub fn of<'m>(
        corpus: &AttestedTexts,
        origin: Origin,
        texts: impl IntoIterator<Item = (&'m Measured, &'m Voting)>,
    ) -> Self {
        let origins = Origins::new(corpus, origin);
        let mut scores = Self::default();
        let mut bins = [(0.0, 0.0); BINS];
        for (text, voting) in texts {
            let Some(asked) = Asked::of(text, &origins, origin) else { continue };
            let votes = voting.vote(&origins, &asked.ballot, asked.signs);
            let own = votes.get(asked.truth).map_or(0.0, |(probability, _)| *probability);
            // Of equal ones the first by name stands first.
            let is_before =
                |(place, (other, _)): (usize, &(f32, usize))| *other > own || (*other == own && place < asked.truth);
            let place = votes.iter().enumerate().filter(|vote| is_before(*vote)).count();
            let stated = f64::from(votes.iter().fold(0.0_f32, |most, (probability, _)| most.max(*probability)));
            let right = f64::from(u8::from(place == 0));
            scores.texts += 1;
            scores.first += right;
            scores.among_three += f64::from(u8::from(place < 3));
            scores.loss += loss(own);
            let bin = &mut bins[((stated * BINS as f64) as usize).min(BINS - 1)];
            (bin.0, bin.1) = (bin.0 + stated, bin.1 + right);
        }
        let count = scores.texts.max(1) as f64;
        scores.calibration_error = bins.iter().map(|(stated, right)| (stated - right).abs()).sum::<f64>() / count;
        [&mut scores.first, &mut scores.among_three, &mut scores.loss].into_iter().for_each(|sum| *sum /= count);
        scores
    }
}

/// A text of known origin as its votes are counted.
struct Asked {
    /// The place of its origin.
    truth: usize,
    /// What the nearest texts vote for.
    ballot: Vec<(usize, f32)>,
    /// How many of its signs are known.
    signs: usize,
}

impl Asked {
    /// `None` for a text whose origin is not known, or not in the corpora.
    fn of(text: &Measured, origins: &Origins, origin: Origin) -> Option<Self> {
        let truth = origins.place(origin.of_project(&text.project, &text.language)?)?;
        Some(Self { truth, ballot: origins.ballot(&text.nearest), signs: text.signs })
    }
}

/// What a probability of the right answer costs, in nats.
fn loss(probability: f32) -> f64 {
    -f64::from(probability.max(f32::MIN_POSITIVE)).ln()
}

/// The numbers under which the origins of some texts are likeliest, of those that are tried.
pub fn fit(corpus: &AttestedTexts, origin: Origin, texts: &[&Measured]) -> Voting {
    let origins = Origins::new(corpus, origin);
    let asked: Vec<Asked> = texts.iter().filter_map(|text| Asked::of(text, &origins, origin)).collect();
    let of = |voting: Voting| -> f64 {
        let own = |asked: &Asked| loss(voting.vote(&origins, &asked.ballot, asked.signs)[asked.truth].0);
        asked.iter().map(own).sum()
    };
    let mut best = (f64::INFINITY, Voting::shipped(origin));
    for temperature in TEMPERATURES {
        for prior in PRIORS {
            for sharpness in SHARPNESSES {
                for growth in GROWTHS {
                    let voting = Voting { voters: VOTERS, temperature, prior, sharpness, growth };
                    let loss = of(voting);
                    if loss < best.0 {
                        best = (loss, voting);
                    }
                }
            }
        }
    }
    best.1
}
