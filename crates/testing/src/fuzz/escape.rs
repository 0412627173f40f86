//! Inputs as lines of text: unprintable bytes are written `\xNN`.

/// Returns the input as one line of text.
pub fn escaped(input: &[u8]) -> String {
    let mut line = String::with_capacity(input.len());
    for chunk in input.utf8_chunks() {
        for letter in chunk.valid().chars() {
            match letter {
                '\\' => line.push_str("\\\\"),
                '\n' => line.push_str("\\n"),
                '\r' => line.push_str("\\r"),
                '\t' => line.push_str("\\t"),
                // Printed as they are; direction marks and combining accents without a base are escaped.
                ' '..='~' => line.push(letter),
                _ if letter.is_alphanumeric() && !letter.is_control() => line.push(letter),
                _ => {
                    let mut bytes = [0; 4];
                    letter.encode_utf8(&mut bytes).bytes().for_each(|byte| line.push_str(&format!("\\x{byte:02x}")));
                }
            }
        }
        chunk.invalid().iter().for_each(|byte| line.push_str(&format!("\\x{byte:02x}")));
    }
    line
}

/// Returns the input that [`escaped`] wrote; a backslash that begins no escape stands for itself.
pub fn unescaped(line: &str) -> Vec<u8> {
    let mut input = Vec::with_capacity(line.len());
    let mut rest = line;
    while let Some(letter) = rest.chars().next() {
        let byte = || rest.strip_prefix("\\x").and_then(|digits| u8::from_str_radix(digits.get(..2)?, 16).ok());
        let (length, bytes): (usize, &[u8]) = match rest.get(..2) {
            Some("\\\\") => (2, b"\\"),
            Some("\\n") => (2, b"\n"),
            Some("\\r") => (2, b"\r"),
            Some("\\t") => (2, b"\t"),
            _ => match byte() {
                Some(byte) => {
                    input.push(byte);
                    (4, b"")
                }
                None => (letter.len_utf8(), &rest.as_bytes()[..letter.len_utf8()]),
            },
        };
        input.extend_from_slice(bytes);
        rest = &rest[length..];
    }
    input
}

#[cfg(test)]
mod tests {
    use super::{escaped, unescaped};

    #[test]
    fn any_input_comes_back() {
        let inputs: [&[u8]; 6] =
            [b"", b"a\\n\n\t\\x41", "šu₂ \u{feff}\u{301}é𒀭".as_bytes(), b"\xff\xfe\x00", b"\\", b"\xc3\x28\\x4"];
        for input in inputs {
            let line = escaped(input);
            assert!(!line.contains(['\n', '\r', '\0']), "{line}");
            assert_eq!(unescaped(&line), input, "{line}");
        }
        assert_eq!(escaped("a\nšu\0".as_bytes()), "a\\nšu\\x00");
    }
}
