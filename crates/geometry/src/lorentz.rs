//! Lorentz's hyperboloid, curvature -c: ⟨x, x⟩ = -1/c with x₀ > 0, where ⟨x, y⟩ = -x₀y₀ + x₁y₁ + … .
//!
//! Formulas as in Nickel and Kiela, "Learning continuous hierarchies in the Lorentz model" (2018), with the curvature
//! inserted. Coordinates grow as e^d with the distance d from the origin, while in the ball they crowd under the rim.

use super::vector::{combined, dot, scaled, squared_difference};

/// Hyperboloid of a given curvature. Points of dimension n have n + 1 coordinates, the time-like one first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hyperboloid {
    /// The c of the curvature -c.
    curvature: f64,
    /// The root √c.
    root: f64,
}

/// Returns the Lorentz product ⟨x, y⟩ = -x₀y₀ + x₁y₁ + … .
pub fn inner(x: &[f64], y: &[f64]) -> f64 {
    match (x, y) {
        ([x0, x @ ..], [y0, y @ ..]) => dot(x, y) - x0 * y0,
        _ => 0.0,
    }
}

impl Hyperboloid {
    /// The hyperboloid of curvature -1.
    pub const UNIT: Hyperboloid = Hyperboloid { curvature: 1.0, root: 1.0 };

    /// Creates the hyperboloid of curvature -`curvature`; `None` unless that is positive and finite.
    pub fn new(curvature: f64) -> Option<Self> {
        let root = curvature.sqrt();
        (root > 0.0 && root.is_finite()).then_some(Hyperboloid { curvature, root })
    }

    /// Returns the c of the curvature -c.
    pub fn curvature(&self) -> f64 {
        self.curvature
    }

    /// Returns the origin (1 / √c, 0, …, 0) with `dimension` zeros.
    pub fn origin(&self, dimension: usize) -> Vec<f64> {
        self.lifted(&vec![0.0; dimension])
    }

    /// Returns the point with these space-like coordinates: x₀ = √(1/c + |x|²).
    pub fn lifted(&self, space: &[f64]) -> Vec<f64> {
        let time = (1.0 / self.curvature + dot(space, space)).sqrt();
        [&[time], space].concat()
    }

    /// Maps a point to Poincaré's ball of the same curvature: x / (1 + √c·x₀). The inverse of
    /// [`Ball::to_hyperboloid`](super::Ball::to_hyperboloid), and like it an isometry.
    pub fn to_ball(&self, x: &[f64]) -> Vec<f64> {
        let Some((time, space)) = x.split_first() else { return Vec::new() };
        scaled(1.0 / (1.0 + self.root * time), space)
    }

    /// Returns the geodesic distance, 2/√c · arsinh(√c/2 · √⟨x - y, x - y⟩). It equals arcosh(-c⟨x, y⟩) / √c without
    /// the loss of digits near 1.
    ///
    /// For points close to each other only the space-like parts need be exact: x₀ - y₀ is computed as (|x|² - |y|²) /
    /// (x₀ + y₀).
    pub fn distance(&self, x: &[f64], y: &[f64]) -> f64 {
        let ([x0, x @ ..], [y0, y @ ..]) = (x, y) else { return 0.0 };
        let apart = squared_difference(x, y);
        let squared = if apart < x0 * y0 {
            let rise: f64 = x.iter().zip(y).map(|(x, y)| (x - y) * (x + y)).sum::<f64>() / (x0 + y0);
            apart - rise * rise
        } else {
            // For distant points the two squares would cancel; the product does not.
            2.0 * (x0 * y0 - dot(x, y) - 1.0 / self.curvature)
        };
        2.0 * (self.root / 2.0 * squared.max(0.0).sqrt()).asinh() / self.root
    }

    /// Returns the length of a tangent vector, √⟨v, v⟩; 0 for a vector that rounding made time-like.
    pub fn length(&self, v: &[f64]) -> f64 {
        inner(v, v).max(0.0).sqrt()
    }

