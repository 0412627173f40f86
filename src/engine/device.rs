//! The device on which the model runs: its name, the reason for it, and a menu to choose another.

use super::model::{ModelReport, ModelState};
use crate::frame::address::{device_name, device_named};
use crate::kit::dialog::{CloseButton, open_dialog};
use crate::kit::{format, storage};
use crate::models::{Models, offer};
use crate::restore::state::Workbench;
use leptos::html::Dialog;
use leptos::prelude::*;
use tuppum_protocol::{DeviceKind, DevicePreference, DeviceReport};

/// A button with the device's name, and a dialog with details.
#[component]
pub fn DeviceButton() -> impl IntoView {
    let workbench = expect_context::<Workbench>();
    let (models, dialog) = (expect_context::<Models>(), NodeRef::<Dialog>::new());
    let restorer = workbench.restoring.restorer.state;
    view! {
        <button
            id="device"
            type="button"
            class="quiet device"
            data-engine=move || restorer.with(state_name)
            data-device=move || restorer.with(ModelState::device_name)
            on:click=move |_| open_dialog(dialog)
        >
            <span class="lamp" aria-hidden="true"></span>
            {move || restorer.with(statement)}
        </button>
        <dialog id="device-dialog" node_ref=dialog aria-labelledby="device-title">
            <div class="dialog-head">
                <h2 id="device-title">"Where the model runs"</h2>
                <CloseButton dialog />
            </div>
            {move || match offer::restoring_notice(models, workbench, "The first Restore fetches") {
                Some(told) => view! { <p>{told}</p> }.into_any(),
                None => restorer.with(explanation),
            }}
            <DevicePreferenceMenu />
            <button type="button" data-action="restart" on:click=move |_| workbench.open_restorer()>
                {move || match offer::missing(models, workbench) {
                    Some(bytes) => offer::label(bytes),
                    None => "Start the model again".to_owned(),
                }}
            </button>
        </dialog>
    }
}

fn state_name(restorer: &ModelState) -> &'static str {
    match restorer {
        ModelState::Closed => "stopped",
        ModelState::Opening => "opening",
        ModelState::Ready(_) => "ready",
        ModelState::Failed(_) => "failed",
    }
}

fn statement(restorer: &ModelState) -> &'static str {
    match restorer {
        ModelState::Closed => "Model not running",
        ModelState::Opening => "Model is starting",
        ModelState::Ready(_) if restorer.device_name() == Some("webgpu") => "Ready, on the GPU",
        ModelState::Ready(_) => "Ready, on the CPU",
        ModelState::Failed(_) => "Model could not start",
    }
}

fn explanation(restorer: &ModelState) -> AnyView {
    match restorer {
        ModelState::Ready(ModelReport::Restorer(report)) => report_view(report),
        ModelState::Failed(failure) => view! { <p>{failure.message.clone()}</p> }.into_any(),
        ModelState::Opening => view! { <p>"The model is starting. You can read and write meanwhile."</p> }.into_any(),
        _ => view! { <p>"The model is not running. Pressing Restore starts it."</p> }.into_any(),
    }
}

fn report_view(report: &DeviceReport) -> AnyView {
    let device = match report.device {
        DeviceKind::WebGpu => "GPU, by WebGPU",
        DeviceKind::Cpu => "CPU",
    };
    let adapter = Some(report.adapter.clone()).filter(|adapter| !adapter.is_empty());
    let stored = match (&report.storage_note, report.stored) {
        (Some(note), _) => note.clone(),
        (None, true) => "Stored in this browser; the next visit needs no network.".into(),
        (None, false) => "Not stored; the next visit fetches it again.".into(),
    };
    view! {
        <dl class="facts">
            <dt>"Device"</dt>
            <dd>{device} {adapter.map(|adapter| format!(" ({adapter})"))}</dd>
            <dt>"Why"</dt>
            <dd id="device-reason">{report.reason.clone()}</dd>
            <dt>"Self-test"</dt>
            <dd>{self_test(report)}</dd>
            <dt>"Model"</dt>
            <dd>{format!("{} parameters", format::count(report.parameters))}</dd>
            <dt>"Stored"</dt>
            <dd>{stored}</dd>
        </dl>
    }
    .into_any()
}

fn self_test(report: &DeviceReport) -> String {
    match (report.golden, report.device) {
        (true, _) => format!("largest relative difference from the reference {:.1e}", report.self_test),
        (false, DeviceKind::WebGpu) => format!("largest relative difference from the CPU {:.1e}", report.self_test),
        (false, DeviceKind::Cpu) => "none: a model of your own has no reference numbers".to_owned(),
    }
}

#[component]
fn DevicePreferenceMenu() -> impl IntoView {
    let workbench = expect_context::<Workbench>();
    let models = expect_context::<Models>();
    let choose = move |event| match device_named(&event_target_value(&event)) {
        // Choosing a device does not fetch a model.
        Some(device) if untrack(|| offer::missing(models, workbench)).is_some() => prefer(workbench, device),
        Some(device) => workbench.use_device(device),
        None => {}
    };
    let option = |device: DevicePreference, label: &'static str| {
        view! {
            <option value=device_name(device) prop:selected=move || workbench.device.preference.get() == device>
                {label}
            </option>
        }
    };
    view! {
        <p>
            <label for="device-preference">"Use "</label>
            <select id="device-preference" on:change=choose>
                {option(DevicePreference::Best, "the GPU if it passes its test, else the CPU")}
                {option(DevicePreference::Cpu, "the CPU")}
                {option(DevicePreference::WebGpu, "the GPU only")}
            </select>
        </p>
    }
}

/// Stores the device to use when the model is opened.
fn prefer(workbench: Workbench, device: DevicePreference) {
    workbench.device.preference.set(device);
    if let Err(reason) = storage::store(storage::DEVICE, &device_name(device)) {
        workbench.storage_refusal.set(Some(reason));
    }
}
