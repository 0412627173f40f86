//! Points as the assets store them: a safetensors file with one f32 tensor, one row per point.

use thiserror::Error;

/// Reason why bytes are not a file of points.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum PointsError {
    /// The file is shorter than the length field of a header.
    #[error("the file of points is too short")]
    TooShort,
    /// The header is incomplete.
    #[error("the file of points is shorter than its header says")]
    CutOff,
    /// The header is not that of a safetensors file.
    #[error("the file of points is no safetensors of f32")]
    NoSafetensors,
    /// The numbers do not fill whole rows.
    #[error("{bytes} bytes are no rows of {dimension} numbers")]
    Rows {
        /// Number of bytes of all numbers.
        bytes: usize,
        /// Number of numbers in a row.
        dimension: usize,
    },
    /// A number is infinite or NaN.
    #[error("a coordinate is no finite number")]
    NotFinite,
}

/// Reads the points of a file; `dimension` is the length of a row.
///
/// # Errors
/// [`PointsError`] says why these bytes are not such a file.
pub fn points(bytes: &[u8], dimension: usize) -> Result<Vec<Vec<f64>>, PointsError> {
    let (length, rest) = bytes.split_first_chunk::<8>().ok_or(PointsError::TooShort)?;
    let length = usize::try_from(u64::from_le_bytes(*length)).unwrap_or(usize::MAX);
    let (header, data) = rest.split_at_checked(length).ok_or(PointsError::CutOff)?;
    if !header.starts_with(b"{") || !header.windows(5).any(|part| part == b"\"F32\"") {
        return Err(PointsError::NoSafetensors);
    }
    numbers(data, dimension)
}

/// Reads points from the bytes of little-endian f32.
fn numbers(data: &[u8], dimension: usize) -> Result<Vec<Vec<f64>>, PointsError> {
    let (values, rest) = data.as_chunks::<4>();
    if !rest.is_empty() || dimension == 0 || !values.len().is_multiple_of(dimension) {
        return Err(PointsError::Rows { bytes: data.len(), dimension });
    }
    let values: Vec<f64> = values.iter().map(|value| f64::from(f32::from_le_bytes(*value))).collect();
    if values.iter().any(|value| !value.is_finite()) {
        return Err(PointsError::NotFinite);
    }
    Ok(values.chunks(dimension).map(<[f64]>::to_vec).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHIPPED: &[u8] =
        include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/geometry/byte-points-hard.safetensors"));

    #[test]
    fn the_shipped_points_are_read() {
        let found = points(SHIPPED, 32).unwrap();
        assert_eq!(found.len(), 384);
        assert!(found.iter().all(|point| point.iter().map(|x| x * x).sum::<f64>() < 1.0));
        assert!(found[100].iter().any(|x| *x != 0.0));
    }

    #[test]
    fn other_files_are_refused() {
        let check = |bytes: &[u8], said: &str| assert!(points(bytes, 32).unwrap_err().to_string().contains(said));
        check(b"abc", "too short");
        check(&SHIPPED[..40], "shorter than its header");
        check(b"\x02\0\0\0\0\0\0\0{}", "no safetensors of f32");
        check(&SHIPPED[..SHIPPED.len() - 4], "are no rows of 32");
        assert!(points(b"<html>a captive portal</html>", 32).is_err());
    }
}