    /// Returns the part of v that is tangent at x: v + c⟨x, v⟩x.
    pub fn tangent(&self, x: &[f64], v: &[f64]) -> Vec<f64> {
        combined(1.0, v, self.curvature * inner(x, v), x)
    }

    /// Returns the exponential map, cosh(√c|v|)x + sinh(√c|v|)v / (√c|v|). The result is lifted again, so that rounding
    /// does not leave the surface.
    pub fn exp(&self, x: &[f64], v: &[f64]) -> Vec<f64> {
        let length = self.root * self.length(v);
        let slope = if length == 0.0 { 1.0 } else { length.sinh() / length };
        let reached = combined(length.cosh(), x, slope, v);
        self.lifted(reached.get(1..).unwrap_or(&[]))
    }

    /// Returns the logarithm at x: the tangent vector of length d(x, y) that leads to y.
    pub fn log(&self, x: &[f64], y: &[f64]) -> Vec<f64> {
        // y + c⟨x, y⟩x = (y - x) + (1 + c⟨x, y⟩)x, and 1 + c⟨x, y⟩ = -c⟨x - y, x - y⟩/2 = 1 - cosh √c·d = -2
        // sinh²(√c·d/2).
        let distance = self.distance(x, y);
        let half = (self.root * distance / 2.0).sinh();
        let towards = combined(1.0, &combined(1.0, y, -1.0, x), -2.0 * half * half, x);
        // The length of the vector is known: sinh(√c·d) / √c.
        let length = (self.root * distance).sinh() / self.root;
        if length == 0.0 { vec![0.0; x.len()] } else { scaled(distance / length, &towards) }
    }

    /// Transports a tangent vector v at x in parallel along the geodesic to y: v + c⟨y, v⟩ / (1 - c⟨x, y⟩) · (x + y).
    pub fn transport(&self, x: &[f64], y: &[f64], v: &[f64]) -> Vec<f64> {
        let share = self.curvature * inner(y, v) / (1.0 - self.curvature * inner(x, y));
        combined(1.0, v, share, &combined(1.0, x, 1.0, y))
    }

    /// Applies the Lorentz boost that takes the origin to `to`, without rotation, to a point or vector x. An isometry;
    /// in the ball it is the Möbius translation.
    pub fn boost(&self, to: &[f64], x: &[f64]) -> Vec<f64> {
        let ([to0, to @ ..], [x0, x @ ..]) = (to, x) else { return x.to_vec() };
        let (gamma, along) = (self.root * to0, dot(to, x));
        let time = gamma * x0 + self.root * along;
        let share = self.root * x0 + self.curvature * along / (1.0 + gamma);
        [&[time], combined(1.0, x, share, to).as_slice()].concat()
    }

    /// Applies the boost that takes `from` to the origin, the inverse of [`Hyperboloid::boost`].
    pub fn boost_back(&self, from: &[f64], x: &[f64]) -> Vec<f64> {
        let mirrored: Vec<f64> =
            from.iter().enumerate().map(|(place, one)| if place == 0 { *one } else { -one }).collect();
        self.boost(&mirrored, x)
    }
}

#[cfg(test)]
mod tests {
    //! Tests the hyperboloid against closed forms and the laws of its isometries.

    use super::*;
    use crate::vector::norm;
    use crate::{Ball, Random};
    use proptest::prelude::*;
    use proptest::test_runner::RngSeed;

    fn settings() -> ProptestConfig {
        ProptestConfig {
            cases: 256,
            failure_persistence: None,
            rng_seed: RngSeed::Fixed(1),
            ..ProptestConfig::default()
        }
    }

    fn space() -> impl Strategy<Value = Hyperboloid> {
        (-2.0f64..2.0).prop_map(|exponent| Hyperboloid::new(10f64.powf(exponent)).unwrap())
    }

    /// Returns a direction of three dimensions times a distance up to 6, in units of 1 / √c.
    fn vector() -> impl Strategy<Value = [f64; 3]> {
        (prop::array::uniform3(-1.0f64..1.0), 0.0f64..6.0).prop_map(|(direction, distance)| {
            let length = norm(&direction).max(1e-3);
            direction.map(|one| one / length * distance)
        })
    }

