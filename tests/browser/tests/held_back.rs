//! A translation whose words are mostly expected to be wrong is held back, and shown to users who ask for it.

use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use tuppum_browser_tests::browser::Setup;
use tuppum_browser_tests::site::Site;
use tuppum_browser_tests::translation::TINY_TRANSLATOR;
use tuppum_browser_tests::workbench::{ANSWERING, SOON, TINY_ON_CPU, Workbench};
use tuppum_browser_tests::workspace;

const FOLDER: &str = "/models/tiny-translator/";

/// Serves the tiny translator with a calibration by which its words are right with these log-odds, whatever their
/// probabilities.
fn calibrate(site: &Site, log_odds: f64) {
    let read = |name: &str| -> Value {
        let path = workspace().join("tests/golden/tiny-translator").join(name);
        serde_json::from_slice(&std::fs::read(path).expect("a file of the tiny translator")).expect("JSON")
    };
    let mut config = read("config.json");
    config["calibration"] = json!({"constant": log_odds, "word": 0.0, "translation": 0.0, "least_right": 0.4});
    let config = config.to_string().into_bytes();
    let mut manifest = read("manifest.json");
    let checksum: String = Sha256::digest(&config).iter().map(|byte| format!("{byte:02x}")).collect();
    let file = manifest["files"].as_array_mut().and_then(|files| files.iter_mut().find(|f| f["name"] == "config.json"));
    let file = file.expect("the manifest names the configuration");
    (file["bytes"], file["sha256"]) = (json!(config.len()), json!(checksum));
    let manifest = manifest.to_string().into_bytes();
    site.alter(&format!("{FOLDER}config.json"), move |_| config.clone());
    site.alter(&format!("{FOLDER}manifest.json"), move |_| manifest.clone());
}

#[test]
fn what_is_mostly_wrong_is_held_back_until_it_is_asked_for() {
    let site = Site::of_the_page();
    // Log-odds of −1.0986 are one in four.
    calibrate(&site, -1.0986);
    let bench = Workbench::open(Setup::new("held-back"), &site, TINY_TRANSLATOR);
    bench.ready();
    bench.write("1. um-ma a-szur-i-di2-ma\n2. qi2-bi4-ma");
    bench.set_number("translate-longest", "40");
    let passages = bench.translate();
    assert!(passages.iter().all(|passage| passage.status == "held back"), "{passages:#?}");
    assert!(passages.iter().all(|passage| passage.english.is_empty()), "{passages:#?}");
    let told = bench.shown(".held-back").split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(told.contains("held back") && told.contains("25 %"), "{told}");
    let text = bench.copied("Translation as text");
    assert_eq!(text.matches("[held back: few of its words would be right]").count(), 2, "{text}");
    let tei = bench.copied("Translation as TEI");
    assert_eq!(tei.matches("<note type=\"held-back\">").count(), 2, "{tei}");

    bench.click(".held-back button");
    let shown = bench.page.wait("the first translation", SOON, |_| {
        let passages = bench.passages();
        (!passages[0].english.is_empty()).then_some(passages)
    });
    assert_eq!(
        (shown[0].status.as_str(), shown[1].status.as_str()),
        ("current", "held back"),
        "only what was asked for"
    );
    assert!(shown[0].facts.contains("About 25 % of its words are right in such cases"), "{}", shown[0].facts);
    // The focus moves once the words are drawn.
    bench.page.wait("the focus on the words", SOON, |page| {
        (page.run("return document.activeElement !== document.body", &[]) == json!(true)).then_some(())
    });
    bench.page.reload();
    let after = bench.page.wait("what was translated", SOON, |_| Some(bench.passages()).filter(|all| all.len() == 2));
    assert_eq!(after[0].english, shown[0].english, "what was asked for once stays");
    assert_eq!(after[1].status, "held back");
}

#[test]
fn what_is_mostly_right_stands_with_the_share_that_is() {
    let site = Site::of_the_page();
    // Log-odds of 2.1972 are nine in ten.
    calibrate(&site, 2.1972);
    let bench = Workbench::open(Setup::new("not-held-back"), &site, TINY_TRANSLATOR);
    bench.ready();
    bench.write("um-ma a-szur-i-di2-ma");
    bench.set_number("translate-longest", "40");
    let passages = bench.translate();
    assert_eq!(passages[0].status, "current", "{passages:#?}");
    assert!(passages[0].facts.contains("no word unsure"), "calibrated, not the model's own: {}", passages[0].facts);
    let word = bench.page.run("return document.querySelector('.english [data-word]').title", &[]);
    let word = word.as_str().unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(word.contains("right in about 90 % of such cases"), "{word}");
}

#[test]
fn old_assyrian_is_held_back_however_sure_the_shipped_translator_is() {
    let site = Site::of_the_page();
    let bench = Workbench::open(Setup::new("held-back-shipped"), &site, TINY_ON_CPU);
    bench.ready();
    bench.write("um-ma a-šur-i-di₂-ma a-na pu-šu-ke-en₆ qi₂-bi₄-ma");
    bench.set_number("translate-longest", "60");
    bench.translate();
    bench.page.wait("the clauses of the formulary", ANSWERING, |_| {
        bench.shown(".passage .clauses").contains("Thus Aššur-idī").then_some(())
    });
    let passages = bench.page.wait("the machine to be doubted", ANSWERING, |_| {
        Some(bench.passages()).filter(|passages| passages[0].status == "held back")
    });
    assert!(passages[0].english.is_empty(), "{passages:#?}");
    let told = bench.shown(".held-back");
    assert!(told.contains("Old Assyrian") || told.contains("are right"), "{told}");
}
