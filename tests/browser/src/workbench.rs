//! The workbench as a user sees it: what can be typed, pressed and read.

use crate::browser::{Browser, Element, Setup};
use crate::site::Site;
pub use crate::wait::SOON;
use serde_json::{Value, json};
use std::time::Duration;

/// Maximum time to open a model: the shipped one, on a busy machine.
pub const OPENING: Duration = Duration::from_secs(240);
/// Maximum time for an answer, on a busy machine.
pub const ANSWERING: Duration = Duration::from_secs(240);

/// Relative difference from the reference up to which a port counts as correct.
pub const SELF_TEST: f64 = 5e-4;

/// Address parameters of the tiny random model on the CPU.
pub const TINY_ON_CPU: &str = "model=models/tiny/&device=cpu";

/// An open page.
pub struct Workbench {
    /// Browser that shows the page.
    pub page: Browser,
}

/// The page's statement about its device.
#[derive(Debug)]
pub struct Statement {
    /// All text of the device dialog.
    pub text: String,
    /// Largest relative difference in the self-test.
    pub self_test: f64,
}

/// A proposed reading in the list.
#[derive(Clone, Debug, PartialEq)]
pub struct Offer {
    /// Text of its row.
    pub row: String,
    /// Reading as written on its button.
    pub written: String,
    /// Probability of the reading.
    pub probability: f64,
}

impl Workbench {
    /// Opens the page of `site` in a fresh browser, with access to the clipboard.
    #[track_caller]
    pub fn open(setup: Setup, site: &Site, fragment: &str) -> Self {
        let page = setup.start();
        page.allow_clipboard(&site.origin());
        page.open(&site.url(fragment));
        Self { page }
    }

    /// Returns the state of the engine: `opening`, `ready`, `failed`, `stopped`, or nothing while the page loads.
    pub fn engine(&self) -> String {
        self.data("#device", "engine")
    }

    fn data(&self, selector: &str, name: &str) -> String {
        let script = "return document.querySelector(arguments[0])?.dataset[arguments[1]] ?? ''";
        let value = self.page.try_run(script, &[json!(selector), json!(name)]).unwrap_or_default();
        value.as_str().unwrap_or_default().to_owned()
    }

    /// Presses “Fetch now” if the page offers to fetch the restorer. It offers that in a browser without the restorer,
    /// and fetches nothing unasked; a stored restorer opens by itself.
    #[track_caller]
    pub fn fetch_if_offered(&self) {
        let script = "return [...document.querySelectorAll('#restorer-fetch')].some(one => one.checkVisibility())";
        let offered = self.page.wait("the restorer to open or to be offered", OPENING, |page| {
            let offered = page.try_run(script, &[]).unwrap_or_default() == json!(true);
            (offered || ["opening", "ready", "failed"].contains(&self.engine().as_str())).then_some(offered)
        });
        if offered {
            self.page.press("button", "Fetch now");
        }
    }

    /// Waits until the engine is ready, its model fetched if necessary, and reads the page's statement about its
    /// device.
    #[track_caller]
    pub fn ready(&self) -> Statement {
        self.fetch_if_offered();
        self.page.wait("the engine to be ready", OPENING, |_| match self.engine().as_str() {
            "ready" => Some(()),
            "failed" => panic!("the engine could not start: {}", self.trouble()),
            _ => None,
        });
        self.page.press("button", "Ready, on the");
        let text = self.page.wait("the device dialog", SOON, |page| {
            let shown = page.try_run("return document.querySelector('dialog[open]')?.innerText", &[]).ok()?;
            shown.as_str().map(str::to_owned)
        });
        self.page.press("button", "Close");
        // A restarting worker redraws the masthead, and the press may have no effect.
        self.page.wait("the device dialog to be closed", SOON, |page| {
            let script = "const dialog = document.querySelector('dialog[open]');
                [...(dialog?.querySelectorAll('button') ?? [])].find(button => button.innerText === 'Close')?.click();
                return dialog === null";
            (page.try_run(script, &[]).unwrap_or_default() == json!(true)).then_some(())
        });
        let number = text.split_once("from the reference ").and_then(|(_, rest)| rest.split_whitespace().next());
        let self_test = number.and_then(|word| word.parse().ok()).unwrap_or(f64::NAN);
        println!("device: {}", text.replace('\n', " · "));
        Statement { text, self_test }
    }

    /// Waits until the engine has failed; returns the text of the failure panel.
    #[track_caller]
    pub fn failed(&self) -> String {
        self.fetch_if_offered();
        self.page.wait("a failure panel", OPENING, |_| Some(self.trouble()).filter(|text| !text.is_empty()))
    }

    /// Returns the text of the failure panel.
    pub fn trouble(&self) -> String {
        self.shown("#trouble")
    }

    /// Returns the text of the first element of `selector`, or an empty text.
    pub fn shown(&self, selector: &str) -> String {
        let script = "return document.querySelector(arguments[0])?.innerText ?? ''";
        let value = self.page.try_run(script, &[json!(selector)]).unwrap_or_default();
        value.as_str().unwrap_or_default().to_owned()
    }

