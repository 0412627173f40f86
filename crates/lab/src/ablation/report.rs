//! The page `docs/ablation.md`, written from the results: the plan's own notes, the differences with their intervals,
//! what would settle open questions, the gain by the bias against what makes sources hard, and how it was measured.

use super::plan::{AblationData, AblationPlan};
use super::result::{RunResult, Tables, outcomes};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use tuppum_cli::failure::{About, Result};
use tuppum_eval::ablation::{ArmComparison, Gain, all_gains};
use tuppum_plot::bars::{self, Bar};
use tuppum_plot::chart::following_the_reader;
use tuppum_plot::palette::Palette;
use tuppum_plot::scatter::{self, Scatter};

/// Writes the page, and its pictures beside it, named after it. `path` is the plan's.
///
/// # Errors
/// A file that cannot be read or written.
pub fn write(
    report: &Path,
    path: &Path,
    plan: &AblationPlan,
    data: &AblationData,
    results: &[RunResult],
    tables: &Tables,
) -> Result<()> {
    let stem = report.file_stem().map_or("ablation".into(), |stem| stem.to_string_lossy().into_owned());
    let put = |file: &Path, text: &str| std::fs::write(file, text).cannot("be written", file);
    let mut text = page(plan, results, tables);
    if !tables.compared.is_empty() {
        let title = "Differences between arms in bits per byte, with 95 % intervals";
        let (axis, arms) = arms(&tables.compared);
        let drawn = following_the_reader(&bars::svg(&arms, &axis, &Palette::light(), title));
        let name = format!("{stem}-arms.svg");
        put(&report.with_file_name(&name), &drawn)?;
        let _ = writeln!(text, "\n![{title}]({name})");
    }
    let trained = data.drawn.iter().chain(&data.supplementary).map(|pair| pair.source.as_str());
    let measured: Vec<&str> = data.validation.iter().map(|pair| pair.source.as_str()).collect();
    let gains = all_gains(trained, &measured, &outcomes(results), &data.texts())?;
    text += &gains_section(&gains);
    for gain in &gains {
        let name = format!("{stem}-{}.svg", gain.trait_name);
        put(&report.with_file_name(&name), &gain_svg(gain))?;
        let _ = writeln!(text, "\n![{}]({name})", gain_title(gain));
    }
    text += &method(path, plan, data, results.len());
    put(report, &text)
}

/// Returns the axis of the bars, and the bars. If all arms are compared with one arm, the axis names that arm once.
fn arms(compared: &[ArmComparison]) -> (String, Vec<Bar>) {
    let one = compared.first().filter(|one| compared.iter().all(|other| other.first == one.first));
    let bar = |ArmComparison { first, second, bits, .. }: &ArmComparison| Bar {
        name: if one.is_some() { second.clone() } else { format!("{second} − {first}") },
        value: bits.difference.value,
        interval: [bits.difference.low, bits.difference.high],
    };
    let axis = match one {
        Some(one) => format!("bits per byte, less those of {}", one.first),
        None => "difference in bits per byte".to_owned(),
    };
    (axis, compared.iter().map(bar).collect())
}

/// Returns the first sections of the page in Markdown, without pictures.
fn page(plan: &AblationPlan, results: &[RunResult], tables: &Tables) -> String {
    let mut page = format!("# {}\n\n", plan.title);
    if !plan.about.trim().is_empty() {
        // Writing into a string never fails.
        let _ = writeln!(page, "{}\n", plan.about.trim());
    }
    page += "## Runs\n\nFewer bits per byte are better.\n\n| arm | data | augmentation | bias | seeds | bits \
             per byte | BLEU | chrF++ |\n|---|---|---|---|---|---|---|---|\n";
    let mut by_arm: BTreeMap<&str, Vec<&RunResult>> = BTreeMap::new();
    results.iter().for_each(|result| by_arm.entry(&result.arm.name).or_default().push(result));
    for (name, runs) in by_arm {
        page += &row(name, &runs);
    }
    page += "\n## Comparisons\n\nBelow zero, the arm named first predicts better. Intervals are from a paired \
             bootstrap over the texts (1,000 samples), in the mean of the seeds. Errors are standard errors of the \
             mean of the seeds.\n\n";
    page +=
        "| arms | difference in bits per byte | 95 % of samples | error of seeds | seeds |\n|---|---|---|---|---|\n";
    for ArmComparison { first, second, bits, by_seed, error_of_seeds, .. } in &tables.compared {
        let (found, seeds) = (&bits.difference, by_seed.len());
        let error = error_of_seeds.map_or("–".to_owned(), |error| format!("{error:.4}"));
        let _ = writeln!(
            page,
            "| {second} − {first} | {:+.4} | {:+.4} to {:+.4} | {error} | {seeds} |",
            found.value, found.low, found.high
        );
    }
    page += "\n## What can be said\n\n";
    let (open, told): (Vec<&ArmComparison>, Vec<&ArmComparison>) =
        tables.compared.iter().partition(|compared| compared.shows_nothing());
    told.iter().for_each(|compared| page += &format!("- {}\n", compared.verdict()));
    if !open.is_empty() {
        page += "- Where an interval holds zero, nothing is shown: a difference as large as its ends could hide. More \
                 texts to measure with narrow it by the root of their number.\n";
    }
    page
}

