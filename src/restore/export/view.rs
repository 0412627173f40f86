//! Buttons that copy the result and the link.

use crate::corpora::{own, words};
use crate::frame::address::LONGEST_TEXT;
use crate::frame::clipboard::{copy, copy_button};
use crate::frame::notice::Notice;
use crate::frame::visit::fragment;
use crate::restore::export;
use crate::restore::export::apparatus::{Entry, apparatus};
use crate::restore::state::Workbench;
use crate::translate::Translating;
use crate::translate::export::published::Published;
use crate::translate::export::tei::tei;
use leptos::prelude::*;
use std::collections::HashMap;
use tuppum_protocol::AttestedReading;
use tuppum_protocol::export::tsv;
use tuppum_text::SignIndex;

/// Number of gaps above which an apparatus is copied without places: looking them up would take too long.
const MAX_GAPS_LOOKED_UP: usize = 60;

/// The copy buttons with their purposes.
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
    let document = workbench.text.document.get_untracked();
    copy(workbench, workbench.text.work.with_untracked(|work| export::copied_text(&document, work)), "The text");
}

fn copy_table(workbench: Workbench) {
    workbench.read();
    let Some(shown) = workbench.restoring.shown.get_untracked() else {
        workbench.notify(Notice::failure("There are no proposals to copy yet. Press Restore first."));
        return;
    };
    let document = workbench.text.document.get_untracked();
    copy(workbench, tsv(&document, &shown.answer, &workbench.device.model.get_untracked().to_string()), "The table");
}

fn copy_tei(workbench: Workbench) {
    workbench.read();
    let (document, model) = (workbench.text.document.get_untracked(), workbench.device.model.get_untracked());
    let (published, glossed) = (Published::default(), words::of_the_present(workbench));
    let tei = workbench
        .text
        .work
        .with_untracked(|work| tei(work, &document, &[], &[], &published, &glossed, &work.restorers(&model)));
    copy(workbench, tei, "The TEI");
}

fn copy_apparatus(workbench: Workbench) {
    workbench.read();
    let gaps = untrack(|| workbench.text.gaps());
    if gaps.is_empty() {
        workbench.notify(Notice::failure("There is no gap to list in an apparatus."));
        return;
    }
    let copy_it = move |attested: HashMap<SignIndex, Vec<AttestedReading>>| {
        let (document, model) = (workbench.text.document.get_untracked(), workbench.device.model.get_untracked());
        let gaps = untrack(|| workbench.text.gaps());
        let answers: Vec<_> = gaps.iter().map(|gap| untrack(|| workbench.restoring.gap_answer(*gap))).collect();
        let entries: Vec<Entry> = gaps
            .iter()
            .zip(&answers)
            .map(|(sign, answer)| Entry {
                sign: *sign,
                answer: answer.as_ref(),
                attested: attested.get(sign).map(Vec::as_slice),
            })
            .collect();
        let text =
            workbench.text.work.with_untracked(|work| apparatus(&document, work, &entries, &work.restorers(&model)));
        copy(workbench, text, "The apparatus");
    };
    // Browsers allow copying only for some seconds after a press.
    if untrack(|| workbench.corpora.is_ready()) && gaps.len() <= MAX_GAPS_LOOKED_UP {
        workbench.corpora.look_gaps_up(&untrack(|| workbench.question()), gaps, copy_it);
    } else {
        copy_it(HashMap::new());
    }
}

fn copy_json(workbench: Workbench) {
    workbench.read();
    let canonical = workbench.text.document.with_untracked(|document| document.canonical());
    let shown = workbench.restoring.shown.get_untracked();
    let answer = shown.as_ref().map(|shown| (&shown.question, shown.answer.as_ref()));
    let (restorer, model) =
        (workbench.restoring.restorer.state.get_untracked(), workbench.device.model.get_untracked());
    let json =
        workbench.text.work.with_untracked(|work| export::json(work, &canonical, answer, &model, restorer.restorer()));
    copy(workbench, json, "The JSON");
}

fn keep(workbench: Workbench, translating: Translating) {
    workbench.read();
    if workbench.text.document.with_untracked(|document| document.signs().next().is_none()) {
        workbench.notify(Notice::failure("There is no text to keep yet."));
        return;
    }
    workbench.corpora.to_keep.set(Some(own::present(workbench, translating)));
}

fn share(workbench: Workbench) {
    workbench.read();
    if workbench.text.work.with_untracked(|work| work.text.len() > LONGEST_TEXT) {
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
