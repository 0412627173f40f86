//! Measures the page and its CPU worker in a real Chromium and prints one JSON object for `cargo xtask bench`, with
//! times in milliseconds. The argument `tree`, `attention`, `train`, `translate`, `corpora` or `peers` (the translator
//! beside onnxruntime-web) selects one group. Times are taken by the page's own clock, at the messages between page and
//! worker.

use serde_json::{Value, json};
use tuppum_browser_tests::attention::Attention;
use tuppum_browser_tests::browser::{Browser, Setup};
use tuppum_browser_tests::scripts::{NOTE_WHEN_USABLE, SPY_ON_WORKERS};
use tuppum_browser_tests::sign_tree::SignTree;
use tuppum_browser_tests::site::Site;
use tuppum_browser_tests::workbench::{SOON, Workbench};
use tuppum_browser_tests::{corpora_speed, peers, training, translation_speed};

/// Sixty signs of an Old Assyrian letter.
const SIGNS: &str = "um-ma a-šur-i-di₂-ma a-na pu-šu-ke-en₆ qi₂-bi₄-ma 1 ma-na KU₃.BABBAR ṣa-ru-pa₂-am \
    ša a-na a-wi-tim i-di₂-nu-ni a-na ṣe₂-er a-bi-ni u₂-še₂-bi₄-lam u₃ šu-ma a-bi a-ta a-na DUMU-šu li-di₂-in";

/// Number of gaps put into the text.
const GAPS: usize = 5;

/// Number of measurements of each figure; the median counts.
const TIMES: usize = 5;

/// Script that waits for the restorer and returns the time at which it was open.
const READY: &str = r"
const asked = window.spy.asked.find(a => a.message.request?.Model?.OpenRestorer).message.id;
return window.spy.heard.find(h => h.message.Event?.id === asked && h.message.Event.event === 'Done')?.at;
";

fn main() {
    let site = Site::of_the_page();
    match std::env::args().nth(1).as_deref() {
        Some("tree") => println!("{}", tree_report()),
        Some("attention") => println!("{}", attention_report()),
        Some("train") => println!("{}", training::speed(&site)),
        Some("translate") => println!("{}", translation_speed::speed(&site)),
        Some("corpora") => println!("{}", corpora_speed::speed(&site)),
        Some("peers") => println!("{}", peers::compare(&site)),
        _ => println!("{}", whole_report(&site)),
    }
}

/// Measures all figures, those of the workbench last.
fn whole_report(site: &Site) -> Value {
    let setup = Setup::new("timings").with_script(SPY_ON_WORKERS).with_script(NOTE_WHEN_USABLE);
    let bench = Workbench::open(setup, site, "device=cpu");
    let first_visit = usable(&bench.page);
    let statement = bench.ready();
    let ready = bench.page.run(READY, &[]);
    let (mut singles, mut joint) = (Vec::new(), Vec::new());
    // The first round warms up and does not count.
    for round in 0..=TIMES {
        bench.write(&with_gaps(round));
        bench.restore();
        let [one, all] = times_of_the_last_answer(&bench.page);
        if round > 0 {
            singles.push(one);
            joint.push(all);
        }
    }
    let signs = bench.page.select("#reading [data-sign]").len();
    let interactive = (0..TIMES).map(|_| {
        bench.page.reload();
        usable(&bench.page)
    });
    let interactive = middle(interactive.collect());
    drop(bench);
    let mut report = tree_report();
    let parts = [attention_report(), training::speed(site), translation_speed::speed(site), corpora_speed::speed(site)];
    for part in parts {
        if let (Some(report), Some(part)) = (report.as_object_mut(), part.as_object()) {
            report.extend(part.clone());
        }
    }
    let workbench = json!({
        "signs": signs,
        "gaps": GAPS,
        "singles_ms": middle(singles),
        "joint_ms": middle(joint),
        "interactive_first_visit_ms": first_visit,
        "interactive_ms": interactive,
        "engine_ready_ms": ready,
        "self_test": statement.self_test,
    });
    if let (Some(report), Some(workbench)) = (report.as_object_mut(), workbench.as_object()) {
        report.extend(workbench.clone());
    }
    report
}

/// Measures the sign tree on a site of its own, since its trees are artificial and no other figure is measured with
/// them.
fn tree_report() -> Value {
    let site = Site::of_the_page();
    // One tree with as many readings as the page can show, and one as deep as that of the signs, most of which is below
    // a pixel.
    let [visible, many] = [frames(&site, &[30, 900]), frames(&site, &[500, 10, 9])];
    json!({
        "tree_visible_nodes": visible.drawn,
        "tree_visible_frame_ms": visible.frame,
        "tree_all_nodes": many.nodes,
        "tree_all_drawn": many.drawn,
        "tree_all_frame_ms": many.frame,
    })
}

/// Measures the attention maps: three maps of 512 bytes, all visible, redrawn at every step of the cursor.
fn attention_report() -> Value {
    let site = Attention::site();
    let maps = Attention::open(Setup::new("attention-frames"), &site, "&by=bytes");
    maps.page.set_screen(1440, 1000, false);
    let field = maps.page.the("textbox", "Line to look at");
    maps.page.paste(&field, &"a-na be-li₂ ".repeat(36));
    let cells = maps.page.wait("500 bytes", SOON, |_| Some(maps.drawn()).filter(|cells| cells[0] > 240_000));
    let figures = maps.page.run(WALK, &[]);
    json!({ "attention_cells": cells.iter().sum::<u64>(), "attention_frame_ms": figures })
}

