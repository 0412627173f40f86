//! One attempt: runs a check on one input, and notes whether it panics and what it takes. Memory is measured by an
//! allocator that counts per thread.

use super::target::Target;
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Once;
use std::time::{Duration, Instant};

/// Longest time for an input, where time is measured.
const LONGEST: Duration = Duration::from_secs(1);

thread_local! {
    /// Message of the last panic within an attempt, kept from the screen; `None` outside of attempts.
    static SAID: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Failure of an input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// Message, with the place in the code.
    pub said: String,
    /// Key that failures of one kind share.
    pub kind: String,
}

/// Runs `check` on an input; time is limited only if `is_timed`.
pub fn attempt(target: &Target, input: &[u8], check: &impl Fn(&[u8]), is_timed: bool) -> Result<(), Failure> {
    keep_quiet();
    SAID.set(Some(String::new()));
    let start = Instant::now();
    let (result, used) = used(|| catch_unwind(AssertUnwindSafe(|| check(input))));
    let took = start.elapsed();
    let said = SAID.take().unwrap_or_default();
    if result.is_err() {
        // The message quotes the input; the place of the panic is the same for all failures of a kind.
        let kind = said.lines().last().unwrap_or_default().to_owned();
        return Err(Failure { said, kind });
    }
    let most = target.bound(input.len());
    if used.most > most {
        let said = format!("{} bytes of memory for {} of input; at most {most} are stated", used.most, input.len());
        return Err(Failure { said, kind: "memory".to_owned() });
    }
    if is_timed && took > LONGEST {
        // On a busy machine everything takes long, so processor time is measured.
        let (_, took) = processor_time(|| catch_unwind(AssertUnwindSafe(|| check(input))));
        if took > LONGEST {
            return Err(Failure { said: format!("{took:?} for {} bytes", input.len()), kind: "time".to_owned() });
        }
    }
    Ok(())
}

/// Runs a computation and returns the processor time that this thread took for it, accurate to a few milliseconds on
/// however busy a machine; the elapsed time where the system does not report processor time.
pub fn processor_time<T>(computation: impl FnOnce() -> T) -> (T, Duration) {
    let worked = || {
        let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
        told.split_whitespace().next()?.parse().map(Duration::from_nanos).ok()
    };
    let (start, before) = (Instant::now(), worked());
    let value = computation();
    let took = before.and_then(|before| worked()?.checked_sub(before)).unwrap_or_else(|| start.elapsed());
    (value, took)
}

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

/// Installs a panic hook that records panics within attempts and reports all others as usual.
fn keep_quiet() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            let kept = SAID.with_borrow_mut(|said| {
                let text = said.as_mut()?;
                let message = panic.payload_as_str().unwrap_or("a panic");
                let place = panic.location().map(|at| format!("{}:{}", at.file(), at.line())).unwrap_or_default();
                *text = format!("{message}\n  at {place}");
                Some(())
            });
            if kept.is_none() {
                before(panic);
            }
        }));
    });
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::processor_time;
    use std::time::Duration;

    #[test]
    fn waiting_is_no_work() {
        let (_, took) = processor_time(|| std::thread::sleep(Duration::from_millis(300)));
        assert!(took < Duration::from_millis(250), "{took:?} of work while it slept");
    }
}
