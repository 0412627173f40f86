//! The worker, and what the workbench has asked of it.

use super::shown::Origin;
use crate::engine::client::EngineClient;
use std::rc::Rc;
use std::sync::Arc;
use tuppum_protocol::{Answer, Question, RequestId};

/// The worker and what belongs to it.
#[derive(Default)]
pub struct Link {
    pub(super) client: Option<Rc<EngineClient>>,
    pub(super) opening: Option<RequestId>,
    pub(super) asked: Option<RequestId>,
    pub(super) openings: u32,
    pub(super) numbers: u32,
    pub(super) answers: Vec<(Question, Arc<Answer>, Origin)>,
    pub(super) rest: Option<gloo::timers::callback::Timeout>,
}
