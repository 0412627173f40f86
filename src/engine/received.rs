//! Events as they come from the worker. What the page itself looks at is read here: progress, the restorer's device and
//! the end. Answers are left as they are until whoever asked, and knows what they look like, reads them.

use js_sys::Object;
use serde::Deserialize;
use serde_wasm_bindgen::{Error, from_value, preserve};
use tuppum_protocol::Told;
use wasm_bindgen::{JsCast, JsValue};

/// An event that is yet to be read.
#[derive(Debug, Deserialize)]
#[serde(transparent)]
pub struct Received(#[serde(with = "preserve")] JsValue);

impl Received {
    /// Reads the event, unless it is an answer.
    ///
    /// # Errors
    /// It is called like what is read here, and is something else.
    pub fn read(self) -> Result<Told<JsValue>, Error> {
        if is_answer(&self.0) { Ok(Told::Answer(self.0)) } else { from_value(self.0) }
    }
}

/// Whether an event bears another name than those of what is read here: by itself, or over what it tells.
fn is_answer(event: &JsValue) -> bool {
    let name = event.as_string().or_else(|| Object::keys(event.dyn_ref::<Object>()?).get(0).as_string());
    name.is_none_or(|name| !matches!(name.as_str(), "Progress" | "Device" | "Done" | "Failed"))
}
