//! Figures layer by layer as SVG: a line per encoder and measure, with the deviation as bars, beside controls that have
//! no layers.
//!
//! Lines differ by dashes and marks as well as by colour, so that the picture can be read in black and white.

use crate::chart::{
    Anchor, Axis, ChartPoint, Content, Drawn, FOOT, Failed, Field, Frame, HEAD, Pen, ROW, document, moved, units,
    width_of,
};
use crate::palette::Palette;

/// Figure with its spread.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// Number of the layer, or of the control.
    pub at: usize,
    pub mean: f64,
    /// Half the length of the bar through the figure; no bar where it is 0.
    pub deviation: f64,
}

/// Figures that belong together.
#[derive(Clone, Debug, PartialEq)]
pub struct LayerLine {
    /// Name in the legend.
    pub name: String,
    /// Text after the last point; may be empty.
    pub tag: String,
    /// Number of the colour in the palette.
    pub colour: usize,
    /// Number of one of three styles of dashes and marks.
    pub style: usize,
    /// `true` if the points belong to controls, which are not joined.
    pub control: bool,
    /// Points in ascending order of their place.
    pub points: Vec<Point>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    pub controls: Vec<String>,
    pub lines: Vec<LayerLine>,
    /// Names of the horizontal and the vertical axis.
    pub axes: [String; 2],
    /// Title, for screen readers and at the pointer.
    pub title: String,
    /// Description of the picture in words, for screen readers.
    pub description: String,
}

/// Size without the legend, which stands at the right, in pixels.
const SIZE: [f64; 2] = [598.0, 400.0];
/// Room in the legend before its names, and its least width, in pixels.
const LEGEND: [f64; 2] = [60.0, 262.0];
/// Width for a control, in pixels.
const CONTROL: f64 = 84.0;
/// Gap between the edge and the first or last layer, in pixels.
const INDENT: f64 = 34.0;
/// Offset between lines at the same layer, in pixels, so that bars do not cover each other; less where layers stand
/// close.
const ASIDE: f64 = 6.0;
/// Largest share of the way to the next layer that the lines of one layer take.
const TAKEN: f64 = 0.75;
/// Height of a row of the legend, in pixels.
const LEGEND_ROW: f64 = 22.0;
/// Width of a bar's ends, in pixels.
const ENDS: f64 = 6.0;
/// Distance, in pixels, below which lines of the same tag share it.
const TAG: f64 = 30.0;
/// Width that the number of a layer needs, in pixels.
const NUMBER: f64 = 24.0;

/// Horizontal places of figures, in pixels from the left of the field, and the size of the picture.
struct Places {
    up: Axis,
    size: [f64; 2],
    legend: f64,
    width: f64,
    controls: usize,
    layers: Vec<usize>,
}

impl Places {
    fn of(picture: &Picture) -> Self {
        let points = picture.lines.iter().flat_map(|line| &line.points);
        let ends = points.flat_map(|point| [point.mean - point.deviation, point.mean + point.deviation]);
        let with_layers = picture.lines.iter().filter(|line| !line.control);
        let mut layers: Vec<usize> = with_layers.flat_map(|line| &line.points).map(|point| point.at).collect();
        layers.sort_unstable();
        layers.dedup();
        // The legend may be taller than the field.
        let height = SIZE[1].max(HEAD + LEGEND_ROW * (picture.lines.len() as f64 + 1.0));
        let longest = picture.lines.iter().map(|line| width_of(&line.name)).fold(0.0, f64::max);
        let legend = LEGEND[1].max(LEGEND[0] + longest);
        let up = Axis::holding(ends.chain([0.0]));
        let mut places = Self { up, size: [SIZE[0] + legend, height], legend, width: 0.0, controls: 0, layers };
        places.controls = picture.controls.len();
        places.width = SIZE[0] - places.frame(picture).start();
        places
    }

