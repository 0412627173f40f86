//! Maps between the models of the space: Poincaré's ball, Lorentz's hyperboloid, Klein's ball; all of curvature -c.
//!
//! Cannon, Floyd, Kenyon and Parry, "Hyperbolic geometry" (1997), section 7, with the curvature inserted. All maps are
//! isometries.

use super::vector::{dot, scaled};
use super::{Ball, Hyperboloid};

/// Maps Poincaré's ball to the hyperboloid: (1/√c · (1 + c|x|²), 2x) / (1 - c|x|²). The result has one coordinate more,
/// the time-like one, which comes first.
pub fn ball_to_hyperboloid(ball: Ball, x: &[f64]) -> Vec<f64> {
    let factor = ball.conformal_factor(x);
    // (1 + c|x|²) / (1 - c|x|²) = λ - 1.
    [&[ball.radius() * (factor - 1.0)], scaled(factor, x).as_slice()].concat()
}

/// Maps the hyperboloid to Poincaré's ball: x / (1 + √c·x₀).
pub fn hyperboloid_to_ball(hyperboloid: Hyperboloid, x: &[f64]) -> Vec<f64> {
    let Some((time, space)) = x.split_first() else { return Vec::new() };
    scaled(1.0 / (1.0 + hyperboloid.curvature().sqrt() * time), space)
}

/// Maps Poincaré's ball to Klein's: 2x / (1 + c|x|²).
pub fn ball_to_klein(ball: Ball, x: &[f64]) -> Vec<f64> {
    scaled(2.0 / (1.0 + ball.curvature() * dot(x, x)), x)
}

/// Maps Klein's ball to Poincaré's: x / (1 + √(1 - c|x|²)).
pub fn klein_to_ball(ball: Ball, x: &[f64]) -> Vec<f64> {
    scaled(1.0 / (1.0 + (1.0 - ball.curvature() * dot(x, x)).max(0.0).sqrt()), x)
}

/// Maps the hyperboloid to Klein's ball: x / (√c·x₀).
pub fn hyperboloid_to_klein(hyperboloid: Hyperboloid, x: &[f64]) -> Vec<f64> {
    let Some((time, space)) = x.split_first() else { return Vec::new() };
    scaled(1.0 / (hyperboloid.curvature().sqrt() * time), space)
}

/// Maps Klein's ball to the hyperboloid: (1/√c, x) / √(1 - c|x|²). Points on the rim have no image; points just under
/// the rim take their place.
pub fn klein_to_hyperboloid(hyperboloid: Hyperboloid, x: &[f64]) -> Vec<f64> {
    let c = hyperboloid.curvature();
    let below = (1.0 - c * dot(x, x)).max(super::ball::EDGE).sqrt();
    [&[1.0 / (c.sqrt() * below)], scaled(1.0 / below, x).as_slice()].concat()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Random;
    use crate::vector::{combined, norm, squared_difference};

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
            let (lorentz, klein) = (ball_to_hyperboloid(ball, x), ball_to_klein(ball, x));
            same(&hyperboloid_to_ball(hyperboloid, &lorentz), x);
            same(&klein_to_ball(ball, &klein), x);
            same(&hyperboloid_to_klein(hyperboloid, &lorentz), &klein);
            same(&klein_to_hyperboloid(hyperboloid, &klein), &lorentz);
            same(&hyperboloid.lifted(&lorentz[1..]), &lorentz);
        });
    }

    #[test]
    fn distances_are_the_same_in_both_models() {
        each(|ball, hyperboloid, x, y| {
            let lorentz = hyperboloid.distance(&ball_to_hyperboloid(ball, x), &ball_to_hyperboloid(ball, y));
            let here = ball.distance(x, y);
            assert!((lorentz - here).abs() < 1e-9 * (1.0 + here), "{lorentz} {here}");
        });
    }

    #[test]
    fn a_boost_is_a_moebius_translation() {
        each(|ball, hyperboloid, x, y| {
            let boosted = hyperboloid.boost(&ball_to_hyperboloid(ball, x), &ball_to_hyperboloid(ball, y));
            let seen = hyperboloid_to_ball(hyperboloid, &boosted);
            assert!(ball.distance(&seen, &ball.add(x, y)) < 1e-6 * ball.radius(), "{seen:?}");
        });
    }

    #[test]
    fn geodesics_are_straight_in_klein_s_ball() {
        each(|ball, _, x, y| {
            let on = |t: f64| ball_to_klein(ball, &ball.geodesic(x, y, t));
            let (start, middle, end) = (on(0.0), on(0.3), on(1.0));
            let (one, whole) = (combined(1.0, &middle, -1.0, &start), combined(1.0, &end, -1.0, &start));
            let aside = norm(&combined(1.0, &one, -dot(&one, &whole) / dot(&whole, &whole), &whole));
            assert!(aside < 1e-8 * ball.radius(), "{aside}");
        });
    }
}
