//! The arguments of `tuppum-lab hybonet translate`, and the models and settings that they describe.
//!
//! Some choose between the paper's equations, its published programs and this project's layers; `docs/hybonet.md`
//! explains each word.

use clap::Args;
use std::path::PathBuf;
use tuppum_cli::device::DeviceArguments;
use tuppum_domain::training::OptimiserSettings;
use tuppum_domain::translation::training::{Length, TranslatorTrainingSettings};
use tuppum_hyperbolic::transformer::{
    AttentionScale, ControlAttention, Initialisation, LinearLayers, Positions, Residual, Space, TransformerForms,
    TransformerSettings,
};

/// Arguments of `tuppum-lab hybonet translate`.
#[derive(Args, Debug)]
pub struct TransformerArguments {
    /// Tables of pairs, with the columns source and target (`*.tsv`, also packed by xz).
    #[arg(long, value_delimiter = ',', default_values_os_t = pairs())]
    pub pairs: Vec<PathBuf>,
    /// Folder for the runs; a finished run is not repeated.
    #[arg(long)]
    pub folder: PathBuf,
    /// Document whose table is replaced; without it the table goes to the standard output.
    #[arg(long)]
    pub out: Option<PathBuf>,
    /// Seeds, each of a run in either space; the table gives means, with standard deviations.
    #[arg(long, value_delimiter = ',', default_values_t = [1, 2, 3])]
    pub seeds: Vec<u64>,
    /// Steps of every run.
    #[arg(long, default_value_t = 1000)]
    pub steps: u32,
    /// Highest learning rate; it rises over the first tenth of the steps and falls to zero along a line.
    #[arg(long, default_value_t = 3e-3)]
    pub rate: f64,
    /// Rate of points on the hyperboloid, as a multiple of the learning rate.
    #[arg(long, default_value_t = 8.0)]
    pub points_rate: f64,
    /// Maximum length of the gradient, over all parameters together; longer gradients are scaled to it.
    #[arg(long, default_value_t = 0.5)]
    pub clip: f64,
    /// Share of the additions to states that is dropped in training.
    #[arg(long, default_value_t = 0.0)]
    pub dropout: f64,
    /// Maximum bytes of a batch: rows times the longest source and target.
    #[arg(long, default_value_t = 4096)]
    pub batch_bytes: usize,
    /// Maximum bytes of a source or target; longer pairs are left out.
    #[arg(long, default_value_t = 160)]
    pub longest: usize,
    /// Number of held-out pairs, drawn by chance, that are measured.
    #[arg(long, default_value_t = 1000)]
    pub validation: usize,
    /// Number of measured pairs that are translated, for BLEU and chrF++.
    #[arg(long, default_value_t = 100)]
    pub translated: usize,
    /// Number of rows to read of each table [default: all].
    #[arg(long)]
    pub limit: Option<usize>,
    /// Space-like coordinates of a state.
    #[arg(long, default_value_t = 64)]
    pub width: usize,
    /// Layers of the encoder.
    #[arg(long, default_value_t = 3)]
    pub encoder_layers: usize,
    /// Layers of the decoder.
    #[arg(long, default_value_t = 2)]
    pub decoder_layers: usize,
    /// Heads of attention.
    #[arg(long, default_value_t = 4)]
    pub heads: usize,
    /// Space-like coordinates within a feed-forward part.
    #[arg(long, default_value_t = 256)]
    pub feed_forward: usize,
    /// Curvature of the hyperboloid.
    #[arg(long, default_value_t = -1.0, allow_negative_numbers = true)]
    pub curvature: f64,
    /// Equations or programs that the layers follow.
    #[command(flatten)]
    pub forms: FormArguments,
    /// Device to compute on.
    #[command(flatten)]
    pub device: DeviceArguments,
}

