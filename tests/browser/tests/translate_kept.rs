//! Stored translations: the user's wordings survive other texts, deletion and reloads, and each translation keeps the
//! translator that made it.

use serde_json::json;
use tuppum_browser_tests::browser::{Setup, keys};
use tuppum_browser_tests::scripts::SPY_ON_WORKERS;
use tuppum_browser_tests::site::Site;
use tuppum_browser_tests::translation::{Passage, TINY_TRANSLATOR};
use tuppum_browser_tests::workbench::{SOON, Workbench};
use tuppum_browser_tests::workspace;

/// Script that translates, and leaves the page as soon as two passages are reported as finished; returns the numbers of
/// passages shown and stored then.
const LEAVE_AFTER_TWO: &str = "
    const whole = ({ message }) => message.Event?.event.Translated?.translated.candidates.length;
    const { heard } = window.spy;
    return new Promise(done => {
        heard.push = one => {
            heard[heard.length] = one;
            if (whole(one) && heard.filter(whole).length === 2) setTimeout(() => {
                const shown = document.querySelectorAll('#translation [data-status=current]').length;
                window.dispatchEvent(new Event('pagehide'));
                const { translations } = JSON.parse(localStorage['tuppum.translations.1']);
                const kept = translations.flatMap(({ renderings }) => renderings);
                done([shown, kept.filter(({ translated }) => translated.candidates.length).length]);
            });
        };
        document.querySelector('#translate').click();
    });";

fn statuses(passages: &[Passage]) -> Vec<&str> {
    passages.iter().map(|passage| passage.status.as_str()).collect()
}

/// Waits until the passages have these states, and returns them.
#[track_caller]
fn stand(bench: &Workbench, expected: &[&str]) -> Vec<Passage> {
    bench.page.wait(&format!("the passages {expected:?}"), SOON, |_| {
        Some(bench.passages()).filter(|passages| statuses(passages) == expected)
    })
}

#[test]
fn wordings_survive_other_texts_and_deletion() {
    let site = Site::of_the_page();
    let bench = Workbench::open(Setup::new("translate-shelf"), &site, TINY_TRANSLATOR);
    bench.ready();
    bench.set_number("translate-longest", "16");
    bench.write("1. a-na be-li2\n2. um-ma");
    bench.translate();
    bench.word(1, "unto my lord");
    bench.write("1. qi2-bi4-ma");
    assert_eq!(statuses(&bench.translate()), ["current"], "another text has a translation of its own");

    bench.write("1. a-na be-li2\n2. um-ma-ma");
    let again = stand(&bench, &["current", "outdated"]);
    assert_eq!(again[0].english, "unto my lord", "a correction is told from another text");
    let passages = bench.translate();
    assert_eq!((statuses(&passages), passages[0].english.as_str()), (vec!["current"; 2], "unto my lord"));

    bench.write("KU3.BABBAR");
    bench.page.wait("another text to show nothing of it", SOON, |_| bench.passages().is_empty().then_some(()));
    bench.write("1. a-na be-li3\n2. um-ma-mi");
    stand(&bench, &["outdated", "outdated"]);
    bench.page.press("button", "Delete it");
    bench.page.press("button", "Put it back");
    bench.sees("What was deleted is back");
    bench.write("1. a-na be-li2\n2. um-ma-ma");
    assert_eq!(stand(&bench, &["current", "current"])[0].english, "unto my lord");

    // A shortened text loses only the passages of the removed lines, and there is nothing to translate.
    bench.write("1. a-na be-li2");
    stand(&bench, &["current", "outdated"]);
    bench.sees("1 passage was made for an earlier wording of the text");
    assert!(!bench.shown("#translation-outdated").contains("Press Translate"), "{}", bench.shown("#translation"));
    bench.page.press("button", "Remove");
    stand(&bench, &["current"]);
    bench.write("1. a-na be-li2\n2. um-ma-ma");
    assert_eq!(stand(&bench, &["current", "current"])[0].english, "unto my lord");
}

#[test]
fn what_is_finished_is_kept_when_the_page_is_left_before_it_is_shown() {
    let site = Site::of_the_page();
    let bench = Workbench::open(Setup::new("translate-left").with_script(SPY_ON_WORKERS), &site, TINY_TRANSLATOR);
    bench.ready();
    bench.set_number("translate-longest", "16");
    bench.write("1. a-na be-li2\n2. um-ma\n3. qi2-bi4-ma\n4. a-na");
    let counts = bench.page.run(LEAVE_AFTER_TWO, &[]);
    assert!(counts[0].as_u64() < Some(2), "one of them still waits: {counts}");
    assert_eq!(counts[1], json!(2));
    assert_eq!(statuses(&bench.translated()), ["current"; 4], "and the page went on, since it was only hidden");
}

