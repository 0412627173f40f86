//! What the crate makes of the corpora beside the project, and whether the shipped files are still made from them. All
//! of it is one program, so that its tests run side by side: several take seconds, on one core each.

mod attribution;
mod corpus_agreement;
mod formulary;
mod glosses;
mod hierarchy;
mod taxonomy;
