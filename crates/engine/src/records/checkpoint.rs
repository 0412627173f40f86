//! The record of a checkpoint: which of a run's two checkpoints is the newest, what the run needs to continue, and when
//! to write the next one.

use crate::errors;
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;
use tuppum_protocol::{Failure, ModelRef, RestorersCompared, Sample, StoredRun, Task};

/// Names of the two checkpoints, without extensions.
pub const PLACES: [&str; 2] = ["a", "b"];
/// Minimum milliseconds between two checkpoints.
pub const SHORTEST_PAUSE: f64 = 8_000.0;
/// Maximum milliseconds between two checkpoints, unless writing one is slow itself.
const LONGEST_PAUSE: f64 = 180_000.0;
/// Factor by which the wait grows after each checkpoint.
const PAUSE_GROWTH: f64 = 1.5;
/// Minimum time between two checkpoints, as a multiple of the time that the last one took: writing a large model takes
/// seconds.
const PAUSE_PER_WRITING: f64 = 20.0;

/// Record of a checkpoint.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CheckpointRecord {
    /// Number of steps made.
    pub step: u32,
    /// Number of steps of the whole run.
    pub of: u32,
    /// Task that the run trains for.
    #[serde(default, rename = "craft")]
    pub task: Task,
    /// Model that is trained further.
    pub base: ModelRef,
    /// Checksum of the weights of the base, if it has one.
    #[serde(default)]
    pub base_checksum: Option<String>,
    /// Numbers of pairs (of a restorer: texts) trained on and held out.
    pub pairs: [usize; 2],
    /// Length of the checkpoint.
    pub bytes: u64,
    /// Time of writing, in milliseconds since 1970.
    pub written: f64,
    /// Sample translations, before training and now.
    pub samples: Vec<Sample>,
    /// Comparison of a finished restorer with its base.
    #[serde(default)]
    pub restorers: Option<RestorersCompared>,
    /// `true` if the run trains adapters or the bias alone and so needs its base to continue.
    #[serde(default, rename = "additions")]
    pub needs_base: bool,
}

impl CheckpointRecord {
    /// Returns the base that the run started from.
    pub fn begun_with(&self) -> NeededBase {
        NeededBase { base: self.base.clone(), checksum: self.base_checksum.clone() }
    }

    /// Describes the run for the page.
    pub fn describe(&self, name: &str) -> StoredRun {
        StoredRun {
            name: name.to_owned(),
            task: self.task,
            base: Some(self.base.clone()),
            step: Some(self.step),
            of: self.of,
            pairs: self.pairs,
            bytes: self.bytes,
            written: self.written,
        }
    }
}

/// Base that a run started from.
#[derive(Clone, Debug, PartialEq)]
pub struct NeededBase {
    /// The base model.
    pub base: ModelRef,
    /// Checksum of the base's weights; `None` for a new model and in runs of an early version.
    pub checksum: Option<String>,
}

impl NeededBase {
    /// Checks that a model with this checksum is the base.
    ///
    /// # Errors
    /// It is another model.
    pub fn check(&self, run: &str, checksum: Option<&str>) -> Result<(), Failure> {
        match (self.checksum.as_deref(), checksum) {
            (Some(then), Some(now)) if then != now => Err(errors::base_changed(run, &self.base)),
            _ => Ok(()),
        }
    }
}

/// Sorts the records of a run's checkpoints, each with its place. The one with more steps comes first; of two with
/// equally many the one written last.
pub fn sort_newest_first(found: &mut [(usize, CheckpointRecord)]) {
    found.sort_by(|(_, one), (_, other)| {
        (other.step, other.written).partial_cmp(&(one.step, one.written)).unwrap_or(Ordering::Equal)
    });
}

/// Returns the place of the next checkpoint: not that of the newest one.
pub fn next_place(sorted: &[(usize, CheckpointRecord)]) -> usize {
    sorted.first().map_or(0, |(newest, _)| 1 - newest)
}

/// Returns a note for the user, if a newer checkpoint than that of `step` was skipped because it is damaged.
pub fn skipped(damaged: &[(u32, String)], step: u32) -> Option<String> {
    damaged.first().map(|(newer, problem)| {
        format!("The checkpoint of step {newer} is damaged ({problem}); the run goes on from that of step {step}.")
    })
}

/// Returns the name of the checkpoint at a place.
pub fn weights_file(place: usize) -> String {
    format!("{}.checkpoint", PLACES[place % PLACES.len()])
}

/// Returns the name of the record at a place.
pub fn note_file(place: usize) -> String {
    format!("{}.json", PLACES[place % PLACES.len()])
}