/// Returns the tables of Akkadian and English that the project has.
fn pairs() -> Vec<PathBuf> {
    ["oracc/parallel/oracc_akk_en.tsv.xz", "cdli/parallel/cdli_akk_en_segments.tsv"]
        .map(|table| PathBuf::from("../shared/data").join(table))
        .to_vec()
}

impl TransformerArguments {
    /// Returns the model of a space.
    pub fn model(&self, space: Space) -> TransformerSettings {
        TransformerSettings {
            space,
            curvature: self.curvature,
            width: self.width,
            encoder_layers: self.encoder_layers,
            decoder_layers: self.decoder_layers,
            heads: self.heads,
            feed_forward: self.feed_forward,
            longest: self.longest + 1,
            forms: self.forms.of(space),
            ..TransformerSettings::default()
        }
    }

    /// Returns the settings of a run's training, all but its seed. There is no augmentation and no decay, as in the
    /// published runs.
    pub fn training(&self) -> TranslatorTrainingSettings {
        TranslatorTrainingSettings {
            length: Length::Steps(self.steps),
            optimiser: OptimiserSettings {
                rate: self.rate,
                points_rate: Some(self.points_rate),
                clip: self.clip,
                weight_decay: 0.0,
                ..TranslatorTrainingSettings::default().optimiser
            },
            dropout: self.dropout,
            batch_bytes: self.batch_bytes,
            longest: self.longest,
            augmented: 0.0,
            ..TranslatorTrainingSettings::default()
        }
    }
}

/// Arguments that choose the forms of layers.
#[derive(Args, Clone, Copy, Debug)]
pub struct FormArguments {
    /// Linear layers on the hyperboloid: mixed, space-first (Eq. 3), time-first (Eq. 9), published, or tangent (Eq. 2).
    #[arg(long, default_value_t)]
    pub linear: LinearLayers,
    /// Residuals on the hyperboloid: added, or merged into the layer before its normalisation (Eq. 7).
    #[arg(long, default_value_t)]
    pub residual: Residual,
    /// Positions on the hyperboloid: added, or by a layer with a matrix.
    #[arg(long, default_value_t)]
    pub positions: Positions,
    /// Number that squared distances are divided by: fixed, the root of a head's dimension (Eq. 5), or learnt.
    #[arg(long, default_value_t)]
    pub attention: AttentionScale,
    /// First numbers of the model on the hyperboloid: keeping-lengths, or published (matrices within ±0.02).
    #[arg(long, default_value_t)]
    pub initialisation: Initialisation,
    /// Attention of the control in Euclid's space: products, or hyperbolic (Gulcehre et al.).
    #[arg(long, default_value_t)]
    pub control: ControlAttention,
}

impl FormArguments {
    /// Returns the forms of the model of a space: choices for the other space are left out of it.
    pub fn of(&self, space: Space) -> TransformerForms {
        let Self { linear, residual, positions, attention, initialisation, control } = *self;
        match space {
            Space::Lorentz => {
                let control = ControlAttention::default();
                TransformerForms { linear, residual, positions, attention, initialisation, control }
            }
            Space::Euclidean => TransformerForms { control, ..TransformerForms::default() },
        }
    }

    /// Returns a sentence on the choices; empty if nothing was chosen.
    pub fn told(&self) -> String {
        let Self { linear, residual, positions, attention, initialisation, control } = *self;
        let chosen = [
            (linear != LinearLayers::default()).then(|| format!("linear layers {linear}")),
            (residual != Residual::default()).then(|| format!("residuals {residual}")),
            (positions != Positions::default()).then(|| format!("positions {positions}")),
            (attention != AttentionScale::default()).then(|| format!("scale of attention {attention}")),
            (initialisation != Initialisation::default()).then(|| format!("initialisation {initialisation}")),
            (control != ControlAttention::default()).then(|| format!("attention of the control {control}")),
        ];
        let chosen: Vec<String> = chosen.into_iter().flatten().collect();
        if chosen.is_empty() { String::new() } else { format!(" Chosen: {}.", chosen.join(", ")) }
    }
}
