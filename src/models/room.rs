//! Disk usage of the models: the sum of their files' sizes, computed in one place. The browser's estimate for the whole
//! site is another figure and is labelled as such.

use crate::shell::format;
use tuppum_protocol::StorageUsage;

/// Returns the bytes of all stored models, counting partial files by what is present.
pub fn taken(usage: &StorageUsage) -> u64 {
    let shipped: u64 = usage.shipped.iter().map(|model| model.bytes).sum();
    shipped + usage.stored.iter().map(|model| model.present()).sum::<u64>()
}

/// Returns the disk usage of the models as a sentence.
pub fn told(usage: &StorageUsage) -> String {
    match taken(usage) {
        0 => "Nothing of a model is stored in this browser yet.".to_owned(),
        bytes => format!(
            "What is listed as stored above takes {}. Runs of training are counted on the page “Train”.",
            format::bytes(bytes)
        ),
    }
}

/// Returns the browser's estimate of this site's usage and remaining quota, as a sentence.
pub fn told_by_browser(used: u64, quota: u64) -> String {
    format!(
        "The browser’s own estimate for all of this site: {} in use, {} more allowed. It counts the page, runs of \
         training, and room that it only sets aside, so it may be far from the sum of the files.",
        format::bytes(used),
        format::bytes(quota.saturating_sub(used)),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use tuppum_protocol::{Origin, ShippedModel, StoredFile, StoredModel, Task};

    #[test]
    fn room_is_the_sum_of_what_is_here() {
        let file = |name: &str, bytes, present| StoredFile { name: name.to_owned(), bytes, present, sha256: None };
        let stored = StoredModel {
            name: "mine".to_owned(),
            task: Task::Translation,
            origin: Origin::Files,
            added: 0.0,
            parameters: 1,
            size: None,
            files: vec![file("model.safetensors", 2_000_000, 1_200_000), file("config.json", 100, 100)],
        };
        let shipped = vec![ShippedModel { name: "translator".to_owned(), bytes: 41_800_000 }];
        // The browser's estimate is ten times as large and must not change the result.
        let usage = StorageUsage {
            stored: vec![stored],
            shipped,
            used: Some(429_000_000),
            quota: Some(1_000_000_000),
            persistent: None,
            refusal: None,
            memory: 0,
        };
        assert_eq!(taken(&usage), 43_000_100);
        assert!(told(&usage).contains("takes 43.0\u{202f}MB"), "{}", told(&usage));
        let estimate = told_by_browser(429_000_000, 1_000_000_000);
        assert!(estimate.starts_with("The browser’s own estimate") && estimate.contains("571.0"), "{estimate}");
    }
}
