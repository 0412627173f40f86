//! Which edges of the program were taken, where it was compiled to count them.
//!
//! `cargo xtask fuzz` compiles our crates with LLVM's pass `sancov-module` and counters of a byte per edge. Each crate
//! tells its counters to the function below before `main`. Otherwise there are none, and nothing here does anything.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU8, Ordering};

/// The counters of all crates, as addresses: first and one beyond the last.
static REGIONS: Mutex<Vec<(usize, usize)>> = Mutex::new(Vec::new());

/// Called by every instrumented object before `main`.
///
/// # Safety
/// The range is a static of the object, and nothing but its counting writes to it.
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

/// What was reached so far: for each edge, one bit per magnitude of how often one input took it.
#[derive(Debug)]
pub struct Coverage {
    regions: Vec<(usize, usize)>,
    seen: Vec<u8>,
    /// Edges of which at least one input took one.
    pub edges: usize,
}

impl Coverage {
    /// Nothing is reached yet.
    pub fn new() -> Self {
        let regions = REGIONS.lock().map(|regions| regions.clone()).unwrap_or_default();
        let count = regions.iter().map(|(start, stop)| stop - start).sum();
        Self { regions, seen: vec![0; count], edges: 0 }
    }

    /// Whether the program counts its edges.
    pub fn is_counted(&self) -> bool {
        !self.seen.is_empty()
    }

    /// Forgets what the counters say.
    pub fn clear(&self) {
        self.counters().filter(|counter| counter.load(Ordering::Relaxed) != 0).for_each(|counter| {
            counter.store(0, Ordering::Relaxed);
        });
    }

    /// Notes what the last input took; whether some of it is new.
    pub fn note(&mut self) -> bool {
        let mut is_new = false;
        let mut edges = 0;
        let taken: Vec<(usize, u8)> = self.taken().collect();
        for (edge, magnitude) in taken {
            let Some(seen) = self.seen.get_mut(edge) else { continue };
            edges += usize::from(*seen == 0);
            is_new |= *seen & magnitude == 0;
            *seen |= magnitude;
        }
        self.edges += edges;
        is_new
    }

    /// The edges that the last input took, each with the bit of its magnitude.
    fn taken(&self) -> impl Iterator<Item = (usize, u8)> + '_ {
        let counts = self.counters().map(|counter| counter.load(Ordering::Relaxed)).enumerate();
        counts.filter(|(_, count)| *count > 0).map(|(edge, count)| (edge, magnitude(count)))
    }

    fn counters(&self) -> impl Iterator<Item = &'static AtomicU8> + '_ {
        self.regions.iter().flat_map(|(start, stop)| {
            // SAFETY: the range is a static of an instrumented object and lives as long as the program; a byte may be
            // read as an atomic one.
            unsafe { std::slice::from_raw_parts(*start as *const AtomicU8, stop - start) }
        })
    }
}

/// 1, 2, 3, 4 to 7, 8 to 15, 16 to 31, 32 to 127, more: as AFL's fuzzer has it.
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
