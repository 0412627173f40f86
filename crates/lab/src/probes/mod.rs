//! The structure probe: whether trees can be read off the states of an encoder by a linear map, and in which space.
//!
//! [`linear`] learns the map, in Euclid's space (Hewitt and Manning, "A structural probe for finding syntax in word
//! representations", 2019) or on Lorentz's hyperboloid (after Chen et al., "Fully hyperbolic neural networks", 2022);
//! [`scores`] compares what it finds with the trees; [`words`] says which tokens a word is. [`signs`] asks the same of
//! the tree of signs and readings, over states of readings in lines that [`occurrences`] draws. [`trees`] and
//! [`sign_tree`] are the two commands.

mod encoders;
mod linear;
mod occurrences;
mod scores;
pub mod sign_tree;
mod signs;
pub mod trees;
mod words;
