//! The views that fill the page, and their names in addresses and titles.

/// A view that fills the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Page {
    /// Restoring and translating a text.
    Workbench,
    /// The sign tree.
    Tree,
    /// Attention of the translator.
    Attention,
    /// The lessons.
    Learn,
    /// Training on the user's own corpus.
    Train,
    /// The models in the browser's storage.
    Models,
}

impl Page {
    /// Returns the view that a fragment names.
    pub fn named(fragment: &str) -> Self {
        let named = fragment.trim_start_matches('#').split('&').find_map(|pair| pair.strip_prefix("view="));
        match named {
            Some("tree") => Page::Tree,
            Some("attention") => Page::Attention,
            Some("learn") => Page::Learn,
            Some("train") => Page::Train,
            Some("models") => Page::Models,
            _ => Page::Workbench,
        }
    }

    /// Returns the name of the view in addresses; `None` for the workbench, whose address is that of its text.
    pub fn name(self) -> Option<&'static str> {
        match self {
            Page::Workbench => None,
            Page::Tree => Some("tree"),
            Page::Attention => Some("attention"),
            Page::Learn => Some("learn"),
            Page::Train => Some("train"),
            Page::Models => Some("models"),
        }
    }

    /// Returns the title of the view; `None` for the workbench, whose title is that of the document.
    pub fn title(self) -> Option<&'static str> {
        match self {
            Page::Workbench => None,
            Page::Tree => Some("Sign tree"),
            Page::Attention => Some("Attention"),
            Page::Learn => Some("Learn"),
            Page::Train => Some("Train"),
            Page::Models => Some("Models"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_view_is_found_by_its_name() {
        for page in [Page::Tree, Page::Attention, Page::Learn, Page::Train, Page::Models] {
            assert_eq!(page.name().map(|name| Page::named(&format!("#view={name}&device=cpu"))), Some(page));
        }
        assert_eq!(Page::named("#v=1&text=a"), Page::Workbench);
    }
}
