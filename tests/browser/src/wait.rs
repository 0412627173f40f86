//! Waiting by polling a condition until a deadline, never by sleeping and hoping.

use std::time::{Duration, Instant};

/// Time between two looks at a condition: short beside every deadline, long beside one script in the page.
const BETWEEN_LOOKS: Duration = Duration::from_millis(40);

/// Longest time to wait for something that needs no model, on a machine that does something else at the same time.
pub const SOON: Duration = Duration::from_secs(60);

/// Looks until `condition` gives something, at most for `limit`; then `None`.
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
