//! Actions of the user on the page “Models”; each sends a message to the engine.

use super::disk_usage::ask_to_persist;
use super::state::{Deletion, Models, Transfer};
use crate::frame::notice::Notice;
use crate::kit::format;
use crate::restore::state::Workbench;
use crate::translate::Translating;
use crate::translate::state::translator::SHIPPED;
use crate::translate::state::translator::TranslatorChoice;
use leptos::prelude::*;
use tuppum_protocol::{
    BiasOrder, Failure, FailureKind, ModelRef, Reply, Repository, Request, StorageEvent, StorageRequest, StoredModel,
    TrainingRequest,
};

impl Models {
    /// Asks the engine for the stored models.
    pub fn list(self) {
        self.engine.ask(StorageRequest::ListModels, move |event| match event {
            Reply::Answer(StorageEvent::Storage(usage)) => self.usage.set(Some(usage)),
            Reply::Failed(failure) => self.failure.set(Some(failure)),
            _ => {}
        });
    }

    /// Asks the hub for the repository that the user typed.
    pub fn ask(self) {
        let typed = [self.hub, self.id, self.revision].map(|field| field.get_untracked());
        let [hub, id, revision] = typed;
        match Repository::typed(&hub, &id, &revision) {
            Ok(repository) => self.ask_for(repository),
            Err(problem) => self.failure.set(Some(Failure {
                kind: FailureKind::Question,
                message: problem.to_string(),
                hints: Vec::new(),
                details: format!("{hub} {id} {revision}"),
            })),
        }
    }

    fn ask_for(self, repository: Repository) {
        self.failure.set(None);
        self.offer.set(None);
        self.tried.set(None);
        self.asking.start(StorageRequest::AskHub(repository), move |event| match event {
            Reply::Answer(StorageEvent::Offer(offer)) => self.offer.set(Some(offer)),
            Reply::Failed(failure) => self.failure.set(Some(failure)),
            _ => {}
        });
    }

    /// Fetches a model, or continues an interrupted transfer.
    pub fn fetch(self, workbench: Workbench, repository: Repository) {
        self.offer.set(None);
        let request = StorageRequest::FetchModel(repository.clone()).into();
        let transfer =
            Transfer { name: repository.stored_name(), repository: Some(repository), operation: "Importing" };
        self.transfer_model(workbench, transfer, request, Vec::new());
    }

    /// Stores a model from files of this device.
    pub fn import_files(self, workbench: Workbench, name: String, files: Vec<web_sys::File>) {
        if !files.is_empty() {
            let transfer = Transfer { name: name.clone(), repository: None, operation: "Importing" };
            self.transfer_model(workbench, transfer, StorageRequest::ImportFiles { name }.into(), files);
        }
    }

    /// Stores a copy of a translator with another hyperbolic bias, or without one.
    pub fn store_copy(self, workbench: Workbench, order: BiasOrder) {
        let transfer = Transfer { name: order.name.clone(), repository: None, operation: "Copying to" };
        self.transfer_model(workbench, transfer, TrainingRequest::StoreCopy(order).into(), Vec::new());
    }

    fn transfer_model(self, workbench: Workbench, transfer: Transfer, request: Request, files: Vec<web_sys::File>) {
        if self.transfer.with_untracked(Option::is_some) {
            workbench.notify(Notice::failure("One model at a time: wait for the current one, or pause it."));
            return;
        }
        self.failure.set(None);
        self.tried.set(transfer.repository.clone());
        // The browser may ask the user, who has just said that they want the model. The answer appears with the list.
        leptos::task::spawn_local(async {
            let _ = ask_to_persist().await;
        });
        self.transfer.set(Some(transfer));
        let handle = Box::new(move |event| self.handle_transfer(workbench, event));
        self.transferring.start_with_files(request, files, handle);
    }

