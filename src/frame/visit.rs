//! A visit: the work with which it begins, and how work and address are stored while it lasts.

use crate::frame::address::{self, Address};
use crate::frame::notice::Notice;
use crate::frame::page::Page;
use crate::kit::timing::Debounce;
use crate::kit::{entries, storage};
use crate::restore::state::Workbench;
use crate::restore::state::decisions;
use crate::restore::state::history::History;
use crate::restore::state::restoring::AnswerSource;
use crate::restore::state::start;
use crate::restore::state::text::Text;
use crate::restore::state::work::Work;
use leptos::prelude::*;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use tuppum_protocol::DevicePreference;
use tuppum_text::examples;

/// Milliseconds without a change before the work is stored.
const STORE_AFTER_MS: u32 = 300;

/// Begins a visit: reads address and storage, and shows the work found there.
pub fn begin() -> Workbench {
    let is_link = entries::claim();
    let address = first_address(is_link);
    let stored_work = storage::stored::<History>(storage::WORK);
    let text_of = |key: &str| examples::ALL.iter().find(|example| example.key == key).map(|e| e.text.to_owned());
    let first = examples::ALL.first().map_or("", |example| example.key);
    let start = start::begin(&address, is_link, stored_work, first, text_of);
    let address_damage = address.damage();
    let device = address.device.or_else(stored_device).unwrap_or_default();
    let workbench = Workbench::new(start.history, address.model, device);
    workbench.device.translator.set_value(address.translator);
    workbench.text.glyphs.set(storage::stored(storage::GLYPHS).unwrap_or(false));
    set_aside(workbench, start.previous);
    if let Some(damage) = address_damage {
        workbench.notify(Notice::failure(damage));
    }
    let shipped = workbench.device.model.with_untracked(|model| *model == address::DEFAULT_MODEL);
    if let Some(stored) = start::first_answer().filter(|_| shipped) {
        workbench.remember(stored.question, Arc::new(stored.answer), AnswerSource::Stored);
        workbench.show_known();
    }
    workbench.page.set(page_of_the_address());
    store_on_change(workbench);
    store_glyphs(workbench.text);
    name_entries(workbench);
    follow_address(workbench);
    workbench
}

/// Returns the view that the address opens.
fn page_of_the_address() -> Page {
    Page::named(&window().location().hash().unwrap_or_default())
}

/// Returns `true` if the sign tree is shown. Not tracked.
pub fn shows_tree(workbench: Workbench) -> bool {
    workbench.page.get_untracked() == Page::Tree
}

/// Returns `true` if the workbench is shown. Only then does the address hold the text.
fn shows_workbench(workbench: Workbench) -> bool {
    workbench.page.get_untracked() == Page::Workbench
}

/// Shows a view as a new entry in the browser's history. The tree updates its address by itself.
pub fn show(workbench: Workbench, page: Page) {
    if workbench.page.get_untracked() == page {
        return;
    }
    store_now(workbench);
    let fragment = match page.name() {
        None => fragment(workbench),
        Some(name) => {
            let rest = fragment_without_work(workbench);
            format!("#view={name}{}", rest.trim_start_matches("#v=1"))
        }
    };
    entries::add(&fragment);
    workbench.page.set(page);
    window().scroll_to_with_x_and_y(0.0, 0.0);
}

fn read_address() -> Address {
    let location = window().location();
    Address::read(&location.search().unwrap_or_default(), &location.hash().unwrap_or_default())
}

/// Returns the address with which the visit begins. After a reload right behind a change the browser still has an older
/// address; the note in [`LeftAddress`] then holds the one that was meant. The address of a link is taken as it is.
fn first_address(is_link: bool) -> Address {
    let location = window().location();
    let fragment = location.hash().unwrap_or_default();
    let left = storage::noted::<LeftAddress>(storage::LEFT).filter(|left| !is_link && left.stood.contains(&fragment));
    storage::forget_note(storage::LEFT);
    let fragment = left.map_or(fragment, |left| left.meant);
    Address::read(&location.search().unwrap_or_default(), &fragment)
}

/// Note for a reload: the last fragments of the address, and the fragment that the work asks for. Several are noted
/// because the browser decides some time before the page goes away which address it will load again, and the work may
/// still change meanwhile.
#[derive(Default, Serialize, Deserialize)]
struct LeftAddress {
    stood: Vec<String>,
    meant: String,
}

/// Number of past fragments in the note.
const MAX_NOTED_FRAGMENTS: usize = 4;

/// Above this size in bytes the work is stored without its undo steps: browsers allow about 5 MB in all.
const MAX_BYTES_WITH_STEPS: usize = 1_500_000;

/// Notes that the address is `stood` while the work asks for `meant`.
fn note_left(stood: String, meant: &str) {
    let mut left: LeftAddress = storage::noted(storage::LEFT).unwrap_or_default();
    left.stood.retain(|own| *own != stood);
    left.stood.push(stood);
    let surplus = left.stood.len().saturating_sub(MAX_NOTED_FRAGMENTS);
    left.stood.drain(..surplus);
    meant.clone_into(&mut left.meant);
    storage::note(storage::LEFT, &left);
}

