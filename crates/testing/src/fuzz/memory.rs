//! Memory that a computation takes, measured by an allocator that counts per thread.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    /// Bytes held now, their maximum, and the sum of all bytes requested.
    static COUNTS: Cell<[isize; 3]> = const { Cell::new([0; 3]) };
}

/// The system's allocator with a count. A test binary that limits memory declares it as its `global_allocator`.
#[derive(Debug, Default)]
pub struct Counting;

fn count(change: isize) {
    // Nothing is counted while a thread ends.
    let _ = COUNTS.try_with(|counts| {
        let [held, most, all] = counts.get();
        let held = held + change;
        counts.set([held, most.max(held), all + change.max(0)]);
    });
}

// SAFETY: every call is passed unchanged to the system's allocator, and its result returned; counting allocates
// nothing.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as isize);
        // SAFETY: the caller keeps the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as isize);
        // SAFETY: the caller keeps the contract of `alloc_zeroed`.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        count(-(layout.size() as isize));
        // SAFETY: the caller keeps the contract of `dealloc`.
        unsafe { System.dealloc(place, layout) }
    }

    unsafe fn realloc(&self, place: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(size as isize - layout.size() as isize);
        // SAFETY: the caller keeps the contract of `realloc`.
        unsafe { System.realloc(place, layout, size) }
    }
}

/// Memory that a computation took; 0 if [`Counting`] is not the program's allocator.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Used {
    /// Maximum of the bytes held at a time, beyond those held before.
    pub most: usize,
    /// Sum of all bytes requested, freed or not: a measure of work that is the same on every machine.
    pub all: usize,
}

/// Runs a computation and returns the memory that it took on this thread.
pub fn used<T>(computation: impl FnOnce() -> T) -> (T, Used) {
    let [held, _, all] = COUNTS.get();
    COUNTS.set([held, held, all]);
    let value = computation();
    let [_, most, after] = COUNTS.get();
    let positive = |bytes: isize| usize::try_from(bytes).unwrap_or(0);
    (value, Used { most: positive(most - held), all: positive(after - all) })
}
