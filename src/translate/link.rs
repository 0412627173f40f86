//! What goes on between the translation card and the worker.

use tuppum_protocol::{DevicePreference, ModelRef, RequestId};

/// Which translator lies in which worker, opened how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opened {
    pub(super) model: ModelRef,
    pub(super) device: DevicePreference,
    pub(super) store: bool,
    pub(super) worker: u32,
}

/// What is asked of the worker.
#[derive(Default)]
pub struct Link {
    pub(super) opened: Option<Opened>,
    pub(super) opening: Option<RequestId>,
    pub(super) asked: Option<RequestId>,
    pub(super) numbers: u32,
}
