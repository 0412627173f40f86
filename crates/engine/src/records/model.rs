//! The record of a stored model, next to its files.
//!
//! A model from a hub has a record of its incoming files until these are complete and verified. If the model is stored
//! already, the new files lie next to those in use, which are replaced only then.

use serde::{Deserialize, Serialize};
use tuppum_protocol::{Origin, Task};
use tuppum_weights::FileEntry;

/// File name of the record of a complete model.
pub const RECORD: &str = "record.json";
/// File name of the record of a model, or a new version of it, that is being fetched.
pub const COMING: &str = "coming.json";
/// Suffix of a file while another one of the same name is still in use.
const NEXT: &str = ".next";

/// Record of a stored model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// Task that the model is used for.
    #[serde(default, rename = "craft")]
    pub task: Task,
    /// Origin of the model.
    pub origin: Origin,
    /// Time of storing, in milliseconds since 1970.
    pub added: f64,
    /// Number of parameters.
    pub parameters: u64,
    /// Files of the model, including missing ones.
    pub files: Vec<RecordedFile>,
}

/// Record of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordedFile {
    /// Name of the file.
    pub name: String,
    /// Length of the complete file.
    pub bytes: u64,
    /// Checksum (sha256) that the server promised.
    pub promised: Option<String>,
    /// Tag by which the server tells versions of the file apart.
    pub tag: Option<String>,
    /// Checksum (sha256) of the file, once it is complete and verified.
    pub sha256: Option<String>,
    /// Name under which the file is stored, if not its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
}

impl RecordedFile {
    /// Returns the name under which the file is stored in the folder.
    pub fn place(&self) -> &str {
        self.at.as_deref().unwrap_or(&self.name)
    }

    /// Returns `true` if both are the same version of the same file, as far as the server tells; a partial file may
    /// then be continued as the other.
    pub fn is_same(&self, other: &Self) -> bool {
        let known = |file: &Self| file.promised.clone().or_else(|| file.tag.clone());
        self.name == other.name && self.bytes == other.bytes && known(self).is_some() && known(self) == known(other)
    }

    /// Returns the file as a manifest entry, once it is complete.
    pub fn entry(&self) -> Option<FileEntry> {
        let sha256 = self.sha256.clone()?;
        Some(FileEntry { name: self.name.clone(), bytes: self.bytes, sha256 })
    }
}

impl Record {
    /// Reads a record; `None` if it is damaged.
    pub fn from_json(json: &[u8]) -> Option<Self> {
        serde_json::from_slice(json).ok()
    }

    /// Returns the names of all files in the folder that belong to the model, if this is the record of the complete
    /// model.
    pub fn names(&self) -> Vec<String> {
        self.files.iter().map(|file| file.place().to_owned()).chain([RECORD.to_owned()]).collect()
    }

    /// Returns the record of a file.
    pub fn file(&self, name: &str) -> Option<&RecordedFile> {
        self.files.iter().find(|file| file.name == name)
    }

    /// Records that a file is damaged, and returns the names under which it is stored.
    pub fn mark_damaged(&mut self, entry: &FileEntry) -> Vec<String> {
        let damaged = self.files.iter_mut().filter(|own| own.entry().as_ref() == Some(entry));
        let mark = |own: &mut RecordedFile| {
            own.sha256 = None;
            own.place().to_owned()
        };
        damaged.map(mark).collect()
    }
}

/// Records of a model's folder, at most two.
pub struct FolderRecords {
    /// Version that is in use.
    pub whole: Option<Record>,
    /// Version that is being fetched.
    pub coming: Option<Record>,
}

impl FolderRecords {
    /// Returns the record of the same version of this file, complete or partial, if there is one.
    pub fn same(&self, file: &RecordedFile) -> Option<&RecordedFile> {
        let both = self.whole.iter().chain(&self.coming);
        both.filter_map(|record| record.file(&file.name)).find(|old| old.is_same(file))
    }

