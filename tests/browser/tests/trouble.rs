//! Trouble around the page: damaged weights, refused storage, a worker that dies. The page reports each, offers a way
//! out, and keeps the text.

use tuppum_browser_tests::browser::Setup;
use tuppum_browser_tests::scripts::{KILL_THE_WORKER, NO_FILE_SYSTEM, NO_LOCAL_STORAGE, SPY_ON_WORKERS};
use tuppum_browser_tests::site::Site;
use tuppum_browser_tests::workbench::{OPENING, Offer, SOON, TINY_ON_CPU, Workbench};

const LINE: &str = "a-na x szar-ri [x] ma-na";
const WEIGHTS: &str = "restorer.safetensors";

/// Flips one bit in the middle, where the numbers are.
fn altered(mut bytes: Vec<u8>) -> Vec<u8> {
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    bytes
}

fn truncated(mut bytes: Vec<u8>) -> Vec<u8> {
    bytes.truncate(bytes.len() / 3);
    bytes
}

#[test]
fn damaged_weights_are_refused_and_fetched_again() {
    let site = Site::of_the_page();
    let tiny = tuppum_browser_tests::workspace().join("tests/golden/tiny-torso");
    site.mount("/models/truncated/", &tiny);
    site.mount("/models/altered/", &tiny);
    site.alter(&format!("/models/truncated/{WEIGHTS}"), truncated);
    site.alter(&format!("/models/altered/{WEIGHTS}"), altered);
    let bench = Workbench::open(Setup::new("weights"), &site, "model=models/truncated/&device=cpu");
    for (model, way_out) in [("truncated", "Try again"), ("altered", "Fetch the model again")] {
        bench.page.open("about:blank");
        bench.page.open(&site.url(&format!("model=models/{model}/&device=cpu&text=a-na%20x")));
        let trouble = bench.failed();
        println!("{model}: {}", trouble.replace('\n', " · "));
        assert!(trouble.contains(WEIGHTS), "the panel names the file: {trouble}");
        assert_eq!(bench.text(), "a-na x");
        site.restore(&format!("/models/{model}/{WEIGHTS}"));
        bench.page.press("button", way_out);
        bench.ready();
        assert!(!bench.restore().is_empty(), "{model}: restores once the server sends good bytes");
    }
}

/// Script that flips a bit of the stored weights, as a failing disk does.
const DAMAGE_STORED_WEIGHTS: &str = r"
return (async () => {
  let folder = await navigator.storage.getDirectory();
  for (const part of ['tuppum', 'models', 'tiny']) folder = await folder.getDirectoryHandle(part);
  for await (const [name, handle] of folder.entries()) {
    if (!name.endsWith('restorer.safetensors')) continue;
    const bytes = new Uint8Array(await (await handle.getFile()).arrayBuffer());
    bytes[bytes.length >> 1] ^= 1;
    const writable = await handle.createWritable();
    await writable.write(bytes);
    await writable.close();
    return name;
  }
  return '';
})()
";

#[test]
fn weights_damaged_in_the_storage_are_fetched_again_by_themselves() {
    let site = Site::of_the_page();
    let bench = Workbench::open(Setup::new("stored-weights"), &site, TINY_ON_CPU);
    assert!(bench.ready().text.contains("next visit needs no network"));
    site.requests();
    bench.page.reload();
    bench.ready();
    let weights = format!("/models/tiny/{WEIGHTS}");
    assert!(!site.requests().contains(&weights), "the second visit takes the weights from the storage");
    let name = bench.page.run(DAMAGE_STORED_WEIGHTS, &[]);
    assert_ne!(name, "", "the stored weights were found");
    bench.page.reload();
    bench.ready();
    assert!(site.requests().contains(&weights), "damaged weights are fetched again");
}

#[test]
fn refused_storage_is_said_and_the_page_works() {
    let site = Site::of_the_page();
    site.engine_prelude(NO_FILE_SYSTEM);
    let bench = Workbench::open(Setup::new("storage").with_script(NO_LOCAL_STORAGE), &site, TINY_ON_CPU);
    let statement = bench.ready();
    assert!(statement.text.contains("kept in memory only"), "{}", statement.text);
    bench.write(LINE);
    bench.sees("This browser does not keep your work.");
    assert_eq!(bench.restore().len(), 20);
    bench.accept(1);
    assert_eq!(bench.text(), LINE);
}

#[test]
fn a_worker_that_dies_is_rebuilt() {
    let site = Site::of_the_page();
    let bench = Workbench::open(Setup::new("crash").with_script(SPY_ON_WORKERS), &site, TINY_ON_CPU);
    bench.ready();
    bench.write(LINE);
    let before = bench.restore();
    bench.page.run(KILL_THE_WORKER, &[]);
    bench.page.wait("a second worker", OPENING, |page| {
        (page.run("return window.spy.workers.length", &[]) == 2).then_some(())
    });
    bench.ready();
    assert_eq!(bench.text(), LINE);
    bench.write("a-na x szar-ri [x] ma-na x");
    assert_eq!(bench.restore().len(), before.len());

    // In the middle of an answer: the job fails with a reason, and Try again answers it.
    bench.write(&"a-na x szar-ri [x] ma-na x-szu\n".repeat(40));
    bench.page.press("button", "Restore");
    bench.page.wait("a job under way", OPENING, |_| bench.is_computing().then_some(()));
    bench.page.run(KILL_THE_WORKER, &[]);
    let trouble = bench.failed();
    println!("{}", trouble.replace('\n', " · "));
    assert!(trouble.contains("your text is untouched"), "{trouble}");
    bench.write(LINE);
    bench.ready();
    // The number of texts with a reading appears in its row a little later.
    let answers =
        |offers: Vec<Offer>| -> Vec<_> { offers.into_iter().map(|offer| (offer.written, offer.probability)).collect() };
    assert_eq!(answers(bench.restore()), answers(before), "the rebuilt engine gives the same answer");
}

#[test]
fn an_answer_that_stands_is_not_called_outdated_because_a_fetch_failed() {
    let mut site = Site::of_the_page();
    let bench = Workbench::open(Setup::new("unchanged"), &site, "");
    let standing = bench.page.wait("the stored answer", SOON, |_| {
        Some(bench.shown(".standing")).filter(|standing| standing.starts_with("Stored result"))
    });
    site.stop();
    bench.page.press("button", "Restore");
    bench.page.wait("the failure", OPENING, |_| Some(bench.trouble()).filter(|trouble| !trouble.is_empty()));
    assert_eq!(bench.shown(".standing"), standing);
}
