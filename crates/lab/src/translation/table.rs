//! The tables of `tuppum-lab hybonet translate`: the figures of each space, and their differences, seed by seed.

use super::arguments::TransformerArguments;
use super::run::{TransformerRunResult, TranslationData};
use crate::document::{deviation, mean, named_seeds};
use std::fmt::Write;
use tuppum_cli::failure::Result;
use tuppum_eval::bits;
use tuppum_eval::texts::TextGroups;
use tuppum_eval::translation::{SAMPLES, TranslationCounts, TranslationScores};
use tuppum_hyperbolic::transformer::Space;
use tuppum_random::Random;

/// Writes both tables with the sentences above them. The results are those of each seed in turn, in both spaces.
///
/// # Errors
/// There is nothing to compare.
pub fn table(
    arguments: &TransformerArguments,
    data: &TranslationData,
    results: &[TransformerRunResult],
) -> Result<String> {
    let mut out = heading(arguments, data, results);
    out += "| space | parameters | bits per byte | BLEU | chrF++ | score | processor seconds per step \
            |\n|---|---|---|---|---|---|---|\n";
    for space in Space::ALL {
        let own: Vec<&TransformerRunResult> = results.iter().filter(|result| result.model.space == space).collect();
        let _ = writeln!(out, "{}", row(space, &own, data));
    }
    out += "\nBits per byte on the hyperboloid minus those in Euclid's space, with the interval in which 95 % of 1,000 \
            samples of the texts lie; below 0 the hyperboloid is better.\n\n\
            | seed | lorentz | euclidean | difference | 95 % |\n|---|---|---|---|---|\n";
    let texts = TextGroups::of(data.measured.iter().map(|pair| pair.text_key()));
    for seed in &arguments.seeds {
        let of = |space: Space| {
            results
                .iter()
                .find(|result| result.model.space == space && result.training.seed == *seed)
                .map(|own| &own.validation)
        };
        let [Some(lorentz), Some(euclidean)] = Space::ALL.map(of) else { continue };
        let found = bits::paired(euclidean, lorentz, &texts, SAMPLES, &mut Random::new(*seed))?;
        let difference = found.difference;
        let _ = writeln!(
            out,
            "| {seed} | {:.3} | {:.3} | {:+.3} | {:+.3} to {:+.3} |",
            found.second, found.first, difference.value, difference.low, difference.high
        );
    }
    Ok(out)
}

fn heading(arguments: &TransformerArguments, data: &TranslationData, results: &[TransformerRunResult]) -> String {
    let TransformerArguments { steps, rate, points_rate, clip, dropout, batch_bytes, longest, .. } = arguments;
    let all = data.plan.pairs.len();
    let epochs = results.iter().map(|result| result.bytes as f64).sum::<f64>()
        / (results.len().max(1) * bytes_of(data).max(1)) as f64;
    format!(
        "{} pairs to learn from, {} held out, by texts; {} with more than {longest} bytes were left out. Measured are \
         {} of the held-out pairs, {} of which stand word for word among those to learn from; greedy translations of \
         the first {} of them are scored, without intervals, as they are few. {} + {} layers, width {}, {} heads, \
         feed-forward parts of {}, curvature {}. {steps} steps of batches of {batch_bytes} bytes with padding, \
         {epochs:.2} times over the pairs; learning rate {rate}, of points {points_rate} times as high, gradients \
         clipped at {clip}, dropout {dropout}, {}.{} Means over the seeds, with standard deviations where there are \
         several.\n\n",
        data.trained,
        data.held_out,
        all - data.trained - data.held_out,
        data.measured.len(),
        data.repeated,
        results.first().map_or(0, |result| result.translations.len()),
        arguments.encoder_layers,
        arguments.decoder_layers,
        arguments.width,
        arguments.heads,
        arguments.feed_forward,
        arguments.curvature,
        named_seeds(&arguments.seeds),
        arguments.forms.told(),
    )
}

/// Bytes of the pairs that train, with their ends.
fn bytes_of(data: &TranslationData) -> usize {
    let [trained, _] = data.plan.split();
    trained.iter().map(|number| data.plan.pairs[*number].bytes().iter().sum::<usize>()).sum()
}

fn row(space: Space, runs: &[&TransformerRunResult], data: &TranslationData) -> String {
    let scores: Vec<TranslationScores> = runs.iter().map(|run| scores(run, data)).collect();
    let bits: Vec<f64> = runs.iter().map(|run| run.validation.bits_per_byte).collect();
    let of = |figure: fn(&TranslationScores) -> f64| spread(&scores.iter().map(figure).collect::<Vec<_>>(), 1);
    let seconds: Vec<f64> = runs.iter().filter_map(|run| run.processor_seconds).collect();
    let seconds = if seconds.is_empty() { "–".to_owned() } else { format!("{:.3}", mean(&seconds)) };
    let parameters = runs.first().map_or(0, |run| run.parameters);
    format!(
        "| {space} | {parameters} | {} | {} | {} | {} | {seconds} |",
        spread(&bits, 3),
        of(|scores| scores.bleu),
        of(|scores| scores.chrf),
        of(|scores| scores.score)
    )
}

/// BLEU and chrF++ of the translations of a run.
fn scores(run: &TransformerRunResult, data: &TranslationData) -> TranslationScores {
    let both = run.translations.iter().zip(&data.measured);
    let counts: Vec<TranslationCounts> = both.map(|(own, pair)| TranslationCounts::of(own, &pair.target)).collect();
    counts.iter().collect::<TranslationCounts>().scores()
}

/// Returns the mean, and the deviation if there are several values.
fn spread(values: &[f64], digits: usize) -> String {
    match values.len() {
        0 | 1 => format!("{:.digits$}", mean(values)),
        _ => format!("{:.digits$} ± {:.digits$}", mean(values), deviation(values)),
    }
}
