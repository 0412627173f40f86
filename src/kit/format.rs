//! Numbers and positions in words for the reader.

use tuppum_protocol::Phase;

/// Formats a probability as a percentage with two significant digits, never rounded to 0 or 100.
pub fn percent(probability: f32) -> String {
    let percent = probability * 100.0;
    match percent {
        p if p.is_nan() => "unknown".into(),
        p if p >= 99.95 => "> 99.9\u{202f}%".into(),
        p if p >= 9.95 => format!("{p:.0}\u{202f}%"),
        p if p >= 0.05 => format!("{p:.1}\u{202f}%"),
        _ => "< 0.1\u{202f}%".into(),
    }
}

/// Capitalises the first letter of English words.
pub fn capital(words: &str) -> String {
    let mut words = words.to_owned();
    if let Some(first) = words.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    words
}

/// Formats bytes in megabytes of 1,000,000 bytes.
pub fn megabytes(bytes: u64) -> String {
    let tenths = bytes.saturating_add(50_000) / 100_000;
    format!("{}.{}\u{202f}MB", tenths / 10, tenths % 10)
}

/// Formats bytes in the unit that suits their size.
pub fn bytes(bytes: u64) -> String {
    match bytes {
        1_000_000_000.. => format!("{:.2}\u{202f}GB", bytes as f64 / 1e9),
        100_000.. => megabytes(bytes),
        _ => format!("{:.1}\u{202f}kB", bytes as f64 / 1e3),
    }
}

/// Formats a count with thin spaces between thousands.
pub fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3 * 3);
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push('\u{202f}');
        }
        text.push(digit);
    }
    text
}

/// Formats a count with its noun: "1 sign", "2 signs".
pub fn plural(number: usize, one: &str, many: &str) -> String {
    format!("{} {}", count(number as u64), if number == 1 { one } else { many })
}

/// Estimates the remaining time from the pace so far; `None` until enough is done.
pub fn time_left(done: u64, total: u64, elapsed_ms: f64) -> Option<String> {
    if done == 0 || total <= done || elapsed_ms < 1_500.0 {
        return None;
    }
    let seconds = elapsed_ms / 1_000.0 * (total - done) as f64 / done as f64;
    Some(match seconds {
        s if s < 5.0 => "a few seconds left".into(),
        s if s < 90.0 => format!("about {:.0} s left", (s / 5.0).ceil() * 5.0),
        s => format!("about {:.0} min left", (s / 60.0).ceil()),
    })
}

/// Names a phase for the progress line.
pub fn phase(phase: Phase) -> &'static str {
    match phase {
        Phase::Device => "Looking for a device",
        Phase::Download => "Fetching the model",
        Phase::Read => "Reading the model",
        Phase::WarmUp => "Warming up",
        Phase::SelfTest => "Testing against known results",
        Phase::Singles => "Each gap on its own",
        Phase::Lengths => "Breaks of unknown length",
        Phase::Joint => "All gaps together",
        Phase::Influence => "Finding the signs that the proposal depends on",
        Phase::Translate => "Translating",
        Phase::Attention => "Computing the attention",
        Phase::Train => "Training",
        Phase::Validate => "Measuring on what was set aside",
        Phase::Samples => "Translating samples",
        Phase::Checkpoint => "Saving a checkpoint",
    }
}

/// Formats the share done: bytes for files of a model, counts for everything else, an empty text if nothing is counted.
pub fn progress(phase: Phase, done: u64, total: u64) -> String {
    match (phase, total) {
        (_, 0) if done == 0 => String::new(),
        (Phase::Download | Phase::Read, 0) => megabytes(done),
        (Phase::Download | Phase::Read, 1_000_000_000..) => format!("{} of {}", bytes(done), bytes(total)),
        (Phase::Download | Phase::Read, _) => format!("{} of {}", megabytes(done), megabytes(total)),
        (_, 0) => count(done),
        _ => format!("{} of {}", count(done), count(total)),
    }
}

