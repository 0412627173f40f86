//! Tests that the page's own font has every sign that the page can show: no sign of the assets lies outside the ranges
//! of `style/fonts.css`, which were read from the font when it was added.

use std::collections::BTreeSet;
use std::fs;
use std::ops::RangeInclusive;

/// First code point of cuneiform in Unicode.
const CUNEIFORM: u32 = 0x12000;
/// Tables whose signs the page shows.
const TABLES: [&str; 2] = ["assets/signs/readings.tsv", "assets/hierarchy/tree.tsv"];

/// Returns the ranges of `unicode-range` in the style sheet: `U+12000-12399, U+12400-1246E, …`.
fn promised() -> Vec<RangeInclusive<u32>> {
    let style = fs::read_to_string(tuppum_testing::project("style/fonts.css")).unwrap();
    let ranges = style.split_once("unicode-range:").unwrap().1.split_once(';').unwrap().0.to_owned();
    let number = |digits: &str| u32::from_str_radix(digits, 16).unwrap();
    let range = |range: &str| {
        let (first, last) = range.trim().strip_prefix("U+").unwrap().split_once('-').unwrap();
        number(first)..=number(last)
    };
    ranges.split(',').map(range).collect()
}

#[test]
fn every_sign_of_the_assets_has_a_glyph() {
    let promised = promised();
    for table in TABLES {
        let text = fs::read_to_string(tuppum_testing::project(table)).unwrap();
        let signs: BTreeSet<char> = text.chars().filter(|letter| u32::from(*letter) >= CUNEIFORM).collect();
        assert!(signs.len() > 400, "{table} has only {} signs", signs.len());
        let missing: Vec<char> =
            signs.into_iter().filter(|sign| !promised.iter().any(|range| range.contains(&u32::from(*sign)))).collect();
        assert!(missing.is_empty(), "{table}: no glyph for {missing:?}");
    }
}
