//! What is to be seen of a map: the cells in view as levels of colour, labels as far as there is room, the cursor.

use super::colours::Scale;
use super::matrix::Matrix;
use super::view::View;
use crate::disk::labels::width_of;
use std::ops::Range;

/// Height of a label's letters, in pixels.
pub const LETTERS: f64 = 12.0;
/// Room from label to label, in pixels.
const ROOM: f64 = 13.0;
/// Room between a label and the map.
const GAP: f64 = 5.0;
/// Labels take at most this share of the picture.
const MOST: f64 = 0.26;

/// What rows and columns are called.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Names {
    /// Names of the places that attend.
    pub rows: Vec<String>,
    /// Names of the places attended to.
    pub columns: Vec<String>,
}

/// A label.
#[derive(Clone, Debug, PartialEq)]
pub struct Label {
    /// What it says.
    pub text: String,
    /// The end of its baseline at the map, in pixels: labels of rows end there, those of columns begin there and go up.
    pub at: [f64; 2],
    /// Whether it is that of a column.
    pub upwards: bool,
    /// Whether it is that of the cursor.
    pub marked: bool,
}

/// The picture.
#[derive(Clone, Debug, PartialEq)]
pub struct Scene {
    /// Width and height, in pixels.
    pub size: [f64; 2],
    /// The map's upper left corner, in pixels.
    pub corner: [f64; 2],
    /// Width and height of what is seen of the map, in pixels.
    pub area: [f64; 2],
    /// Side of a cell, in pixels.
    pub cell: f64,
    /// Rows that are seen, if only in part.
    pub rows: Range<usize>,
    /// Columns that are seen.
    pub columns: Range<usize>,
    /// Where the first of them begins, in pixels; it may begin left of or above the corner.
    pub start: [f64; 2],
    /// The levels of the cells that are seen, row by row.
    pub levels: Vec<u8>,
    /// What they stand for.
    pub scale: Scale,
    /// Labels.
    pub labels: Vec<Label>,
    /// The chosen cell's upper left corner, in pixels, if it is seen.
    pub cursor: Option<[f64; 2]>,
}

/// Where the map lies in a picture: its upper left corner, and how much room it has.
pub fn frame(names: &Names, size: [f64; 2]) -> ([f64; 2], [f64; 2]) {
    let widest = |names: &[String]| names.iter().map(|name| f64::from(width_of(name))).fold(1.0, f64::max) * LETTERS;
    let side = |names: &[String], whole: f64| (widest(names) + 2.0 * GAP).min(whole * MOST).round();
    let corner = [side(&names.rows, size[0]), side(&names.columns, size[1])];
    (corner, [(size[0] - corner[0] - 1.0).max(1.0), (size[1] - corner[1] - 1.0).max(1.0)])
}

impl Scene {
    /// What is to be seen of a map in a picture of this size; `cursor` is a row and a column.
    pub fn of(
        matrix: &Matrix,
        names: &Names,
        scale: Scale,
        size: [f64; 2],
        view: &View,
        cursor: Option<[usize; 2]>,
    ) -> Self {
        let mut scene = Self::bare(matrix, names, scale, size, view, cursor);
        scene.levels.reserve(scene.rows.len() * scene.columns.len());
        for row in scene.rows.clone() {
            let cells = matrix.row(row).get(scene.columns.clone()).unwrap_or_default();
            scene.levels.extend(cells.iter().map(|value| scale.level(*value)));
        }
        scene.label(names, cursor);
        scene
    }

