//! Maps as SVG: a picture to save, and what tests compare.

use super::colours::{LEVELS, css};
use super::scene::{LETTERS, Scene};
use crate::palette::Palette;
use crate::svg::{FONT, escaped};
use std::fmt::Write;

/// Gap between maps that stand side by side, and room above each for its name.
const BETWEEN: f64 = 16.0;
const NAME: f64 = 22.0;

/// Writes a map as an SVG document, with a title for screen readers.
pub fn map(scene: &Scene, palette: &Palette, dark: bool, title: &str) -> String {
    let mut svg = head(scene.size, palette, title);
    content(&mut svg, scene, palette, dark, 0);
    svg.push_str("</svg>\n");
    svg
}

/// Writes maps side by side, each under its name.
pub fn row(scenes: &[(Scene, String)], palette: &Palette, dark: bool, title: &str) -> String {
    let width = scenes.iter().map(|(scene, _)| scene.size[0] + BETWEEN).sum::<f64>() - BETWEEN;
    let height = scenes.iter().map(|(scene, _)| scene.size[1]).fold(0.0, f64::max) + NAME;
    let mut svg = head([width.max(1.0), height], palette, title);
    let mut left = 0.0;
    for (number, (scene, name)) in scenes.iter().enumerate() {
        let (name, x, ink) = (escaped(name), scene.corner[0], &palette.ink);
        let _ = writeln!(
            svg,
            "<g transform=\"translate({left:.1} {NAME})\">\n<text x=\"{x:.1}\" y=\"-6\" font-family=\"{FONT}\" \
             font-size=\"14\" fill=\"{ink}\">{name}</text>"
        );
        content(&mut svg, scene, palette, dark, number);
        svg.push_str("</g>\n");
        left += scene.size[0] + BETWEEN;
    }
    svg.push_str("</svg>\n");
    svg
}

fn head([width, height]: [f64; 2], palette: &Palette, title: &str) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" width=\"{width:.0}\" \
         height=\"{height:.0}\" role=\"img\">\n<title>{}</title>\n<rect width=\"100%\" height=\"100%\" fill=\"{}\"/>\n",
        escaped(title),
        palette.paper,
    )
}

/// Writes cells, cursor and labels. Neighbours of one colour in a row are one rectangle, and the most frequent colour
/// is a background under all.
fn content(svg: &mut String, scene: &Scene, palette: &Palette, dark: bool, number: usize) {
    let ([x, y], [across, along]) = (scene.corner, scene.area);
    let _ = writeln!(
        svg,
        "<clipPath id=\"map-{number}\"><rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{across:.1}\" \
         height=\"{along:.1}\"/></clipPath>\n<g clip-path=\"url(#map-{number})\" shape-rendering=\"crispEdges\">"
    );
    cells(svg, scene, dark);
    svg.push_str("</g>\n");
    if let Some([x, y]) = scene.cursor {
        let (side, colour) = (scene.cell, &palette.chosen);
        let _ = writeln!(
            svg,
            "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{side:.1}\" height=\"{side:.1}\" fill=\"none\" \
             stroke=\"{colour}\" stroke-width=\"2\"/>"
        );
    }
    let _ = writeln!(svg, "<g font-family=\"{FONT}\" font-size=\"{LETTERS}\" fill=\"{}\">", palette.ink);
    for label in &scene.labels {
        let ([x, y], text) = (label.at, escaped(&label.text));
        let weight = if label.marked { " font-weight=\"700\"" } else { "" };
        let _ = if label.upwards {
            writeln!(svg, "<text transform=\"translate({x:.1} {y:.1}) rotate(-90)\"{weight}>{text}</text>")
        } else {
            writeln!(svg, "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"end\"{weight}>{text}</text>")
        };
    }
    svg.push_str("</g>\n");
}

fn cells(svg: &mut String, scene: &Scene, dark: bool) {
    let mut counts = [0usize; LEVELS as usize];
    scene.levels.iter().for_each(|level| counts[usize::from((*level).min(LEVELS - 1))] += 1);
    let ground = (0..LEVELS).max_by_key(|level| counts[usize::from(*level)]).unwrap_or(0);
    let ([x, y], [across, along]) = (scene.corner, scene.area);
    let colour = css(scene.scale.colour(ground, dark));
    let _ = writeln!(
        svg,
        "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{across:.1}\" height=\"{along:.1}\" fill=\"{colour}\"/>"
    );
    let width = scene.columns.len().max(1);
    let mut paths = vec![String::new(); usize::from(LEVELS)];
    for (row, levels) in scene.levels.chunks(width).enumerate() {
        let top = scene.start[1] + row as f64 * scene.cell;
        let mut column = 0;
        for same in levels.chunk_by(|one, other| one == other) {
            let left = scene.start[0] + column as f64 * scene.cell;
            column += same.len();
            let (wide, high) = (same.len() as f64 * scene.cell, scene.cell);
            if let Some(path) =
                same.first().filter(|level| **level != ground).and_then(|at| paths.get_mut(usize::from(*at)))
            {
                let _ = write!(path, "M{left:.1} {top:.1}h{wide:.1}v{high:.1}h-{wide:.1}z");
            }
        }
    }
    for (level, path) in (0u8..).zip(&paths).filter(|(_, path)| !path.is_empty()) {
        let _ = writeln!(svg, "<path d=\"{path}\" fill=\"{}\"/>", css(scene.scale.colour(level, dark)));
    }
}
