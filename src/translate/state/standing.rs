//! Drawn passages of a translation, each with its status in the present text. A passage is notified of its own changes
//! only: if all of them recomputed whenever one is finished, a long text would keep the page busy.

use super::Shown;
use super::rendering::Rendering;
use leptos::prelude::*;
use std::collections::HashMap;
use tuppum_protocol::translation::Passage;

/// Identifies a passage within its text: its first line, and the source that the model read.
pub type Key = (usize, String);
/// A rendering with the passage that it translates now (`None` if it is outdated); the whole is `None` once the
/// rendering is gone. An effect updates it a moment after the text has changed.
pub type Standing = RwSignal<Option<(Rendering, Option<Passage>)>>;

/// Signals of the drawn passages; `Copy`, as signals are.
#[derive(Clone, Copy)]
pub struct Standings {
    shown: Memo<Shown>,
    drawn: StoredValue<HashMap<Key, Standing>>,
}

impl Standings {
    /// Returns an empty set that follows `shown`.
    pub fn new(shown: Memo<Shown>) -> Self {
        let all = Self { shown, drawn: StoredValue::new(HashMap::new()) };
        Effect::new(move |_| shown.with(|shown| all.tell(shown)));
        all
    }

    /// Returns the signal of a passage, updated as long as the calling component is there.
    pub fn draw(self, key: &Key) -> Standing {
        let own = self.shown.with_untracked(|shown| shown.passages.iter().find(|(one, _)| one.is(key)).cloned());
        let standing = RwSignal::new(own);
        self.drawn.update_value(|standings| {
            standings.insert(key.clone(), standing);
        });
        let key = key.clone();
        on_cleanup(move || {
            self.drawn.try_update_value(|standings| {
                if standings.get(&key) == Some(&standing) {
                    standings.remove(&key);
                }
            });
        });
        standing
    }

    /// Updates the signals of the passages that have changed.
    fn tell(self, shown: &Shown) {
        let present: HashMap<Key, _> = shown.passages.iter().map(|own| (own.0.key(), own)).collect();
        let differs = |(key, standing): (&Key, &Standing)| {
            let own = present.get(key).copied();
            let is_same = standing.try_with_untracked(|before| before.as_ref() == own)?;
            (!is_same).then(|| (*standing, own.cloned()))
        };
        // Collected first, because a subscriber may draw another passage.
        let changed: Vec<_> = self.drawn.with_value(|standings| standings.iter().filter_map(differs).collect());
        for (standing, own) in changed {
            standing.try_set(own);
        }
    }
}
