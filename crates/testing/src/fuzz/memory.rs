//! How much memory a computation takes: an allocator that counts, thread by thread.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    /// Bytes held now, the most that were, and all that were ever asked for.
    static COUNTS: Cell<[isize; 3]> = const { Cell::new([0; 3]) };
}

/// The system's allocator with a count. A test binary that bounds memory names it its `global_allocator`.
#[derive(Debug, Default)]
pub struct Counting;

fn count(change: isize) {
    // While a thread ends, nothing is counted any more.
    let _ = COUNTS.try_with(|counts| {
        let [held, most, all] = counts.get();
        let held = held + change;
        counts.set([held, most.max(held), all + change.max(0)]);
    });
}

// SAFETY: every call is handed to the system's allocator as it came, and its answer back; counting allocates nothing.
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

/// Memory that a computation took; 0 where [`Counting`] is not the program's allocator.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Used {
    /// The most bytes held at a time, beyond those before.
    pub most: usize,
    /// All bytes asked for, whether given back or not: a count of work that is the same on every machine.
    pub all: usize,
}

/// What a computation on this thread takes.
pub fn used<T>(computation: impl FnOnce() -> T) -> (T, Used) {
    let [held, _, all] = COUNTS.get();
    COUNTS.set([held, held, all]);
    let value = computation();
    let [_, most, after] = COUNTS.get();
    let positive = |bytes: isize| usize::try_from(bytes).unwrap_or(0);
    (value, Used { most: positive(most - held), all: positive(after - all) })
}
