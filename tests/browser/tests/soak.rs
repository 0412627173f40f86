//! A few rounds through all views: objects that the page fails to release would grow with every round. The program
//! `soak` does this for hours.

use serde_json::json;
use tuppum_browser_tests::soak::{EXACT, FIGURES, Measure, PARTS, Soak, head, least_step};

/// Number of measured rounds. Of six numbers in random order one arrangement in 720 rises all the way, and here every
/// step must also exceed the tolerance.
const ROUNDS: usize = 6;

/// Tolerated growth per round of heap (kB), nodes and listeners. Heap: garbage of the driver's scripts (80 of them, 66
/// bytes each), a remembered translation, and code that the browser compiles meanwhile, together about 20 kB in the
/// first rounds. Nodes: none is known to stay, and the smallest row of any list has more than ten. Listeners: none is
/// known to stay, and every row that can be pressed has one.
const TOLERATED: [f64; EXACT.len()] = [64.0, 10.0, 0.0];

/// Returns the figures that grew in every round by more than is tolerated.
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
    // In the first two rounds parts are fetched, models opened, and caches filled.
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

/// The view of a sign that is not released keeps some hundred bytes of the page's own memory.
#[test]
fn texts_that_were_replaced_leave_no_memory() {
    // Two hundred texts of 84 signs, each drawn before the next: after two frames nothing is queued.
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
    // The first texts allocate room for one text and its drawing.
    let (before, signs) = after(30);
    let (later, _) = after(200);
    println!("{signs} signs: {before} kB, then {later} kB");
    assert!(signs > 70, "the texts are drawn: {signs} signs");
    // Memory grows in steps of 64 kB, and a list may double once; 200 texts whose signs stayed took 12,800 kB.
    assert!(later - before < 1_500.0, "200 texts took {} kB", later - before);
}

/// An answer of the server that nobody reads keeps its region of shared memory. The page “Train” asks for the
/// translator's manifest whenever it is opened, and needs only to know that it exists.
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
    // Sixty unread answers would leave as many regions; drawing takes some and frees them.
    assert!(later < before + 25, "30 rounds took {} regions", later.saturating_sub(before));
}
