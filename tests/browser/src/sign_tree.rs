//! The sign tree, as a user sees it.

use crate::browser::{Browser, Setup};
use crate::scripts::CONTRAST;
use crate::site::Site;
use crate::workbench::{ANSWERING, SOON};
use serde_json::{Value, json};

/// The open page of the sign tree.
pub struct SignTree {
    /// Browser that shows the page.
    pub page: Browser,
}

impl SignTree {
    /// Opens the tree in a fresh browser; `more` are further parameters of the address.
    #[track_caller]
    pub fn open(setup: Setup, site: &Site, more: &str) -> Self {
        let page = setup.start();
        page.allow_clipboard(&site.origin());
        page.open(&site.url(&format!("view=tree{more}")));
        let tree = Self { page };
        tree.drawn();
        tree
    }

    /// Waits until nodes are drawn; returns their number.
    #[track_caller]
    pub fn drawn(&self) -> u64 {
        self.page.wait("the tree to be drawn", SOON, |_| self.data("drawn").parse().ok().filter(|count| *count > 0))
    }

    /// Returns a `data-` attribute of the disk.
    pub fn data(&self, name: &str) -> String {
        self.data_of("#disk", name)
    }

    /// Returns the labels from below the root to the chosen node, separated by `/`.
    pub fn chosen(&self) -> String {
        self.data("chosen")
    }

    /// Waits until the animation in the card of this selector is in `state`.
    #[track_caller]
    pub fn run_ends(&self, card: &str, state: &str) {
        let of_card = || self.data_of(card, "state");
        self.page.wait(&format!("the state {state}"), ANSWERING, |_| (of_card() == state).then_some(()));
    }

    /// Returns a `data-` attribute of the first element of `selector`.
    pub fn data_of(&self, selector: &str, name: &str) -> String {
        let script = "return document.querySelector(arguments[0])?.getAttribute('data-' + arguments[1]) ?? ''";
        text(self.page.try_run(script, &[json!(selector), json!(name)]).unwrap_or_default())
    }

    /// Checks that all letters have enough contrast in light and dark, and that a phone needs no sideways scrolling.
    #[track_caller]
    pub fn is_legible(&self) {
        for dark in [false, true] {
            self.page.set_dark(dark);
            assert_eq!(self.page.run(CONTRAST, &[]), json!([]), "too little contrast ({dark})");
        }
        self.page.set_screen(390, 844, true);
        self.page.come_to_rest();
        let wide = self.page.run("return document.documentElement.scrollWidth", &[]);
        assert!(wide.as_u64().is_some_and(|wide| wide <= 390), "{wide} pixels wide on a phone");
    }

    /// Returns the text of the first element of `selector`, or an empty text.
    pub fn shown(&self, selector: &str) -> String {
        let script = "return document.querySelector(arguments[0])?.innerText ?? ''";
        text(self.page.try_run(script, &[json!(selector)]).unwrap_or_default())
    }

    /// Waits until the node with this path is the chosen one.
    #[track_caller]
    pub fn chooses(&self, path: &str) {
        self.page.wait(&format!("{path} to be chosen"), SOON, |_| (self.chosen() == path).then_some(()));
    }

    /// Returns the distance of the chosen node from the middle.
    pub fn from_middle(&self) -> f64 {
        self.shown("#from-middle").parse().unwrap_or(f64::NAN)
    }

    /// Waits until the chosen node is in the middle.
    #[track_caller]
    pub fn centred(&self) {
        self.page.wait("the chosen node in the middle", SOON, |_| (self.from_middle() == 0.0).then_some(()));
    }

    /// Types into the search field in place of its content.
    #[track_caller]
    pub fn search(&self, query: &str) {
        let field = self.page.the("textbox", "Find a sign");
        self.page.paste(&field, query);
    }

    /// Returns the results of the search.
    pub fn results(&self) -> Vec<String> {
        let script = "return [...document.querySelectorAll('#tree-results li')].map(row => row.innerText)";
        let rows = self.page.try_run(script, &[]).unwrap_or_default();
        rows.as_array().map(|rows| rows.iter().cloned().map(text).collect()).unwrap_or_default()
    }

    /// Focuses the disk.
    #[track_caller]
    pub fn focus(&self) {
        self.page.run("document.querySelector('#disk').focus()", &[]);
    }

    /// Returns the position of the disk's middle in the window, and half of its shorter side.
    #[track_caller]
    pub fn middle(&self) -> (i64, i64, i64) {
        let script = "const disk = document.querySelector('#disk');
            disk.scrollIntoView({ block: 'center', behavior: 'instant' });
            const a = disk.getBoundingClientRect();
            return [a.x + a.width / 2, a.y + a.height / 2, Math.min(a.width, a.height) / 2].map(Math.round)";
        let places = self.page.run(script, &[]);
        let place = |number: usize| places[number].as_i64().expect("a place in the window");
        (place(0), place(1), place(2))
    }

    /// Drags the disk from its middle by these pixels, in ten steps as a hand does.
    #[track_caller]
    pub fn drag(&self, across: i64, along: i64) {
        let (x, y, _) = self.middle();
        let mut steps = vec![to(x, y), json!({ "type": "pointerDown", "button": 0 })];
        steps.extend((1..=10).map(|part| to(x + across * part / 10, y + along * part / 10)));
        steps.push(json!({ "type": "pointerUp", "button": 0 }));
        self.page.mouse(&steps);
    }
}

/// Returns a movement of the mouse to a place in the window.
pub fn to(x: i64, y: i64) -> Value {
    json!({ "type": "pointerMove", "duration": 0, "origin": "viewport", "x": x, "y": y })
}

fn text(value: Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}
