//! Every command as a user meets it: files and texts in, an answer or a clear message out. All of it is one program:
//! burn is linked once, and the tests run side by side.
#![allow(clippy::unwrap_used)] // a test stops where it cannot go on

#[path = "../../../weights/tests/translator/mod.rs"]
mod translator;

mod convert;
mod corpus;
mod formulary;
mod restore;
mod train;
mod train_restorer;
mod translate;