    /// Returns another name under which to store a new file, if its own name is in use.
    pub fn free(&self, name: &str) -> Option<String> {
        let taken = self.whole.iter().flat_map(|record| &record.files).any(|file| file.place() == name);
        taken.then(|| format!("{name}{NEXT}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tuppum_protocol::Repository;

    fn file(name: &str, promised: Option<&str>, tag: Option<&str>) -> RecordedFile {
        let text = |text: Option<&str>| text.map(str::to_owned);
        RecordedFile {
            name: name.to_owned(),
            bytes: 10,
            promised: text(promised),
            tag: text(tag),
            sha256: None,
            at: None,
        }
    }

    fn record(files: Vec<RecordedFile>) -> Record {
        let origin = Origin::Hub(Repository::typed("", "google/byt5-small", "").unwrap());
        Record { task: Task::Translation, origin, added: 1.5e12, parameters: 3, files }
    }

    #[test]
    fn a_record_is_the_same_after_writing_and_reading() {
        let complete =
            RecordedFile { sha256: Some("ab".into()), at: Some("a.next".into()), ..file("a", Some("ab"), None) };
        let record = record(vec![complete, file("b", None, Some("\"1\""))]);
        let json = serde_json::to_vec(&record).unwrap();
        assert_eq!(Record::from_json(&json), Some(record));
    }

    #[test]
    fn a_record_of_an_early_version_is_one_of_a_translator() {
        let json = br#"{"origin":"Files","added":1.0,"parameters":2,"files":
            [{"name":"config.json","bytes":5,"promised":null,"tag":null,"sha256":"ab"}]}"#;
        let record = Record::from_json(json).unwrap();
        assert_eq!((record.task, record.files[0].place()), (Task::Translation, "config.json"));
    }

    #[test]
    fn a_damaged_record_is_none() {
        let json = serde_json::to_vec(&record(vec![file("a", None, None)])).unwrap();
        assert!(Record::from_json(&json).is_some());
        for broken in [&json[..json.len() - 1], b"", b"{}", b"\xff\xfe"] {
            assert_eq!(Record::from_json(broken), None);
        }
    }

    #[test]
    fn versions_are_the_same_by_checksum_or_tag() {
        let cases = [
            (file("a", Some("1"), None), file("a", Some("1"), None), true),
            (file("a", None, Some("t")), file("a", None, Some("t")), true),
            (file("a", Some("1"), Some("t")), file("a", Some("2"), Some("t")), false),
            (file("a", None, Some("t")), file("a", None, Some("u")), false),
            (file("a", Some("1"), None), file("b", Some("1"), None), false),
            (file("a", Some("1"), None), RecordedFile { bytes: 11, ..file("a", Some("1"), None) }, false),
            // a server that says nothing may have another file by now
            (file("a", None, None), file("a", None, None), false),
        ];
        for (one, other, same) in cases {
            assert_eq!(one.is_same(&other), same, "{one:?} {other:?}");
        }
    }

    #[test]
    fn only_a_complete_file_is_an_entry() {
        let partial = file("a", Some("ab"), None);
        assert_eq!(partial.entry(), None);
        let complete = RecordedFile { sha256: Some("ab".into()), ..partial };
        assert_eq!(complete.entry(), Some(FileEntry { name: "a".into(), bytes: 10, sha256: "ab".into() }));
    }

    #[test]
    fn a_damaged_file_is_to_be_fetched_again() {
        let complete = |name: &str| RecordedFile { sha256: Some(name.into()), ..file(name, None, None) };
        let mut record = record(vec![complete("a"), RecordedFile { at: Some("b.next".into()), ..complete("b") }]);
        let entry = record.files[1].entry().unwrap();
        assert_eq!(record.mark_damaged(&entry), ["b.next"]);
        assert_eq!(record.file("b").unwrap().sha256, None);
        assert!(record.file("a").unwrap().entry().is_some(), "the other file stays complete");
        assert!(record.mark_damaged(&entry).is_empty(), "no file is this one any more");
    }

    #[test]
    fn a_new_version_does_not_touch_the_files_in_use() {
        let here = FolderRecords { whole: Some(record(vec![file("a", Some("1"), None)])), coming: None };
        assert_eq!(here.free("a").as_deref(), Some("a.next"));
        assert_eq!(here.free("b"), None);
        let updated = RecordedFile { at: Some("a.next".into()), ..file("a", Some("2"), None) };
        let here = FolderRecords { whole: Some(record(vec![updated])), coming: None };
        assert_eq!(here.free("a"), None, "the own name is free again");
    }

    #[test]
    fn bytes_of_the_same_version_are_found_in_both_records() {
        let whole = record(vec![file("a", Some("1"), None)]);
        let coming = record(vec![file("a", Some("2"), None), file("b", Some("3"), None)]);
        let here = FolderRecords { whole: Some(whole.clone()), coming: Some(coming.clone()) };
        assert_eq!(here.same(&file("a", Some("1"), None)), whole.file("a"));
        assert_eq!(here.same(&file("a", Some("2"), None)), coming.file("a"));
        assert_eq!(here.same(&file("b", Some("4"), None)), None);
    }

    #[test]
    fn the_files_of_a_model_include_its_record() {
        let moved = RecordedFile { at: Some("a.next".into()), ..file("a", None, None) };
        assert_eq!(record(vec![moved, file("b", None, None)]).names(), ["a.next", "b", RECORD]);
    }
}
