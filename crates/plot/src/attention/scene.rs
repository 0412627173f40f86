//! Picture of a map: the cells in view as colour levels, as many labels as there is room for, the cursor; and the view,
//! which all maps that stand side by side share.

use super::colours::Scale;
use super::matrix::Matrix;
use crate::disk::labels::width_of;
use std::ops::Range;

/// Height of a label's letters, in pixels.
pub const LETTERS: f64 = 12.0;
/// Distance from label to label, in pixels.
const ROOM: f64 = 13.0;
/// Gap between a label and the map, in pixels.
const GAP: f64 = 5.0;
/// Largest share of the picture that labels take.
const LARGEST_LABEL_SHARE: f64 = 0.26;

/// Names of rows and columns.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Names {
    pub rows: Vec<String>,
    pub columns: Vec<String>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Label {
    pub text: String,
    /// End of the baseline at the map, in pixels. Labels of rows end there; labels of columns start there and go up.
    pub at: [f64; 2],
    /// `true` for the label of a column.
    pub upwards: bool,
    /// `true` for the label at the cursor.
    pub marked: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Scene {
    /// Width and height, in pixels.
    pub size: [f64; 2],
    /// Upper left corner of the map, in pixels.
    pub corner: [f64; 2],
    /// Width and height of the visible part of the map, in pixels.
    pub area: [f64; 2],
    /// Side of a cell, in pixels.
    pub cell: f64,
    /// Visible rows, the partly visible ones included.
    pub rows: Range<usize>,
    /// Visible columns, the partly visible ones included.
    pub columns: Range<usize>,
    /// Corner of the first visible cell, in pixels; it may lie left of or above `corner`.
    pub start: [f64; 2],
    /// Levels of the visible cells, row by row.
    pub levels: Vec<u8>,
    /// Range of values that the levels stand for.
    pub scale: Scale,
    pub labels: Vec<Label>,
    /// Upper left corner of the chosen cell, in pixels, if it is visible.
    pub cursor: Option<[f64; 2]>,
}

/// Returns the place of the map in a picture: its upper left corner, and the room that it has.
pub fn frame(names: &Names, size: [f64; 2]) -> ([f64; 2], [f64; 2]) {
    let widest = |names: &[String]| names.iter().map(|name| f64::from(width_of(name))).fold(1.0, f64::max) * LETTERS;
    let side = |names: &[String], whole: f64| (widest(names) + 2.0 * GAP).min(whole * LARGEST_LABEL_SHARE).round();
    let corner = [side(&names.rows, size[0]), side(&names.columns, size[1])];
    (corner, [(size[0] - corner[0] - 1.0).max(1.0), (size[1] - corner[1] - 1.0).max(1.0)])
}

impl Scene {
    /// Draws a map in a picture of this size; `cursor` is a row and a column.
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

    /// Returns a scene without cells and labels: cheap, and enough to find the cell at a point.
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

    /// Labels rows and columns at a regular interval, as many as have room. The cursor's own label replaces those
    /// beside it.
    fn label(&mut self, names: &Names, cursor: Option<[usize; 2]>) {
        let step = (ROOM / self.cell).ceil().max(1.0) as usize;
        let chosen = |places: &Range<usize>, marked: Option<usize>| {
            let free = move |place: &usize| {
                // Multiples of the step, so that labels do not change while the map is moved.
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

    /// Returns the row and column under a point of the picture.
    pub fn hit(&self, at: [f64; 2]) -> Option<[usize; 2]> {
        let inside = |side: usize| at[side] >= self.corner[side] && at[side] < self.corner[side] + self.area[side];
        let place = |side: usize, first: usize| first + ((at[side] - self.start[side]) / self.cell).max(0.0) as usize;
        let cell = [place(1, self.rows.start), place(0, self.columns.start)];
        let known = self.rows.contains(&cell[0]) && self.columns.contains(&cell[1]);
        (inside(0) && inside(1) && known).then_some(cell)
    }
}

/// Shortens a name to a room given in heights of letters.
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

/// Largest side of a cell, in pixels.
const LARGEST: f64 = 46.0;
/// Initial side of a cell, in pixels, for a map that is much longer than wide or wider than long and would otherwise
/// look like a thread.
const LEGIBLE: f64 = 20.0;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View {
    /// Side of a cell, in pixels; 0 for the largest that fits, or that is legible.
    pub cell: f64,
    /// Place in the upper left corner: column and row, in cells.
    pub from: [f64; 2],
}

impl Default for View {
    fn default() -> Self {
        Self { cell: 0.0, from: [0.0, 0.0] }
    }
}

impl View {
    /// Returns the cell's side with which a map of `columns` and `rows` fits an area.
    pub fn fitting([columns, rows]: [usize; 2], [width, height]: [f64; 2]) -> f64 {
        (width / columns.max(1) as f64).min(height / rows.max(1) as f64).clamp(0.01, LARGEST)
    }

    /// Returns the cell's initial side.
    fn beginning([columns, rows]: [usize; 2], [width, height]: [f64; 2]) -> f64 {
        let wider = (width / columns.max(1) as f64).max(height / rows.max(1) as f64);
        Self::fitting([columns, rows], [width, height]).max(wider.min(LEGIBLE))
    }

    /// Returns the view within bounds: no smaller than fits, and no empty space beside the map.
    pub fn bounded(&self, map: [usize; 2], area: [f64; 2]) -> Self {
        let least = Self::fitting(map, area);
        let cell = if self.cell > 0.0 { self.cell.clamp(least, LARGEST) } else { Self::beginning(map, area) };
        let bound = |side: usize| (map[side] as f64 - area[side] / cell).max(0.0);
        Self { cell, from: [self.from[0].clamp(0.0, bound(0)), self.from[1].clamp(0.0, bound(1))] }
    }

    /// Enlarges the view by a factor. The place under `at` (pixels from the map's corner in the picture) does not move.
    pub fn zoomed(&self, factor: f64, at: [f64; 2], map: [usize; 2], area: [f64; 2]) -> Self {
        let now = self.bounded(map, area);
        let cell = View { cell: now.cell * factor, ..now }.bounded(map, area).cell;
        let kept = |side: usize| now.from[side] + at[side] / now.cell - at[side] / cell;
        View { cell, from: [kept(0), kept(1)] }.bounded(map, area)
    }

    /// Moves the view by pixels.
    pub fn moved(&self, by: [f64; 2], map: [usize; 2], area: [f64; 2]) -> Self {
        let now = self.bounded(map, area);
        View { from: [now.from[0] - by[0] / now.cell, now.from[1] - by[1] / now.cell], ..now }.bounded(map, area)
    }

    /// Moves the view as little as possible to show the whole of a cell, given by column and row.
    pub fn showing(&self, cell: [usize; 2], map: [usize; 2], area: [f64; 2]) -> Self {
        let now = self.bounded(map, area);
        let seen = |side: usize| {
            let (place, width) = (cell[side] as f64, area[side] / now.cell);
            now.from[side].min(place).max((place + 1.0 - width).min(place))
        };
        View { from: [seen(0), seen(1)], ..now }.bounded(map, area)
    }
}
