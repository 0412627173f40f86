//! The Poincaré ball of curvature -c: all points with c|x|² < 1.
//!
//! Formulas as in Ganea, Bécigneul and Hofmann, "Hyperbolic neural networks" (2018), after Ungar's gyrovectors. The
//! metric is λ²·Euclid with λ = 2 / (1 - c|x|²), so for c → 0 distances become 2|x - y|, twice the Euclidean ones.

use super::vector::{combined, dot, norm, scaled, squared_difference};

/// Smallest distance from the rim that maps return, as a share of the radius: eight steps of an f64. A point can then
/// be at most about 35 / √c from the centre; points farther out are moved in to that distance.
pub const EDGE: f64 = 8.0 * f64::EPSILON;

/// Poincaré ball of a given curvature.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ball {
    /// The c of the curvature -c.
    curvature: f64,
    /// √c, the inverse of the ball's radius.
    root: f64,
}

impl Ball {
    /// The ball of curvature -1.
    pub const UNIT: Ball = Ball { curvature: 1.0, root: 1.0 };

    /// Creates the ball of curvature -`curvature`; `None` unless that is positive and finite.
    pub fn new(curvature: f64) -> Option<Self> {
        let root = curvature.sqrt();
        (root > 0.0 && root.is_finite()).then_some(Ball { curvature, root })
    }

    /// Returns the c of the curvature -c.
    pub fn curvature(&self) -> f64 {
        self.curvature
    }

    /// Returns 1 / √c, the Euclidean radius of the rim.
    pub fn radius(&self) -> f64 {
        1.0 / self.root
    }

    /// Returns `true` if the point lies inside the ball, neither on its rim nor beyond.
    pub fn contains(&self, x: &[f64]) -> bool {
        self.root * norm(x) < 1.0
    }

    /// Returns the point itself, or the point just under the rim in its direction if it lies farther out than [`EDGE`]
    /// allows.
    pub fn drawn_in(&self, x: Vec<f64>) -> Vec<f64> {
        let share = self.root * norm(&x);
        if share > 1.0 - EDGE { scaled((1.0 - EDGE) / share, &x) } else { x }
    }

    /// Returns 1 - c|x|², computed as a product so that it is precise to the last digits at the rim too.
    fn gap(&self, x: &[f64]) -> f64 {
        let share = self.root * norm(x);
        ((1.0 - share) * (1.0 + share)).max(EDGE)
    }

    /// Returns λ(x) = 2 / (1 - c|x|²), the factor from Euclidean lengths at x to lengths in the ball.
    pub fn conformal_factor(&self, x: &[f64]) -> f64 {
        2.0 / self.gap(x)
    }

    /// Returns the geodesic distance, arcosh(1 + u) / √c with u = 2c|x - y|² / ((1 - c|x|²)(1 - c|y|²)).
    ///
    /// Computed as log1p(u + √(u(u + 2))), because arcosh loses half the digits where x and y are close to each other.
    pub fn distance(&self, x: &[f64], y: &[f64]) -> f64 {
        let u = 2.0 * self.curvature * squared_difference(x, y) / (self.gap(x) * self.gap(y));
        (u + (u * (u + 2.0)).sqrt()).ln_1p() / self.root
    }

    /// Returns the Möbius sum x ⊕ y (Ungar). The sum is neither commutative nor associative; 0 is neutral and -x is the
    /// left inverse.
    pub fn add(&self, x: &[f64], y: &[f64]) -> Vec<f64> {
        let c = self.curvature;
        let (xy, xx, yy) = (dot(x, y), dot(x, x), dot(y, y));
        let below = 1.0 + 2.0 * c * xy + c * c * xx * yy;
        // Where x and y are nearly opposite on the rim all three terms cancel; the floor keeps the quotient finite.
        let below = below.max(EDGE * EDGE);
        self.drawn_in(combined((1.0 + 2.0 * c * xy + c * yy) / below, x, (1.0 - c * xx) / below, y))
    }

    /// Returns (-x) ⊕ y, the image of y when x moves to the centre. An isometry; [`Ball::from_origin`] is its inverse.
    pub fn to_origin(&self, x: &[f64], y: &[f64]) -> Vec<f64> {
        self.add(&scaled(-1.0, x), y)
    }

