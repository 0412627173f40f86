//! Goes round all views of the page in a real Chromium for so many minutes (the argument; ten without one) and prints a
//! row of memory after every round, columns apart by tabs, then how much of each grows in an hour.

use std::time::{Duration, Instant};
use tuppum_browser_tests::soak::{FIGURES, Soak, head, told};

fn main() {
    let minutes = std::env::args().nth(1).and_then(|minutes| minutes.parse().ok()).unwrap_or(10);
    let end = Instant::now() + Duration::from_secs(60 * minutes);
    let mut soak = Soak::open("soak-hours");
    println!("{}", head());
    let mut measures = Vec::new();
    while Instant::now() < end {
        let measure = soak.round();
        println!("{measure}");
        measures.push(measure);
    }
    println!("\nGrowth over the last two thirds of {} rounds, with twice its standard error:", measures.len());
    (0..FIGURES.len()).for_each(|figure| println!("{}", told(&measures, figure)));
}
