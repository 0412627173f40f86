//! The cards of the models as pages: a server sends Markdown as plain text, often without its encoding.

use crate::files::{files, read_text, write};
use crate::places;
use crate::precache::short_hash;
use crate::run::Outcome;
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd, html};
use std::path::Path;

/// Name of a card in the folder of its model.
const SOURCE: &str = "README.md";
/// The page made of it, in the same folder.
pub const CARD: &str = "card.html";
/// Styles that only the pages of cards have.
const STYLE: &str = "style/card.css";
/// Beginnings of the names of the page's styles that a card needs too.
const STYLES: [&str; 2] = ["fonts-", "base-"];

/// Writes a page beside every model's card in a built folder.
pub fn write_all(dist: &Path) -> Outcome<()> {
    let own = read_text(&places::project().join(STYLE))?;
    let name = format!("card-{}.css", short_hash(own.as_bytes()));
    write(&dist.join(&name), own)?;
    let mut styles: Vec<String> =
        names(dist).filter(|name| STYLES.iter().any(|style| name.starts_with(style))).collect();
    styles.push(name);
    for source in files(&dist.join("models")).iter().filter(|file| file.ends_with(SOURCE)) {
        write(&source.with_file_name(CARD), page(&read_text(source)?, &styles))?;
    }
    Ok(())
}

/// The names of the styles beside the page.
fn names(dist: &Path) -> impl Iterator<Item = String> {
    let all = files(dist).into_iter().filter(|file| file.extension().is_some_and(|kind| kind == "css"));
    all.filter_map(|file| Some(file.file_name()?.to_string_lossy().into_owned()))
}

/// A card as a page that lies two folders below the application.
fn page(markdown: &str, styles: &[String]) -> String {
    let title = markdown.lines().find_map(|line| line.strip_prefix("# ")).unwrap_or("Model card");
    let styles: String =
        styles.iter().map(|name| format!("    <link rel=\"stylesheet\" href=\"../../{name}\" />\n")).collect();
    let mut body = String::new();
    html::push_html(&mut body, scrolled(linked(Parser::new_ext(markdown, Options::ENABLE_TABLES))));
    format!(
        "<!doctype html>\n<html lang=\"en\">\n  <head>\n    <meta charset=\"utf-8\" />\n    <meta name=\"viewport\" \
         content=\"width=device-width, initial-scale=1\" />\n    <meta http-equiv=\"Content-Security-Policy\" \
         content=\"default-src 'none'; style-src 'self'; font-src 'self'; img-src 'self'\" />\n    <meta \
         name=\"color-scheme\" content=\"light dark\" />\n    <title>{title} · Tuppum</title>\n    <link rel=\"icon\" \
         type=\"image/svg+xml\" href=\"../../icons/tablet.svg\" />\n{styles}  </head>\n  <body \
         class=\"card-page\">\n    <nav><a href=\"../../\">Back to Tuppum</a></nav>\n    <main>\n{body}    \
         </main>\n  </body>\n</html>\n"
    )
}

/// Leaves the text of links that lead out of what is served, into the project, and takes the links away.
fn linked<'a>(events: impl Iterator<Item = Event<'a>>) -> impl Iterator<Item = Event<'a>> {
    let mut outside = false;
    events.filter(move |event| match event {
        Event::Start(Tag::Link { dest_url, .. }) => {
            outside = dest_url.starts_with("../");
            !outside
        }
        Event::End(TagEnd::Link) => !std::mem::take(&mut outside),
        _ => true,
    })
}

/// Puts every table into a box that scrolls sideways, also by the keyboard, so that the page itself never does.
fn scrolled<'a>(events: impl Iterator<Item = Event<'a>>) -> impl Iterator<Item = Event<'a>> {
    const BOX: &str = "<div class=\"table\" role=\"region\" aria-label=\"Table\" tabindex=\"0\">\n";
    events
        .flat_map(|event| match event {
            Event::Start(Tag::Table(_)) => [Some(Event::Html(BOX.into())), Some(event)],
            Event::End(TagEnd::Table) => [Some(event), Some(Event::Html("</div>\n".into()))],
            _ => [Some(event), None],
        })
        .flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_card_is_a_page_of_its_own() {
        let card = "# Restorer: model card\n\nFor *ṭuppum*, < 5 %.\n\n| a | b |\n| - | - |\n| 1 | 2 |\n";
        let page = page(card, &["base-1.css".to_owned()]);
        assert!(page.contains("<title>Restorer: model card · Tuppum</title>") && page.contains("charset=\"utf-8\""));
        assert!(page.contains("<em>ṭuppum</em>, &lt; 5 %.") && page.contains("href=\"../../base-1.css\""));
        assert!(page.contains("tabindex=\"0\">\n<table>") && page.contains("</table>\n</div>"));
    }

    #[test]
    fn links_into_the_project_become_text() {
        let page = page("[a curve](../../docs/curve.tsv) and [a site](https://oracc.org)", &[]);
        assert!(page.contains("a curve and <a href=\"https://oracc.org\">a site</a>"), "{page}");
    }
}