    /// Returns x ⊕ y, the image of y when the centre moves to x. An isometry: the Möbius translation along the geodesic
    /// from the centre to x.
    pub fn from_origin(&self, x: &[f64], y: &[f64]) -> Vec<f64> {
        self.add(x, y)
    }

    /// Returns gyr[x, y]z = -(x ⊕ y) ⊕ (x ⊕ (y ⊕ z)), the rotation by which two Möbius translations differ from the
    /// translation by their sum.
    pub fn gyration(&self, x: &[f64], y: &[f64], z: &[f64]) -> Vec<f64> {
        self.to_origin(&self.add(x, y), &self.add(x, &self.add(y, z)))
    }

    /// Returns gyr[x, y]v for a vector instead of a point. A gyration is linear and keeps Euclidean lengths, so v may
    /// have any length.
    fn gyrated(&self, x: &[f64], y: &[f64], v: &[f64]) -> Vec<f64> {
        let length = norm(v);
        if length == 0.0 {
            return v.to_vec();
        }
        let inside = self.radius() / 2.0 / length;
        scaled(1.0 / inside, &self.gyration(x, y, &scaled(inside, v)))
    }

    /// Returns t ⊗ x, the point in the direction of x at t times its distance from the centre.
    pub fn multiply(&self, t: f64, x: &[f64]) -> Vec<f64> {
        let length = norm(x);
        if length == 0.0 {
            return x.to_vec();
        }
        let share = (t * artanh(self.root * length)).tanh();
        self.drawn_in(scaled(share / (self.root * length), x))
    }

    /// Returns the exponential map at the centre, tanh(√c|v|)·v / (√c|v|). The point is at distance 2|v|, because λ(0)
    /// = 2.
    pub fn exp_origin(&self, v: &[f64]) -> Vec<f64> {
        let length = self.root * norm(v);
        if length == 0.0 {
            return v.to_vec();
        }
        self.drawn_in(scaled(length.tanh() / length, v))
    }

    /// Returns the inverse of [`Ball::exp_origin`].
    pub fn log_origin(&self, x: &[f64]) -> Vec<f64> {
        let share = self.root * norm(x);
        if share == 0.0 {
            return x.to_vec();
        }
        scaled(artanh(share) / share, x)
    }

    /// Returns the exponential map at x: the point at distance λ(x)|v| along the geodesic that starts at x in direction
    /// v.
    pub fn exp(&self, x: &[f64], v: &[f64]) -> Vec<f64> {
        let step = self.exp_origin(&scaled(self.conformal_factor(x) / 2.0, v));
        self.add(x, &step)
    }

    /// Returns the logarithm at x, the inverse of [`Ball::exp`]: the tangent vector that leads from x to y.
    pub fn log(&self, x: &[f64], y: &[f64]) -> Vec<f64> {
        let seen = self.to_origin(x, y);
        let length = norm(&seen);
        if length == 0.0 {
            return seen;
        }
        // The distance computed from the points is more precise than artanh|(-x) ⊕ y|, whose argument comes close to 1.
        scaled(self.distance(x, y) / (self.conformal_factor(x) * length), &seen)
    }

    /// Maps a point to the hyperboloid of the same curvature: (1/√c · (1 + c|x|²), 2x) / (1 - c|x|²). The result has
    /// one coordinate more, the time-like one, which comes first. An isometry (Cannon, Floyd, Kenyon and Parry,
    /// "Hyperbolic geometry", 1997, section 7, with the curvature inserted).
    pub fn to_hyperboloid(&self, x: &[f64]) -> Vec<f64> {
        let factor = self.conformal_factor(x);
        // (1 + c|x|²) / (1 - c|x|²) = λ - 1.
        [&[self.radius() * (factor - 1.0)], scaled(factor, x).as_slice()].concat()
    }

    /// Transports the tangent vector v at x in parallel along the geodesic to y: λ(x) / λ(y) · gyr[y, -x]v.
    pub fn transport(&self, x: &[f64], y: &[f64], v: &[f64]) -> Vec<f64> {
        let turned = self.gyrated(y, &scaled(-1.0, x), v);
        scaled(self.conformal_factor(x) / self.conformal_factor(y), &turned)
    }

    /// Returns the point at share t of the way from x (t = 0) to y (t = 1). Other values of t lie beyond the two ends.
    pub fn geodesic(&self, x: &[f64], y: &[f64], t: f64) -> Vec<f64> {
        self.add(x, &self.multiply(t, &self.to_origin(x, y)))
    }

