//! The table of proposals for one gap: accept by click or Enter, move by arrow keys, leave by Escape.

use crate::corpora::attested::texts_with;
use crate::corpora::state::Corpora;
use crate::kit::format;
use crate::kit::interaction::focus_first;
use crate::restore::state::Workbench;
use crate::restore::state::restoring::AnswerSource;
use crate::restore::state::restoring::Restoring;
use crate::restore::state::text::Text;
use crate::restore::state::work::{Accepted, AcceptedReading};
use crate::restore::view::marks;
use crate::restore::view::pieces::as_the_text_writes;
use leptos::ev::{FocusEvent, KeyboardEvent};
use leptos::html::Table;
use leptos::prelude::*;
use tuppum_protocol::{GapAnswer, Proposal, Variant};
use tuppum_text::SignIndex;
use wasm_bindgen::JsCast;

/// The table of proposals for a gap.
#[component]
pub fn Proposals(
    sign: SignIndex,
    /// `true` if the gap is a break of unknown length; the table is then for one sign.
    is_break: bool,
) -> impl IntoView {
    let workbench = expect_context::<Workbench>();
    let answer = Memo::new(move |_| workbench.restoring.gap_answer(sign));
    let focused = StoredValue::new(None::<String>);
    let body = move || match answer.get() {
        Some(answer) if answer.proposals.is_empty() => {
            view! { <p class="hint">"No reading fits these filters. Loosen them above."</p> }.into_any()
        }
        Some(answer) => view! { <ProposalTable sign answer focused /> }.into_any(),
        None => view! { <p class="hint">{no_answer(workbench.restoring)}</p> }.into_any(),
    };
    view! {
        <div class="card-head">
            <h3>{if is_break { "If one sign is missing" } else { "Machine proposals" }}</h3>
            <label class="check">
                <input
                    id="by-sign"
                    type="checkbox"
                    prop:checked=workbench.restoring.by_sign
                    on:change=move |event| workbench.restoring.by_sign.set(event_target_checked(&event))
                />
                "List by sign"
            </label>
        </div>
        <AnswerStanding />
        {body}
    }
}

fn no_answer(restoring: Restoring) -> &'static str {
    match restoring.job.is_running() {
        true => "The model is being asked …",
        false => "No proposals for this gap yet: press Restore, or restore it alone.",
    }
}

/// A sentence on the origin of the answer, and on changes to the text since.
#[component]
pub fn AnswerStanding() -> impl IntoView {
    let workbench = expect_context::<Workbench>();
    let busy = Memo::new(move |_| workbench.restoring.job.is_running() || workbench.restoring.queued.get());
    let stale = Memo::new(move |_| workbench.is_stale());
    let origin = Memo::new(move |_| workbench.restoring.shown.with(|shown| shown.as_ref().map(|shown| shown.origin)));
    let alone = Memo::new(move |_| {
        let asked =
            workbench.restoring.shown.with(|shown| shown.as_ref().and_then(|shown| shown.question.only.clone()));
        asked.is_some_and(|asked| workbench.text.open_gaps(None).iter().any(|gap| !asked.contains(gap)))
    });
    let sentence = move || match (origin.get()?, stale.get(), busy.get()) {
        (_, true, true) => Some("These are from before the last change; new ones are being computed."),
        (_, true, false) => Some("These are from before the last change. Press Restore for new ones."),
        (AnswerSource::Stored, false, _) => Some(
            "Stored result: computed in advance with the model that comes with this page. Press Restore after any \
             change.",
        ),
        (AnswerSource::Engine, false, true) => Some("Still refining."),
        (AnswerSource::Engine, false, false) if alone.get() => Some(
            "Restored without the other open gaps, which counted as illegible. Asked about all together, the model \
             reads other texts and gives other probabilities.",
        ),
        (AnswerSource::Engine, false, false) => None,
    };
    view! { <p class="hint standing" class:stale=stale>{sentence}</p> }
}

