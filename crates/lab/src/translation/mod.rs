//! `tuppum-lab hybonet translate`: Transformers on the hyperboloid and in Euclid's space, of one size and with one
//! budget, learn to translate Akkadian from nothing.
//!
//! Every run has a folder for its model and its result; a finished run is not repeated.

mod arguments;
mod run;
mod table;
mod task;
pub mod trial;

pub use arguments::TransformerArguments;

use crate::document::DocumentSection;
use run::TranslationData;
use tuppum_cli::device::advise;
use tuppum_cli::failure::Result;
use tuppum_hyperbolic::transformer::Space;

/// Makes the runs that are missing and writes the table.
///
/// # Errors
/// Message for the user.
pub fn run(arguments: &TransformerArguments) -> Result<()> {
    let place = DocumentSection::of(arguments.out.as_ref(), "translate")?;
    if arguments.seeds.is_empty() {
        return Err("there is no seed; give at least one by --seeds".into());
    }
    for space in Space::ALL {
        arguments.model(space).check()?;
    }
    let data = run::read_pairs(arguments)?;
    let TranslationData { trained, held_out, measured, .. } = &data;
    eprintln!("{trained} pairs to learn from, {held_out} held out, {} of them to measure with", measured.len());
    let device = arguments.device.open()?;
    advise("A smaller --batch-bytes takes less.");
    let mut results = Vec::new();
    for seed in &arguments.seeds {
        for space in Space::ALL {
            results.push(run::kept(arguments, &arguments.model(space), *seed, &data, &device)?);
        }
    }
    place.fill(&table::table(arguments, &data, &results)?)
}
