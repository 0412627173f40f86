//! `readings.tsv` from the Oracc Sign List's table of readings and the corpora's counts of readings and glyphs.

use std::collections::HashMap;
use std::fmt::Write;
use tuppum_cli::failure::Result;
use tuppum_text::signs::{SignList, fold, glyph_of_parts};

/// Minimum number of times that the corpora must write a reading with another glyph than the sign list to be believed.
const BELIEVED: u32 = 3;

/// The list's name for readings whose sign is not known; `x` among them, which in a text is an illegible sign.
const STAND_IN: &str = "X";

/// A sign with its readings in the order of the sign list.
struct Sign {
    name: String,
    glyph: String,
    readings: Vec<ListedReading>,
}

/// A reading of a sign.
struct ListedReading {
    text: String,
    uncertain: bool,
    marked: bool,
}

/// Returns the table.
///
/// # Errors
/// When a file lacks a column that is needed.
pub fn table(osl_readings: &str, reading_counts: &str) -> Result<String> {
    let mut signs = signs(osl_readings)?;
    let written = commonest_glyphs(reading_counts)?;
    mark(&mut signs, &written);
    add_written(&mut signs, &written);
    let glyphs: HashMap<&str, &str> =
        signs.iter().rev().map(|sign| (sign.name.as_str(), sign.glyph.as_str())).collect();
    let mut table = format!("{}\n", SignList::HEADER);
    for sign in &signs {
        // The list composes such a glyph itself.
        let is_of_parts =
            glyph_of_parts(&sign.name, |part| glyphs.get(part).copied()).is_some_and(|glyph| glyph == sign.glyph);
        let glyph = if is_of_parts { "" } else { &sign.glyph };
        let readings: Vec<String> = sign
            .readings
            .iter()
            .map(|reading| format!("{}{}", reading.text, if reading.marked { "*" } else { "" }))
            .collect();
        let _ = writeln!(table, "{}\t{}\t{}", sign.name, glyph, readings.join(" "));
    }
    Ok(table)
}

/// Returns the rows of a table as maps' worth of cells: the wanted columns, in the order asked.
fn columns<'a, const N: usize>(table: &'a str, file: &str, wanted: [&str; N]) -> Result<Vec<[&'a str; N]>> {
    let mut lines = table.lines();
    let header: Vec<&str> = lines.next().unwrap_or("").split('\t').collect();
    let mut places = [0; N];
    for (place, name) in places.iter_mut().zip(wanted) {
        *place =
            header.iter().position(|column| *column == name).ok_or_else(|| format!("{file} has no column {name:?}"))?;
    }
    Ok(lines
        .map(|line| {
            let cells: Vec<&str> = line.split('\t').collect();
            places.map(|place| cells.get(place).copied().unwrap_or(""))
        })
        .collect())
}

/// Returns a glyph, or nothing where the list has only a stand-in from the private use area, which no font shows.
fn cuneiform(glyph: &str) -> &str {
    if glyph.chars().all(|letter| ('\u{12000}'..='\u{1254F}').contains(&letter)) { glyph } else { "" }
}

/// Returns the signs of the list with their readings.
fn signs(osl_readings: &str) -> Result<Vec<Sign>> {
    let mut signs: Vec<Sign> = Vec::new();
    let mut places: HashMap<&str, usize> = HashMap::new();
    let rows = columns(osl_readings, "osl_readings.tsv", ["reading", "sign", "glyph", "uncertain"])?;
    for [reading, name, glyph, uncertain] in rows {
        if name == STAND_IN {
            continue;
        }
        let place = *places.entry(name).or_insert_with(|| {
            signs.push(Sign { name: name.into(), glyph: cuneiform(glyph).into(), readings: Vec::new() });
            signs.len() - 1
        });
        let reading = ListedReading { text: reading.into(), uncertain: uncertain == "1", marked: false };
        if let Some(sign) = signs.get_mut(place) {
            sign.readings.push(reading);
        }
    }
    Ok(signs)
}

/// Returns, for each folded reading of the corpora, the glyph it is written with most often, the number of times, and
/// the sign's name.
fn commonest_glyphs(reading_counts: &str) -> Result<HashMap<String, (String, u32, String)>> {
    let wanted = ["reading", "glyph", "sign", "oracc", "cdli_old_assyrian", "cdli_other"];
    let mut sums: HashMap<(String, &str), (u32, &str)> = HashMap::new();
    for [reading, glyph, sign, oracc, old_assyrian, other] in columns(reading_counts, "reading_counts.tsv", wanted)? {
        let total = [oracc, old_assyrian, other].iter().map(|cell| cell.parse().unwrap_or(0)).sum::<u32>();
        let inner = fold(reading.trim_start_matches('{').trim_end_matches('}'));
        // The determinatives of one letter stand for signs with longer readings; the list knows them itself.
        if cuneiform(glyph).is_empty() || (reading.starts_with('{') && ["d", "m", "f", "1"].contains(&inner.as_str())) {
            continue;
        }
        let slot = sums.entry((inner, glyph)).or_insert((0, sign));
        slot.0 += total;
    }
    let mut best: HashMap<String, (String, u32, String)> = HashMap::new();
    for ((reading, glyph), (total, sign)) in sums {
        let slot = best.entry(reading).or_default();
        // Equal counts: the smaller glyph, so that every run writes the same table.
        if total > slot.1 || (total == slot.1 && glyph < slot.0.as_str()) {
            *slot = (glyph.into(), total, sign.into());
        }
    }
    Ok(best)
}

