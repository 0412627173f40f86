//! Input of the command line: a transliteration, or a question as JSON.

use crate::failure::{About, Result};
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::io::{ErrorKind, Read};
use std::path::Path;
use tuppum_domain::restoration::Question;

/// Reads a file, or standard input for `-`.
///
/// # Errors
/// A sentence that names the file: it cannot be read, or it is no text.
pub fn read(path: &Path) -> Result<String> {
    let name = name(path);
    let mut bytes = Vec::new();
    let read = if path.as_os_str() == "-" {
        std::io::stdin().lock().read_to_end(&mut bytes).map(|_| ())
    } else {
        std::fs::read(path).map(|found| bytes = found)
    };
    read.map_err(|error| format!("{name} cannot be read: {error}"))?;
    String::from_utf8(bytes).map_err(|error| {
        let place = error.utf8_error().valid_up_to();
        format!(
            "{name} is no text: byte {place} is not UTF-8. Give a plain text file; if it is one in an older encoding, \
             convert it to UTF-8 first."
        )
        .into()
    })
}

/// Returns the bytes of a file, or none if there is no such file.
///
/// # Errors
/// The file is there and cannot be read.
pub fn optional(path: &Path) -> Result<Option<Vec<u8>>> {
    match std::fs::read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error).at(path),
    }
}

/// Returns the given transliteration, or reads it from a file.
///
/// # Errors
/// Those of [`read`].
pub fn transliteration(text: Option<&str>, file: &Path) -> Result<String> {
    text.map_or_else(|| read(file), |text| Ok(text.to_owned()))
}

/// Name of the input in messages.
pub fn name(path: &Path) -> String {
    if path.as_os_str() == "-" { "standard input".into() } else { path.display().to_string() }
}

/// Reads a question: JSON if the text looks like a JSON object, a transliteration otherwise.
///
/// # Errors
/// A sentence that says what is wrong with the JSON.
pub fn question(input: &str) -> Result<Question> {
    let inside = input.trim_start().strip_prefix('{').map(str::trim_start);
    // `{d}UTU` begins a transliteration, `{"text"` a question.
    if !inside.is_some_and(|inside| inside.starts_with(['"', '}'])) {
        return Ok(Question::about(input));
    }
    let given: Value =
        serde_json::from_str(input).map_err(|error| format!("the question is no valid JSON: {error}"))?;
    let mut whole = serde_json::to_value(Question::about(""))?;
    let fields: Vec<String> = whole.as_object().map(|fields| fields.keys().cloned().collect()).unwrap_or_default();
    for (field, value) in given.as_object().into_iter().flatten() {
        match whole.get_mut(field) {
            Some(place) => *place = value.clone(),
            None => {
                return Err(format!("the question has no field {field:?}; its fields are {}", fields.join(", ")).into());
            }
        }
    }
    serde_json::from_value(whole).map_err(|error| format!("the question cannot be read: {error}").into())
}

/// Reads settings from a JSON file; the usual settings if no file is given.
///
/// # Errors
/// What is wrong with the file.
pub fn settings<T: DeserializeOwned + Default>(path: Option<&Path>) -> Result<T> {
    let Some(path) = path else { return Ok(T::default()) };
    let json = std::fs::read(path).at(path)?;
    serde_json::from_slice(&json).map_err(|error| format!("{} has no settings: {error}", path.display()).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_a_text_and_json_is_a_question() {
        assert_eq!(question("{d}UTU x").unwrap(), Question::about("{d}UTU x"));
        assert_eq!(question(" {\"text\": \"a x\"}").unwrap(), Question::about("a x"));
        let narrow = Question { beam: 2, ..Question::about("a x") };
        assert_eq!(question("{\"text\": \"a x\", \"beam\": 2}").unwrap(), narrow);
    }

    #[test]
    fn a_wrong_question_says_what_is_wrong() {
        let check = |input: &str, expected: &str| {
            let message = question(input).unwrap_err().to_string();
            assert!(message.contains(expected), "{input}: {message}");
        };
        check("{\"text\": ", "no valid JSON");
        check("{\"texts\": \"a\"}", "no field \"texts\"; its fields are");
        check("{\"beam\": \"wide\"}", "cannot be read");
    }
}
