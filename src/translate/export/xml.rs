//! Writer of XML 1.0: every element is closed, text and attributes are escaped.

use std::fmt::Write;

/// XML document being written.
#[derive(Default)]
pub struct Xml {
    text: String,
    open: Vec<&'static str>,
}

impl Xml {
    /// Returns a document with its XML declaration.
    pub fn new() -> Self {
        Self { text: "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n".into(), open: Vec::new() }
    }

    /// Opens an element.
    pub fn open(&mut self, name: &'static str, attributes: &[(&str, &str)]) {
        self.tag(name, attributes, ">");
        self.open.push(name);
    }

    /// Closes the innermost open element.
    pub fn close(&mut self) {
        if let Some(name) = self.open.pop() {
            // Writing to a `String` never fails.
            let _ = write!(self.text, "</{name}>");
        }
    }

    /// Writes an empty element.
    pub fn empty(&mut self, name: &'static str, attributes: &[(&str, &str)]) {
        self.tag(name, attributes, "/>");
    }

    /// Writes an element with text in it.
    pub fn element(&mut self, name: &'static str, attributes: &[(&str, &str)], text: &str) {
        self.open(name, attributes);
        self.text(text);
        self.close();
    }

    /// Writes text, escaped.
    pub fn text(&mut self, text: &str) {
        self.text.push_str(&escaped(text));
    }

    /// Writes a line break between elements, where white space has no meaning, and indents the next line.
    pub fn line(&mut self) {
        self.text.push('\n');
        self.text.extend(std::iter::repeat_n("  ", self.open.len()));
    }

    /// Closes all open elements and returns the document.
    pub fn finish(mut self) -> String {
        while !self.open.is_empty() {
            self.close();
        }
        self.text.push('\n');
        self.text
    }

    fn tag(&mut self, name: &str, attributes: &[(&str, &str)], end: &str) {
        self.text.push('<');
        self.text.push_str(name);
        for (attribute, value) in attributes {
            let _ = write!(self.text, " {attribute}=\"{}\"", escaped(value));
        }
        self.text.push_str(end);
    }
}

/// Returns text escaped for an element or an attribute. Characters that XML 1.0 forbids become U+FFFD.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\t' | '\n' => out.push(letter),
            '\u{0}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            _ => out.push(letter),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_close_and_text_is_escaped() {
        let mut xml = Xml::new();
        xml.open("a", &[("n", "1 < \"2\"")]);
        xml.empty("b", &[]);
        xml.element("c", &[], "x & y\u{1}");
        let written = xml.finish();
        assert!(written.ends_with("<a n=\"1 &lt; &quot;2&quot;\"><b/><c>x &amp; y\u{fffd}</c></a>\n"), "{written}");
    }
}
