//! The page “Models” as a user works with it: look a model up, fetch it, lose the connection, continue, choose it,
//! delete it; import one from files; read failure messages.

use serde_json::json;
use std::path::PathBuf;
use std::time::Duration;
use tuppum_browser_tests::browser::{Browser, Setup, keys};
use tuppum_browser_tests::scripts::MISNAMED;
use tuppum_browser_tests::site::Site;
use tuppum_browser_tests::workbench::{OPENING, SOON, Workbench};
use tuppum_browser_tests::workspace;

const WEIGHTS: &str = "/tiny/translator/resolve/main/model.safetensors";

fn tiny() -> PathBuf {
    // Without `..`, which the browser's driver refuses.
    workspace().join("tests/golden/tiny-translator").canonicalize().expect("the tiny translator")
}

fn hub() -> Site {
    let folder = tuppum_browser_tests::evidence().join("hub");
    std::fs::create_dir_all(&folder).expect("a folder for the hub");
    let site = Site::of_a_hub(&folder);
    site.mount("/tiny/translator/resolve/main/", &tiny());
    site.field(WEIGHTS, "ETag", "\"one\"");
    site
}

fn open(name: &'static str, site: &Site) -> Browser {
    let page = Setup::new(name).start();
    page.open(&site.url("view=models&model=models/tiny/"));
    sees(&page, "You have imported no model yet", OPENING);
    page
}

#[track_caller]
fn sees(page: &Browser, text: &str, limit: Duration) {
    page.wait(&format!("the words “{text}”"), limit, |page| page.visible_text().contains(text).then_some(()));
}

fn shown(page: &Browser, selector: &str) -> String {
    let script = "return document.querySelector(arguments[0])?.innerText ?? ''";
    page.try_run(script, &[json!(selector)]).unwrap_or_default().as_str().unwrap_or_default().to_owned()
}

#[track_caller]
fn types(page: &Browser, label: &str, text: &str) {
    let field = page.the("textbox", label);
    page.click(&field);
    page.chord(keys::CONTROL, 'a');
    page.type_keys(text);
}

#[track_caller]
fn look_up(page: &Browser, hub: &Site) {
    types(page, "Repository", "tiny/translator");
    page.press("button", "Settings");
    types(page, "Hub", &hub.origin());
    page.press("button", "Look it up");
    sees(page, "Memory in use", SOON);
}

#[test]
fn a_model_is_looked_up_fetched_continued_chosen_and_deleted() {
    let (site, hub) = (Site::of_the_page(), hub());
    let page = open("models-page", &site);
    assert_eq!(hub.requests(), Vec::<String>::new(), "no hub is asked before the user asks");
    look_up(&page, &hub);
    assert_eq!(hub.ranges(), [], "nothing large is fetched yet");
    assert!(page.visible_text().contains("77\u{202f}376"), "the size is known before anything large is fetched");
    hub.hold(WEIGHTS);
    hub.cut(WEIGHTS, 100_000);
    page.press("button", "Fetch 0.");
    let told = "return document.querySelector('#model-transfer .figure')?.textContent ?? ''";
    page.wait("the bar to move", SOON, |page| {
        let figure = page.try_run(told, &[]).unwrap_or_default();
        figure.as_str().is_some_and(|figure| figure.contains("MB of")).then_some(())
    });
    // The user may leave the page and return meanwhile.
    page.press("link", "Sign tree");
    page.press("link", "Models");
    assert!(!page.select("#model-transfer").is_empty(), "the transfer goes on");
    hub.release();
    sees(&page, "could not be fetched", SOON);
    hub.mend(WEIGHTS);
    hub.ranges();
    page.press("button", "Close");
    page.reload();
    page.press("button", "Continue fetching");
    sees(&page, "complete, checksums compared", SOON);
    sees(&page, "is complete and stored", SOON);
    assert_eq!(page.run(MISNAMED, &[json!("#nowhere")]), json!([]), "a name lacks what is seen");
    let room = shown(&page, "#room-taken");
    assert!(room.contains("listed as stored above takes 0.") && room.contains("MB"), "{room}");
    assert!(shown(&page, "#model-room").contains("The browser’s own estimate"), "{}", shown(&page, "#model-room"));
    let name = page.run("return document.querySelector('#models-list tr[data-complete]').dataset.model", &[]);
    let name = name.as_str().expect("a name").to_owned();
    page.press("radio", &format!("Translating with {name}"));
    page.reload();
    let chosen = format!("return document.querySelector('tr[data-model=\"{name}\"] input')?.checked ?? null");
    page.wait("the choice to be kept", SOON, |page| {
        (page.try_run(&chosen, &[]).unwrap_or_default() == json!(true)).then_some(())
    });
    page.press("button", &format!("Delete {name}"));
    page.press("button", "Keep it");
    assert!(!page.select(&format!("tr[data-model='{name}']")).is_empty(), "kept as asked");
    page.press("button", &format!("Delete {name}"));
    page.press("button", "Delete");
    sees(&page, "You have imported no model yet", SOON);
    let shipped = "return document.querySelector('tr[data-model=translator] input').checked";
    assert_eq!(page.run(shipped, &[]), json!(true), "the shipped translator is chosen again");
}

