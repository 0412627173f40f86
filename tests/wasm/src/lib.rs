//! The tests of the engine in a browser lie in `tests/`; this crate itself is empty.
