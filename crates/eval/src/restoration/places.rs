//! Which signs are masked, read from a table that another program wrote.

use tuppum_train::sequences::{Kind, Sequence};

/// Reads a table whose first two columns are `sequence` and `place`; sequences beyond the table have no places.
///
/// # Errors
/// A sentence that names the row, also when a place is no legible sign: then the table belongs to another corpus, or to
/// another limit or window.
pub fn read_places(table: &str, sequences: &[Sequence]) -> Result<Vec<Vec<usize>>, String> {
    let mut places = vec![Vec::new(); sequences.len()];
    let mut lines = table.lines().enumerate();
    if !lines.next().is_some_and(|(_, header)| header.starts_with("sequence\tplace")) {
        return Err("a table of positions begins with the columns \"sequence\" and \"place\"".into());
    }
    for (number, line) in lines {
        let mut cells = line.split('\t').map(|cell| cell.parse::<usize>().ok());
        let (Some(Some(sequence)), Some(Some(place))) = (cells.next(), cells.next()) else {
            return Err(format!("row {}: {line:?} does not begin with two numbers", number + 1));
        };
        let kind = sequences.get(sequence).and_then(|sequence| sequence.kinds.get(place));
        if kind != Some(&Kind::Read) {
            return Err(format!(
                "row {}: place {place} of sequence {sequence} is no preserved sign; the table is of another corpus, \
                 limit, window or vocabulary",
                number + 1
            ));
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
        let kinds = vec![Kind::Special, Kind::Read, Kind::Restored, Kind::Read];
        vec![Sequence { ids: vec![8, 10, 11, 12], kinds }; 2_000]
    }

    #[test]
    fn tables_of_positions() {
        let table = "sequence\tplace\ttarget\n1\t3\t12\n1\t1\t10\n";
        let places = read_places(table, &sequences()[..3]);
        assert_eq!(places, Ok(vec![vec![], vec![1, 3], vec![]]));
        let message =
            |rows: &str| read_places(&format!("sequence\tplace\n{rows}"), &sequences()[..3]).err().unwrap_or_default();
        assert!(message("0\t2\n").starts_with("row 2: place 2 of sequence 0 is no preserved sign"));
        assert!(message("9\t1\n").starts_with("row 2: place 1 of sequence 9"));
        assert!(message("one\n").starts_with("row 2: \"one\" does not begin with two numbers"));
        assert!(read_places("place\n", &[]).is_err());
    }
}
