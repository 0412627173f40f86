//! Takes pictures of the page for people to look at: every state, desktop and phone, light and dark, into
//! `target/screenshots/`, with the argument `tree` only those of the sign tree, with `attention` those of the maps and the lesson; and the picture of the README into `docs/workbench.png`.

use std::path::{Path, PathBuf};
use tuppum_browser_tests::attention::Attention;
use tuppum_browser_tests::browser::Setup;
use tuppum_browser_tests::site::Site;
use tuppum_browser_tests::workbench::{ANSWERING, SOON, Workbench};

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
    if std::env::args().any(|argument| argument == "attention") {
        return maps_and_lesson(&folder);
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
    maps_and_lesson(&folder)?;
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

/// The attention maps of the tiny translator by signs and by bytes, without a translator, and the lesson with an answer.
fn maps_and_lesson(folder: &Path) -> std::io::Result<()> {
    let site = Attention::site();
    let maps = Attention::open(Setup::new("attention-screenshots"), &site, "");
    let bench = Workbench { page: maps.page };
    shoot_all(&bench, folder, "attention-signs")?;
    let maps = Attention { page: bench.page };
    maps.page.paste(&maps.page.the("textbox", "Line to look at"), &LETTER.repeat(4));
    maps.page.press("radio", "Bytes");
    maps.page.wait("many bytes", SOON, |_| (maps.drawn()[0] > 100_000).then_some(()));
    maps.choose("#attention-kind", "cross");
    maps.page.wait("the cross attention", SOON, |_| {
        (maps.attribute("#attention-maps", "data-kind") == "cross").then_some(())
    });
    maps.drawn();
    let bench = Workbench { page: maps.page };
    shoot_all(&bench, folder, "attention-bytes")?;
    bench.page.open("about:blank");
    bench.page.open(&site.url("view=attention&device=cpu"));
    bench.page.press("button", "Open the translator");
    bench.sees("No translator comes with this version yet");
    shoot_all(&bench, folder, "attention-none")?;
    bench.page.open("about:blank");
    bench.page.open(&site.url("view=learn&device=cpu"));
    bench.sees("Between {d} and UTU");
    bench.page.press("button", "Ask the restorer");
    bench.page.wait("the restorer", ANSWERING, |page| {
        let script = "return document.querySelector('#learn-restore').getAttribute('aria-disabled') === 'false'
            && document.querySelector('#learn-proposals tr') !== null";
        (page.try_run(script, &[]).unwrap_or_default() == serde_json::json!(true)).then_some(())
    });
    bench.page.run("document.activeElement?.blur()", &[]);
    shoot_all(&bench, folder, "learn")?;
    bench.page.open("about:blank");
    bench.page.open(&site.url("view=tree&translator=models/tiny-translator/&device=cpu"));
    bench.page.press("button", "Compare with the translator");
    bench.sees("they moved by");
    bench.page.run("document.querySelector('#known').scrollIntoView()", &[]);
    shoot_all(&bench, folder, "tree-known")
}

fn shoot_all(bench: &Workbench, folder: &Path, state: &str) -> std::io::Result<()> {
    let wide = ["tree", "attention", "learn"].iter().any(|view| state.starts_with(view));
    let desktop = if wide { 1440 } else { 1280 };
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
