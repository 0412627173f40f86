//! The device that computes: WebGPU on a software adapter, the CPU where there is none, and the CPU where WebGPU
//! computes wrongly. With the tiny random model, since a software adapter is slow.

use tuppum_browser_tests::browser::Setup;
use tuppum_browser_tests::scripts::WRONG_GRAPHICS_CARD;
use tuppum_browser_tests::site::Site;
use tuppum_browser_tests::workbench::{SELF_TEST, Workbench};

const LINE: &str = "a-na {d}EN-LIL₂ x šar-ri [x] ma-na";

#[test]
fn webgpu_restores_on_a_software_adapter() {
    let site = Site::of_the_page();
    let bench = Workbench::open(Setup::new("webgpu").with_webgpu(), &site, "model=models/tiny/&device=webgpu");
    let statement = bench.ready();
    assert!(statement.text.contains("WebGPU"), "{}", statement.text);
    assert!(statement.self_test < SELF_TEST, "the self-test shows {}", statement.self_test);
    bench.write(LINE);
    let offers = bench.restore();
    println!("{:?}", offers.iter().take(3).collect::<Vec<_>>());
    assert_eq!(offers.len(), 20);
    assert!(!bench.joint().is_empty());
    bench.accept(1);
    assert_eq!(bench.accepted(), 1);
    bench.page.press("button", "Undo");
    bench.settled();
    assert_eq!(bench.text(), LINE);
}

#[test]
fn without_webgpu_the_cpu_computes_and_says_why() {
    let site = Site::of_the_page();
    let bench = Workbench::open(Setup::new("no-webgpu"), &site, "model=models/tiny/");
    let statement = bench.ready();
    assert!(statement.text.contains("The CPU computes because"), "{}", statement.text);
    assert!(statement.self_test < SELF_TEST, "the self-test shows {}", statement.self_test);
    bench.write(LINE);
    assert_eq!(bench.restore().len(), 20);
}

#[test]
fn webgpu_demanded_where_there_is_none_fails_with_a_way_out() {
    let site = Site::of_the_page();
    let bench = Workbench::open(Setup::new("webgpu-demanded"), &site, "model=models/tiny/&device=webgpu");
    let trouble = bench.failed();
    println!("{trouble}");
    assert!(trouble.contains("WebGPU"), "{trouble}");
    bench.page.press("button", "Use the CPU");
    assert!(bench.ready().text.contains("CPU"));
}

#[test]
fn a_graphics_card_that_computes_wrongly_is_not_used() {
    let site = Site::of_the_page();
    site.engine_prelude(WRONG_GRAPHICS_CARD);
    let bench = Workbench::open(Setup::new("webgpu-wrong").with_webgpu(), &site, "model=models/tiny/");
    let statement = bench.ready();
    assert!(statement.text.contains("CPU"), "{}", statement.text);
    assert!(statement.text.contains("self-test"), "{}", statement.text);
    assert!(statement.text.contains("testcard"), "the statement names the card: {}", statement.text);
    assert!(statement.self_test < SELF_TEST, "the self-test shows {}", statement.self_test);
    bench.write(LINE);
    assert_eq!(bench.restore().len(), 20);
}
