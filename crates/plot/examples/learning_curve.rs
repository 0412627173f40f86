//! Draws the learning curve of a translator.
//!
//! ```text
//! cargo run -p tuppum-plot --example learning_curve -- OUT/curve.tsv docs/translator-curve.svg [STEP WORDS ...]
//! ```
//!
//! WORDS are written at a line where STEP is reached. The x axis has bytes; the y axis, logarithmic, has bits per byte
//! of the target, in training (with augmentation, averaged over some minutes) and on validation pairs (with the running
//! mean of the weights). Columns of the table are found by name.

use std::error::Error;
use tuppum_plot::chart::following_the_reader;
use tuppum_plot::curve::PlotCurve;
use tuppum_plot::learning::{Learning, svg};
use tuppum_plot::palette::Palette;

const TITLE: &str = "Bits per byte of the translation over the bytes seen in training";

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [table, out, notes @ ..] = arguments.as_slice() else {
        return Err("name the table, the picture, and then steps with words".into());
    };
    let text = std::fs::read_to_string(table)?;
    let [steps, bytes, training, validation] = columns(&text, ["steps", "bytes", "loss", "validation_loss"])?
        .try_into()
        .map_err(|_| "four columns are read")?;
    let millions: Vec<f64> = bytes.iter().map(|bytes| bytes / 1e6).collect();
    let curve = |name: &str, colour: usize, loss: &[f64]| {
        let bits = loss.iter().map(|loss| loss / std::f64::consts::LN_2);
        let points = millions.iter().copied().zip(bits).map(|(at, bits)| [at, bits]).collect();
        PlotCurve { name: name.into(), points, colour, marked: false }
    };
    let note = |note: &[String]| -> Result<(f64, String), Box<dyn Error>> {
        let [step, words] = note else { return Err("a step has no words".into()) };
        let step: f64 = step.parse()?;
        let row = steps.iter().position(|own| *own >= step).ok_or("a step lies behind the end of the table")?;
        Ok((millions[row], words.clone()))
    };
    let learning = Learning {
        curves: vec![curve("training", 2, &training), curve("validation", 1, &validation)],
        notes: notes.chunks(2).map(note).collect::<Result<_, _>>()?,
        axes: ["million bytes, padding included".into(), "bits per byte".into()],
    };
    std::fs::write(out, following_the_reader(&svg(&learning, &Palette::light(), TITLE)))?;
    Ok(())
}

/// Reads the columns of these names.
fn columns<const N: usize>(table: &str, names: [&str; N]) -> Result<Vec<Vec<f64>>, Box<dyn Error>> {
    let mut lines = table.lines().map(|line| line.split('\t').collect::<Vec<_>>());
    let head = lines.next().ok_or("the table is empty")?;
    let rows: Vec<Vec<&str>> = lines.collect();
    let column = |name: &str| -> Result<Vec<f64>, Box<dyn Error>> {
        let at = head.iter().position(|own| *own == name).ok_or_else(|| format!("there is no column {name}"))?;
        rows.iter().map(|row| Ok(row.get(at).ok_or("a row is too short")?.parse()?)).collect()
    };
    names.into_iter().map(column).collect()
}