/// Marks the sign that a reading means where several have it and it is not the first: that of the corpora's commonest
/// glyph, else the first certain one with a glyph and a simple name.
fn mark(signs: &mut [Sign], written: &HashMap<String, (String, u32, String)>) {
    let mut owners: HashMap<String, Vec<(usize, usize)>> = HashMap::new();
    for (place, sign) in signs.iter().enumerate() {
        for (number, reading) in sign.readings.iter().enumerate() {
            owners.entry(fold(&reading.text)).or_default().push((place, number));
        }
    }
    for (reading, owners) in owners {
        let found = owners.iter().enumerate().min_by_key(|(order, (place, number))| {
            let Some(sign) = signs.get(*place) else { return (true, true, true, *order) };
            let as_written = written.get(&reading).is_some_and(|(glyph, _, _)| *glyph == sign.glyph);
            let uncertain = sign.readings.get(*number).is_none_or(|reading| reading.uncertain);
            (!as_written, uncertain || sign.glyph.is_empty(), sign.name.starts_with('|'), *order)
        });
        if let Some((order, (place, number))) = found
            && order > 0
            && let Some(reading) = signs.get_mut(*place).and_then(|sign| sign.readings.get_mut(*number))
        {
            reading.marked = true;
        }
    }
}

/// Adds readings that the corpora write and the list lacks, or has with another glyph (`MEŠ` as two signs, `15` as
/// three).
fn add_written(signs: &mut Vec<Sign>, written: &HashMap<String, (String, u32, String)>) {
    let mut glyphs: HashMap<String, Vec<(String, String)>> = HashMap::new();
    for sign in signs.iter() {
        for reading in &sign.readings {
            glyphs.entry(fold(&reading.text)).or_default().push((sign.glyph.clone(), sign.name.clone()));
        }
    }
    let mut rows: Vec<(&String, &(String, u32, String))> = written.iter().collect();
    rows.sort();
    for (reading, (glyph, total, name)) in rows {
        let listed = glyphs.get(reading);
        let known = listed.is_some_and(|listed| listed.iter().any(|(listed, _)| listed == glyph));
        if known || (listed.is_some() && *total < BELIEVED) {
            continue;
        }
        let first = listed.and_then(|listed| listed.first()).map(|(_, name)| name);
        let name = if name.is_empty() { first.cloned().unwrap_or_default() } else { name.clone() };
        let added = ListedReading { text: reading.clone(), uncertain: false, marked: listed.is_some() };
        match signs.iter_mut().find(|sign| sign.name == name && sign.glyph == *glyph) {
            Some(sign) => sign.readings.push(added),
            None => signs.push(Sign { name, glyph: glyph.clone(), readings: vec![added] }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OSL: &str = "reading\tsign\tglyph\tcodepoints\tuncertain\tlanguage\n\
        ba\tA\t𒀀\t\t0\t\nbi\tA\t𒀀\t\t1\t\nba\tB\t𒁀\t\t0\t\nbi\tB\t𒁀\t\t0\t\nmeš\t|ME.EŠ|\t󰀱\t\t0\t\n";
    const COUNTS: &str = "reading\tglyph\tsign\toracc\tcdli_old_assyrian\tcdli_other\n\
        BA\t𒁀\tB\t4\t0\t1\nba\t𒀀\tA\t3\t0\t0\nMEŠ\t𒈨𒌍\t\t9\t0\t0\n\
        15\t15\t\t7\t0\t0\n15\t𒌋𒐊\t\t5\t0\t0\n{d}\t𒀭\tAN\t9\t0\t0\n";

    #[test]
    fn readings_go_to_the_sign_that_the_corpora_write() {
        let expected =
            "sign\tglyph\treadings\nA\t𒀀\tba bi\nB\t𒁀\tba* bi*\n|ME.EŠ|\t\tmeš\n\t𒌋𒐊\t15\n|ME.EŠ|\t𒈨𒌍\tmeš*\n";
        assert_eq!(table(OSL, COUNTS).unwrap(), expected);
        let of_parts = format!("{OSL}ab\t|A.B|\t𒀀𒁀\t\t0\t\nba₂\t|B.A|\t𒌍\t\t0\t\n");
        let written = table(&of_parts, COUNTS).unwrap();
        assert!(written.contains("\n|A.B|\t\tab\n|B.A|\t𒌍\tba₂\n"), "{written}");
    }

    #[test]
    fn a_file_without_a_column_is_named() {
        let error = table("reading\tsign\n", COUNTS).unwrap_err();
        assert_eq!(error.to_string(), "osl_readings.tsv has no column \"glyph\"");
    }
}
