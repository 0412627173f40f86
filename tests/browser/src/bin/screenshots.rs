//! Takes pictures of the page for people to look at: every state, desktop and phone, light and dark, into
//! `target/screenshots/`, with the argument `tree` only those of the sign tree, with
//! `models` only those of the models; and the picture of the README into `docs/workbench.png`.

use std::path::{Path, PathBuf};
use tuppum_browser_tests::browser::Setup;
use tuppum_browser_tests::site::Site;
use tuppum_browser_tests::workbench::{SOON, Workbench};

/// An Old Assyrian letter, as an edition prints it.
const LETTER: &str = "1. um-ma {d}a-šur-i-di₂-ma a-na pu-šu-ke-en₆\n2. qi₂-bi₄-ma [x] ma-na KU₃.BABBAR\n\
    3. ṣa-ru-pa₂-am [x]-ni-a-ti a-na x-šu\n4. li-di₂-in [...] um-ma šu-ut-ma";

const WEIGHTS: &str = "/models/restorer/restorer.safetensors";

fn main() -> std::io::Result<()> {
    let folder = tuppum_browser_tests::workspace().join("target/screenshots");
    std::fs::create_dir_all(&folder)?;
    let site = Site::of_the_page();
    if std::env::args().any(|argument| argument == "tree") {
        return trees(&site, &folder);
    }
    if std::env::args().any(|argument| argument == "models") {
        return models(&site, &folder);
    }
    site.hold(WEIGHTS);
    let bench = Workbench::open(Setup::new("screenshots"), &site, "");
    bench.page.wait("the model to be fetched", SOON, |page| page.visible_text().contains("MB").then_some(()));
    shoot_all(&bench, &folder, "loading")?;
    site.release();
    bench.ready();
    bench.write(LETTER);
    bench.restore();
    bench.accept(1);
    bench.page.run("document.activeElement?.blur()", &[]);
    shoot_all(&bench, &folder, "answered")?;
    picture_for_the_readme(&bench)?;
    bench.write(" ");
    bench.page.run("document.activeElement?.blur()", &[]);
    shoot_all(&bench, &folder, "empty")?;
    site.mount("/models/truncated/", &tuppum_browser_tests::workspace().join("tests/golden/tiny-torso"));
    site.alter("/models/truncated/restorer.safetensors", |bytes| bytes[..1000].to_vec());
    bench.page.open("about:blank");
    bench.page.open(&site.url("model=models/truncated/"));
    bench.failed();
    shoot_all(&bench, &folder, "failed")?;
    drop(bench);
    trees(&site, &folder)?;
    models(&site, &folder)?;
    println!("pictures are in {}", folder.display());
    Ok(())
}

/// The sign tree: from the root, at a sign with a distance measured, and in the other models of the plane.
fn trees(site: &Site, folder: &Path) -> std::io::Result<()> {
    let views = [
        ("tree-root", ""),
        ("tree-sign", "&node=AN&from=KA"),
        ("tree-klein", "&node=AN/an&map=klein"),
        ("tree-lorentz", "&node=KA&map=lorentz"),
    ];
    let bench = Workbench::open(Setup::new("tree-screenshots"), site, "view=tree");
    for (state, address) in views {
        bench.page.open("about:blank");
        bench.page.open(&site.url(&format!("view=tree{address}")));
        bench.page.wait("the tree", SOON, |page| {
            let drawn = page.try_run("return document.querySelector('#disk')?.dataset.drawn > 0", &[]);
            (drawn.unwrap_or_default() == serde_json::json!(true)).then_some(())
        });
        bench.page.run("return document.fonts.load('16px \"Noto Sans Cuneiform\"', '\u{12000}').then(() => true)", &[]);
        shoot_all(&bench, folder, state)?;
    }
    Ok(())
}

