//! Tests of both networks against their references, read from files as they ship, and of files that are not what they
//! claim to be. All of it is one program, so that burn is linked once and the tests run side by side.
#![allow(clippy::unwrap_used)] // in helpers too: a test that cannot open its own files has failed

#[path = "../translator/mod.rs"]
mod translator;

mod attention;
mod byt5;
mod shipped_points;
mod torso;
