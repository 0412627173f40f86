//! Events as they arrive from the worker. The page reads progress, the restorer's device and the end of a request here.
//! Answers stay undecoded until the requester, who knows their type, reads them.

use js_sys::Object;
use serde::Deserialize;
use serde_wasm_bindgen::{Error, from_value, preserve};
use tuppum_protocol::Told;
use wasm_bindgen::{JsCast, JsValue};

/// An event that has not been decoded.
#[derive(Debug, Deserialize)]
#[serde(transparent)]
pub struct Received(#[serde(with = "preserve")] JsValue);

impl Received {
    /// Decodes the event, unless it is an answer.
    ///
    /// # Errors
    /// The event has the name of one that is read here, but not its content.
    pub fn read(self) -> Result<Told<JsValue>, Error> {
        if is_answer(&self.0) { Ok(Told::Answer(self.0)) } else { from_value(self.0) }
    }
}

/// Returns `true` if the event has none of the names that are read here. The name is the event itself or its only key.
fn is_answer(event: &JsValue) -> bool {
    let name = event.as_string().or_else(|| Object::keys(event.dyn_ref::<Object>()?).get(0).as_string());
    name.is_none_or(|name| !matches!(name.as_str(), "Progress" | "Device" | "Done" | "Failed"))
}
