//! The protocol for commands that classic WebDriver lacks, which each browser has its own of.

use crate::bidi::Bidi;
use crate::driver::DriverError;
use crate::kind::Kind;
use serde_json::{Value, json};
use std::cell::RefCell;

/// Protocol for commands beyond classic WebDriver.
pub enum Control {
    /// Chromium's DevTools protocol, through chromedriver.
    DevTools,
    /// WebDriver BiDi.
    Bidi(RefCell<Bidi>),
}

impl Control {
    /// Returns the control of a new session.
    pub fn of(kind: Kind, session: &Value) -> Result<Self, DriverError> {
        if kind == Kind::Chromium {
            return Ok(Self::DevTools);
        }
        let address = session["capabilities"]["webSocketUrl"].as_str().unwrap_or_default();
        let mut bidi = Bidi::connect(address)?;
        bidi.ask("session.subscribe", &json!({ "events": ["log.entryAdded"] }))?;
        Ok(Self::Bidi(RefCell::new(bidi)))
    }
}
