//! Reads charts back, so that tests compare shapes rather than bytes.

use super::{LETTERS, RIM, UNITS, width_of};
use crate::palette::Palette;
use std::collections::HashMap;
use xml::reader::{EventReader, XmlEvent};

/// Text with its anchor and place, in pixels.
#[derive(Clone, Debug, PartialEq)]
pub struct Text {
    pub text: String,
    pub anchor: String,
    pub at: [f64; 2],
}

impl Text {
    /// Returns left, top, right and bottom.
    fn area(&self) -> [f64; 4] {
        let (width, [x, y]) = (width_of(&self.text), self.at);
        let left = match self.anchor.as_str() {
            "start" => x,
            "middle" => x - width / 2.0,
            _ => x - width,
        };
        [left, y - LETTERS / 2.0, left + width, y + LETTERS / 2.0]
    }
}

/// Shape with its colour, in pixels.
#[derive(Clone, Debug, PartialEq)]
pub struct Shape {
    pub points: Vec<[f64; 2]>,
    pub colour: String,
    pub width: f64,
}

/// Shapes and texts of a chart, in pixels.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scene {
    pub title: String,
    pub description: String,
    pub size: [f64; 2],
    pub texts: Vec<Text>,
    pub circles: Vec<Shape>,
    /// Straight lines: the grid and intervals.
    pub lines: Vec<Shape>,
    pub paths: Vec<Shape>,
    pub areas: Vec<Shape>,
    /// Upper left and lower right corners; the first is the background.
    pub rectangles: Vec<Shape>,
}

type Attributes = HashMap<String, String>;

impl Scene {
    /// Reads a chart and checks that sighted and blind readers can use it: well formed, named and described, with
    /// finite numbers, and with texts that lie inside the picture and do not overlap.
    #[track_caller]
    pub fn of(document: &str) -> Self {
        let mut scene = Self::default();
        let (mut open, mut root): (Vec<Attributes>, Attributes) = (Vec::new(), Attributes::new());
        for event in EventReader::new(document.as_bytes()) {
            match event.expect("a chart is well formed") {
                XmlEvent::StartElement { name, attributes, .. } => {
                    let mut own: Attributes =
                        attributes.into_iter().map(|one| (one.name.local_name, one.value)).collect();
                    own.insert("tag".into(), name.local_name);
                    if open.is_empty() {
                        root = own.clone();
                    }
                    scene.take(&own);
                    open.push(own);
                }
                XmlEvent::Characters(text) => scene.write(open.last().expect("text is in an element"), &root, text),
                XmlEvent::EndElement { .. } => drop(open.pop()),
                _ => {}
            }
        }
        assert_eq!((root["tag"].as_str(), root["role"].as_str()), ("svg", "img"));
        assert_eq!(root.contains_key("aria-describedby"), !scene.description.is_empty());
        assert!(!document.contains("NaN") && !document.contains("inf\""), "{document}");
        scene.check_texts();
        scene
    }

    fn take(&mut self, own: &Attributes) {
        let number = |name: &str| own[name].parse::<f64>().expect("a number") / UNITS;
        let points = || {
            let pair = |pair: &str| {
                let (x, y) = pair.split_once(',').expect("two numbers");
                [x, y].map(|text| text.parse::<f64>().expect("a number") / UNITS)
            };
            own["points"].split_whitespace().map(pair).collect()
        };
        let shape = |points: Vec<[f64; 2]>| {
            let paint = ["stroke", "fill"].into_iter().map(|name| own[name].as_str());
            let colour = paint.into_iter().find(|paint| *paint != "none").unwrap_or_default().to_owned();
            let width = own.get("stroke-width").map_or(0.0, |_| number("stroke-width"));
            Shape { points, colour, width }
        };
        match own["tag"].as_str() {
            "svg" => self.size = [own["width"].clone(), own["height"].clone()].map(|side| side.parse().unwrap()),
            "text" => {
                let (anchor, at) = (own["text-anchor"].clone(), [number("x"), number("y")]);
                self.texts.push(Text { text: String::new(), anchor, at });
            }
            "circle" => self.circles.push(shape(vec![[number("cx"), number("cy")]])),
            "line" => self.lines.push(shape(vec![[number("x1"), number("y1")], [number("x2"), number("y2")]])),
            "polyline" => self.paths.push(shape(points())),
            "polygon" => {
                let colour = own["fill"].clone();
                self.areas.push(Shape { points: points(), colour, width: 0.0 });
            }
            "rect" => {
                let [x, y, width, height] = ["x", "y", "width", "height"].map(number);
                self.rectangles.push(shape(vec![[x, y], [x + width, y + height]]));
            }
            "title" | "desc" | "style" => {}
            other => panic!("{other} is not drawn"),
        }
    }

