//! How a circle grows with its radius on Euclid's plane and on the hyperbolic one, as SVG: the reason for all of this.

use super::palette::Palette;
use super::svg::{FONT, escaped};
use std::f64::consts::TAU;
use std::fmt::Write;

/// The circumference of a circle of this radius on Euclid's plane.
pub fn euclid(radius: f64) -> f64 {
    TAU * radius
}

/// The same on the hyperbolic plane of curvature -1.
pub fn hyperbolic(radius: f64) -> f64 {
    TAU * radius.sinh()
}

/// The largest radius that is drawn.
pub const FAR: f64 = 6.0;
const SIZE: [f64; 2] = [460.0, 260.0];
const CORNER: [f64; 2] = [44.0, 12.0];
const FLOOR: f64 = 34.0;

/// Both circumferences up to [`FAR`], the present radius marked. The scale of heights is that of the hyperbolic circle at this
/// radius, so that moving on lets Euclid's circle sink.
pub fn svg(radius: f64, palette: &Palette, title: &str) -> String {
    let radius = radius.clamp(0.1, FAR);
    let most = hyperbolic(radius) * 1.08;
    let ([width, height], [left, top]) = (SIZE, CORNER);
    let x = |at: f64| left + (width - left - 12.0) * at / FAR;
    let y = |value: f64| height - FLOOR - (height - FLOOR - top) * value / most;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" role=\"img\">\n<title>{}</title>\n<g font-family=\"{FONT}\" font-size=\"13\" fill=\"{}\">\n",
        escaped(title),
        palette.ink,
    );
    let floor = y(0.0);
    let _ = writeln!(
        svg,
        "<path d=\"M{left} {top}V{floor:.1}H{:.1}\" fill=\"none\" stroke=\"{}\"/>",
        width - 12.0,
        palette.line
    );
    for at in 0..=FAR as u32 {
        let _ = writeln!(
            svg,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{at}</text>",
            x(f64::from(at)),
            floor + 17.0
        );
    }
    let _ =
        writeln!(svg, "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">radius</text>", width - 12.0, height - 4.0);
    let _ = writeln!(
        svg,
        "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{:.0}</text>",
        left - 5.0,
        y(most / 1.08) + 4.0,
        most / 1.08
    );
    let _ = writeln!(svg, "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">0</text>", left - 5.0, floor + 4.0);
    let curves = [("Euclid", &palette.kinds[1], "6 4"), ("hyperbolic", &palette.kinds[2], "none")];
    for (name, colour, dashes) in curves {
        let of = if name == "Euclid" { euclid } else { hyperbolic };
        let points: String = (0..=120)
            .map(|step| f64::from(step) / 120.0 * radius)
            .map(|at| format!("{}{:.1} {:.1}", if at == 0.0 { "M" } else { "L" }, x(at), y(of(at))))
            .collect();
        let _ = writeln!(
            svg,
            "<path d=\"{points}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2.5\" stroke-dasharray=\"{dashes}\"/>"
        );
        let (end, anchor) = if radius > FAR * 0.6 { (x(radius) - 8.0, "end") } else { (x(radius) + 8.0, "start") };
        let over = if name == "Euclid" { -8.0 } else { 4.0 };
        let _ = writeln!(
            svg,
            "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"4\" fill=\"{colour}\"/>\n<text x=\"{end:.1}\" y=\"{:.1}\" text-anchor=\"{anchor}\">{name}</text>",
            x(radius),
            y(of(radius)),
            y(of(radius)) + over,
        );
    }
    svg.push_str("</g>\n</svg>\n");
    svg
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn circles_agree_where_they_are_small_and_part_where_they_grow() {
        assert!((hyperbolic(1e-4) / euclid(1e-4) - 1.0).abs() < 1e-8);
        // For large radii a step of ln 3 trebles the circle: (e^{r + ln 3} - e^{-r - ln 3}) / (e^r - e^{-r}).
        assert!((hyperbolic(6.0 + 3f64.ln()) / hyperbolic(6.0) - 3.0).abs() < 1e-4);
    }

    /// Compares with a picture that was looked at; `TUPPUM_REDRAW=1` draws it anew.
    #[test]
    fn pictures_are_those_that_were_looked_at() {
        for radius in [1.0, 5.0] {
            let drawn = svg(radius, &Palette::light(), "A test");
            crate::known_picture(&format!("growth-{radius:.0}"), &drawn);
        }
    }
}
