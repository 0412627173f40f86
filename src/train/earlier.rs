//! The corpus or texts that others replaced, so that no button loses what the user typed or pasted.

use std::sync::Arc;

/// A corpus or texts that others replaced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Earlier {
    pub text: Arc<str>,
    /// Name of the file; empty for pasted text.
    pub file: String,
}

impl Earlier {
    /// Returns the text to remember when `next` replaces `present`, and `before` was remembered so far. An empty text
    /// and one that is equal to `next` are not remembered.
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
