//! Limits how often progress is sent to the page.

use std::cell::Cell;
use tuppum_protocol::{Phase, Progress};

/// Milliseconds between two values, unless others are asked for.
const USUAL_INTERVAL: f64 = 100.0;

/// Limits the rate of values sent to the page.
pub struct Throttle {
    /// Minimum milliseconds between two values.
    between: f64,
    /// Returns the present time in milliseconds.
    clock: fn() -> f64,
    last: Cell<f64>,
}

impl Throttle {
    /// Returns a throttle that passes the first value, then at most ten a second.
    pub fn new(clock: fn() -> f64) -> Self {
        Self::every(USUAL_INTERVAL, clock)
    }

    /// Returns a throttle that passes the first value, then one every `between` milliseconds.
    pub fn every(between: f64, clock: fn() -> f64) -> Self {
        Self { between, clock, last: Cell::new(f64::NEG_INFINITY) }
    }

    /// Returns `true` if a value may pass now; the last of a series (`done == total`) always passes.
    pub fn passes(&self, done: u64, total: u64) -> bool {
        let now = (self.clock)();
        let due = done == total || now - self.last.get() >= self.between;
        if due {
            self.last.set(now);
        }
        due
    }
}

/// Counts the bytes of a phase and reports them about ten times a second.
pub struct Meter<'a> {
    phase: Phase,
    done: Cell<u64>,
    total: u64,
    throttle: Throttle,
    report: &'a dyn Fn(Progress),
}

impl<'a> Meter<'a> {
    /// Returns a meter that stands at 0.
    pub fn new(phase: Phase, total: u64, throttle: Throttle, report: &'a dyn Fn(Progress)) -> Self {
        Self { phase, done: Cell::new(0), total, throttle, report }
    }

    /// Counts more bytes.
    pub fn add(&self, bytes: u64) {
        let done = self.done.get() + bytes;
        self.done.set(done);
        if self.throttle.passes(done, self.total) {
            (self.report)(Progress { phase: self.phase, done, total: self.total });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::RefCell;

    thread_local! {
        static TIME: Cell<f64> = const { Cell::new(0.0) };
    }

    fn clock() -> f64 {
        TIME.get()
    }

    /// Sends a value at each time, and returns `true` for each that passes.
    fn passed(throttle: &Throttle, times: &[f64]) -> Vec<bool> {
        times
            .iter()
            .map(|time| {
                TIME.set(*time);
                throttle.passes(0, 1)
            })
            .collect()
    }

    #[test]
    fn ten_values_a_second_pass() {
        let times = [0.0, 50.0, 99.0, 100.0, 150.0, 199.0, 250.0];
        assert_eq!(passed(&Throttle::new(clock), &times), [true, false, false, true, false, false, true]);
    }

    #[test]
    fn a_throttle_has_the_interval_it_was_given() {
        assert_eq!(passed(&Throttle::every(200.0, clock), &[10.0, 110.0, 209.0, 210.0]), [true, false, false, true]);
    }

    #[test]
    fn the_last_value_of_a_series_passes_always() {
        let throttle = Throttle::new(clock);
        TIME.set(0.0);
        assert!(throttle.passes(1, 3));
        assert!(!throttle.passes(2, 3));
        assert!(throttle.passes(3, 3));
    }

    #[test]
    fn a_meter_adds_up_and_reports_the_end() {
        let reports = RefCell::new(Vec::new());
        let report = |progress| reports.borrow_mut().push(progress);
        let meter = Meter::new(Phase::Download, 100, Throttle::new(clock), &report);
        for (time, bytes) in [(0.0, 10), (10.0, 20), (20.0, 30), (130.0, 10), (140.0, 30)] {
            TIME.set(time);
            meter.add(bytes);
        }
        let reports = reports.into_inner();
        assert!(reports.iter().all(|progress| progress.phase == Phase::Download && progress.total == 100));
        let done: Vec<u64> = reports.iter().map(|progress| progress.done).collect();
        assert_eq!(done, [10, 70, 100]);
    }
}
