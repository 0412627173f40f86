//! File format of a pack: named sections, each compressed on its own with DEFLATE (RFC 1951).
//!
//! `TUPPUM-CORPUS`, a line feed, the version (four bytes), the number of sections (four bytes); then for each section
//! the length of its name (one byte), the name, its packed and its unpacked length (four bytes each); then the packed
//! sections one after another. Numbers are little-endian.

use super::error::PackError;
use miniz_oxide::deflate::compress_to_vec;
use miniz_oxide::inflate::decompress_slice_iter_to_slice;

const MAGIC: &[u8] = b"TUPPUM-CORPUS\n";
/// Version that this program writes and reads.
const VERSION: u32 = 1;
/// Largest section that is unpacked, in bytes: six times the need of the shipped pack, and no more than a browser tab
/// can bear.
const LONGEST: usize = 64 << 20;
/// Largest number of bytes that DEFLATE can expand one byte to: 258 bytes for two bits.
const MOST_OF_ONE: usize = 1_032;
/// Compression level: the highest that the library offers.
const EFFORT: u8 = 10;

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
        if *length > LONGEST.min(packed.len().saturating_mul(MOST_OF_ONE)) {
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