    fn frame<'a>(&self, picture: &'a Picture) -> Frame<'a> {
        let names = picture.axes.each_ref().map(String::as_str);
        Frame { across: None, up: self.up, names, left: 0.0, right: self.legend, foot: FOOT }
    }

    /// Returns the left end of the layers.
    fn border(&self) -> f64 {
        CONTROL * self.controls as f64
    }

    fn control(&self, number: usize) -> f64 {
        CONTROL * (number as f64 + 0.5)
    }

    /// Returns the place of a layer. Only the drawn layers are spaced evenly, so that those of a shallow encoder do not
    /// crowd beside a deep one's.
    fn layer(&self, layer: usize) -> f64 {
        self.border() + INDENT + self.gap() * self.layers.partition_point(|own| *own < layer) as f64
    }

    /// Returns the distance between two layers.
    fn gap(&self) -> f64 {
        let room = self.width - self.border() - 2.0 * INDENT;
        room / self.layers.len().saturating_sub(1).max(1) as f64
    }

    /// Returns the horizontal place of a point, without the offset of its line.
    fn across(&self, line: &LayerLine, point: &Point) -> f64 {
        if line.control { self.control(point.at) } else { self.layer(point.at) }
    }

    /// Returns the offset of line `number` among `count` lines at the same layer or control.
    fn aside(&self, number: usize, count: usize, control: bool) -> f64 {
        let gap = if control { CONTROL } else { self.gap() };
        (number as f64 - (count as f64 - 1.0) / 2.0) * ASIDE.min(TAKEN * gap / count.max(1) as f64)
    }
}

pub fn svg(picture: &Picture, palette: &Palette) -> String {
    let places = Places::of(picture);
    let content = Content { title: &picture.title, description: &picture.description };
    document(places.size, content, palette, |pen| {
        let field = Field::draw(pen, &places.frame(picture))?;
        below(pen, &field, picture, &places)?;
        let mut ends = Vec::new();
        for control in [true, false] {
            let lines: Vec<&LayerLine> = picture.lines.iter().filter(|line| line.control == control).collect();
            for (number, line) in lines.iter().enumerate() {
                ends.extend(draw(pen, &field, line, &places, places.aside(number, lines.len(), control))?);
            }
        }
        tags(pen, ends)?;
        picture.lines.iter().enumerate().try_for_each(|(number, line)| legend(pen, line, number))
    })
}

/// Writes the names below the field, and draws the line between controls and layers.
fn below(pen: &Pen, field: &Field, picture: &Picture, places: &Places) -> Drawn {
    let border = places.border();
    if places.controls > 0 {
        let ends = [places.up.low, places.up.high].map(|value| field.at([border, value]));
        pen.path(ends.to_vec(), 1, pen.ink, 1.0)?;
    }
    for (number, name) in picture.controls.iter().enumerate() {
        field.below(pen, places.control(number), 0, name)?;
    }
    let stride = (NUMBER / places.gap().max(1.0)).ceil() as usize;
    places
        .layers
        .iter()
        .step_by(stride.max(1))
        .try_for_each(|layer| field.below(pen, places.layer(*layer), 0, &layer.to_string()))
}

fn draw<'a>(
    pen: &Pen,
    field: &Field,
    line: &'a LayerLine,
    places: &Places,
    aside: f64,
) -> Result<Option<Tag<'a>>, Failed> {
    let colour = pen.kind(line.colour);
    let points: Vec<&Point> = line.points.iter().filter(|point| point.mean.is_finite()).collect();
    let at = |point: &Point, value: f64| field.at([places.across(line, point) + aside, value]);
    for point in points.iter().filter(|point| point.deviation > 0.0) {
        let interval = [-1.0, 0.0, 1.0].map(|side| at(point, point.mean + side * point.deviation));
        pen.interval(interval, ENDS, colour, 1.0)?;
    }
    let means: Vec<_> = points.iter().map(|point| at(point, point.mean)).collect();
    if !line.control && means.len() > 1 {
        pen.path(means.clone(), line.style, colour, 1.8)?;
    }
    means.iter().try_for_each(|place| pen.mark(*place, line.style, colour))?;
    Ok(means.last().filter(|_| !line.tag.is_empty()).map(|end| Tag { text: &line.tag, end: *end }))
}

