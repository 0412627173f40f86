//! Encodes numbers in the sections of packs.

/// Smallest number that takes two bytes. Smaller ones, which are the most frequent, take one.
const ONE_BYTE: u16 = 192;

/// Appends a number below 16 K in one byte if it is below [`ONE_BYTE`], in two otherwise.
pub(crate) fn push_small(bytes: &mut Vec<u8>, number: u16) {
    match number.checked_sub(ONE_BYTE) {
        None => bytes.push(number as u8),
        Some(above) => bytes.extend([(ONE_BYTE + (above >> 8)) as u8, (above & 255) as u8]),
    }
}

/// Reads a number written by [`push_small`]; `None` at the end of the bytes.
pub(crate) fn take_small(bytes: &mut impl Iterator<Item = u8>) -> Option<u16> {
    let first = u16::from(bytes.next()?);
    match first.checked_sub(ONE_BYTE) {
        None => Some(first),
        Some(high) => Some(ONE_BYTE + (high << 8 | u16::from(bytes.next()?))),
    }
}

/// Appends a number, seven bits a byte, lowest bits first.
pub(crate) fn push_number(bytes: &mut Vec<u8>, mut number: usize) {
    while number > 127 {
        bytes.push(128 | (number & 127) as u8);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Reads a number written by [`push_number`]; `None` at the end of the bytes or if it has more than 28 bits.
pub(crate) fn take_number(bytes: &mut impl Iterator<Item = u8>) -> Option<usize> {
    let mut number = 0;
    for shift in [0, 7, 14, 21] {
        let byte = bytes.next()?;
        number |= usize::from(byte & 127) << shift;
        if byte < 128 {
            return Some(number);
        }
    }
    None
}