    /// A scene without cells and labels: enough to find what lies at a point, and cheap.
    pub fn bare(
        matrix: &Matrix,
        names: &Names,
        scale: Scale,
        size: [f64; 2],
        view: &View,
        cursor: Option<[usize; 2]>,
    ) -> Self {
        let (corner, room) = frame(names, size);
        let map = [matrix.columns, matrix.rows];
        let view = view.bounded(map, room);
        let seen = |side: usize| {
            let first = view.from[side].floor() as usize;
            let last = (view.from[side] + room[side] / view.cell - 1e-9).ceil() as usize;
            first.min(map[side])..last.min(map[side])
        };
        let (columns, rows) = (seen(0), seen(1));
        let start = |side: usize, first: usize| corner[side] + (first as f64 - view.from[side]) * view.cell;
        let start = [start(0, columns.start), start(1, rows.start)];
        let whole = |side: usize| ((map[side] as f64 - view.from[side]) * view.cell).min(room[side]);
        let area = [whole(0), whole(1)];
        let mut scene = Self {
            size,
            corner,
            area,
            cell: view.cell,
            rows,
            columns,
            start,
            levels: Vec::new(),
            scale,
            labels: Vec::new(),
            cursor: None,
        };
        scene.cursor = cursor.filter(|cell| scene.rows.contains(&cell[0]) && scene.columns.contains(&cell[1])).map(
            |[row, column]| {
                let away = |first: usize, at: usize| (at - first) as f64 * scene.cell;
                [scene.start[0] + away(scene.columns.start, column), scene.start[1] + away(scene.rows.start, row)]
            },
        );
        scene
    }

    /// Labels for every so many rows and columns, as many as stand apart; the cursor's own always, in place of its
    /// neighbours.
    fn label(&mut self, names: &Names, cursor: Option<[usize; 2]>) {
        let step = (ROOM / self.cell).ceil().max(1.0) as usize;
        let chosen = |places: &Range<usize>, marked: Option<usize>| {
            let free = move |place: &usize| {
                place.is_multiple_of(step) && marked.is_none_or(|marked| marked.abs_diff(*place) >= step)
            };
            let own = marked.filter(|marked| places.contains(marked));
            places.clone().filter(free).chain(own).collect::<Vec<usize>>()
        };
        let (row, column) = (cursor.map(|cell| cell[0]), cursor.map(|cell| cell[1]));
        for place in chosen(&self.rows, row) {
            let middle = self.start[1] + ((place - self.rows.start) as f64 + 0.5) * self.cell;
            self.push(
                names.rows.get(place),
                [self.corner[0] - GAP, middle + LETTERS * 0.35],
                false,
                row == Some(place),
            );
        }
        for place in chosen(&self.columns, column) {
            let middle = self.start[0] + ((place - self.columns.start) as f64 + 0.5) * self.cell;
            let at = [middle + LETTERS * 0.35, self.corner[1] - GAP];
            self.push(names.columns.get(place), at, true, column == Some(place));
        }
    }

    fn push(&mut self, name: Option<&String>, at: [f64; 2], upwards: bool, marked: bool) {
        let (along, side) = if upwards { (at[0], 0) } else { (at[1], 1) };
        let inside =
            along - LETTERS >= self.corner[side] - LETTERS && along <= self.corner[side] + self.area[side] + LETTERS;
        if let Some(name) = name.filter(|_| inside) {
            let room = (self.corner[1 - side] - 2.0 * GAP) / LETTERS;
            self.labels.push(Label { text: shortened(name, room), at, upwards, marked });
        }
    }

    /// The row and column under a point of the picture.
    pub fn hit(&self, at: [f64; 2]) -> Option<[usize; 2]> {
        let inside = |side: usize| at[side] >= self.corner[side] && at[side] < self.corner[side] + self.area[side];
        let place = |side: usize, first: usize| first + ((at[side] - self.start[side]) / self.cell).max(0.0) as usize;
        let cell = [place(1, self.rows.start), place(0, self.columns.start)];
        let known = self.rows.contains(&cell[0]) && self.columns.contains(&cell[1]);
        (inside(0) && inside(1) && known).then_some(cell)
    }
}

/// A name that fits a room given in heights of letters.
fn shortened(name: &str, room: f64) -> String {
    if f64::from(width_of(name)) <= room {
        return name.to_owned();
    }
    let mut kept = String::new();
    for letter in name.chars() {
        kept.push(letter);
        if f64::from(width_of(&kept)) + 0.6 > room {
            kept.pop();
            break;
        }
    }
    kept + "…"
}
