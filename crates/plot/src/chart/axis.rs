//! Axis of a chart: the values at its ends, and the round numbers between them.

use super::width_of;
use plotters::coord::ranged1d::{KeyPointHint, NoDefaultFormatting, Ranged};
use std::ops::Range;

/// Approximate number of numbers at an axis.
const NUMBERS: f64 = 5.0;

/// Tolerance within which a value counts as lying on a number.
const SLACK: f64 = 1e-9;

/// Values at the ends of an axis, and the distance of its numbers: 1, 2 or 5 times a power of ten.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Axis {
    pub low: f64,
    pub high: f64,
    pub step: f64,
    /// `true` if equal ratios are equally far apart; the numbers then have no step.
    pub logarithmic: bool,
}

/// Numbers at a logarithmic axis, within a decade.
const AT_LOGARITHMIC: [f64; 7] = [1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0];

impl Axis {
    /// Creates an axis without numbers, in pixels.
    pub fn of_pixels(length: f64) -> Self {
        Self { low: 0.0, high: length, step: 1.0, logarithmic: false }
    }

    /// Creates an axis with round ends that holds all values. Values that are not finite, or nearly not, are ignored.
    pub fn holding(values: impl IntoIterator<Item = f64>) -> Self {
        // Neither NaN nor values so large that a difference would be infinite.
        let finite = values.into_iter().filter(|value| value.abs() < 1e300);
        let [low, high] =
            finite.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], value| [low.min(value), high.max(value)]);
        let [low, high] = if low <= high { [low, high] } else { [0.0, 1.0] };
        // An axis around a single value has length 1, or more where adding 1 would not change the value.
        let around = if high > low { 0.0 } else { 0.5_f64.max(low.abs() * 1e-6) };
        let [low, high] = [low - around, high + around];
        let step = round_step((high - low) / NUMBERS);
        let [low, high] = [step * (low / step + SLACK).floor(), step * (high / step - SLACK).ceil()];
        Self { low, high, step, logarithmic: false }
    }

    /// Creates an axis from 0 to a value that need not be round; its numbers are integers if `whole`.
    pub fn up_to(high: f64, whole: bool) -> Self {
        let step = round_step(high / NUMBERS);
        Self { low: 0.0, high, step: if whole { step.max(1.0) } else { step }, logarithmic: false }
    }

    /// Creates a logarithmic axis with round ends that holds all values above zero.
    pub fn logarithmic(values: impl IntoIterator<Item = f64>) -> Self {
        let known = values.into_iter().filter(|value| value.is_finite() && *value > 0.0);
        let [low, high] = known.fold([f64::INFINITY, 0.0], |[low, high], value| [low.min(value), high.max(value)]);
        let [low, high] = if low <= high { [low, high] } else { [1.0, 10.0] };
        let (below, above) = (10_f64.powf(low.log10().floor()), 10_f64.powf(high.log10().floor()));
        let round = |power: f64| AT_LOGARITHMIC.into_iter().chain([10.0]).map(move |digit| digit * power);
        let low = round(below).filter(|number| *number <= low * (1.0 + SLACK)).fold(below, f64::max);
        let end = round(above).find(|number| *number >= high * (1.0 - SLACK) && *number > low);
        Self { low, high: end.unwrap_or(15.0 * above), step: 0.0, logarithmic: true }
    }

    /// Sets another distance between the numbers.
    pub fn every(self, step: f64) -> Self {
        Self { step, ..self }
    }

    /// Returns the round numbers from one end to the other.
    pub fn numbers(&self) -> Vec<f64> {
        if self.logarithmic {
            let inside = |value: &f64| *value > self.low * (1.0 - SLACK) && *value < self.high * (1.0 + SLACK);
            let power = |power| AT_LOGARITHMIC.map(|digit| digit * 10_f64.powi(power));
            let powers = self.low.log10().floor() as i32..=self.high.log10().floor() as i32;
            return powers.flat_map(power).filter(inside).collect();
        }
        let first = (self.low / self.step - SLACK).ceil();
        let last = (self.high / self.step + SLACK).floor();
        // Multiples of an integer, so that zero is exactly zero.
        (0..=(last - first) as u32).map(|place| (first + f64::from(place)) * self.step).collect()
    }

    /// Writes a number at the axis, with as many digits as its neighbours need.
    pub fn text(&self, value: f64) -> String {
        if self.logarithmic {
            return value.to_string();
        }
        let digits = (-(self.step.log10() + SLACK).floor()).clamp(0.0, 12.0) as usize;
        // Zero has no minus sign.
        number(if value.abs() < self.step / 2.0 { 0.0 } else { value }, digits)
    }

    /// Returns the width of the longest number, in pixels.
    pub fn width(&self) -> f64 {
        self.numbers().into_iter().map(|value| width_of(&self.text(value))).fold(0.0, f64::max)
    }
}

