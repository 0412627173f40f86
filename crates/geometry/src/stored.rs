//! Points as the assets keep them: a file of safetensors with one tensor of f32, a row for each point.

/// The points of a file; `dimension` is the length of a row.
///
/// # Errors
/// A sentence that says why these bytes are no such file.
pub fn points(bytes: &[u8], dimension: usize) -> Result<Vec<Vec<f64>>, String> {
    let (length, rest) = bytes.split_first_chunk::<8>().ok_or("the file of points is too short")?;
    let length = usize::try_from(u64::from_le_bytes(*length)).unwrap_or(usize::MAX);
    let (header, data) = rest.split_at_checked(length).ok_or("the file of points is shorter than its header says")?;
    if !header.starts_with(b"{") || !header.windows(5).any(|part| part == b"\"F32\"") {
        return Err("the file of points is no safetensors of f32".into());
    }
    numbers(data, dimension)
}

/// Points from the bytes of little-endian f32.
fn numbers(data: &[u8], dimension: usize) -> Result<Vec<Vec<f64>>, String> {
    let (values, rest) = data.as_chunks::<4>();
    if !rest.is_empty() || dimension == 0 || !values.len().is_multiple_of(dimension) {
        return Err(format!("{} bytes are no rows of {dimension} numbers", data.len()));
    }
    let values: Vec<f64> = values.iter().map(|value| f64::from(f32::from_le_bytes(*value))).collect();
    if values.iter().any(|value| !value.is_finite()) {
        return Err("a coordinate is no finite number".into());
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
        let check = |bytes: &[u8], said: &str| assert!(points(bytes, 32).unwrap_err().contains(said));
        check(b"abc", "too short");
        check(&SHIPPED[..40], "shorter than its header");
        check(b"\x02\0\0\0\0\0\0\0{}", "no safetensors of f32");
        check(&SHIPPED[..SHIPPED.len() - 4], "are no rows of 32");
        assert!(points(b"<html>a captive portal</html>", 32).is_err());
    }
}
