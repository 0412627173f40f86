//! The browsers of the tests and their start options: Chromium, or Firefox if `TUPPUM_BROWSER` is `firefox`.

use serde_json::{Value, json};
use std::ffi::OsString;
use std::path::Path;

/// Kind of browser.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Chromium or Chrome, by chromedriver; runs every test.
    Chromium,
    /// Firefox, by geckodriver; runs the main paths.
    Firefox,
}

/// Program of a browser's driver.
pub struct Program {
    /// Path or name of the program.
    pub path: OsString,
    /// Command-line arguments of the program.
    pub arguments: &'static [&'static str],
    /// Advice for the case that the program is missing.
    pub way_out: &'static str,
}

impl Kind {
    /// Returns the browser that `TUPPUM_BROWSER` names, or Chromium.
    ///
    /// # Panics
    /// The variable names another browser.
    pub fn chosen() -> Self {
        match std::env::var("TUPPUM_BROWSER").as_deref() {
            Err(_) | Ok("" | "chromium") => Self::Chromium,
            Ok("firefox") => Self::Firefox,
            Ok(other) => panic!("TUPPUM_BROWSER is `{other}`; it may be `chromium` or `firefox`"),
        }
    }

    /// Returns the browser's driver, which chooses a free port itself.
    pub fn program(self) -> Program {
        // This start option lets tests change preferences while Firefox runs.
        let named = |variable: &str, name: &str| std::env::var_os(variable).unwrap_or_else(|| name.into());
        match self {
            Self::Chromium => Program {
                path: named("CHROMEDRIVER", "chromedriver"),
                arguments: &["--port=0"],
                way_out: "install chromium and chromium-driver, or set CHROMEDRIVER",
            },
            Self::Firefox => Program {
                path: named("GECKODRIVER", "geckodriver"),
                arguments: &["--port=0", "--websocket-port=0", "--allow-system-access"],
                way_out: "install firefox-esr, and geckodriver by cargo, or set FIREFOX and GECKODRIVER",
            },
        }
    }

    /// Returns the capabilities of a new session: headless, with this profile folder, with or without WebGPU on the
    /// software adapter.
    ///
    /// # Panics
    /// WebGPU is asked of Firefox.
    pub fn capabilities(self, profile: &Path, webgpu: bool) -> Value {
        let mut wanted = match self {
            Self::Chromium => chromium(profile, webgpu),
            Self::Firefox => {
                assert!(!webgpu, "Firefox has no software adapter for WebGPU: this test is Chromium's");
                firefox(profile)
            }
        };
        wanted["unhandledPromptBehavior"] = json!("ignore");
        wanted["timeouts"] = json!({ "script": 120_000, "pageLoad": 120_000 });
        json!({ "capabilities": { "alwaysMatch": wanted } })
    }
}

fn chromium(profile: &Path, webgpu: bool) -> Value {
    let mut arguments: Vec<String> = [
        "--headless=new",
        "--no-sandbox",
        "--disable-dev-shm-usage",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        // Debian's package turns GPU rasterisation on; without a card it is slower.
        "--disable-gpu-rasterization",
        "--window-size=1280,900",
        "--lang=en",
    ]
    .map(str::to_owned)
    .to_vec();
    arguments.push(format!("--user-data-dir={}", profile.display()));
    if webgpu {
        arguments.extend(["--enable-unsafe-webgpu".into(), "--use-webgpu-adapter=swiftshader".into()]);
    }
    let mut options = json!({ "args": arguments });
    if let Ok(program) = std::env::var("CHROMIUM") {
        options["binary"] = json!(program);
    }
    json!({ "browserName": "chrome", "goog:chromeOptions": options, "goog:loggingPrefs": { "browser": "ALL" } })
}

fn firefox(profile: &Path) -> Value {
    let arguments = json!(["-headless", "-no-remote", "-profile", profile.to_string_lossy()]);
    let preferences = json!({
        // Pages may use the clipboard without a question, which nobody would answer.
        "dom.events.testing.asyncClipboard": true,
        "dom.webgpu.enabled": false,
        "intl.accept_languages": "en",
    });
    let mut options = json!({ "args": arguments, "prefs": preferences });
    if let Ok(program) = std::env::var("FIREFOX") {
        options["binary"] = json!(program);
    }
    json!({ "browserName": "firefox", "moz:firefoxOptions": options, "webSocketUrl": true })
}