    fn sized(space: Hyperboloid, v: [f64; 3]) -> Vec<f64> {
        let unit = 1.0 / space.curvature().sqrt();
        [&[0.0], scaled(unit, &v).as_slice()].concat()
    }

    fn point(space: Hyperboloid, v: [f64; 3]) -> Vec<f64> {
        space.exp(&space.origin(3), &sized(space, v))
    }

    /// Asserts equality to 1e-6 in units of 1 / √c. Points are up to 12 apart, where products of coordinates reach e²⁴,
    /// so ten of sixteen digits are lost.
    #[track_caller]
    fn near(space: Hyperboloid, one: f64, other: f64) {
        let unit = 1.0 / space.curvature().sqrt();
        assert!((one - other).abs() <= 1e-6 * (unit + one.abs()), "{one} {other}");
    }

    proptest! {
        #![proptest_config(settings())]

        #[test]
        fn points_stay_on_the_surface(space in space(), v in vector(), w in vector()) {
            let (x, y) = (point(space, v), point(space, w));
            for point in [&x, &space.exp(&x, &space.log(&x, &y)), &space.boost(&x, &y)] {
                let squares: f64 = dot(point, point);
                prop_assert!((inner(point, point) + 1.0 / space.curvature()).abs() < 1e-12 * squares);
            }
        }

        #[test]
        fn exponential_and_logarithm_undo_each_other(space in space(), v in vector(), w in vector()) {
            let half = |v: [f64; 3]| point(space, v.map(|one| one / 2.0));
            let (x, y) = (half(v), half(w));
            let tangent = space.log(&x, &y);
            near(space, space.length(&tangent), space.distance(&x, &y));
            near(space, space.distance(&space.exp(&x, &tangent), &y), 0.0);
            near(space, inner(&x, &tangent) * space.curvature().sqrt() / x[0].max(1.0), 0.0);
        }

        #[test]
        fn boosts_keep_distances_and_have_inverses(space in space(), a in vector(), v in vector(), w in vector()) {
            // Half as far out each, so that the boosted points reach the distances of the others.
            let half = |v: [f64; 3]| point(space, v.map(|one| one / 2.0));
            let (a, x, y) = (half(a), half(v), half(w));
            near(space, space.distance(&space.boost(&a, &x), &space.boost(&a, &y)), space.distance(&x, &y));
            near(space, space.distance(&space.boost_back(&a, &space.boost(&a, &x)), &x), 0.0);
            near(space, space.distance(&space.boost(&a, &space.origin(3)), &a), 0.0);
            near(space, space.distance(&space.boost_back(&a, &a), &space.origin(3)), 0.0);
        }

        #[test]
        fn transport_keeps_inner_products_and_the_geodesic(
            space in space(),
            v in vector(),
            w in vector(),
            one in vector(),
            other in vector(),
        ) {
            let half = |v: [f64; 3]| point(space, v.map(|one| one / 2.0));
            let (x, y) = (half(v), half(w));
            let at_x = |vector: [f64; 3]| space.boost(&x, &scaled(1.0 / 6.0, &sized(space, vector)));
            let (one, other) = (at_x(one), at_x(other));
            let (moved, moved_other) = (space.transport(&x, &y, &one), space.transport(&x, &y, &other));
            let unit = space.curvature().sqrt();
            near(space, inner(&moved, &moved_other) * unit, inner(&one, &other) * unit);
            near(space, inner(&y, &moved) * space.curvature().sqrt() / y[0].max(1.0), 0.0);
            let (onward, back) = (space.transport(&x, &y, &space.log(&x, &y)), space.log(&y, &x));
            near(space, norm(&combined(1.0, &onward, 1.0, &back)) / y[0].max(1.0), 0.0);
        }

        #[test]
        fn flat_in_the_limit(v in vector(), w in vector()) {
            let space = Hyperboloid::new(1e-10).unwrap();
            let (x, y) = (space.lifted(&v), space.lifted(&w));
            // The error is the curvature, 1e-10, times the cube of lengths up to 12.
            prop_assert!((space.distance(&x, &y) - squared_difference(&v, &w).sqrt()).abs() < 1e-6);
        }
    }

