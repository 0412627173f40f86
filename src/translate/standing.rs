//! The passages of a translation that are drawn, each as it stands to the present text. Each is told only of its own
//! changes: were all to look for themselves whenever one is finished, a long text would keep the page busy.

use super::state::Shown;
use crate::translate::rendering::Rendering;
use leptos::prelude::*;
use std::collections::HashMap;
use tuppum_protocol::translation::Passage;

/// What names a passage: its first line and what the model read.
pub type Key = (usize, String);
/// A passage and what it translates now, if it is not outdated; none once it is gone. An effect writes it, a moment
/// after the text has changed.
pub type Standing = RwSignal<Option<(Rendering, Option<Passage>)>>;

/// The passages that are drawn; copied freely.
#[derive(Clone, Copy)]
pub struct Standings {
    shown: Memo<Shown>,
    drawn: StoredValue<HashMap<Key, Standing>>,
}

impl Standings {
    /// None are drawn yet of what is shown.
    pub fn new(shown: Memo<Shown>) -> Self {
        let all = Self { shown, drawn: StoredValue::new(HashMap::new()) };
        Effect::new(move |_| shown.with(|shown| all.tell(shown)));
        all
    }

    /// Draws one from now on, as long as the component that asks for it is there.
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

    /// Tells those that have changed.
    fn tell(self, shown: &Shown) {
        let present: HashMap<Key, _> = shown.passages.iter().map(|own| (own.0.key(), own)).collect();
        let differs = |(key, standing): (&Key, &Standing)| {
            let own = present.get(key).copied();
            let is_same = standing.try_with_untracked(|before| before.as_ref() == own)?;
            (!is_same).then(|| (*standing, own.cloned()))
        };
        // Who hears of it may draw another.
        let changed: Vec<_> = self.drawn.with_value(|standings| standings.iter().filter_map(differs).collect());
        for (standing, own) in changed {
            standing.try_set(own);
        }
    }
}
