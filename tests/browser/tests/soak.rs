//! A few rounds through all views: what the page forgets to let go would grow with every one of them. The program
//! `soak` does it for hours.

use serde_json::json;
use tuppum_browser_tests::soak::{EXACT, FIGURES, Measure, PARTS, Soak, head, least_step};

/// Rounds that are measured. Of six numbers in the order of chance one of 720 rows rises all the way, and here every
/// step must be higher than what is tolerated.
const ROUNDS: usize = 6;

/// By how much heap (kB), nodes and listeners may grow in every round. Heap: what the driver's scripts leave (80 of
/// them, 66 bytes each), what is remembered of a translation, code that the browser compiles meanwhile, together about
/// 20 kB in the first rounds. Nodes: nothing is known to stay, and the smallest row of any list has more than ten.
/// Listeners: nothing is known to stay, and every row that can be pressed has one.
const TOLERATED: [f64; EXACT.len()] = [64.0, 10.0, 0.0];

/// Which figures grew in every round by more than is tolerated.
fn grown(measures: &[Measure]) -> Vec<String> {
    println!("{}", head());
    measures.iter().for_each(|measure| println!("{measure}"));
    let steps = EXACT.map(|figure| least_step(measures, figure));
    let grown = EXACT.into_iter().filter(|figure| steps[*figure] > TOLERATED[*figure]);
    grown.map(|figure| format!("{} by {:.0} in every round", FIGURES[figure], steps[figure])).collect()
}

#[test]
fn nothing_grows_with_every_round() {
    let mut soak = Soak::open("soak");
    // In the first two rounds parts are fetched, models opened, caches filled.
    for _ in 0..2 {
        soak.round(&PARTS);
    }
    let measures: Vec<_> = (0..ROUNDS).map(|_| soak.round(&PARTS)).collect();
    assert_eq!(grown(&measures), Vec::<String>::new());
}

#[test]
fn a_view_that_is_not_let_go_is_noticed() {
    const LEAK: &str = "window.leak = [];
        addEventListener('click', () => {
            const row = document.createElement('ul');
            row.innerHTML = '<li>a</li>'.repeat(10);
            row.onclick = () => row.remove();
            leak.push(row, new Array(20_000).fill(0.5));
        })";
    let mut soak = Soak::open("soak-leak");
    soak.round(&["models"]);
    soak.page().run(LEAK, &[]);
    let measures: Vec<_> = (0..ROUNDS).map(|_| soak.round(&["models"])).collect();
    assert_eq!(grown(&measures).len(), EXACT.len(), "heap, nodes and listeners");
}

/// A view of a sign that stays behind keeps some hundred bytes of the page's own memory.
#[test]
fn texts_that_were_replaced_leave_no_memory() {
    // Two hundred texts of 84 signs, each drawn before the next: with two frames between there is nothing queued.
    const TYPED: &str = "const [count] = arguments, field = document.querySelector('#text');
        const line = 'a-na szar-ri ma-na be-li2-ia x x x '.repeat(7);
        const frame = () => new Promise(requestAnimationFrame);
        return (async () => {
            for (let text = 0; text < count; text++) {
                field.value = line + (text % 2 ? 'a' : 'na');
                field.dispatchEvent(new Event('input', { bubbles: true }));
                await frame(); await frame();
            }
            return [memory.page / 1024, document.querySelectorAll('#reading [data-sign]').length];
        })()";
    let soak = Soak::open("soak-texts");
    let after = |count: u64| {
        let found = soak.page().run(TYPED, &[json!(count)]);
        (found[0].as_f64().expect("a number of kB"), found[1].as_u64().expect("a number of signs"))
    };
    // The first texts make room for one text and its drawing.
    let (before, signs) = after(30);
    let (later, _) = after(200);
    println!("{signs} signs: {before} kB, then {later} kB");
    assert!(signs > 70, "the texts are drawn: {signs} signs");
    // Memory comes in steps of 64 kB, and a list may double once; 200 texts whose signs stayed took 12,800 kB.
    assert!(later - before < 1_500.0, "200 texts took {} kB", later - before);
}

/// An answer of the server that nobody reads keeps its region of shared memory; the page of training asked whether
/// there is a translator whenever it was opened, and read of the answer only whether there was one.
#[test]
fn answers_are_read_to_their_end() {
    let mut soak = Soak::open("soak-answers");
    let mut regions_after = |rounds: usize| {
        (0..rounds).for_each(|_| {
            soak.round(&["training", "models"]);
        });
        soak.page().shared_regions().expect("the system tells of processes")
    };
    let before = regions_after(5);
    let later = regions_after(30);
    println!("{before} regions, then {later}");
    assert!(before > 0, "the browser shares memory by regions of a file");
    // Sixty answers that were not read left as many; drawing takes some and gives them back.
    assert!(later < before + 25, "30 rounds took {} regions", later.saturating_sub(before));
}
