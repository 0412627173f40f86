//! Number signs such as `4(diš)` and `1(u)`, and the value of each sign.

/// Value of each sign. Signs of area and capacity (`2(ban₂)`) depend on what is measured, and are not in this list.
const WORTH: [(&str, u32); 10] = [
    ("diš", 1),
    ("DIŠ", 1),
    ("diš@t", 1),
    ("aš", 1),
    ("AŠ", 1),
    ("aš@c", 1),
    ("u", 10),
    ("U", 10),
    ("geš₂", 60),
    ("geš", 60),
];

/// Returns the part before the sign in a reading such as `4(diš)` or `1/3(diš)`, and the value of the sign; `None` for
/// every other reading. The part before the sign is not checked to be a number.
pub fn counted(reading: &str) -> Option<(&str, u32)> {
    let (count, sign) = reading.strip_suffix(')')?.split_once('(')?;
    WORTH.iter().find(|(own, _)| *own == sign).map(|(_, worth)| (count, *worth))
}

#[cfg(test)]
mod tests {
    use super::counted;

    #[test]
    fn a_counted_sign_is_known_by_its_worth() {
        assert_eq!(counted("4(diš)"), Some(("4", 1)));
        assert_eq!(counted("1/3(diš)"), Some(("1/3", 1)));
        assert_eq!(counted("2(geš₂)"), Some(("2", 60)));
        for other in ["4", "2(ban₂)", "kuₓ(DU)", "(", ")(", "4(diš"] {
            assert_eq!(counted(other), None, "{other}");
        }
    }
}
