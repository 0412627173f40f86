//! The page `docs/ablation.md`, written from the results: how they were made, the differences with their intervals, the
//! gain by the bias against what makes sources hard, and what would settle open questions.

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
    let mut text = page(path, plan, data, results, tables);
    if !tables.compared.is_empty() {
        let title = "Differences between arms in bits per byte, with 95 % intervals";
        let (axis, arms) = arms(&tables.compared);
        let drawn = following_the_reader(&bars::svg(&arms, &axis, &Palette::light(), title));
        let name = format!("{stem}-arms.svg");
        put(&report.with_file_name(&name), &drawn)?;
        let _ = write!(text, "\n![{title}]({name})\n\nBelow zero the arm named first predicts better.\n");
    }
    let trained = data.drawn.iter().chain(&data.supplementary).map(|pair| pair.source.as_str());
    let measured: Vec<&str> = data.validation.iter().map(|pair| pair.source.as_str()).collect();
    for gain in all_gains(trained, &measured, &outcomes(results), &data.texts())? {
        let name = format!("{stem}-{}.svg", gain.trait_name);
        put(&report.with_file_name(&name), &gain_svg(&gain))?;
        text += &gain_section(&gain, &name);
    }
    let recipe = std::fs::read_to_string(path).at(path)?;
    let _ = write!(text, "\n## The plan\n\n```toml\n{}\n```\n", without_about(&recipe).trim_end());
    put(report, &text)
}

/// Returns the text of the plan without its notes, which stand above it on the page.
fn without_about(recipe: &str) -> String {
    const ENDS: [&str; 2] = ["about = \"\"\"", "\"\"\"\n"];
    let Some((before, rest)) = recipe.split_once(ENDS[0]) else { return recipe.to_owned() };
    rest.split_once(ENDS[1]).map_or(recipe.to_owned(), |(_, after)| format!("{before}{after}"))
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

/// Returns the page in Markdown, without pictures.
fn page(path: &Path, plan: &AblationPlan, data: &AblationData, results: &[RunResult], tables: &Tables) -> String {
    let mut page = "# What each ingredient brings\n\n".to_owned();
    let of = plan.arms.len() * plan.seeds.len();
    // Writing into a string never fails.
    let _ = writeln!(
        page,
        "Written by `tuppum-lab ablate {} --report …` from {} of {of} runs. Every run begins with the same model \
         (`{}`), trains as the plan says and is measured on the same {} pairs of {} texts that no run has seen, in \
         bits per byte of the translation: fewer are better. {} drawn pairs are the data of every arm; {} \
         supplementary ones, at half weight, are the additional data.\n",
        path.display(),
        results.len(),
        plan.base.display(),
        data.validation.len(),
        data.texts().count(),
        data.drawn.len(),
        data.supplementary.len()
    );
    if !plan.about.trim().is_empty() {
        let _ = writeln!(page, "{}\n", plan.about.trim());
    }
    page += "## Runs\n\n| arm | data | augmentation | bias | seeds | bits per byte | BLEU | chrF++ \
             |\n|---|---|---|---|---|---|---|---|\n";
    let mut by_arm: BTreeMap<&str, Vec<&RunResult>> = BTreeMap::new();
    results.iter().for_each(|result| by_arm.entry(&result.arm.name).or_default().push(result));
    for (name, runs) in by_arm {
        page += &row(name, &runs);
    }
    page += "\n## Comparisons\n\nThe second arm minus the first. The interval is of a paired bootstrap over the texts \
             (1,000 samples), in the mean of the seeds; the error is that of the mean of the seeds.\n\n";
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
    tables.compared.iter().for_each(|compared| page += &format!("- {}\n", compared.verdict()));
    page
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

/// Returns the section of the page, with the picture of this name.
fn gain_section(gain: &Gain, picture: &str) -> String {
    let slope = &gain.trend.slope;
    format!(
        "\n## D against B by {}\n\n![{}]({picture})\n\nA point for each of {} pairs, in the mean of the seeds; below \
         zero D predicts better. The line is that of least squares, its band holds 95 % of 1,000 samples of a \
         bootstrap over texts. Slope {:+.5} bits per byte for each ({:+.5} to {:+.5}): {}.\n",
        gain.axis,
        gain_title(gain),
        gain.points.len(),
        slope.value,
        slope.low,
        slope.high,
        gain.verdict()
    )
}

fn gain_title(gain: &Gain) -> String {
    format!("D minus B in bits per byte by {}", gain.axis)
}

#[cfg(test)]
mod tests {
    use super::without_about;

    #[test]
    fn what_a_plan_says_about_itself_stands_once() {
        let plan = "# Plan\nabout = \"\"\"\nOne.\nTwo.\n\"\"\"\nbase = \"b\"\n";
        assert_eq!(without_about(plan), "# Plan\nbase = \"b\"\n");
        for plan in ["base = \"b\"\n", "about = \"short\"\n"] {
            assert_eq!(without_about(plan), plan);
        }
    }
}
