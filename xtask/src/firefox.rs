//! The main paths of the application in Firefox: tests that are there for Chromium, chosen by name.

use crate::run::Outcome;
use crate::tally::Tally;
use crate::{nextest, tools};

/// Files of `tests/browser/tests` and the tests in them that run in Firefox too: what a person does, once each, and
/// where browsers differ (storage, offline, files, policy, devices). All of them take about two minutes on two cores.
const MAIN_PATHS: [(&str, &[&str]); 8] = [
    ("harness", &["a_person_finds_types_pastes_and_presses"]),
    ("restore", &["a_letter_is_restored_and_again_with_the_network_off"]),
    ("translate", &["a_text_is_translated_chosen_kept_and_taken_along"]),
    ("offline", &["everything_named_is_there_without_a_network", "samples_and_cards_open_without_a_network"]),
    (
        "models_page",
        &["a_model_is_looked_up_fetched_continued_chosen_and_deleted", "files_are_brought_and_wrong_ones_refused"],
    ),
    ("train", &["a_run_is_prepared_paused_reloaded_resumed_and_kept"]),
    ("csp", &["the_page_keeps_to_its_policy_and_to_its_own_server"]),
    ("devices", &["without_webgpu_the_cpu_computes_and_says_why"]),
];

/// Runs them; one that is no longer there counts as failed.
pub fn firefox() -> Outcome<Tally> {
    let firefox = tools::firefox()?;
    println!("   {}", firefox.program.display());
    let mut command = nextest::nextest("browser")?;
    command.env("TUPPUM_BROWSER", "firefox").env("GECKODRIVER", firefox.driver).env("FIREFOX", firefox.program);
    let tally = nextest::in_browser(command.args(["--filterset", &main_paths()]))?;
    let named: usize = MAIN_PATHS.iter().map(|(_, tests)| tests.len()).sum();
    let missing = named.saturating_sub(tally.passed + tally.failed);
    Ok(tally.plus(Tally { failed: missing, ..Tally::default() }))
}

/// The main paths in nextest's language.
fn main_paths() -> String {
    let tests = MAIN_PATHS
        .iter()
        .flat_map(|(file, tests)| tests.iter().map(move |test| format!("(binary(={file}) & test(={test}))")));
    tests.collect::<Vec<_>>().join(" | ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::places;

    #[test]
    fn every_test_named_is_there() {
        for (file, tests) in MAIN_PATHS {
            let path = places::project().join(format!("tests/browser/tests/{file}.rs"));
            let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            for test in tests {
                assert!(text.contains(&format!("#[test]\nfn {test}()")), "{file} has no test {test}");
            }
        }
    }
}
