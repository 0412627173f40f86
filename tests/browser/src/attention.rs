//! The page of attention maps, as a user sees it.

use crate::browser::{Browser, Setup};
use crate::site::Site;
use crate::workbench::{OPENING, SOON};
use serde_json::{Value, json};

/// Address parameters of the tiny random translator on the CPU.
pub const TINY_TRANSLATOR: &str = "view=attention&translator=models/tiny-translator/&device=cpu";

/// The open page.
pub struct Attention {
    /// Browser that shows the page.
    pub page: Browser,
}

impl Attention {
    /// Returns a site with the tiny translator beside the page.
    pub fn site() -> Site {
        let site = Site::of_the_page();
        site.mount("/models/tiny-translator/", &crate::workspace().join("tests/golden/tiny-translator"));
        site
    }

    /// Opens the maps and the tiny translator in a fresh browser; `more` are further parameters of the address.
    #[track_caller]
    pub fn open(setup: Setup, site: &Site, more: &str) -> Self {
        let page = setup.start();
        page.allow_clipboard(&site.origin());
        page.open(&site.url(&format!("{TINY_TRANSLATOR}{more}")));
        let maps = Self { page };
        maps.page.press("button", "Open the translator");
        maps.page.wait("the translator", OPENING, |_| {
            (maps.attribute("#attention-opening", "data-state") == "ready").then_some(())
        });
        maps.drawn();
        maps
    }

    /// Waits until the latest maps are drawn; returns the number of cells of each.
    #[track_caller]
    pub fn drawn(&self) -> [u64; 3] {
        self.page.wait("the maps to be drawn", OPENING, |page| {
            let script = "return document.querySelector('#attention-maps')?.ariaBusy === 'false'
                ? ['off', 'on', 'difference'].map(side =>
                    Number(document.querySelector('#attention-' + side)?.dataset.drawn ?? 0)) : null";
            let drawn = page.try_run(script, &[]).ok()?;
            let cells = [0, 1, 2].map(|place| drawn[place].as_u64().unwrap_or(0));
            (cells[0] > 0).then_some(cells)
        })
    }

    /// Returns an attribute of the first element of `selector`.
    pub fn attribute(&self, selector: &str, name: &str) -> String {
        let script = "return document.querySelector(arguments[0])?.getAttribute(arguments[1]) ?? ''";
        text(self.page.try_run(script, &[json!(selector), json!(name)]).unwrap_or_default())
    }

    /// Returns the text of the first element of `selector`, or an empty text.
    pub fn shown(&self, selector: &str) -> String {
        let script = "return document.querySelector(arguments[0])?.innerText ?? ''";
        text(self.page.try_run(script, &[json!(selector)]).unwrap_or_default())
    }

    /// Returns the sentence about the chosen cell, or about the cell under the pointer.
    pub fn value(&self) -> String {
        self.shown("#attention-value")
    }

    /// Waits until the sentence about a cell contains `wanted`.
    #[track_caller]
    pub fn says(&self, wanted: &str) -> String {
        self.page.wait(&format!("“{wanted}”"), SOON, |_| Some(self.value()).filter(|value| value.contains(wanted)))
    }

    /// Focuses a map.
    #[track_caller]
    pub fn focus(&self, id: &str) {
        self.page.run("document.querySelector(arguments[0]).focus()", &[json!(id)]);
    }

    /// Chooses an option of a menu as a user does.
    #[track_caller]
    pub fn choose(&self, id: &str, value: &str) {
        let script = "const menu = document.querySelector(arguments[0]); menu.value = arguments[1];
            menu.dispatchEvent(new Event('change', { bubbles: true }))";
        self.page.run(script, &[json!(id), json!(value)]);
    }

    /// Moves a slider.
    #[track_caller]
    pub fn slide(&self, id: &str, value: f64) {
        let script = "const slider = document.querySelector(arguments[0]); slider.value = arguments[1];
            slider.dispatchEvent(new Event('input', { bubbles: true }))";
        self.page.run(script, &[json!(id), json!(value)]);
    }

    /// Returns the rows of a table as text.
    pub fn rows(&self, selector: &str) -> Vec<String> {
        let script = "return [...document.querySelectorAll(arguments[0] + ' tbody tr')].map(row => row.innerText)";
        let rows = self.page.try_run(script, &[json!(selector)]).unwrap_or_default();
        rows.as_array().map(|rows| rows.iter().cloned().map(text).collect()).unwrap_or_default()
    }
}

fn text(value: Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}
