//! Runs that the browser keeps: listed, deleted, made models of, their files saved.

use super::state::Training;
use crate::app::downloads::save;
use crate::app::models::Models;
use crate::app::models::browser_storage::kept_files;
use crate::app::state::{Notice, Workbench};
use crate::engine::protocol::{Craft, Event, Request};
use leptos::prelude::*;

impl Training {
    /// Asks the engine which runs are kept.
    pub fn list(self, workbench: Workbench) {
        let Some(client) = self.client(workbench) else { return };
        client.send(Request::ListTrainings, move |event| match event {
            Event::Trainings(runs) => self.runs.set(Some(runs)),
            Event::Failed(failure) => self.trouble.set(Some(failure)),
            _ => {}
        });
    }

    /// Deletes a run; a model that was made of it stays.
    pub fn forget(self, workbench: Workbench, name: String) {
        let Some(client) = self.client(workbench) else { return };
        client.send(Request::ForgetTraining(name.clone()), move |event| match event {
            Event::Done => {
                self.run.update(|run| {
                    if run.as_ref().is_some_and(|run| run.name == name && !run.standing.is_busy()) {
                        *run = None;
                    }
                });
                workbench.say(Notice::done(format!("{name} is deleted.")));
                self.list(workbench);
            }
            Event::Failed(failure) => self.trouble.set(Some(failure)),
            _ => {}
        });
    }

    /// Makes a model on the shelf of a run; then saves its files to this device, if wanted.
    pub fn keep(self, workbench: Workbench, models: Models, name: String, save: bool) {
        let Some(client) = self.client(workbench) else { return };
        self.trouble.set(None);
        self.keeping.set(Some(name.clone()));
        let request = Request::KeepTraining { name: name.clone(), model: name };
        client.send(request, move |event| match event {
            Event::Kept(model) => {
                let (craft, model) = (model.craft, model.name);
                let verb = match craft {
                    Craft::Translating => "translate",
                    Craft::Restoring => "restore",
                };
                match save {
                    false => workbench.say(Notice::done(format!(
                        "{model} stands on the page “Models” now; choose it there to {verb} with it."
                    ))),
                    true => leptos::task::spawn_local(async move {
                        let outcome = save_model(&model, craft).await;
                        workbench.say(match outcome {
                            Ok(names) => Notice::done(format!("{model}: {names} are saved.")),
                            Err(reason) => Notice::failure(format!("{model} was not saved: {reason}.")),
                        });
                    }),
                }
            }
            Event::Done => {
                self.keeping.set(None);
                models.list(workbench);
            }
            Event::Failed(failure) => {
                self.keeping.set(None);
                self.trouble.set(Some(failure));
            }
            _ => {}
        });
    }
}

/// Saves the files of a kept model on this device; their names.
async fn save_model(model: &str, craft: Craft) -> Result<String, String> {
    let names: &[&str] = match craft {
        Craft::Translating => &["config.json", "model.safetensors"],
        Craft::Restoring => &["config.json", "vocab.json", "restorer.safetensors"],
    };
    let files = kept_files(model, names).await?;
    names.iter().zip(&files).try_for_each(|(name, file)| save(file, &format!("{model}-{name}")))?;
    Ok(names.join(", "))
}