fn stored_device() -> Option<DevicePreference> {
    address::device_named(&storage::stored::<String>(storage::DEVICE)?)
}

/// Stores the work that the address displaced. If there is none, the work set aside earlier stays.
fn set_aside(workbench: Workbench, previous: Option<History>) {
    let is_example = |text: &str| examples::ALL.iter().any(|example| example.text == text);
    let previous = previous.filter(|history| start::is_worth_keeping(&history.present, is_example));
    if let Some(history) = &previous
        && let Err(reason) = store_history(storage::PREVIOUS, history)
    {
        workbench.storage_refusal.set(Some(reason));
    }
    workbench.text.previous.set(previous.or_else(|| storage::stored(storage::PREVIOUS)));
}

/// Stores the work and updates the address: soon after each change, and at once when the page goes away.
fn store_on_change(workbench: Workbench) {
    let debounce = Debounce::new();
    Effect::new(move |_| {
        workbench.text.history.track();
        debounce.start(STORE_AFTER_MS, move || store_now(workbench));
    });
    let leaving = window_event_listener_untyped("pagehide", move |_| store_now(workbench));
    on_cleanup(move || leaving.remove());
}

/// Stores the work, with its undo steps if there is room.
///
/// # Errors
/// Reason for which the browser refused even the work alone.
fn store_history(key: &str, history: &History) -> Result<(), String> {
    let stored = match history.bytes() <= MAX_BYTES_WITH_STEPS {
        true => storage::store(key, history),
        false => storage::store(key, &history.within(MAX_BYTES_WITH_STEPS)),
    };
    stored.or_else(|_| storage::store(key, &history.without_steps()))
}

fn store_now(workbench: Workbench) {
    // Reading the text first makes the decisions belong to it.
    workbench.read();
    let refusal = workbench.text.history.with_untracked(|history| store_history(storage::WORK, history)).err();
    if workbench.storage_refusal.get_untracked() != refusal {
        workbench.storage_refusal.set(refusal);
    }
    if !shows_workbench(workbench) || !entries::is_own() {
        return;
    }
    let (stood, fragment) = (window().location().hash().unwrap_or_default(), fragment(workbench));
    let follows = stood != fragment;
    note_left(stood, &fragment);
    if follows {
        entries::replace(&fragment);
    }
}

/// Returns the fragment for the present work.
pub fn fragment(workbench: Workbench) -> String {
    let device = Some(workbench.device.preference.get_untracked()).filter(|device| *device != DevicePreference::Best);
    workbench.text.work.with_untracked(|work| address_of(workbench, work, device))
}

/// Returns the fragment for the present settings without the text.
pub fn fragment_without_work(workbench: Workbench) -> String {
    let device = Some(workbench.device.preference.get_untracked()).filter(|device| *device != DevicePreference::Best);
    address_of(workbench, &Work::on(""), device)
}

fn address_of(workbench: Workbench, work: &Work, device: Option<DevicePreference>) -> String {
    let translator = workbench.device.translator.get_value();
    Address::fragment(work, &workbench.device.shipped.get_value(), translator.as_ref(), device)
}

/// Gives each view its own title, so that entries of the browser's history can be told apart.
fn name_entries(workbench: Workbench) {
    let of_workbench = document().title();
    Effect::new(move |_| {
        let part = workbench.page.get().title();
        document().set_title(&part.map_or_else(|| of_workbench.clone(), |part| format!("{part} · Tuppum")));
    });
}

fn store_glyphs(text: Text) {
    Effect::new(move |before: Option<bool>| {
        let glyphs = text.glyphs.get();
        if before.is_some_and(|before| before != glyphs) {
            // If the browser refuses storage, storing the work reports it.
            let _ = storage::store(storage::GLYPHS, &glyphs);
        }
        glyphs
    });
}

/// Follows changes of the address: shows the view that it names and opens the work of a link.
fn follow_address(workbench: Workbench) {
    let listener = window_event_listener_untyped("hashchange", move |_| {
        let is_link = entries::claim();
        workbench.page.set(page_of_the_address());
        open_linked_work(workbench, &read_address(), is_link);
    });
    on_cleanup(move || listener.remove());
}

/// Opens the work of a link with its settings, and says so if it replaced decisions.
fn open_linked_work(workbench: Workbench, address: &Address, is_link: bool) {
    let present = workbench.text.work.get_untracked();
    if !address.brings_news(&present, is_link) {
        return;
    }
    let work = address.work_in_place_of(&present, is_link);
    let gave_way =
        work.as_ref().is_some_and(|work| work.text == present.text) && decisions::written(&present).is_some();
    if let Some(work) = work {
        workbench.replace_work("open a link", work);
    }
    if let Some(damage) = address.damage() {
        workbench.notify(Notice::failure(damage));
    } else if gave_way {
        workbench.notify(Notice::done(
            "This link is of the text that was open here. What it says was decided about it has taken the place of \
             what you had decided; Undo brings that back.",
        ));
    }
}