#[component]
fn ProposalTable(
    sign: SignIndex,
    answer: GapAnswer,
    /// Selector of the button focused last, so that the table that replaces this one can focus it again.
    focused: StoredValue<Option<String>>,
) -> impl IntoView {
    let workbench = expect_context::<Workbench>();
    let table = NodeRef::<Table>::new();
    Effect::new(move |_| refocus(table.get(), focused));
    let origin = move || match workbench.restoring.shown.with(|shown| shown.as_ref().map(|shown| shown.origin)) {
        Some(AnswerSource::Stored) => "stored",
        _ => "engine",
    };
    let word_start = format::percent(answer.word_start);
    let rows = move || {
        let proposals = &answer.proposals;
        match workbench.restoring.by_sign.get() {
            false => {
                proposals.iter().enumerate().map(|(rank, p)| row(workbench, sign, rank, p)).collect_view().into_any()
            }
            true => by_sign(proposals)
                .iter()
                .map(|group| group_rows(workbench, sign, group, proposals))
                .collect_view()
                .into_any(),
        }
    };
    view! {
        <table
            id="proposals"
            node_ref=table
            class="proposals"
            data-sign=sign.to_string()
            data-origin=origin
            aria-busy=move || workbench.restoring.job.is_running().to_string()
            on:keydown=move |event: KeyboardEvent| match event.key().as_str() {
                "Escape" => focus_first(&format!("#reading [data-sign=\"{sign}\"]")),
                _ => walk(table, &event),
            }
            on:focusin=move |event: FocusEvent| focused.set_value(selector_of(&event))
            on:focusout=move |event: FocusEvent| {
                // Without a next element the table itself may be disappearing; its replacement then needs the selector.
                if event.related_target().is_some() {
                    focused.set_value(None);
                }
            }
        >
            <caption class="unseen">"Machine proposals with their probability, most probable first"</caption>
            <thead>
                <tr>
                    <th scope="col" class="rank">"Rank"</th>
                    <th scope="col">"Reading"</th>
                    <th scope="col">"Sign"</th>
                    <th scope="col">"Probability"</th>
                    <th scope="col" title="Edited texts in which it stands between such neighbours">"Texts"</th>
                    <th scope="col">
                        <span class="unseen">"Reasons"</span>
                    </th>
                </tr>
            </thead>
            <tbody>{rows}</tbody>
        </table>
        <p class="hint">
            {format!("Chance that a word begins here, from counts of the corpora: {word_start}.")}
        </p>
    }
}

fn group_rows(
    workbench: Workbench,
    sign: SignIndex,
    group: &SignGroup,
    proposals: &[Proposal],
) -> impl IntoView + use<> {
    let name = if group.name.is_empty() { "no sign known".to_owned() } else { group.name.clone() };
    let members = group.members.iter().filter_map(|rank| Some((*rank, proposals.get(*rank)?)));
    let rows = members.map(|(rank, proposal)| row(workbench, sign, rank, proposal)).collect_view();
    view! {
        <tr class="group">
            <th scope="rowgroup" colspan="3">
                {marks::glyph(&group.glyph)}
                " "
                {name}
            </th>
            <td>{marks::probability(group.probability)}</td>
            <td colspan="2">{format::plural(group.members.len(), "reading", "readings")}</td>
        </tr>
        {rows}
    }
}

