//! The points of bytes and signs that come with the page: where a translator begins to learn, and what each is called.

use crate::shell::fetch;
use std::sync::Arc;
use tuppum_plot::known::stored;
use tuppum_text::signs::taxonomy::bytes::FIRST_BYTE;

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

/// Points, and what each stands for: nothing for a token that is no byte, and for a byte that begins at the centre
/// because no reading has it.
#[derive(Debug, PartialEq)]
pub struct NamedPoints {
    /// The points, one after the other.
    pub points: Vec<Vec<f64>>,
    /// Their names.
    pub names: Vec<String>,
}

/// Points as they are shared.
pub type Points = Arc<NamedPoints>;

/// The points that come with the page.
///
/// # Errors
/// What the browser or the server said, or why the file is none of points.
pub async fn shipped(of: Of) -> Result<Points, String> {
    let path = match of {
        Of::Bytes => "assets/byte-points-hard.safetensors",
        Of::Signs => "assets/sign-points.safetensors",
    };
    let points = stored(&fetch::bytes(path).await?, DIMENSIONS).map_err(|reason| format!("{path}: {reason}"))?;
    let names = match of {
        Of::Bytes => points.iter().enumerate().map(|(token, point)| token_name(token, point)).collect(),
        Of::Signs => sign_names(&fetch::text("assets/sign-names.tsv").await?),
    };
    Ok(Arc::new(NamedPoints { points, names }))
}

/// The root, then each sign of the table followed by its readings.
fn sign_names(table: &str) -> Vec<String> {
    let cells = table.lines().skip(1).flat_map(|row| row.split(['\t', ' ']));
    let names = cells.map(|cell| cell.trim_end_matches('*')).filter(|name| !name.is_empty());
    std::iter::once("root").chain(names).map(str::to_owned).collect()
}

fn token_name(token: usize, point: &[f64]) -> String {
    let byte = token.checked_sub(FIRST_BYTE).and_then(|byte| u8::try_from(byte).ok());
    let placed = point.iter().any(|x| x.abs() > 1e-6);
    byte.filter(|_| placed).map(byte_name).unwrap_or_default()
}

/// A letter of one byte as itself, any other byte by its number in hexadecimal.
fn byte_name(byte: u8) -> String {
    if byte.is_ascii_graphic() { char::from(byte).to_string() } else { format!("{byte:02X}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tuppum_text::signs::taxonomy::{Node, SignTree};

    #[test]
    fn tokens_have_names() {
        let (away, centre) = ([0.5, 0.0], [0.0, 0.0]);
        assert_eq!(token_name(FIRST_BYTE + usize::from(b'a'), &away), "a");
        assert_eq!(token_name(FIRST_BYTE + 0xC5, &away), "C5");
        assert_eq!(token_name(FIRST_BYTE + usize::from(b'a'), &centre), "");
        assert_eq!((token_name(1, &away), token_name(300, &away)), (String::new(), String::new()));
    }

    #[test]
    fn every_sign_point_has_the_name_of_its_node() {
        let names = sign_names(include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/geometry/sign-names.tsv")));
        let nodes = (0..names.len()).map(|number| match SignTree::shared().node(number as u32) {
            Node::Root => "root",
            Node::Sign(name) | Node::Reading(name) => name,
        });
        assert!(names.iter().eq(nodes));
        let bytes = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/geometry/sign-points.safetensors"));
        assert_eq!(stored(bytes, DIMENSIONS).unwrap().len(), names.len());
    }
}
