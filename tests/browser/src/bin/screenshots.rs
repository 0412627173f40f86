//! Takes screenshots of the page for people to look at: every state, desktop and phone, light and dark, into
//! `target/screenshots/`. The argument `tree`, `translate`, `attention` (the maps and the lesson), `train`, `models` or
//! `shelf` (several texts, and held-back translations) selects one part.

use std::path::Path;
use tuppum_browser_tests::attention::Attention;
use tuppum_browser_tests::browser::Setup;
use tuppum_browser_tests::site::Site;
use tuppum_browser_tests::translation::TINY_TRANSLATOR;
use tuppum_browser_tests::workbench::{ANSWERING, SOON, Workbench};

/// An Old Assyrian letter in the form of an edition.
const LETTER: &str = "1. um-ma {d}a-šur-i-di₂-ma a-na pu-šu-ke-en₆\n2. qi₂-bi₄-ma [x] ma-na KU₃.BABBAR\n\
    3. ṣa-ru-pa₂-am [x]-ni-a-ti a-na x-šu\n4. li-di₂-in [...] um-ma šu-ut-ma";

/// The beginning of a Neo-Assyrian letter with three gaps.
const ASSYRIAN: &str = "1. a-na LUGAL x-li₂-ia\n2. ARAD-ka {m}{d}PA-MU-x\n\
    3. lu DI-mu a-na LUGAL be-li₂-ia\n4. {d}PA u {d}[x] a-na LUGAL be-li₂-ia lik-ru-bu";

/// Script that finds the element that reaches farthest to the right.
const WIDEST: &str = r"
const right = element => element.getBoundingClientRect().right;
const all = [...document.querySelectorAll('main *')].filter(element => element.checkVisibility());
const widest = all.reduce((one, other) => right(other) > right(one) ? other : one);
return `${widest.closest('[id]')?.id}: ${widest.outerHTML.slice(0, 120)} (${right(widest)} px)`;
";

const WEIGHTS: &str = "/models/restorer/restorer.safetensors";

fn main() -> std::io::Result<()> {
    let folder = tuppum_browser_tests::workspace().join("target/screenshots");
    std::fs::create_dir_all(&folder)?;
    let site = Site::of_the_page();
    if std::env::args().any(|argument| argument == "tree") {
        return trees(&site, &folder);
    }
    if std::env::args().any(|argument| argument == "translate") {
        return translations(&site, &folder);
    }
    if std::env::args().any(|argument| argument == "shelf") {
        return shelf(&site, &folder);
    }
    if std::env::args().any(|argument| argument == "corpora") {
        return corpora(&site, &folder);
    }
    if std::env::args().any(|argument| argument == "attention") {
        return maps_and_lesson(&folder);
    }
    if std::env::args().any(|argument| argument == "train") {
        return training(&site, &folder);
    }
    if std::env::args().any(|argument| argument == "models") {
        return models(&site, &folder);
    }
    site.hold(WEIGHTS);
    let bench = Workbench::open(Setup::new("screenshots"), &site, "");
    bench.fetch_if_offered();
    bench.page.wait("the model to be fetched", SOON, |page| page.visible_text().contains("MB of").then_some(()));
    shoot_all(&bench, &folder, "loading")?;
    site.release();
    bench.ready();
    bench.write(LETTER);
    bench.restore();
    bench.accept(1);
    bench.page.run("document.activeElement?.blur()", &[]);
    shoot_all(&bench, &folder, "answered")?;
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
    translations(&site, &folder)?;
    maps_and_lesson(&folder)?;
    training(&site, &folder)?;
    models(&site, &folder)?;
    shelf(&site, &folder)?;
    println!("pictures are in {}", folder.display());
    Ok(())
}

/// Takes pictures of two texts on the shelf, the second with translations that are mostly held back.
fn shelf(site: &Site, folder: &Path) -> std::io::Result<()> {
    let bench = Workbench::open(Setup::new("shelf-screenshots"), site, "device=cpu");
    bench.ready();
    bench.write(ASSYRIAN);
    bench.restore();
    bench.accept(1);
    bench.click("#new-text");
    bench.write(
        "1. um-ma a-šur-i-di₂-ma\n#tr.en: Thus Aššur-idī:\n2. a-na LUGAL be-li₂-ia\n3. i-ta-ab₂-ši₂-u₂-ni SA₂-TU-e",
    );
    bench.translate();
    bench.click("#shelf-button");
    bench.page.wait("the list", SOON, |page| page.select("#shelf li").into_iter().next());
    bench.page.run("document.activeElement?.blur()", &[]);
    shoot_all(&bench, folder, "shelf")?;
    let to_card = "document.querySelector('#translate-card').scrollIntoView({ block: 'start', behavior: 'instant' })";
    shoot_at(&bench, folder, "held-back", to_card)
}

