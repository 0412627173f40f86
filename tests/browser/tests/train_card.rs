//! Memory is planned for the device that trains: a tab's own on the CPU, the graphics card's if the user states it. A
//! plan that does not fit is refused, and the message names the limit.

use tuppum_browser_tests::browser::{Browser, Setup};
use tuppum_browser_tests::evidence;
use tuppum_browser_tests::random_translator::Shape;
use tuppum_browser_tests::site::Site;
use tuppum_browser_tests::train_page::{brings, chooses, imports, sees, shown};
use tuppum_browser_tests::workbench::{ANSWERING, SOON};

/// A model with twelve megabytes of weights, whose attention on a long line takes four and a half gigabytes for the
/// gradients.
const DEEP: Shape =
    Shape { width: 64, inner: 128, feed_forward: 64, heads: 64, encoder: 64, decoder: 1, vocabulary: 384 };

/// Label of the field.
const CARD: &str = "Memory of the graphics card";

/// Script that shows the page a graphics device that accepts no tensor above ten megabytes.
const SMALL_TENSORS: &str = "if (self.GPUSupportedLimits && sessionStorage.getItem('small-tensors')) {
    Object.defineProperty(GPUSupportedLimits.prototype, 'maxStorageBufferBindingSize', { get: () => 1e7 });
}";

fn memory(page: &Browser) -> String {
    shown(page, "#train-memory")
}

#[track_caller]
fn tells(page: &Browser, part: &str) {
    page.wait(part, SOON, |page| memory(page).contains(part).then_some(()));
}

/// Opens the page “Train” with a long line and the deep model as its base.
fn prepared(page: &Browser, site: &Site) {
    let folder = evidence().join("deep-translator");
    std::fs::create_dir_all(&folder).expect("a folder for the model");
    // The driver accepts no path with `..` in it.
    let folder = folder.canonicalize().expect("the folder");
    DEEP.write(&folder).expect("the model");
    page.allow_clipboard(&site.origin());
    page.open(&site.url("view=train&model=models/tiny/&device=webgpu"));
    sees(page, "1. Your corpus", ANSWERING);
    imports(page, "deep", &folder);
    page.press("link", "Train");
    let line = "a-na ".repeat(100);
    brings(page, &format!("text_id\tsource\ttarget\nP1\t{line}\tto\nP2\t{line}a\tto\nP3\ta-na\tto"));
    page.press("radio", "deep");
}

#[test]
fn a_run_is_planned_for_the_device_that_trains() {
    let site = Site::of_the_page();
    let page = Setup::new("train-card").with_webgpu().with_script(SMALL_TENSORS).start();
    prepared(&page, &site);

    tells(&page, "too large to be trained in a tab");
    tells(&page, "If the graphics card has more, say above how much");
    assert_eq!(page.all("combobox", CARD).len(), 1);
    assert!(
        shown(&page, "#train-reason").contains("too large to be trained here"),
        "{}",
        shown(&page, "#train-reason")
    );
    chooses(&page, "#train-card", "12");
    tells(&page, "too much for the 12\u{202f}GB of your graphics card. A smaller plan fits");
    assert!(!shown(&page, "#train-reason").contains("too large"), "{}", shown(&page, "#train-reason"));
    chooses(&page, "#train-card", "8");
    tells(&page, "too large to be trained on a card of 8\u{202f}GB");
    chooses(&page, "#train-card", "12");

    // The stated memory of the card is stored; it does not apply to the CPU.
    page.reload();
    tells(&page, "12\u{202f}GB of your graphics card");
    chooses(&page, "#device-preference", "cpu");
    tells(&page, "too large to be trained in a tab");
    assert!(page.all("combobox", CARD).is_empty(), "there is no card to say anything of");
    chooses(&page, "#device-preference", "webgpu");
    tells(&page, "12\u{202f}GB of your graphics card");

    page.run("sessionStorage.setItem('small-tensors', 'yes')", &[]);
    page.reload();
    tells(&page, "the browser allows 10.0\u{202f}MB (WebGPU’s limit maxStorageBufferBindingSize)");
}
