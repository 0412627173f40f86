//! How a browser is told what the protocol that both speak has no word for.

use crate::bidi::Bidi;
use crate::driver::DriverError;
use crate::kind::Kind;
use serde_json::{Value, json};
use std::cell::RefCell;

/// How a browser is commanded beyond the protocol that both speak.
pub enum Control {
    /// The DevTools protocol, through chromedriver.
    DevTools,
    /// The second protocol of WebDriver.
    Bidi(RefCell<Bidi>),
}

impl Control {
    /// Of the session that a driver has just begun.
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
