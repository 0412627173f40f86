//! The beginning of a visit: the work, the answer to the first example, and the restorer.
//!
//! The work is that of the address if it holds another text, else the stored work, else an example. Work that an
//! address displaces is set aside, so nothing stored is lost.

use crate::frame::address::Address;
use crate::kit::storage;
use crate::restore::state::history::History;
use crate::restore::state::work::Work;
use serde::Deserialize;
use tuppum_protocol::{Answer, ModelRef, Question};

/// Beginning of a visit.
#[derive(Clone, Debug, PartialEq)]
pub struct Start {
    /// The work on the page.
    pub history: History,
    /// Work set aside for the text of the address.
    pub previous: Option<History>,
}

/// Chooses between the address, the stored work and the first example. An address with the stored text brings nothing
/// new, unless it is a link with decisions of its own. `example_text` returns the example with a key.
pub fn begin(
    address: &Address,
    is_link: bool,
    stored: Option<History>,
    first_example: &str,
    example_text: impl Fn(&str) -> Option<String>,
) -> Start {
    let wanted = address.text.clone().or_else(|| address.example.as_deref().and_then(&example_text));
    let differs = |present: &Work| is_link && address.work_in_place_of(present, is_link).is_some();
    match (wanted, stored) {
        (Some(text), Some(stored)) if stored.present.text == text && !differs(&stored.present) => {
            Start { history: stored, previous: None }
        }
        (Some(text), stored) => {
            let previous = stored.filter(|stored| !stored.present.text.trim().is_empty());
            Start { history: History::beginning_with(address.work_on(text)), previous }
        }
        (None, Some(stored)) => Start { history: stored, previous: None },
        (None, None) => {
            let text = example_text(first_example).unwrap_or_default();
            Start { history: History::beginning_with(address.work_on(text)), previous: None }
        }
    }
}

/// Returns `true` if work is worth setting aside: not empty, and more than an untouched example.
pub fn is_worth_keeping(work: &Work, is_example: impl Fn(&str) -> bool) -> bool {
    !(work.text.trim().is_empty() || is_example(&work.text) && *work == Work::on(work.text.clone()))
}

/// The stored answer: output of `tuppum restore --json` for the first example, numbers cut to three digits.
const STORED: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/examples/first-answer.json"));

/// The question about the first example with its answer.
#[derive(Deserialize)]
pub struct FirstAnswer {
    pub question: Question,
    pub answer: Answer,
}

/// Returns the stored answer; `None` if the file cannot be read, which a test rules out.
pub fn first_answer() -> Option<FirstAnswer> {
    storage::read_json(STORED)
}

/// Returns the restorer at the beginning of a visit: one that was trained here and chosen, else the one that comes with
/// the page.
pub fn restorer(shipped: &ModelRef) -> ModelRef {
    chosen(storage::stored(storage::RESTORER), shipped)
}

/// Prefers a stored model that was chosen to the one that comes with the page.
fn chosen(stored: Option<ModelRef>, shipped: &ModelRef) -> ModelRef {
    stored.filter(|model| matches!(model, ModelRef::Stored(_))).unwrap_or_else(|| shipped.clone())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::restore::state::work::Work;
    use tuppum_text::examples;

    fn examples(key: &str) -> Option<String> {
        (key == "letter").then(|| "um-ma x".to_owned())
    }

    fn check(fragment: &str, stored: Option<&str>, text: &str, previous: Option<&str>) {
        let stored = stored.map(|text| History::beginning_with(Work::on(text)));
        let start = begin(&Address::read("", fragment), true, stored, "letter", examples);
        assert_eq!(start.history.present.text, text, "{fragment}");
        assert_eq!(start.previous.map(|history| history.present.text).as_deref(), previous, "{fragment}");
    }

    #[test]
    fn address_then_kept_then_example() {
        check("", None, "um-ma x", None);
        check("", Some("a-na x"), "a-na x", None);
        check("#text=x", Some("a-na x"), "x", Some("a-na x"));
        check("#text=x", Some("  "), "x", None);
        check("#text=x", None, "x", None);
        check("#example=letter", Some("a-na x"), "um-ma x", Some("a-na x"));
        check("#example=unknown", Some("a-na x"), "a-na x", None);
    }

    #[test]
    fn a_reload_brings_all_the_work_back() {
        let mut stored = History::beginning_with(Work::on("a x"));
        stored.step("choose", |work| work.chosen.push(0));
        for address in ["#v=1&text=a%20x", "#v=1&decisions=%7B%22left_alone%22%3A%5B1%5D%7D&text=a%20x"] {
            let start = begin(&Address::read("", address), false, Some(stored.clone()), "letter", examples);
            assert_eq!(start, Start { history: stored.clone(), previous: None });
        }
    }

    #[test]
    fn a_link_of_the_stored_text_brings_its_decisions() {
        let mut stored = History::beginning_with(Work::on("a x"));
        stored.step("choose", |work| work.chosen.push(0));
        let address = Address::read("", "#v=1&decisions=%7B%22left_alone%22%3A%5B1%5D%7D&text=a%20x");
        let start = begin(&address, true, Some(stored.clone()), "letter", examples);
        assert_eq!((start.history.present.left_alone, start.previous), (vec![1], Some(stored.clone())));
        let without = begin(&Address::read("", "#v=1&text=a%20x"), true, Some(stored.clone()), "letter", examples);
        assert_eq!(without, Start { history: stored, previous: None });
    }

    #[test]
    fn an_untouched_example_is_not_set_aside() {
        assert!(!is_worth_keeping(&Work::on("um-ma x"), |text| text == "um-ma x"));
        assert!(is_worth_keeping(&Work { chosen: vec![0], ..Work::on("um-ma x") }, |text| text == "um-ma x"));
        assert!(is_worth_keeping(&Work::on("a-na x"), |_| false));
    }

    #[test]
    fn the_stored_answer_is_for_the_first_example_as_it_opens() {
        let stored = first_answer().expect("assets/examples/first-answer.json is read");
        assert_eq!(stored.question, Work::on(examples::ALL[0].text).question());
        assert!(!stored.answer.gaps.is_empty() && !stored.answer.joint.is_empty());
    }

    #[test]
    fn only_a_model_that_was_trained_here_stands_above_the_folder() {
        for (stored, expected) in [
            (None, "models/restorer/"),
            (Some("kept:archive"), "kept:archive"),
            (Some("models/other/"), "models/restorer/"),
        ] {
            let shipped = ModelRef::from("models/restorer/");
            assert_eq!(chosen(stored.map(ModelRef::from), &shipped), ModelRef::from(expected));
        }
    }
}
