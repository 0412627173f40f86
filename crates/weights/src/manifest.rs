//! The manifest of a model folder: its files with lengths and checksums.

use super::error::WeightsError;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// Manifest of a model folder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// Purpose of the model (`restorer`).
    pub model: String,
    /// Version of the folder's layout; 1.
    pub format: u32,
    /// Files of the model.
    pub files: Vec<FileEntry>,
}

/// File of a model folder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileEntry {
    /// Name of the file, without folders.
    pub name: String,
    /// Length of the file in bytes.
    pub bytes: u64,
    /// Checksum (sha256) in lower-case hexadecimal digits.
    pub sha256: String,
}

/// Version of the folder's layout that this program understands.
const FORMAT: u32 = 1;

impl Manifest {
    /// Creates the manifest of a restorer with these files.
    pub fn of_restorer(files: Vec<FileEntry>) -> Self {
        Self { model: "restorer".to_owned(), format: FORMAT, files }
    }

    /// Creates the manifest of a pack of attested texts with these files.
    pub fn of_corpus(files: Vec<FileEntry>) -> Self {
        Self { model: "corpus".to_owned(), format: FORMAT, files }
    }

    /// Reads the manifest in a `manifest.json`.
    ///
    /// # Errors
    /// [`WeightsError::Folder`] when it is malformed, of another layout, or names a file outside its folder.
    pub fn from_json(json: &[u8]) -> Result<Self, WeightsError> {
        let refuse = |problem: String| WeightsError::folder("manifest.json", problem);
        let manifest: Self = serde_json::from_slice(json).map_err(|error| refuse(error.to_string()))?;
        if manifest.format != FORMAT {
            return Err(refuse(format!("its format is {}; this version reads {FORMAT}", manifest.format)));
        }
        if let Some(file) = manifest.files.iter().find(|file| !is_plain(&file.name)) {
            return Err(refuse(format!("it names {:?}, which is no plain file name", file.name)));
        }
        Ok(manifest)
    }

    /// Returns the file with this name.
    ///
    /// # Errors
    /// [`WeightsError::Folder`] when there is none.
    pub fn file(&self, name: &str) -> Result<&FileEntry, WeightsError> {
        self.files
            .iter()
            .find(|file| file.name == name)
            .ok_or_else(|| WeightsError::folder("manifest.json", format!("it does not name {name}")))
    }
}

/// Returns `true` if a name stays in its folder.
pub(super) fn is_plain(name: &str) -> bool {
    !name.is_empty() && name != "." && name != ".." && !name.contains(['/', '\\', ':', '\0'])
}

impl FileEntry {
    /// Checks that these are the file's bytes.
    ///
    /// # Errors
    /// [`WeightsError::Length`] or [`WeightsError::Altered`].
    pub fn verify(&self, bytes: &[u8]) -> Result<(), WeightsError> {
        let mut checksum = Checksum::default();
        checksum.add(bytes);
        checksum.verify(self)
    }
}

/// Checksum (sha256) that is computed as the bytes arrive.
#[derive(Clone, Debug, Default)]
pub struct Checksum {
    sha256: Sha256,
    bytes: u64,
}

impl Checksum {
    /// Adds the next bytes.
    pub fn add(&mut self, bytes: &[u8]) {
        self.sha256.update(bytes);
        self.bytes += bytes.len() as u64;
    }

    /// Returns the sha256 of the bytes so far, in lower-case hexadecimal digits.
    pub fn digits(self) -> String {
        self.sha256.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// Returns the entry of a file with this name and the bytes so far.
    pub fn entry(self, name: &str) -> FileEntry {
        let bytes = self.bytes;
        FileEntry { name: name.to_owned(), bytes, sha256: self.digits() }
    }

    /// Checks that the bytes so far are those of this file.
    ///
    /// # Errors
    /// [`WeightsError::Length`] or [`WeightsError::Altered`].
    pub fn verify(self, file: &FileEntry) -> Result<(), WeightsError> {
        if self.bytes != file.bytes {
            return Err(WeightsError::Length { file: file.name.clone(), found: self.bytes, expected: file.bytes });
        }
        let found = self.digits();
        if found != file.sha256 {
            return Err(WeightsError::Altered { file: file.name.clone(), found, expected: file.sha256.clone() });
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ABC: &str = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

    #[test]
    fn a_file_is_recognised_by_length_and_checksum() {
        let file = FileEntry { name: "a".into(), bytes: 3, sha256: ABC.into() };
        assert_eq!(file.verify(b"abc"), Ok(()));
        assert!(matches!(file.verify(b"abd"), Err(WeightsError::Altered { .. })));
        assert!(matches!(file.verify(b"ab"), Err(WeightsError::Length { found: 2, expected: 3, .. })));
    }

    #[test]
    fn a_manifest_stays_in_its_folder() {
        let json = |name: &str| {
            format!(r#"{{"model":"m","format":1,"files":[{{"name":"{name}","bytes":3,"sha256":"{ABC}"}}]}}"#)
        };
        assert!(Manifest::from_json(json("a").as_bytes()).is_ok());
        for name in ["", "..", "../a", "/a", "c:a"] {
            let error = Manifest::from_json(json(name).as_bytes()).unwrap_err().to_string();
            assert!(error.contains("no plain file name"), "{name}: {error}");
        }
        let other = json("a").replace("\"format\":1", "\"format\":2");
        assert!(Manifest::from_json(other.as_bytes()).unwrap_err().to_string().contains("format is 2"));
    }
}
