//! Page of the attention maps, with the panel that opens the translator or says why it cannot be opened.

use super::{controls, maps, tables};
use crate::attention::Attention;
use crate::engine::model::{ModelReport, ModelState};
use crate::frame::page::Page;
use crate::frame::progress::meter;
use crate::frame::visit;
use crate::kit::colours::{self, Colours};
use crate::kit::format;
use crate::kit::interaction::focus_first;
use crate::models::{Models, offer};
use crate::restore::state::Workbench;
use crate::translate::state::translator::TranslatorChoice;
use leptos::prelude::*;
use tuppum_protocol::{DeviceKind, Failure, FailureKind, ModelRef, TranslatorReport};

/// The page: controls on top, the maps below them, the tables of numbers beside or below the maps.
#[component]
pub fn AttentionPage() -> impl IntoView {
    let (attention, workbench) = (expect_context::<Attention>(), expect_context::<Workbench>());
    let choice = expect_context::<TranslatorChoice>();
    attention.follow_address();
    attention.ask_on_change(choice);
    attention.show_on_change();
    attention.draw_on_change();
    attention.write_address_on_change(workbench);
    colours::watch(attention.colours);
    let followed = window_event_listener_untyped("hashchange", move |_| attention.follow_address());
    on_cleanup(move || followed.remove());
    let ready = Memo::new(move |_| attention.translator.is_ready());
    view! {
        <main class="attention">
            <Colours />
            <controls::Text />
            <Translator />
            <Show when=move || ready.get()>
                <section class="card" aria-labelledby="attention-title">
                    <div class="card-head">
                        <h2 id="attention-title">"What attends to what"</h2>
                        <controls::Grouping />
                    </div>
                    <controls::Choices />
                    <controls::Strengths />
                    <maps::Maps />
                    <maps::Tools />
                </section>
                <div class="attention-numbers">
                    <tables::Shares />
                    <tables::Row />
                </div>
            </Show>
            <section class="card" aria-labelledby="distances-title">
                <h2 id="distances-title">"How far {d} and UTU lie apart"</h2>
                <tables::Distances />
            </section>
        </main>
    }
}

/// Focuses the text field.
pub fn focus_text() {
    focus_first("#attention-text");
}

#[component]
fn Translator() -> impl IntoView {
    let (attention, workbench) = (expect_context::<Attention>(), expect_context::<Workbench>());
    let (choice, models) = (expect_context::<TranslatorChoice>(), expect_context::<Models>());
    models.list_once();
    let state = move || {
        attention.translator.state.with(|translator| match translator {
            ModelState::Closed => "not",
            ModelState::Opening => "waiting",
            ModelState::Ready(_) => "ready",
            ModelState::Failed(_) => "failed",
        })
    };
    let open = move || attention.open(workbench, choice);
    let content = move || match attention.translator.state.get() {
        ModelState::Ready(ModelReport::Translator(report)) => {
            ready(&report, &choice.version().name(), attention).into_any()
        }
        ModelState::Closed | ModelState::Ready(_) => view! {
            <p>"The maps are those of the translator, which runs on this machine like everything else here."</p>
            <p class="buttons">
                <button id="attention-open" type="button" class="primary" on:click=move |_| open()>
                    "Open the translator"
                </button>
            </p>
            <p class="hint">{move || offer::translator_notice(models.translator_availability(choice))}</p>
        }
        .into_any(),
        ModelState::Opening => view! {
            <div class="progress">
                {move || meter(attention.translator.progress(), "Opening the translator")}
                <button
                    id="attention-stop"
                    type="button"
                    class="quiet"
                    on:click=move |_| attention.translator.stop_opening()
                >
                    "Stop"
                </button>
            </div>
        }
        .into_any(),
        ModelState::Failed(failure) => {
            let missing = (failure.kind == FailureKind::Missing).then(|| choice.model());
            failed(failure, missing, open, move || visit::show(workbench, Page::Learn)).into_any()
        }
    };
    view! {
        <section id="attention-opening" class="card" data-state=state aria-label="Translator">
            {content}
        </section>
    }
}

fn ready(report: &TranslatorReport, name: &str, attention: Attention) -> impl IntoView + use<> {
    let device = match report.device {
        DeviceKind::WebGpu => "the graphics card",
        DeviceKind::Cpu => "the processor",
    };
    let bias = if report.bias { "with a hyperbolic bias" } else { "without a hyperbolic bias" };
    let size = format::count(report.parameters);
    let told = move || {
        attention.failure.get().map(|failure| {
            view! {
                <p id="attention-trouble" class="band warning" role="alert">
                    {failure.message}
                </p>
            }
        })
    };
    view! {
        <p class="hint">{format!("The maps are those of {name}, open on {device}: {size} parameters, {bias}.")}</p>
        {told}
    }
}

fn failed(
    failure: Failure,
    missing: Option<ModelRef>,
    open: impl Fn() + Send + 'static,
    learn: impl Fn() + Send + 'static,
) -> AnyView {
    let Failure { message, hints, details, .. } = failure;
    let said = if let Some(model) = missing {
        view! {
            <h2>"There is no translator here."</h2>
            <p>
                {format!("Nothing was found at {model}. The maps of attention need a translator; choose or import one \
                    on the ")}
                <a href="#view=models">"Models page"</a>
                ". The lesson shows the bias itself, which needs none: how near the points of two bytes lie."
            </p>
        }
        .into_any()
    } else {
        view! {
            <div role="alert">
                <h2>
                    <span aria-hidden="true">"⚠ "</span>
                    {message.clone()}
                </h2>
                <ul>{hints.into_iter().map(|hint| view! { <li>{hint}</li> }).collect_view()}</ul>
            </div>
        }
        .into_any()
    };
    view! {
        {said}
        <p class="buttons">
            <button id="attention-open" type="button" on:click=move |_| open()>
                "Try again"
            </button>
            <button type="button" on:click=move |_| learn()>
                "To the lesson"
            </button>
        </p>
        <details>
            <summary>"Technical details"</summary>
            <pre>{message} "\n" {details}</pre>
        </details>
    }
    .into_any()
}
