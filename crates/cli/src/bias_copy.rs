//! `tuppum bias`: a copy of a translator with another hyperbolic bias, or with none.

use super::bias::{self, BiasArguments};
use super::folder_task;
use super::run_folder::RunFolder;
use super::translate;
use crate::device::OpenDevice;
use crate::failure::Result;
use clap::Args;
use std::path::PathBuf;

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
            bias::attach(&mut model, &wanted)?;
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
