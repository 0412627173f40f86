//! Losses of a run, as a diagram and as a table.

use crate::kit::format;
use crate::train::Training;
use crate::tree::SignTree;
use crate::tree::canvas::palette;
use leptos::prelude::*;
use std::f64::consts::LN_2;
use tuppum_plot::curve::{PlotCurve, svg};
use tuppum_protocol::{Curve, Task};

/// Returns the unit of losses in runs of this task.
pub fn unit(task: Task) -> &'static str {
    match task {
        Task::Translation => "bits per byte",
        Task::Restoration => "bits per sign",
    }
}

/// Returns the training loss and the held-out loss, in bits per byte of the translation or per masked sign.
pub fn curves(curve: &Curve) -> [PlotCurve; 2] {
    let steps = curve.steps.iter().map(|step| [f64::from(step.number), f64::from(step.loss) / LN_2]);
    let measured = curve.validations.iter().map(|measured| [f64::from(measured.after), measured.bits_per_byte]);
    [
        PlotCurve { name: "trained on".into(), points: steps.collect(), colour: 2, marked: false },
        PlotCurve { name: "set aside".into(), points: measured.collect(), colour: 1, marked: true },
    ]
}

/// Row of the table: a step, with the validation after it if there was one.
#[derive(Clone, Debug, PartialEq)]
pub struct Milestone {
    /// Number of steps done.
    pub step: u32,
    /// Mean loss of the steps since the previous row, in bits per byte.
    pub loss: Option<f64>,
    /// Held-out loss, in bits per byte.
    pub set_aside: Option<f64>,
    pub rate: Option<f64>,
    /// Strength of the hyperbolic bias.
    pub alpha: Option<f32>,
}

/// Returns a row for every validation and for the last step.
pub fn milestones(curve: &Curve) -> Vec<Milestone> {
    let mut places: Vec<u32> = curve.validations.iter().map(|measured| measured.after).collect();
    places.extend(curve.steps.last().map(|step| step.number));
    places.sort_unstable();
    places.dedup();
    let mut before = 0;
    let mut rows = Vec::with_capacity(places.len());
    for place in places {
        let between = curve.steps.iter().filter(|step| step.number > before && step.number <= place);
        let (sum, count) = between.fold((0.0, 0_u32), |(sum, count), step| (sum + f64::from(step.loss), count + 1));
        let at = curve.steps.iter().rev().find(|step| step.number <= place);
        let measured = curve.validations.iter().rev().find(|measured| measured.after == place);
        rows.push(Milestone {
            step: place,
            loss: (count > 0).then(|| sum / f64::from(count) / LN_2),
            set_aside: measured.map(|measured| measured.bits_per_byte),
            rate: at.map(|step| step.rate),
            alpha: at.and_then(|step| step.alpha),
        });
        before = place;
    }
    rows
}

/// Diagram and table of the losses.
#[component]
pub fn Curve() -> impl IntoView {
    let (training, tree) = (expect_context::<Training>(), expect_context::<SignTree>());
    crate::kit::colours::watch(tree.colours);
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

#[cfg(test)]
mod tests {
    use super::*;
    use tuppum_protocol::translation::training::{Step, Validation};

    #[test]
    fn rows_stand_at_validations_and_at_the_end() {
        let step = |number: u32, loss: f32| Step { number, loss: loss * LN_2 as f32, ..Step::default() };
        let measured = |after: u32, bits_per_byte: f64| Validation { after, bits_per_byte, ..Validation::default() };
        let curve = Curve {
            steps: vec![step(1, 8.0), step(2, 6.0), step(3, 5.0)],
            validations: vec![measured(0, 8.0), measured(2, 7.0)],
        };
        let rows: Vec<_> =
            milestones(&curve).into_iter().map(|row| (row.step, row.loss.map(f64::round), row.set_aside)).collect();
        assert_eq!(rows, [(0, None, Some(8.0)), (2, Some(7.0), Some(7.0)), (3, Some(5.0), None)]);
        assert_eq!(milestones(&Curve::default()), []);
        assert_eq!(curves(&curve)[0].points.len(), 3);
    }
}
