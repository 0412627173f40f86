//! What is going on between the attention maps and the engine: how the translator is, and what was asked of it.

use crate::restore::engine_state::Timed;
use gloo::timers::callback::Timeout;
use tuppum_protocol::{Failure, ModelRef, RequestId, TranslatorReport};
use tuppum_text::tokens::TokenId;

/// How the translator is.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Opening {
    /// Nobody has asked for it.
    #[default]
    Not,
    /// On its way.
    Waiting(Option<Timed>),
    /// There it is.
    Ready(TranslatorReport),
    /// It could not be opened.
    Failed(Failure),
}

/// What is going on between page and engine.
#[derive(Default)]
pub struct Links {
    /// The model that was opened.
    pub(super) model: Option<ModelRef>,
    pub(super) opening: Option<RequestId>,
    pub(super) asked: Option<RequestId>,
    /// Number of the newest question; answers to older ones are not heard.
    pub(super) number: u32,
    /// What the model writes for a text.
    pub(super) written: Option<(String, Vec<TokenId>)>,
    pub(super) rest: Option<Timeout>,
}
