//! Coverage of the program's edges, where it was compiled with counters.
//!
//! `cargo xtask fuzz` compiles our crates with LLVM's pass `sancov-module` and counters of one byte per edge. Each
//! crate registers its counters with the function below before `main`. Otherwise there are none, and nothing here does
//! anything.

use std::sync::Mutex;

/// Number of counters compared at once: as many as fit into a vector.
const STILL: usize = 64;

/// Addresses of the registered counters: the first, and one past the last.
static REGIONS: Mutex<Vec<(usize, usize)>> = Mutex::new(Vec::new());

/// Registers the counters of an instrumented object; called by each of them before `main`.
///
/// # Safety
/// The range must be a static of the object, written only by the object's own counting.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __sanitizer_cov_8bit_counters_init(start: *mut u8, stop: *mut u8) {
    let region = (start as usize, stop as usize);
    if let Ok(mut regions) = REGIONS.lock()
        && region.0 < region.1
        && !regions.contains(&region)
    {
        regions.push(region);
    }
}

/// Coverage so far: for each edge, one bit per magnitude of the number of times that one input took it.
#[derive(Debug)]
pub struct Coverage {
    regions: Vec<(usize, usize)>,
    seen: Vec<u8>,
    /// Number of edges that at least one input took.
    pub edges: usize,
}

impl Coverage {
    /// Returns an empty coverage.
    pub fn new() -> Self {
        let regions = REGIONS.lock().map(|regions| regions.clone()).unwrap_or_default();
        let count = regions.iter().map(|(start, stop)| stop - start).sum();
        Self { regions, seen: vec![0; count], edges: 0 }
    }

    /// Returns `true` if the program counts its edges.
    pub fn is_counted(&self) -> bool {
        !self.seen.is_empty()
    }

    /// Sets all counters to zero.
    pub fn clear(&self) {
        for (start, stop) in &self.regions {
            // SAFETY: the range is a static of an instrumented object, which counts in it on this thread only.
            unsafe { std::ptr::write_bytes(*start as *mut u8, 0, stop - start) }
        }
    }

    /// Adds the coverage of the last input; returns `true` if some of it is new.
    pub fn note(&mut self) -> bool {
        let (mut is_new, mut first) = (false, 0);
        for (start, stop) in &self.regions {
            // SAFETY: the range is a static of an instrumented object and lives as long as the program; nothing counts
            // in it while this borrows it.
            let counters = unsafe { std::slice::from_raw_parts(*start as *const u8, stop - start) };
            is_new |= note_region(counters, &mut self.seen[first..first + counters.len()], &mut self.edges);
            first += counters.len();
        }
        is_new
    }
}

/// Adds the counters of one object. Every input waits for this, and most counters are zero, so zeros are skipped many
/// at a time.
fn note_region(counters: &[u8], seen: &mut [u8], edges: &mut usize) -> bool {
    let mut is_new = false;
    for (counters, seen) in counters.chunks(STILL).zip(seen.chunks_mut(STILL)) {
        if counters.iter().fold(0, |any, count| any | count) == 0 {
            continue;
        }
        for (count, seen) in counters.iter().zip(seen).filter(|(count, _)| **count > 0) {
            let magnitude = magnitude(*count);
            *edges += usize::from(*seen == 0);
            is_new |= *seen & magnitude == 0;
            *seen |= magnitude;
        }
    }
    is_new
}

/// Returns the bit of a count, by AFL's classes: 1, 2, 3, 4 to 7, 8 to 15, 16 to 31, 32 to 127, more.
fn magnitude(count: u8) -> u8 {
    match count {
        0..=1 => 1,
        2 => 2,
        3 => 4,
        4..=7 => 8,
        8..=15 => 16,
        16..=31 => 32,
        32..=127 => 64,
        _ => 128,
    }
}

#[cfg(test)]
mod tests {
    use super::note_region;

    #[test]
    fn an_edge_is_new_once_for_each_magnitude() {
        let mut counters = [0; 21];
        let (mut seen, mut edges) = ([0; 21], 0);
        let mut note = |counters: &[u8]| (note_region(counters, &mut seen, &mut edges), edges);
        assert_eq!(note(&counters), (false, 0));
        (counters[9], counters[20]) = (1, 5);
        assert_eq!((note(&counters), note(&counters)), ((true, 2), (false, 2)));
        counters[20] = 6;
        assert_eq!(note(&counters), (false, 2), "four to seven are alike");
        counters[20] = 8;
        assert_eq!(note(&counters), (true, 2), "more often");
    }
}
