//! View of the plane: the point in the middle, the rotation, the size, and the model of the plane.

use super::complex::{
    Point, angle, conjugate, direction, from_centre, length, minus, plus, scaled, squared, times, to_centre,
};

/// Distance from the middle that fits the frame in the view of the hyperboloid at zoom 1.
pub const HYPERBOLOID_REACH: f64 = 4.0;
/// Smallest and largest zoom.
pub const ZOOMS: [f64; 2] = [0.5, 24.0];
/// Gap between the rim and the edge of the picture, in pixels.
const MARGIN: f64 = 14.0;
/// Share of the radius up to which the plane can be dragged; beyond it one pixel would be too large a distance.
const HOLD: f64 = 0.985;

/// Model in which the plane is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Projection {
    /// Poincaré's disk: angles are true, geodesics are arcs.
    #[default]
    Poincare,
    /// Klein's disk: geodesics are straight, angles are not true.
    Klein,
    /// Lorentz's hyperboloid seen from above, along its axis: lengths across the line of sight are true, and there is
    /// no rim.
    Hyperboloid,
}

impl Projection {
    /// All projections.
    pub const ALL: [Projection; 3] = [Projection::Poincare, Projection::Klein, Projection::Hyperboloid];

    /// Returns the name in an address.
    pub fn name(self) -> &'static str {
        match self {
            Projection::Poincare => "poincare",
            Projection::Klein => "klein",
            Projection::Hyperboloid => "lorentz",
        }
    }

    /// Returns the projection of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|projection| projection.name() == name)
    }

    /// Maps Poincaré's disk to the picture; the picture's unit is the radius of its disk.
    pub fn project(self, w: Point) -> Point {
        match self {
            Projection::Poincare => w,
            Projection::Klein => scaled(2.0 / (1.0 + squared(w)), w),
            Projection::Hyperboloid => scaled(2.0 / (1.0 - squared(w)).max(1e-300) / HYPERBOLOID_REACH.sinh(), w),
        }
    }

    /// Inverts [`Projection::project`]; a point beyond the rim is replaced by one just under it.
    pub fn unproject(self, p: Point) -> Point {
        let inside = |p: Point| scaled((HOLD / length(p)).min(1.0), p);
        match self {
            _ if p == [0.0, 0.0] => p,
            Projection::Poincare => inside(p),
            Projection::Klein => {
                let p = inside(p);
                scaled(1.0 / (1.0 + (1.0 - squared(p)).max(0.0).sqrt()), p)
            }
            Projection::Hyperboloid => {
                let x = scaled(HYPERBOLOID_REACH.sinh(), p);
                scaled(1.0 / (1.0 + (1.0 + squared(x)).sqrt()), x)
            }
        }
    }

    /// Returns the size of a short length at w, as a share of its size in the middle, in the direction in which it
    /// looks smallest.
    pub fn scale(self, w: Point) -> f64 {
        let gap = 1.0 - squared(w);
        match self {
            Projection::Poincare => gap,
            // Across the line of sight; along it lengths shrink with the square.
            Projection::Klein => gap / (1.0 + squared(w)),
            Projection::Hyperboloid => 0.35 + 0.65 * gap,
        }
    }

    /// Returns the distance from the middle beyond which a picture of this radius shows nothing as large as `pixel`, or
    /// which lies outside a picture that reaches `corner` pixels from its middle.
    pub fn reach(self, radius: f64, corner: f64, pixel: f64) -> f64 {
        let large = (radius / pixel).max(1.0);
        match self {
            Projection::Poincare => 2.0 * large.sqrt().acosh(),
            Projection::Klein => large.acosh(),
            Projection::Hyperboloid => (corner / radius * HYPERBOLOID_REACH.sinh()).asinh(),
        }
    }
}

/// View of the plane: `centre` moves to the middle, then everything is rotated.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View {
    /// Point in the middle.
    pub centre: Point,
    /// Angle of the rotation, in radians.
    pub turn: f64,
    /// Size of the picture; at 1 the disk fits the frame.
    pub zoom: f64,
    pub projection: Projection,
}

impl Default for View {
    fn default() -> Self {
        Self { centre: [0.0, 0.0], turn: 0.0, zoom: 1.0, projection: Projection::Poincare }
    }
}

impl View {
    /// Returns the place in Poincaré's disk at which a point is seen.
    pub fn seen(&self, z: Point) -> Point {
        times(direction(self.turn), to_centre(self.centre, z))
    }

    /// Inverts [`View::seen`].
    pub fn unseen(&self, w: Point) -> Point {
        from_centre(self.centre, times(direction(-self.turn), w))
    }

    /// Returns the view after a Möbius translation of the visible plane that moves the middle to t.
    pub fn moved(&self, t: Point) -> View {
        let centre = self.unseen(scaled(-1.0, t));
        // The derivative of the composition at its new centre has the angle turn - 2 arg(1 - c̄c').
        let twist = angle(minus([1.0, 0.0], times(conjugate(self.centre), centre)));
        View { centre, turn: wrapped(self.turn - 2.0 * twist), ..*self }
    }

    /// Returns the view after the Möbius translation that takes the place `from` to `to`: a drag.
    pub fn dragged(&self, from: Point, to: Point) -> View {
        // Solves (from + t) / (1 + t̄·from) = to for t.
        let (product, difference) = (times(from, to), minus(to, from));
        let above = plus(difference, times(product, conjugate(difference)));
        self.moved(scaled(1.0 / (1.0 - squared(product)), above))
    }

    /// Returns the view at share s of the way on which the point z moves to the middle along the geodesic.
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

    /// Returns the view in which z is seen at w, and which is rotated by `turn` once z is moved to the middle.
    pub fn placed(&self, z: Point, w: Point, turn: f64) -> View {
        View { centre: z, turn, ..*self }.moved(w)
    }

    /// Returns the arguments with which [`View::placed`] gives this view: the place of z, and the rotation.
    pub fn place_of(&self, z: Point) -> (Point, f64) {
        (self.seen(z), self.towards(z, 1.0).turn)
    }

    /// Multiplies the zoom by a factor, within bounds.
    pub fn zoomed(&self, factor: f64) -> View {
        View { zoom: (self.zoom * factor).clamp(ZOOMS[0], ZOOMS[1]), ..*self }
    }

    /// Returns the radius of the disk in a picture of this size, in pixels.
    pub fn radius(&self, [width, height]: Point) -> f64 {
        (width.min(height) / 2.0 - MARGIN).max(10.0) * self.zoom
    }

    /// Maps Poincaré's disk to pixels of a picture of this size.
    pub fn to_pixels(&self, size: Point, w: Point) -> Point {
        plus(scaled(0.5, size), scaled(self.radius(size), self.projection.project(w)))
    }

    /// Maps pixels to Poincaré's disk; pixels too near the rim to be dragged are replaced by the last that can be.
    pub fn from_pixels(&self, size: Point, at: Point) -> Point {
        self.projection.unproject(scaled(1.0 / self.radius(size), minus(at, scaled(0.5, size))))
    }
}

/// Returns the angle between -π and π.
fn wrapped(angle: f64) -> f64 {
    angle.sin().atan2(angle.cos())
}
