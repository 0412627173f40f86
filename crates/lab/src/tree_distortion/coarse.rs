//! Coarsening: the Einstein midpoint of a sign's readings in place of the sign.

use super::part::Part;
use std::fmt::Write;
use tuppum_corpus::hierarchy::Kind;
use tuppum_geometry::Ball;

/// Signs shown by name.
const SHOWN: [&str; 5] = ["AN", "KA", "UD", "LUGAL", "A"];

/// Returns a table for points of the ball, `edge` being the length of an edge.
pub fn table(name: &str, part: &Part, points: &[Vec<f64>], edge: f64) -> String {
    let signs: Vec<usize> = part.of_kind(Kind::Sign).collect();
    let midpoint = |sign: usize| {
        let readings = part.tree.children(sign).iter().filter(|node| part.nodes[**node].kind == Kind::Reading);
        Ball::UNIT.midpoint(readings.map(|reading| (1.0, points[*reading].as_slice())))
    };
    let (mut sum, mut worst, mut nearest, mut several, mut sum_of_several) = (0.0, (0.0, 0), 0, 0, 0.0);
    let mut shown = String::new();
    for sign in &signs {
        let Some(middle) = midpoint(*sign) else { continue };
        let away = |other: usize| Ball::UNIT.distance(&middle, &points[other]) / edge;
        let (own, readings) = (away(*sign), part.tree.children(*sign).len());
        sum += own;
        if own > worst.0 {
            worst = (own, *sign);
        }
        if readings > 1 {
            several += 1;
            sum_of_several += own;
        }
        nearest += usize::from(signs.iter().all(|other| other == sign || away(*other) > own));
        let label = part.nodes[*sign].label.as_str();
        if SHOWN.contains(&label) {
            let _ = write!(shown, "; {label} ({readings} readings) {own:.2}");
        }
    }
    let mean = |sum: f64, count: usize| sum / count.max(1) as f64;
    format!(
        "- {name}: mean {:.2}, of the {several} signs with several readings {:.2}, worst {:.2} ({}); the own sign is \
         the nearest of all signs for {:.1} %{shown}.\n",
        mean(sum, signs.len()),
        mean(sum_of_several, several),
        worst.0,
        part.nodes[worst.1].label,
        100.0 * mean(nearest as f64, signs.len())
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use tuppum_corpus::hierarchy::Hierarchy;
    use tuppum_geometry::tree::plane::sarkar;

    #[test]
    fn the_midpoint_of_one_reading_is_that_reading() {
        let table = "parent\tkind\tlabel\tglyph\tcount\n\troot\tsigns\t\t9\n0\tsign\tA\t𒀀\t5\n1\treading\ta\t\t5\n";
        let part = Part::of(&Hierarchy::parse(table).unwrap(), Kind::Reading).unwrap();
        let points: Vec<Vec<f64>> = sarkar(&part.tree, 2.0).iter().map(|point| point.in_disk().to_vec()).collect();
        let line = super::table("plane", &part, &points, 2.0);
        assert!(
            line.starts_with("- plane: mean 1.00, of the 0 signs with several readings 0.00, worst 1.00 (A)"),
            "{line}"
        );
        assert!(line.ends_with("nearest of all signs for 100.0 %; A (1 readings) 1.00.\n"), "{line}");
    }
}
