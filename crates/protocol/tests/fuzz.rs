//! Mutated messages between page and worker, and mutated names of models.

use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fmt::Debug;
use tuppum_protocol::{
    AblationEvent, AttentionEvent, CorpusEvent, FindingEvent, Message, ModelRef, PassageEvent, Reply, RestorationEvent,
    StorageEvent, ToEngine, TrainingEvent, TranslationEvent, TreeEvent, WordEvent,
};
use tuppum_testing::fuzz::{Counting, Target};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

const SEEDS: [&str; 12] = [
    r#"{"id":1,"request":{"Storage":"ListModels"}}"#,
    r#"{"id":2,"request":{"Cancel":1}}"#,
    r#"{"id":3,"request":{"Corpus":{"Parallels":{"text":"a-na","reading":{"convention":null,"bare_numbers_are_numerals":
        false},"lines":{"start":0,"end":1},"most":5}}}}"#,
    r#"{"id":4,"request":{"Model":{"OpenRestorer":{"model":"models/restorer/","device":"Best","store":true}}}}"#,
    r#"{"id":5,"request":{"Model":{"Restore":{"text":"a-na x","choices":[],"filled":[]}}}}"#,
    r#""Ready""#,
    r#"{"Event":{"id":4294967295,"event":{"Influence":[[0,1.0],[7,0.5]]}}}"#,
    r#"{"Event":{"id":1,"event":{"Checkpoint":300}}}"#,
    r#"{"Event":{"id":4294967295,"event":"Done"}}"#,
    r#"{"Event":{"id":2,"event":{"Progress":{"phase":"Download","done":5000000000,"total":0}}}}"#,
    r#"{"Event":{"id":3,"event":{"Failed":{"kind":"Network","message":"no","hints":["try"],"details":""}}}}"#,
    r#"{"Broken":"memory"}"#,
];

/// Asserts that every input that can be read is unchanged after writing and reading it again.
fn comes_through<T: Serialize + DeserializeOwned + PartialEq + Debug>(input: &[u8]) {
    if let Ok(read) = serde_json::from_slice::<T>(input) {
        let again = serde_json::to_vec(&read).ok().and_then(|json| serde_json::from_slice(&json).ok());
        assert_eq!(again.as_ref(), Some(&read));
    }
}

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
        comes_through::<ToEngine>(input);
        comes_through::<Message<Reply<()>>>(input);
        comes_through::<Message<RestorationEvent>>(input);
        comes_through::<Message<TranslationEvent>>(input);
        comes_through::<Message<AttentionEvent>>(input);
        comes_through::<Message<TreeEvent>>(input);
        comes_through::<Message<CorpusEvent>>(input);
        comes_through::<Message<FindingEvent>>(input);
        comes_through::<Message<PassageEvent>>(input);
        comes_through::<Message<WordEvent>>(input);
        comes_through::<Message<StorageEvent>>(input);
        comes_through::<Message<TrainingEvent>>(input);
        comes_through::<Message<AblationEvent>>(input);
        let text = std::str::from_utf8(input).unwrap_or_default();
        let model = ModelRef::from(text.to_owned());
        assert_eq!(ModelRef::from(model.to_string()), model, "a model's name means the same again");
        if let Some(linked) = ModelRef::from_link(text) {
            let name = linked.to_string();
            assert!(!name.contains("..") && !name.contains("://"), "a link names no other place: `{name}`");
        }
    });
}
