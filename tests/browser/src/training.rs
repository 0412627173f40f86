//! Speed of training on the page, and smoothness of the page meanwhile.

use crate::browser::{Setup, keys};
use crate::scripts::SPY_ON_WORKERS;
use crate::site::Site;
use crate::workbench::{ANSWERING, SOON};
use serde_json::{Value, json};

/// Steps of a run; in the first ones the browser still compiles, as in any run.
const STEPS: u32 = 40;
/// Number of runs, each in a new browser; the median of each figure counts.
const ROUNDS: usize = 3;

/// Page script that records its longest task and the times between its frames, from the press of the button on.
const WATCH_THE_FRAMES: &str = r"
window.smooth = { longest: 0, frames: [] };
new PerformanceObserver(list => list.getEntries().forEach(task => {
    window.smooth.longest = Math.max(window.smooth.longest, task.duration);
})).observe({ type: 'longtask' });
let before = performance.now();
const frame = now => { window.smooth.frames.push(now - before); before = now; requestAnimationFrame(frame); };
requestAnimationFrame(frame);
";

/// Script that returns the pairs per second over all steps, each measured from the message before it, and the page's
/// smoothness.
const FIGURES: &str = r"
const kind = heard => {
    const event = heard.message.Event?.event;
    return typeof event === 'string' ? event : Object.keys(event ?? {})[0];
};
let [pairs, time] = [0, 0];
window.spy.heard.forEach((heard, number) => {
    if (kind(heard) !== 'TrainingStep') return;
    pairs += heard.message.Event.event.TrainingStep.pairs;
    time += heard.at - window.spy.heard[number - 1].at;
});
const frames = window.smooth.frames.sort((one, other) => one - other);
return { training_pairs_per_second: 1000 * pairs / time, training_longest_task_ms: window.smooth.longest,
    training_frame_ms: frames[Math.floor(frames.length * 0.95)] };
";

/// Trains a new small model on the bundled sample, on the CPU, and returns the figures as a flat JSON object.
pub fn speed(site: &Site) -> Value {
    let rounds: Vec<Value> = (0..ROUNDS).map(|_| round(site)).collect();
    let middle = |name: &str| {
        let mut figures: Vec<f64> = rounds.iter().filter_map(|round| round[name].as_f64()).collect();
        figures.sort_by(f64::total_cmp);
        figures.get(figures.len() / 2).copied()
    };
    let figures = ["training_pairs_per_second", "training_longest_task_ms", "training_frame_ms"];
    figures.into_iter().map(|name| (name.to_owned(), json!(middle(name)))).collect()
}

fn round(site: &Site) -> Value {
    let page = Setup::new("training-speed").with_script(SPY_ON_WORKERS).start();
    page.open(&site.url("view=train&model=models/tiny/&device=cpu"));
    page.wait("the page of training", SOON, |page| page.visible_text().contains("1. Your corpus").then_some(()));
    page.press("button", "Take the sample");
    page.wait("the sample", SOON, |page| page.visible_text().contains("60 pairs:").then_some(()));
    page.press("radio", "A new small model");
    let steps = page.the("textbox", "Steps");
    // At once: with smooth scrolling the field would move under the mouse.
    let show =
        "document.documentElement.style.scrollBehavior = 'auto'; arguments[0].scrollIntoView({ block: 'center' })";
    page.run(show, &[steps.to_json()]);
    page.come_to_rest();
    page.click(&steps);
    page.chord(keys::CONTROL, 'a');
    page.type_keys(&format!("{STEPS}{}", keys::TAB));
    page.run(WATCH_THE_FRAMES, &[]);
    page.press("button", "Start");
    page.wait("the run to end", 4 * ANSWERING, |page| {
        let standing = page.try_run("return document.querySelector('#train-run')?.dataset.standing", &[]);
        (standing.ok()?.as_str() == Some("finished")).then_some(())
    });
    page.run(FIGURES, &[])
}
