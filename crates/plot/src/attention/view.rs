//! The visible part of a map, and its size. All maps that stand side by side share one view.

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
