//! The table `sign-names.tsv`: the sign or reading of each row of the points.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt::Write;
use tuppum_text::signs::taxonomy::{ReadingCount, SignTree};

/// Returns the signs by falling count, each with its readings by falling count; `*` marks the sign that a reading of
/// several is written with most. Rows whose glyph is no cuneiform (`n`, `o`, stand-ins from the private use area) are
/// left out.
pub fn table(counts: &[ReadingCount]) -> String {
    let mut signs: BTreeMap<&str, BTreeMap<&str, u64>> = BTreeMap::new();
    let mut glyphs: BTreeMap<&str, BTreeMap<&str, u64>> = BTreeMap::new();
    for row in counts.iter().filter(|row| row.count > 0 && is_cuneiform(row.glyph)) {
        *signs.entry(row.glyph).or_default().entry(row.reading).or_default() += row.count;
        *glyphs.entry(row.reading).or_default().entry(row.glyph).or_default() += row.count;
    }
    let mut rows: Vec<(&str, BTreeMap<&str, u64>)> = signs.into_iter().collect();
    // Stable, so that equal counts stay in the order of code points.
    rows.sort_by_key(|(_, readings)| Reverse(readings.values().sum::<u64>()));
    let is_commonest = |reading: &str, glyph: &str| {
        let several = glyphs.get(reading).filter(|glyphs| glyphs.len() > 1);
        several.is_some_and(|glyphs| {
            glyphs.iter().max_by_key(|(glyph, count)| (*count, *glyph)).map(|(glyph, _)| *glyph) == Some(glyph)
        })
    };
    let mut table = format!("{}\n", SignTree::HEADER);
    for (glyph, readings) in rows {
        let mut readings: Vec<(&str, u64)> = readings.into_iter().collect();
        readings.sort_by_key(|(_, count)| Reverse(*count));
        let marked =
            |(reading, _): &(&str, u64)| format!("{reading}{}", if is_commonest(reading, glyph) { "*" } else { "" });
        let readings: Vec<String> = readings.iter().map(marked).collect();
        let _ = writeln!(table, "{glyph}\t{}", readings.join(" "));
    }
    table
}

/// Returns `true` if every letter is a cuneiform sign of Unicode.
fn is_cuneiform(glyph: &str) -> bool {
    !glyph.is_empty() && glyph.chars().all(|letter| ('\u{12000}'..='\u{1254F}').contains(&letter))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_and_readings_by_count() {
        let row = |reading, glyph, count| ReadingCount { reading, glyph, count };
        let counts = [
            row("ba", "𒁀", 2),
            row("an", "𒀭", 3),
            row("{d}", "𒀭", 9),
            row("TA", "𒋫", 5),
            row("TA", "𒋬", 4),
            row("n", "n", 70),
            row("LU₂", "\u{E001}", 8),
            row("never", "𒁀", 0),
        ];
        assert_eq!(table(&counts), "glyph\treadings\n𒀭\t{d} an\n𒋫\tTA*\n𒋬\tTA\n𒁀\tba\n");
    }
}
