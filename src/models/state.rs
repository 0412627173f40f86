//! The state of the Models page. It outlives the page, so that a download goes on while another part is looked at.

use crate::engine::job::Job;
use crate::engine::shared::Engine;
use leptos::prelude::*;
use tuppum_protocol::{DEFAULT_HUB, DEFAULT_REVISION, Failure, Offer, Repository, StorageUsage};

/// A model on its way into the browser.
#[derive(Clone, Debug, PartialEq)]
pub struct Transfer {
    /// The name under which it will be kept.
    pub name: String,
    /// Where it comes from; from files of this device, if from nowhere else.
    pub repository: Option<Repository>,
    /// What is done to it, for the user.
    pub doing: &'static str,
}

/// What the user is asked about before it is deleted.
#[derive(Clone, Debug, PartialEq)]
pub struct Deletion {
    /// Name of the model, or of the folder of what comes with the page.
    pub name: String,
    /// What comes with the page, as the user knows it: its stored copy can be fetched again.
    pub shipped: Option<&'static str>,
    /// Bytes that it has here.
    pub bytes: u64,
}

/// The signals of the Models page; copied freely, provided as context.
#[derive(Clone, Copy)]
pub struct Models {
    /// What the browser keeps; none until the engine has told.
    pub usage: RwSignal<Option<StorageUsage>>,
    /// Whether the engine could not say what the browser keeps.
    pub unlisted: RwSignal<bool>,
    /// Whether the browser has a network, as far as it knows.
    pub online: RwSignal<bool>,
    /// The hub's address, as typed.
    pub hub: RwSignal<String>,
    /// Owner and name of a repository, as typed.
    pub id: RwSignal<String>,
    /// The state of the repository, as typed.
    pub revision: RwSignal<String>,
    /// What a hub is asked.
    pub asking: Job,
    /// What a hub offers, until the user decides.
    pub offer: RwSignal<Option<Offer>>,
    /// The model on its way.
    pub transfer: RwSignal<Option<Transfer>>,
    /// The request that brings it.
    pub transferring: Job,
    /// What the user is asked about before it is deleted.
    pub deletion: RwSignal<Option<Deletion>>,
    /// What went wrong last.
    pub failure: RwSignal<Option<Failure>>,
    /// What failed, so that it can be tried again.
    pub tried: RwSignal<Option<Repository>>,
    /// The engine, which all parts of the page share.
    pub(super) engine: Engine,
    /// Whether the engine was asked by itself what the browser keeps.
    pub(super) looked: StoredValue<bool>,
}

impl Models {
    /// Nothing asked yet.
    pub fn new(engine: Engine) -> Self {
        Self {
            usage: RwSignal::new(None),
            unlisted: RwSignal::new(false),
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
