//! Failures, worded for the user: one constructor per cause.

mod device;
mod general;
mod model;
mod storage;

pub use self::device::*;
pub use self::general::*;
pub use self::model::*;
pub use self::storage::*;

#[cfg(test)]
mod tests {
    use super::*;
    use tuppum_domain::training::OptimiserRule;
    use tuppum_nn::byt5::ByT5Error;
    use tuppum_nn::torso::TorsoError;
    use tuppum_protocol::{Failure, FailureKind, ModelRef, Repository};
    use tuppum_train::TrainError;
    use tuppum_weights::{SourceError, WeightsError};

    fn repository() -> Repository {
        Repository::typed("", "google/byt5-small", "").unwrap()
    }

    fn refusal() -> StorageError {
        StorageError::Refused("QuotaExceededError".into())
    }

    /// Each failure with its kind, a part of its message, and a part of a hint on what to do.
    fn failures() -> Vec<(Failure, FailureKind, &'static str, &'static str)> {
        use FailureKind::{Device, DeviceLost, Internal, Missing, Network, Question, Storage, Unposted, Weights};
        let rule = OptimiserRule::ALL[0];
        vec![
            (unreachable("https://x/restorer/a.json", "gone"), Network, "a.json of “restorer”", "try again"),
            (refused("https://x/a.json", 404), Missing, "no a.json (answer 404)", "Reload the page"),
            (refused("https://x/a.json", 503), Network, "(answer 503)", "Reload the page"),
            (altered("a", "sum"), Weights, "file a arrived damaged", "Try again"),
            (unreadable("a", "json"), Weights, "file a cannot be read", "Reload the page"),
            (storage("a", refusal()), Storage, "could not store a", "Make room"),
            (not_open(None), Weights, "not loaded yet", "Start the model again"),
            (not_open(Some(&no_corpora())), Weights, "not loaded: The corpora", "Start the model again"),
            (no_corpora(), Missing, "corpora are not open", "Ask again"),
            (no_webgpu("no card"), Device, "no card", "Choose the CPU"),
            (wrong_numbers(0.5, 0.001), Weights, "5.0e-1, more than 1e-3", "try another browser"),
            (device_lost("lost"), DeviceLost, "stopped working", "choose the CPU"),
            (not_posted("DataCloneError"), Unposted, "your text is untouched", "Ask again"),
            (internal("bug"), Internal, "your text is untouched", "report it"),
            (no_translator("x", "no T5"), Weights, "cannot translate here: no T5", "A ByT5 is needed"),
            (no_weights("a/b", &[], &WeightsError::Stopped), Weights, "a/b has no weights", "safetensors"),
            (not_on_hub(&repository(), "a", 404), Network, "no a of google/byt5-small at main", "Check the owner"),
            (not_on_hub(&repository(), "a", 401), Network, "(answer 401)", "it may be private"),
            (not_on_hub(&repository(), "a", 429), Network, "(answer 429)", "wait a few minutes"),
            (not_on_hub(&repository(), "a", 500), Network, "(answer 500)", "try again later"),
            (altered_on_the_way("a", "sum"), Weights, "It was deleted", "fetch it again"),
            (changed_on_hub("a", "tag"), Network, "a has changed on the hub", "Continue to fetch"),
            (nothing_stored(&refusal()), Storage, "does not let the page keep a model", "Allow this site"),
            (storage_full(2_000_000_000, 5_000_000), Storage, "2.00 GB are needed", "Delete a model"),
            (too_large(5_000_000_000, "no card"), Device, "about 5.00 GB", "Choose a smaller model"),
            (not_deleted("x", refusal()), Storage, "x could not be deleted", "close the other tabs"),
            (model_gone("x", refusal()), Weights, "x is not in this browser", "Choose another model"),
            (incomplete("x", 1_500_000, 3_000_000, true), Weights, "1.5 MB of 3.0 MB", "Continue fetching it"),
            (incomplete("x", 1, 2, false), Weights, "not complete", "drop its files again"),
            (file_missing("config.json", &[]), Weights, "config.json is missing", "Drop all files"),
            (file_gone("a", "moved"), Weights, "a could not be read", "choose it again"),
            (training_too_large(5_000_000_000, rule, "Why."), Question, "5.0 GB of memory", "smaller model"),
            (restorer_training_too_large(5_000_000_000, rule), Question, "5.0 GB of memory", "fewer layers"),
            (not_checkpointed(7, refusal()), Storage, "step 7", "then press Resume"),
            (only_in_memory("x", 7, &refusal()), Storage, "at step 7", "Save it on this device"),
            (base_changed("x", &ModelRef::stored("y")), Question, "kept:y is not the one that the run x", "save it"),
            (run_elsewhere("x"), Question, "x is open in another tab", "Close it there"),
            (not_saved("memory"), Storage, "the run itself is unharmed", "close other tabs"),
            (no_checkpoint("x", "gone"), Weights, "neither of its two checkpoints", "start it again"),
            (diverged(7), Question, "in step 7", "a tenth of it"),
        ]
    }

