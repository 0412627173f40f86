//! A small model that proposes what a word of a transliteration names, by its spelling and the words around it, for
//! names that no list and no lexicon has.
//!
//! It is the distance classifier of Chen et al. ("Fully Hyperbolic Neural Networks", ACL 2022): every feature and every
//! kind is a point on the hyperboloid. A word's point is the centroid of its features' points (Eq. 4), and the logit of
//! a kind is a bias minus the squared Lorentz distance to the kind's point. Features are readings, pairs of readings,
//! determinatives, and the two words before and behind. `crates/lab/src/names/kinds` trains it.

mod features;
mod find;
mod model;
mod onomasticon;
mod pack;

pub use features::{FeaturePart, NameWord, each_feature};
pub use find::find_names;
pub use model::{NO_NAME, NameClasses, NameGuess, NameModel, NameModelError, NameModelParts};
pub use onomasticon::{Onomasticon, OnomasticonError, OwnName};

#[cfg(test)]
mod tests;
