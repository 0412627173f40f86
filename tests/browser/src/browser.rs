//! One headless browser with its own profile. Its functions panic where a user would give up, and name what was looked
//! for. After a failed test it saves a screenshot, the page's text and the console.

use crate::control::Control;
use crate::driver::{Driver, DriverError, ELEMENT, element_value};
use crate::kind::Kind;
use crate::wait::{self, SOON};
use base64::Engine;
use serde_json::{Value, json};
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Lock that gives each test of a program a browser to itself; another program may run one at the same time.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

/// Number of letters of a failed page's text that are printed; the whole text is written to a file.
const SHOWN: usize = 1_500;

/// Script that scrolls an element into view and returns whether it stays in place for two frames: a click goes to a
/// place, and would miss an element that a late line of text pushes away. A page that draws no frames is judged after a
/// quarter of a second. Scrolling is immediate: on a long page, smooth scrolling would start again at every attempt.
const AT_REST: &str = r"
const [element] = arguments;
element.scrollIntoView({ block: 'nearest', behavior: 'instant' });
const place = () => { const { x, y } = element.getBoundingClientRect(); return `${Math.round(x)},${Math.round(y)}`; };
const first = place();
return new Promise(done => {
  const judge = () => done(element.isConnected && place() === first);
  requestAnimationFrame(() => requestAnimationFrame(judge));
  setTimeout(judge, 250);
});
";

static PROFILES: AtomicUsize = AtomicUsize::new(0);

/// Options with which a browser is started.
pub struct Setup {
    name: &'static str,
    webgpu: bool,
    scripts: Vec<&'static str>,
}

/// A browser, closed on drop.
pub struct Browser {
    name: &'static str,
    pub(crate) driver: Driver,
    pub(crate) control: Control,
    session: String,
    profile: PathBuf,
    _turn: MutexGuard<'static, ()>,
}

/// An element of the page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Element(String);

impl Element {
    /// Returns the element as an argument of a script.
    pub fn to_json(&self) -> Value {
        element_value(&self.0)
    }
}

impl Setup {
    /// Returns options for a browser without WebGPU, of desktop size; `name` names the files saved after a failure.
    pub fn new(name: &'static str) -> Self {
        Self { name, webgpu: false, scripts: Vec::new() }
    }

    /// Turns on WebGPU with the software adapter, which Chromium has.
    pub fn with_webgpu(mut self) -> Self {
        self.webgpu = true;
        self
    }

    /// Runs `script` in every page before the page's own.
    pub fn with_script(mut self, script: &'static str) -> Self {
        self.scripts.push(script);
        self
    }