/// Takes pictures of the sign tree: at the root, at a sign with a measured distance, and in the other models of the
/// plane.
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
    bench.page.open("about:blank");
    bench.page.open(&site.url("view=tree&node=KA"));
    bench.page.wait("the button", SOON, |page| page.all("button", "Learn it live").first().map(|_| ()));
    for (button, card) in [("Lay it out", "#planes"), ("Learn it live", "#settle")] {
        bench.page.press("button", button);
        bench.page.wait("the end of the run", ANSWERING, |page| {
            let state = page.try_run("return document.querySelector(arguments[0]).dataset.state", &[card.into()]);
            (state.unwrap_or_default() == serde_json::json!("done")).then_some(())
        });
    }
    shoot_all(&bench, folder, "tree-learnt")
}

/// Script that stores a hand-written translation as the page does: the nonsense of the tiny translator would not show
/// what the card looks like in use.
const TRANSLATED: &str = "
const passage = (line, source, restored, english, unsure) => {
    const words = text => { let at = 0; return text.split(' ').map(word => {
        const start = at; at += new TextEncoder().encode(word).length + 1;
        return { text: word, bytes: { start, end: at - 1 } } }) };
    const own = words(source);
    const at = (number, text) => Math.min(own.length - 1, Math.floor(number * own.length / text.length));
    const candidate = (text, probability) => ({
        text, score: Math.log(probability) / 40, probability, byte_probability: 0.97, ended: true,
        words: words(text).map(({ text, bytes }, number) => ({ bytes, probability: unsure[text] ?? 0.93,
            looked_at: own.map((_, place) => place === at(number, text) ? 0.8 : 0.05) })) });
    return { translated: { lines: { start: line, end: line + 1 }, source, partial: '',
            words: own.map(({ text }) => ({ text, signs: { start: 0, end: 1 }, filled: text === restored,
                restored: text === restored ? [{ start: 0, end: new TextEncoder().encode(text).length }] : [] })),
            candidates: english.map((text, rank) => candidate(text, 0.21 / (rank + 1))) },
        made: { model: 'models/translator/', scope: 'Lines', restored: true, beams: 5, length_penalty: 1, answers: 3,
            longest: 512, bias: true },
        chosen: 0, edited: null, own: false } };
const renderings = [
    passage(0, 'um-ma {d}a-šur-i-di₂-ma a-na pu-šu-ke-en₆', null,
        ['Thus Aššur-idi, say to Pušu-ken:', 'Thus says Aššur-idi to Pušu-ken:', 'From Aššur-idi to Pušu-ken:'],
        { say: 0.31, 'Aššur-idi,': 0.42 }),
    passage(1, 'qi₂-bi₄-ma 1(diš) ma-na KU₃.BABBAR', '1(diš)',
        ['Speak! One mina of silver', 'Say: 1 mina of silver', 'Speak: the mina of silver'], { One: 0.18 }),
    passage(2, 'ṣa-ru-pa₂-am x-ni-a-ti a-na x-šu', null,
        ['refined, for us … to his …', 'refined silver, ours, to his …'], { for: 0.12, us: 0.38, his: 0.45 }),
    passage(3, 'li-di₂-in x um-ma šu-ut-ma', null, ['let him give. Thus he:', 'he may give … thus he says:'],
        { give: 0.44 })];
renderings[2].edited = 'refined … to us, to his …';
renderings[2].own = true;
localStorage.setItem('tuppum.translations.1', JSON.stringify({ translations: [{ text: arguments[0], renderings }] }));
location.reload();";

/// Takes pictures of the edited texts: occurrences of a gap's restorations, parallels of a line, published
/// translations.
fn corpora(site: &Site, folder: &Path) -> std::io::Result<()> {
    let bench = Workbench::open(Setup::new("corpora-screenshots"), site, "device=cpu");
    bench.ready();
    bench.write(ASSYRIAN);
    bench.restore();
    bench.page.wait("places", ANSWERING, |page| page.select("#attested .places").into_iter().next());
    bench.click("#attested summary");
    bench.click("#parallels > summary");
    bench.page.wait("parallels", ANSWERING, |page| page.select("#parallels .parallels > li").into_iter().next());
    bench.click("#translate");
    bench.page.wait("a published translation", ANSWERING, |page| {
        page.select(".passage .remembered .published").into_iter().next()
    });
    bench.translated();
    let to = |selector: &str| {
        format!("document.querySelector('{selector}').scrollIntoView({{ block: 'start', behavior: 'instant' }})")
    };
    shoot_at(&bench, folder, "corpora-places", &to("#attested"))?;
    shoot_at(&bench, folder, "corpora-parallels", &to("#parallels"))?;
    shoot_at(&bench, folder, "corpora-published", &to("#translate-card"))?;
    bench.click("#glosses > summary");
    bench.page.wait("words", ANSWERING, |page| page.select("#glosses .interlinear > li").into_iter().next());
    bench.click("#origin > summary");
    bench.page.wait("a period", ANSWERING, |page| page.select("#origin [data-origin]").into_iter().next());
    shoot_at(&bench, folder, "corpora-words", &to("#glosses"))?;
    shoot_at(&bench, folder, "corpora-origin", &to("#origin"))
}

