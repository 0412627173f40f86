//! Scenes as SVG: a picture to save, and what tests compare.

use super::disk::{Edge, EdgeShape, Figure, Mark, Scene};
use super::palette::Palette;
use std::fmt::Write;

/// Typefaces of the labels.
pub(super) const FONT: &str = "'Tuppum Serif','Noto Serif','Noto Sans Cuneiform','Tuppum Cuneiform',serif";

/// Writes the disk as an SVG document, with a title for screen readers.
pub fn disk(scene: &Scene, figure: &Figure, palette: &Palette, title: &str) -> String {
    let [width, height] = scene.size;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" width=\"{width:.0}\" \
         height=\"{height:.0}\" role=\"img\">\n<title>{}</title>\n",
        escaped(title)
    );
    line(&mut svg, format_args!("<rect width=\"100%\" height=\"100%\" fill=\"{}\"/>", palette.ground));
    let middle = format!("cx=\"{:.1}\" cy=\"{:.1}\"", width / 2.0, height / 2.0);
    if let Some(rim) = scene.rim {
        let [paper, stroke] = [&palette.paper, &palette.line];
        line(&mut svg, format_args!("<circle {middle} r=\"{:.1}\" fill=\"{paper}\" stroke=\"{stroke}\"/>", rim.radius));
    }
    for circle in &scene.circles {
        let (radius, stroke) = (circle.radius, &palette.line);
        line(
            &mut svg,
            format_args!(
                "<circle {middle} r=\"{radius:.1}\" fill=\"none\" stroke=\"{stroke}\" stroke-dasharray=\"2 4\"/>"
            ),
        );
    }
    for kind in 0..5u8 {
        let colour = &palette.kinds[usize::from(kind)];
        let paths: String = scene.edges.iter().filter(|edge| edge.kind == kind).map(path).collect();
        if !paths.is_empty() {
            let opacity = scene.strength(kind);
            let stroke = format_args!("stroke=\"{colour}\" stroke-opacity=\"{opacity}\"");
            line(&mut svg, format_args!("<path d=\"{paths}\" fill=\"none\" {stroke}/>"));
        }
        let outlines: String = scene.marks.iter().filter(|mark| mark.kind == kind).map(outline).collect();
        if !outlines.is_empty() {
            line(&mut svg, format_args!("<path d=\"{outlines}\" fill=\"{colour}\"/>"));
        }
    }
    chosen(&mut svg, scene, palette);
    labels(&mut svg, scene, figure, palette);
    svg.push_str("</svg>\n");
    svg
}

fn chosen(svg: &mut String, scene: &Scene, palette: &Palette) {
    let colour = &palette.chosen;
    if let Some(geodesic) = &scene.geodesic {
        let path = path(geodesic);
        line(svg, format_args!("<path d=\"{path}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2.5\"/>"));
    }
    for Mark { at: [x, y], radius, .. } in &scene.chosen {
        let radius = radius + 4.0;
        line(
            svg,
            format_args!(
                "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius:.1}\" fill=\"none\" stroke=\"{colour}\" \
                 stroke-width=\"2\"/>"
            ),
        );
    }
}

fn labels(svg: &mut String, scene: &Scene, figure: &Figure, palette: &Palette) {
    line(
        svg,
        format_args!(
            "<g font-family=\"{FONT}\" fill=\"{}\" stroke=\"{}\" stroke-width=\"3\" paint-order=\"stroke\" \
             stroke-linejoin=\"round\">",
            palette.ink, palette.paper
        ),
    );
    for label in &scene.labels {
        let [x, y] = label.at;
        let text = escaped(figure.labels.get(label.node).map_or("", String::as_str));
        let weight = if label.chosen { " font-weight=\"700\"" } else { "" };
        line(
            svg,
            format_args!("<text x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"{:.1}\"{weight}>{text}</text>", label.size),
        );
    }
    svg.push_str("</g>\n");
}

/// Appends a formatted line. Writing to a string cannot fail.
fn line(svg: &mut String, text: std::fmt::Arguments) {
    let _ = writeln!(svg, "{text}");
}

fn path(edge: &Edge) -> String {
    let ([x, y], [to_x, to_y]) = (edge.from, edge.to);
    let end = match &edge.shape {
        EdgeShape::Line => format!("L{to_x:.1} {to_y:.1}"),
        EdgeShape::Arc { radius, sweep, .. } => {
            format!("A{radius:.1} {radius:.1} 0 0 {} {to_x:.1} {to_y:.1}", u8::from(*sweep))
        }
        EdgeShape::Through(points) => {
            let between: String = points.iter().map(|[x, y]| format!("L{x:.1} {y:.1}")).collect();
            format!("{between}L{to_x:.1} {to_y:.1}")
        }
    };
    format!("M{x:.1} {y:.1}{end}")
}

/// Returns the outline of a node: ring for the root, then square, circle, diamond and triangle down the tree.
fn outline(mark: &Mark) -> String {
    let (radius, [x, y]) = (mark.radius, mark.at);
    match mark.kind {
        1 => format!("M{:.1} {:.1}h{2:.1}v{2:.1}h-{2:.1}z", x - radius * 0.9, y - radius * 0.9, radius * 1.8),
        3 => format!(
            "M{x:.1} {:.1}l{radius:.1} {radius:.1}l-{radius:.1} {radius:.1}l-{radius:.1} -{radius:.1}z",
            y - radius
        ),
        4 => format!("M{:.1} {:.1}h{:.1}L{x:.1} {:.1}z", x - radius, y - radius * 0.8, radius * 2.0, y + radius),
        _ => format!("M{:.1} {y:.1}a{1:.1} {1:.1} 0 1 1 0 .01z", x - radius, radius),
    }
}

/// Escapes text for use between tags.
pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