    fn write(&mut self, own: &Attributes, root: &Attributes, text: String) {
        match own["tag"].as_str() {
            "title" => {
                assert_eq!(own["id"], root["aria-labelledby"]);
                self.title = text;
            }
            "desc" => {
                assert_eq!(own["id"], root["aria-describedby"]);
                self.description = text;
            }
            "text" => self.texts.last_mut().expect("a text is open").text = text,
            _ => {}
        }
    }

    #[track_caller]
    fn check_texts(&self) {
        let areas: Vec<_> = self.texts.iter().map(|text| (text, text.area())).collect();
        for (number, (text, one)) in areas.iter().enumerate() {
            let inside = one[0] >= 0.0 && one[1] >= 0.0 && one[2] <= self.size[0] && one[3] <= self.size[1] - RIM / 2.0;
            assert!(inside, "{text:?} leaves the picture");
            for (other, area) in &areas[number + 1..] {
                let over = one[0] < area[2] && area[0] < one[2] && one[1] < area[3] && area[1] < one[3];
                assert!(!over, "{text:?} lies over {other:?}");
            }
        }
    }

    /// Returns all texts in drawing order.
    pub fn words(&self) -> Vec<&str> {
        self.texts.iter().map(|text| text.text.as_str()).collect()
    }

    /// Returns the text with these words.
    #[track_caller]
    pub fn text(&self, words: &str) -> &Text {
        self.texts.iter().find(|text| text.text == words).unwrap_or_else(|| panic!("{words:?} in {:?}", self.words()))
    }

    /// Returns the height of a value, interpolated between the heights of two numbers at the axis.
    #[track_caller]
    pub fn height(&self, value: f64, [one, other]: [&str; 2]) -> f64 {
        let [at, to] = [one, other].map(|number| {
            let text = self.texts.iter().find(|text| text.text == number && text.anchor == "end");
            (number.replace('−', "-").parse::<f64>().unwrap(), text.expect("a number at the axis").at[1])
        });
        at.1 + (to.1 - at.1) * (value - at.0) / (to.0 - at.0)
    }
}

/// Returns the shapes of a colour.
pub fn of_colour<'a>(shapes: &'a [Shape], colour: &str) -> Vec<&'a Shape> {
    shapes.iter().filter(|shape| shape.colour.eq_ignore_ascii_case(colour)).collect()
}

/// Draws a chart in all palettes and checks that only colours differ.
#[track_caller]
pub fn check_themes(draw: impl Fn(&Palette) -> String) {
    let (light, drawn) = (Palette::light(), draw(&Palette::light()).to_lowercase());
    for palette in [Palette::dark(), Palette::print()] {
        let pairs = light.colours().zip(palette.colours());
        let recoloured = pairs.fold(drawn.clone(), |drawn, (from, to)| drawn.replace(from, to));
        assert_ne!(drawn, recoloured);
        assert!(recoloured == draw(&palette).to_lowercase(), "more than colours differ");
    }
}

/// Counts the elements of each name in a well-formed picture.
#[track_caller]
pub fn elements(document: &str) -> HashMap<String, usize> {
    let mut elements = HashMap::new();
    for event in EventReader::new(document.as_bytes()) {
        if let XmlEvent::StartElement { name, .. } = event.expect("a picture is well formed") {
            *elements.entry(name.local_name).or_default() += 1;
        }
    }
    assert!(!document.contains("NaN") && !document.contains("inf"), "{document}");
    elements
}