/// Text after the last point of a line.
struct Tag<'a> {
    text: &'a str,
    end: ChartPoint,
}

/// Writes the tags. Lines of the same tag that end close together share one; other tags move apart.
fn tags<'a>(pen: &Pen, tags: impl IntoIterator<Item = Tag<'a>>) -> Drawn {
    let mut apart: Vec<Tag> = Vec::new();
    for tag in tags {
        let near = |other: &&mut Tag| {
            other.text == tag.text
                && (other.end.1 - tag.end.1).abs() < units(ROW)
                && (other.end.0 - tag.end.0).abs() < units(TAG)
        };
        match apart.iter_mut().find(near) {
            Some(other) => other.end.0 = other.end.0.max(tag.end.0),
            None => apart.push(tag),
        }
    }
    apart.sort_by_key(|tag| tag.end.1);
    for lower in 1..apart.len() {
        let (before, [tag, ..]) = apart.split_at_mut(lower) else { continue };
        for other in before.iter().filter(|other| (other.end.0 - tag.end.0).abs() < units(TAG)) {
            tag.end.1 = tag.end.1.max(other.end.1 + units(ROW));
        }
    }
    apart.iter().try_for_each(|tag| pen.text(moved(tag.end, [8.0, 0.0]), Anchor::Start, tag.text))
}

