//! Sizes of files on the command line: `500MB`, `2GiB`, `1000000`.

use crate::failure::Result;

/// Bytes; decimal units as transformers has them, binary ones with an `i`.
pub fn parse(text: &str) -> Result<u64> {
    let text = text.trim();
    let digits = text.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    let unit: Option<u64> = match unit.trim().to_ascii_lowercase().as_str() {
        "" | "b" => Some(1),
        "kb" => Some(1_000),
        "mb" => Some(1_000_000),
        "gb" => Some(1_000_000_000),
        "kib" => Some(1 << 10),
        "mib" => Some(1 << 20),
        "gib" => Some(1 << 30),
        _ => None,
    };
    let bytes = unit.zip(number.parse::<u64>().ok()).and_then(|(unit, number)| number.checked_mul(unit));
    bytes.filter(|bytes| *bytes > 0).ok_or_else(|| format!("{text:?} is no size; write 500MB, 2GB or 64MiB").into())
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn sizes_have_units() {
        for (text, bytes) in [("500MB", 500_000_000), ("2 gib", 2 << 30), ("7", 7), ("1kB", 1_000), ("64KiB", 65_536)] {
            assert_eq!(parse(text).ok(), Some(bytes), "{text}");
        }
        for text in ["", "MB", "0", "-1MB", "1.5GB", "5 apples", "99999999999GB"] {
            assert!(parse(text).is_err_and(|message| message.to_string().contains("is no size")), "{text}");
        }
    }
}
