//! The points of bytes and signs that come with the page: where a translator begins to learn, and what each is called.

use crate::kit::files;
use std::sync::Arc;
use tuppum_plot::known::stored;
use tuppum_text::signs::taxonomy::{Node, SignTree, bytes::FIRST_BYTE};

/// Coordinates of a point.
const DIMENSIONS: usize = 32;

/// What has a point.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Of {
    /// The tokens of a model over bytes.
    #[default]
    Bytes,
    /// Signs and readings.
    Signs,
}

/// Points, one after the other.
pub type Points = Arc<Vec<Vec<f64>>>;

/// The points that come with the page.
///
/// # Errors
/// What the browser or the server said, or why the file is none of points.
pub async fn shipped(of: Of) -> Result<Points, String> {
    let path = match of {
        Of::Bytes => "assets/byte-points-hard.safetensors",
        Of::Signs => "assets/sign-points.safetensors",
    };
    let points = stored(&files::fetch_bytes(path).await?, DIMENSIONS).map_err(|reason| format!("{path}: {reason}"))?;
    Ok(Arc::new(points))
}

/// What a point stands for; empty for a token that is no byte and for a byte that begins at the centre because no
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

/// A letter of one byte as itself, any other byte by its number in hexadecimal.
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
