//! Messages about models that are not in this browser yet, shown before anything is fetched.

use super::availability::Availability;
use crate::corpora::state::CorpusState;
use crate::engine::model::ModelState;
use crate::kit::format;
use crate::models::Models;
use crate::restore::state::Workbench;
use crate::translate::state::translator::TranslatorChoice;
use leptos::prelude::*;

/// Size of what the first restoration fetches, with a button that fetches it now; absent if nothing must be fetched.
#[component]
pub fn Offer() -> impl IntoView {
    let (models, workbench) = (expect_context::<Models>(), expect_context::<Workbench>());
    let offered = Memo::new(move |_| missing(models, workbench));
    move || {
        offered.get().map(|bytes| {
            view! {
                <div id="restorer-offer" class="buttons">
                    <p class="hint">{restoring_notice(models, workbench, "The first Restore fetches")}</p>
                    <button id="restorer-fetch" type="button" on:click=move |_| workbench.open_restorer()>
                        {label(bytes)}
                    </button>
                </div>
            }
        })
    }
}

/// Returns what the first restoration fetches, and its size; `None` if nothing is to be fetched or it is being fetched.
/// `asking` names the action that fetches it. Tracks signals.
pub fn restoring_notice(models: Models, workbench: Workbench, asking: &str) -> Option<String> {
    let what = match workbench.text.work.with(|work| work.contexts) {
        true => ToFetch::Both("the restorer"),
        false => ToFetch::Model("the restorer"),
    };
    missing(models, workbench).map(|bytes| message_now(models, what, bytes, asking))
}

/// Returns what the first translation fetches, and its size; `None` if nothing is to be fetched. Tracks signals.
pub fn translating_notice(models: Models, workbench: Workbench, choice: TranslatorChoice) -> Option<String> {
    let is_on_its_way =
        workbench.corpora.state.with(|state| matches!(state, CorpusState::Opening | CorpusState::Ready(_)));
    let texts = if is_on_its_way { Availability::Stored } else { models.texts_availability(workbench) };
    what_to_fetch(models.translator_availability(choice), texts)
        .map(|(what, bytes)| message_now(models, what, bytes, "The first Translate fetches"))
}

/// Returns which of translator and edited texts must be fetched, and their size.
fn what_to_fetch(translator: Availability, texts: Availability) -> Option<(ToFetch, Option<u64>)> {
    Some(match (translator, texts) {
        (Availability::Remote(own), Availability::Remote(more)) => {
            (ToFetch::Both("the translator"), own.zip(more).map(|(own, more)| own + more))
        }
        (Availability::Remote(own), _) => (ToFetch::Model("the translator"), own),
        (Availability::Stored, Availability::Remote(more)) => (ToFetch::Texts, more),
        _ => return None,
    })
}

