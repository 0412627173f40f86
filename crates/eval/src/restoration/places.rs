//! Places of masked signs, from a table that another program wrote.

use crate::error::PlacesError;
use tuppum_train::sequences::{Sequence, TokenKind};

/// Reads a table whose first two columns are `sequence` and `place`; sequences beyond the table have no places.
///
/// # Errors
/// [`PlacesError`] names the row, also if a place is no legible sign: the table then belongs to another corpus, limit
/// or window.
pub fn read_places(table: &str, sequences: &[Sequence]) -> Result<Vec<Vec<usize>>, PlacesError> {
    let mut places = vec![Vec::new(); sequences.len()];
    let mut lines = table.lines().enumerate();
    if !lines.next().is_some_and(|(_, header)| header.starts_with("sequence\tplace")) {
        return Err(PlacesError::Header);
    }
    for (number, line) in lines {
        let mut cells = line.split('\t').map(|cell| cell.parse::<usize>().ok());
        let (Some(Some(sequence)), Some(Some(place))) = (cells.next(), cells.next()) else {
            return Err(PlacesError::NoNumbers { row: number + 1, line: line.to_owned() });
        };
        let kind = sequences.get(sequence).and_then(|sequence| sequence.kinds.get(place));
        if kind != Some(&TokenKind::Read) {
            return Err(PlacesError::NoSign { row: number + 1, place, sequence });
        }
        if let Some(places) = places.get_mut(sequence) {
            places.push(place);
        }
    }
    places.iter_mut().for_each(|places| {
        places.sort_unstable();
        places.dedup();
    });
    Ok(places)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sequences() -> Vec<Sequence> {
        let kinds = vec![TokenKind::Special, TokenKind::Read, TokenKind::Restored, TokenKind::Read];
        vec![Sequence { ids: vec![8, 10, 11, 12], kinds }; 2_000]
    }

    #[test]
    fn tables_of_positions() {
        let table = "sequence\tplace\ttarget\n1\t3\t12\n1\t1\t10\n";
        let places = read_places(table, &sequences()[..3]);
        assert_eq!(places, Ok(vec![vec![], vec![1, 3], vec![]]));
        let message =
            |rows: &str| read_places(&format!("sequence\tplace\n{rows}"), &sequences()[..3]).unwrap_err().to_string();
        assert!(message("0\t2\n").starts_with("row 2: place 2 of sequence 0 is no preserved sign"));
        assert!(message("9\t1\n").starts_with("row 2: place 1 of sequence 9"));
        assert!(message("one\n").starts_with("row 2: \"one\" does not begin with two numbers"));
        assert!(read_places("place\n", &[]).is_err());
    }
}
