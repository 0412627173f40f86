//! The likely origin of the text: periods and projects with their probabilities, and the nearest edited texts.

use super::card::{LookUpCard, of_present};
use super::place;
use super::state::Corpora;
use crate::kit::format;
use crate::restore::state::Workbench;
use crate::restore::view::marks;
use leptos::prelude::*;
use tuppum_protocol::{Attribution, LikelyOrigin, NearText, Period};

/// Maximum number of periods and of projects listed.
const MAX_ORIGINS: usize = 3;
/// Maximum number of nearest texts listed.
const MAX_NEAREST: usize = 5;

/// The card with the likely origin.
#[component]
pub fn Origin() -> impl IntoView {
    view! { <LookUpCard id="origin" title="Period and place of origin" look=Corpora::look_origin_up found /> }
}

fn found(workbench: Workbench) -> AnyView {
    match of_present(workbench, workbench.corpora.attributed) {
        None => view! { <p class="hint">"Comparing with the corpora …"</p> }.into_any(),
        Some(found) if found.nearest.is_empty() => view! {
            <p class="hint" data-state="none">
                "No edited text shares anything telling with it, or too few of its signs can be read."
            </p>
        }
        .into_any(),
        Some(found) => origins(workbench, &found).into_any(),
    }
}

fn origins(workbench: Workbench, found: &Attribution) -> impl IntoView + use<> {
    let likeliest = found.periods.first().and_then(|first| period_called(&first.name));
    let use_it = likeliest.map(|period| {
        let is_chosen = move || workbench.text.work.with(|work| work.period == Some(period));
        view! {
            <p class="buttons">
                <button
                    id="use-period"
                    type="button"
                    disabled=is_chosen
                    on:click=move |_| workbench.step("choose a period", move |work| work.period = Some(period))
                >
                    {format!("Restore as {}", period.name())}
                </button>
            </p>
        }
    });
    let list = |origins: &[LikelyOrigin]| origins.iter().take(MAX_ORIGINS).map(row).collect_view();
    view! {
        <p class="hint">
            {format!(
                "A machine’s guess from {} that can be read, among the periods and projects of the corpora; a text \
                 from elsewhere is given to one of them too.",
                format::plural(found.signs, "sign", "signs")
            )}
        </p>
        <table class="origins">
            <thead>
                <tr>
                    <th scope="col">"Period"</th>
                    <th scope="col">"Probability"</th>
                </tr>
            </thead>
            <tbody>{list(&found.periods)}</tbody>
            <thead>
                <tr>
                    <th scope="col">"Project"</th>
                    <th scope="col">"Probability"</th>
                </tr>
            </thead>
            <tbody>{list(&found.projects)}</tbody>
        </table>
        {use_it}
        <h3>"The texts most like it"</h3>
        <ul class="places">{found.nearest.iter().take(MAX_NEAREST).map(near).collect_view()}</ul>
    }
}

/// Returns the restorer's period with this name.
fn period_called(name: &str) -> Option<Period> {
    Period::ALL.into_iter().find(|period| period.name() == name)
}

fn row(origin: &LikelyOrigin) -> impl IntoView + use<> {
    view! {
        <tr data-origin=origin.name.clone()>
            <th scope="row">{origin.name.clone()}</th>
            <td>{marks::probability(origin.probability)}</td>
        </tr>
    }
}

fn near(text: &NearText) -> impl IntoView + use<> {
    let period = text.period.clone().map(|period| format!("{period}; "));
    let shares = format!("shares {}, the rarest: ", format::plural(text.shared, "group of signs", "groups of signs"));
    view! {
        <li>
            {place::place(&text.edition)}
            <span class="hint">{period} {shares}</span>
            <span class="quoted" lang="akk-Latn">{text.rarest.join(", ")}</span>
        </li>
    }
}