    /// Starts the browser, after this program's previous one has ended.
    ///
    /// # Panics
    /// The browser or its driver cannot be started.
    #[track_caller]
    pub fn start(self) -> Browser {
        let turn = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
        let number = PROFILES.fetch_add(1, Ordering::Relaxed);
        std::fs::create_dir_all(crate::evidence()).expect("a folder for what failed tests leave");
        let profile = crate::profiles().join(format!("profile-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&profile).expect("a folder for the profile of the browser");
        let profile = profile.canonicalize().expect("the folder just created");
        let kind = Kind::chosen();
        let driver = Driver::start(kind).unwrap_or_else(|error| panic!("no browser: {error}"));
        let answer = driver
            .post("/session", &kind.capabilities(&profile, self.webgpu))
            .unwrap_or_else(|error| panic!("{kind:?} did not start: {error}"));
        let session = answer.get("sessionId").and_then(Value::as_str).expect("a new session has a name").to_owned();
        let control = Control::of(kind, &answer).unwrap_or_else(|error| {
            let _ = driver.delete(&format!("/session/{session}"));
            panic!("{kind:?} cannot be told: {error}")
        });
        let browser = Browser { name: self.name, driver, control, session, profile, _turn: turn };
        if kind == Kind::Firefox {
            // Chromium has this size from its start.
            browser.set_screen(1280, 900, false);
        }
        for script in &self.scripts {
            browser.before_every_page(script);
        }
        browser
    }
}

impl Browser {
    /// Returns the folder of the profile, as the browser's process names it.
    pub(crate) fn profile_folder(&self) -> &str {
        self.profile.to_str().unwrap_or_default()
    }

    pub(crate) fn path(&self, rest: &str) -> String {
        format!("/session/{}{rest}", self.session)
    }

    #[track_caller]
    pub(crate) fn must(&self, what: &str, answer: Result<Value, DriverError>) -> Value {
        answer.unwrap_or_else(|error| panic!("{what}: {error}"))
    }

    /// Opens an address, as if typed into the address bar.
    #[track_caller]
    pub fn open(&self, url: &str) {
        self.must(&format!("opening {url}"), self.driver.post(&self.path("/url"), &json!({ "url": url })));
    }

    /// Returns the address of the page.
    #[track_caller]
    pub fn address(&self) -> String {
        text(&self.must("the address", self.driver.get(&self.path("/url"))))
    }

    /// Runs the body of a JavaScript function in the page and returns its result.
    #[track_caller]
    pub fn run(&self, script: &str, arguments: &[Value]) -> Value {
        self.must(&format!("running {script:.60}"), self.try_run(script, arguments))
    }

    /// Runs the body of a JavaScript function; returns an error if the page is just being replaced by another document.
    pub fn try_run(&self, script: &str, arguments: &[Value]) -> Result<Value, DriverError> {
        self.driver.post(&self.path("/execute/sync"), &json!({ "script": script, "args": arguments }))
    }

    /// Waits until `look` finds something; while the document is being replaced it counts as not found.
    #[track_caller]
    pub fn wait<T>(&self, what: &str, limit: Duration, mut look: impl FnMut(&Self) -> Option<T>) -> T {
        match wait::until(limit, || look(self)) {
            Some(found) => found,
            None => panic!("waited {} s in vain for {what}", limit.as_secs()),
        }
    }

    /// Returns every visible element with this role whose accessible name contains `name`, ignoring case.
    pub fn all(&self, role: &str, name: &str) -> Vec<Element> {
        self.look(role, name, false)
    }

    fn look(&self, role: &str, name: &str, exact: bool) -> Vec<Element> {
        let found = self.try_run(include_str!("probe.js"), &[json!(role), json!(name), json!(exact)]);
        elements(&found.unwrap_or_default())
    }

    /// Returns the first visible element with this role and name, and waits for it; an exact name takes precedence.
    #[track_caller]
    pub fn the(&self, role: &str, name: &str) -> Element {
        self.wait(&format!("a {role} named “{name}”"), SOON, |page| {
            page.look(role, name, true).into_iter().chain(page.all(role, name)).next()
        })
    }

    /// Clicks an element as the mouse does: scrolled into view, once it stands still, and only if nothing covers it.
    #[track_caller]
    pub fn click(&self, element: &Element) {
        // If the element has gone, the click itself reports it.
        let moves = || self.try_run(AT_REST, &[element.to_json()]).is_ok_and(|rests| rests == false);
        assert!(
            wait::until(SOON, || (!moves()).then_some(())).is_some(),
            "what was to be clicked does not stand still"
        );
        let path = self.path(&format!("/element/{}/click", element.0));
        self.must("a click", self.driver.post(&path, &json!({})));
    }

    /// Clicks the element with this role and name. If the page redraws it meanwhile, it is looked up again.
    #[track_caller]
    pub fn press(&self, role: &str, name: &str) {
        let mut last = None;
        let pressed = wait::until(SOON, || {
            let element = self.look(role, name, true).into_iter().chain(self.all(role, name)).next()?;
            if self.try_run(AT_REST, &[element.to_json()]).ok()? != true {
                last = Some("it would not stay in one place".into());
                return None;
            }
            let path = self.path(&format!("/element/{}/click", element.0));
            self.driver.post(&path, &json!({})).map_err(|error| last = Some(error.to_string())).ok()
        });
        assert!(
            pressed.is_some(),
            "no {role} named “{name}” could be pressed: {}",
            last.unwrap_or_else(|| "none is visible".into())
        );
    }

    /// Returns the accessible name of an element, as the browser computes it.
    #[track_caller]
    pub fn name_of(&self, element: &Element) -> String {
        text(&self.must("a name", self.driver.get(&self.path(&format!("/element/{}/computedlabel", element.0)))))
    }

    /// Returns the role of an element, as the browser computes it.
    #[track_caller]
    pub fn role_of(&self, element: &Element) -> String {
        text(&self.must("a role", self.driver.get(&self.path(&format!("/element/{}/computedrole", element.0)))))
    }

    /// Returns elements by CSS selector, for checks of the whole page.
    #[track_caller]
    pub fn select(&self, selector: &str) -> Vec<Element> {
        elements(&self.run("return [...document.querySelectorAll(arguments[0])]", &[json!(selector)]))
    }

    /// Returns the visible text of an element.
    #[track_caller]
    pub fn text_of(&self, element: &Element) -> String {
        text(&self.run("return arguments[0].innerText", &[element.to_json()]))
    }

    /// Returns `true` if an element is enabled.
    #[track_caller]
    pub fn is_enabled(&self, element: &Element) -> bool {
        self.run("return !arguments[0].disabled && arguments[0].ariaDisabled !== 'true'", &[element.to_json()])
            == json!(true)
    }

    /// Returns the content of a text field.
    #[track_caller]
    pub fn value_of(&self, element: &Element) -> String {
        text(&self.run("return arguments[0].value", &[element.to_json()]))
    }

    /// Returns all visible text.
    pub fn visible_text(&self) -> String {
        self.try_run("return document.body ? document.body.innerText : ''", &[])
            .map(|value| text(&value))
            .unwrap_or_default()
    }

    /// Types into the focused element. `keys` are characters or WebDriver's private codes (`crate::browser::keys`).
    #[track_caller]
    pub fn type_keys(&self, keys: &str) {
        let mut actions = Vec::new();
        for key in keys.chars() {
            actions.push(json!({ "type": "keyDown", "value": key }));
            actions.push(json!({ "type": "keyUp", "value": key }));
        }
        self.keyboard(&actions);
    }

    /// Holds `held` while pressing `key`.
    #[track_caller]
    pub fn chord(&self, held: char, key: char) {
        let step = |kind: &str, value: char| json!({ "type": kind, "value": value });
        self.keyboard(&[step("keyDown", held), step("keyDown", key), step("keyUp", key), step("keyUp", held)]);
    }

    #[track_caller]
    fn keyboard(&self, actions: &[Value]) {
        let body = json!({ "actions": [{ "type": "key", "id": "keyboard", "actions": actions }] });
        self.must("the keyboard", self.driver.post(&self.path("/actions"), &body));
    }

    /// Moves and presses the mouse by WebDriver's pointer actions, with coordinates in pixels of the window.
    #[track_caller]
    pub fn mouse(&self, steps: &[Value]) {
        let mouse =
            json!({ "type": "pointer", "id": "mouse", "parameters": { "pointerType": "mouse" }, "actions": steps });
        self.must("the mouse", self.driver.post(&self.path("/actions"), &json!({ "actions": [mouse] })));
    }

    /// Turns the wheel at a place in the window, down by `down` pixels.
    #[track_caller]
    pub fn turn_wheel(&self, x: i64, y: i64, down: i64) {
        let turn = json!({ "type": "scroll", "origin": "viewport", "x": x, "y": y, "deltaX": 0, "deltaY": down,
            "duration": 0 });
        let wheel = json!({ "type": "wheel", "id": "wheel", "actions": [turn] });
        self.must("the wheel", self.driver.post(&self.path("/actions"), &json!({ "actions": [wheel] })));
    }

    /// Returns the text in the clipboard.
    #[track_caller]
    pub fn clipboard(&self) -> String {
        text(&self.run("return navigator.clipboard.readText()", &[]))
    }

    /// Pastes `content` into `field` in place of its content.
    #[track_caller]
    pub fn paste(&self, field: &Element, content: &str) {
        self.run("return navigator.clipboard.writeText(arguments[0])", &[json!(content)]);
        self.click(field);
        self.chord(keys::CONTROL, 'a');
        self.chord(keys::CONTROL, 'v');
    }

    /// Selects a file in a file field, as the browser's own dialog would.
    #[track_caller]
    pub fn pick_file(&self, field: &Element, file: &std::path::Path) {
        let path = self.path(&format!("/element/{}/value", field.0));
        self.must("picking a file", self.driver.post(&path, &json!({ "text": file.to_string_lossy() })));
    }

    /// Opens another tab and switches to it; returns the handle of the previous tab.
    #[track_caller]
    pub fn new_tab(&self) -> String {
        let before = text(&self.must("this tab", self.driver.get(&self.path("/window"))));
        let tab = self.must("a new tab", self.driver.post(&self.path("/window/new"), &json!({ "type": "tab" })));
        self.go_to_tab(tab.get("handle").and_then(Value::as_str).unwrap_or_default());
        before
    }

    /// Returns the handles of all tabs.
    #[track_caller]
    pub fn tabs(&self) -> Vec<String> {
        let tabs = self.must("the tabs", self.driver.get(&self.path("/window/handles")));
        tabs.as_array().map(|tabs| tabs.iter().map(text).collect()).unwrap_or_default()
    }

    /// Switches to a tab by its handle.
    #[track_caller]
    pub fn go_to_tab(&self, tab: &str) {
        self.must("another tab", self.driver.post(&self.path("/window"), &json!({ "handle": tab })));
    }

    /// Waits until typefaces are loaded and all transitions are over; a transition begins with the next frame.
    #[track_caller]
    pub fn come_to_rest(&self) {
        let script = "const frame = () => new Promise(next => requestAnimationFrame(next));
            return document.fonts.ready.then(frame).then(frame)
                .then(() => Promise.allSettled(document.getAnimations().map(one => one.finished))).then(() => true)";
        self.run(script, &[]);
    }

    /// Waits until the page has not moved for ten frames: browsers scroll smoothly after a turn of the wheel.
    #[track_caller]
    pub fn scrolled_to_rest(&self) {
        let script = "return new Promise(done => {
            let [place, still] = [scrollY, 0];
            const frame = () => {
                still = scrollY === place ? still + 1 : 0;
                place = scrollY;
                still >= 10 ? done(true) : requestAnimationFrame(frame);
            };
            requestAnimationFrame(frame);
        })";
        self.run(script, &[]);
    }

