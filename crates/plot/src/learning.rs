//! Learning curve of a long run, as SVG: loss by amount of training data, on a logarithmic scale, with notes where
//! something changed.

use crate::chart::{
    Anchor, Axis, ChartPoint, Content, Drawn, FOOT, Field, Frame, LETTERS, Named, Pen, document, legend, moved, units,
    width_of,
};
use crate::curve::{self, PlotCurve};
use crate::palette::Palette;

#[derive(Clone, Debug, PartialEq)]
pub struct Learning {
    /// Curves; values of zero or below lie at the lower end.
    pub curves: Vec<PlotCurve>,
    /// Place on the horizontal axis, and text, of each note.
    pub notes: Vec<(f64, String)>,
    /// Names of the horizontal and the vertical axis.
    pub axes: [String; 2],
}

const SIZE: [f64; 2] = [640.0, 340.0];
const RIGHT: f64 = 18.0;
/// Height of a row of notes, and gap between a note and its line, in pixels.
const NOTE: [f64; 2] = [16.0, 5.0];

/// Draws the curves from 0 to the farthest point, and the notes above them.
pub fn svg(learning: &Learning, palette: &Palette, title: &str) -> String {
    let Learning { curves, notes, axes } = learning;
    let points = || curves.iter().flat_map(|curve| curve::sound(&curve.points));
    let far = points().map(|point| point[0]).fold(0.0, f64::max);
    let names = axes.each_ref().map(String::as_str);
    let frame = Frame {
        across: Some(Axis::up_to(if far > 0.0 { far } else { 1.0 }, false)),
        up: Axis::logarithmic(points().map(|point| point[1])),
        names,
        left: 0.0,
        right: RIGHT,
        foot: FOOT,
    };
    let told = notes.iter().map(|(at, words)| format!(" At {at:.1}: {words}."));
    let description = curve::description(curves, names) + &told.collect::<String>();
    document(SIZE, Content { title, description: &description }, palette, |pen| {
        let field = Field::draw(pen, &frame)?;
        let entries: Vec<Named> = curves.iter().map(|curve| curve::named(pen, curve)).collect();
        legend(pen, SIZE[0] - RIGHT, &entries)?;
        for (at, _) in notes {
            let ends = [frame.up.high, frame.up.low].map(|value| field.at([*at, value]));
            pen.path(ends.to_vec(), 0, pen.ink, 1.0)?;
        }
        for (row, (at, words)) in notes.iter().enumerate() {
            note(pen, [field.at([0.0, frame.up.high]), field.at([*at, frame.up.high])], row, words)?;
        }
        curves.iter().try_for_each(|curve| curve::draw(pen, &field, curve))
    })
}

/// Writes a note beside the upper end of a line, in a row of its own: before the line if there is room, and on top of
/// anything there.
fn note(pen: &Pen, [start, end]: [ChartPoint; 2], row: usize, words: &str) -> Drawn {
    let width = width_of(words);
    let before = units(width + NOTE[1]) < end.0 - start.0;
    let (aside, anchor) = if before { (-NOTE[1], Anchor::End) } else { (NOTE[1], Anchor::Start) };
    let place = moved(end, [aside, NOTE[0] * (row as f64 + 0.6)]);
    let corners = [[0.0, -LETTERS / 2.0], [width.copysign(aside), LETTERS / 2.0]].map(|by| moved(place, by));
    pen.rectangle(corners, pen.paper, 1.0)?;
    pen.text(place, anchor, words)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chart::scene::{Scene, check_themes, of_colour};

    fn learning() -> Learning {
        let points = |scale: f64| (0..50).map(|at| [f64::from(at), scale * (1.0 + 4.0 / f64::from(at + 1))]).collect();
        let curve =
            |name: &str, colour, scale| PlotCurve { name: name.into(), points: points(scale), colour, marked: false };
        Learning {
            curves: vec![curve("training", 2, 1.2), curve("validation", 1, 1.6)],
            notes: vec![(1.0, "the <rate> falls".into()), (40.0, "six layers".into())],
            axes: ["million bytes".into(), "bits per byte".into()],
        }
    }

    #[test]
    fn curves_and_notes_lie_where_their_numbers_say() {
        let (scene, light) = (Scene::of(&svg(&learning(), &Palette::light(), "A test")), Palette::light());
        let training = of_colour(&scene.paths, &light.kinds[2])[1];
        assert_eq!(training.points.len(), 50);
        let [two, eight] = ["2", "8"].map(|number| scene.texts.iter().find(|text| text.text == number).unwrap().at[1]);
        let six = two + (eight - two) * 3.0_f64.ln() / 4.0_f64.ln();
        assert!((training.points[0][1] - six).abs() < 0.2, "{:?} {six}", training.points[0]);
        let [early, late] = ["the <rate> falls", "six layers"].map(|words| scene.text(words));
        assert_eq!([early, late].map(|text| text.anchor.as_str()), ["start", "end"]);
        assert!((late.at[0] + NOTE[1] - scene.text("40").at[0]).abs() < 0.2);
        assert!(
            scene.description.ends_with(" At 1.0: the <rate> falls. At 40.0: six layers."),
            "{}",
            scene.description
        );
    }

    #[test]
    fn nothing_draws_nothing() {
        let none = Learning { curves: vec![], notes: vec![], ..learning() };
        assert_eq!(Scene::of(&svg(&none, &Palette::dark(), "")).circles.len(), 0);
    }

    #[test]
    fn themes_differ_only_in_colours() {
        check_themes(|palette| svg(&learning(), palette, "A test"));
    }
}
