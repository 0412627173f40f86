//! A hub's answers about its files: the list of a repository, a checksum in the place of an entity tag, the range of an
//! answer.

use serde::Deserialize;

/// File in a repository.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// Name of the file.
    pub name: String,
    /// Length of the file.
    pub bytes: u64,
    /// Checksum (sha256), which hubs give for large files.
    pub sha256: Option<String>,
}

/// Returns the files in the answer to `{hub}/api/models/{id}/tree/{revision}`.
///
/// # Errors
/// Errors of the JSON reader.
pub fn listing(json: &[u8]) -> serde_json::Result<Vec<Listed>> {
    #[derive(Deserialize)]
    struct Entry {
        path: String,
        #[serde(default)]
        size: u64,
        #[serde(rename = "type")]
        kind: String,
        lfs: Option<Large>,
    }
    #[derive(Deserialize)]
    struct Large {
        oid: String,
        size: u64,
    }
    let entries: Vec<Entry> = serde_json::from_slice(json)?;
    let listed = |entry: Entry| {
        let sha256 = entry.lfs.as_ref().and_then(|large| checksum(&large.oid));
        Listed { name: entry.path, bytes: entry.lfs.map_or(entry.size, |large| large.size), sha256 }
    };
    Ok(entries.into_iter().filter(|entry| entry.kind == "file").map(listed).collect())
}

/// Returns the sha256 in an entity tag (`"…64 digits…"`), as hubs tag large files; `None` for a tag of another kind.
pub fn checksum(tag: &str) -> Option<String> {
    let digits = tag.trim().trim_start_matches("W/").trim_matches('"').to_ascii_lowercase();
    (digits.len() == 64 && digits.bytes().all(|digit| digit.is_ascii_hexdigit())).then_some(digits)
}

/// Returns the first byte and the length of the whole file from `Content-Range: bytes 0-99/1234`.
pub fn content_range(header: &str) -> Option<(u64, u64)> {
    let (range, whole) = header.trim().strip_prefix("bytes ")?.split_once('/')?;
    Some((range.split_once('-')?.0.trim().parse().ok()?, whole.trim().parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_repository_is_listed() {
        let sum = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        let json = format!(
            r#"[{{"type":"directory","oid":"1","size":0,"path":"onnx"}},
            {{"type":"file","oid":"2","size":566,"path":"config.json"}},
            {{"type":"file","oid":"3","size":135,"lfs":{{"oid":"{sum}","size":1200000000,"pointerSize":135}},
            "path":"model.safetensors"}}]"#
        );
        let listed = listing(json.as_bytes()).unwrap();
        assert_eq!(listed.len(), 2);
        assert_eq!(listed[0], Listed { name: "config.json".into(), bytes: 566, sha256: None });
        assert_eq!(
            listed[1],
            Listed { name: "model.safetensors".into(), bytes: 1_200_000_000, sha256: Some(sum.into()) }
        );
        assert!(listing(br#"{"error":"not found"}"#).is_err());
        assert_eq!(checksum(&format!("\"{}\"", sum.to_uppercase())), Some(sum.into()));
        assert_eq!(checksum("\"65a1-5f\""), None);
    }

    #[test]
    fn ranges_of_answers() {
        assert_eq!(content_range("bytes 100-199/1234"), Some((100, 1234)));
        for nonsense in ["", "bytes */1234", "bytes 100-199/*", "100-199/1234"] {
            assert_eq!(content_range(nonsense), None, "{nonsense}");
        }
    }
}