/// Takes pictures of the translation card: empty, without a translator, while it writes, with its answer, and after a
/// failure.
fn translations(site: &Site, folder: &Path) -> std::io::Result<()> {
    let bench = Workbench::open(Setup::new("translation-screenshots"), site, TINY_TRANSLATOR);
    let to_card = "document.querySelector('#translate-card').scrollIntoView({ block: 'start', behavior: 'instant' })";
    bench.ready();
    bench.write(LETTER);
    shoot_at(&bench, folder, "translate-empty", to_card)?;
    bench.write(&format!("{LETTER}\n").repeat(8));
    bench.set_number("translate-longest", "1200");
    bench.click("#translate");
    bench.page.wait("a passage being written", SOON, |_| {
        bench.passages().into_iter().find(|passage| passage.status == "writing" && passage.english.len() > 80)
    });
    bench.click("#translate-stop");
    shoot_at(
        &bench,
        folder,
        "translate-stopped",
        "document.querySelector('[data-status=unfinished]')?.scrollIntoView({ block: 'center', behavior: 'instant' })",
    )?;
    bench.click("#translate");
    bench.page.wait("a passage being written", SOON, |_| bench.is_translating().then_some(()));
    shoot_at(&bench, folder, "translate-writing", to_card)?;
    bench.click("#translate-stop");
    bench.write(LETTER);
    bench.restore();
    bench.accept(1);
    bench.page.run(TRANSLATED, &[serde_json::json!(LETTER)]);
    bench.ready();
    bench.page.wait("the translation", SOON, |_| (bench.passages().len() == 4).then_some(()));
    bench.unfold("#translation .passage:nth-child(1) .alternatives");
    bench.page.wait("the wordings", SOON, |page| (!page.select(".alternatives tr").is_empty()).then_some(()));
    let words = bench.page.select("#translation .passage:nth-child(1) [data-word]");
    bench.page.run("arguments[0].focus()", &[words[1].to_json()]);
    shoot_at(&bench, folder, "translate-answered", to_card)?;
    bench.page.open("about:blank");
    bench.page.open(&site.url("model=models/tiny/&translator=models/none/&device=cpu&text=a-na%20x"));
    bench.ready();
    bench.click("#translate");
    bench.sees("There is no translator here.");
    shoot_at(&bench, folder, "translate-absent", to_card)?;
    site.alter("/models/tiny-translator/model.safetensors", |bytes| bytes[..1000].to_vec());
    bench.page.open("about:blank");
    bench.page.open(&site.url(&format!("{TINY_TRANSLATOR}&text=um-ma%20x")));
    bench.page.run(
        "return navigator.storage.getDirectory().then(all => all.removeEntry('tuppum', \
        { recursive: true })).catch(() => 0)",
        &[],
    );
    bench.click("#translate");
    bench.page.wait("a failure", SOON, |_| (!bench.shown("#translation-trouble").is_empty()).then_some(()));
    shoot_at(&bench, folder, "translate-failed", to_card)
}

/// Takes pictures of the attention maps of the tiny translator by signs and by bytes, without a translator, and the
/// lesson with an answer.
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
    bench.page.open(&site.url("view=attention&translator=models/none/&device=cpu"));
    bench.page.press("button", "Open the translator");
    bench.sees("There is no translator here.");
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