    #[test]
    fn distances_in_closed_form() {
        let space = Hyperboloid::UNIT;
        let at = |d: f64, angle: f64| vec![d.cosh(), d.sinh() * angle.cos(), d.sinh() * angle.sin()];
        for d in [1e-12, 1e-6, 0.1, 1.0, 10.0, 30.0] {
            let found = space.distance(&at(0.0, 0.0), &at(d, 1.0));
            assert!((found - d).abs() < 1e-12 * d, "{found} {d}");
        }
        // The law of cosines: cosh c = cosh a · cosh b - sinh a · sinh b · cos γ.
        let (a, b, angle) = (1.5f64, 2.5f64, 0.7f64);
        let expected = (a.cosh() * b.cosh() - a.sinh() * b.sinh() * angle.cos()).acosh();
        assert!((space.distance(&at(a, 0.2), &at(b, 0.2 + angle)) - expected).abs() < 1e-12);
        // Points at distance 20 on two rays 1e-3 rad apart, where all coordinates of the ball lie at the rim.
        let (a, angle) = (20.0f64, 1e-3f64);
        let expected = 2.0 * (a.sinh() * (angle / 2.0).sin()).asinh();
        assert!((space.distance(&at(a, 0.0), &at(a, angle)) - expected).abs() < 1e-7);
    }

    #[test]
    fn only_negative_curvature_makes_a_hyperboloid() {
        for curvature in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert_eq!(Hyperboloid::new(curvature), None);
        }
        assert_eq!(inner(&[], &[]), 0.0);
    }

    /// Checks random points up to distance 6 from the centre, in balls of three curvatures.
    fn each(check: impl Fn(Ball, Hyperboloid, &[f64], &[f64])) {
        let mut random = Random::new(3);
        for curvature in [0.1, 1.0, 4.0] {
            let (ball, hyperboloid) = (Ball::new(curvature).unwrap(), Hyperboloid::new(curvature).unwrap());
            for _ in 0..100 {
                let mut draw = || {
                    let share = ball.radius() * (3.0 * random.uniform()).tanh();
                    scaled(share, &random.direction(4))
                };
                let (x, y) = (draw(), draw());
                check(ball, hyperboloid, &x, &y);
            }
        }
    }

    #[track_caller]
    fn same(x: &[f64], y: &[f64]) {
        // Points come as close as 0.5 % to the rim: 1 - c|x|² loses three of sixteen digits, the few remaining
        // operations lose the rest.
        assert!(squared_difference(x, y).sqrt() < 1e-10 * (1.0 + norm(x)), "{x:?} {y:?}");
    }

    #[test]
    fn the_maps_lead_back() {
        each(|ball, hyperboloid, x, _| {
            let lorentz = ball.to_hyperboloid(x);
            same(&hyperboloid.to_ball(&lorentz), x);
            same(&hyperboloid.lifted(&lorentz[1..]), &lorentz);
        });
    }

    #[test]
    fn distances_are_the_same_in_both_models() {
        each(|ball, hyperboloid, x, y| {
            let lorentz = hyperboloid.distance(&ball.to_hyperboloid(x), &ball.to_hyperboloid(y));
            let here = ball.distance(x, y);
            assert!((lorentz - here).abs() < 1e-9 * (1.0 + here), "{lorentz} {here}");
        });
    }

    #[test]
    fn a_boost_is_a_moebius_translation() {
        each(|ball, hyperboloid, x, y| {
            let boosted = hyperboloid.boost(&ball.to_hyperboloid(x), &ball.to_hyperboloid(y));
            let seen = hyperboloid.to_ball(&boosted);
            assert!(ball.distance(&seen, &ball.add(x, y)) < 1e-6 * ball.radius(), "{seen:?}");
        });
    }
}
