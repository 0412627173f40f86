//! Choice of the nodes that get labels: at most a budget, the nearest and most frequent first, without overlap.

use super::complex::Point;

/// Label with its place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Label {
    /// Number of the labelled node.
    pub node: usize,
    /// Left end of the baseline, in pixels.
    pub at: Point,
    /// Width, in pixels.
    pub width: f64,
    /// Height of the letters, in pixels.
    pub size: f64,
    /// `true` for the label of the chosen node.
    pub chosen: bool,
}

/// Node that may get a label.
#[derive(Clone, Copy, Debug, Default)]
pub struct LabelCandidate {
    pub node: usize,
    /// Place of the node, in pixels.
    pub at: Point,
    /// Radius of the node, in pixels.
    pub radius: f64,
    /// Width of the label, in heights of its letters.
    pub width: f64,
    /// Height of the letters, in pixels.
    pub size: f64,
    /// Priority; larger ones come first.
    pub priority: f64,
    /// `true` if the node lies at the rim, where its label may not reach inwards over other nodes.
    pub at_rim: bool,
    /// `true` for the chosen node.
    pub chosen: bool,
}

/// Gap kept around a label, in pixels.
const AROUND: f64 = 2.0;

/// Chooses at most `budget` candidates, and a place for each label inside a picture of this size.
pub fn choose(mut candidates: Vec<LabelCandidate>, budget: usize, size: Point) -> Vec<Label> {
    candidates.sort_by(|one, other| other.priority.total_cmp(&one.priority).then(one.node.cmp(&other.node)));
    let mut taken: Vec<[f64; 4]> = Vec::new();
    let mut labels = Vec::new();
    // Many candidates near the rim find no place, and trying them all would cost more than drawing.
    for candidate in candidates.into_iter().take(budget * 6) {
        if labels.len() == budget {
            break;
        }
        // The fourth place is on the inner side, over other nodes.
        let allowed = if candidate.at_rim { 3 } else { 4 };
        let free = places(&candidate, size).into_iter().take(allowed).find(|area| {
            let inside = area[0] >= 0.0 && area[1] >= 0.0 && area[2] <= size[0] && area[3] <= size[1];
            inside && taken.iter().all(|other| !overlap(area, other))
        });
        if let Some(area) = free {
            taken.push(area);
            labels.push(label(&candidate, area));
        }
    }
    labels
}

/// Returns possible areas for a label: beside the node, on the side away from the middle first, then above and below.
fn places(candidate: &LabelCandidate, size: Point) -> [[f64; 4]; 4] {
    let (width, height) = (candidate.width * candidate.size, candidate.size * 1.15);
    let (away, [x, y]) = (candidate.radius + 3.0, candidate.at);
    let area = |left: f64, top: f64| [left, top, left + width, top + height];
    let right = area(x + away, y - height / 2.0);
    let left = area(x - away - width, y - height / 2.0);
    let over = area(x - width / 2.0, y - away - height);
    let under = area(x - width / 2.0, y + away);
    let (outer, inner) = if x >= size[0] / 2.0 - 1.0 { (right, left) } else { (left, right) };
    if y >= size[1] / 2.0 { [outer, under, over, inner] } else { [outer, over, under, inner] }
}

fn label(candidate: &LabelCandidate, area: [f64; 4]) -> Label {
    Label {
        node: candidate.node,
        at: [area[0], area[3] - candidate.size * 0.3],
        width: candidate.width * candidate.size,
        size: candidate.size,
        chosen: candidate.chosen,
    }
}

fn overlap(one: &[f64; 4], other: &[f64; 4]) -> bool {
    one[0] < other[2] + AROUND && other[0] < one[2] + AROUND && one[1] < other[3] + AROUND && other[1] < one[3] + AROUND
}

/// Returns the width of a label in heights of its letters, rather too wide than too narrow for the usual typefaces: a
/// scene knows no typeface.
pub fn width_of(label: &str) -> f32 {
    let letter = |letter: char| match letter {
        '\u{300}'..='\u{36f}' => 0.0,
        '\u{12000}'..='\u{1254f}' => 1.6,
        '₀'..='₉' | 'ₓ' | '|' | '.' | '-' | ' ' | '(' | ')' | '{' | '}' | 'i' | 'l' => 0.4,
        _ if letter.is_uppercase() => 0.74,
        _ => 0.58,
    };
    label.chars().map(letter).sum()
}
