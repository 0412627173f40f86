//! The environment of a page: scripts before its own, the clipboard, the size of the screen, dark colours, reloading,
//! the console. Each browser has its own commands for them.

use crate::bidi::Bidi;
use crate::browser::Browser;
use crate::control::Control;
use base64::Engine;
use serde_json::{Value, json};
use std::cell::RefCell;

impl Browser {
    /// Sends a command of Chromium's DevTools protocol.
    ///
    /// # Panics
    /// The browser is Firefox; a test that calls this runs in Chromium only.
    #[track_caller]
    pub fn devtools(&self, command: &str, parameters: &Value) -> Value {
        assert!(matches!(self.control, Control::DevTools), "{command} is a command of Chromium, and this is Firefox");
        let body = json!({ "cmd": command, "params": parameters });
        self.must(command, self.driver.post(&self.path("/goog/cdp/execute"), &body))
    }

    #[track_caller]
    fn bidi(&self, bidi: &RefCell<Bidi>, command: &str, parameters: &Value) -> Value {
        let answer = bidi.borrow_mut().ask(command, parameters);
        self.must(command, answer)
    }

    /// Runs `script` in every page from now on, before the page's own.
    #[track_caller]
    pub fn before_every_page(&self, script: &str) {
        match &self.control {
            Control::DevTools => self.devtools("Page.addScriptToEvaluateOnNewDocument", &json!({ "source": script })),
            Control::Bidi(bidi) => {
                let function = format!("() => {{\n{script}\n}}");
                self.bidi(bidi, "script.addPreloadScript", &json!({ "functionDeclaration": function }))
            }
        };
    }

    /// Reloads the page. In Firefox not by the driver's command, which bypasses the service worker.
    #[track_caller]
    pub fn reload(&self) {
        match &self.control {
            Control::DevTools => {
                self.must("reloading", self.driver.post(&self.path("/refresh"), &json!({})));
            }
            Control::Bidi(bidi) => {
                let tab = self.must("this tab", self.driver.get(&self.path("/window")));
                self.bidi(bidi, "browsingContext.reload", &json!({ "context": tab, "wait": "complete" }));
            }
        }
    }

    /// Lets the page of `origin` use the clipboard without asking, and keeps the page focused for it. In Firefox a
    /// preference of the profile lets every page.
    #[track_caller]
    pub fn allow_clipboard(&self, origin: &str) {
        if let Control::DevTools = self.control {
            let permissions = json!(["clipboardReadWrite", "clipboardSanitizedWrite"]);
            self.devtools("Browser.grantPermissions", &json!({ "origin": origin, "permissions": permissions }));
            self.devtools("Emulation.setFocusEmulationEnabled", &json!({ "enabled": true }));
        }
    }

    /// Sets the size of the visible page, its pixel ratio, and phone or desktop. Firefox cannot emulate touch.
    #[track_caller]
    pub fn set_screen(&self, width: u32, height: u32, phone: bool) {
        let scale = if phone { 2 } else { 1 };
        match &self.control {
            Control::DevTools => {
                let parameters =
                    json!({ "width": width, "height": height, "deviceScaleFactor": scale, "mobile": phone });
                self.devtools("Emulation.setDeviceMetricsOverride", &parameters);
                // A phone has touch: the page queries `pointer: coarse`.
                let touch = json!({ "enabled": phone, "maxTouchPoints": 5 });
                self.devtools("Emulation.setTouchEmulationEnabled", &touch);
            }
            Control::Bidi(bidi) => {
                let tab = self.must("this tab", self.driver.get(&self.path("/window")));
                let view = json!({ "width": width, "height": height });
                let parameters = json!({ "context": tab, "viewport": view, "devicePixelRatio": f64::from(scale) });
                self.bidi(bidi, "browsingContext.setViewport", &parameters);
            }
        }
    }

    /// Prefers light or dark pages, and waits until the colours have changed.
    #[track_caller]
    pub fn set_dark(&self, dark: bool) {
        match &self.control {
            Control::DevTools => {
                let scheme = if dark { "dark" } else { "light" };
                let preference = json!({ "name": "prefers-color-scheme", "value": scheme });
                self.devtools("Emulation.setEmulatedMedia", &json!({ "features": [preference] }));
            }
            Control::Bidi(_) => {
                let value = if dark { 0 } else { 1 };
                self.set_preference("layout.css.prefers-color-scheme.content-override", value);
                // The page is notified a little after the script that set it ends.
                let told = "return matchMedia('(prefers-color-scheme: dark)').matches === arguments[0]";
                self.wait("the colours to change", crate::workbench::SOON, |page| {
                    (page.try_run(told, &[json!(dark)]).unwrap_or_default() == json!(true)).then_some(())
                });
            }
        }
        self.come_to_rest();
    }

    /// Changes a preference of Firefox while it runs.
    #[track_caller]
    fn set_preference(&self, name: &str, value: i32) {
        let context = |context: &str| {
            self.must(context, self.driver.post(&self.path("/moz/context"), &json!({ "context": context })));
        };
        context("chrome");
        self.run("Services.prefs.setIntPref(arguments[0], arguments[1])", &[json!(name), json!(value)]);
        context("content");
    }

    /// Returns a picture of the whole page, as PNG.
    #[track_caller]
    pub fn whole_page(&self) -> Option<Vec<u8>> {
        let picture = match &self.control {
            Control::DevTools => {
                let parameters = json!({ "captureBeyondViewport": true, "clip": self.extent() });
                self.devtools("Page.captureScreenshot", &parameters)["data"].take()
            }
            Control::Bidi(_) => self.driver.get(&self.path("/moz/screenshot/full")).ok()?,
        };
        base64::engine::general_purpose::STANDARD.decode(picture.as_str()?).ok()
    }

    fn extent(&self) -> Value {
        let script = "const e = document.documentElement;
            return { x: 0, y: 0, width: innerWidth, height: e.scrollHeight, scale: 1 }";
        self.run(script, &[])
    }

    /// Returns the console's messages since the last call. Firefox reports what scripts write and their errors.
    pub fn console(&self) -> Vec<String> {
        let line = |entry: &Value, text: &str| {
            let word = |name: &str| entry[name].as_str().unwrap_or_default();
            format!("{} {}", word("level"), word(text))
        };
        match &self.control {
            Control::DevTools => {
                let body = json!({ "type": "browser" });
                let entries = self.driver.post(&self.path("/se/log"), &body).unwrap_or_default();
                entries.as_array().into_iter().flatten().map(|entry| line(entry, "message")).collect()
            }
            Control::Bidi(bidi) => {
                let mut bidi = bidi.borrow_mut();
                // Events before this answer are read with it.
                let _ = bidi.ask("session.status", &json!({}));
                bidi.told().iter().map(|event| line(&event["params"], "text")).collect()
            }
        }
    }
}
