//! The last step of a build: the page cut into parts, every file that `index.html` names under the name that holds its
//! hash, the cards of the models, the list of all crates, and the service worker's list of files.

use crate::cut::{GLUE, MODULE, cut};
use crate::files::{read_text, write};
use crate::precache::{self, short_hash};
use crate::run::Outcome;
use crate::trunk::Hook;
use crate::{cards, engine, places, sbom};
use std::path::Path;

/// The script that `index.html` names, which names the glue.
const START: &str = "start.js";
/// Names in `index.html` that are filled in here.
const ENGINE_META: &str = "<meta name=\"tuppum-engine\" content=\"\"";
const SERVICE_WORKER_META: &str = "<meta name=\"tuppum-service-worker\" content=\"service-worker.js\"";
/// Attribute of elements that trunk leaves in the page.
const RUST_LINK: &str = "<link data-trunk rel=\"rust\"";
/// Beginning, end and placeholder of trunk's script for reload on edit.
const RELOAD_START: &str = "<script>\"use strict\";";
const RELOAD_END: &str = "</script>";
const RELOAD_FILE: &str = "reload.js";
const PLACEHOLDERS: [(&str, &str); 2] =
    [("'{{__TRUNK_ADDRESS__}}'", "window.location.host"), ("'{{__TRUNK_WS_BASE__}}'", "'/'")];

/// Finishes what trunk has put together.
pub fn hook(hook: &Hook) -> Outcome<()> {
    let parts = cut(hook)?;
    let start = start(&parts, &hook.staging)?;
    let index = hook.staging.join("index.html");
    let text = put_in(&read_text(&index)?, MODULE, &format!("{parts}/{MODULE}"))?;
    let text = put_in(&text, START, &start)?;
    let text = fill_in(&text, ENGINE_META, "content=\"\"", &format!("content=\"{}\"", engine::script(&hook.staging)?))?;
    let (text, reload) = without_inline_reload(&without_rust_link(&text))?;
    let text = match reload {
        // With a service worker, edits would not be seen.
        Some(script) => {
            write(&hook.staging.join(RELOAD_FILE), script)?;
            fill_in(&text, SERVICE_WORKER_META, "service-worker.js", "")?
        }
        None => text,
    };
    write(&index, &text)?;
    if let Some(missing) = named(&text).find(|name| !hook.staging.join(name).is_file()) {
        return Err(format!("index.html names {missing}, which is not in {}", hook.staging.display()));
    }
    cards::write_all(&hook.staging)?;
    sbom::write_into(&hook.staging)?;
    precache::write(&hook.staging)
}

/// The files that `href` and `src` name in the page.
fn named(text: &str) -> impl Iterator<Item = &str> {
    let parts = ["href=\"", "src=\""].into_iter().flat_map(|attribute| text.split(attribute).skip(1));
    parts.filter_map(|part| part.split('"').next())
}

/// Writes the start script, which names the glue and the module, and returns its name.
fn start(parts: &str, staging: &Path) -> Outcome<String> {
    let script = read_text(&places::project().join(START))?;
    let script = put_in(&script, MODULE, &format!("{parts}/{MODULE}"))?;
    let script = put_in(&script, GLUE, &format!("{parts}/{GLUE}"))?;
    let name = format!("start-{}.js", short_hash(script.as_bytes()));
    write(&staging.join(&name), script)?;
    Ok(name)
}

fn put_in(text: &str, name: &str, hashed: &str) -> Outcome<String> {
    if text.contains(name) { Ok(text.replace(name, hashed)) } else { Err(format!("nothing names {name}")) }
}

/// Replaces a part of an element that must be there.
fn fill_in(text: &str, element: &str, part: &str, by: &str) -> Outcome<String> {
    if !text.contains(element) {
        return Err(format!("index.html lacks {element}>, which the build fills in"));
    }
    Ok(text.replace(element, &element.replace(part, by)))
}

/// The page without trunk's own element for the wasm, which browsers do not know.
fn without_rust_link(text: &str) -> String {
    let Some((before, rest)) = text.split_once(RUST_LINK) else { return text.to_owned() };
    let after = rest.split_once('>').map_or("", |(_, after)| after);
    format!("{}{}", before.trim_end(), after)
}

/// Trunk writes a script into a page that it serves that reloads it after an edit. The page's policy lets nothing
/// inline run, so the script becomes a file.
fn without_inline_reload(text: &str) -> Outcome<(String, Option<String>)> {
    let Some((before, rest)) = text.split_once(RELOAD_START) else {
        return if text.contains("<script>") {
            Err("index.html holds an inline script that the build does not know".to_owned())
        } else {
            Ok((text.to_owned(), None))
        };
    };
    let (script, after) = rest.split_once(RELOAD_END).ok_or("trunk's script for reloading has no end")?;
    let mut script = format!("\"use strict\";{script}");
    for (placeholder, expression) in PLACEHOLDERS {
        script = put_in(&script, placeholder, expression)?;
    }
    Ok((format!("{before}<script src=\"{RELOAD_FILE}\"></script>{after}"), Some(script)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn index() -> String {
        read_text(&places::project().join("index.html")).unwrap()
    }

    #[test]
    fn the_index_and_the_start_name_their_parts() {
        let start = read_text(&places::project().join(START)).unwrap();
        assert!(put_in(&start, GLUE, "page-0/page.js").unwrap().contains("\"./page-0/page.js\""));
        assert!(put_in(&start, MODULE, "page-0/page_bg.wasm").is_ok());
        assert!(
            put_in(&index(), MODULE, "page-0/page_bg.wasm").is_ok() && put_in(&index(), START, "start-0.js").is_ok()
        );
    }

    #[test]
    fn the_index_has_what_is_filled_in() {
        let text = fill_in(&index(), ENGINE_META, "content=\"\"", "content=\"engine-0.js\"").unwrap();
        let text = fill_in(&text, SERVICE_WORKER_META, "service-worker.js", "").unwrap();
        assert!(text.contains("content=\"engine-0.js\"") && text.contains("\"tuppum-service-worker\" content=\"\""));
        assert!(fill_in("", ENGINE_META, "", "").is_err());
    }

    #[test]
    fn every_named_file_is_found() {
        let text = "<link href=\"./a-0.css\"/><script type=\"module\" src=\"b.js\"></script>";
        assert_eq!(named(text).collect::<Vec<_>>(), ["./a-0.css", "b.js"]);
    }

    #[test]
    fn no_script_stays_inline() {
        let served = "<body><script>\"use strict\";\n const a = '{{__TRUNK_ADDRESS__}}' + \
            '{{__TRUNK_WS_BASE__}}';</script></body>";
        let (text, script) = without_inline_reload(served).unwrap();
        assert_eq!(text, "<body><script src=\"reload.js\"></script></body>");
        assert_eq!(script.unwrap(), "\"use strict\";\n const a = window.location.host + '/';");
        assert_eq!(without_inline_reload("<body></body>").unwrap(), ("<body></body>".to_owned(), None));
        assert!(without_inline_reload("<script>alert(1)</script>").is_err());
    }

    #[test]
    fn the_link_for_trunk_goes() {
        assert_eq!(
            without_rust_link("<a />\n  <link data-trunk rel=\"rust\" data-bin=\"page\" />\n<b />"),
            "<a />\n<b />"
        );
        assert!(index().contains(RUST_LINK));
    }
}
