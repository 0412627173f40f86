//! The model as a pack: the letters of its classes; its features, one per line; the numbers of classes; the points of
//! features.
//!
//! A point of a feature is one byte for its scale, 2^(e / 8 - 24), and one byte per coordinate, in 1/127 of the scale.
//! Bytes of the same coordinate are stored together, which compresses better.

use super::model::{NameClasses, NameModel, NameModelError, NameModelParts};
use crate::attested::{PackError, Sections, write_sections};

const KINDS: &str = "kinds of names";
const FEATURES: &str = "features of names";
const CLASSES: &str = "points of kinds";
const POINTS: &str = "points of features";

/// Largest number of steps of a coordinate, on either side of zero.
const MAX_STEPS: f32 = 127.0;

impl NameModel {
    /// Writes the model as a file. Points are rounded, so that the model read back proposes nearly the same.
    pub fn write(&self) -> Vec<u8> {
        let parts = &self.parts;
        let mut classes = vec![parts.dimension as u8];
        let numbers = parts.classes.iter().chain(&parts.biases).chain([&parts.temperature]);
        numbers.for_each(|number| classes.extend(number.to_le_bytes()));
        let scales: Vec<u8> = parts.points.chunks(parts.dimension).map(scale_of).collect();
        let mut points = scales.clone();
        for coordinate in 0..parts.dimension {
            for (point, exponent) in parts.points.chunks(parts.dimension).zip(&scales) {
                let steps = (point[coordinate] / scale(*exponent) * MAX_STEPS).round().clamp(-MAX_STEPS, MAX_STEPS);
                points.push((steps as i8).to_le_bytes()[0]);
            }
        }
        write_sections(&[
            (KINDS, NameClasses::letters().into_bytes()),
            (
                FEATURES,
                parts.features.iter().flat_map(|feature| [feature.as_str(), "\n"]).collect::<String>().into_bytes(),
            ),
            (CLASSES, classes),
            (POINTS, points),
        ])
    }

    /// Reads a model.
    ///
    /// # Errors
    /// Fails if the bytes are not a pack of such a model, have another version, are cut off or damaged.
    pub fn read(bytes: &[u8]) -> Result<Self, NameModelError> {
        let sections = Sections::read(bytes)?;
        let (found, known) = (sections.text(KINDS)?, NameClasses::letters());
        if found != known {
            return Err(NameModelError::Kinds { found, known });
        }
        let classes = sections.bytes(CLASSES)?;
        let (dimension, rest) = classes.split_first().ok_or(PackError::Damaged { section: CLASSES })?;
        let dimension = usize::from(*dimension);
        let needed = NameClasses::COUNT * (dimension + 1) + 1;
        if rest.len() != 4 * needed {
            return Err(NameModelError::Count { what: "bytes of kinds", found: rest.len(), needed: 4 * needed });
        }
        let mut numbers = rest.as_chunks::<4>().0.iter().map(|four| f32::from_le_bytes(*four));
        let classes = numbers.by_ref().take(NameClasses::COUNT * dimension).collect();
        let biases = numbers.by_ref().take(NameClasses::COUNT).collect();
        let temperature = numbers.next().unwrap_or_default();
        // Check the number of points before allocating room for them.
        let bytes = sections.bytes(POINTS)?;
        let features: Vec<String> = sections.text(FEATURES)?.lines().map(str::to_owned).collect();
        let needed = features.len() * (dimension + 1);
        if bytes.len() != needed {
            return Err(NameModelError::Count { what: "bytes of features", found: bytes.len(), needed });
        }
        let (scales, steps) = bytes.split_at(features.len());
        let mut points = Vec::with_capacity(features.len() * dimension);
        for (number, exponent) in scales.iter().enumerate() {
            let of = |coordinate: usize| f32::from(i8::from_le_bytes([steps[coordinate * features.len() + number]]));
            points.extend((0..dimension).map(|coordinate| of(coordinate) / MAX_STEPS * scale(*exponent)));
        }
        Self::new(NameModelParts { dimension, features, points, classes, biases, temperature })
    }
}

/// Returns the length that a byte stands for.
fn scale(exponent: u8) -> f32 {
    (f32::from(exponent) / 8.0 - 24.0).exp2()
}

/// Returns the smallest scale that fits the point's coordinates.
fn scale_of(point: &[f32]) -> u8 {
    let longest = point.iter().fold(0.0_f32, |most, one| most.max(one.abs()));
    ((longest.log2() + 24.0) * 8.0).ceil().clamp(0.0, 255.0) as u8
}
