//! `docs/ablation.md`, written from the results: how it was made, what came out with intervals, and what would settle what is open.

use super::RunResult;
use super::gain::{self, Gain};
use super::plan::{AblationPlan, Data};
use super::table::{Compared, Tables};
use crate::plot::bars::{self, Bar};
use crate::plot::palette::Palette;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

/// Standard errors within which 95 % of the means of a few seeds lie, roughly.
const WIDTH: f64 = 2.0;

/// Writes the page, and its pictures beside it, named after it. `path` is the plan's.
///
/// # Errors
/// A file that cannot be read or written.
pub fn write(
    report: &Path,
    path: &Path,
    plan: &AblationPlan,
    data: &Data,
    results: &[RunResult],
    tables: &Tables,
) -> Result<(), String> {
    let stem = report.file_stem().map_or("ablation".into(), |stem| stem.to_string_lossy().into_owned());
    let put = |file: &Path, text: &str| {
        std::fs::write(file, text).map_err(|error| format!("{} cannot be written: {error}", file.display()))
    };
    let mut text = page(path, plan, data, results, tables);
    if !tables.compared.is_empty() {
        let title = "Differences between arms in bits per byte, with 95 % intervals";
        let drawn = bars::svg(&arms(&tables.compared), "bits per byte, second − first", &Palette::light(), title);
        let name = format!("{stem}-arms.svg");
        put(&report.with_file_name(&name), &drawn)?;
        let _ = write!(text, "\n![{title}]({name})\n\nBelow zero the arm named first foretells better.\n");
    }
    for gain in gain::all(data, results)? {
        let (name, drawn) = (format!("{stem}-{}.svg", gain.trait_name), gain.svg());
        put(&report.with_file_name(&name), &drawn)?;
        text += &section(&gain, &name);
    }
    let recipe = std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let _ = write!(text, "\n## The plan\n\n```toml\n{}\n```\n", recipe.trim_end());
    put(report, &text)
}

fn arms(compared: &[Compared]) -> Vec<Bar> {
    let bar = |Compared { first, second, bits, .. }: &Compared| Bar {
        name: format!("{second} − {first}"),
        value: bits.difference.value,
        interval: [bits.difference.low, bits.difference.high],
    };
    compared.iter().map(bar).collect()
}

/// What the bias brings against one thing that makes sources hard.
fn section(gain: &Gain, picture: &str) -> String {
    let slope = &gain.trend.slope;
    let said = if slope.high < 0.0 {
        "the bias brings more where there is more of it"
    } else if slope.low > 0.0 {
        "the bias brings less where there is more of it"
    } else {
        "nothing is shown: the interval holds both directions"
    };
    format!(
        "\n## D against B by {}\n\n![D minus B in bits per byte by {}]({picture})\n\nA point for each of {} pairs, in the mean of the \
         seeds; below zero D foretells better. The line is that of least squares, its band holds 95 % of 1,000 samples of a bootstrap \
         over pairs. Slope {:+.5} bits per byte for each ({:+.5} to {:+.5}): {said}.\n",
        gain.axis,
        gain.axis,
        gain.points.len(),
        slope.value,
        slope.low,
        slope.high
    )
}

