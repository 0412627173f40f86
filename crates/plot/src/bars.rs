//! Figures with their intervals side by side, as SVG: a bar from zero, and the interval around its end.

use crate::chart::{Axis, Content, Drawn, Field, Frame, Pen, ROW, document, number, width_of};
use crate::palette::Palette;

/// Bar of one figure.
#[derive(Clone, Debug, PartialEq)]
pub struct Bar {
    /// Name of the figure, written below the bar.
    pub name: String,
    pub value: f64,
    /// Lower and upper end of the interval.
    pub interval: [f64; 2],
}

const SIZE: [f64; 2] = [640.0, 320.0];
const RIGHT: f64 = 18.0;
/// Height below the field for one line of names, in pixels.
const FOOT: f64 = 30.0;
/// Largest number of lines that names are spread over, so that long names do not touch.
const MOST_LINES: usize = 3;
/// Gap between two names in a line, in pixels.
const APART: f64 = 8.0;
/// Width of a bar as a share of its room.
const BROAD: f64 = 0.5;
/// Width of an interval's ends, in pixels.
const ENDS: f64 = 9.0;

/// Draws the bars in their order, under the name of the measure.
pub fn svg(bars: &[Bar], name: &str, palette: &Palette, title: &str) -> String {
    let values = bars.iter().flat_map(|bar| [bar.value, bar.interval[0], bar.interval[1]]);
    let up = Axis::holding(values.chain([0.0]));
    let longest = bars.iter().map(|bar| width_of(&bar.name)).fold(0.0, f64::max);
    let mut frame = Frame { across: None, up, names: ["", name], left: 0.0, right: RIGHT, foot: FOOT };
    let apart = (SIZE[0] - frame.start() - RIGHT) / bars.len().max(1) as f64;
    let lines = (((longest + APART) / apart).ceil() as usize).clamp(1, MOST_LINES);
    frame.foot += ROW * (lines - 1) as f64;
    let description = description(bars, name);
    document(SIZE, Content { title, description: &description }, palette, |pen| {
        let field = Field::draw(pen, &frame)?;
        bars.iter().enumerate().try_for_each(|(number, bar)| {
            let middle = (number as f64 + 0.5) * apart;
            field.below(pen, middle, number % lines, &bar.name)?;
            draw(pen, &field, bar, [middle, BROAD * apart])
        })
    })
}

fn draw(pen: &Pen, field: &Field, bar: &Bar, [middle, width]: [f64; 2]) -> Drawn {
    if !bar.value.is_finite() {
        return Ok(());
    }
    let corners = [[middle - width / 2.0, 0.0], [middle + width / 2.0, bar.value]].map(|corner| field.at(corner));
    pen.rectangle(corners, pen.kind(2), 0.5)?;
    let [low, high] = bar.interval;
    if low.is_finite() && high.is_finite() {
        pen.interval([low, bar.value, high].map(|value| field.at([middle, value])), ENDS, pen.ink, 1.5)?;
    }
    Ok(())
}

/// Describes all figures in words.
fn description(bars: &[Bar], name: &str) -> String {
    let told = |Bar { name, value, interval: [low, high] }: &Bar| match value.is_finite() {
        true => format!("{name}: {} ({} to {}).", number(*value, 4), number(*low, 4), number(*high, 4)),
        false => format!("{name}: no figure."),
    };
    let bars: Vec<String> = bars.iter().map(told).collect();
    format!("Bars of {name}, with intervals. {}", bars.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chart::scene::{Scene, check_themes, of_colour};

    fn drawn(palette: &Palette) -> String {
        let bar = |name: &str, value: f64, spread: f64| Bar {
            name: name.into(),
            value,
            interval: [value - spread, value + spread],
        };
        let bars = [bar("B − A", -0.081, 0.012), bar("C − A", 0.004, 0.011), bar("D <&> B", -0.006, 0.009)];
        svg(&bars, "bits per byte, difference", palette, "A test")
    }

    #[test]
    fn bars_and_intervals_end_at_their_values() {
        let (scene, light) = (Scene::of(&drawn(&Palette::light())), Palette::light());
        let bars = &scene.rectangles[1..];
        // Each interval is a line through the value, with a bar at either end.
        let whiskers = of_colour(&scene.lines, &light.ink);
        assert_eq!((bars.len(), whiskers.len(), scene.circles.len()), (3, 9, 3));
        let height = |value: f64| scene.height(value, ["−0.10", "0.00"]);
        let expected = [(-0.081, 0.012), (0.004, 0.011), (-0.006, 0.009)];
        for (number, (value, spread)) in expected.into_iter().enumerate() {
            let [upper, lower] = [bars[number].points[0][1], bars[number].points[1][1]];
            let ends = [height(value), height(0.0)];
            assert!((upper - ends[0].min(ends[1])).abs() < 0.2 && (lower - ends[0].max(ends[1])).abs() < 0.2);
            let through = whiskers[3 * number + 2];
            for (point, end) in through.points.iter().zip([value - spread, value + spread]) {
                assert!((point[1] - height(end)).abs() < 0.2, "{through:?}");
            }
            assert!((scene.circles[number].points[0][1] - ends[0]).abs() < 0.2);
        }
        assert_eq!(scene.words()[scene.words().len() - 3..], ["B − A", "C − A", "D <&> B"]);
        scene.text("bits per byte, difference");
    }

    #[test]
    fn readers_hear_all_figures() {
        let scene = Scene::of(&drawn(&Palette::light()));
        assert_eq!(scene.title, "A test");
        assert!(scene.description.contains("B − A: −0.0810 (−0.0930 to −0.0690)."), "{}", scene.description);
    }

    #[test]
    fn long_names_stand_in_several_lines() {
        let rows = |name: &str| {
            let bar = Bar { name: name.into(), value: 1.0, interval: [0.5, 1.5] };
            let scene = Scene::of(&svg(&vec![bar; 9], "", &Palette::light(), ""));
            let mut rows =
                scene.texts.iter().filter(|text| text.text == name).map(|text| text.at[1]).collect::<Vec<_>>();
            assert_eq!(rows.len(), 9);
            rows.sort_by(f64::total_cmp);
            rows.dedup();
            rows.len()
        };
        assert_eq!(["D", "curvature_01", "dimensions_16, no bias"].map(rows), [1, 2, 3]);
    }

    #[test]
    fn no_figures_make_no_bars() {
        let none = Bar { name: "<none>".into(), value: f64::NAN, interval: [f64::NAN; 2] };
        for bars in [vec![], vec![none]] {
            let scene = Scene::of(&svg(&bars, "a < b", &Palette::dark(), ""));
            assert_eq!((scene.rectangles.len(), scene.circles.len()), (1, 0));
            scene.text("a < b");
        }
    }

    #[test]
    fn themes_differ_only_in_colours() {
        check_themes(drawn);
    }
}
