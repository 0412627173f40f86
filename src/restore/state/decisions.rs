//! Decisions about a text as a link carries them: signs treated as broken, accepted readings, the way of reading.

use crate::kit::storage;
use crate::restore::state::work::Work;
use serde_json::{Map, Value};
use tuppum_text::Document;

/// Fields of the work that have their own parameters in an address.
const ADDRESS_PARAMETERS: [&str; 6] = ["text", "period", "beam", "top", "longest", "contexts"];

/// Writes the decisions of a work as JSON, without its text; `None` if nothing was decided.
pub fn written(work: &Work) -> Option<String> {
    // Plain data with string keys always serialises.
    let value = |work: &Work| serde_json::to_value(work).unwrap_or_default();
    let untouched = value(&Work::default());
    let Value::Object(all) = value(work) else { return None };
    let is_decided = |(name, value): &(String, Value)| {
        !ADDRESS_PARAMETERS.contains(&name.as_str()) && untouched.get(name) != Some(value)
    };
    let decided: Map<String, Value> = all.into_iter().filter(is_decided).collect();
    (!decided.is_empty()).then(|| Value::Object(decided).to_string())
}

/// Reads decisions for a text. Unreadable decisions count as none; decisions about signs that the text lacks are
/// dropped.
pub fn read(written: &str, text: String) -> Work {
    let decided: Work = storage::read_json(written).unwrap_or_default();
    let signs = Document::read_with(&text, &decided.reading).signs().count();
    let mut work = Work { text, ..decided };
    work.chosen.retain(|sign| *sign < signs);
    work.left_alone.retain(|sign| *sign < signs);
    work.choices.retain(|choice| choice.sign < signs);
    work.accepted.retain(|accepted| accepted.sign < signs && !accepted.readings.is_empty());
    work
}

/// Returns `true` if all decisions can be read for this text.
pub fn are_whole(written: &str, text: &str) -> bool {
    let kept = |decided: Work| read(written, text.to_owned()) == Work { text: text.to_owned(), ..decided };
    written.is_empty() || storage::read_json::<Work>(written).is_some_and(kept)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::restore::state::work::{Accepted, AcceptedReading};

    fn decided() -> Work {
        let mut work = Work::on("a-na x be-x");
        let reading = AcceptedReading {
            reading: "LUGAL".into(),
            written: "LUGAL".into(),
            glyph: "𒈗".into(),
            starts_word: true,
            probability: 0.5,
        };
        work.accept(Accepted { sign: 2, readings: vec![reading], model: None });
        work.left_alone = vec![4];
        work.reading.bare_numbers_are_numerals = true;
        work
    }

    #[test]
    fn decisions_come_back() {
        let work = decided();
        let written = written(&work).expect("much was decided");
        assert!(!written.contains("a-na"), "{written}");
        assert_eq!(read(&written, work.text.clone()), work);
        assert!(are_whole(&written, &work.text) && are_whole("", "x"));
        assert!(!are_whole(&written, "a-na"), "a sign with a reading is not there");
        assert!(!are_whole(&written[..written.len() - 1], &work.text), "cut on the way");
        assert_eq!(super::written(&Work { beam: 7, ..Work::on("x") }), None);
    }

    #[test]
    fn nonsense_decides_nothing() {
        for written in
            ["", "{", "[]", "{\"accepted\":3}", "{\"chosen\":[9]}", "{\"accepted\":[{\"sign\":0,\"readings\":[]}]}"]
        {
            assert_eq!(read(written, "x".into()), Work::on("x"), "{written}");
        }
    }
}
