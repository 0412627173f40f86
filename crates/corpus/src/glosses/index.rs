//! Index of spellings by a key. It stores sorted hashes, so that no key need be kept.

/// Numbers of spellings by the hashes of their keys.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct KeyIndex {
    /// Hash in the upper half, number in the lower half, in rising order.
    entries: Vec<u64>,
}

impl KeyIndex {
    /// Indexes spellings; `write` puts the key of one into an empty text. Spellings with an empty key are left out.
    pub fn new(spellings: usize, mut write: impl FnMut(usize, &mut String)) -> Self {
        let mut entries = Vec::with_capacity(spellings);
        let mut key = String::new();
        for number in 0..spellings {
            key.clear();
            write(number, &mut key);
            if !key.is_empty() {
                entries.push(u64::from(hash(&key)) << 32 | number as u64);
            }
        }
        entries.sort_unstable();
        Self { entries }
    }

    /// Returns the spellings that may have a key, in rising order. The caller must compare keys, since different keys
    /// can have the same hash.
    pub fn candidates(&self, key: &str) -> impl Iterator<Item = usize> {
        let wanted = u64::from(hash(key));
        let start = self.entries.partition_point(|entry| entry >> 32 < wanted);
        let rest = self.entries.get(start..).unwrap_or_default();
        rest.iter().take_while(move |entry| **entry >> 32 == wanted).map(|entry| *entry as u32 as usize)
    }
}

/// FNV-1a (Fowler, Noll and Vo), which is fast for keys as short as these.
fn hash(key: &str) -> u32 {
    key.bytes().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}