#[test]
fn what_is_being_typed_survives_a_reload_and_escape_leaves_it() {
    let site = Site::of_the_page();
    let bench = Workbench::open(Setup::new("translate-draft"), &site, TINY_TRANSLATOR);
    bench.ready();
    bench.set_number("translate-longest", "16");
    bench.write("a-na be-li2");
    let machine = bench.translate().remove(0).english;
    bench.click("#translation .edit");
    let field = bench.page.the("textbox", "Your wording");
    let focused = "return document.activeElement === arguments[0]";
    bench.page.wait("the field to have the focus", SOON, |page| {
        (page.run(focused, &[field.to_json()]) == json!(true)).then_some(())
    });
    bench.page.paste(&field, "unto my lo");
    // A new line above moves the passage, which is then another one on the card.
    bench.write("um-ma\na-na be-li2");
    assert_eq!(bench.translate().len(), 2);
    assert_eq!(bench.page.value_of(&bench.page.the("textbox", "Your wording")), "unto my lo");
    // A busy browser may pass on too late what a page writes while it is being left; that is not tested here.
    let kept = "return localStorage.getItem('tuppum.translations.1')?.includes('um-ma') ?? false";
    bench.page.wait("it to be kept", SOON, |page| (page.run(kept, &[]) == json!(true)).then_some(()));
    bench.page.reload();
    let field = bench.page.wait("the field", SOON, |page| page.all("textbox", "Your wording").into_iter().next());
    assert_eq!(bench.page.value_of(&field), "unto my lo");
    bench.page.run("arguments[0].focus()", &[field.to_json()]);
    bench.page.type_keys(&keys::ESCAPE.to_string());
    let on_button = "return document.activeElement?.classList.contains('edit')";
    bench.page.wait("the focus to go back to the button", SOON, |page| {
        (page.run(on_button, &[]) == json!(true)).then_some(())
    });
    let english = bench.english();
    assert_eq!(english.get(1), Some(&machine), "nothing was kept of {:?}: {:?}", bench.text(), bench.passages());
}

#[test]
fn the_translator_is_switched_and_each_passage_knows_its_own() {
    let site = Site::of_the_page();
    let bench = Workbench::open(Setup::new("translate-switched"), &site, TINY_TRANSLATOR);
    bench.ready();
    bench.set_number("translate-longest", "16");
    bench.write("a-na\num-ma");
    assert!(!bench.translate()[0].facts.contains("By "), "the chosen translator goes without saying");

    let bring_and_choose = || {
        bench.page.run("location.hash = '#view=models'", &[]);
        let folder = workspace().join("tests/golden/tiny-translator").canonicalize().expect("the tiny translator");
        let files = ["config.json", "model.safetensors"].map(|name| folder.join(name).to_string_lossy().into_owned());
        let field = bench.page.wait("the files", SOON, |page| page.select("#model-files").into_iter().next());
        bench.page.pick_file(&field, std::path::Path::new(&files.join("\n")));
        bench.sees("my-model is complete and stored");
        bench.click("tr[data-model='my-model'] input");
        bench.page.run("location.hash = '#v=1'", &[]);
    };
    bring_and_choose();
    let old = bench.page.wait("the passages to name their translator", SOON, |_| {
        Some(bench.passages())
            .filter(|passages| passages.iter().all(|one| one.facts.contains("By models/tiny-translator")))
    });
    bench.sees("The translator is opened when you first translate");
    let new = bench.translate();
    assert_eq!(statuses(&new), ["current"; 2], "another translator translates anew");
    assert!(new.iter().zip(&old).all(|(new, old)| !new.facts.contains("By ") && new.english == old.english), "{new:?}");

    // A different model under the same name counts as another model.
    bench.page.run("location.hash = '#view=models'", &[]);
    bench.page.press("button", "Delete my-model");
    bench.click("#model-forget");
    bench.sees("my-model is deleted");
    bring_and_choose();
    let deleted = bench.passages();
    assert!(deleted.iter().all(|one| one.facts.contains("By my-model (deleted)")), "{deleted:?}");
    assert!(bench.translate().iter().all(|one| one.status == "current" && !one.facts.contains("By ")));
}

#[test]
fn two_tabs_keep_what_is_written_in_each() {
    let site = Site::of_the_page();
    let bench = Workbench::open(Setup::new("translate-tabs"), &site, TINY_TRANSLATOR);
    let work = |text: &str, wording: &str| {
        bench.ready();
        bench.set_number("translate-longest", "16");
        bench.write(text);
        bench.translate();
        bench.word(1, wording);
    };
    let kept = |wording: &str| {
        let script = "return localStorage.getItem('tuppum.translations.1')?.includes(arguments[0]) ?? false";
        bench.page.wait(wording, SOON, |page| (page.run(script, &[json!(wording)]) == json!(true)).then_some(()));
    };
    work("a-na be-li2", "unto my lord");
    kept("unto my lord");
    let first = bench.page.new_tab();
    bench.page.open(&site.url(TINY_TRANSLATOR));
    work("um-ma", "speaketh");
    kept("speaketh");
    bench.page.go_to_tab(&first);
    bench.word(1, "for my lord");
    kept("for my lord");
    kept("speaketh");
}

#[test]
fn a_translation_in_the_text_is_offered_beside_the_machines() {
    let site = Site::of_the_page();
    let bench = Workbench::open(Setup::new("translate-typed"), &site, TINY_TRANSLATOR);
    bench.ready();
    bench.set_number("translate-longest", "16");
    bench.write("1. a-na be-li2\n#tr.en: to my lord\n2. um-ma");
    bench.translate();
    let offered = bench.shown("#translation .passage:nth-child(1) .typed");
    assert!(offered.contains("In your text") && offered.contains("to my lord"), "{offered}");
    assert_eq!(bench.shown("#translation .passage:nth-child(2) .typed"), "", "the second line has none");
    bench.page.press("button", "Take it as your wording");
    bench.page.wait("the wording", SOON, |_| (bench.passages()[0].english == "to my lord").then_some(()));
    assert!(bench.passages()[0].facts.contains("Your wording"), "{:?}", bench.passages());
    let focus = "return document.activeElement !== document.body";
    assert!(bench.page.run(focus, &[]) == json!(true), "focus is not lost");
}