    /// Returns the weighted gyromidpoint, ½ ⊗ Σwλx / Σw(λ - 1): Einstein's midpoint in Klein's model, mapped to this
    /// one (Ungar, "Analytic hyperbolic geometry", 2005). For two equal weights it is the middle of the geodesic;
    /// isometries preserve it.
    ///
    /// Returns `None` if there are no points or the sum of the weights is not positive.
    pub fn midpoint<'a>(&self, weighted: impl IntoIterator<Item = (f64, &'a [f64])>) -> Option<Vec<f64>> {
        // In Klein's coordinates k = 2 ⊗ x the weight is γ = λ - 1, and γk = λx; halving the result leads back.
        let (mut sum, mut below) = (Vec::new(), 0.0);
        for (weight, x) in weighted {
            let factor = self.conformal_factor(x);
            sum.resize(x.len(), 0.0);
            sum = combined(1.0, &sum, weight * factor, x);
            below += weight * (factor - 1.0);
        }
        (below > 0.0).then(|| self.multiply(0.5, &self.drawn_in(scaled(1.0 / below, &sum))))
    }
}

/// Returns artanh of an argument that is kept under 1.
fn artanh(share: f64) -> f64 {
    share.min(1.0 - EDGE).atanh()
}

#[cfg(test)]
mod tests {
    //! Tests the ball against closed forms, the Euclidean limit and the laws of its isometries.

    use super::*;
    use proptest::prelude::*;
    use proptest::test_runner::RngSeed;

    const CASES: u32 = 256;

    fn settings() -> ProptestConfig {
        ProptestConfig {
            cases: CASES,
            failure_persistence: None,
            rng_seed: RngSeed::Fixed(1),
            ..ProptestConfig::default()
        }
    }

    /// Curvatures over four orders of magnitude.
    fn ball() -> impl Strategy<Value = Ball> {
        (-2.0f64..2.0).prop_map(|exponent| Ball::new(10f64.powf(exponent)).unwrap())
    }

    /// Points of the unit ball in three dimensions up to distance 8 from its centre; [`sized`] fits them to another
    /// ball.
    fn point() -> impl Strategy<Value = [f64; 3]> {
        (prop::array::uniform3(-1.0f64..1.0), 0.0f64..8.0).prop_map(|(direction, distance)| {
            let length = norm(&direction).max(1e-3);
            direction.map(|one| one / length * (distance / 2.0).tanh() * 0.999_999)
        })
    }

    fn sized(ball: Ball, x: [f64; 3]) -> Vec<f64> {
        scaled(ball.radius(), &x)
    }

    /// Asserts that two distances agree to 1e-7 absolutely and relatively, in units of the ball's radius. Points at
    /// distance 8 lie 7e-4 under the rim, where three translations in a row lose up to nine of the sixteen digits.
    #[track_caller]
    fn near(ball: Ball, one: f64, other: f64) {
        let (one, other) = (one / ball.radius(), other / ball.radius());
        assert!((one - other).abs() <= 1e-7 * (1.0 + one.abs()), "{one} {other}");
    }

    #[track_caller]
    fn same(ball: Ball, x: &[f64], y: &[f64]) {
        assert!(ball.contains(x) && ball.contains(y));
        let apart = ball.distance(x, y) / ball.radius();
        // Near the rim one f64 step is a distance of up to 1e-9; sums over several translations reach 1e-6.
        assert!(apart < 1e-6, "{x:?} {y:?} are {apart} apart");
    }

