//! Figures with their intervals side by side, as SVG: a bar from zero and a whisker each.

use super::frame::{Frame, Scale, close};
use super::palette::Palette;
use std::fmt::Write;

/// One figure.
#[derive(Clone, Debug, PartialEq)]
pub struct Bar {
    /// What it is of; stands below it.
    pub name: String,
    /// The figure.
    pub value: f64,
    /// Ends of its interval.
    pub interval: [f64; 2],
}

const SIZE: [f64; 2] = [640.0, 320.0];
const MARGIN: [f64; 4] = [64.0, 34.0, 16.0, 36.0];
/// Half the width of a whisker's end.
const END: f64 = 6.0;

/// Width of a letter of a name, about.
const LETTER: f64 = 7.0;
/// Room for a second line of names.
const SECOND_LINE: f64 = 10.0;

/// The bars in their order, under the name of what they measure.
pub fn svg(bars: &[Bar], name: &str, palette: &Palette, title: &str) -> String {
    let values = bars.iter().flat_map(|bar| [bar.value, bar.interval[0], bar.interval[1]]);
    let room = 1.0 / bars.len().max(1) as f64;
    let longest = bars.iter().map(|bar| bar.name.chars().count()).max().unwrap_or_default();
    let mut frame = Frame { size: SIZE, margin: MARGIN, up: Scale::holding(values.chain([0.0])) };
    let apart = frame.x(room) - frame.x(0.0);
    let lines = if longest as f64 * LETTER > apart { 2 } else { 1 };
    frame.margin[3] += SECOND_LINE * (lines - 1) as f64;
    let mut svg = frame.open(name, palette, title);
    let width = apart * 0.5;
    for (number, bar) in bars.iter().enumerate().filter(|(_, bar)| bar.value.is_finite()) {
        let middle = frame.x((number as f64 + 0.5) * room);
        let (zero, end) = (frame.y(0.0), frame.y(bar.value));
        let (top, height) = (zero.min(end), (zero - end).abs());
        let [low, high] = bar.interval.map(|value| frame.y(value));
        let _ = writeln!(
            svg,
            "<rect x=\"{:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" fill=\"{}\" fill-opacity=\"0.55\"/>",
            middle - width / 2.0,
            palette.kinds[2]
        );
        let (left, across) = (middle - END, 2.0 * END);
        let _ = writeln!(
            svg,
            "<path d=\"M{middle:.1} {low:.1}V{high:.1}M{left:.1} {low:.1}h{across}M{left:.1} {high:.1}h{across}\" stroke=\"{}\" \
             stroke-width=\"1.5\"/>",
            palette.ink
        );
        frame.below_in_line(&mut svg, middle, number % lines, &bar.name);
    }
    close(&mut svg);
    svg
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::known_picture;

    #[test]
    fn the_picture_is_the_one_that_was_looked_at() {
        let bar = |name: &str, value: f64, spread: f64| Bar {
            name: name.into(),
            value,
            interval: [value - spread, value + spread],
        };
        let bars = [bar("B − A", -0.081, 0.012), bar("C − A", 0.004, 0.011), bar("D − B", -0.006, 0.009)];
        let drawn = svg(&bars, "bits per byte, difference", &Palette::light(), "A test");
        known_picture("bars", &drawn);
    }

    #[test]
    fn long_names_stand_in_two_lines() {
        let lines = |name: &str| {
            let bar = Bar { name: name.into(), value: 1.0, interval: [0.5, 1.5] };
            let drawn = svg(&vec![bar; 9], "", &Palette::light(), "");
            [292, 307, 302]
                .map(|height| drawn.matches(&format!("y=\"{height}.0\" text-anchor=\"middle\">{name}")).count())
        };
        assert_eq!(lines("curvature_01"), [5, 4, 0]);
        assert_eq!(lines("D"), [0, 0, 9]);
    }

    #[test]
    fn no_figures_make_no_odd_numbers() {
        let none = Bar { name: "<none>".into(), value: f64::NAN, interval: [f64::NAN; 2] };
        for bars in [vec![], vec![none]] {
            let drawn = svg(&bars, "a < b", &Palette::dark(), "");
            assert!(!drawn.contains("NaN") && !drawn.contains("inf") && drawn.contains("a &lt; b"), "{drawn}");
        }
    }
}
