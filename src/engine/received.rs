//! Events as they come from the worker. Those that every request has are read here; the others are left as they are until
//! whoever asked, and knows what the answers look like, reads them.

use js_sys::Object;
use serde::Deserialize;
use serde_wasm_bindgen::{Error, from_value, preserve};
use tuppum_protocol::{DeviceReport, Failure, Progress, Told};
use wasm_bindgen::{JsCast, JsValue};

/// An event that is yet to be read.
#[derive(Debug, Deserialize)]
#[serde(transparent)]
pub struct Received(#[serde(with = "preserve")] JsValue);

/// The events that every request has.
#[derive(Deserialize)]
enum Common {
    Progress(Progress),
    Device(DeviceReport),
    Done,
    Failed(Failure),
}

impl Received {
    /// Reads the event, unless it is an answer.
    ///
    /// # Errors
    /// It is none of those that every request has, though it is called so.
    pub fn read(self) -> Result<Told<JsValue>, Error> {
        if !is_common(&self.0) {
            return Ok(Told::Answer(self.0));
        }
        Ok(match from_value(self.0)? {
            Common::Progress(progress) => Told::Progress(progress),
            Common::Device(report) => Told::Device(report),
            Common::Done => Told::Done,
            Common::Failed(failure) => Told::Failed(failure),
        })
    }
}

/// Whether an event bears one of their names: by itself, or over what it tells.
fn is_common(event: &JsValue) -> bool {
    let name = event.as_string().or_else(|| Object::keys(event.dyn_ref::<Object>()?).get(0).as_string());
    name.is_some_and(|name| matches!(name.as_str(), "Progress" | "Device" | "Done" | "Failed"))
}
