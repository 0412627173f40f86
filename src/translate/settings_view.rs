//! How translations are searched, folded.

use crate::translate::Translating;
use crate::translate::settings::{LONGEST, MOST_ANSWERS, MOST_BEAMS, MOST_PENALTY, Settings};
use leptos::prelude::*;

/// The settings.
#[component]
pub fn SettingsPanel() -> impl IntoView {
    let translating = expect_context::<Translating>();
    let settings = translating.settings;
    let set = move |change: &dyn Fn(&mut Settings)| {
        settings.update(|settings| {
            change(settings);
            *settings = settings.clone().in_range();
        });
    };
    let whole = move |set_to: fn(&mut Settings, usize)| {
        move |text: String| {
            if let Ok(number) = text.trim().parse() {
                set(&|settings| set_to(settings, number));
            }
            settings.notify(); // what is out of range goes back to what counts
        }
    };
    let translator = translating.translator.state;
    let bias_known = move || translator.with(|state| state.translator().is_none_or(|report| report.bias));
    view! {
        <details id="translate-settings" class="settings">
            <summary>"Settings"</summary>
            <div class="filters">
                {field("translate-beams", "Beam", "How many beginnings are followed at a time; 1 is fastest", (1.0, MOST_BEAMS as f32, 1.0),
                    move || settings.with(|s| s.beams.to_string()), whole(|s, n| s.beams = n))}
                {field("translate-answers", "Alternatives", "How many translations of each passage; at most the beam", (1.0, MOST_ANSWERS as f32, 1.0),
                    move || settings.with(|s| s.answers.to_string()), whole(|s, n| s.answers = n))}
                {field("translate-longest", "Longest, bytes", "Where a translation is cut at the latest", (LONGEST.0 as f32, LONGEST.1 as f32, 1.0),
                    move || settings.with(|s| s.longest.to_string()), whole(|s, n| s.longest = n))}
                {field("translate-penalty", "Length penalty", "0 ranks by the probability of the whole, 1 by that of \
                    each byte; the higher, the more longer translations are favoured", (0.0, MOST_PENALTY, 0.1),
                    move || settings.with(|s| s.length_penalty.to_string()),
                    move |text: String| {
                        if let Ok(number) = text.trim().parse::<f32>() {
                            set(&|settings| settings.length_penalty = number);
                        }
                        settings.notify();
                    })}
                <label class="check" title="The bias draws bytes together that stand near each other in the hierarchy \
                    of signs">
                    <input
                        id="translate-bias"
                        type="checkbox"
                        disabled=move || !bias_known()
                        prop:checked=move || settings.with(|settings| settings.bias) && bias_known()
                        on:change=move |event| {
                            let on = event_target_checked(&event);
                            settings.update(|settings| settings.bias = on);
                        }
                    />
                    {move || if bias_known() { "Hyperbolic bias" } else { "Hyperbolic bias (this translator has none)" }}
                </label>
            </div>
        </details>
    }
}

fn field(
    id: &'static str,
    name: &'static str,
    title: &'static str,
    (least, most, step): (f32, f32, f32),
    value: impl Fn() -> String + Send + 'static,
    take: impl Fn(String) + 'static,
) -> impl IntoView {
    view! {
        <label title=title>
            <span>{name}</span>
            <input
                id=id
                type="number"
                min=least.to_string()
                max=most.to_string()
                step=step.to_string()
                prop:value=value
                on:change=move |event| take(event_target_value(&event))
            />
        </label>
    }
}
