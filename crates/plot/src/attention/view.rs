//! The part of a map in view, and its size. All maps that stand side by side share one view.

/// The largest cell, in pixels.
const LARGEST: f64 = 46.0;
/// A map that is much longer than wide, or wider than long, begins with cells of this side, in pixels, rather than as a
/// thread.
const LEGIBLE: f64 = 20.0;

/// The part of a map in view.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View {
    /// Side of a cell, in pixels; 0 for as large as fits, or as can be read.
    pub cell: f64,
    /// What is in the upper left corner: column and row, in cells.
    pub from: [f64; 2],
}

impl Default for View {
    fn default() -> Self {
        Self { cell: 0.0, from: [0.0, 0.0] }
    }
}

impl View {
    /// The cell's side with which a map of so many columns and rows fits an area.
    pub fn fitting([columns, rows]: [usize; 2], [width, height]: [f64; 2]) -> f64 {
        (width / columns.max(1) as f64).min(height / rows.max(1) as f64).clamp(0.01, LARGEST)
    }

    /// The cell's side with which a map begins.
    fn beginning([columns, rows]: [usize; 2], [width, height]: [f64; 2]) -> f64 {
        let wider = (width / columns.max(1) as f64).max(height / rows.max(1) as f64);
        Self::fitting([columns, rows], [width, height]).max(wider.min(LEGIBLE))
    }

    /// The same view within bounds: no smaller than fits, and no emptiness beside the map.
    pub fn bounded(&self, map: [usize; 2], area: [f64; 2]) -> Self {
        let least = Self::fitting(map, area);
        let cell = if self.cell > 0.0 { self.cell.clamp(least, LARGEST) } else { Self::beginning(map, area) };
        let bound = |side: usize| (map[side] as f64 - area[side] / cell).max(0.0);
        Self { cell, from: [self.from[0].clamp(0.0, bound(0)), self.from[1].clamp(0.0, bound(1))] }
    }

    /// Larger by a factor, with what is at `at` (pixels from the map's corner in the picture) staying there.
    pub fn zoomed(&self, factor: f64, at: [f64; 2], map: [usize; 2], area: [f64; 2]) -> Self {
        let now = self.bounded(map, area);
        let cell = View { cell: now.cell * factor, ..now }.bounded(map, area).cell;
        let kept = |side: usize| now.from[side] + at[side] / now.cell - at[side] / cell;
        View { cell, from: [kept(0), kept(1)] }.bounded(map, area)
    }

    /// Moved by so many pixels.
    pub fn moved(&self, by: [f64; 2], map: [usize; 2], area: [f64; 2]) -> Self {
        let now = self.bounded(map, area);
        View { from: [now.from[0] - by[0] / now.cell, now.from[1] - by[1] / now.cell], ..now }.bounded(map, area)
    }

    /// Moved no farther than needed for a cell, given by column and row, to be seen whole.
    pub fn showing(&self, cell: [usize; 2], map: [usize; 2], area: [f64; 2]) -> Self {
        let now = self.bounded(map, area);
        let seen = |side: usize| {
            let (place, width) = (cell[side] as f64, area[side] / now.cell);
            now.from[side].min(place).max((place + 1.0 - width).min(place))
        };
        View { from: [seen(0), seen(1)], ..now }.bounded(map, area)
    }
}
