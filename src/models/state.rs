//! The state of the Models page. It outlives the page, so that a download goes on while another part is looked at.

use crate::restore::engine_state::Timed;
use leptos::prelude::*;
use tuppum_protocol::{DEFAULT_HUB, DEFAULT_REVISION, Failure, Offer, Repository, RequestId, StorageUsage};

/// A model on its way into the browser.
#[derive(Clone, Debug, PartialEq)]
pub struct Transfer {
    /// The request of the engine.
    pub id: RequestId,
    /// The name under which it will be kept.
    pub name: String,
    /// Where it comes from; from files of this device, if from nowhere else.
    pub repository: Option<Repository>,
    /// How far.
    pub progress: Option<Timed>,
}

/// What the user is asked about before it is deleted.
#[derive(Clone, Debug, PartialEq)]
pub struct Deletion {
    /// Name of the model.
    pub name: String,
    /// Bytes that it has here.
    pub bytes: u64,
}

/// The signals of the Models page; copied freely, provided as context.
#[derive(Clone, Copy)]
pub struct Models {
    /// What the browser keeps; none until the engine has told.
    pub shelves: RwSignal<Option<StorageUsage>>,
    /// The hub's address, as typed.
    pub hub: RwSignal<String>,
    /// Owner and name of a repository, as typed.
    pub id: RwSignal<String>,
    /// The state of the repository, as typed.
    pub revision: RwSignal<String>,
    /// Whether a hub is being asked.
    pub asking: RwSignal<bool>,
    /// What a hub offers, until the user decides.
    pub offer: RwSignal<Option<Offer>>,
    /// The model on its way.
    pub transfer: RwSignal<Option<Transfer>>,
    /// What the user is asked about before it is deleted.
    pub deletion: RwSignal<Option<Deletion>>,
    /// What went wrong last.
    pub trouble: RwSignal<Option<Failure>>,
    /// What the trouble happened with, so that it can be tried again.
    pub tried: RwSignal<Option<Repository>>,
}

impl Models {
    /// Nothing asked yet.
    pub fn new() -> Self {
        Self {
            shelves: RwSignal::new(None),
            hub: RwSignal::new(DEFAULT_HUB.to_owned()),
            id: RwSignal::new(String::new()),
            revision: RwSignal::new(DEFAULT_REVISION.to_owned()),
            asking: RwSignal::new(false),
            offer: RwSignal::new(None),
            transfer: RwSignal::new(None),
            deletion: RwSignal::new(None),
            trouble: RwSignal::new(None),
            tried: RwSignal::new(None),
        }
    }
}

impl Default for Models {
    fn default() -> Self {
        Self::new()
    }
}
