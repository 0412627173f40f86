//! The page's side of the worker: messages, requests, the state of the models, and the device. [`Engine`], the worker's
//! client, is shared by all parts of the page.

pub mod client;
pub mod device;
pub mod job;
pub mod model;

use client::EngineClient;
use leptos::prelude::*;
use serde::de::DeserializeOwned;
use std::rc::Rc;
use tuppum_protocol::{Failure, ModelRef, Reply, Request, RequestId};
use web_sys::File;

/// Handler of the events of a request, with answers of type `A`.
pub type Handler<A> = Box<dyn FnMut(Reply<A>)>;

/// The engine. Its worker starts with the first request.
#[derive(Clone, Copy, Default)]
pub struct Engine(StoredValue<Option<Rc<EngineClient>>, LocalStorage>);

impl Engine {
    /// Sends a request. `handle` receives its events, with answers of type `A`; the last event is `Done` or `Failed`.
    pub fn ask<A: DeserializeOwned + 'static>(
        self,
        request: impl Into<Request>,
        handle: impl FnMut(Reply<A>) + 'static,
    ) {
        self.send(request.into(), Vec::new(), Box::new(handle));
    }

    /// Sends a request with files. Returns `None`, after a `Failed` event, if the browser refuses to start a worker.
    fn send<A: DeserializeOwned + 'static>(
        self,
        request: Request,
        files: Vec<File>,
        mut handle: Handler<A>,
    ) -> Option<RequestId> {
        match self.client() {
            Ok(client) => Some(client.send_with_files(request, files, handle)),
            Err(failure) => {
                handle(Reply::Failed(failure));
                None
            }
        }
    }

    /// Ends the worker with everything it holds and does. The next request starts a new one.
    pub fn let_go(self) {
        self.0.try_set_value(None);
    }

    /// Asks the worker to stop a request, which then fails as cancelled, unless it has ended already.
    fn cancel(self, id: RequestId) {
        if let Some(client) = self.present() {
            client.cancel(id);
        }
    }

    /// Returns the number of workers started so far. Whatever an earlier worker held is gone.
    pub fn worker_number(self) -> u32 {
        self.present().map_or(0, |client| client.worker_number())
    }

    /// Returns `true` if this translator was the last one that the present worker was asked to open.
    fn holds_translator(self, model: &ModelRef) -> bool {
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
