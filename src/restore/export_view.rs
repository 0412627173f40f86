//! Copying the result and the link.

use crate::corpora::{glosses, own};
use crate::restore::apparatus::{Entry, apparatus};
use crate::restore::export;
use crate::restore::state::{Notice, Workbench};
use crate::shell::address::LONGEST_TEXT;
use crate::shell::clipboard::{copy, copy_button};
use crate::shell::visit::fragment;
use crate::translate::Translating;
use crate::translate::export::published::Published;
use crate::translate::export::tei::tei;
use leptos::prelude::*;
use std::collections::HashMap;
use tuppum_protocol::AttestedReading;
use tuppum_protocol::export::tsv;
use tuppum_text::SignIndex;

/// An apparatus of more gaps than these is copied without places: looking them up takes too long.
const MOST_LOOKED_UP: usize = 60;

/// The copy buttons, each with what it is for.
#[component]
pub fn Export() -> impl IntoView {
    let workbench = expect_context::<Workbench>();
    let translating = expect_context::<Translating>();
    let button =
        |id, name, purpose, press: fn(Workbench)| copy_button(id, name, purpose, Box::new(move || press(workbench)));
    let keep_own = copy_button(
        "keep-own",
        "Keep among your own texts",
        "Your text as it stands: from then on its lines count as parallels and for the gaps of other texts, and your \
         own wordings of its translation are remembered. It stays on this device.",
        Box::new(move || keep(workbench, translating)),
    );
    view! {
        <section id="export" class="card" aria-labelledby="export-title">
            <h2 id="export-title">"Export"</h2>
            <ul class="exports">
                {button("copy-text", "Copy as text", "Your text with the readings you accepted, in square \
                    brackets, and a remark below that says which they are.", copy_text)}
                {button("copy-tsv", "Copy as TSV", "Every proposal as a row, for a spreadsheet or R.", copy_table)}
                {button("copy-tei", "Copy as TEI", "TEI P5 for an edition: accepted readings as supplied, with their \
                    probability; open places as gaps. With lemmata and names, where “Words and meanings” or “Names” \
                    was opened.", copy_tei)}
                {button("copy-apparatus", "Copy as apparatus", "Every gap with the reading you accepted, alternatives, \
                    and the edited texts that have them.", copy_apparatus)}
                {button("copy-json", "Copy as JSON", "Question, answer and model, for other programs and for your \
                    records.", copy_json)}
                {button("share", "Copy a link", "Opens this text with its settings and the readings you accepted. The \
                    text is only in the link and is not sent to any server.", share)}
                {keep_own}
            </ul>
        </section>
    }
}

fn copy_text(workbench: Workbench) {
    workbench.read();
    let document = workbench.document.get_untracked();
    copy(workbench, workbench.work.with_untracked(|work| export::copied_text(&document, work)), "The text");
}

fn copy_table(workbench: Workbench) {
    workbench.read();
    let Some(shown) = workbench.shown.get_untracked() else {
        workbench.notify(Notice::failure("There are no proposals to copy yet. Press Restore first."));
        return;
    };
    let document = workbench.document.get_untracked();
    copy(workbench, tsv(&document, &shown.answer, &workbench.model.get_untracked().to_string()), "The table");
}

fn copy_tei(workbench: Workbench) {
    workbench.read();
    let (document, model) = (workbench.document.get_untracked(), workbench.model.get_untracked());
    let (published, glossed) = (Published::default(), glosses::of_the_present(workbench));
    let tei = workbench
        .work
        .with_untracked(|work| tei(work, &document, &[], &[], &published, &glossed, &work.restorers(&model)));
    copy(workbench, tei, "The TEI");
}

fn copy_apparatus(workbench: Workbench) {
    workbench.read();
    let gaps = untrack(|| workbench.gaps());
    if gaps.is_empty() {
        workbench.notify(Notice::failure("There is no gap to list in an apparatus."));
        return;
    }
    let copy_it = move |attested: HashMap<SignIndex, Vec<AttestedReading>>| {
        let (document, model) = (workbench.document.get_untracked(), workbench.model.get_untracked());
        let gaps = untrack(|| workbench.gaps());
        let answers: Vec<_> = gaps.iter().map(|gap| untrack(|| workbench.gap_answer(*gap))).collect();
        let entries: Vec<Entry> = gaps
            .iter()
            .zip(&answers)
            .map(|(sign, answer)| Entry {
                sign: *sign,
                answer: answer.as_ref(),
                attested: attested.get(sign).map(Vec::as_slice),
            })
            .collect();
        let text = workbench.work.with_untracked(|work| apparatus(&document, work, &entries, &work.restorers(&model)));
        copy(workbench, text, "The apparatus");
    };
    // A browser lets a page copy only for some seconds after a press.
    if untrack(|| workbench.corpora.is_ready()) && gaps.len() <= MOST_LOOKED_UP {
        workbench.corpora.look_gaps_up(&untrack(|| workbench.question()), gaps, copy_it);
    } else {
        copy_it(HashMap::new());
    }
}

fn copy_json(workbench: Workbench) {
    workbench.read();
    let canonical = workbench.document.with_untracked(|document| document.canonical());
    let shown = workbench.shown.get_untracked();
    let answer = shown.as_ref().map(|shown| (&shown.question, shown.answer.as_ref()));
    let (restorer, model) = (workbench.restorer.state.get_untracked(), workbench.model.get_untracked());
    let json =
        workbench.work.with_untracked(|work| export::json(work, &canonical, answer, &model, restorer.restorer()));
    copy(workbench, json, "The JSON");
}

fn keep(workbench: Workbench, translating: Translating) {
    workbench.read();
    if workbench.document.with_untracked(|document| document.signs().next().is_none()) {
        workbench.notify(Notice::failure("There is no text to keep yet."));
        return;
    }
    workbench.corpora.to_keep.set(Some(own::present(workbench, translating)));
}

fn share(workbench: Workbench) {
    workbench.read();
    if workbench.work.with_untracked(|work| work.text.len() > LONGEST_TEXT) {
        workbench.notify(Notice::failure(format!(
            "No link was made: it would be too long for mail programs (texts of up to {LONGEST_TEXT} bytes fit). Copy \
             as text or JSON instead."
        )));
        return;
    }
    let location = window().location();
    let page = location.origin().unwrap_or_default() + &location.pathname().unwrap_or_default();
    copy(workbench, page + &fragment(workbench), "The link");
}
