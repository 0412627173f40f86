//! File format of a pack: named sections, each compressed on its own with DEFLATE (RFC 1951).
//!
//! `TUPPUM-CORPUS`, a line feed, the version (four bytes), the number of sections (four bytes); then for each section
//! the length of its name (one byte), the name, its packed and its unpacked length (four bytes each); then the packed
//! sections one after another. Numbers are little-endian; numbers within sections have encodings of one or more bytes.

use miniz_oxide::deflate::compress_to_vec;
use miniz_oxide::inflate::decompress_slice_iter_to_slice;
use std::fmt;

const MAGIC: &[u8] = b"TUPPUM-CORPUS\n";
/// Version that this program writes and reads.
const VERSION: u32 = 1;
/// Largest section that is unpacked, in bytes: six times the need of the shipped pack, and no more than a browser tab
/// can bear.
const MAX_SECTION_BYTES: usize = 64 << 20;
/// Largest number of bytes that DEFLATE can expand one byte to: 258 bytes for two bits.
const MAX_DEFLATE_RATIO: usize = 1_032;
/// Compression level: the highest that the library offers.
const COMPRESSION_LEVEL: u8 = 10;

/// Reason why a pack cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PackError {
    /// The bytes are not a pack of attested texts.
    NoPack,
    /// The pack was written by a newer or older program.
    Version {
        /// Version of the file.
        found: u32,
        /// Version that this program reads.
        known: u32,
    },
    /// The pack ends too early.
    CutOff,
    /// The pack lacks a section.
    Missing {
        /// Name of the missing section.
        section: &'static str,
    },
    /// A section has invalid content.
    Damaged {
        /// Name of the damaged section.
        section: &'static str,
    },
}

impl fmt::Display for PackError {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        match self {
            PackError::NoPack => write!(formatter, "This file is no pack of attested texts."),
            PackError::Version { found, known } => write!(
                formatter,
                "This pack of attested texts has version {found}, and this program reads version {known}; reload the \
                 page, or fetch the pack anew."
            ),
            PackError::CutOff => write!(formatter, "This pack of attested texts is cut off; fetch it anew."),
            PackError::Missing { section } => {
                write!(formatter, "This pack of attested texts has no {section}; fetch it anew.")
            }
            PackError::Damaged { section } => {
                write!(formatter, "The {section} of this pack of attested texts are damaged; fetch it anew.")
            }
        }
    }
}

impl std::error::Error for PackError {}

/// Sections of a pack in order: name, packed bytes, unpacked length.
#[derive(Debug, Default)]
pub(crate) struct Sections<'a> {
    found: Vec<(&'a str, &'a [u8], usize)>,
}

/// Writes sections as a pack.
pub(crate) fn write(sections: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let mut pack = MAGIC.to_vec();
    pack.extend(VERSION.to_le_bytes());
    pack.extend((sections.len() as u32).to_le_bytes());
    let packed: Vec<Vec<u8>> = sections.iter().map(|(_, bytes)| compress_to_vec(bytes, COMPRESSION_LEVEL)).collect();
    for ((name, bytes), packed) in sections.iter().zip(&packed) {
        pack.push(name.len() as u8);
        pack.extend(name.as_bytes());
        pack.extend((packed.len() as u32).to_le_bytes());
        pack.extend((bytes.len() as u32).to_le_bytes());
    }
    packed.into_iter().for_each(|packed| pack.extend(packed));
    pack
}

impl<'a> Sections<'a> {
    /// Reads the list of sections without unpacking any.
    ///
    /// # Errors
    /// Fails if the bytes are not a pack, have another version, or are cut off.
    pub(crate) fn read(pack: &'a [u8]) -> Result<Self, PackError> {
        let rest = pack.strip_prefix(MAGIC).ok_or(PackError::NoPack)?;
        let mut rest = Bytes(rest);
        let version = rest.number()?;
        if version != VERSION {
            return Err(PackError::Version { found: version, known: VERSION });
        }
        let count = rest.number()?;
        let mut found = Vec::new();
        for _ in 0..count {
            let length = rest.take(1)?.first().copied().unwrap_or_default();
            let name = std::str::from_utf8(rest.take(length.into())?).map_err(|_| PackError::CutOff)?;
            found.push((name, rest.number()? as usize, rest.number()? as usize));
        }
        let found = found.into_iter().map(|(name, packed, unpacked)| Ok((name, rest.take(packed)?, unpacked)));
        Ok(Self { found: found.collect::<Result<_, PackError>>()? })
    }

    /// Unpacks a section.
    ///
    /// # Errors
    /// Fails if the section is missing or damaged.
    pub(crate) fn bytes(&self, wanted: &'static str) -> Result<Vec<u8>, PackError> {
        let section = self.found.iter().find(|(name, ..)| *name == wanted);
        let (_, packed, length) = section.ok_or(PackError::Missing { section: wanted })?;
        // The unpacked length comes from the file and decides how much is allocated, so it must be plausible.
        if *length > MAX_SECTION_BYTES.min(packed.len().saturating_mul(MAX_DEFLATE_RATIO)) {
            return Err(PackError::Damaged { section: wanted });
        }
        // Unpack into a buffer of exactly the right size: a growing vector needs up to three times as much on its way.
        let mut bytes = vec![0; *length];
        match decompress_slice_iter_to_slice(&mut bytes, std::iter::once(*packed), false, true) {
            Ok(unpacked) if unpacked == *length => Ok(bytes),
            _ => Err(PackError::Damaged { section: wanted }),
        }
    }

    /// Unpacks a section that is text.
    ///
    /// # Errors
    /// Fails like [`Sections::bytes`], and if the section is not UTF-8.
    pub(crate) fn text(&self, wanted: &'static str) -> Result<String, PackError> {
        String::from_utf8(self.bytes(wanted)?).map_err(|_| PackError::Damaged { section: wanted })
    }
}

/// Bytes read from the front.
struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
    fn take(&mut self, length: usize) -> Result<&'a [u8], PackError> {
        let (taken, rest) = self.0.split_at_checked(length).ok_or(PackError::CutOff)?;
        self.0 = rest;
        Ok(taken)
    }

    fn number(&mut self) -> Result<u32, PackError> {
        let mut number = [0; 4];
        number.copy_from_slice(self.take(4)?);
        Ok(u32::from_le_bytes(number))
    }
}

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