    /// Returns a picture of the visible part of the page, as PNG.
    pub fn screenshot(&self) -> Option<Vec<u8>> {
        let picture = self.driver.get(&self.path("/screenshot")).ok()?;
        base64::engine::general_purpose::STANDARD.decode(picture.as_str()?).ok()
    }

    fn leave_evidence(&self) {
        let folder = crate::evidence();
        let picture = folder.join(format!("{}.png", self.name));
        if let Some(bytes) = self.screenshot() {
            let _ = std::fs::write(&picture, bytes);
        }
        let seen = format!("{}\n\nconsole:\n{}\n", self.visible_text(), self.console().join("\n"));
        let _ = std::fs::write(folder.join(format!("{}.txt", self.name)), &seen);
        let beginning: String = seen.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(SHOWN).collect();
        eprintln!("--- {} failed; all it saw is beside {}:\n{beginning}\n---", self.name, picture.display());
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.leave_evidence();
        }
        let _ = self.driver.delete(&self.path(""));
        let _ = std::fs::remove_dir_all(&self.profile);
    }
}

/// Keys without a character, as WebDriver's private codes.
pub mod keys {
    /// Control.
    pub const CONTROL: char = '\u{e009}';
    /// Shift.
    pub const SHIFT: char = '\u{e008}';
    /// Enter.
    pub const ENTER: char = '\u{e007}';
    /// Tab.
    pub const TAB: char = '\u{e004}';
    /// Escape.
    pub const ESCAPE: char = '\u{e00c}';
    /// Home.
    pub const HOME: char = '\u{e011}';
    /// End.
    pub const END: char = '\u{e010}';
    /// Arrow down.
    pub const DOWN: char = '\u{e015}';
    /// Arrow up.
    pub const UP: char = '\u{e013}';
    /// Arrow right.
    pub const RIGHT: char = '\u{e014}';
    /// Arrow left.
    pub const LEFT: char = '\u{e012}';
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn elements(value: &Value) -> Vec<Element> {
    let found = value.as_array().map(Vec::as_slice).unwrap_or_default();
    found.iter().filter_map(|entry| entry.get(ELEMENT)?.as_str().map(|id| Element(id.to_owned()))).collect()
}
