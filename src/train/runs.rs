//! Actions on stored runs: list, delete, store as a model, save as files.

use super::state::Training;
use crate::models::Models;
use crate::restore::state::{Notice, Workbench};
use crate::shell::downloads::save_from;
use leptos::prelude::*;
use tuppum_protocol::{StorageEvent, StorageRequest, Told, TrainingEvent, TrainingRequest};

impl Training {
    /// Asks the engine for the stored runs.
    pub fn list(self) {
        self.engine.ask(StorageRequest::ListRuns, move |event| match event {
            Told::Answer(TrainingEvent::Runs(runs)) => self.runs.set(Some(runs)),
            // An earlier failure is kept: it weighs more, and may have caused this one.
            Told::Failed(failure) => self.failure.update(|before| {
                before.get_or_insert(failure);
            }),
            _ => {}
        });
    }

    /// Deletes a run; a model that was made from it stays.
    pub fn forget(self, workbench: Workbench, name: String) {
        self.failure.set(None);
        self.engine.ask(TrainingRequest::DeleteRun(name.clone()), move |event: Told<TrainingEvent>| match event {
            Told::Done => {
                self.run.update(|run| {
                    if run.as_ref().is_some_and(|run| run.name == name && !run.standing.is_busy()) {
                        *run = None;
                    }
                });
                workbench.notify(Notice::done(format!("{name} is deleted.")));
                self.list();
            }
            Told::Failed(failure) => self.failure.set(Some(failure)),
            _ => {}
        });
    }

    /// Stores the model of a run among the models.
    pub fn store_model(self, workbench: Workbench, models: Models, name: String) {
        self.failure.set(None);
        let request = TrainingRequest::StoreModel { run: name.clone(), model: name };
        self.storing.start(request, move |event| match event {
            Told::Answer(StorageEvent::Stored(model)) => {
                let (verb, model) = (model.task.verb(), model.name);
                workbench.notify(Notice::done(format!(
                    "{model} is on the page “Models” now; choose it there to {verb} with it."
                )));
            }
            Told::Done => models.list(),
            Told::Failed(failure) => self.failure.set(Some(failure)),
            _ => {}
        });
    }

    /// Saves the model of a run as files on the user's device.
    pub fn save(self, workbench: Workbench, name: String) {
        self.failure.set(None);
        self.storing.start(TrainingRequest::SaveFiles(name.clone()), move |event| match event {
            Told::Answer(TrainingEvent::Files(files)) => {
                let outcome = files.iter().try_for_each(|(file, from)| save_from(from, &format!("{name}-{file}")));
                let names: Vec<&str> = files.iter().map(|(file, _)| file.as_str()).collect();
                workbench.notify(match outcome {
                    Ok(()) => Notice::done(format!("{name}: {} are saved.", names.join(", "))),
                    Err(reason) => Notice::failure(format!("{name} was not saved: {reason}.")),
                });
            }
            Told::Failed(failure) => self.failure.set(Some(failure)),
            _ => {}
        });
    }
}
