//! A new hyperbolic bias for any translator: its points from the assets, over bytes or over signs.

use crate::error::FitError;
use tuppum_domain::translation::bias::{BiasPoints, BiasSettings};
use tuppum_geometry::stored;
use tuppum_nn::byt5::{BALL_DIMENSIONS, ByT5, GeometryLevel, HyperbolicBias};

const HARD: &[u8] =
    include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/geometry/byte-points-hard.safetensors"));
const SOFT: &[u8] =
    include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/geometry/byte-points-soft.safetensors"));

/// Returns the file of these points if it is compiled into the program. Points over signs are ten times as many and
/// must be supplied by the caller.
pub fn held(points: BiasPoints) -> Option<&'static [u8]> {
    match points {
        BiasPoints::Hard | BiasPoints::Flat => Some(HARD),
        BiasPoints::Soft => Some(SOFT),
        BiasPoints::Signs | BiasPoints::Context => None,
    }
}

/// Gives a model this bias, with the points of a file, in place of its own. No other number of the model changes. A
/// token that the points over bytes do not contain is put at the centre.
///
/// # Errors
/// [`FitError::BiasLayers`] when the model has fewer encoder blocks, [`FitError::Points`] when the file does not hold
/// points or a point lies outside the ball.
pub fn attach(model: &mut ByT5, bias: &BiasSettings, file: &[u8]) -> Result<(), FitError> {
    let (asked, layers) = (bias.layers, model.config().num_layers);
    if asked > layers {
        return Err(FitError::BiasLayers { asked, layers });
    }
    let wrong = |problem: &dyn std::fmt::Display| FitError::Points(problem.to_string());
    let rows = stored::points(file, BALL_DIMENSIONS).map_err(|problem| wrong(&problem))?;
    let curvature = bias.space();
    // The file has points of the ball of radius 1; a ball of another curvature is larger or smaller.
    let scale = if curvature > 0.0 { curvature.sqrt().recip() } else { 1.0 };
    let mut points: Vec<f32> = rows.into_iter().flatten().map(|x| (x * scale) as f32).collect();
    let level = if bias.points.are_over_signs() { GeometryLevel::Sign } else { GeometryLevel::Byte };
    if level == GeometryLevel::Byte {
        points.resize(model.config().vocab_size * BALL_DIMENSIONS, 0.0);
    }
    let device = model.device();
    let geometry = HyperbolicBias::new(points, BALL_DIMENSIONS, bias.alpha, asked, curvature, &device);
    model.attach_over(geometry.map_err(|problem| wrong(&problem))?, level);
    Ok(())
}

#[cfg(test)]
#[path = "bias_tests.rs"]
mod tests;
