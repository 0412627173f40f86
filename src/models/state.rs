//! State of the page “Models”. It outlives the view, so a download continues while another page is shown.

use crate::engine::Engine;
use crate::engine::job::Job;
use leptos::prelude::*;
use tuppum_protocol::{DEFAULT_HUB, DEFAULT_REVISION, Failure, Offer, Repository, StorageUsage};

/// A model that is being brought into the browser.
#[derive(Clone, Debug, PartialEq)]
pub struct Transfer {
    /// Name under which the model will be stored.
    pub name: String,
    /// Source repository; `None` for files of this device.
    pub repository: Option<Repository>,
    /// Operation on the model, in words for the user.
    pub operation: &'static str,
}

/// A deletion that the user is asked to confirm.
#[derive(Clone, Debug, PartialEq)]
pub struct Deletion {
    /// Name of the model, or of the folder of a shipped one.
    pub name: String,
    /// Title of a shipped model, whose stored copy can be fetched again; `None` for other models.
    pub shipped: Option<&'static str>,
    /// Bytes that deleting frees.
    pub bytes: u64,
}

/// State of the page “Models”: signals that are copied freely, provided as a context.
#[derive(Clone, Copy)]
pub struct Models {
    /// Models and storage reported by the engine; `None` until it has answered.
    pub usage: RwSignal<Option<StorageUsage>>,
    /// `true` if the engine could not report what is stored.
    pub listing_failed: RwSignal<bool>,
    /// `true` if the browser has a network, as far as it knows.
    pub online: RwSignal<bool>,
    /// Address of the hub, as typed.
    pub hub: RwSignal<String>,
    /// Owner and name of a repository, as typed.
    pub id: RwSignal<String>,
    /// Revision of the repository, as typed.
    pub revision: RwSignal<String>,
    /// The request to the hub.
    pub asking: Job,
    /// Offer of the hub, until the user decides.
    pub offer: RwSignal<Option<Offer>>,
    pub transfer: RwSignal<Option<Transfer>>,
    /// The request that transfers the model.
    pub transferring: Job,
    /// Deletion that the user is asked to confirm.
    pub deletion: RwSignal<Option<Deletion>>,
    /// Last failure.
    pub failure: RwSignal<Option<Failure>>,
    /// Repository whose transfer failed, so that it can be continued.
    pub tried: RwSignal<Option<Repository>>,
    /// The engine, shared by all parts of the page.
    pub(super) engine: Engine,
    /// `true` once the engine was asked for the list of models without the user's doing.
    pub(super) looked: StoredValue<bool>,
}

impl Models {
    /// Returns the initial state, before any request.
    pub fn new(engine: Engine) -> Self {
        Self {
            usage: RwSignal::new(None),
            listing_failed: RwSignal::new(false),
            online: RwSignal::new(true),
            hub: RwSignal::new(DEFAULT_HUB.to_owned()),
            id: RwSignal::new(String::new()),
            revision: RwSignal::new(DEFAULT_REVISION.to_owned()),
            asking: Job::new(engine),
            offer: RwSignal::new(None),
            transfer: RwSignal::new(None),
            transferring: Job::new(engine),
            deletion: RwSignal::new(None),
            failure: RwSignal::new(None),
            tried: RwSignal::new(None),
            engine,
            looked: StoredValue::new(false),
        }
    }
}
