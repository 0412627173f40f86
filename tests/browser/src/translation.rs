//! The translation card, as a user sees it.

use crate::browser::{Element, keys};
use crate::workbench::{ANSWERING, SOON, Workbench};
use serde_json::{Value, json};

/// Address parameters of the tiny random models on the CPU.
pub const TINY_TRANSLATOR: &str = "model=models/tiny/&translator=models/tiny-translator/&device=cpu";

/// A passage on the card.
#[derive(Clone, Debug, PartialEq)]
pub struct Passage {
    /// Labels of its lines.
    pub lines: String,
    /// Status: `current`, `outdated`, `unfinished` or `writing`.
    pub status: String,
    /// Text that the model read.
    pub source: String,
    /// English translation.
    pub english: String,
    /// Facts shown below the translation.
    pub facts: String,
}

impl Workbench {
    /// Returns the passages on the card.
    pub fn passages(&self) -> Vec<Passage> {
        let script = "return [...document.querySelectorAll('#translation .passage')].map(one => ({
            lines: one.dataset.lines, status: one.dataset.status, source: one.querySelector('.source').innerText,
            english: one.querySelector('.english').innerText, facts: one.querySelector('.passage-facts').innerText }))";
        let found = self.page.try_run(script, &[]).unwrap_or_default();
        let text = |one: &Value, name: &str| {
            one[name].as_str().unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ")
        };
        let passage = |one: &Value| Passage {
            lines: text(one, "lines"),
            status: text(one, "status"),
            source: text(one, "source"),
            english: text(one, "english"),
            facts: text(one, "facts"),
        };
        found.as_array().map(|all| all.iter().map(passage).collect()).unwrap_or_default()
    }

    /// Returns the English of all passages.
    pub fn english(&self) -> Vec<String> {
        self.passages().into_iter().map(|passage| passage.english).collect()
    }

    /// Returns `true` while the translator is being opened or translates.
    pub fn is_translating(&self) -> bool {
        let script = "return document.querySelector('#translate-progress, #translator-progress') !== null
            || document.querySelector('#translation[aria-busy=true]') !== null
            || !document.querySelector('#translate-stop').disabled";
        self.page.try_run(script, &[]).unwrap_or_default() == json!(true)
    }

    /// Presses Translate and waits until everything is translated.
    #[track_caller]
    pub fn translate(&self) -> Vec<Passage> {
        self.click("#translate");
        self.translated()
    }

    /// Waits until nothing is being translated any more.
    #[track_caller]
    pub fn translated(&self) -> Vec<Passage> {
        self.page.wait("a translation", ANSWERING, |_| {
            let trouble = self.shown("#translation-trouble");
            assert!(trouble.is_empty(), "the translator failed: {trouble}");
            // In this order: passages read after the end are final.
            if self.is_translating() {
                return None;
            }
            Some(self.passages()).filter(|passages| !passages.is_empty())
        })
    }

    /// Types a number into one of the folded settings.
    #[track_caller]
    pub fn set_number(&self, id: &str, number: &str) {
        self.unfold("#translate-settings");
        let field = self.page.select(&format!("#{id}"));
        self.reach(field.first().unwrap_or_else(|| panic!("there is no #{id}")));
        self.page.chord(keys::CONTROL, 'a');
        self.page.type_keys(&format!("{number}{}", keys::TAB));
    }

    /// Unfolds a part of the page.
    #[track_caller]
    pub fn unfold(&self, selector: &str) {
        let is_open = format!("return document.querySelector('{selector}')?.open === true");
        if self.page.run(&is_open, &[]) == json!(false) {
            let summary = self.page.wait(&format!("{selector} to unfold"), SOON, |page| {
                page.select(&format!("{selector} > summary")).into_iter().next()
            });
            self.reach(&summary);
        }
    }

    /// Clicks the first element of a selector, waiting a while for it.
    #[track_caller]
    pub fn click(&self, selector: &str) {
        let element = self.page.wait(selector, SOON, |page| page.select(selector).into_iter().next());
        self.reach(&element);
    }

    /// Scrolls to an element and clicks it, without smooth scrolling: the page would move under the mouse.
    #[track_caller]
    fn reach(&self, element: &Element) {
        let script = "document.documentElement.style.scrollBehavior = 'auto';
            arguments[0].scrollIntoView({ block: 'center' })";
        self.page.run(script, &[element.to_json()]);
        self.page.come_to_rest();
        self.page.click(element);
    }

    /// Writes the user's own wording of a passage (numbered from 1) and stores it.
    #[track_caller]
    pub fn word(&self, passage: usize, wording: &str) {
        self.click(&format!("#translation .passage:nth-child({passage}) .edit"));
        self.click("#translation .editing textarea");
        let field = self.page.the("textbox", "Your wording");
        self.page.paste(&field, wording);
        self.page.press("button", "Keep");
        self.page.wait("the user's wording", SOON, |_| {
            self.english().get(passage - 1).is_some_and(|english| english == wording).then_some(())
        });
    }

    /// Presses a copy button of the card and returns the clipboard's text.
    #[track_caller]
    pub fn copied(&self, button: &str) -> String {
        self.unfold("#translation-export");
        self.page.run("return navigator.clipboard.writeText('')", &[]);
        self.page.press("button", button);
        self.page.wait("something in the clipboard", SOON, |page| {
            Some(page.clipboard()).filter(|content| !content.is_empty())
        })
    }
}
