//! The memory that a run of training takes, and ways to take less: the advice for a device with too little memory.

use tuppum_domain::restoration::training::RestorerTrainingSettings;
use tuppum_domain::training::OptimiserRule;
use tuppum_domain::training_memory::{LongestPair, ModelSize, Trained, TrainingMemory};
use tuppum_domain::translation::training::{LoraSettings, TranslatorTrainingPlan, TranslatorTrainingSettings};

/// Advises on the memory of a translator's training.
pub fn of_translator(size: ModelSize, plan: &TranslatorTrainingPlan) -> String {
    let own = TrainingMemory::of_translator(size, plan);
    let TranslatorTrainingSettings { longest, batch_bytes, parts, .. } = plan.settings;
    let longest = LongestPair::of(plan.pairs.iter().map(|pair| pair.bytes()), longest);
    let half = batch_bytes / 2;
    let smaller = TrainingMemory { batch: longest.batch(half, parts), ..own };
    let mut ways = vec![(format!("--batch-bytes {half}"), smaller)];
    if own.trained == Trained::Whole {
        let rule = OptimiserRule::Adafactor;
        ways.push(("--optimiser adafactor".to_owned(), TrainingMemory { rule, ..own }));
        let rank = LoraSettings::default().rank;
        let adapters = Trained::LoraAdapters(rank);
        ways.push((format!("LoRA adapters (--adapters {rank})"), TrainingMemory { trained: adapters, ..own }));
        ways.push((
            format!("both of them (--adapters {rank} --batch-bytes {half})"),
            TrainingMemory { trained: adapters, ..smaller },
        ));
    }
    told(own, &ways)
}

/// Advises on the memory of a restorer's training.
pub fn of_restorer(size: ModelSize, settings: &RestorerTrainingSettings) -> String {
    let half = settings.batch_tokens / 2;
    let of = |settings: &RestorerTrainingSettings| TrainingMemory::of_restorer(size, settings);
    let smaller = RestorerTrainingSettings { batch_tokens: half, ..settings.clone() };
    let layers = settings.layers.unwrap_or(size.encoder_layers).div_ceil(2);
    let fewer = RestorerTrainingSettings { layers: Some(layers), ..settings.clone() };
    let ways = [(format!("--batch-tokens {half}"), of(&smaller)), (format!("--layers {layers}"), of(&fewer))];
    told(of(settings), &ways)
}

/// Returns "This run takes about A GB; about B GB with WAY, ...", with the ways that take less.
fn told(own: TrainingMemory, ways: &[(String, TrainingMemory)]) -> String {
    let gigabytes = |memory: TrainingMemory| format!("about {:.1} GB", memory.bytes() as f64 / 1e9);
    // A way that saves almost nothing is no help.
    let less = ways.iter().filter(|(_, memory)| memory.bytes() < own.bytes() / 10 * 9);
    let told: Vec<String> = less.map(|(way, memory)| format!("{} with {way}", gigabytes(*memory))).collect();
    match told.is_empty() {
        true => format!("This run takes {}.", gigabytes(own)),
        false => format!("This run takes {}; it would take {}.", gigabytes(own), told.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tuppum_domain::translation::training::TranslationPair;
    use tuppum_nn::byt5::ByT5Config;

    #[test]
    fn smaller_batches_and_adapters_are_named_with_what_they_take() {
        let line = "a-na be-li₂-ia ".repeat(12);
        let pair = TranslationPair { text: "P1".into(), source: line.clone(), target: line, weight: 1.0 };
        let settings = TranslatorTrainingSettings { longest: 512, ..TranslatorTrainingSettings::default() };
        let plan = TranslatorTrainingPlan { pairs: vec![pair; 64], settings };
        let told = of_translator(ByT5Config::named("small").unwrap().size(), &plan);
        assert!(told.contains("--batch-bytes 2048") && told.contains("--adapters 8"), "{told}");
        assert!(told.contains("--optimiser adafactor"), "{told}");
        let numbers: Vec<f64> =
            told.split("about ").skip(1).filter_map(|rest| rest.split(' ').next()?.parse().ok()).collect();
        assert!(numbers.len() == 5 && numbers.iter().skip(1).all(|less| *less < numbers[0]), "{told}");
    }
}