/// Returns the milliseconds to wait after a checkpoint that took `took` milliseconds and came after a wait of `pause`.
/// A short run is saved soon and often, a long one seldom.
pub fn pause_after(pause: f64, took: f64) -> f64 {
    (PAUSE_GROWTH * pause).min(LONGEST_PAUSE).max(PAUSE_PER_WRITING * took)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn note(step: u32, written: f64) -> CheckpointRecord {
        CheckpointRecord {
            step,
            of: 100,
            task: Task::Restoration,
            base: ModelRef::stored("mine"),
            base_checksum: Some("ab".into()),
            pairs: [9, 1],
            bytes: 7,
            written,
            samples: Vec::new(),
            restorers: None,
            needs_base: true,
        }
    }

    #[test]
    fn pauses_grow_up_to_three_minutes() {
        let mut pauses = vec![SHORTEST_PAUSE];
        while pauses.len() < 12 {
            pauses.extend(pauses.last().map(|pause| pause_after(*pause, 0.0)));
        }
        assert_eq!(pauses[..4], [8_000.0, 12_000.0, 18_000.0, 27_000.0]);
        assert_eq!(pauses[11], 180_000.0);
    }

    #[test]
    fn a_slow_checkpoint_takes_a_twentieth_of_the_time_at_most() {
        for (pause, took, expected) in [
            (8_000.0, 500.0, 12_000.0),
            (8_000.0, 1_000.0, 20_000.0),
            (180_000.0, 5_000.0, 180_000.0),
            (180_000.0, 60_000.0, 1_200_000.0),
        ] {
            assert_eq!(pause_after(pause, took), expected, "{pause} {took}");
        }
        assert_eq!(pause_after(1_200_000.0, 10.0), 180_000.0, "after one slow checkpoint the pause is short again");
    }

    #[test]
    fn the_newest_checkpoint_has_most_steps_then_the_latest_time() {
        for (first, second, expected) in [
            (note(10, 1.0), note(20, 0.5), 1),
            (note(20, 0.5), note(10, 1.0), 0),
            (note(20, 1.0), note(20, 2.0), 1),
            (note(20, 2.0), note(20, 1.0), 0),
            (note(20, 1.0), note(20, 1.0), 0),
            (note(20, f64::NAN), note(10, 1.0), 0),
        ] {
            let mut found = vec![(0, first), (1, second)];
            sort_newest_first(&mut found);
            assert_eq!(found[0].0, expected, "{found:?}");
            assert_eq!(next_place(&found), 1 - expected, "the newest is not written over");
        }
        assert_eq!(next_place(&[]), 0);
    }

    #[test]
    fn a_skipped_checkpoint_is_reported() {
        assert_eq!(skipped(&[], 10), None);
        let skipped = skipped(&[(20, "its checksum is wrong".into()), (10, "gone".into())], 10);
        let expected =
            "The checkpoint of step 20 is damaged (its checksum is wrong); the run goes on from that of step 10.";
        assert_eq!(skipped.as_deref(), Some(expected));
    }

    #[test]
    fn the_two_places_have_files_of_their_own() {
        let names = [weights_file(0), weights_file(1), note_file(0), note_file(1)];
        assert_eq!(names, ["a.checkpoint", "b.checkpoint", "a.json", "b.json"]);
    }

    #[test]
    fn a_note_is_the_same_after_writing_and_reading() {
        let note = note(20, 1.0);
        assert_eq!(serde_json::from_slice::<CheckpointRecord>(&serde_json::to_vec(&note).unwrap()).unwrap(), note);
    }

    #[test]
    fn a_note_of_an_early_version_is_read() {
        let json =
            r#"{"step":3,"of":9,"base":"models/translator/","pairs":[4,1],"bytes":8,"written":2.0,"samples":[]}"#;
        let note: CheckpointRecord = serde_json::from_str(json).unwrap();
        assert_eq!((note.task, note.needs_base, note.begun_with().checksum), (Task::Translation, false, None));
    }

    #[test]
    fn a_run_continues_with_no_other_base() {
        let needed = |checksum: Option<&str>| NeededBase {
            base: ModelRef::stored("mine"),
            checksum: checksum.map(str::to_owned),
        };
        for (then, now, fits) in [
            (Some("ab"), Some("ab"), true),
            (Some("ab"), Some("cd"), false),
            // early versions noted no checksum, and a new model has none
            (None, Some("cd"), true),
            (Some("ab"), None, true),
        ] {
            assert_eq!(needed(then).check("run", now).is_ok(), fits, "{then:?} {now:?}");
        }
        let failure = needed(Some("ab")).check("my run", Some("cd")).unwrap_err();
        assert!(failure.message.contains("my run") && failure.message.contains("kept:mine"), "{}", failure.message);
    }

    #[test]
    fn a_run_is_described_with_its_newest_checkpoint() {
        let run = note(20, 1.0).describe("my run");
        assert_eq!((run.name.as_str(), run.step, run.of, run.pairs), ("my run", Some(20), 100, [9, 1]));
    }
}