    proptest! {
        #![proptest_config(settings())]

        #[test]
        fn distances_are_a_metric(ball in ball(), x in point(), y in point(), z in point()) {
            let (x, y, z) = (sized(ball, x), sized(ball, y), sized(ball, z));
            prop_assert_eq!(ball.distance(&x, &x), 0.0);
            prop_assert_eq!(ball.distance(&x, &y), ball.distance(&y, &x));
            let slack = 1e-9 * ball.radius();
            prop_assert!(ball.distance(&x, &z) <= ball.distance(&x, &y) + ball.distance(&y, &z) + slack);
        }

        #[test]
        fn a_curvature_is_a_scale(ball in ball(), x in point(), y in point()) {
            // A strength times the distance in any ball equals another strength times the distance in the ball of
            // curvature -1.
            let found = ball.distance(&sized(ball, x), &sized(ball, y));
            near(ball, found, Ball::UNIT.distance(&x, &y) * ball.radius());
        }

        #[test]
        fn translations_keep_distances(ball in ball(), a in point(), x in point(), y in point()) {
            let (a, x, y) = (sized(ball, a), sized(ball, x), sized(ball, y));
            let (moved_x, moved_y) = (ball.to_origin(&a, &x), ball.to_origin(&a, &y));
            // Both points may be moved to distance 16, 2e-7 under the rim, where eight digits of a distance are left.
            let (before, after) = (ball.distance(&x, &y), ball.distance(&moved_x, &moved_y));
            prop_assert!((before - after).abs() <= 1e-5 * (ball.radius() + before), "{} {}", before, after);
        }

        #[test]
        fn translations_have_inverses(ball in ball(), a in point(), x in point()) {
            let (a, x) = (sized(ball, a), sized(ball, x));
            same(ball, &ball.from_origin(&a, &ball.to_origin(&a, &x)), &x);
            same(ball, &ball.to_origin(&a, &a), &[0.0; 3]);
            same(ball, &ball.from_origin(&a, &[0.0; 3]), &a);
        }

        #[test]
        fn translations_compose_up_to_a_rotation(ball in ball(), a in point(), b in point(), x in point()) {
            // Points at most half the way out, where (a + b) + x still has all its digits.
            let half = |x: [f64; 3]| ball.multiply(0.4, &sized(ball, x));
            let (a, b, x) = (half(a), half(b), half(x));
            let turned = ball.gyration(&a, &b, &x);
            near(ball, norm(&turned), norm(&x));
            same(ball, &ball.add(&a, &ball.add(&b, &x)), &ball.add(&ball.add(&a, &b), &turned));
            // The sum is commutative up to the same rotation.
            same(ball, &ball.add(&a, &b), &ball.gyration(&a, &b, &ball.add(&b, &a)));
        }

        #[test]
        fn logarithm_and_exponential_undo_each_other(ball in ball(), x in point(), y in point()) {
            let (x, y) = (sized(ball, x), sized(ball, y));
            let tangent = ball.log(&x, &y);
            near(ball, ball.conformal_factor(&x) * norm(&tangent), ball.distance(&x, &y));
            same(ball, &ball.exp(&x, &tangent), &y);
            same(ball, &ball.exp_origin(&ball.log_origin(&x)), &x);
            prop_assert_eq!(ball.exp(&x, &[0.0; 3]), x);
        }

        #[test]
        fn geodesics_run_evenly(ball in ball(), x in point(), y in point(), t in 0.0f64..1.0) {
            let (x, y) = (sized(ball, x), sized(ball, y));
            let between = ball.geodesic(&x, &y, t);
            let whole = ball.distance(&x, &y);
            near(ball, ball.distance(&x, &between), t * whole);
            near(ball, ball.distance(&between, &y), (1.0 - t) * whole);
        }

        #[test]
        fn transport_keeps_lengths_and_the_geodesic(ball in ball(), x in point(), y in point(), v in point()) {
            let half = |x: [f64; 3]| ball.multiply(0.4, &sized(ball, x));
            let (x, y, v) = (half(x), half(y), sized(ball, v));
            let moved = ball.transport(&x, &y, &v);
            let length = |x: &[f64], v: &[f64]| ball.conformal_factor(x) * norm(v);
            near(ball, length(&y, &moved), length(&x, &v));
            // The direction towards y becomes the direction away from x.
            let (onward, back) = (ball.transport(&x, &y, &ball.log(&x, &y)), ball.log(&y, &x));
            prop_assert!(norm(&combined(1.0, &onward, 1.0, &back)) <= 1e-7 * (ball.radius() + norm(&back)));
        }

        #[test]
        fn the_midpoint_of_two_is_half_way_and_moves_along(ball in ball(), a in point(), x in point(), y in point()) {
            let half = |x: [f64; 3]| ball.multiply(0.4, &sized(ball, x));
            let (a, x, y) = (half(a), half(x), half(y));
            let middle = ball.midpoint([(2.0, x.as_slice()), (2.0, y.as_slice())]).unwrap();
            same(ball, &middle, &ball.geodesic(&x, &y, 0.5));
            let moved = [(1.0, ball.add(&a, &x)), (3.0, ball.add(&a, &y))];
            let of_moved = ball.midpoint(moved.iter().map(|(weight, x)| (*weight, x.as_slice()))).unwrap();
            let moved_after = ball.add(&a, &ball.midpoint([(1.0, x.as_slice()), (3.0, y.as_slice())]).unwrap());
            same(ball, &of_moved, &moved_after);
        }

        #[test]
        fn flat_in_the_limit(x in point(), y in point()) {
            // c = 1e-10: the remaining effect of the curvature is of this order.
            let ball = Ball::new(1e-10).unwrap();
            let straight = squared_difference(&x, &y).sqrt();
            prop_assert!((ball.distance(&x, &y) - 2.0 * straight).abs() < 1e-8);
            let sum = ball.add(&x, &y);
            prop_assert!(norm(&combined(1.0, &sum, -1.0, &combined(1.0, &x, 1.0, &y))) < 1e-8);
            let step = ball.exp(&x, &y);
            prop_assert!(norm(&combined(1.0, &step, -1.0, &combined(1.0, &x, 1.0, &y))) < 1e-8);
            let middle = ball.midpoint([(1.0, x.as_slice()), (3.0, y.as_slice())]).unwrap();
            prop_assert!(norm(&combined(1.0, &middle, -1.0, &combined(0.25, &x, 0.75, &y))) < 1e-8);
        }
    }

