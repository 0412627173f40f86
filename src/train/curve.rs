//! The loss curve of a run, as a diagram and as a table.

use crate::shell::format;
use crate::train::{Milestone, Training, curves, milestones, unit};
use crate::tree::SignTree;
use crate::tree::canvas::palette;
use leptos::prelude::*;
use tuppum_plot::curve::svg;
use tuppum_protocol::Task;

/// The diagram and its table.
#[component]
pub fn Curve() -> impl IntoView {
    let (training, tree) = (expect_context::<Training>(), expect_context::<SignTree>());
    crate::shell::colours::watch(tree.colours);
    let picture = move || {
        tree.colours.track();
        let far = f64::from(training.run.with(|run| run.as_ref().map_or(0, |run| run.of)));
        let title = match training.task() {
            Task::Translation => {
                "Bits per byte of the translations by step, for pairs trained on and for those set aside"
            }
            Task::Restoration => "Bits per masked sign by step, for texts trained on and for those set aside",
        };
        let axes = ["step", unit(training.task())];
        training.curve.with(|curve| svg(&curves(curve), far, axes, &palette(), title))
    };
    let number = |value: Option<f64>| value.map_or("—".to_owned(), |value| format!("{value:.3}"));
    let rows = move || {
        let row = move |row: Milestone| {
            view! {
                <tr data-step=row.step.to_string()>
                    <th scope="row" class="figure">{format::count(row.step.into())}</th>
                    <td class="figure">{number(row.loss)}</td>
                    <td class="figure">{number(row.set_aside)}</td>
                    <td class="figure">{row.rate.map_or("—".to_owned(), |rate| format!("{rate:.2e}"))}</td>
                    <td class="figure">{row.alpha.map_or("—".to_owned(), |alpha| format!("{alpha:.4}"))}</td>
                </tr>
            }
        };
        training.curve.with(milestones).into_iter().rev().map(row).collect_view()
    };
    view! {
        <div id="train-curve" class="known" inner_html=picture></div>
        <p class="hint" hidden=move || training.task() != Task::Restoration>
            "In the texts trained on, more signs are masked and labels are smoothed, so their line lies higher; during \
             the run the texts set aside are measured on at most 32 stretches."
        </p>
        <details>
            <summary>"The curve as a table"</summary>
            <div class="scrolled">
                <table id="train-table" class="plain">
                    <thead>
                        <tr>
                            <th scope="col">"Step"</th>
                            <th scope="col">
                                {move || format!("Trained on, mean since the row below ({})", unit(training.task()))}
                            </th>
                            <th scope="col">{move || format!("Set aside ({})", unit(training.task()))}</th>
                            <th scope="col">"Learning rate"</th>
                            <th scope="col">"α"</th>
                        </tr>
                    </thead>
                    <tbody>{rows}</tbody>
                </table>
            </div>
        </details>
    }
}
