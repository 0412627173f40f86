//! The worker's client as all parts of the page share it.

use super::client::EngineClient;
use leptos::prelude::*;
use serde::de::DeserializeOwned;
use std::rc::Rc;
use tuppum_protocol::{Failure, ModelRef, Request, RequestId, Told};
use web_sys::File;

/// What hears the events of a request, with answers of the kind `A`.
pub type Handler<A> = Box<dyn FnMut(Told<A>)>;

/// The engine; its worker is started when it is first asked.
#[derive(Clone, Copy, Default)]
pub struct Engine(StoredValue<Option<Rc<EngineClient>>, LocalStorage>);

impl Engine {
    /// Sends a request; `handle` gets its events with answers of the kind `A`, the last of which is `Done` or `Failed`.
    pub fn ask<A: DeserializeOwned + 'static>(
        self,
        request: impl Into<Request>,
        handle: impl FnMut(Told<A>) + 'static,
    ) {
        self.send(request.into(), Vec::new(), Box::new(handle));
    }

    /// Sends a request with files. It fails at once, and has no number, where the browser refuses to start a worker.
    pub(super) fn send<A: DeserializeOwned + 'static>(
        self,
        request: Request,
        files: Vec<File>,
        mut handle: Handler<A>,
    ) -> Option<RequestId> {
        match self.client() {
            Ok(client) => Some(client.send_with_files(request, files, handle)),
            Err(failure) => {
                handle(Told::Failed(failure));
                None
            }
        }
    }

    /// Ends the worker, with all that it holds and does. It is started anew when it is asked again.
    pub fn let_go(self) {
        self.0.try_set_value(None);
    }

    /// Asks for a request to be stopped. It then fails as cancelled, unless it was over already.
    pub(super) fn cancel(self, id: RequestId) {
        if let Some(client) = self.present() {
            client.cancel(id);
        }
    }

    /// How many workers there have been: whatever lay in an earlier one is gone.
    pub fn worker_number(self) -> u32 {
        self.present().map_or(0, |client| client.worker_number())
    }

    /// Whether the present worker was asked for this translator last.
    pub(super) fn holds_translator(self, model: &ModelRef) -> bool {
        self.present().is_some_and(|client| client.holds_translator(model))
    }

    fn present(self) -> Option<Rc<EngineClient>> {
        self.0.try_get_value().flatten()
    }

    fn client(self) -> Result<Rc<EngineClient>, Failure> {
        if let Some(client) = self.present() {
            return Ok(client);
        }
        let client = Rc::new(EngineClient::start()?);
        self.0.set_value(Some(client.clone()));
        Ok(client)
    }
}