    #[test]
    fn distances_in_closed_form() {
        let ball = Ball::UNIT;
        // 2 artanh r from the centre; under the rim one f64 step grows by 1 / (1 - r).
        for r in [1e-9f64, 1e-3, 0.5, 0.9, 0.999_999] {
            let expected = 2.0 * r.atanh();
            assert!((ball.distance(&[0.0, 0.0], &[0.0, r]) - expected).abs() < 1e-15 * r + 1e-15 * r / (1.0 - r));
        }
        // Right-angled triangle of hyperbolic trigonometry: cosh c = cosh a · cosh b.
        let (x, y) = ([0.3, 0.0], [0.0, 0.8]);
        let leg = |x: &[f64]| ball.distance(&[0.0, 0.0], x).cosh();
        assert!((ball.distance(&x, &y).cosh() - leg(&x) * leg(&y)).abs() < 1e-12);
        // A ball of curvature -4 has half the radius, and half the distances, of the ball of curvature -1.
        let small = Ball::new(4.0).unwrap();
        assert!((small.distance(&[0.15, 0.0], &[0.0, 0.4]) - ball.distance(&x, &y) / 2.0).abs() < 1e-12);
    }

    #[test]
    fn tiny_distances_keep_their_digits() {
        let (x, y) = ([0.5, 0.0], [0.5 + 1e-12, 0.0]);
        // λ(x) = 8 / 3, and 0.5 + 1e-12 is itself rounded to 1e-16.
        assert!((Ball::UNIT.distance(&x, &y) - 8.0 / 3.0 * 1e-12).abs() < 1e-15);
    }

    #[test]
    fn nothing_breaks_on_the_rim_or_beyond() {
        let ball = Ball::UNIT;
        let points = [[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [2.0, 0.0], [1.0 - 1e-16, 0.0], [0.0, 0.0], [1e-300, 0.0]];
        for x in points {
            for y in points {
                let (x, y) = (ball.drawn_in(x.to_vec()), ball.drawn_in(y.to_vec()));
                assert!(ball.distance(&x, &y).is_finite());
                for made in [ball.add(&x, &y), ball.geodesic(&x, &y, 0.5), ball.exp(&x, &[1e3, 0.0])] {
                    assert!(made.iter().all(|one| one.is_finite()) && ball.contains(&made), "{x:?} {y:?} {made:?}");
                }
                assert!(ball.log(&x, &y).iter().all(|one| one.is_finite()));
                assert!(
                    ball.midpoint([(1.0, x.as_slice()), (1.0, y.as_slice())])
                        .is_some_and(|middle| ball.contains(&middle))
                );
            }
        }
    }

    #[test]
    fn only_negative_curvature_makes_a_ball() {
        for curvature in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert_eq!(Ball::new(curvature), None);
        }
        assert_eq!(Ball::UNIT.midpoint([]), None);
    }
}