/// The models: none brought, one offered, on its way, incomplete after a failure, complete, and the question before deleting.
fn models(site: &Site, folder: &Path) -> std::io::Result<()> {
    let empty = tuppum_browser_tests::evidence().join("hub");
    std::fs::create_dir_all(&empty)?;
    let hub = Site::of_a_hub(&empty);
    hub.mount(
        "/tiny/translator/resolve/main/",
        &tuppum_browser_tests::workspace().join("tests/golden/tiny-translator"),
    );
    let weights = "/tiny/translator/resolve/main/model.safetensors";
    let bench = Workbench::open(Setup::new("models-screenshots"), site, "view=models");
    let page = &bench.page;
    let sees = |text: &str| page.wait(text, SOON, |page| page.visible_text().contains(text).then_some(()));
    sees("You have brought no model yet");
    shoot_all(&bench, folder, "models-empty")?;
    let fill = "for (const [id, text] of Object.entries(arguments[0])) {
        const field = document.getElementById(id);
        field.value = text;
        field.dispatchEvent(new Event('input'));
    }";
    page.run(fill, &[serde_json::json!({ "hub-id": "tiny/translator", "hub-address": hub.origin() })]);
    page.press("button", "Look it up");
    sees("Memory in use");
    shoot_all(&bench, folder, "models-offered")?;
    hub.hold(weights);
    hub.cut(weights, 90_000);
    page.press("button", "Fetch 0.");
    sees("Bringing");
    shoot_all(&bench, folder, "models-transfer")?;
    hub.release();
    sees("could not be fetched");
    shoot_all(&bench, folder, "models-failed")?;
    hub.mend(weights);
    page.press("button", "Continue");
    sees("complete, checksums compared");
    shoot_all(&bench, folder, "models-kept")?;
    page.press("button", "Delete tiny");
    shoot_all(&bench, folder, "models-deletion")
}

fn shoot_all(bench: &Workbench, folder: &Path, state: &str) -> std::io::Result<()> {
    let desktop = if state.starts_with("tree") || state.starts_with("models") { 1440 } else { 1280 };
    for (screen, width, height, phone) in [("desktop", desktop, 900, false), ("phone", 390, 844, true)] {
        for (theme, dark) in [("light", false), ("dark", true)] {
            bench.page.set_screen(width, height, phone);
            bench.page.set_dark(dark);
            bench.page.run("scrollTo(0, 0)", &[]);
            bench.page.come_to_rest();
            let name = format!("{state}-{screen}-{theme}.png");
            write(&folder.join(&name), bench.page.screenshot())?;
            write(&folder.join(format!("{state}-{screen}-{theme}-whole.png")), bench.page.whole_page())?;
            let wide = bench.page.run("return document.documentElement.scrollWidth", &[]);
            if wide.as_u64().is_none_or(|wide| wide > u64::from(width)) {
                println!("{name}: the page is wider than the screen");
            }
        }
    }
    bench.page.set_screen(1280, 900, false);
    bench.page.set_dark(false);
    Ok(())
}

fn picture_for_the_readme(bench: &Workbench) -> std::io::Result<()> {
    let docs = tuppum_browser_tests::workspace().join("docs");
    std::fs::create_dir_all(&docs)?;
    bench.page.run("document.querySelector('#glyphs')?.checked || document.querySelector('#glyphs')?.click()", &[]);
    bench.page.run("return document.fonts.load('16px \"Noto Sans Cuneiform\"', '\u{12000}').then(() => document.fonts.ready).then(() => true)", &[]);
    bench.page.come_to_rest();
    let file: PathBuf = docs.join("workbench.png");
    write(&file, bench.page.screenshot())?;
    println!("{} has {} bytes", file.display(), std::fs::metadata(&file)?.len());
    Ok(())
}

fn write(file: &Path, picture: Option<Vec<u8>>) -> std::io::Result<()> {
    let picture = picture.ok_or_else(|| std::io::Error::other("the browser gave no picture"))?;
    std::fs::write(file, picture)
}
