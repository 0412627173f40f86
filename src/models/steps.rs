//! What a user can do on the Models page; each step is a message to the engine.

use super::browser_storage::ask_to_persist;
use super::state::{Deletion, Models, Transfer};
use crate::frame::notice::Notice;
use crate::kit::format;
use crate::restore::state::Workbench;
use crate::translate::Translating;
use crate::translate::shipped::SHIPPED;
use crate::translate::translator_choice::TranslatorChoice;
use leptos::prelude::*;
use tuppum_protocol::{
    BiasOrder, Failure, FailureKind, ModelRef, Repository, Request, StorageEvent, StorageRequest, StoredModel, Told,
    TrainingRequest,
};

impl Models {
    /// Asks the engine anew what is kept.
    pub fn list(self) {
        self.engine.ask(StorageRequest::ListModels, move |event| match event {
            Told::Answer(StorageEvent::Storage(usage)) => self.usage.set(Some(usage)),
            Told::Failed(failure) => self.failure.set(Some(failure)),
            _ => {}
        });
    }

    /// Asks the hub for the repository as typed.
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
            Told::Answer(StorageEvent::Offer(offer)) => self.offer.set(Some(offer)),
            Told::Failed(failure) => self.failure.set(Some(failure)),
            _ => {}
        });
    }

    /// Fetches a model, or what is still missing of it.
    pub fn fetch(self, workbench: Workbench, repository: Repository) {
        self.offer.set(None);
        let request = StorageRequest::FetchModel(repository.clone()).into();
        let transfer = Transfer { name: repository.stored_name(), repository: Some(repository), doing: "Importing" };
        self.transfer_model(workbench, transfer, request, Vec::new());
    }

    /// Keeps a model from files of this device.
    pub fn import_files(self, workbench: Workbench, name: String, files: Vec<web_sys::File>) {
        if !files.is_empty() {
            let transfer = Transfer { name: name.clone(), repository: None, doing: "Importing" };
            self.transfer_model(workbench, transfer, StorageRequest::ImportFiles { name }.into(), files);
        }
    }

    /// Stores a copy of a translator with another hyperbolic bias, or with none.
    pub fn store_copy(self, workbench: Workbench, order: BiasOrder) {
        let transfer = Transfer { name: order.name.clone(), repository: None, doing: "Copying to" };
        self.transfer_model(workbench, transfer, TrainingRequest::StoreCopy(order).into(), Vec::new());
    }

    fn transfer_model(self, workbench: Workbench, transfer: Transfer, request: Request, files: Vec<web_sys::File>) {
        if self.transfer.with_untracked(Option::is_some) {
            workbench.notify(Notice::failure("One model at a time: wait for the current one, or pause it."));
            return;
        }
        self.failure.set(None);
        self.tried.set(transfer.repository.clone());
        // The browser may ask the user, who has just said that they want it. What it answers shows with the list.
        leptos::task::spawn_local(async {
            let _ = ask_to_persist().await;
        });
        self.transfer.set(Some(transfer));
        let handle = Box::new(move |event| self.handle_transfer(workbench, event));
        self.transferring.start_with_files(request, files, handle);
    }

    fn handle_transfer(self, workbench: Workbench, event: Told<StorageEvent>) {
        match event {
            Told::Answer(StorageEvent::Stored(model)) => {
                let (name, verb) = (model.name, model.task.verb());
                workbench
                    .notify(Notice::done(format!("{name} is complete and stored. Choose it below to {verb} with it.")));
            }
            Told::Done => {
                self.transfer.set(None);
                self.list();
            }
            Told::Failed(failure) => {
                self.transfer.set(None);
                if failure.kind != FailureKind::Cancelled {
                    self.failure.set(Some(failure));
                }
                self.list();
            }
            _ => {}
        }
    }

    /// Asks whether a model is really to be deleted.
    pub fn ask_to_delete(self, model: &StoredModel) {
        self.deletion.set(Some(Deletion { name: model.name.clone(), shipped: None, bytes: model.present() }));
    }

    /// Asks whether the stored copy of what comes with the page is really to be deleted.
    pub fn ask_to_delete_shipped(self, folder: &str, title: &'static str, bytes: u64) {
        self.deletion.set(Some(Deletion { name: folder.to_owned(), shipped: Some(title), bytes }));
    }

    /// Deletes the stored copy of what comes with the page. What is open stays open for this visit.
    fn forget_shipped(self, workbench: Workbench, folder: String, title: &'static str, bytes: u64) {
        self.engine.ask(StorageRequest::DeleteShipped(folder), move |event: Told<StorageEvent>| match event {
            Told::Done => {
                let freed = format::bytes(bytes);
                workbench.notify(Notice::done(format!("{title}: the stored copy is deleted; {freed} are free again.")));
                self.list();
            }
            Told::Failed(failure) => {
                self.failure.set(Some(failure));
                self.list();
            }
            _ => {}
        });
    }

    /// Deletes the model that was asked about; if it is on its way, that is stopped first.
    pub fn forget(self, workbench: Workbench, choice: TranslatorChoice, translating: Translating) {
        let Some(Deletion { name, shipped, bytes }) = self.deletion.get_untracked() else { return };
        self.deletion.set(None);
        if let Some(title) = shipped {
            return self.forget_shipped(workbench, name, title, bytes);
        }
        if self.transfer.with_untracked(|transfer| transfer.as_ref().is_some_and(|transfer| transfer.name == name)) {
            self.transferring.stop();
        }
        self.engine.ask(StorageRequest::DeleteModel(name.clone()), move |event: Told<StorageEvent>| match event {
            Told::Done => {
                translating.forget_translator(&name);
                let deleted = ModelRef::stored(&name);
                if choice.model() == deleted {
                    self.choose(workbench, choice, &SHIPPED);
                }
                if workbench.device.model.with_untracked(|model| *model == deleted) {
                    // The browser keeps the choice of a shipped model as well as that of a stored one.
                    let _ = workbench.restore_with(&workbench.device.shipped.get_value());
                }
                workbench.notify(Notice::done(format!("{name} is deleted; {} are free again.", format::bytes(bytes))));
                self.list();
            }
            Told::Failed(failure) => {
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

    /// Asks the browser not to throw away what is kept.
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