/// Script that walks over a map by the keys, a step per frame, and returns the 95th percentile of the frame times.
const WALK: &str = r"
    const map = document.querySelector('#attention-off');
    const frame = () => new Promise(next => requestAnimationFrame(next));
    return (async () => {
        const times = [];
        let before = await frame();
        for (let step = 0; step < 100; step++) {
            const key = step % 2 ? 'ArrowRight' : 'ArrowDown';
            map.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
            const now = await frame();
            times.push(now - before);
            before = now;
        }
        times.sort((one, other) => one - other);
        return times[Math.floor(times.length * 0.95)];
    })();
";

/// Measurement of dragging the disk.
struct Frames {
    nodes: usize,
    /// Minimum number of nodes drawn in a frame.
    drawn: u64,
    /// 95th percentile of the frame times, in milliseconds.
    frame: f64,
}

/// Drags an artificial tree around the middle for 150 frames; `children` has the number of children at each level.
fn frames(site: &Site, children: &[usize]) -> Frames {
    let (table, nodes) = made_up(children);
    site.alter("/hierarchy/tree.tsv", move |_| table.clone().into_bytes());
    let page = Setup::new("frames").start();
    page.set_screen(1920, 1400, false);
    page.open(&site.url("view=tree"));
    let tree = SignTree { page };
    tree.drawn();
    let figures = tree.page.run(DRAG, &[]);
    let number = |name: &str| figures[name].as_f64().unwrap_or(f64::NAN);
    Frames { nodes, drawn: number("drawn") as u64, frame: number("frame") }
}

/// Returns a tree in the page's format, and the number of its nodes.
fn made_up(children: &[usize]) -> (String, usize) {
    let mut table = "parent\tkind\tlabel\tglyph\tcount\n\troot\tsigns\t\t1\n".to_owned();
    let (mut above, mut nodes) = (0..1, 1);
    for (kind, each) in ["sign", "reading", "word"].into_iter().zip(children) {
        let first = nodes;
        for parent in above {
            for _ in 0..*each {
                table.push_str(&format!("{parent}\t{kind}\tn{nodes}\t\t{}\n", 1 + nodes % 100));
                nodes += 1;
            }
        }
        above = first..nodes;
    }
    (table, nodes)
}

/// Script that drags in small circles, a step per frame.
const DRAG: &str = r"
    const disk = document.querySelector('#disk'), area = disk.getBoundingClientRect();
    const [x, y] = [area.x + area.width / 2, area.y + area.height / 2];
    const send = (kind, turn) => disk.dispatchEvent(new PointerEvent(kind, { pointerId: 1, bubbles: true, button: 0,
        clientX: x + 25 * Math.cos(turn / 8), clientY: y + 25 * Math.sin(turn / 8) }));
    const frame = () => new Promise(next => requestAnimationFrame(next));
    return (async () => {
        const times = [], drawn = [];
        send('pointerdown', 0);
        let before = await frame();
        for (let turn = 1; turn <= 150; turn++) {
            send('pointermove', turn);
            const now = await frame();
            times.push(now - before);
            drawn.push(Number(disk.dataset.drawn));
            before = now;
        }
        send('pointerup', 150);
        times.sort((one, other) => one - other);
        return { frame: times[Math.floor(times.length * 0.95)], drawn: Math.min(...drawn) };
    })();
";

/// Returns the text with five broken signs; every round breaks others, so that no answer is known already.
fn with_gaps(round: usize) -> String {
    let mut place = 0;
    let words = SIGNS.split(' ').map(|word| {
        let signs = word.split('-').map(|sign| {
            place += 1;
            if place % 12 == 2 + round { "x" } else { sign }
        });
        signs.collect::<Vec<_>>().join("-")
    });
    words.collect::<Vec<_>>().join(" ")
}

/// Returns the milliseconds from the question to the proposals for every gap alone, and to the end.
fn times_of_the_last_answer(page: &Browser) -> [f64; 2] {
    let script = r"
        const asked = window.spy.asked.findLast(a => a.message.request?.Model?.Restore);
        const heard = window.spy.heard.filter(h => h.message.Event?.id === asked.message.id);
        const complete = h => h.message.Event.event.Answer?.gaps?.every(gap => gap.proposals.length > 0);
        return [heard.find(complete)?.at - asked.at, heard.find(h => h.message.Event.event === 'Done')?.at - asked.at];
    ";
    let times = page.run(script, &[]);
    [0, 1].map(|place| times[place].as_f64().unwrap_or(f64::NAN))
}

fn usable(page: &Browser) -> f64 {
    page.wait("the text field", SOON, |page| {
        page.try_run("return window.usableAt", &[]).ok().as_ref().and_then(Value::as_f64)
    })
}

fn middle(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times.get(times.len() / 2).copied().unwrap_or(f64::NAN)
}
