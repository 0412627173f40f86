//! Measures how often texts of known origin are attributed correctly and how well the probabilities are calibrated, and
//! fits the vote's parameters.

use super::nearest::{Origin, SimilarText};
use super::vote::{Origins, Voting};
use crate::attested::AttestedTexts;

/// Number of texts that vote in a fit; more or fewer were no better.
const VOTERS: usize = 20;
// Values that a fit tries.
const TEMPERATURES: [f32; 5] = [0.12, 0.2, 0.3, 0.5, 1.0];
const PRIORS: [f32; 5] = [0.01, 0.03, 0.1, 0.3, 1.0];
const SHARPNESSES: [f32; 4] = [0.8, 1.0, 1.2, 1.5];
const GROWTHS: [f32; 5] = [0.0, 0.1, 0.2, 0.4, 0.6];
/// Number of bins in which probabilities are compared with the share of correct answers.
const BINS: usize = 10;

/// A text of known origin with the texts nearest to it.
#[derive(Clone, Debug, PartialEq)]
pub struct Measured {
    /// Oracc's project or CDLI's period of the text.
    pub project: String,
    /// Oracc's code of the text's language.
    pub language: String,
    /// Number of signs that can be read and occur in the corpora.
    pub signs: usize,
    /// Nearest texts, most similar first.
    pub nearest: Vec<SimilarText>,
}

/// Quality of attributions.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct OriginScores {
    /// Number of texts whose origin is known and occurs in the corpora.
    pub texts: usize,
    /// Share of texts whose first answer is correct.
    pub first: f64,
    /// Share of texts with the correct answer among the first three.
    pub among_three: f64,
    /// Mean of -ln of the correct answer's probability, in nats.
    pub loss: f64,
    /// Expected calibration error: the mean difference between the probability of first answers and the share of
    /// correct ones over ten bins, weighted by their answers.
    pub calibration_error: f64,
}

impl OriginScores {
    /// Scores texts, each with the parameters to use for it. Parameters with no voters score the most frequent origin.
    pub fn of<'m>(
        corpus: &AttestedTexts,
        origin: Origin,
        texts: impl IntoIterator<Item = (&'m Measured, &'m Voting)>,
    ) -> Self {
        let origins = Origins::new(corpus, origin);
        let mut scores = Self::default();
        let mut bins = [(0.0, 0.0); BINS];
        for (text, voting) in texts {
            let Some(asked) = KnownBallot::of(text, &origins, origin) else { continue };
            let votes = voting.vote(&origins, &asked.ballot, asked.signs);
            let own = votes.get(asked.truth).map_or(0.0, |(probability, _)| *probability);
            // On a tie the origin that sorts first comes first.
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

/// A text of known origin, prepared for counting votes.
struct KnownBallot {
    /// Index of the correct origin.
    truth: usize,
    /// Origins that the nearest texts vote for, with their similarity.
    ballot: Vec<(usize, f32)>,
    /// Number of known signs.
    signs: usize,
}

impl KnownBallot {
    /// Returns `None` if the text's origin is unknown or not in the corpora.
    fn of(text: &Measured, origins: &Origins, origin: Origin) -> Option<Self> {
        let truth = origins.place(origin.of_project(&text.project, &text.language)?)?;
        Some(Self { truth, ballot: origins.ballot(&text.nearest), signs: text.signs })
    }
}

/// Returns the loss of giving the correct answer this probability, in nats.
fn loss(probability: f32) -> f64 {
    -f64::from(probability.max(f32::MIN_POSITIVE)).ln()
}

/// Returns the parameters, among those tried, under which the origins of these texts are most likely.
pub fn fit(corpus: &AttestedTexts, origin: Origin, texts: &[&Measured]) -> Voting {
    let origins = Origins::new(corpus, origin);
    let asked: Vec<KnownBallot> = texts.iter().filter_map(|text| KnownBallot::of(text, &origins, origin)).collect();
    let of = |voting: Voting| -> f64 {
        let own = |asked: &KnownBallot| loss(voting.vote(&origins, &asked.ballot, asked.signs)[asked.truth].0);
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