/// Things to fetch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ToFetch {
    Model(&'static str),
    /// A model and the edited texts.
    Both(&'static str),
    Texts,
}

/// Returns the message for the browser's present storage and network. Tracks signals.
fn message_now(models: Models, what: ToFetch, bytes: Option<u64>, asking: &str) -> String {
    let refused = models.usage.with(|usage| usage.as_ref().is_some_and(|usage| usage.refusal.is_some()));
    let network = if models.online.get() { "" } else { " That needs a network, and there is none at the moment." };
    message(what, bytes, asking, refused) + network
}

/// Returns the bytes to fetch, if the page knows how many, of a restorer that is neither stored nor being fetched.
pub fn missing(models: Models, workbench: Workbench) -> Option<Option<u64>> {
    let is_closed = workbench.restoring.restorer.state.with(|state| *state == ModelState::Closed);
    match models.restorer_availability(workbench) {
        Availability::Remote(bytes) if is_closed => Some(bytes),
        _ => None,
    }
}

/// Returns the message; `refused` if the browser stores nothing for this site.
fn message(what: ToFetch, bytes: Option<u64>, asking: &str, refused: bool) -> String {
    let (what, them, are) = match what {
        ToFetch::Model(model) => (model.to_owned(), "it", "It is"),
        ToFetch::Both(model) => (format!("{model} and the edited texts"), "them", "They are"),
        ToFetch::Texts => ("the edited texts".to_owned(), "them", "They are"),
    };
    let size = size(bytes).map(|size| format!(", {size}")).unwrap_or_default();
    let kept = match refused {
        true => format!("This browser cannot store {them}, so every visit fetches {them} again."),
        false => format!("{are} then stored in this browser, and later visits need no network."),
    };
    format!("Not fetched yet: {what}{size}. {asking} {them}. {kept}")
}

/// Returns the message about the translator, for pages that open it, with its size.
pub fn translator_notice(found: Availability) -> Option<String> {
    let Availability::Remote(bytes) = found else { return None };
    let size = size(bytes).map(|size| format!(", {size},")).unwrap_or_default();
    Some(format!("The translator{size} is not in this browser yet: it is fetched once, when it is first opened."))
}

/// Returns the label of the button that fetches it.
pub fn label(bytes: Option<u64>) -> String {
    size(bytes).map_or_else(|| "Fetch now".to_owned(), |size| format!("Fetch now ({size})"))
}

fn size(bytes: Option<u64>) -> Option<String> {
    bytes.map(format::bytes)
}

/// Returns what a lesson that uses the restorer in one step can promise about needing a network. It promises nothing
/// before the restorer's availability is known.
pub fn promise(found: Availability) -> String {
    match found {
        Availability::Unknown => "Everything here works on this machine.".to_owned(),
        Availability::Stored => "Everything here works on this machine, without a network.".to_owned(),
        Availability::Remote(bytes) => {
            let size = size(bytes).map(|size| format!(" ({size})")).unwrap_or_default();
            format!(
                "Everything here works on this machine; steps 1 to 5 need no network. Step 6 asks the restorer, which \
                 is not in this browser yet: it is fetched{size} when you ask it, and needs a network until then."
            )
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_size_is_told_before_it_is_fetched() {
        let message = |what, bytes, refused| message(what, bytes, "The first Restore fetches", refused);
        let both = message(ToFetch::Both("the restorer"), Some(63_882_208), false);
        assert!(both.contains("63.9\u{202f}MB. The first Restore fetches them."), "{both}");
        let alone = message(ToFetch::Model("the translator"), None, true);
        assert!(alone.starts_with("Not fetched yet: the translator. The first Restore fetches it."), "{alone}");
        assert!(!alone.contains("need no network"), "where nothing is stored");
        assert_eq!(label(Some(57_732_499)), "Fetch now (57.7\u{202f}MB)");
        assert_eq!(label(None), "Fetch now");
    }

    #[test]
    fn what_is_away_is_counted_together() {
        use Availability::{Remote, Stored, Unknown};
        let both = ToFetch::Both("the translator");
        assert_eq!(what_to_fetch(Remote(Some(21)), Remote(Some(7))), Some((both, Some(28))));
        assert_eq!(
            what_to_fetch(Remote(None), Remote(Some(7))),
            Some((both, None)),
            "a size that is not known is not told"
        );
        assert_eq!(what_to_fetch(Remote(Some(21)), Stored), Some((ToFetch::Model("the translator"), Some(21))));
        assert_eq!(what_to_fetch(Stored, Remote(Some(7))), Some((ToFetch::Texts, Some(7))));
        assert_eq!(what_to_fetch(Stored, Stored), None);
        assert_eq!(what_to_fetch(Unknown, Remote(Some(7))), None);
    }

    #[test]
    fn a_translator_that_is_here_needs_no_word() {
        assert_eq!(translator_notice(Availability::Stored), None);
        let message = translator_notice(Availability::Remote(Some(41_900_000))).unwrap();
        assert!(message.starts_with("The translator, 41.9\u{202f}MB, is not in this browser yet"), "{message}");
    }

    #[test]
    fn nothing_is_promised_that_is_not_stored() {
        assert!(promise(Availability::Stored).contains("without a network"));
        for found in [Availability::Unknown, Availability::Remote(None), Availability::Remote(Some(1_000_000))] {
            assert!(!promise(found).contains("without a network"), "{found:?}");
        }
        assert!(promise(Availability::Remote(Some(57_732_499))).contains("57.7\u{202f}MB"));
    }
}
