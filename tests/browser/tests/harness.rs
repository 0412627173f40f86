//! Tests of the test harness itself, on a page of a few lines: every other test relies on what it reports.

use std::time::Duration;
use tuppum_browser_tests::browser::{Setup, keys};
use tuppum_browser_tests::scripts::SPY_ON_WORKERS;
use tuppum_browser_tests::site::Site;
use tuppum_browser_tests::wait;

fn fixture() -> Site {
    Site::serve(&tuppum_browser_tests::workspace().join("tests/browser/fixtures/page"))
}

#[test]
fn a_person_finds_types_pastes_and_presses() {
    let mut site = fixture();
    let page = Setup::new("harness").with_script(SPY_ON_WORKERS).start();
    page.allow_clipboard(&site.origin());
    page.open(&site.url("text=x"));
    assert!(page.address().ends_with("/#text=x"));
    let field = page.the("textbox", "words");
    page.click(&field);
    page.type_keys("a-na");
    assert_eq!(page.value_of(&field), "a-na");
    page.paste(&field, "šu ⸢x⸣\n𒀀");
    assert_eq!(page.value_of(&field), "šu ⸢x⸣\n𒀀");
    page.press("button", "Count the letters");
    assert!(page.visible_text().contains("9"), "{}", page.visible_text());
    page.chord(keys::CONTROL, 'a');
    assert!(page.all("button", "Count the unseen").is_empty(), "what is hidden is not found");
    assert_eq!(page.all("button", "count").len(), 1);
    assert_eq!(page.name_of(&page.the("button", "count")), "Count the letters");
    assert_eq!(page.run("return window.spy.workers.length", &[]), serde_json::json!(0), "the spy was there first");
    assert!(page.screenshot().is_some_and(|picture| picture.starts_with(b"\x89PNG")));

    site.stop();
    let offline = page.run("return fetch('script.js').then(() => 'answered', () => 'refused')", &[]);
    assert_eq!(offline, "refused", "a stopped site answers nothing");
    site.start();
    site.alter("/script.js", |bytes| bytes[..4].to_vec());
    assert_eq!(page.run("return fetch('script.js').then(answer => answer.text())", &[]), "docu");
    site.restore("/script.js");
    site.hold("/script.js");
    let script = "window.got = ''; fetch('script.js').then(a => a.text()).then(text => { window.got = text; })";
    page.run(script, &[]);
    page.wait("half of the script to be asked for", Duration::from_secs(5), |_| {
        site.requests().contains(&"/script.js".to_owned()).then_some(())
    });
    assert_eq!(page.run("return window.got", &[]), "", "what is held does not arrive");
    site.release();
    page.wait("all of the script", Duration::from_secs(5), |page| {
        page.run("return window.got", &[]).as_str().is_some_and(|text| text.starts_with("document")).then_some(())
    });
}

#[test]
fn waiting_ends() {
    assert_eq!(wait::until(Duration::from_millis(100), || None::<()>), None);
    let mut looks = 0;
    let third = wait::until(Duration::from_secs(5), || {
        looks += 1;
        (looks == 3).then_some(looks)
    });
    assert_eq!(third, Some(3));
}