/// The page in Markdown, without pictures.
fn page(path: &Path, plan: &AblationPlan, data: &Data, results: &[RunResult], tables: &Tables) -> String {
    let mut page = "# What each ingredient brings\n\n".to_owned();
    let of = plan.arms.len() * plan.seeds.len();
    // Writing into a string never fails.
    let _ = writeln!(
        page,
        "Written by `tuppum ablate {} --report …` from {} of {of} runs. Every run begins with the same model (`{}`), trains as the \
         plan says and is measured on the same {} pairs of texts that no run has seen, in bits per byte of the translation: fewer \
         are better. {} drawn pairs are the data of every arm; {} supplementary ones, at half weight, are the additional data.\n",
        path.display(),
        results.len(),
        plan.base.display(),
        data.validation.len(),
        data.drawn.len(),
        data.supplementary.len()
    );
    page += "## Runs\n\n| arm | data | augmentation | bias | seeds | bits per byte | BLEU | chrF++ |\n|---|---|---|---|---|---|---|---|\n";
    let mut by_arm: BTreeMap<&str, Vec<&RunResult>> = BTreeMap::new();
    results.iter().for_each(|result| by_arm.entry(&result.arm.name).or_default().push(result));
    for (name, runs) in by_arm {
        page += &row(name, &runs);
    }
    page += "\n## Comparisons\n\nThe second arm minus the first. The interval is of a paired bootstrap over the pairs (1,000 samples), in the \
             mean of the seeds; the error is that of the mean of the seeds.\n\n";
    page +=
        "| arms | difference in bits per byte | 95 % of samples | error of seeds | seeds |\n|---|---|---|---|---|\n";
    for Compared { first, second, bits, by_seed, error_of_seeds } in &tables.compared {
        let (found, seeds) = (&bits.difference, by_seed.len());
        let error = error_of_seeds.map_or("–".to_owned(), |error| format!("{error:.4}"));
        let _ = writeln!(
            page,
            "| {second} − {first} | {:+.4} | {:+.4} to {:+.4} | {error} | {seeds} |",
            found.value, found.low, found.high
        );
    }
    page += "\n## What can be said\n\n";
    tables.compared.iter().for_each(|compared| page += &verdict(compared));
    page
}

fn row(name: &str, runs: &[&RunResult]) -> String {
    let yes = |is: bool| if is { "yes" } else { "" };
    let mean = |value: &dyn Fn(&RunResult) -> f64| runs.iter().map(|run| value(run)).sum::<f64>() / runs.len() as f64;
    let bits = mean(&|run| run.validation.bits_per_byte);
    let scored = |value: fn(&crate::eval::translation::Scores) -> f64| {
        let all: Option<Vec<f64>> = runs.iter().map(|run| run.scores.as_ref().map(value)).collect();
        all.map_or("–".to_owned(), |all| format!("{:.2}", all.iter().sum::<f64>() / all.len() as f64))
    };
    let [bleu, chrf] = [scored(|scores| scores.bleu), scored(|scores| scores.chrf)];
    let arm = runs.first().map(|run| run.arm.clone()).unwrap_or_default();
    let (data, augmentation, bias) = (yes(arm.data), yes(arm.augmentation), yes(arm.bias));
    format!("| {name} | {data} | {augmentation} | {bias} | {} | {bits:.4} | {bleu} | {chrf} |\n", runs.len())
}

/// A sentence about a comparison, and how many seeds would settle one that is open.
fn verdict(compared: &Compared) -> String {
    let Compared { first, second, bits, by_seed, error_of_seeds } = compared;
    let found = &bits.difference;
    let Some(error) = error_of_seeds else {
        return format!("- {second} against {first}: one seed tells nothing of chance among runs.\n");
    };
    let by_pairs = found.low > 0.0 || found.high < 0.0;
    let by_seeds = found.value.abs() > WIDTH * error;
    let better = if found.value < 0.0 { second } else { first };
    match (by_pairs, by_seeds) {
        (true, true) => format!(
            "- {second} against {first}: {better} foretells better, by {:.4} bits per byte; neither chance among the pairs nor \
             among the {} seeds explains it.\n",
            found.value.abs(),
            by_seed.len()
        ),
        (true, false) => {
            let spread = error * (by_seed.len() as f64).sqrt();
            let wanted = (WIDTH * spread / found.value.abs().max(1e-9)).powi(2).ceil();
            format!(
                "- {second} against {first}: {better} was better on these pairs, but the seeds differ as much. If the difference is \
                 as large as found, about {wanted:.0} seeds would show it.\n"
            )
        }
        (false, _) => format!(
            "- {second} against {first}: nothing is shown; a difference of up to {:.4} bits per byte either way could hide here. \
             More pairs to measure with narrow the interval by the root of their number.\n",
            found.low.abs().max(found.high.abs())
        ),
    }
}
