//! Every command of the laboratory as its user meets it: data in, figures or a clear message out. All of it is one
//! program: burn is linked once, and the tests run side by side.
#![allow(clippy::unwrap_used)] // a test stops where it cannot go on

mod ablation;
mod hybonet;
mod hybonet_probe;
mod synthetic;