    fn handle_transfer(self, workbench: Workbench, event: Reply<StorageEvent>) {
        match event {
            Reply::Answer(StorageEvent::Stored(model)) => {
                let (name, verb) = (model.name, model.task.verb());
                workbench
                    .notify(Notice::done(format!("{name} is complete and stored. Choose it below to {verb} with it.")));
            }
            Reply::Done => {
                self.transfer.set(None);
                self.list();
            }
            Reply::Failed(failure) => {
                self.transfer.set(None);
                if failure.kind != FailureKind::Cancelled {
                    self.failure.set(Some(failure));
                }
                self.list();
            }
            _ => {}
        }
    }

    /// Asks the user to confirm the deletion of a model.
    pub fn ask_to_delete(self, model: &StoredModel) {
        self.deletion.set(Some(Deletion { name: model.name.clone(), shipped: None, bytes: model.present() }));
    }

    /// Asks the user to confirm the deletion of a shipped model's stored copy.
    pub fn ask_to_delete_shipped(self, folder: &str, title: &'static str, bytes: u64) {
        self.deletion.set(Some(Deletion { name: folder.to_owned(), shipped: Some(title), bytes }));
    }

    /// Deletes the stored copy of a shipped model. An open model stays open for this visit.
    fn forget_shipped(self, workbench: Workbench, folder: String, title: &'static str, bytes: u64) {
        self.engine.ask(StorageRequest::DeleteShipped(folder), move |event: Reply<StorageEvent>| match event {
            Reply::Done => {
                let freed = format::bytes(bytes);
                workbench.notify(Notice::done(format!("{title}: the stored copy is deleted; {freed} are free again.")));
                self.list();
            }
            Reply::Failed(failure) => {
                self.failure.set(Some(failure));
                self.list();
            }
            _ => {}
        });
    }

    /// Deletes the model that the user was asked about, and stops its transfer if it has one.
    pub fn forget(self, workbench: Workbench, choice: TranslatorChoice, translating: Translating) {
        let Some(Deletion { name, shipped, bytes }) = self.deletion.get_untracked() else { return };
        self.deletion.set(None);
        if let Some(title) = shipped {
            return self.forget_shipped(workbench, name, title, bytes);
        }
        if self.transfer.with_untracked(|transfer| transfer.as_ref().is_some_and(|transfer| transfer.name == name)) {
            self.transferring.stop();
        }
        self.engine.ask(StorageRequest::DeleteModel(name.clone()), move |event: Reply<StorageEvent>| match event {
            Reply::Done => {
                translating.forget_translator(&name);
                let deleted = ModelRef::stored(&name);
                if choice.model() == deleted {
                    self.choose(workbench, choice, &SHIPPED);
                }
                if workbench.device.model.with_untracked(|model| *model == deleted) {
                    // The choice of a shipped model is stored as well as that of any other.
                    let _ = workbench.restore_with(&workbench.device.shipped.get_value());
                }
                workbench.notify(Notice::done(format!("{name} is deleted; {} are free again.", format::bytes(bytes))));
                self.list();
            }
            Reply::Failed(failure) => {
                self.failure.set(Some(failure));
                self.list();
            }
            _ => {}
        });
    }

    /// Translates with this model from now on.
    pub fn choose(self, workbench: Workbench, choice: TranslatorChoice, model: &ModelRef) {
        if let Err(reason) = choice.choose(model) {
            workbench.notify(Notice::failure(format!("The choice holds for this visit only: {reason}.")));
        }
    }

    /// Asks the browser not to delete the stored models on its own.
    pub fn ask_browser_to_persist(self, workbench: Workbench) {
        leptos::task::spawn_local(async move {
            let notice = match ask_to_persist().await {
                true => Notice::done("The browser will keep the models until you delete them."),
                false => Notice::failure(
                    "The browser did not agree: it may delete models when the device runs out of room. It often agrees \
                     once the page is installed or bookmarked.",
                ),
            };
            workbench.notify(notice);
            self.list();
        });
    }
}
