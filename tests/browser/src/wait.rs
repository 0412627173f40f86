//! Waiting by polling a condition until a deadline, never by sleeping a fixed time.

use std::time::{Duration, Instant};

/// Time between two polls: short relative to every deadline, long relative to a script in the page.
const BETWEEN_LOOKS: Duration = Duration::from_millis(40);

/// Maximum time to wait for anything that needs no model, on a busy machine.
pub const SOON: Duration = Duration::from_secs(60);

/// Polls `condition` until it returns something, at most for `limit`; then returns `None`.
pub fn until<T>(limit: Duration, mut condition: impl FnMut() -> Option<T>) -> Option<T> {
    let start = Instant::now();
    loop {
        if let Some(found) = condition() {
            return Some(found);
        }
        if start.elapsed() > limit {
            return None;
        }
        std::thread::sleep(BETWEEN_LOOKS);
    }
}
