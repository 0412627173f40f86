//! The directory of a zip archive with stored (uncompressed) entries, also above 4 GB (zip64).
//!
//! Fields are as in PKWARE's APPNOTE 6.3.10, sections 4.3.7, 4.3.12 and 4.3.14 to 4.3.16. The directory is at the end
//! of the archive; the last record holds its offset.

use crate::error::WeightsError;
use crate::safetensors::LONGEST_HEADER;
use crate::storage::Source;
use std::collections::HashSet;

/// Length of the last record without its comment.
const END: usize = 22;
/// Length of the record that points to the last record of zip64; it directly precedes the last record.
const LOCATOR: usize = 20;
/// Length of the last record of zip64 without extensions.
const END_64: usize = 56;
/// Length of an entry of the directory without its name.
const LISTED: usize = 46;
/// Length of the header before the data of an entry, without its name.
const LOCAL: usize = 30;
/// Value of a 32-bit field whose true value is in a 64-bit field.
const ELSEWHERE: u64 = u32::MAX as u64;

/// File in the archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    /// Name of the entry with its folder.
    pub name: String,
    /// Offset of its data.
    pub offset: u64,
    /// Number of bytes of its data.
    pub bytes: u64,
}

/// Returns all entries and checks that they do not overlap.
pub(super) async fn entries(file: &str, source: &mut impl Source) -> Result<Vec<Entry>, WeightsError> {
    let length = source.length();
    let (begin, size) = list(file, source).await?;
    if size > LONGEST_HEADER {
        return Err(WeightsError::torch(format!("its list of entries claims {size} bytes")));
    }
    if begin.checked_add(size).is_none_or(|end| end > length) {
        return Err(truncated(file));
    }
    let bytes = source.read(begin, size as usize).await?;
    let (mut entries, mut rest) = (Vec::new(), Bytes(&bytes));
    while !rest.0.is_empty() {
        let (entry, after) = listed(rest).ok_or_else(|| WeightsError::torch("its list of entries is malformed"))?;
        entries.push(entry?);
        rest = after;
    }
    entries.sort_by_key(|entry| entry.offset);
    let (mut end, mut names) = (0, HashSet::new());
    for entry in &mut entries {
        if entry.offset < end {
            return Err(WeightsError::torch(format!("its entry {} overlaps the one before it", entry.name)));
        }
        place(entry, begin, source).await?;
        end = entry.offset + entry.bytes;
        if !names.insert(entry.name.clone()) {
            return Err(WeightsError::torch(format!("it has two entries named {}", entry.name)));
        }
    }
    Ok(entries)
}

/// Returns offset and length of the directory.
async fn list(file: &str, source: &mut impl Source) -> Result<(u64, u64), WeightsError> {
    let length = source.length();
    let tail = length.min((END + usize::from(u16::MAX)) as u64);
    let start = length - tail;
    let bytes = source.read(start, tail as usize).await?;
    let is_end = |place: &usize| {
        let record = Bytes(&bytes[*place..]);
        record.0.starts_with(b"PK\x05\x06") && record.short(20) == Some((record.0.len() - END) as u64)
    };
    let Some(place) = (0..bytes.len().saturating_sub(END - 1)).rev().find(is_end) else { return Err(truncated(file)) };
    let record = Bytes(&bytes[place..]);
    let small = || Some((record.word(16)?, record.word(12)?));
    let locator =
        place.checked_sub(LOCATOR).map(|place| Bytes(&bytes[place..])).filter(|it| it.0.starts_with(b"PK\x06\x07"));
    let Some(locator) = locator else { return small().ok_or_else(|| truncated(file)) };
    let place = locator.long(8).filter(|place| place.checked_add(END_64 as u64).is_some_and(|end| end <= length));
    let Some(place) = place else { return Err(truncated(file)) };
    let bytes = source.read(place, END_64).await?;
    let record = Bytes(&bytes);
    match (record.long(48), record.long(40)) {
        (Some(begin), Some(size)) if bytes.starts_with(b"PK\x06\x06") => Ok((begin, size)),
        _ => Err(WeightsError::torch("its last record of zip64 is malformed")),
    }
}