#[test]
fn pausing_keeps_what_came_and_too_little_room_is_said() {
    let (site, hub) = (Site::of_the_page(), hub());
    let page = open("models-pause", &site);
    look_up(&page, &hub);
    hub.hold(WEIGHTS);
    page.press("button", "Fetch 0.");
    page.press("button", "Pause");
    page.wait("the transfer to end", SOON, |page| page.select("#model-transfer").is_empty().then_some(()));
    assert!(page.select("#models-trouble").is_empty(), "a pause is no failure");
    hub.release();
    page.press("button", "Continue fetching");
    sees(&page, "complete, checksums compared", SOON);

    types(&page, "Repository", "tiny/nothing");
    page.press("button", "Look it up");
    sees(&page, "answer 404", SOON);
    types(&page, "Repository", "no name");
    page.press("button", "Look it up");
    sees(&page, "named by its owner and its name", SOON);
}

#[test]
fn files_are_brought_and_wrong_ones_refused() {
    let site = Site::of_the_page();
    let page = open("models-files", &site);
    let field = &page.select("#model-files")[0];
    let drop = "const data = new DataTransfer();
        data.items.add(new File(['a photograph'], 'tablet.jpg', { type: 'image/jpeg' }));
        document.querySelector('#model-drop')
            .dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }))";
    page.run(drop, &[]);
    sees(&page, "config.json is missing", SOON);
    page.press("button", "Close");
    page.pick_file(field, &tiny().join("model.safetensors"));
    sees(&page, "config.json is missing", SOON);
    page.press("button", "Close");
    types(&page, "Name", "Tiny");
    let both = ["config.json", "model.safetensors"].map(|name| tiny().join(name).to_string_lossy().into_owned());
    page.pick_file(field, &PathBuf::from(both.join("\n")));
    sees(&page, "Tiny is complete and stored", SOON);
    sees(&page, "from files", SOON);
}

/// Returns files as the page saves those of a run: each name begins with the run's name.
fn saved(folder: &str, names: &[&str]) -> PathBuf {
    let to = tuppum_browser_tests::evidence().join(format!("saved-{folder}"));
    std::fs::create_dir_all(&to).expect("a folder for saved files");
    let from = workspace().join("tests/golden").join(folder);
    let copied = names.iter().map(|name| {
        let path = to.join(format!("my-run-{name}"));
        std::fs::copy(from.join(name), &path).expect("a golden file");
        path.canonicalize().expect("the copy").to_string_lossy().into_owned()
    });
    PathBuf::from(copied.collect::<Vec<_>>().join("\n"))
}

#[test]
fn what_was_saved_of_a_run_can_be_brought_back() {
    let site = Site::of_the_page();
    let page = open("models-saved", &site);
    let field = &page.select("#model-files")[0];
    types(&page, "Name", "Again");
    page.pick_file(field, &saved("tiny-translator", &["config.json", "model.safetensors"]));
    sees(&page, "Again is complete and stored. Choose it below to translate with it.", SOON);
    types(&page, "Name", "Restores");
    page.pick_file(field, &saved("tiny-torso", &["config.json", "restorer.safetensors"]));
    sees(&page, "vocab.json is missing", SOON);
    page.press("button", "Close");
    page.pick_file(field, &saved("tiny-torso", &["config.json", "restorer.safetensors", "vocab.json"]));
    sees(&page, "Restores is complete and stored. Choose it below to restore with it.", SOON);
    page.press("radio", "Restoring with Restores");
    page.press("link", "Workbench");
    let bench = Workbench { page };
    bench.write("a-na [x] LUGAL");
    assert_eq!(bench.restore().len(), 20, "it restores");
}
