//! `tuppum convert`: weights of PyTorch, or safetensors of any precision, into safetensors that a tab can load.

mod input;
mod size;

use super::terminal::style;
use crate::failure::{About, Failure, Result};
use clap::{Args, ValueEnum};
use futures_lite::future::block_on;
use indicatif::ProgressBar;
use input::{Input, Located, message};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::BufWriter;
use std::path::{Path, PathBuf};
use tuppum_weights::index::Index;
use tuppum_weights::safetensors::{Dtype, floats};
use tuppum_weights::storage::{Sink, WriteSink};
use tuppum_weights::write::{Planned, Writer, index, shard_name, shards};
use tuppum_weights::{Source, WeightsError};

/// Prefix of the tensors that keep 32 bits: 16 would round points of the ball to its rim.
const EXACT: &str = "geometry.";

/// Arguments of `tuppum convert`.
#[derive(Args, Debug)]
pub struct ConvertArguments {
    /// A model's folder (pytorch_model.bin or model.safetensors, also in pieces with their index), or a single file of
    /// weights.
    input: PathBuf,
    /// The folder to write into, new or empty.
    output: PathBuf,
    /// The precision to write.
    #[arg(long, value_enum, default_value_t = Precision::F16)]
    dtype: Precision,
    /// The largest file: a larger model is cut into several files with an index.
    #[arg(long, default_value = "500MB", value_parser = size::parse)]
    shard_size: u64,
}

/// Precisions on the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Precision {
    /// 32 bits.
    F32,
    /// 16 bits: 11 of them significant, up to 65,504.
    F16,
    /// 16 bits: 8 of them significant, with the range of 32.
    Bf16,
}

impl From<Precision> for Dtype {
    fn from(precision: Precision) -> Self {
        match precision {
            Precision::F32 => Self::F32,
            Precision::F16 => Self::F16,
            Precision::Bf16 => Self::Bf16,
        }
    }
}

/// Converts, and prints what was written.
///
/// # Errors
/// Message for the user; no file is left behind.
pub fn run(arguments: &ConvertArguments) -> Result<()> {
    let mut input = block_on(input::open(&arguments.input))?;
    let output = Output::begin(&arguments.output)?;
    let written = block_on(convert(&mut input, arguments, &output)).and_then(|report| output.finish().map(|()| report));
    match written {
        Ok(report) => print_report(&report, &input, &arguments.output),
        Err(message) => {
            output.undo();
            Err(message)
        }
    }
}

/// Report on what was written.
struct Report {
    tensors: usize,
    files: usize,
    bytes: u64,
}

fn print_report(report: &Report, input: &Input, output: &Path) -> Result<()> {
    let Report { tensors, files, bytes } = report;
    let megabytes = *bytes as f64 / 1e6;
    super::terminal::print(&format!(
        "{}: {tensors} tensors in {files} file(s), {megabytes:.1} MB\n",
        output.display()
    ))?;
    for alias in &input.aliases {
        eprintln!("note: {alias} is the same as a tensor that was written, and was left out");
    }
    if input.config.is_none() {
        eprintln!(
            "note: there was no config.json beside the weights; put the model's config.json into {}",
            output.display()
        );
    }
    Ok(())
}

/// Writes all files.
async fn convert(input: &mut Input, arguments: &ConvertArguments, output: &Output) -> Result<Report> {
    let tensors = std::mem::take(&mut input.tensors);
    let plan: Vec<Planned> = tensors.iter().map(|tensor| planned(tensor, arguments.dtype)).collect();
    let cut = shards(plan, arguments.shard_size);
    let total: u64 = cut.iter().flatten().map(Planned::bytes).sum();
    let bar = ProgressBar::new(total).with_style(style("writing {bar:30} {bytes}/{total_bytes}, {eta} left"));
    let mut rest = tensors.iter();
    for (number, shard) in cut.iter().enumerate() {
        let mut sink = output.create(&shard_name(number, cut.len()))?;
        let begun = Writer::begin(&mut sink, shard.clone(), &BTreeMap::from([("format".into(), "pt".into())])).await;
        let mut writer = begun.map_err(message)?;
        for (planned, tensor) in shard.iter().zip(rest.by_ref()) {
            copy(input, tensor, planned, &mut writer).await.map_err(|error| explained(error, tensor, input))?;
            bar.inc(planned.bytes());
        }
        writer.finish().map_err(message)?;
        sink.finish()?;
    }
    bar.finish_and_clear();
    if cut.len() > 1 {
        output.write("model.safetensors.index.json", &json(&index(&cut))?)?;
    }
    if let Some(config) = &input.config {
        output.write("config.json", config)?;
    }
    Ok(Report { tensors: cut.iter().map(Vec::len).sum(), files: cut.len(), bytes: total })
}

