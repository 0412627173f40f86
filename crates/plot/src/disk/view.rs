//! The view of the plane: the point in its middle, its rotation, its size, and the model of the plane.

use super::complex::{
    Point, angle, conjugate, direction, from_centre, length, minus, plus, scaled, squared, times, to_centre,
};

/// A point up to this distance from the middle is inside the frame of the sheet at zoom 1.
pub const SHEET_REACH: f64 = 4.0;
/// Zoom goes from one of these to the other.
pub const ZOOMS: [f64; 2] = [0.5, 24.0];
/// Room between the rim and the edge of the picture, in pixels.
const MARGIN: f64 = 14.0;
/// A hand can take hold of the plane up to this share of the radius; beyond it a pixel would be a mile.
const HOLD: f64 = 0.985;

/// Which model of the plane is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Projection {
    /// Poincaré's disk: angles are true, geodesics are arcs.
    #[default]
    Poincare,
    /// Klein's disk: geodesics are straight, angles are not true.
    Klein,
    /// The sheet of Lorentz's hyperboloid seen from above, along its axis: lengths across the sight are true, and there
    /// is no rim.
    Sheet,
}

impl Projection {
    /// All of them.
    pub const ALL: [Projection; 3] = [Projection::Poincare, Projection::Klein, Projection::Sheet];

    /// The name in an address.
    pub fn name(self) -> &'static str {
        match self {
            Projection::Poincare => "poincare",
            Projection::Klein => "klein",
            Projection::Sheet => "lorentz",
        }
    }

    /// The projection of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|projection| projection.name() == name)
    }

    /// From Poincaré's disk to the picture; the picture's unit is the radius of its disk.
    pub fn project(self, w: Point) -> Point {
        match self {
            Projection::Poincare => w,
            Projection::Klein => scaled(2.0 / (1.0 + squared(w)), w),
            Projection::Sheet => scaled(2.0 / (1.0 - squared(w)).max(1e-300) / SHEET_REACH.sinh(), w),
        }
    }

    /// The inverse of [`Projection::project`]; a point beyond the rim is taken from under it.
    pub fn unproject(self, p: Point) -> Point {
        let inside = |p: Point| scaled((HOLD / length(p)).min(1.0), p);
        match self {
            _ if p == [0.0, 0.0] => p,
            Projection::Poincare => inside(p),
            Projection::Klein => {
                let p = inside(p);
                scaled(1.0 / (1.0 + (1.0 - squared(p)).max(0.0).sqrt()), p)
            }
            Projection::Sheet => {
                let x = scaled(SHEET_REACH.sinh(), p);
                scaled(1.0 / (1.0 + (1.0 + squared(x)).sqrt()), x)
            }
        }
    }

    /// How much smaller a short length looks at w than in the middle, where it is smallest.
    pub fn scale(self, w: Point) -> f64 {
        let gap = 1.0 - squared(w);
        match self {
            Projection::Poincare => gap,
            // Across the sight; along it lengths shrink with the square.
            Projection::Klein => gap / (1.0 + squared(w)),
            Projection::Sheet => 0.35 + 0.65 * gap,
        }
    }

    /// The distance from the middle beyond which a picture of this radius has nothing as large as `pixel`, or lies
    /// outside of a picture that reaches `corner` pixels from its middle.
    pub fn reach(self, radius: f64, corner: f64, pixel: f64) -> f64 {
        let large = (radius / pixel).max(1.0);
        match self {
            Projection::Poincare => 2.0 * large.sqrt().acosh(),
            Projection::Klein => large.acosh(),
            Projection::Sheet => (corner / radius * SHEET_REACH.sinh()).asinh(),
        }
    }
}

/// A view of the plane: first `centre` is moved to the middle, then all is rotated.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View {
    /// The point in the middle.
    pub centre: Point,
    /// Angle of the rotation, in radians.
    pub turn: f64,
    /// Size of the picture; at 1 the disk fits the frame.
    pub zoom: f64,
    /// The model of the plane.
    pub projection: Projection,
}

impl Default for View {
    fn default() -> Self {
        Self { centre: [0.0, 0.0], turn: 0.0, zoom: 1.0, projection: Projection::Poincare }
    }
}

impl View {
    /// Where in Poincaré's disk a point is seen.
    pub fn seen(&self, z: Point) -> Point {
        times(direction(self.turn), to_centre(self.centre, z))
    }

    /// The inverse of [`View::seen`].
    pub fn unseen(&self, w: Point) -> Point {
        from_centre(self.centre, times(direction(-self.turn), w))
    }

    /// The view after a Möbius translation of what is seen that moves the middle to t.
    pub fn moved(&self, t: Point) -> View {
        let centre = self.unseen(scaled(-1.0, t));
        // The derivative of the composition at its new centre has the angle turn - 2 arg(1 - c̄c').
        let twist = angle(minus([1.0, 0.0], times(conjugate(self.centre), centre)));
        View { centre, turn: wrapped(self.turn - 2.0 * twist), ..*self }
    }

    /// After the Möbius translation that takes what is seen at `from` to `to`: a hand's drag.
    pub fn dragged(&self, from: Point, to: Point) -> View {
        // (from + t) / (1 + t̄·from) = to, solved for t.
        let (product, difference) = (times(from, to), minus(to, from));
        let above = plus(difference, times(product, conjugate(difference)));
        self.moved(scaled(1.0 / (1.0 - squared(product)), above))
    }

    /// The view at share s of the way on which the point z moves to the middle along the geodesic between them.
    pub fn towards(&self, z: Point, s: f64) -> View {
        let w = self.seen(z);
        let size = length(w);
        if size == 0.0 {
            return *self;
        }
        let part = (s * size.min(1.0 - 1e-15).atanh()).tanh();
        let view = self.moved(scaled(-part / size, w));
        if s >= 1.0 { View { centre: z, ..view } } else { view }
    }

    /// The view in which z is seen at w, and is rotated by `turn` once it is moved to the middle from there.
    pub fn placed(&self, z: Point, w: Point, turn: f64) -> View {
        View { centre: z, turn, ..*self }.moved(w)
    }

    /// Arguments with which [`View::placed`] returns this view: where z is seen, and the rotation.
    pub fn place_of(&self, z: Point) -> (Point, f64) {
        (self.seen(z), self.towards(z, 1.0).turn)
    }

    /// Zoomed by a factor, within bounds.
    pub fn zoomed(&self, factor: f64) -> View {
        View { zoom: (self.zoom * factor).clamp(ZOOMS[0], ZOOMS[1]), ..*self }
    }

    /// The radius of the disk in a picture of this size, in pixels.
    pub fn radius(&self, [width, height]: Point) -> f64 {
        (width.min(height) / 2.0 - MARGIN).max(10.0) * self.zoom
    }

    /// From Poincaré's disk to pixels of a picture of this size.
    pub fn to_pixels(&self, size: Point, w: Point) -> Point {
        plus(scaled(0.5, size), scaled(self.radius(size), self.projection.project(w)))
    }

    /// From pixels to Poincaré's disk; pixels beyond what a hand can hold count as the last it can.
    pub fn from_pixels(&self, size: Point, at: Point) -> Point {
        self.projection.unproject(scaled(1.0 / self.radius(size), minus(at, scaled(0.5, size))))
    }
}

/// An angle between -π and π.
fn wrapped(angle: f64) -> f64 {
    angle.sin().atan2(angle.cos())
}