/// Returns the section on how the figures were made. `path` is the plan's, `done` the number of runs.
fn method(path: &Path, plan: &AblationPlan, data: &AblationData, done: usize) -> String {
    format!(
        "\n## How it was measured\n\nWritten by `tuppum-lab ablate {} --report …` from {done} of {} runs; the plan \
         has all settings. Every run starts from the same model (`{}`). It is measured in bits per byte of the \
         translation, on the same {} pairs of {} texts, which no run has seen. All arms train on the same {} drawn \
         pairs. Arms with more data add {} supplementary pairs at half weight.\n",
        path.display(),
        plan.arms.len() * plan.seeds.len(),
        plan.base.display(),
        data.validation.len(),
        data.texts().count(),
        data.drawn.len(),
        data.supplementary.len()
    )
}

fn row(name: &str, runs: &[&RunResult]) -> String {
    let yes = |is: bool| if is { "yes" } else { "" };
    let mean = |value: &dyn Fn(&RunResult) -> f64| runs.iter().map(|run| value(run)).sum::<f64>() / runs.len() as f64;
    let bits = mean(&|run| run.validation.bits_per_byte);
    let scored = |value: fn(&tuppum_eval::translation::TranslationScores) -> f64| {
        let all: Option<Vec<f64>> = runs.iter().map(|run| run.scores.as_ref().map(value)).collect();
        all.map_or("–".to_owned(), |all| format!("{:.2}", all.iter().sum::<f64>() / all.len() as f64))
    };
    let [bleu, chrf] = [scored(|scores| scores.bleu), scored(|scores| scores.chrf)];
    let arm = runs.first().map(|run| run.arm.clone()).unwrap_or_default();
    let (data, augmentation, bias) = (yes(arm.data), yes(arm.augmentation), yes(arm.bias));
    format!("| {name} | {data} | {augmentation} | {bias} | {} | {bits:.4} | {bleu} | {chrf} |\n", runs.len())
}

/// Returns the picture.
fn gain_svg(gain: &Gain) -> String {
    let scatter = Scatter {
        points: gain.points.clone(),
        line: gain.trend.line.clone(),
        axes: [gain.axis.to_owned(), "bits per byte, D − B".to_owned()],
    };
    following_the_reader(&scatter::svg(&scatter, &Palette::light(), &gain_title(gain)))
}

/// Returns the section on these gains, without pictures; empty if there are none.
fn gains_section(gains: &[Gain]) -> String {
    if gains.is_empty() {
        return String::new();
    }
    let row = |gain: &Gain| {
        let slope = &gain.trend.slope;
        format!(
            "| {} | {:+.5} | {:+.5} to {:+.5} | {} |\n",
            gain.axis,
            slope.value,
            slope.low,
            slope.high,
            gain.verdict()
        )
    };
    let rows: String = gains.iter().map(row).collect();
    format!(
        "\n## D against B by traits of the source\n\n| trait | slope, bits per byte for each | 95 % of samples | \
         |\n|---|---|---|---|\n{rows}\nEach picture has a point for each of {} pairs, in the mean of the seeds; below \
         zero D predicts better. The line is fitted by least squares; its band holds 95 % of 1,000 bootstrap samples \
         over texts.\n",
        gains[0].points.len()
    )
}

fn gain_title(gain: &Gain) -> String {
    format!("D minus B in bits per byte by {}", gain.axis)
}