/// Returns a tensor as it will be written. Whole numbers stay what they are.
fn planned(tensor: &Located, precision: Precision) -> Planned {
    let info = &tensor.info;
    let dtype = match info.dtype {
        Dtype::I32 => Dtype::I32,
        _ if info.name.starts_with(EXACT) => Dtype::F32,
        _ => precision.into(),
    };
    Planned { name: info.name.clone(), dtype, shape: info.shape.clone() }
}

/// Reads one tensor and writes it.
async fn copy<S: Sink>(
    input: &mut Input,
    tensor: &Located,
    planned: &Planned,
    writer: &mut Writer<'_, S>,
) -> Result<(), WeightsError> {
    let info = &tensor.info;
    let bytes = input.files[tensor.file].source.read(info.offset, info.bytes).await?;
    if info.dtype == Dtype::I32 {
        writer.put_bytes(&planned.name, &bytes).await
    } else {
        writer.put(&planned.name, &floats(info, &bytes)?).await
    }
}

fn json(index: &Index) -> Result<Vec<u8>> {
    let mut json = serde_json::to_vec_pretty(index)?;
    json.push(b'\n');
    Ok(json)
}

/// Adds to an error what can be done about a tensor that could not be converted.
fn explained(error: WeightsError, tensor: &Located, input: &Input) -> Failure {
    let file = &input.files[tensor.file].name;
    match error {
        WeightsError::Encoding { problem, .. } => format!(
            "{file}: tensor {} {problem}. Numbers that are too large need --dtype bf16 or f32; numbers that are not \
             finite mean that the weights are damaged",
            tensor.info.name
        )
        .into(),
        other => format!("{file}: {}", message(other)).into(),
    }
}

/// Folder to write into. Until all files are written they have the names of unfinished ones.
struct Output {
    folder: PathBuf,
    /// `true` if this program made the folder and may remove it again.
    is_new: bool,
}

const UNFINISHED: &str = ".part";

impl Output {
    /// Makes the folder, or takes an empty one, so nothing is ever overwritten, least of all the input.
    fn begin(folder: &Path) -> Result<Self> {
        let is_new = !folder.exists();
        std::fs::create_dir_all(folder).cannot("be written into", folder)?;
        if let Some(file) = std::fs::read_dir(folder).cannot("be written into", folder)?.next() {
            let file = file.cannot("be written into", folder)?.file_name();
            return Err(format!(
                "{} is not empty, {} is in it; name a new folder, or clear this one, so that nothing is overwritten",
                folder.display(),
                file.display()
            )
            .into());
        }
        Ok(Self { folder: folder.to_path_buf(), is_new })
    }

    fn create(&self, name: &str) -> Result<WriteSink<BufWriter<File>>> {
        let path = self.folder.join(format!("{name}{UNFINISHED}"));
        let file = File::create(&path).cannot("be written", &path)?;
        Ok(WriteSink::new(path.display().to_string(), BufWriter::new(file)))
    }

    fn write(&self, name: &str, bytes: &[u8]) -> Result<()> {
        let path = self.folder.join(format!("{name}{UNFINISHED}"));
        std::fs::write(&path, bytes).cannot("be written", &path)
    }

    /// Renames all files to their final names.
    fn finish(&self) -> Result<()> {
        for path in self.unfinished() {
            std::fs::rename(&path, path.with_extension("")).cannot("be renamed", &path)?;
        }
        Ok(())
    }

    /// Removes the unfinished files.
    fn undo(&self) {
        // A file that cannot be removed is recognised as unfinished by its name.
        for path in self.unfinished() {
            let _ = std::fs::remove_file(path);
        }
        if self.is_new {
            let _ = std::fs::remove_dir(&self.folder);
        }
    }

    fn unfinished(&self) -> Vec<PathBuf> {
        let files = std::fs::read_dir(&self.folder).into_iter().flatten().flatten().map(|file| file.path());
        files.filter(|path| path.extension().is_some_and(|extension| extension == &UNFINISHED[1..])).collect()
    }
}
