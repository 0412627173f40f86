//! The frame of a diagram: two scales with round numbers, their names, and where a value lies between them.

use super::palette::Palette;
use super::svg::{FONT, escaped};
use std::fmt::Write;

/// About so many numbers stand at a scale.
const NUMBERS: f64 = 5.0;

/// One scale: the values at its ends, and the distance of the numbers that stand at it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale {
    pub low: f64,
    pub high: f64,
    pub step: f64,
}

impl Scale {
    /// The scale with round ends that holds all values; those that are no numbers count for nothing.
    pub fn holding(values: impl IntoIterator<Item = f64>) -> Self {
        let finite = values.into_iter().filter(|value| value.is_finite());
        let ends = finite.fold(None, |ends: Option<[f64; 2]>, value| {
            ends.map_or(Some([value; 2]), |[low, high]| Some([low.min(value), high.max(value)]))
        });
        let [low, high] = ends.unwrap_or([0.0, 1.0]);
        // Where all are one, a scale around it.
        let [low, high] = if high > low { [low, high] } else { [low - 0.5, high + 0.5] };
        let step = round_step((high - low) / NUMBERS);
        // What lies on a number but for rounding needs no further one.
        let slack = 1e-9;
        Self { low: step * (low / step + slack).floor(), high: step * (high / step - slack).ceil(), step }
    }

    /// Share of the way from the low end to the high one, ends held.
    pub fn share(&self, value: f64) -> f64 {
        ((value - self.low) / (self.high - self.low)).clamp(0.0, 1.0)
    }

    /// The numbers at it, with as many digits as they need.
    pub fn numbers(&self) -> Vec<(f64, String)> {
        let digits = (-self.step.log10().floor()).max(0.0) as usize;
        let count = ((self.high - self.low) / self.step).round() as u32;
        let number = |place: u32| self.low + self.step * f64::from(place);
        // A zero has no sign.
        let text = |value: f64| format!("{:.digits$}", if value.abs() < self.step / 2.0 { 0.0 } else { value });
        (0..=count).map(number).map(|value| (value, text(value).replace('-', "−"))).collect()
    }
}

/// Where a diagram's field lies.
#[derive(Clone, Copy, Debug)]
pub struct Frame {
    /// Width and height of the picture.
    pub size: [f64; 2],
    /// Left, top, right, bottom.
    pub margin: [f64; 4],
    /// From the bottom up.
    pub up: Scale,
}

impl Frame {
    /// Height of a value.
    pub fn y(&self, value: f64) -> f64 {
        let [_, top, _, bottom] = self.margin;
        let height = self.size[1] - bottom;
        height - (height - top) * self.up.share(value)
    }

    /// Place of a share of the way from left to right.
    pub fn x(&self, share: f64) -> f64 {
        let [left, _, right, _] = self.margin;
        left + (self.size[0] - left - right) * share
    }

    /// Opens the picture and draws the lines of the scale from the bottom up; the line of zero is stronger.
    pub fn open(&self, name: &str, palette: &Palette, title: &str) -> String {
        self.open_described(name, palette, title, "")
    }

    /// The same, with what is to be seen told at length; nothing where there is no text.
    pub fn open_described(&self, name: &str, palette: &Palette, title: &str, description: &str) -> String {
        let [width, height] = self.size;
        let [left, ..] = self.margin;
        let told =
            if description.is_empty() { String::new() } else { format!("<desc>{}</desc>\n", escaped(description)) };
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" role=\"img\">\n<title>{}</title>\n{told}\
             <rect width=\"100%\" height=\"100%\" fill=\"{}\"/>\n<g font-family=\"{FONT}\" font-size=\"13\" fill=\"{}\">\n",
            escaped(title),
            palette.sheet,
            palette.ink,
        );
        for (value, text) in self.up.numbers() {
            let (at, right) = (self.y(value), self.x(1.0));
            let is_zero = value.abs() < self.up.step / 2.0;
            let stroke = if is_zero { &palette.ink } else { &palette.line };
            let _ = writeln!(svg, "<path d=\"M{left} {at:.1}H{right:.1}\" stroke=\"{stroke}\"/>");
            let _ =
                writeln!(svg, "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{text}</text>", left - 6.0, at + 4.0);
        }
        let _ = writeln!(svg, "<text x=\"12\" y=\"18\">{}</text>", escaped(name));
        svg
    }

    /// A text below the field, centred at a place.
    pub fn below(&self, svg: &mut String, at: f64, text: &str) {
        self.below_in_line(svg, at, 0, text);
    }

    /// The same in the first line below the field (0) or the second.
    pub fn below_in_line(&self, svg: &mut String, at: f64, line: usize, text: &str) {
        let height = self.size[1] - self.margin[3] + 18.0 + 15.0 * line as f64;
        let text = escaped(text);
        let _ = writeln!(svg, "<text x=\"{at:.1}\" y=\"{height:.1}\" text-anchor=\"middle\">{text}</text>");
    }
}

/// Closes what [`Frame::open`] opened.
pub fn close(svg: &mut String) {
    svg.push_str("</g>\n</svg>\n");
}

/// The nearest of 1, 2, 5, 10 … that is not smaller.
pub fn round_step(least: f64) -> f64 {
    let power = 10_f64.powf(least.log10().floor());
    [1.0, 2.0, 5.0, 10.0]
        .into_iter()
        .map(|digit| digit * power)
        .find(|step| *step >= least * (1.0 - 1e-9))
        .unwrap_or(10.0 * power)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_round() {
        for (least, step) in [(0.9, 1.0), (1.0, 1.0), (1.1, 2.0), (0.03, 0.05), (70.0, 100.0), (200.0, 200.0)] {
            assert!((round_step(least) / step - 1.0).abs() < 1e-9, "{least}");
        }
    }

    #[test]
    fn scales_hold_all_values_between_round_ends() {
        let scale = Scale::holding([-0.031, 0.012, f64::NAN]);
        assert!((scale.step - 0.01).abs() < 1e-12 && (scale.low + 0.04).abs() < 1e-12, "{scale:?}");
        let texts: Vec<String> = scale.numbers().into_iter().map(|(_, text)| text).collect();
        assert_eq!(texts, ["−0.04", "−0.03", "−0.02", "−0.01", "0.00", "0.01", "0.02"]);
        assert_eq!(Scale::holding([0.0, 10.0]), Scale { low: 0.0, high: 10.0, step: 2.0 });
        for values in [vec![], vec![3.0], vec![f64::INFINITY]] {
            let scale = Scale::holding(values);
            assert!(scale.low < scale.high && scale.share(f64::from(1)).is_finite(), "{scale:?}");
        }
    }
}
