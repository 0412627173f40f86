//! The first visit: no model is fetched before the user asks for it and has read its size; a stored model opens by
//! itself at the next visit.

use tuppum_browser_tests::browser::Setup;
use tuppum_browser_tests::site::Site;
use tuppum_browser_tests::workbench::{ANSWERING, OPENING, TINY_ON_CPU, Workbench};

#[test]
fn no_model_is_fetched_unasked_and_its_size_is_said() {
    let site = Site::of_the_page();
    let bench = Workbench::open(Setup::new("first-visit"), &site, "");
    let offer = bench.page.wait("the size of what is to be fetched", OPENING, |_| {
        Some(bench.shown("#restorer-offer")).filter(|offer| offer.contains("Fetch now ("))
    });
    println!("{offer}");
    assert!(offer.contains("the restorer and the edited texts, 6") && offer.contains("MB"), "{offer}");
    bench.kept_for_offline();
    let of_a_model = |path: &String| Site::is_of_a_model(path);
    let asked = site.requests();
    assert!(!asked.iter().any(of_a_model), "fetched unasked: {asked:?}");
    assert_eq!(bench.engine(), "stopped");

    // Choosing the device fetches nothing either.
    bench.page.press("button", "Model not running");
    assert!(bench.shown("#device-dialog").contains("Not fetched yet"), "{}", bench.shown("#device-dialog"));
    let choose = "const menu = document.querySelector('#device-preference');
        menu.value = 'cpu';
        menu.dispatchEvent(new Event('change', { bubbles: true }))";
    bench.page.run(choose, &[]);
    bench.page.press("button", "Close");
    assert_eq!(bench.engine(), "stopped");
    assert!(!site.requests().iter().any(of_a_model));
}

#[test]
fn restoring_fetches_the_model_and_the_next_visit_opens_it() {
    let site = Site::of_the_page();
    let bench = Workbench::open(Setup::new("second-visit"), &site, &format!("{TINY_ON_CPU}&text=a-na%20x"));
    assert!(!bench.restore().is_empty(), "Restore fetches what it needs");
    assert_eq!(bench.shown("#restorer-offer"), "");
    site.requests();
    bench.page.reload();
    bench.page.wait("the stored model to open by itself", OPENING, |_| (bench.engine() == "ready").then_some(()));
    assert_eq!(bench.shown("#restorer-offer"), "");
    let asked = site.requests();
    // Manifests are requested to find out whether there is a newer version.
    let weights = |path: &String| Site::is_of_a_model(path) && !path.ends_with("manifest.json");
    assert!(!asked.iter().any(weights), "fetched again: {asked:?}");
}

#[test]
fn translating_fetches_the_edited_texts_too_and_says_so() {
    let site = Site::of_the_page();
    let bench = Workbench::open(Setup::new("first-translation"), &site, TINY_ON_CPU);
    let told = bench.page.wait("the size of what is to be fetched", OPENING, |_| {
        Some(bench.shown("#translator")).filter(|told| told.contains("Not fetched yet"))
    });
    assert!(told.contains("the translator and the edited texts, 2") && told.contains("MB"), "{told}");
    bench.write("lu DI-mu a-na LUGAL EN-ia₂");
    bench.set_number("translate-beams", "1");
    bench.translate();
    // Nothing was restored, yet published translations of such a line are shown beside the machine's.
    bench.page.wait("the published translation", ANSWERING, |_| {
        bench.shown(".passage .remembered").contains("Good health to the king").then_some(())
    });
    assert!(!bench.shown("#translator").contains("Not fetched yet"), "{}", bench.shown("#translator"));
}
