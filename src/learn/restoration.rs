//! Step 6: reading a restoration critically. The user hides a sign of a known letter and asks the restorer for it.

use super::Try;
use crate::engine::job::Job;
use crate::engine::model::ModelState;
use crate::models::{Models, offer};
use crate::restore::state::Workbench;
use crate::{frame::progress::meter, restore::view::marks};
use leptos::prelude::*;
use tuppum_protocol::{GapAnswer, ModelRequest, Question, Reply, RestorationEvent};
use tuppum_text::{Document, Joiner, SignIndex};

/// Beginning of SAA 1, P334036, without damage (see the example "archive").
const LETTER: &str = "a-na LUGAL EN-ia\nARAD-ka {m}DUG₃.GA-ṣil-E₂.ŠAR₂\nlu DI-mu a-na LUGAL EN-ia₂";
/// Sign that is hidden at first: `mu` of `DI-mu`.
const FIRST_HIDDEN: SignIndex = 15;
/// Maximum number of proposals that are listed.
const MAX_PROPOSALS: usize = 6;

/// State of the step.
#[derive(Clone, Copy)]
struct State {
    hidden: RwSignal<SignIndex>,
    answer: RwSignal<Option<GapAnswer>>,
    /// `true` from the click until the answer: first the restorer is opened, then it computes.
    waiting: RwSignal<bool>,
    problem: RwSignal<Option<String>>,
    job: Job,
}

const INTRODUCTION: &str = "The restorer proposes signs with probabilities. They say what it expects from the editions \
    on which it was trained; it has not seen the tablet. Hide a sign of this letter to the king of Assyria (SAA 1, \
    P334036) and ask; then compare with what the editors read. The letter belongs to a corpus on which it was trained, \
    and may be one of the texts that it has seen: it will do better here than on a newly found tablet.";

#[component]
pub fn Step() -> impl IntoView {
    let (models, workbench) = (expect_context::<Models>(), expect_context::<Workbench>());
    let state = State {
        hidden: RwSignal::new(FIRST_HIDDEN),
        answer: RwSignal::new(None),
        waiting: RwSignal::new(false),
        problem: RwSignal::new(None),
        job: Job::new(workbench.engine),
    };
    ask_when_ready(state, workbench);
    let restore = move |_| {
        state.problem.set(None);
        state.waiting.set(true);
        if !untrack(|| workbench.restoring.restorer.is_ready()) && !workbench.restoring.restorer.is_opening() {
            workbench.open_restorer();
        }
    };
    view! {
        <section class="card step" id="learn-step-6" aria-labelledby="learn-6">
            <h2 id="learn-6">"6. Reading a restoration critically"</h2>
            <p>
                {INTRODUCTION}
            </p>
            <Letter state />
            <p class="buttons">
                <button
                    id="learn-restore"
                    type="button"
                    class="primary"
                    aria-disabled=move || state.waiting.get().to_string()
                    on:click=move |event| {
                        if !state.waiting.get_untracked() {
                            restore(event);
                        }
                    }
                >
                    "Ask the restorer"
                </button>
            </p>
            <p class="hint">{move || offer::restoring_notice(models, workbench, "Asking the restorer fetches")}</p>
            {move || state.waiting.get().then(|| {
                let progress = state.job.progress().or_else(|| workbench.restoring.restorer.progress());
                view! { <div class="progress">{meter(progress, "Starting the model")}</div> }
            })}
            {move || state.problem.get().map(|problem| view! { <p class="band warning" role="alert">{problem}</p> })}
            <div id="learn-proposals" aria-live="polite">
                {move || state.answer.get().map(|answer| proposals(&answer, state.hidden.get()))}
            </div>
            <Advice />
            <Try
                question="Hide mu in lu DI-mu, and then ṣil in the sender’s name. The restorer is almost certain of \
                    both. Is it for the same reason?"
                answer="No. “May it be well” opens hundreds of letters to the king, whoever wrote them: the formula \
                    makes mu certain. About a name the context says little. ṣil is certain because letters of this \
                    very man stand in the edited texts; of a sender whom they do not know, {m}ba-x-a, the best \
                    proposal has 33\u{202f}%. A high probability says that a passage is known, not that the tablet \
                    has it."
            />
        </section>
    }
}

/// Asks once the restorer is open, if the user waits for it.
fn ask_when_ready(state: State, workbench: Workbench) {
    Effect::new(move |_| {
        if !state.waiting.get() || state.job.is_running_untracked() {
            return;
        }
        match workbench.restoring.restorer.state.get() {
            ModelState::Ready(_) => ask(state),
            ModelState::Failed(failure) => end(state, Some(failure.message)),
            ModelState::Opening | ModelState::Closed => {}
        }
    });
}

