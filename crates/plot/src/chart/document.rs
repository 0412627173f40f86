//! SVG document of a chart: the drawing of plotters, with a title, a description and the typefaces.

use super::pen::{Drawn, Pen};
use super::units;
use crate::palette::Palette;
use crate::svg::{FONT, escaped};
use plotters::drawing::IntoDrawingArea;
use plotters::prelude::SVGBackend;
use std::fmt::Write;

/// Texts of a chart for screen readers.
#[derive(Clone, Copy, Debug)]
pub struct Content<'a> {
    /// Title of the chart; browsers show it at the pointer too.
    pub title: &'a str,
    /// Long description of the picture; may be empty.
    pub description: &'a str,
}

/// Draws a chart of a width and a height in pixels, and returns its document.
pub fn document(
    [width, height]: [f64; 2],
    content: Content,
    palette: &Palette,
    draw: impl FnOnce(&Pen) -> Drawn,
) -> String {
    let mut drawn = String::new();
    {
        let size = (units(width).unsigned_abs(), units(height).unsigned_abs());
        let pen = Pen::new(SVGBackend::with_string(&mut drawn, size).into_drawing_area(), palette);
        let done = pen.canvas.fill(&pen.paper).and_then(|()| draw(&pen)).and_then(|()| pen.canvas.present());
        debug_assert!(done.is_ok(), "writing to memory failed: {done:?}");
    }
    let body = drawn.split_once('\n').map_or("", |(_, body)| body);
    opening([width, height], content) + &shortened(body)
}

/// Opens the document. The opening tag of plotters names neither a role nor typefaces, and shows its units as pixels.
fn opening([width, height]: [f64; 2], Content { title, description }: Content) -> String {
    let name = name_of(title, description);
    let [described, text] = match description {
        "" => [String::new(), String::new()],
        text => [
            format!(" aria-describedby=\"{name}-description\""),
            format!("<desc id=\"{name}-description\">{}</desc>\n", escaped(text)),
        ],
    };
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" viewBox=\"0 0 {} {}\" \
         font-family=\"{FONT}\" role=\"img\" aria-labelledby=\"{name}-title\"{described}>\n\
         <title id=\"{name}-title\">{}</title>\n{text}",
        units(width),
        units(height),
        escaped(title),
    )
}

/// Returns a name for the ids of a chart (FNV-1a): the same chart always has the same name, and other charts on a page
/// have other names.
fn name_of(title: &str, description: &str) -> String {
    let bytes = title.bytes().chain([0]).chain(description.bytes());
    let hash = bytes.fold(0xcbf2_9ce4_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
    format!("chart-{hash:08x}")
}

/// Removes redundant output of plotters: line ends around texts, full opacity and empty typefaces. Texts hold no
/// quotation marks and no angle brackets, so only tags change.
fn shortened(body: &str) -> String {
    let texts = body.replace("\">\n", "\">").replace("\n</text>", "</text>");
    texts.replace(" opacity=\"1\"", "").replace(" font-family=\"\"", "")
}

/// Lets a document in light colours turn dark, or black on white for paper, where its reader prefers that. Only for
/// files: in a page its rules would apply to the whole page.
pub fn following_the_reader(document: &str) -> String {
    let (light, mut rules) = (Palette::light(), String::from("<style>\n"));
    for (medium, palette) in [("(prefers-color-scheme:dark)", Palette::dark()), ("print", Palette::print())] {
        let _ = write!(rules, "@media {medium}{{");
        for (from, to) in light.colours().zip(palette.colours()) {
            // plotters writes colours in capitals.
            let from = from.to_uppercase();
            if document.contains(&from) {
                let _ = write!(rules, "[fill=\"{from}\"]{{fill:{to}}}[stroke=\"{from}\"]{{stroke:{to}}}");
            }
        }
        rules += "}\n";
    }
    rules += "</style>\n";
    // After title and description, which must come first for screen readers.
    match document.find("<rect") {
        Some(place) => format!("{}{rules}{}", &document[..place], &document[place..]),
        None => document.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chart::scene::Scene;

    fn drawn(title: &str, description: &str) -> String {
        document([40.0, 20.0], Content { title, description }, &Palette::light(), |pen| {
            pen.disc((200, 100), 2.0, pen.ink, 0.5)
        })
    }

    #[test]
    fn documents_are_shown_at_their_size() {
        let drawn = drawn("A <test> & \"more\"", "");
        assert!(drawn.starts_with(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"40\" height=\"20\" viewBox=\"0 0 400 200\""
        ));
        let scene = Scene::of(&drawn);
        assert_eq!((scene.title.as_str(), scene.description.as_str()), ("A <test> & \"more\"", ""));
        assert_eq!((scene.size, scene.circles[0].points[0]), ([40.0, 20.0], [20.0, 10.0]));
        assert!(drawn.contains("opacity=\"0.5\"") && !drawn.contains("opacity=\"1\""));
    }

    #[test]
    fn charts_on_a_page_have_ids_of_their_own() {
        let name = |drawn: String| drawn.split("id=\"").nth(1).map(|rest| rest.split('"').next().unwrap().to_owned());
        assert_eq!(name(drawn("a", "b")), name(drawn("a", "b")));
        assert_ne!(name(drawn("a", "b")), name(drawn("a", "c")));
        assert_ne!(name(drawn("ab", "")), name(drawn("a", "b")));
    }

    #[test]
    fn files_follow_their_reader() {
        let (plain, light, dark) = (drawn("a", "b"), Palette::light(), Palette::dark());
        let following = following_the_reader(&plain);
        Scene::of(&following);
        let [from, to] = [&light, &dark].map(|palette| palette.ink.clone());
        let rule = format!("[fill=\"{}\"]{{fill:{to}}}", from.to_uppercase());
        assert!(plain.contains(&from.to_uppercase()) && following.contains(&rule), "{following}");
        assert!(following.contains("@media print{") && !following.contains(&light.kinds[1].to_uppercase()));
    }
}