fn row(workbench: Workbench, sign: SignIndex, rank: usize, proposal: &Proposal) -> impl IntoView + use<> {
    let reading = AcceptedReading::from(proposal);
    let (accepted_reading, starts_word) = (proposal.reading.clone(), proposal.starts_word);
    let is_this = move |only: &AcceptedReading| only.reading == accepted_reading && only.starts_word == starts_word;
    let accepted = Memo::new(move |_| {
        workbench.text.work.with(|work| {
            let readings = work.accepted_at(sign).map(|accepted| accepted.readings.as_slice());
            matches!(readings, Some([only]) if is_this(only))
        })
    });
    let accept = move |_| workbench.accept(Accepted { sign, readings: vec![reading.clone()], model: None });
    let proposal = proposal.clone();
    let why = (proposal.reading.clone(), proposal.written.clone());
    let hyphen = if proposal.starts_word { "" } else { "-" };
    let label = format!("Accept {hyphen}{}, {}", proposal.written, format::percent(proposal.probability));
    view! {
        <tr
            data-rank=(rank + 1).to_string()
            data-reading=proposal.reading.clone()
            data-probability=proposal.probability.to_string()
            class:accepted=accepted
        >
            <td class="rank">{rank + 1}</td>
            <td>
                <button
                    type="button"
                    class="reading"
                    lang="akk-Latn"
                    aria-label=label
                    aria-pressed=move || accepted.get().to_string()
                    on:click=accept
                >
                    {marks::proposed(&proposal.written, proposal.starts_word)}
                </button>
                {variants(workbench.text, &proposal.variants)}
                <span class="unseen">{if proposal.starts_word { "begins a word" } else { "goes on" }}</span>
            </td>
            <td class="sign-name">{marks::glyph(&proposal.glyph)} " " {proposal.sign_name.clone()}</td>
            <td>{marks::probability(proposal.probability)}</td>
            <td class="texts figure">{texts(workbench.corpora, sign, proposal.variants.clone())}</td>
            <td>
                <button
                    id=format!("why-{}", rank + 1)
                    type="button"
                    class="quiet why"
                    title="Which signs of the text this proposal depends on"
                    on:click=move |_| workbench.ask_why(sign, why.0.clone(), why.1.clone(), starts_word)
                >
                    "Why?"
                </button>
            </td>
        </tr>
    }
}

/// Probability below which variant forms of a reading are hidden.
const MIN_FORM_PROBABILITY: f32 = 0.005;

/// Draws the number of edited texts that attest a proposal between such neighbours, once it is known. Only forms that
/// agree with the button about beginning a word count.
fn texts(corpora: Corpora, sign: SignIndex, forms: Vec<Variant>) -> impl IntoView {
    move || {
        let shown = forms.first()?.starts_word;
        let alike = forms.iter().filter(|form| form.starts_word == shown);
        let texts = alike.filter_map(|form| texts_with(corpora, sign, &form.reading, shown)).max();
        texts.map(|texts| {
            view! {
                {format::count(texts as u64)}
                <span class="unseen">{if texts == 1 { " text" } else { " texts" }}</span>
            }
        })
    }
}

/// Lists the other forms merged into a proposal, which differ only in case or convention, except very improbable ones.
fn variants(text: Text, variants: &[Variant]) -> Option<impl IntoView + use<>> {
    let document = text.document.get_untracked();
    let mut others = variants.get(1..)?.iter().filter(|form| form.probability >= MIN_FORM_PROBABILITY).peekable();
    others.peek()?;
    let forms = others.map(|form| {
        view! {
            " "
            <span lang="akk-Latn">
                {marks::proposed(&as_the_text_writes(&form.reading, &document), form.starts_word)}
            </span>
            " "
            <span class="figure">{format::percent(form.probability)}</span>
        }
    });
    Some(view! { <small class="variants">"also" {forms.collect_view()}</small> })
}

/// Returns a selector that finds the focused button of a row in another table.
fn selector_of(event: &FocusEvent) -> Option<String> {
    let button = event.target()?.dyn_into::<web_sys::Element>().ok()?.closest("button").ok()??;
    let reading = button.closest("tr").ok()??.get_attribute("data-reading")?;
    let class = if button.class_list().contains("why") { "why" } else { "reading" };
    Some(format!("tr[data-reading={reading:?}] button.{class}"))
}

