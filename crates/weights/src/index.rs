//! `model.safetensors.index.json`: which file of a model in several files (shards) holds which tensor.
//!
//! `pytorch_model.bin.index.json` of Hugging Face's transformers has the same layout.

use super::error::WeightsError;
use super::manifest::is_plain;
use super::safetensors::TensorInfo;
use serde::de::{Deserializer, Error as _, MapAccess, Visitor};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fmt;

/// Length of the longest index accepted; the index of a model of a thousand tensors has 100 kB.
pub const LONGEST_INDEX: u64 = 8 << 20;

/// Index of a model in several files.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Index {
    /// Notes of transformers about the whole model.
    #[serde(default)]
    pub metadata: IndexMetadata,
    /// Names of files by name of tensor.
    #[serde(deserialize_with = "without_doubles")]
    pub weight_map: BTreeMap<String, String>,
}

/// Notes about the whole model.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct IndexMetadata {
    /// Number of bytes of all tensors. Only a hint for progress and memory: published indices count shared tensors once
    /// or twice, and some kept the figure of another precision.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub total_size: Option<u64>,
}

impl Index {
    /// Reads the index in the JSON of `file`.
    ///
    /// # Errors
    /// [`WeightsError::Folder`] when it is too long or malformed, names no tensor, one twice, or a file outside its
    /// folder.
    pub fn from_json(file: &str, json: &[u8]) -> Result<Self, WeightsError> {
        let refuse = |problem: String| WeightsError::folder(file, problem);
        if json.len() as u64 > LONGEST_INDEX {
            return Err(refuse(format!("it has {} bytes; an index has at most {LONGEST_INDEX}", json.len())));
        }
        let index: Self = serde_json::from_slice(json).map_err(|error| refuse(error.to_string()))?;
        if let Some(shard) = index.weight_map.values().find(|shard| !is_plain(shard)) {
            return Err(refuse(format!("it names {shard:?}, which is no plain file name")));
        }
        if index.weight_map.is_empty() {
            return Err(refuse("it names no tensor".into()));
        }
        Ok(index)
    }

    /// Returns the distinct names of the files in alphabetical order.
    pub fn shards(&self) -> BTreeSet<&str> {
        self.weight_map.values().map(String::as_str).collect()
    }

    /// Checks that a file holds exactly the tensors that the index assigns to it.
    ///
    /// # Errors
    /// [`WeightsError::Tensor`] names the tensor that is missing or not expected.
    pub fn check(&self, shard: &str, tensors: &[TensorInfo]) -> Result<(), WeightsError> {
        let held: HashSet<&str> = tensors.iter().map(|tensor| tensor.name.as_str()).collect();
        let missing = self.weight_map.iter().find(|(name, file)| *file == shard && !held.contains(name.as_str()));
        if let Some((name, _)) = missing {
            return Err(WeightsError::tensor(name, format!("is missing from {shard}, where the index says it is")));
        }
        for tensor in tensors {
            let name = &tensor.name;
            match self.weight_map.get(name) {
                Some(file) if file == shard => {}
                Some(file) => {
                    return Err(WeightsError::tensor(name, format!("is in {shard}; the index says it is in {file}")));
                }
                None => return Err(WeightsError::tensor(name, format!("is in {shard}, but not in the index"))),
            }
        }
        Ok(())
    }
}

/// Reads a map and rejects duplicate names; a map type would silently keep one of two entries.
fn without_doubles<'de, D: Deserializer<'de>>(from: D) -> Result<BTreeMap<String, String>, D::Error> {
    struct Seen;
    impl<'de> Visitor<'de> for Seen {
        type Value = BTreeMap<String, String>;

        fn expecting(&self, out: &mut fmt::Formatter) -> fmt::Result {
            write!(out, "an object of names of tensors and files")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
            let mut found = BTreeMap::new();
            while let Some((name, file)) = map.next_entry::<String, String>()? {
                if found.contains_key(&name) {
                    return Err(A::Error::custom(format!("it names tensor {name} twice")));
                }
                found.insert(name, file);
            }
            Ok(found)
        }
    }
    from.deserialize_map(Seen)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::safetensors::Dtype;

    const JSON: &str = concat!(
        r#"{"metadata":{"total_size":12,"other":"x"},"weight_map":{"#,
        r#""b":"two.safetensors","a":"one.safetensors","c":"two.safetensors"}}"#,
    );

    fn tensors(names: &[&str]) -> Vec<TensorInfo> {
        let info =
            |name: &&str| TensorInfo { name: name.to_string(), dtype: Dtype::F32, shape: vec![1], offset: 0, bytes: 4 };
        names.iter().map(info).collect()
    }

    #[test]
    fn files_hold_what_the_index_says() {
        let index = Index::from_json("index.json", JSON.as_bytes()).unwrap();
        assert_eq!(index.shards().into_iter().collect::<Vec<_>>(), ["one.safetensors", "two.safetensors"]);
        assert_eq!(index.metadata.total_size, Some(12));
        assert_eq!(index.check("two.safetensors", &tensors(&["c", "b"])), Ok(()));
        let message = |shard, names: &[&str]| index.check(shard, &tensors(names)).unwrap_err().to_string();
        assert!(message("two.safetensors", &["b"]).contains("tensor c is missing from two.safetensors"));
        assert!(
            message("one.safetensors", &["a", "b"])
                .contains("tensor b is in one.safetensors; the index says it is in two")
        );
        assert!(
            message("one.safetensors", &["a", "d"]).contains("tensor d is in one.safetensors, but not in the index")
        );
    }

    #[test]
    fn malformed_indices_are_refused() {
        let message = |json: &str| Index::from_json("index.json", json.as_bytes()).unwrap_err().to_string();
        assert!(message("{").starts_with("index.json cannot be used: EOF"));
        assert!(message("{}").contains("weight_map"));
        assert!(message(r#"{"weight_map":[]}"#).contains("an object of names"));
        assert!(message(r#"{"weight_map":{}}"#).contains("names no tensor"));
        assert!(message(r#"{"weight_map":{"a":"b","a":"c"}}"#).contains("names tensor a twice"));
        assert!(message(r#"{"weight_map":{"a":"../b"}}"#).contains("no plain file name"));
        assert!(message(r#"{"weight_map":{"a":"http://b"}}"#).contains("no plain file name"));
        assert!(message(&" ".repeat(LONGEST_INDEX as usize + 1)).contains("at most"));
    }
}