/// Writes a row of the legend, after the line and mark that it names.
fn legend(pen: &Pen, line: &LayerLine, number: usize) -> Drawn {
    let start = (units(SIZE[0] + 14.0), units(HEAD + LEGEND_ROW * (number as f64 + 0.5)));
    let colour = pen.kind(line.colour);
    if !line.control {
        pen.path(vec![start, moved(start, [36.0, 0.0])], line.style, colour, 1.8)?;
    }
    pen.mark(moved(start, [18.0, 0.0]), line.style, colour)?;
    pen.text(moved(start, [44.0, 0.0]), Anchor::Start, &line.name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chart::scene::{Scene, check_themes, of_colour};
    use crate::known_picture;

    fn line(name: &str, style: usize, control: bool, means: &[f64]) -> LayerLine {
        let places = if control { vec![0, 1] } else { vec![0, 4, 8, 12] };
        let point = |(at, mean): (usize, &f64)| Point { at, mean: *mean, deviation: 3.0 + mean.abs() / 9.0 };
        let points = places.into_iter().zip(means).map(point).collect();
        let (tag, colour) = if control { (String::new(), 0) } else { (name[..1].into(), 1 + style % 2) };
        LayerLine { name: name.into(), tag, colour, style, control, points }
    }

    fn picture() -> Picture {
        Picture {
            controls: vec!["random".into(), "spelling".into()],
            lines: vec![
                line("controls, plain", 0, true, &[1.0, -12.0]),
                line("controls, Lorentz", 1, true, &[-2.0, 8.0]),
                line("1 one, plain", 0, false, &[2.0, 9.0, 20.0, 31.0]),
                line("1 one, Lorentz", 1, false, &[6.0, 20.0, 34.0, 45.0]),
                line("2 <two>, Euclidean", 2, false, &[5.0, 18.0, 36.0, 41.0]),
            ],
            axes: ["layer".into(), "correlation, %".into()],
            title: "A test".into(),
            description: "Figures & words".into(),
        }
    }

    #[test]
    fn layers_stand_evenly_behind_the_controls() {
        let picture = picture();
        let places = Places::of(&picture);
        assert_eq!((places.up.low, places.up.high, places.up.step), (-20.0, 60.0, 20.0));
        assert_eq!(places.layers, [0, 4, 8, 12]);
        assert!(places.control(1) < places.border() && places.border() < places.layer(0));
        assert!(places.layer(12) < places.width);
        let even = places.layer(8) - places.layer(4);
        assert!((places.layer(4) - places.layer(0) - even).abs() < 1e-9);
        let many = Picture { lines: vec![picture.lines[2].clone(); 30], ..picture };
        assert!(Places::of(&many).size[1] > HEAD + 30.0 * LEGEND_ROW, "the legend has room");
    }

    #[test]
    fn figures_lie_at_their_layers_with_their_deviations() {
        let (picture, light) = (picture(), Palette::light());
        let scene = Scene::of(&svg(&picture, &light));
        let height = |value: f64| scene.height(value, ["0", "40"]);
        for (number, line) in picture.lines.iter().enumerate() {
            let colour = &light.kinds[line.colour];
            for point in &line.points {
                let [low, high] = [point.mean - point.deviation, point.mean + point.deviation].map(height);
                let through = of_colour(&scene.lines, colour).into_iter().find(|shape| {
                    let [from, to] = [shape.points[0], shape.points[1]];
                    (from[1] - low).abs() < 0.2 && (to[1] - high).abs() < 0.2
                });
                let name = if line.control { &picture.controls[point.at] } else { &point.at.to_string() };
                let below = scene.texts.iter().find(|text| text.text == *name && text.anchor == "middle").unwrap();
                let x = through.unwrap_or_else(|| panic!("the bar of {point:?} of line {number}")).points[0][0];
                assert!((x - below.at[0]).abs() <= 1.5 * ASIDE, "{x} {below:?}");
            }
        }
        // Three dashes and a solid line, each in the field and in the legend; the frames of marks are closed.
        let unbroken = of_colour(&scene.paths, &light.kinds[2]).into_iter().filter(|path| path.width == 1.8);
        assert_eq!(unbroken.map(|path| path.points.len()).collect::<Vec<_>>(), [4, 2]);
        let rings = of_colour(&scene.circles, &light.kinds[1]).into_iter().filter(|circle| circle.width == 1.5);
        assert_eq!(rings.count(), 5, "of the third line, and in the legend");
    }

    #[test]
    fn texts_name_what_is_drawn() {
        let scene = Scene::of(&svg(&picture(), &Palette::light()));
        assert_eq!((scene.title.as_str(), scene.description.as_str()), ("A test", "Figures & words"));
        for words in ["random", "spelling", "12", "layer", "correlation, %", "2 <two>, Euclidean"] {
            scene.text(words);
        }
        let tags = |tag: &str| scene.words().into_iter().filter(|words| *words == tag).count();
        assert_eq!((tags("1"), tags("2")), (2, 1), "lines with ends apart have tags of their own");
        let mut together = picture();
        together.lines[2].points[3].mean = 44.0;
        let shared = Scene::of(&svg(&together, &Palette::light()));
        assert_eq!(shared.words().into_iter().filter(|words| *words == "1").count(), 1, "else they share one");
    }

    #[test]
    fn odd_figures_are_left_out() {
        let mut picture = picture();
        let circles = |picture: &Picture| Scene::of(&svg(picture, &Palette::light())).circles.len();
        let all = circles(&picture);
        picture.lines[2].points[1].mean = f64::NAN;
        picture.lines[4].points.clear();
        // A ring is two circles, and the interval has a disc under it.
        assert_eq!(circles(&picture), all - 3 - 4);
        let bare = Picture { controls: vec![], lines: vec![], ..picture };
        assert_eq!(circles(&bare), 0);
    }

    #[test]
    fn many_layers_leave_numbers_out() {
        let mut picture = picture();
        picture.lines[3].points = (0..60).map(|at| Point { at, mean: 1.0, deviation: 0.0 }).collect();
        Scene::of(&svg(&picture, &Palette::light())).text("0");
    }

    #[test]
    fn themes_differ_only_in_colours() {
        check_themes(|palette| svg(&picture(), palette));
    }

    #[test]
    fn the_picture_is_the_one_that_was_looked_at() {
        known_picture("layers", &svg(&picture(), &Palette::light()));
    }
}
