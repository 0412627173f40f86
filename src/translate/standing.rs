//! A passage of a translation as it stands to the present text.

use crate::translate::rendering::Rendering;
use leptos::prelude::Memo;
use tuppum_protocol::translation::Passage;

/// What names a passage: its first line and what the model read.
pub type Key = (usize, String);
/// A passage and what it translates now, if it is not outdated.
pub type Standing = Memo<Option<(Rendering, Option<Passage>)>>;