/// Returns line and column of a byte, both counted from 1; columns count characters.
pub fn line_and_column(source: &str, byte: usize) -> (usize, usize) {
    let before = &source[..floor_boundary(source, byte)];
    let start = before.rfind('\n').map_or(0, |place| place + 1);
    (before.matches('\n').count() + 1, before[start..].chars().count() + 1)
}

/// Converts a byte offset to UTF-16 units, which browsers count.
pub fn utf16_offset(source: &str, byte: usize) -> u32 {
    let units = source[..floor_boundary(source, byte)].encode_utf16().count();
    u32::try_from(units).unwrap_or(u32::MAX)
}

/// Converts an offset in UTF-16 units to a byte offset.
pub fn byte_offset(source: &str, utf16: u32) -> usize {
    let mut units = 0;
    for (byte, letter) in source.char_indices() {
        if units >= utf16 as usize {
            return byte;
        }
        units += letter.len_utf16();
    }
    source.len()
}

fn floor_boundary(source: &str, byte: usize) -> usize {
    let mut byte = byte.min(source.len());
    while !source.is_char_boundary(byte) {
        byte -= 1;
    }
    byte
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentages_never_claim_certainty() {
        for (probability, expected) in
            [(0.342, "34\u{202f}%"), (0.0418, "4.2\u{202f}%"), (0.9999, "> 99.9\u{202f}%"), (0.0001, "< 0.1\u{202f}%")]
        {
            assert_eq!(percent(probability), expected);
        }
        assert_eq!(percent(f32::NAN), "unknown");
    }

    #[test]
    fn words_begin_with_a_capital() {
        assert_eq!(capital("no pairs"), "No pairs");
        assert_eq!(capital("“rate” is negative"), "“rate” is negative");
        assert_eq!(capital(""), "");
    }

    #[test]
    fn sizes_and_counts() {
        assert_eq!(megabytes(57_516_766), "57.5\u{202f}MB");
        assert_eq!(megabytes(0), "0.0\u{202f}MB");
        for (number, expected) in
            [(566, "0.6\u{202f}kB"), (209_788, "0.2\u{202f}MB"), (1_198_550_000, "1.20\u{202f}GB")]
        {
            assert_eq!(bytes(number), expected);
        }
        assert_eq!(count(28_758_383), "28\u{202f}758\u{202f}383");
        assert_eq!(count(999), "999");
        assert_eq!(plural(1, "sign", "signs"), "1 sign");
        assert_eq!(progress(Phase::Download, 5_000_000, 0), "5.0\u{202f}MB");
        assert_eq!(progress(Phase::Joint, 2, 5), "2 of 5");
        assert_eq!(progress(Phase::WarmUp, 0, 0), "");
    }

    #[test]
    fn time_left_waits_until_it_can_tell() {
        assert_eq!(time_left(1, 100, 200.0), None);
        assert_eq!(time_left(0, 100, 9_000.0), None);
        assert_eq!(time_left(50, 100, 20_000.0).as_deref(), Some("about 20 s left"));
        assert_eq!(time_left(1, 100, 10_000.0).as_deref(), Some("about 17 min left"));
        assert_eq!(time_left(100, 100, 10_000.0), None);
    }

    #[test]
    fn places_count_characters_and_browser_units() {
        let source = "a-na\n𒀀 šu\nx";
        let byte = source.find("šu").unwrap();
        assert_eq!(line_and_column(source, byte), (2, 3));
        assert_eq!(utf16_offset(source, byte), 8);
        assert_eq!(byte_offset(source, 8), byte);
        assert_eq!(line_and_column(source, 999), (3, 2));
        assert_eq!(line_and_column(source, byte + 1), (2, 3), "inside a letter counts as its start");
        assert_eq!(byte_offset(source, 999), source.len());
    }
}
