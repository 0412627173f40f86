//! One input tried: whether the check panics, and what it takes.

use super::memory::used;
use super::target::Target;
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Once;
use std::time::{Duration, Instant};

/// The longest that an input may take where time is looked at.
const LONGEST: Duration = Duration::from_secs(1);

thread_local! {
    /// What a panic in an attempt said, instead of on the screen; none outside of one.
    static SAID: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Why an input fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// What went wrong, with the place in the code.
    pub said: String,
    /// What failures of one kind share.
    pub kind: String,
}

/// Tries an input; the time that it takes counts where `is_timed`.
pub fn attempt(target: &Target, input: &[u8], check: &impl Fn(&[u8]), is_timed: bool) -> Result<(), Failure> {
    keep_quiet();
    SAID.set(Some(String::new()));
    let start = Instant::now();
    let (result, used) = used(|| catch_unwind(AssertUnwindSafe(|| check(input))));
    let took = start.elapsed();
    let said = SAID.take().unwrap_or_default();
    if result.is_err() {
        // What is said quotes the input; the place of the panic is the same for all of a kind.
        let kind = said.lines().last().unwrap_or_default().to_owned();
        return Err(Failure { said, kind });
    }
    let most = target.bound(input.len());
    if used.most > most {
        let said = format!("{} bytes of memory for {} of input; at most {most} are stated", used.most, input.len());
        return Err(Failure { said, kind: "memory".to_owned() });
    }
    if is_timed && took > LONGEST {
        // On a busy machine everything takes long: what counts is how long the processor works at it.
        let (_, took) = processor_time(|| catch_unwind(AssertUnwindSafe(|| check(input))));
        if took > LONGEST {
            return Err(Failure { said: format!("{took:?} for {} bytes", input.len()), kind: "time".to_owned() });
        }
    }
    Ok(())
}

/// For how long a processor works at a computation on this thread, to a few milliseconds, however busy the machine is;
/// where the system does not tell, the time that passes.
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

/// Panics in an attempt are kept, all others are told as ever.
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
