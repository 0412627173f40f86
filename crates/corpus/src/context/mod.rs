//! Restoration from attested contexts: where else do the signs around a gap occur, and what stands between them there?
//!
//! Every place of the corpora whose neighbours agree with those of the gap is a witness for the sign at that place. Its
//! weight depends on how far and how well its neighbours agree (same reading, other reading of the same sign, unknown
//! on one side), on whether lines end alike, on how much else its text shares with the text asked about, and on whether
//! the sign is visible on the tablet. With the probability p of the network the mixture is
//!
//! q(s) = (Σ_{o: s(o) = s} w(o) + κ p(s)) / (Σ_o w(o) + κ),  ln w(o) = Σ_i θ_i f_i(o),
//!
//! a nearest-neighbour language model (Khandelwal et al. 2020, "Generalization through Memorization", equation 3) whose
//! distance is not that of a network's states but a sum of some 300 numbers θ, fitted with κ by maximum likelihood on
//! texts that no model and no index has seen.

mod about_text;
mod affinity;
mod fit;
mod gap;
mod likeness;
mod near;
mod scorer;
mod search;
mod weights;

pub use about_text::{AboutText, LastTextCache, evidence};
pub use affinity::Affinity;
pub use fit::{Example, Fitted, Fitting, fit, mean_loss};
pub use gap::{Context, ContextItem, REACH, signs_of};
pub use scorer::{ContextScorer, CorpusTokens, Mixture, MixtureShare};
pub use search::{Contexts, Witness};
pub use weights::{ContextWeightsError, Weights};

#[cfg(test)]
mod tests;
