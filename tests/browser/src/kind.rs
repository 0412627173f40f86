//! The browsers that the tests know and how each is started: Chromium, or Firefox where `TUPPUM_BROWSER` is `firefox`.

use serde_json::{Value, json};
use std::ffi::OsString;
use std::path::Path;

/// Which browser.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Chromium or Chrome, by chromedriver; in it every test runs.
    Chromium,
    /// Firefox, by geckodriver; in it the main paths run.
    Firefox,
}

/// How the driver of a browser is started.
pub struct Program {
    /// Where it is, or its name.
    pub path: OsString,
    /// What it is told.
    pub arguments: &'static [&'static str],
    /// What to do where it is not there.
    pub way_out: &'static str,
}

impl Kind {
    /// The one that `TUPPUM_BROWSER` names, else Chromium.
    ///
    /// # Panics
    /// When it names another.
    pub fn chosen() -> Self {
        match std::env::var("TUPPUM_BROWSER").as_deref() {
            Err(_) | Ok("" | "chromium") => Self::Chromium,
            Ok("firefox") => Self::Firefox,
            Ok(other) => panic!("TUPPUM_BROWSER is `{other}`; it may be `chromium` or `firefox`"),
        }
    }

    /// Its driver, which chooses a free port itself.
    pub fn program(self) -> Program {
        // What Firefox is allowed at its start lets tests change preferences while it runs.
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

    /// What a new session is to be: headless, in this folder for its profile, with WebGPU on the software adapter or
    /// without.
    ///
    /// # Panics
    /// When WebGPU is asked of Firefox.
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
        // Debian's package has it on, and without a card it is slower.
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
        // Pages may read and write the clipboard without a question, which nobody would answer.
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
