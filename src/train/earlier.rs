//! What another corpus, or other texts, took the place of: nothing that was typed or pasted is lost by a press of a
//! button.

use std::sync::Arc;

/// A corpus or texts as they were before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Earlier {
    /// As pasted, dropped or fetched.
    pub text: Arc<str>,
    /// Name of the file, or none.
    pub file: String,
}

impl Earlier {
    /// What is to be remembered when `next` takes the place of `present`: what was there, unless that was nothing, or
    /// is the same.
    pub fn of(present: Self, next: &str, before: Option<Self>) -> Option<Self> {
        match () {
            () if *present.text == *next => before,
            () if present.text.trim().is_empty() => before.filter(|before| *before.text != *next),
            () => Some(present),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Earlier;

    fn named(text: &str) -> Earlier {
        Earlier { text: text.into(), file: String::new() }
    }

    #[test]
    fn what_was_typed_is_remembered_until_something_else_was() {
        assert_eq!(Earlier::of(named("mine"), "sample", None), Some(named("mine")));
        assert_eq!(Earlier::of(named("mine"), "", None), Some(named("mine")), "clearing too");
        assert_eq!(Earlier::of(named(" "), "sample", Some(named("mine"))), Some(named("mine")), "nothing replaced");
        assert_eq!(Earlier::of(named("same"), "same", Some(named("mine"))), Some(named("mine")));
        assert_eq!(Earlier::of(named(""), "mine", Some(named("mine"))), None, "it is back");
        assert_eq!(Earlier::of(named("sample"), "mine", Some(named("mine"))), Some(named("sample")), "and forth");
    }
}
