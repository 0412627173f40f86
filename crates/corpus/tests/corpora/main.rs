//! Tests on the corpora beside the project, which also check that the shipped files are still made from them. They are
//! one program, so that they run in parallel: several take seconds, on one core each.

mod attribution;
mod corpus_agreement;
mod formulary;
mod glosses;
mod hierarchy;
mod taxonomy;
