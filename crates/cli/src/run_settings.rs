//! Settings with an option of their own in every command that trains.

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use tuppum_domain::training::{OptimiserRule, OptimiserSettings};
use tuppum_domain::translation::training::Length;

/// Options of every command that trains.
#[derive(Args, Clone, Debug, Default)]
pub struct RunArguments {
    /// Number of passes over all training data.
    #[arg(long, conflicts_with = "steps")]
    epochs: Option<u32>,
    /// Steps of the optimiser.
    #[arg(long)]
    steps: Option<u32>,
    /// Highest learning rate.
    #[arg(long)]
    rate: Option<f64>,
    /// Optimiser. AdamW keeps two more numbers for each weight, Muon one and its steps take longer, Adafactor next to
    /// none.
    #[arg(long, value_parser = one_of(OptimiserRule::ALL, OptimiserRule::name))]
    optimiser: Option<OptimiserRule>,
    /// Seed; equal seeds make equal runs.
    #[arg(long)]
    seed: Option<u64>,
    /// Batches of a step.
    #[arg(long)]
    accumulation: Option<usize>,
    /// Share of every stream that is dropped.
    #[arg(long)]
    dropout: Option<f64>,
    /// Share of the texts that is held out.
    #[arg(long)]
    held_out: Option<f64>,
}

/// Settings of a task that the options may overwrite.
pub struct RunSettings<'s> {
    /// Length of the training.
    pub length: &'s mut Length,
    /// Optimiser and its rates.
    pub optimiser: &'s mut OptimiserSettings,
    /// Seed of the run.
    pub seed: &'s mut u64,
    /// Batches of a step.
    pub accumulation: &'s mut usize,
    /// Share of every stream that is dropped.
    pub dropout: &'s mut f64,
    /// Share of the texts that is held out.
    pub held_out: &'s mut f64,
}

impl RunArguments {
    /// Overwrites the settings with the options that are given.
    pub fn write_over(&self, settings: RunSettings) {
        let length = self.epochs.map(Length::Epochs).or(self.steps.map(Length::Steps));
        write(settings.length, length);
        write(&mut settings.optimiser.rate, self.rate);
        write(&mut settings.optimiser.rule, self.optimiser);
        write(settings.seed, self.seed);
        write(settings.accumulation, self.accumulation);
        write(settings.dropout, self.dropout);
        write(settings.held_out, self.held_out);
    }
}

/// Parses one of several choices by its name.
pub fn one_of<T, const N: usize>(all: [T; N], name: fn(T) -> &'static str) -> impl TypedValueParser<Value = T>
where
    T: Copy + Default + Send + Sync + 'static,
{
    let named = move |given: String| all.into_iter().find(|one| name(*one) == given).unwrap_or_default();
    PossibleValuesParser::new(all.map(name)).map(named)
}

fn write<T>(place: &mut T, given: Option<T>) {
    if let Some(given) = given {
        *place = given;
    }
}
