//! The outer form of a pack: named sections, each packed on its own by DEFLATE (RFC 1951).
//!
//! `TUPPUM-CORPUS`, a line feed, the version as four bytes, the number of sections as four bytes; for each section the
//! length of its name as one byte, the name, and its packed and unpacked length as four bytes each; then the sections
//! one behind another. Numbers are little-endian.

use super::error::PackError;
use miniz_oxide::deflate::compress_to_vec;
use miniz_oxide::inflate::decompress_slice_iter_to_slice;

const MAGIC: &[u8] = b"TUPPUM-CORPUS\n";
/// The version that this program writes and reads.
const VERSION: u32 = 1;
/// The longest section that is unpacked: six times what the shipped pack needs, and no more than a tab can bear.
const LONGEST: usize = 64 << 20;
/// The most bytes that DEFLATE can make of one: 258 of two bits.
const MOST_OF_ONE: usize = 1_032;
/// How hard the packer tries: the most that the library offers.
const EFFORT: u8 = 10;

/// The sections of a pack, in order.
#[derive(Debug, Default)]
pub(crate) struct Sections<'a> {
    found: Vec<(&'a str, &'a [u8], usize)>,
}

/// Writes sections as a pack.
pub(crate) fn write(sections: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let mut pack = MAGIC.to_vec();
    pack.extend(VERSION.to_le_bytes());
    pack.extend((sections.len() as u32).to_le_bytes());
    let packed: Vec<Vec<u8>> = sections.iter().map(|(_, bytes)| compress_to_vec(bytes, EFFORT)).collect();
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
    /// Reads the list of sections. Nothing is unpacked yet.
    ///
    /// # Errors
    /// When it is no pack, one of another version, or cut off.
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

    /// A section, unpacked.
    ///
    /// # Errors
    /// When there is no such section, or it is damaged.
    pub(crate) fn bytes(&self, wanted: &'static str) -> Result<Vec<u8>, PackError> {
        let section = self.found.iter().find(|(name, ..)| *name == wanted);
        let (_, packed, length) = section.ok_or(PackError::Missing { section: wanted })?;
        // Room is made for what the section says of itself, so that must be possible.
        if *length > LONGEST.min(packed.len().saturating_mul(MOST_OF_ONE)) {
            return Err(PackError::Damaged { section: wanted });
        }
        // Into exactly the room that it needs: a vector that grows takes up to three times as much on its way.
        let mut bytes = vec![0; *length];
        match decompress_slice_iter_to_slice(&mut bytes, std::iter::once(*packed), false, true) {
            Ok(unpacked) if unpacked == *length => Ok(bytes),
            _ => Err(PackError::Damaged { section: wanted }),
        }
    }

    /// A section that is text.
    ///
    /// # Errors
    /// Those of [`Sections::bytes`].
    pub(crate) fn text(&self, wanted: &'static str) -> Result<String, PackError> {
        String::from_utf8(self.bytes(wanted)?).map_err(|_| PackError::Damaged { section: wanted })
    }
}

/// Bytes that are taken from the front.
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
