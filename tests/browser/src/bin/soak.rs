//! Goes through all views of the page in a real Chromium for the number of minutes in the first argument (default 10).
//! Prints a tab-separated row of memory figures after every round, then the growth of each figure per hour. Further
//! arguments select parts of the page, to find out which of them grows.

use std::time::{Duration, Instant};
use tuppum_browser_tests::soak::{FIGURES, PARTS, Soak, head, told};

/// Time after the last round for the browser to release memory, which it does only when idle.
const REST: Duration = Duration::from_secs(120);

fn main() {
    let minutes = std::env::args().nth(1).and_then(|minutes| minutes.parse().ok()).unwrap_or(10.0);
    let chosen: Vec<String> = std::env::args().skip(2).collect();
    let parts = if chosen.is_empty() { PARTS.to_vec() } else { chosen.iter().map(String::as_str).collect() };
    let end = Instant::now() + Duration::from_secs_f64(60.0 * minutes);
    let mut soak = Soak::open("soak-hours");
    println!("{}", head());
    let mut measures = Vec::new();
    while Instant::now() < end {
        let measure = soak.round(&parts);
        println!("{measure}");
        measures.push(measure);
    }
    println!("\nGrowth over the last two thirds of {} rounds, with twice its standard error:", measures.len());
    (0..FIGURES.len()).for_each(|figure| println!("{}", told(&measures, figure)));
    println!("\nAfter {} seconds without a round:\n{}", REST.as_secs(), soak.rest(REST));
    let (each, commands) = soak.left_by_the_driver();
    let hours = measures.last().map_or(0.0, |last| last.seconds / 3600.0 / last.round as f64);
    println!(
        "The driver's commands leave {:.0} bytes of heap each, {commands:.0} a round: {:.0} kB an hour of it.",
        each * 1024.0,
        each * commands / hours
    );
}