/// Takes pictures of training: without a corpus, with a faulty corpus, during a run, finished, failed.
fn training(site: &Site, folder: &Path) -> std::io::Result<()> {
    let bench = Workbench::open(Setup::new("train-screenshots"), site, "view=train&model=models/tiny/&device=cpu");
    let page = &bench.page;
    let sees = |text: &str| page.wait(text, ANSWERING, |page| page.visible_text().contains(text).then_some(()));
    sees("1. Your corpus");
    shoot_all(&bench, folder, "train-empty")?;
    page.press("button", "Take the sample");
    sees("60 pairs:");
    let spoil = "const field = document.querySelector('#corpus-text');
        field.value = field.value.replace('\\tI seized the land.', '\\t') + 'P1\\tone cell too few\\n';
        field.dispatchEvent(new Event('input'))";
    page.run(spoil, &[]);
    sees("59 pairs:");
    page.run("document.activeElement?.blur()", &[]);
    shoot_all(&bench, folder, "train-corpus")?;
    let fill = "for (const [id, text] of Object.entries(arguments[0])) {
        const field = document.getElementById(id);
        field.value = text;
        field.dispatchEvent(new Event('change'));
    }";
    page.run(fill, &[serde_json::json!({ "train-bias": "soft" })]);
    let to_bias = "document.querySelector('#train-bias').scrollIntoView({ block: 'center', behavior: 'instant' })";
    shoot_at(&bench, folder, "train-bias", to_bias)?;
    page.run(fill, &[serde_json::json!({ "train-steps": "20", "train-rate": "0.003", "train-name": "kanesh" })]);
    page.press("button", "Start");
    let step = "return Number(document.querySelector('#train-progress progress')?.getAttribute('value') ?? 0)";
    page.wait("some steps", ANSWERING, |page| {
        page.try_run(step, &[]).unwrap_or_default().as_u64().is_some_and(|step| step >= 6).then_some(())
    });
    let to_run = "document.querySelector('#train-run').scrollIntoView({ block: 'start', behavior: 'instant' })";
    shoot_at(&bench, folder, "train-running", to_run)?;
    page.wait("the end", ANSWERING, |page| {
        let standing = page.try_run("return document.querySelector('#train-run').dataset.standing", &[]);
        (standing.unwrap_or_default() == "finished").then_some(())
    });
    shoot_at(&bench, folder, "train-finished", to_run)?;
    let damage = "return (async () => {
        let folder = await navigator.storage.getDirectory();
        for (const part of ['tuppum', 'trainings', 'kanesh']) folder = await folder.getDirectoryHandle(part);
        for (const name of ['a.checkpoint', 'b.checkpoint']) {
            const writable = await (await folder.getFileHandle(name)).createWritable();
            await writable.write('nothing');
            await writable.close();
        }
    })()";
    page.run(damage, &[]);
    page.reload();
    page.press("button", "Save kanesh as a model");
    sees("neither of its two checkpoints");
    shoot_all(&bench, folder, "train-failed")
}

/// Takes pictures of the models: none added, one offered, in transfer, incomplete after a failure, complete, and the
/// question before a deletion.
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
    sees("You have imported no model yet");
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
    sees("Importing");
    shoot_all(&bench, folder, "models-transfer")?;
    hub.release();
    sees("could not be fetched");
    shoot_all(&bench, folder, "models-failed")?;
    hub.mend(weights);
    page.press("button", "Continue");
    sees("complete, checksums compared");
    shoot_all(&bench, folder, "models-kept")?;
    bench.unfold(".bias-copy");
    let to_bias = "document.querySelector('.bias-copy').scrollIntoView({ block: 'start', behavior: 'instant' })";
    shoot_at(&bench, folder, "models-bias", to_bias)?;
    page.press("button", "Delete tiny");
    shoot_all(&bench, folder, "models-deletion")
}

fn shoot_all(bench: &Workbench, folder: &Path, state: &str) -> std::io::Result<()> {
    shoot_at(bench, folder, state, "scrollTo(0, 0)")
}

/// Takes the pictures of a state with the page scrolled by `scroll`, a script.
fn shoot_at(bench: &Workbench, folder: &Path, state: &str, scroll: &str) -> std::io::Result<()> {
    let wide =
        ["tree", "translate", "attention", "learn", "train", "models"].iter().any(|view| state.starts_with(view));
    let desktop = if wide { 1440 } else { 1280 };
    for (screen, width, height, phone) in [("desktop", desktop, 900, false), ("phone", 390, 844, true)] {
        for (theme, dark) in [("light", false), ("dark", true)] {
            bench.page.set_screen(width, height, phone);
            bench.page.set_dark(dark);
            bench.page.run(scroll, &[]);
            bench.page.come_to_rest();
            let name = format!("{state}-{screen}-{theme}.png");
            write(&folder.join(&name), bench.page.screenshot())?;
            write(&folder.join(format!("{state}-{screen}-{theme}-whole.png")), bench.page.whole_page())?;
            let wide = bench.page.run("return document.documentElement.scrollWidth", &[]);
            if wide.as_u64().is_none_or(|wide| wide > u64::from(width)) {
                println!("{name}: the page is wider than the screen: {}", bench.page.run(WIDEST, &[]));
            }
        }
    }
    bench.page.set_screen(1280, 900, false);
    bench.page.set_dark(false);
    Ok(())
}

fn write(file: &Path, picture: Option<Vec<u8>>) -> std::io::Result<()> {
    let picture = picture.ok_or_else(|| std::io::Error::other("the browser gave no picture"))?;
    std::fs::write(file, picture)
}
