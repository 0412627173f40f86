//! The shipped translator: the same text on both devices, and again without a network.

use tuppum_browser_tests::browser::Setup;
use tuppum_browser_tests::site::Site;
use tuppum_browser_tests::workbench::{ANSWERING, TINY_ON_CPU, Workbench};

/// A short line, because the software adapter in place of a graphics card is slow.
const LINE: &str = "a-na LUGAL";

#[test]
fn a_line_is_translated_alike_on_both_devices_and_offline() {
    let mut site = Site::of_the_page();
    let bench = Workbench::open(Setup::new("shipped-translator"), &site, TINY_ON_CPU);
    bench.ready();
    bench.write(LINE);
    ask_for_little(&bench);
    let passages = bench.translate();
    let on_cpu = bench.english();
    println!("{passages:#?}");
    // A phrase that occurs in thousands of the pairs that it was trained on.
    assert!(on_cpu.len() == 1 && on_cpu[0].contains("to the king"), "{on_cpu:?}");
    assert!(passages[0].facts.contains("Machine proposal, probability"), "{}", passages[0].facts);
    bench.kept_for_offline();
    site.stop();
    bench.page.reload();
    bench.ready();
    bench.write(&format!("{LINE}\na-na LUGAL be-li₂-ia"));
    assert_eq!(bench.translate().len(), 2, "without a network");
    assert_eq!(bench.english()[0], on_cpu[0]);
    drop(bench);

    let site = Site::of_the_page();
    let setup = Setup::new("shipped-translator-webgpu").with_webgpu();
    let bench = Workbench::open(setup, &site, "model=models/tiny/&device=webgpu");
    bench.ready();
    bench.write(LINE);
    ask_for_little(&bench);
    bench.click("#translate");
    bench
        .page
        .wait("the translator", ANSWERING, |_| bench.shown("#translator").contains("ready on the GPU").then_some(()));
    bench.translated();
    let device = bench.page.run("return document.querySelector('#translator').dataset.device", &[]);
    assert_eq!(device, "webgpu", "{}", bench.shown("#translator"));
    assert_eq!(bench.english(), on_cpu, "on WebGPU as on the CPU");
}

/// Asks for the smallest search, and room for the whole English of [`LINE`]: on the software adapter every byte of a
/// search takes two seconds.
fn ask_for_little(bench: &Workbench) {
    bench.set_number("translate-beams", "2");
    bench.set_number("translate-longest", "32");
}