    /// Returns the text field.
    #[track_caller]
    pub fn field(&self) -> Element {
        self.page.the("textbox", "Transliteration")
    }

    /// Returns the content of the text field.
    #[track_caller]
    pub fn text(&self) -> String {
        self.page.value_of(&self.field())
    }

    /// Pastes a text in place of the present one.
    #[track_caller]
    pub fn write(&self, text: &str) {
        self.page.paste(&self.field(), text);
    }

    /// Presses Restore and waits for the engine's complete answer.
    #[track_caller]
    pub fn restore(&self) -> Vec<Offer> {
        self.page.press("button", "Restore");
        self.answered()
    }

    /// Waits until the engine's complete answer is on the page.
    #[track_caller]
    pub fn answered(&self) -> Vec<Offer> {
        self.page.wait("an answer of the engine", ANSWERING, |_| {
            let trouble = self.trouble();
            assert!(trouble.is_empty(), "the engine failed: {trouble}");
            let offers = self.offers();
            (!self.is_busy() && self.data("#proposals", "origin") == "engine" && !offers.is_empty()).then_some(offers)
        })
    }

    /// Returns `true` while a job runs.
    pub fn is_computing(&self) -> bool {
        self.page.try_run("return document.querySelector('#job-progress') !== null", &[]).unwrap_or_default()
            == json!(true)
    }

    /// Returns `true` while a job runs, or while outdated results are shown.
    pub fn is_busy(&self) -> bool {
        let script = "return document.querySelector('#job-progress, [aria-busy=true], .standing.stale') !== null";
        self.page.try_run(script, &[]).unwrap_or_default() == json!(true)
    }

    /// Accepts the proposal of this rank and waits until the other gaps have been computed again.
    #[track_caller]
    pub fn accept(&self, rank: usize) {
        let before = self.accepted();
        let buttons = self.page.select(&format!("#proposals tr[data-rank='{rank}'] button.reading"));
        self.page.click(buttons.first().unwrap_or_else(|| panic!("there is no proposal {rank}")));
        self.page.wait("the accepted reading", SOON, |_| (self.accepted() > before).then_some(()));
        self.settled();
    }

    /// Returns the number of filled gaps.
    pub fn accepted(&self) -> usize {
        self.page
            .try_run("return document.querySelectorAll('#reading .accepted').length", &[])
            .unwrap_or_default()
            .as_u64()
            .unwrap_or(0) as usize
    }

    /// Waits until nothing is being computed and nothing outdated is shown.
    #[track_caller]
    pub fn settled(&self) {
        self.page.wait("the rest to be asked again", ANSWERING, |_| (!self.is_busy()).then_some(()));
    }

    /// Returns the text of the remarks.
    pub fn remarks(&self) -> String {
        self.shown("#remarks")
    }

    /// Returns the proposals for the selected gap.
    pub fn offers(&self) -> Vec<Offer> {
        let script = "return [...document.querySelectorAll('#proposals tr[data-rank]')].map(row => ({
            row: row.innerText,
            written: row.querySelector('button')?.innerText ?? '',
            probability: Number(
                (row.closest('[data-probability]') ?? row.querySelector('[data-probability]'))?.dataset.probability),
        }))";
        let rows = self.page.try_run(script, &[]).unwrap_or_default();
        let text = |row: &Value, field: &str| row[field].as_str().unwrap_or_default().trim().replace(['\n', '\t'], " ");
        let offer = |row: &Value| Offer {
            row: text(row, "row"),
            written: text(row, "written"),
            probability: row["probability"].as_f64().unwrap_or(f64::NAN),
        };
        rows.as_array().map(|rows| rows.iter().map(offer).collect()).unwrap_or_default()
    }

    /// Returns the joint restorations of all gaps, best first.
    pub fn joint(&self) -> Vec<String> {
        let script = "return [...document.querySelectorAll('#joint tr[data-rank]')].map(row => row.innerText)";
        let rows = self.page.try_run(script, &[]).unwrap_or_default();
        let row = |row: &Value| row.as_str().unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ");
        rows.as_array().map(|rows| rows.iter().map(row).collect()).unwrap_or_default()
    }

    /// Waits until the visible text contains `wanted`.
    #[track_caller]
    pub fn sees(&self, wanted: &str) {
        self.page.wait(&format!("“{wanted}” on the page"), SOON, |page| {
            page.visible_text().contains(wanted).then_some(())
        });
    }

    /// Waits until the service worker has stored everything that the page needs without a network.
    #[track_caller]
    pub fn kept_for_offline(&self) {
        let script = "return navigator.serviceWorker.getRegistration().then(at => at?.active?.state ?? '')";
        self.page.wait("the service worker", OPENING, |page| {
            (page.try_run(script, &[]).unwrap_or_default() == json!("activated")).then_some(())
        });
    }
}

/// Returns `true` if a text contains cuneiform signs.
pub fn has_glyph(text: &str) -> bool {
    text.chars().any(|sign| ('\u{12000}'..='\u{1254f}').contains(&sign))
}
