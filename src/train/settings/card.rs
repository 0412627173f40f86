//! Memory that a run may take: a tab's own on the CPU, or the graphics card's. Browsers do not report a card's memory,
//! so the user may state it.

use crate::kit::format;
use crate::train::{Choices, Training};
use js_sys::{Function, Object, Promise, Reflect};
use leptos::prelude::*;
use tuppum_protocol::{DeviceMemory, DevicePreference, MOST_MEMORY, TooLarge};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;

/// Usual sizes of graphics cards' memory, in gigabytes.
const CARD_GIGABYTES: [u32; 8] = [4, 6, 8, 12, 16, 24, 48, 80];

impl Training {
    /// Returns `true` if the browser has a graphics device and the user has not chosen the CPU.
    pub fn may_use_card(self) -> bool {
        self.device.get() != DevicePreference::Cpu && self.largest_on_card.get().is_some()
    }

    /// Returns the memory of the device that will train: the card's if the user wants a card, the browser has one and
    /// its memory is stated; otherwise a tab's on the CPU.
    pub fn memory(self) -> DeviceMemory {
        let card = self.choices.with(|choices| choices.card);
        match (self.device.get(), self.largest_on_card.get()) {
            (DevicePreference::Best | DevicePreference::WebGpu, Some(largest)) if card > 0 => {
                DeviceMemory::of_card(card, largest)
            }
            _ => DeviceMemory::PROCESSOR,
        }
    }

    /// Asks the browser once for the limits of its graphics device.
    pub fn ask_for_card(self) {
        if self.largest_on_card.get_untracked().is_none() {
            leptos::task::spawn_local(async move {
                let largest = largest_binding().await;
                self.largest_on_card.try_set(largest);
            });
        }
    }
}

/// Returns the bytes of the largest tensor that the browser's graphics device accepts; `None` without such a device.
async fn largest_binding() -> Option<u64> {
    let get = |of: &JsValue, name: &str| Reflect::get(of, &name.into()).ok().filter(JsValue::is_truthy);
    let gpu = get(&window().navigator(), "gpu")?;
    let request: Function = get(&gpu, "requestAdapter")?.dyn_into().ok()?;
    let options = Object::new();
    Reflect::set(&options, &"powerPreference".into(), &"high-performance".into()).ok()?;
    let asked: Promise = request.call1(&gpu, &options).ok()?.dyn_into().ok()?;
    let adapter = JsFuture::from(asked).await.ok().filter(JsValue::is_truthy)?;
    let limits = get(&adapter, "limits")?;
    let limit = |name: &str| get(&limits, name)?.as_f64();
    let largest = limit("maxStorageBufferBindingSize")?.min(limit("maxBufferSize")?);
    Some(largest as u64)
}

/// Returns the memory in words that end a sentence.
pub fn description(memory: DeviceMemory) -> String {
    match gigabytes(memory) {
        Some(card) => format!("the {card}\u{202f}GB of your graphics card"),
        None => format!("the {} that a tab can use on the CPU", format::bytes(MOST_MEMORY)),
    }
}

fn gigabytes(memory: DeviceMemory) -> Option<u64> {
    memory.largest_tensor.map(|_| memory.bytes >> 30)
}

/// Returns why a model cannot be trained with this memory, and what may help.
pub fn refusal(refused: TooLarge, memory: DeviceMemory, may_use_card: bool) -> String {
    const INSTEAD: &str = "Choose a smaller model, or train on the command line with “tuppum train”.";
    match (refused, gigabytes(memory)) {
        (TooLarge::Tensor { needed, most }, _) => format!(
            "This model cannot be trained on this graphics device: the largest tensor has {}, and the browser allows \
             {} (WebGPU’s limit maxStorageBufferBindingSize). {INSTEAD}",
            format::bytes(needed),
            format::bytes(most),
        ),
        (TooLarge::Whole { needed, .. }, Some(card)) => format!(
            "This model is too large to be trained on a card of {card}\u{202f}GB, of which a tenth is to stay free: \
             the smallest plan needs about {}. {INSTEAD}",
            format::bytes(needed),
        ),
        (TooLarge::Whole { needed, .. }, None) => format!(
            "This model is too large to be trained in a tab, which has {} on the CPU, of which a tenth is to stay \
             free: the smallest plan needs about {}. {}{INSTEAD}",
            format::bytes(MOST_MEMORY),
            format::bytes(needed),
            if may_use_card { "If the graphics card has more, say above how much. " } else { "" },
        ),
    }
}

/// Choice of the graphics card's memory; shown where a card may train.
#[component]
pub fn CardChoice() -> impl IntoView {
    let training = expect_context::<Training>();
    training.ask_for_card();
    let may_train = move || training.may_use_card();
    let card = Memo::new(move |_| training.choices.with(|choices| choices.card));
    let choose = move |event| {
        let typed = event_target_value(&event).parse().unwrap_or_default();
        training.choose(|choices: &mut Choices| choices.card = typed);
    };
    let option = move |gigabytes: u32| {
        view! {
            <option value=gigabytes prop:selected=move || card.get() == gigabytes>
                {format!("{gigabytes}\u{202f}GB")}
            </option>
        }
    };
    view! {
        <div class="choices-row" hidden=move || !may_train()>
            <label class="field">
                <span>"Memory of the graphics card"</span>
                <select id="train-card" aria-describedby="train-card-told" on:change=choose>
                    <option value="0" prop:selected=move || card.get() == 0>
                        "not known"
                    </option>
                    {CARD_GIGABYTES.map(option).collect_view()}
                </select>
            </label>
        </div>
        <p id="train-card-told" class="hint" hidden=move || !may_train()>
            "A browser does not tell how much memory a card has. If you say it, a run is planned for nine tenths of \
             it; otherwise as for the CPU. Should the card have less, the run ends with a message and keeps its last \
             checkpoint."
        </p>
    }
}
