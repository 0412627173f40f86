//! Options for a hyperbolic bias that a command attaches to a translator, and `tuppum bias`: a copy of a translator
//! with another hyperbolic bias, or with none.

use super::run_folder::RunFolder;
use super::run_loop::message;
use super::{folder_task, translate};
use crate::device::OpenDevice;
use crate::failure::Result;
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use std::path::PathBuf;
use tuppum_domain::translation::bias::{BiasPoints, BiasSettings};
use tuppum_nn::byt5::ByT5;
use tuppum_train::translator::bias;

const SIGNS: &[u8] =
    include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/geometry/sign-points.safetensors"));
const CONTEXT: &[u8] =
    include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/geometry/context-points.safetensors"));

/// Options for the bias.
#[derive(Args, Clone, Debug, Default)]
pub struct BiasArguments {
    /// Attach a new hyperbolic bias in place of the model's own: `hard` and `soft` have a point per byte, `signs` one
    /// per sign and reading, `context` one per sign and reading with neighbours in texts drawn together, and `flat` is
    /// a control without curvature.
    #[arg(long = "bias", value_name = "POINTS", value_parser = points(), conflicts_with = "no_bias")]
    new: Option<BiasPoints>,
    /// Curvature of a new bias: its ball has minus this [default: 1].
    #[arg(long, value_name = "CURVATURE", requires = "new")]
    bias_curvature: Option<f64>,
    /// Strength α that a new bias begins with [default: 0.1].
    #[arg(long, value_name = "ALPHA", requires = "new")]
    bias_alpha: Option<f32>,
}

fn points() -> impl TypedValueParser<Value = BiasPoints> {
    PossibleValuesParser::new(BiasPoints::ALL.map(BiasPoints::name))
        .map(|name| BiasPoints::named(&name).unwrap_or_default())
}

impl BiasArguments {
    /// Returns the bias that the options ask for, over this many encoder blocks; unset options are as `before`, or as
    /// usual.
    pub fn new_bias(&self, before: Option<BiasSettings>, layers: Option<usize>) -> Option<BiasSettings> {
        let before = before.unwrap_or_default();
        self.new.map(|points| BiasSettings {
            points,
            layers: layers.unwrap_or(before.layers),
            curvature: self.bias_curvature.unwrap_or(before.curvature),
            alpha: self.bias_alpha.unwrap_or(before.alpha),
        })
    }
}

/// Replaces the model's bias by this one.
///
/// # Errors
/// The bias does not fit the model.
pub fn attach(model: &mut ByT5, wanted: &BiasSettings) -> Result<()> {
    let over_signs = if wanted.points == BiasPoints::Context { CONTEXT } else { SIGNS };
    let points = bias::held(wanted.points).unwrap_or(over_signs);
    bias::attach(model, wanted, points).map_err(|problem| message(problem.into()))
}

/// Arguments of `tuppum bias`.
#[derive(Args, Debug)]
#[command(group = clap::ArgGroup::new("what").required(true).args(["new", "no_bias"]))]
pub struct BiasCopyArguments {
    /// Folder of the model; it is not changed.
    model: PathBuf,
    /// Folder that the copy is written into, in 32 bits.
    #[arg(long)]
    out: PathBuf,
    #[command(flatten)]
    bias: BiasArguments,
    /// Number of encoder blocks that a new bias reaches [default: 4].
    #[arg(long, requires = "new")]
    bias_layers: Option<usize>,
    /// Take the bias off.
    #[arg(long)]
    no_bias: bool,
}

/// Writes the copy.
///
/// # Errors
/// Message for the user.
pub fn run(arguments: &BiasCopyArguments) -> Result<()> {
    let mut model = translate::open(&arguments.model, false, &OpenDevice::processor())?;
    match arguments.bias.new_bias(None, arguments.bias_layers) {
        Some(wanted) => {
            wanted.check()?;
            attach(&mut model, &wanted)?;
        }
        None if model.detach().is_none() => {
            return Err(format!("{} has no hyperbolic bias that could be taken off", arguments.model.display()).into());
        }
        None => {}
    }
    folder_task::write_into(&RunFolder::open(&arguments.out)?, &model)?;
    println!("the copy is in {}", arguments.out.display());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        bias: BiasArguments,
        #[arg(long)]
        no_bias: bool,
    }

    fn read(line: &[&str]) -> Result<Option<BiasSettings>, clap::Error> {
        let line = Line::try_parse_from([&["train"], line].concat())?;
        assert!(!line.no_bias);
        Ok(line.bias.new_bias(None, Some(2)))
    }

    #[test]
    fn what_is_not_said_is_as_usual() {
        assert_eq!(read(&[]).unwrap(), None);
        let usual = BiasSettings { layers: 2, ..BiasSettings::default() };
        let soft = BiasSettings { points: BiasPoints::Soft, curvature: 0.5, alpha: 0.3, ..usual };
        assert_eq!(read(&["--bias", "hard"]).unwrap(), Some(usual));
        let said = ["--bias", "soft", "--bias-alpha", "0.3", "--bias-curvature", "0.5"];
        assert_eq!(read(&said).unwrap(), Some(soft));
    }

    #[test]
    fn what_does_not_go_together_is_refused() {
        for line in [&["--bias", "round"][..], &["--bias", "hard", "--no-bias"], &["--bias-alpha", "0.2"]] {
            assert!(read(line).is_err(), "{line:?}");
        }
    }
}