    #[test]
    fn every_failure_says_what_happened_and_what_to_do() {
        for (failure, kind, happened, advice) in failures() {
            assert_eq!(failure.kind, kind, "{failure:?}");
            assert!(failure.message.contains(happened), "{failure:?} does not say {happened:?}");
            assert!(failure.hints.iter().any(|hint| hint.contains(advice)), "{failure:?} does not advise {advice:?}");
        }
    }

    #[test]
    fn every_hint_is_a_whole_sentence() {
        for (failure, ..) in failures() {
            for hint in &failure.hints {
                let begins = hint.starts_with(|c: char| c.is_uppercase()) || hint.starts_with("tuppum ");
                assert!(begins && hint.ends_with('.') && !hint.contains("  "), "{hint:?}");
            }
        }
    }

    #[test]
    fn a_cancel_and_a_refused_question_need_no_hints() {
        for (failure, kind) in [
            (cancelled(), FailureKind::Cancelled),
            (question("Too long."), FailureKind::Question),
            (no_files(), FailureKind::Question),
            (weights(&WeightsError::Stopped), FailureKind::Cancelled),
        ] {
            assert_eq!((failure.kind, failure.hints.len()), (kind, 0), "{}", failure.message);
        }
    }

    #[test]
    fn only_a_broken_connection_is_worded_for_the_hub() {
        let unreached = hub_unreachable("https://hub", unreachable("https://hub/a", "dns"));
        assert!(unreached.message.contains("https://hub could not be reached"), "{unreached:?}");
        assert!(unreached.details.contains("dns"), "the cause stays in the details");
        assert_eq!(hub_unreachable("https://hub", cancelled()), cancelled());
    }

    #[test]
    fn an_address_is_named_by_file_and_folder() {
        for (url, named) in [
            ("https://x.org/models/restorer/a.json", "a.json of “restorer” could not"),
            ("https://x.org/models/restorer/a.json?v=1#top", "a.json of “restorer” could not"),
            ("https://x.org", "x.org could not"),
        ] {
            let message = unreachable(url, "").message;
            assert!(message.starts_with(named), "{message}");
        }
    }

    #[test]
    fn an_error_of_the_model_has_its_own_kind() {
        for (error, kind) in [
            (ModelError::from(TorsoError::Stopped), FailureKind::Cancelled),
            (ModelError::from(ByT5Error::Stopped), FailureKind::Cancelled),
            (ModelError::from(TorsoError::Device("lost".into())), FailureKind::Internal),
            (ModelError::Input("Too long.".into()), FailureKind::Question),
            (ModelError::Internal("bug".into()), FailureKind::Internal),
        ] {
            assert_eq!(error.clone().on_the_processor().kind, kind, "{error:?}");
        }
    }

    #[test]
    fn an_error_of_training_has_its_own_kind() {
        let of_model = |error: ModelError| device_lost(error);
        for (error, kind) in [
            (TrainError::Stopped, FailureKind::Cancelled),
            (TrainError::Finished, FailureKind::Question),
            (TrainError::Diverged { step: 3 }, FailureKind::Question),
            (TrainError::Weights(WeightsError::Source(SourceError("gone".into()))), FailureKind::Weights),
            (TrainError::Model(ByT5Error::Device("lost".into())), FailureKind::DeviceLost),
            (TrainError::Restorer(TorsoError::Device("lost".into())), FailureKind::DeviceLost),
        ] {
            let text = format!("{error:?}");
            assert_eq!(training(error, of_model).kind, kind, "{text}");
        }
    }

    #[test]
    fn a_refusal_of_the_storage_gives_its_numbers() {
        for (error, expected) in [
            (StorageError::Insecure, "https"),
            (StorageError::NotWanted, "without storing"),
            (refusal(), "QuotaExceededError"),
            (StorageError::Silent, "restarting the browser"),
            (StorageError::Written { count: 1, length: 2 }, "only 1 of 2 bytes were written"),
            (StorageError::Read { count: 1, length: 2 }, "only 1 of 2 bytes were read"),
            (StorageError::PastEnd { length: 5, start: 8, of: 10 }, "5 bytes wanted at 8, but there are 10"),
            (StorageError::Unwritable("infinite".into()), "infinite"),
            (StorageError::RunBegins("x".into()), "a run named x"),
        ] {
            assert!(error.to_string().contains(expected), "{error}");
        }
    }
}
