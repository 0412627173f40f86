//! Curves of training as SVG: loss by step, with a scale that fits.

use super::frame::round_step;
use super::palette::Palette;
use super::svg::{FONT, escaped};
use std::fmt::Write;

/// A line through points, or marks at them.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// What it shows; stands in the legend.
    pub name: String,
    /// Places in order of their first number.
    pub points: Vec<[f64; 2]>,
    /// Which colour of the palette.
    pub colour: usize,
    /// Whether each point is marked, as few and exact ones are.
    pub marked: bool,
}

const SIZE: [f64; 2] = [640.0, 300.0];
/// Left, top, right, bottom.
const MARGIN: [f64; 4] = [52.0, 34.0, 16.0, 42.0];
/// More points than this are drawn as means of neighbours: there are no more pixels.
const MOST_POINTS: usize = 400;

/// Curves over the numbers from 0 to `far`, with names of the two axes.
pub fn svg(curves: &[Curve], far: f64, axes: [&str; 2], palette: &Palette, title: &str) -> String {
    let [width, height] = SIZE;
    let [left, top, right, bottom] = MARGIN;
    let far = far.max(1.0);
    let highest = highest_of(curves);
    let step = round_step(highest / 5.0);
    let most = step * (highest / step).ceil().max(1.0);
    let x = |at: f64| left + (width - left - right) * (at / far).clamp(0.0, 1.0);
    let y = |value: f64| height - bottom - (height - bottom - top) * (value / most).clamp(0.0, 1.0);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" role=\"img\">\n<title>{}</title>\n<g font-family=\"{FONT}\" font-size=\"13\" fill=\"{}\">\n",
        escaped(title),
        palette.ink,
    );
    let digits = if step < 0.1 { 2 } else { usize::from(step < 1.0) };
    for number in 0..=(most / step).round() as u32 {
        let value = f64::from(number) * step;
        let at = y(value);
        let _ = writeln!(svg, "<path d=\"M{left} {at:.1}H{:.1}\" stroke=\"{}\"/>", width - right, palette.line);
        let _ = writeln!(
            svg,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{value:.digits$}</text>",
            left - 6.0,
            at + 4.0
        );
    }
    let stride = round_step(far / 5.0).max(1.0);
    for number in 0..=(far / stride).floor() as u32 {
        let at = f64::from(number) * stride;
        let _ = writeln!(
            svg,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{at:.0}</text>",
            x(at),
            height - bottom + 17.0
        );
    }
    let [across, up] = axes.map(escaped);
    let _ =
        writeln!(svg, "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{across}</text>", width - right, height - 6.0);
    let _ = writeln!(svg, "<text x=\"{left}\" y=\"16\">{up}</text>");
    let mut legend = width - right;
    for curve in curves.iter().rev() {
        draw(&mut svg, curve, palette, x, y);
        let (colour, name) = (&palette.kinds[curve.colour % 5], escaped(&curve.name));
        let _ = writeln!(svg, "<text x=\"{legend:.1}\" y=\"16\" text-anchor=\"end\">{name}</text>");
        legend -= 6.8 * curve.name.chars().count() as f64;
        let _ = writeln!(svg, "<path d=\"M{:.1} 12h18\" stroke=\"{colour}\" stroke-width=\"2.5\"/>", legend - 26.0);
        legend -= 44.0;
    }
    svg.push_str("</g>\n</svg>\n");
    svg
}

fn highest_of(curves: &[Curve]) -> f64 {
    let values = curves.iter().flat_map(|curve| &curve.points).map(|point| point[1]);
    values.filter(|value| value.is_finite()).fold(0.0, f64::max).max(1e-3)
}

fn draw(svg: &mut String, curve: &Curve, palette: &Palette, x: impl Fn(f64) -> f64, y: impl Fn(f64) -> f64) {
    let points = thinned(&curve.points);
    let path: String = points
        .iter()
        .enumerate()
        .map(|(number, [at, value])| format!("{}{:.1} {:.1}", if number == 0 { "M" } else { "L" }, x(*at), y(*value)))
        .collect();
    let colour = &palette.kinds[curve.colour % 5];
    let _ = writeln!(
        svg,
        "<path d=\"{path}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\" stroke-linejoin=\"round\"/>"
    );
    let marked = curve.marked || points.len() == 1;
    for [at, value] in points.iter().filter(|_| marked) {
        let _ = writeln!(svg, "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"3.5\" fill=\"{colour}\"/>", x(*at), y(*value));
    }
}

/// At most [`MOST_POINTS`] points, each the mean of neighbours; numbers that are none are left out.
fn thinned(points: &[[f64; 2]]) -> Vec<[f64; 2]> {
    let sound: Vec<[f64; 2]> =
        points.iter().copied().filter(|point| point.iter().all(|number| number.is_finite())).collect();
    let together = sound.len().div_ceil(MOST_POINTS).max(1);
    let mean =
        |some: &[[f64; 2]]| [0, 1].map(|axis| some.iter().map(|point| point[axis]).sum::<f64>() / some.len() as f64);
    sound.chunks(together).map(mean).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::known_picture;

    fn falling(count: u32) -> Vec<[f64; 2]> {
        (1..=count)
            .map(|step| [f64::from(step), 6.0 / (1.0 + f64::from(step) / 20.0) + f64::from(step % 3) * 0.1])
            .collect()
    }

    #[test]
    fn long_curves_are_thinned_and_odd_numbers_left_out() {
        let points = thinned(&falling(4_001));
        assert!(points.len() <= MOST_POINTS && points.len() > MOST_POINTS / 2);
        assert_eq!(thinned(&[[1.0, f64::NAN], [2.0, 3.0]]), [[2.0, 3.0]]);
        let drawn = svg(
            &[Curve { name: "a".into(), points: vec![], colour: 1, marked: false }],
            0.0,
            ["", ""],
            &Palette::light(),
            "",
        );
        assert!(!drawn.contains("NaN") && !drawn.contains("inf"), "{drawn}");
    }

    #[test]
    fn the_picture_is_the_one_that_was_looked_at() {
        let measured = [[0.0, 7.0], [20.0, 4.1], [40.0, 2.9], [60.0, 2.6]];
        let curves = [
            Curve { name: "training".into(), points: falling(60), colour: 2, marked: false },
            Curve { name: "set aside".into(), points: measured.to_vec(), colour: 1, marked: true },
        ];
        let drawn = svg(&curves, 80.0, ["step", "bits per byte"], &Palette::light(), "A test");
        known_picture("curve", &drawn);
    }
}
