//! Processor time of this process; unlike the clock's time, it does not grow on a busy machine.

/// Ticks a second in which Linux counts processor time: hundredths of a second, on every processor that it runs on
/// today.
const TICKS: f64 = 100.0;

/// Returns the seconds of processor time of this process, all processors together; `None` if the system does not report
/// it as Linux does.
pub fn processor_seconds() -> Option<f64> {
    seconds_in(&std::fs::read_to_string("/proc/self/stat").ok()?)
}

/// Parses a line of Linux. The name of the program stands in parentheses and may hold anything; after it, `utime` is
/// the twelfth field, `stime` the next.
fn seconds_in(stat: &str) -> Option<f64> {
    let (_, fields) = stat.rsplit_once(')')?;
    let ticks: Vec<f64> = fields.split_whitespace().skip(11).take(2).filter_map(|ticks| ticks.parse().ok()).collect();
    (ticks.len() == 2).then(|| ticks.iter().sum::<f64>() / TICKS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn user_and_system_time_are_added_whatever_the_program_is_called() {
        let stat = "12 (a) b (c) S 1 12 12 0 -1 4194560 1 2 3 4 250 50 7 8 20 0 1 0 99";
        assert_eq!(seconds_in(stat), Some(3.0));
        assert_eq!(seconds_in("12 (a) S 1"), None);
        assert_eq!(seconds_in(""), None);
    }
}
