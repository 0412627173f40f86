//! A safetensors file of one table of points.

use std::path::Path;
use tuppum_cli::failure::{About, Result};

/// The tensor's name in the file and in a model.
const NAME: &str = "geometry.points";

/// Writes rows of equal length as an f32 tensor, and prints the name of the file.
///
/// # Errors
/// A sentence that names the file.
pub fn write(path: &Path, rows: &[Vec<f32>]) -> Result<()> {
    std::fs::write(path, bytes(rows)).cannot("be written", path)?;
    eprintln!("{}: {} points", path.display(), rows.len());
    Ok(())
}

/// Returns the file: length of the header, header, numbers. The header is filled with spaces to a multiple of 8 bytes.
fn bytes(rows: &[Vec<f32>]) -> Vec<u8> {
    let columns = rows.first().map_or(0, Vec::len);
    let length = 4 * rows.len() * columns;
    let mut header =
        format!(r#"{{"{NAME}":{{"dtype":"F32","shape":[{},{columns}],"data_offsets":[0,{length}]}}}}"#, rows.len());
    while header.len() % 8 != 0 {
        header.push(' ');
    }
    let mut bytes = (header.len() as u64).to_le_bytes().to_vec();
    bytes.extend(header.as_bytes());
    bytes.extend(rows.iter().flatten().flat_map(|one| one.to_le_bytes()));
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;
    use tuppum_weights::safetensors::{Header, floats};

    #[test]
    fn what_is_written_is_read_back() {
        let file = bytes(&[vec![1.0, -0.5], vec![0.25, 0.0], vec![2.0, 3.0]]);
        let data = 8 + u64::from_le_bytes(file[..8].try_into().unwrap()) as usize;
        assert_eq!(data % 8, 0);
        let header = Header::parse(&file[8..data]).unwrap();
        assert_eq!(header.file_bytes() as usize, file.len());
        let tensor = header.tensor(NAME).unwrap();
        assert_eq!(tensor.shape, [3, 2]);
        assert_eq!(floats(tensor, &file[data..]), Ok(vec![1.0, -0.5, 0.25, 0.0, 2.0, 3.0]));
    }
}