/// Gives plotters the places of values and the numbers at the axis.
impl Ranged for Axis {
    type FormatOption = NoDefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, (start, end): (i32, i32)) -> i32 {
        let share = if self.logarithmic {
            (value / self.low).ln() / (self.high / self.low).ln()
        } else {
            (value - self.low) / (self.high - self.low)
        };
        start + (share * f64::from(end - start)).round() as i32
    }

    fn key_points<Hint: KeyPointHint>(&self, _: Hint) -> Vec<f64> {
        self.numbers()
    }

    fn range(&self) -> Range<f64> {
        self.low..self.high
    }
}

/// Writes a number for readers, with a true minus sign and with thin spaces between thousands, as the page does.
pub fn number(value: f64, digits: usize) -> String {
    let plain = format!("{:.digits$}", value.abs());
    let whole = plain.split('.').next().map_or(0, str::len);
    let mut text = String::with_capacity(plain.len() + 4);
    if value < 0.0 {
        text.push('−');
    }
    for (place, digit) in plain.chars().enumerate() {
        if place > 0 && place < whole && (whole - place).is_multiple_of(3) {
            text.push('\u{202f}');
        }
        text.push(digit);
    }
    text
}

/// Returns the smallest of 1, 2, 5, 10 … that is not below `least`.
fn round_step(least: f64) -> f64 {
    let power = 10_f64.powf(least.log10().floor());
    let steps = [1.0, 2.0, 5.0].map(|digit| digit * power);
    steps.into_iter().find(|step| *step >= least * (1.0 - SLACK)).unwrap_or(10.0 * power)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(axis: Axis) -> Vec<String> {
        axis.numbers().into_iter().map(|value| axis.text(value)).collect()
    }

    #[test]
    fn steps_are_round() {
        for (least, step) in [(0.9, 1.0), (1.0, 1.0), (1.1, 2.0), (0.03, 0.05), (70.0, 100.0), (200.0, 200.0)] {
            assert!((round_step(least) / step - 1.0).abs() < 1e-9, "{least}");
        }
    }

    #[test]
    fn axes_hold_all_values_between_round_ends() {
        let axis = Axis::holding([-0.031, 0.012, f64::NAN]);
        assert!((axis.step - 0.01).abs() < 1e-12 && (axis.low + 0.04).abs() < 1e-12, "{axis:?}");
        assert_eq!(texts(axis), ["−0.04", "−0.03", "−0.02", "−0.01", "0.00", "0.01", "0.02"]);
        assert_eq!(Axis::holding([0.0, 10.0]), Axis { step: 2.0, ..Axis::of_pixels(10.0) });
        for values in [vec![], vec![3.0], vec![f64::INFINITY], vec![-1e12], vec![0.0; 3], vec![-1e308, 1e308]] {
            let axis = Axis::holding(values);
            assert!(axis.low < axis.high && (2..=12).contains(&axis.numbers().len()), "{axis:?}");
        }
    }

    #[test]
    fn equal_ratios_are_equally_far_at_a_logarithmic_axis() {
        let axis = Axis::logarithmic([1.2, 7.9, f64::NAN, 0.0]);
        assert_eq!(texts(axis), ["1", "1.5", "2", "3", "4", "6", "8"]);
        let at = |value: f64| axis.map(&value, (0, 3000));
        assert_eq!([at(1.0), at(2.0), at(4.0), at(8.0)], [0, 1000, 2000, 3000]);
        for values in [vec![], vec![1.0], vec![-1.0], vec![9.0], vec![0.002, 30.0]] {
            let axis = Axis::logarithmic(values);
            assert!(axis.low < axis.high && axis.low > 0.0 && !axis.numbers().is_empty(), "{axis:?}");
        }
    }

    #[test]
    fn ends_that_are_not_round_have_no_number() {
        assert_eq!(texts(Axis::up_to(70.0, true)), ["0", "20", "40", "60"]);
        assert_eq!(texts(Axis::up_to(2.0, true)), ["0", "1", "2"]);
        assert_eq!(texts(Axis::up_to(2.0, false)), ["0.0", "0.5", "1.0", "1.5", "2.0"]);
        assert_eq!(texts(Axis::up_to(6.0, false)), ["0", "2", "4", "6"]);
    }

    #[test]
    fn numbers_are_written_for_readers() {
        let written = [0.0, -0.25, 1234.0, 12345.0, -1234567.5].map(|value| number(value, 1));
        assert_eq!(written, ["0.0", "−0.2", "1\u{202f}234.0", "12\u{202f}345.0", "−1\u{202f}234\u{202f}567.5"]);
    }
}
