//! Mutated messages between page and worker, and mutated names of models.

use tuppum_protocol::{Message, ModelRef, ToEngine};
use tuppum_testing::fuzz::{Counting, Target};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

const SEEDS: [&str; 8] = [
    r#"{"id":1,"request":{"Storage":"ListModels"}}"#,
    r#"{"id":2,"request":{"Cancel":1}}"#,
    r#"{"id":3,"request":{"Corpus":{"Parallels":{"text":"a-na","reading":{"convention":null,"bare_numbers_are_numerals":
        false},"lines":{"start":0,"end":1},"most":5}}}}"#,
    r#"{"id":4,"request":{"Model":{"OpenRestorer":{"model":"models/restorer/","device":"Best","store":true}}}}"#,
    r#"{"id":5,"request":{"Model":{"Restore":{"text":"a-na x","choices":[],"filled":[]}}}}"#,
    r#""Ready""#,
    r#"{"Event":{"id":4294967295,"event":"Done"}}"#,
    r#"{"Broken":"memory"}"#,
];

#[test]
fn fuzz_messages() {
    let words = [
        "\"",
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        "null",
        "-1",
        "1e999",
        "4294967296",
        "kept:",
        "new:small",
        "../",
        "\\u0000",
    ];
    let target = Target::text("messages").seeds(SEEDS).words(words).memory(64 << 10, 200);
    target.run(|input| {
        if let Ok(message) = serde_json::from_slice::<ToEngine>(input) {
            let again = serde_json::to_vec(&message).ok().and_then(|json| serde_json::from_slice(&json).ok());
            assert_eq!(again.as_ref(), Some(&message), "a request comes through");
        }
        if let Ok(message) = serde_json::from_slice::<Message>(input) {
            let again = serde_json::to_vec(&message).ok().and_then(|json| serde_json::from_slice(&json).ok());
            assert_eq!(again.as_ref(), Some(&message), "a message comes through");
        }
        let text = std::str::from_utf8(input).unwrap_or_default();
        let model = ModelRef::from(text.to_owned());
        assert_eq!(ModelRef::from(model.to_string()), model, "a model's name means the same again");
        if let Some(linked) = ModelRef::from_link(text) {
            let name = linked.to_string();
            assert!(!name.contains("..") && !name.contains("://"), "a link names no other place: `{name}`");
        }
    });
}