/// Focuses the button again if its table disappeared while it had the focus.
fn refocus(table: Option<web_sys::HtmlTableElement>, focused: StoredValue<Option<String>>) {
    let lost = document().active_element().is_none_or(|active| active.tag_name() == "BODY");
    let (Some(table), Some(selector), true) = (table, focused.get_value(), lost) else { return };
    if let Some(button) = table.query_selector(&selector).ok().flatten()
        && let Ok(button) = button.dyn_into::<web_sys::HtmlElement>()
    {
        // A button in the page takes the focus.
        let _ = button.focus();
    }
}

/// Moves the focus from proposal to proposal.
fn walk(table: NodeRef<Table>, event: &KeyboardEvent) {
    let step = match event.key().as_str() {
        "ArrowDown" => 1,
        "ArrowUp" => -1,
        _ => return,
    };
    let target = event.target().and_then(|target| target.dyn_into::<web_sys::Node>().ok());
    let (Some(table), Some(target)) = (table.get_untracked(), target) else { return };
    let Ok(buttons) = table.query_selector_all("button.reading") else { return };
    let count = i64::from(buttons.length());
    let is_here = |place: &i64| {
        let button = u32::try_from(*place).ok().and_then(|place| buttons.get(place));
        let row =
            button.and_then(|button| button.dyn_into::<web_sys::Element>().ok()).and_then(|b| b.closest("tr").ok()?);
        row.is_some_and(|row| row.contains(Some(&target)))
    };
    let Some(here) = (0..count).find(is_here) else { return };
    let next = u32::try_from((here + step).clamp(0, count - 1)).ok().and_then(|place| buttons.get(place));
    if let Some(button) = next.and_then(|node| node.dyn_into::<web_sys::HtmlElement>().ok()) {
        event.prevent_default();
        // A button in the page takes the focus.
        let _ = button.focus();
    }
}

/// Proposals that are readings of one sign.
#[derive(Clone, Debug, PartialEq)]
pub struct SignGroup {
    /// Name of the sign; empty for readings that the sign list lacks.
    pub name: String,
    /// Glyph of the sign, or empty.
    pub glyph: String,
    /// Sum of the probabilities of the sign's readings.
    pub probability: f32,
    /// Indices of the sign's readings in the list of proposals, most probable first.
    pub members: Vec<usize>,
}

/// Groups proposals by sign, the most probable sign first. Each reading that the sign list lacks is a group of its own.
pub fn by_sign(proposals: &[Proposal]) -> Vec<SignGroup> {
    let mut groups: Vec<SignGroup> = Vec::new();
    for (place, proposal) in proposals.iter().enumerate() {
        let known = |group: &&mut SignGroup| !group.name.is_empty() && group.name == proposal.sign_name;
        match groups.iter_mut().find(known) {
            Some(group) => {
                group.probability += proposal.probability;
                group.members.push(place);
            }
            None => groups.push(SignGroup {
                name: proposal.sign_name.clone(),
                glyph: proposal.glyph.clone(),
                probability: proposal.probability,
                members: vec![place],
            }),
        }
    }
    groups.sort_by(|a, b| b.probability.total_cmp(&a.probability));
    groups
}

#[cfg(test)]
mod tests {
    use super::*;

    fn proposal(reading: &str, sign_name: &str, probability: f32) -> Proposal {
        Proposal {
            reading: reading.into(),
            written: reading.into(),
            glyph: String::new(),
            sign_name: sign_name.into(),
            starts_word: true,
            probability,
            variants: Vec::new(),
        }
    }

    #[test]
    fn readings_of_one_sign_stand_together() {
        let proposals = [
            proposal("na", "NA", 0.4),
            proposal("ut", "UD", 0.3),
            proposal("u₄", "UD", 0.2),
            proposal("?", "", 0.05),
            proposal("!", "", 0.05),
        ];
        let groups = by_sign(&proposals);
        let members: Vec<_> = groups.iter().map(|group| group.members.clone()).collect();
        assert_eq!(members, [vec![1, 2], vec![0], vec![3], vec![4]]);
        assert_eq!(groups[0].probability, 0.5);
    }
}
