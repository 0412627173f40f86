//! Figures of a layer of an encoder, or of a control.

use crate::probes::signs::Agreement;

/// Figures measured of every layer, in the order of [`Measured::runs`].
pub const DISTANCES: [&str; 3] = ["plain distance", "Lorentz probe", "Euclidean probe"];

/// A row of the table.
pub struct Measured {
    /// Name of the encoder or control.
    pub name: String,
    /// Number of the layer; `None` for a control.
    pub layer: Option<usize>,
    /// Agreement of each of [`DISTANCES`], for each seed.
    pub runs: Vec<[Agreement; 3]>,
}

impl Measured {
    /// Returns the first figure of one of [`DISTANCES`], for each seed.
    pub fn held_out(&self, distances: usize) -> Vec<f64> {
        self.runs.iter().map(|run| run[distances].held_out).collect()
    }
}
