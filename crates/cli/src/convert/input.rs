//! The weights to convert: the files of a folder in the layouts that models are published in, or one file.

use crate::failure::{About, Failure, Result, advised, at};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use tuppum_weights::index::Index;
use tuppum_weights::safetensors::TensorInfo;
use tuppum_weights::{FileSource, WeightsError, tensors};

/// File names of weights in a folder, the best first; weights in pieces by their index.
const INDICES: [&str; 2] = ["model.safetensors.index.json", "pytorch_model.bin.index.json"];
const FILES: [&str; 2] = ["model.safetensors", "pytorch_model.bin"];

/// Names that are often a second name of `shared.weight`.
const ALIAS: &str = "embed_tokens.weight";

/// An open file of weights.
pub struct InputFile {
    pub name: String,
    pub source: FileSource,
}

/// A tensor, and the number of its file.
pub struct Located {
    pub file: usize,
    pub info: TensorInfo,
}

/// All weights of a model.
pub struct Input {
    pub files: Vec<InputFile>,
    pub tensors: Vec<Located>,
    /// Second names of tensors, which are not written.
    pub aliases: Vec<String>,
    /// The `config.json` beside the weights.
    pub config: Option<Vec<u8>>,
}

/// Opens a folder or a file and finds its tensors.
///
/// # Errors
/// A sentence that names the file, and what to do.
pub async fn open(path: &Path) -> Result<Input> {
    let (folder, names, index) = files(path)?;
    let mut input = Input { files: Vec::new(), tensors: Vec::new(), aliases: Vec::new(), config: None };
    for name in names {
        let path = folder.join(&name);
        let fail = |error: WeightsError| at(&path, message(error));
        let mut source = FileSource::open(&path).map_err(|error| fail(error.into()))?;
        let found = tensors::read(&name, &mut source).await.map_err(fail)?;
        if let Some(index) = &index {
            index.check(&name, &found.list).map_err(fail)?;
        }
        let file = input.files.len();
        input.tensors.extend(found.list.into_iter().map(|info| Located { file, info }));
        input.files.push(InputFile { name, source });
    }
    input.aliases = leave_out_aliases(&mut input.tensors);
    if input.tensors.is_empty() {
        return Err(format!("{} has no tensors", path.display()).into());
    }
    let config = folder.join("config.json");
    if config.exists() {
        input.config = Some(std::fs::read(&config).at(&config)?);
    }
    Ok(input)
}

/// Returns the folder, the files of weights in it, and their index.
fn files(path: &Path) -> Result<(PathBuf, Vec<String>, Option<Index>)> {
    if !path.is_dir() {
        let folder = path.parent().map(Path::to_path_buf).unwrap_or_default();
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        if let Some(index) = name.ends_with(".index.json").then_some(&name) {
            return indexed(&folder, index);
        }
        return Ok((folder, vec![name], None));
    }
    if let Some(index) = INDICES.into_iter().find(|name| path.join(name).exists()) {
        return indexed(path, index);
    }
    let known = FILES.into_iter().find(|name| path.join(name).exists()).map(String::from);
    let Some(file) = known.or_else(|| only_safetensors(path)) else {
        return Err(format!(
            "{} has none of {}, {}; name the file of weights itself",
            path.display(),
            FILES.join(", "),
            INDICES.join(", ")
        )
        .into());
    };
    Ok((path.to_path_buf(), vec![file], None))
}

/// Returns an error with its hints.
pub fn message(error: WeightsError) -> Failure {
    advised(&error, &error.hints())
}

fn indexed(folder: &Path, name: &str) -> Result<(PathBuf, Vec<String>, Option<Index>)> {
    let path = folder.join(name);
    let bytes = std::fs::read(&path).at(&path)?;
    let index = Index::from_json(name, &bytes).map_err(|error| at(folder, message(error)))?;
    Ok((folder.to_path_buf(), index.shards().into_iter().map(String::from).collect(), Some(index)))
}

/// Returns the one safetensors file of a folder, whatever its name.
fn only_safetensors(folder: &Path) -> Option<String> {
    let names = std::fs::read_dir(folder).ok()?.flatten().map(|file| file.file_name().to_string_lossy().into_owned());
    let mut names = names.filter(|name| name.ends_with(".safetensors"));
    names.next().filter(|_| names.next().is_none())
}

/// Removes second names of the same numbers that end in `embed_tokens.weight`, as safetensors of transformers do; two
/// other names are both kept.
fn leave_out_aliases(tensors: &mut Vec<Located>) -> Vec<String> {
    let is_alias = |tensor: &Located| tensor.info.name.ends_with(ALIAS);
    let mut holders: HashMap<(usize, u64, usize), String> = HashMap::new();
    // The first name that is not an alias, or else the first name, holds the numbers.
    let sorted =
        tensors.iter().filter(|tensor| !is_alias(tensor)).chain(tensors.iter().filter(|tensor| is_alias(tensor)));
    for Located { file, info } in sorted.filter(|tensor| tensor.info.bytes > 0) {
        holders.entry((*file, info.offset, info.bytes)).or_insert_with(|| info.name.clone());
    }
    let mut aliases = Vec::new();
    tensors.retain(|tensor| {
        let holder = holders.get(&(tensor.file, tensor.info.offset, tensor.info.bytes));
        let is_second = is_alias(tensor) && holder.is_some_and(|holder| *holder != tensor.info.name);
        if is_second {
            aliases.push(tensor.info.name.clone());
        }
        !is_second
    });
    aliases
}