#[component]
fn Advice() -> impl IntoView {
    view! {
            <ul class="plain-list">
                <li>"Is the passage a formula? Then the machine knows it by heart, as any pupil of a scribe did."</li>
                <li>"Do the traces and the room on the clay allow the sign? The machine knows neither, unless you \
                    enter them on the workbench."</li>
                <li>"What do the second and third proposals say? If they would change the meaning, say so in the \
                    edition."</li>
                <li>"A proposal belongs in square brackets, with its source named: it is a conjecture, not a \
                    reading."</li>
            </ul>
    }
}

fn ask(state: State) {
    let hidden = state.hidden.get_untracked();
    let question = Question { chosen: vec![hidden], top: MAX_PROPOSALS, ..Question::about(LETTER) };
    state.job.start(ModelRequest::Restore(question), move |event| match event {
        Reply::Answer(RestorationEvent::Answer(answer)) => {
            state.answer.set(answer.gaps.into_iter().find(|gap| gap.sign == hidden))
        }
        Reply::Done => end(state, None),
        Reply::Failed(failure) => end(state, Some(failure.message)),
        _ => {}
    });
}

fn end(state: State, problem: Option<String>) {
    state.problem.set(problem);
    state.waiting.set(false);
}

/// The letter; every sign is a button that hides the sign.
#[component]
fn Letter(state: State) -> impl IntoView {
    let hide = move |sign: SignIndex| {
        state.job.cancel();
        state.hidden.set(sign);
        state.answer.set(None);
        state.waiting.set(false);
    };
    let document = Document::read(LETTER);
    let mut number = 0;
    let lines = document.lines.iter().map(|line| {
        let signs: Vec<_> = line
            .signs
            .iter()
            .map(|sign| {
                let own = number;
                number += 1;
                let reading = sign.reading().unwrap_or_default().to_owned();
                let before = if own == 0 { "" } else { joiner(sign.joiner) };
                let name = hiding(&reading);
                let is_hidden = move || state.hidden.get() == own;
                let name = move || name[usize::from(is_hidden())].clone();
                let shown = move || if is_hidden() { view! { "x" }.into_any() } else { marks::reading(&reading) };
                view! {
                    {before}
                    <button
                        type="button"
                        class="sign"
                        data-learn-sign=own.to_string()
                        aria-label=name
                        aria-pressed=move || is_hidden().to_string()
                        on:click=move |_| hide(own)
                    >
                        {shown}
                    </button>
                }
            })
            .collect();
        view! { <p class="letter">{signs}</p> }
    });
    view! {
        <div id="learn-letter" lang="akk-Latn" role="group" aria-label="Letter; press a sign to hide it">
            {lines.collect_view()}
        </div>
    }
}

/// Returns the accessible names of a sign's button before and after it is pressed. Each contains the visible text, so
/// that the button can be named by voice.
fn hiding(reading: &str) -> [String; 2] {
    [format!("Hide {reading}"), format!("x: {reading} is hidden")]
}

fn joiner(joiner: Joiner) -> &'static str {
    match joiner {
        Joiner::Space => " ",
        Joiner::Hyphen => "-",
        Joiner::Dot => ".",
        Joiner::Plus => "+",
        Joiner::Nothing => "",
    }
}

fn proposals(answer: &GapAnswer, hidden: SignIndex) -> impl IntoView + use<> {
    let document = Document::read(LETTER);
    let truth = document.signs().nth(hidden).and_then(|sign| sign.reading()).unwrap_or_default().to_owned();
    let place =
        answer.proposals.iter().position(|proposal| proposal.variants.iter().any(|variant| variant.reading == truth));
    let told = match place {
        Some(0) => format!("The editors read {truth}, which is the first proposal."),
        Some(place) => format!("The editors read {truth}, which is proposal {}.", place + 1),
        None => format!("The editors read {truth}, which is not among the first {MAX_PROPOSALS}."),
    };
    let row = |(number, proposal): (usize, &tuppum_protocol::Proposal)| {
        let mark = (place == Some(number)).then_some(" ✓ as the editors read");
        view! {
            <tr data-rank=(number + 1).to_string()>
                <th scope="row">
                    {marks::proposed(&proposal.written, proposal.starts_word)}
                    {mark}
                </th>
                <td>{marks::glyph(&proposal.glyph)}</td>
                <td>{marks::probability(proposal.probability)}</td>
            </tr>
        }
    };
    view! {
        <p>{format!("A machine’s proposals. {told}")}</p>
        <table class="plain" aria-label="Proposals for the hidden sign">
            <tbody>{answer.proposals.iter().take(MAX_PROPOSALS).enumerate().map(row).collect_view()}</tbody>
        </table>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sign_hidden_at_first_is_mu() {
        let document = Document::read(LETTER);
        let signs: Vec<&str> = document.signs().filter_map(|sign| sign.reading()).collect();
        assert_eq!(signs.get(FIRST_HIDDEN), Some(&"mu"), "{signs:?}");
    }

    #[test]
    fn a_button_is_named_by_what_is_seen_on_it() {
        let [shown, hidden] = hiding("DUG₃");
        assert!(shown.contains("DUG₃") && hidden.starts_with('x'), "{shown}; {hidden}");
    }
}
