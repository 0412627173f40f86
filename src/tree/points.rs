//! Points of bytes and signs that come with the page, where the training of a translator begins, with their names.

use crate::shell::fetch;
use std::sync::Arc;
use tuppum_plot::known::stored;
use tuppum_text::signs::taxonomy::{Node, SignTree, bytes::FIRST_BYTE};

/// Number of coordinates of a point.
const DIMENSIONS: usize = 32;

/// Kind of things that have points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Of {
    /// Tokens of a model over bytes.
    #[default]
    Bytes,
    /// Signs and readings.
    Signs,
}

/// Coordinates of every point.
pub type Points = Arc<Vec<Vec<f64>>>;

/// Fetches the points that come with the page.
///
/// # Errors
/// The message of browser or server, or the reason why the file holds no points.
pub async fn shipped(of: Of) -> Result<Points, String> {
    let path = match of {
        Of::Bytes => "assets/byte-points-hard.safetensors",
        Of::Signs => "assets/sign-points.safetensors",
    };
    let points = stored(&fetch::bytes(path).await?, DIMENSIONS).map_err(|reason| format!("{path}: {reason}"))?;
    Ok(Arc::new(points))
}

/// Returns the name of a point; empty for a token that is no byte, and for a byte that begins at the centre because no
/// reading has it.
pub fn name(of: Of, number: usize, point: &[f64]) -> String {
    match of {
        Of::Signs => match SignTree::shared().node(u32::try_from(number).unwrap_or(0)) {
            Node::Root => "root".to_owned(),
            Node::Sign(name) | Node::Reading(name) => name.to_owned(),
        },
        Of::Bytes => {
            let byte = number.checked_sub(FIRST_BYTE).and_then(|byte| u8::try_from(byte).ok());
            let placed = point.iter().any(|x| x.abs() > 1e-6);
            byte.filter(|_| placed).map(byte_name).unwrap_or_default()
        }
    }
}

/// Returns a letter of one byte as itself, any other byte in hexadecimal.
fn byte_name(byte: u8) -> String {
    if byte.is_ascii_graphic() { char::from(byte).to_string() } else { format!("{byte:02X}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_have_names() {
        let (away, centre) = ([0.5, 0.0], [0.0, 0.0]);
        assert_eq!(name(Of::Bytes, FIRST_BYTE + usize::from(b'a'), &away), "a");
        assert_eq!(name(Of::Bytes, FIRST_BYTE + 0xC5, &away), "C5");
        assert_eq!(name(Of::Bytes, FIRST_BYTE + usize::from(b'a'), &centre), "");
        assert_eq!((name(Of::Bytes, 1, &away), name(Of::Bytes, 300, &away)), (String::new(), String::new()));
        assert_eq!((name(Of::Signs, 0, &centre).as_str(), name(Of::Signs, 1, &away).as_str()), ("root", "𒀀"));
    }

    #[test]
    fn every_sign_point_has_a_node() {
        let bytes = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/geometry/sign-points.safetensors"));
        assert_eq!(stored(bytes, DIMENSIONS).unwrap().len(), SignTree::shared().len());
    }
}