/// Returns the first entry of the directory, with the offset of its header, and the rest of the directory.
fn listed(list: Bytes<'_>) -> Option<(Result<Entry, WeightsError>, Bytes<'_>)> {
    if !list.0.starts_with(b"PK\x01\x02") {
        return None;
    }
    let [name, extra, comment] = [list.short(28)? as usize, list.short(30)? as usize, list.short(32)? as usize];
    let field = list.0.get(LISTED + name..LISTED + name + extra)?;
    let rest = Bytes(list.0.get(LISTED + name + extra + comment..)?);
    let name = String::from_utf8_lossy(list.0.get(LISTED..LISTED + name)?).into_owned();
    // The zip64 field holds, in this order, only those values that do not fit into 32 bits.
    let mut wide = zip64(Bytes(field)).unwrap_or_default().chunks_exact(8).map(|bytes| Bytes(bytes).long(0));
    let mut value = |short: u64| if short == ELSEWHERE { wide.next().flatten() } else { Some(short) };
    let (bytes, packed, offset) = (value(list.word(24)?)?, value(list.word(20)?)?, value(list.word(42)?)?);
    let (flags, method) = (list.short(8)?, list.short(10)?);
    let entry = if flags & 1 != 0 {
        Err(WeightsError::torch(format!("its entry {name} is encrypted")))
    } else if method != 0 || packed != bytes {
        Err(WeightsError::torch(format!("its entry {name} is packed; PyTorch stores entries as they are")))
    } else {
        Ok(Entry { name, offset, bytes })
    };
    Some((entry, rest))
}

/// Returns the zip64 field among the extra fields of an entry.
fn zip64(extra: Bytes<'_>) -> Option<&[u8]> {
    let mut rest = extra.0;
    loop {
        let (kind, size) = (Bytes(rest).short(0)?, Bytes(rest).short(2)? as usize);
        let field = rest.get(4..4 + size)?;
        if kind == 1 {
            return Some(field);
        }
        rest = &rest[4 + size..];
    }
}

/// Moves the entry's offset from its header to its data, which must end before the directory begins.
async fn place(entry: &mut Entry, list: u64, source: &mut impl Source) -> Result<(), WeightsError> {
    let outside = |name: &str| WeightsError::torch(format!("its entry {name} lies outside the archive"));
    if entry.offset.checked_add(LOCAL as u64).is_none_or(|end| end > list) {
        return Err(outside(&entry.name));
    }
    let bytes = source.read(entry.offset, LOCAL).await?;
    let local = Bytes(&bytes);
    let (Some(name), Some(extra), true) = (local.short(26), local.short(28), bytes.starts_with(b"PK\x03\x04")) else {
        return Err(WeightsError::torch(format!("its entry {} does not begin where the list says", entry.name)));
    };
    entry.offset += LOCAL as u64 + name + extra;
    if entry.offset.checked_add(entry.bytes).is_none_or(|end| end > list) {
        return Err(outside(&entry.name));
    }
    Ok(())
}

fn truncated(file: &str) -> WeightsError {
    WeightsError::torch(format!("{file} is truncated or damaged: the end of the archive is not where it should be"))
}

/// Reader of little-endian numbers at given offsets.
#[derive(Clone, Copy)]
struct Bytes<'a>(&'a [u8]);

impl Bytes<'_> {
    fn short(self, place: usize) -> Option<u64> {
        Some(u16::from_le_bytes(self.0.get(place..place + 2)?.try_into().ok()?).into())
    }

    fn word(self, place: usize) -> Option<u64> {
        Some(u32::from_le_bytes(self.0.get(place..place + 4)?.try_into().ok()?).into())
    }

    fn long(self, place: usize) -> Option<u64> {
        Some(u64::from_le_bytes(self.0.get(place..place + 8)?.try_into().ok()?))
    }
}
