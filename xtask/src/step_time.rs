//! `cargo xtask bench --peers --training`: a step of training in the worker beside one by PyTorch, one thread each, in
//! turn.

use crate::peers::python_with;
use crate::run::{Outcome, answer, words};
use crate::test::in_worker;
use crate::toolchain::Wasm;
use crate::{programs, tools};

/// Number of runs of each.
const ROUNDS: usize = 3;

/// Measures in turn and prints the milliseconds of each round and how they relate.
pub fn bench() -> Outcome<()> {
    let python = python_with(&["torch"])?;
    let (browser, toolchain) = (tools::browser()?, Wasm::ready()?);
    let bench = ["--package", "tuppum-wasm-tests", "--bench", "training", "--", "--nocapture"];
    println!("\nmini, without the bias, 16 pairs of twice 128 tokens, one thread: ms a step, median of nine");
    println!("\n| ours, in the worker | PyTorch | theirs / ours |\n|---|---|---|");
    for _ in 0..ROUNDS {
        let mut recipe = programs::command(&python);
        recipe.arg("recipes/translator/step_time.py");
        let own = step_time(&answer_of(&mut in_worker(&browser, &toolchain, &bench)?)?)?;
        let other = step_time(&answer_of(&mut recipe)?)?;
        println!("| {own:.0} | {other:.0} | {:.2} |", other / own);
    }
    Ok(())
}

fn answer_of(command: &mut std::process::Command) -> Outcome<String> {
    answer(command).ok_or_else(|| format!("a bench failed; run `{}` to see why", words(command)))
}

/// `training 812.5 ms a step`, somewhere in what was printed.
fn step_time(printed: &str) -> Outcome<f64> {
    let time = |line: &str| line.split_once("training ")?.1.strip_suffix(" ms a step")?.trim().parse().ok();
    let found = printed.lines().find_map(|line| time(line.trim_end()));
    found.ok_or_else(|| format!("no line `training N ms a step` in what was printed:\n{printed}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_of_a_step_is_found_in_what_is_printed() {
        assert_eq!(step_time("running 1 test\n    training 812.5 ms a step\nok"), Ok(812.5));
        assert!(step_time("test training ... ok").is_err());
    }
}
