//! Figures of the layers of encoders and of controls, and the first of them as a picture: correlation against layer.

use crate::document::{deviation, mean};
use crate::probes::signs::{Agreement, CEILING};
use tuppum_plot::chart::following_the_reader;
use tuppum_plot::layers::{LayerLine, Picture, Point, svg};
use tuppum_plot::palette::Palette;

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

/// Returns the picture as SVG.
pub fn drawn(rows: &[Measured], seeds: usize) -> String {
    let controls: Vec<&Measured> = rows.iter().filter(|row| row.layer.is_none()).collect();
    let mut encoders: Vec<&str> = Vec::new();
    for row in rows.iter().filter(|row| row.layer.is_some()) {
        if !encoders.contains(&row.name.as_str()) {
            encoders.push(&row.name);
        }
    }
    let mut lines = Vec::new();
    for (style, distances) in DISTANCES.iter().enumerate() {
        let points = controls.iter().enumerate().map(|(at, row)| point(at, row, style)).collect();
        lines.push(LayerLine {
            name: format!("controls, {distances}"),
            tag: String::new(),
            colour: 0,
            style,
            control: true,
            points,
        });
    }
    for (number, encoder) in encoders.iter().enumerate() {
        let tag = if encoders.len() > 1 { (number + 1).to_string() } else { String::new() };
        let name = if tag.is_empty() { (*encoder).to_owned() } else { format!("{tag} {encoder}") };
        for (style, distances) in DISTANCES.iter().enumerate() {
            let own = rows.iter().filter(|row| row.name == *encoder);
            let points = own.filter_map(|row| Some(point(row.layer?, row, style))).collect();
            // The palette's first colour is that of the controls.
            let colour = 1 + number % 4;
            lines.push(LayerLine {
                name: format!("{name}, {distances}"),
                tag: tag.clone(),
                colour,
                style,
                control: false,
                points,
            });
        }
    }
    let spread = if seeds > 1 { format!("; bars: standard deviation over {seeds} seeds") } else { String::new() };
    let picture = Picture {
        controls: controls.iter().map(|row| row.name.clone()).collect(),
        lines,
        axes: ["layer".into(), format!("rank correlation with the tree, % (at most {CEILING:.0}){spread}")],
        title: "The sign tree in an encoder's states, layer by layer".into(),
        description: description(rows),
    };
    following_the_reader(&svg(&picture, &Palette::light()))
}

fn point(at: usize, row: &Measured, distances: usize) -> Point {
    let values = row.held_out(distances);
    Point { at, mean: mean(&values), deviation: if values.len() > 1 { deviation(&values) } else { 0.0 } }
}

/// Returns all figures in words, for readers who do not see the picture.
fn description(rows: &[Measured]) -> String {
    let told = |row: &Measured| {
        let each = DISTANCES
            .iter()
            .enumerate()
            .map(|(number, distances)| format!("{distances} {:.1}", mean(&row.held_out(number))));
        let layer = row.layer.map_or_else(String::new, |layer| format!(", layer {layer}"));
        format!("{}{layer}: {}", row.name, each.collect::<Vec<_>>().join(", "))
    };
    let all = rows.iter().map(told).collect::<Vec<_>>().join(". ");
    format!("Rank correlations in percent of distances between readings with their distances in the sign tree. {all}.")
}
