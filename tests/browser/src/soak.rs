//! A user who goes through all views for hours, and the page's memory after every round.
//!
//! Everything is pressed and read by scripts that pass no element to the driver: it would keep the element, and with it
//! nodes that the page has released.

use crate::browser::{Browser, Setup};
use crate::site::Site;
use crate::translation::TINY_TRANSLATOR;
use crate::workbench::{ANSWERING, OPENING, SOON, Workbench};
use serde_json::json;
use std::time::{Duration, Instant};

/// Returns a letter with another number in every round, so that nothing of it is known already. The page remembers the
/// translations of the last 24 texts, so memory may grow for as many rounds.
fn letter(round: usize) -> String {
    format!("1. um-ma a-szur-i-di2-ma\n2. a-na x szar-ri [x] {round} ma-na")
}
const NOTE: &str = "1. IGI a-szur-ta-ak-la-ku";

/// Script for page and worker that keeps a reference to their WebAssembly memory.
const KEEP_MEMORIES: &str = r"
const memories = [];
for (const name of ['instantiate', 'instantiateStreaming']) {
  const before = WebAssembly[name];
  WebAssembly[name] = async (...of) => {
    const made = await before.apply(WebAssembly, of);
    const { memory } = (made.instance ?? made).exports;
    if (memory && !memories.includes(memory)) memories.push(memory);
    return made;
  };
}
const bytes = () => memories.reduce((sum, memory) => sum + memory.buffer.byteLength, 0);
";
/// Page script, after [`KEEP_MEMORIES`], that sets `memory.page` to its own memory and `memory.worker` to that of its
/// worker, on request.
const HEAR_OF_MEMORY: &str = r"
if (location.protocol === 'http:') {
  window.memory = { get page() { return bytes() }, worker: null };
  window.askForMemory = new BroadcastChannel('memory');
  window.askForMemory.onmessage = ({ data }) => { if (data.worker) window.memory.worker = data.worker; };
}
";
/// Worker script, after [`KEEP_MEMORIES`], that reports its memory.
const TELL_OF_MEMORY: &str = r"
const told = new BroadcastChannel('memory');
told.onmessage = ({ data }) => { if (data.ask) told.postMessage({ worker: bytes() }); };
";

/// Script that finds the first visible and enabled element of a selector.
const CLICKABLE: &str = r#"const found = [...document.querySelectorAll("SELECTOR")].find(one =>
    one.checkVisibility() && !one.disabled && one.ariaDisabled !== 'true')"#;

/// Script that polls an expression for five seconds, as often as [`crate::wait`] does. Each script that the driver runs
/// leaves some bytes in the heap; polling from outside would leave more of them on a slower machine.
const LOOK: &str = "return new Promise(done => {
    const end = performance.now() + 5000;
    const look = () => {
        let found = false;
        try { found = Boolean(EXPRESSION) } catch {}
        found || performance.now() > end ? done(found) : setTimeout(look, 40);
    };
    look();
})";

/// Expression that is true if nothing is being computed and nothing outdated is shown.
const SETTLED: &str = "!document.querySelector('#job-progress, [aria-busy=true], .standing.stale')";
/// Selector of proposals from the engine.
const ANSWERED: &str = "#proposals[data-origin=engine] tr[data-rank], [data-origin=engine] #proposals tr[data-rank]";
/// Selector of progress while the translator is opened or translates.
const TRANSLATING: &str = "#translate-progress, #translator-progress, #translation[aria-busy=true]";

/// Returns an expression that is true if the page has an element.
fn has(selector: &str) -> String {
    format!("document.querySelector(\"{selector}\") !== null")
}

/// Measurements after a round.
#[derive(Clone, Debug)]
pub struct Measure {
    /// Number of rounds so far, from 1.
    pub round: usize,
    /// Seconds since the first round began.
    pub seconds: f64,
    /// One value for each of [`FIGURES`].
    pub values: [f64; FIGURES.len()],
}

/// Names and units of the measurements: the page's JavaScript heap after garbage collection; live nodes, event
/// listeners and documents, attached or not; WebAssembly memory, which never shrinks; the resident memory of the
/// process that shows the page and runs the worker.
pub const FIGURES: [&str; 7] =
    ["heap (kB)", "nodes", "listeners", "documents", "page wasm (kB)", "worker wasm (kB)", "resident (kB)"];
/// Indices of heap, nodes and listeners in [`FIGURES`], which a single leaked object changes.
pub const EXACT: [usize; 3] = [0, 1, 2];

/// Parts of a round, in order.
pub const PARTS: [&str; 8] = ["texts", "restoring", "translation", "tree", "attention", "lesson", "training", "models"];

/// The simulated user, with the page.
pub struct Soak {
    bench: Workbench,
    _site: Site,
    began: Instant,
    rounds: usize,
}

impl Soak {
    /// Opens the page with the tiny models, and fetches the restorer.
    #[track_caller]
    pub fn open(name: &'static str) -> Self {
        let site = Site::of_the_page();
        let worker = format!("{{{KEEP_MEMORIES}{TELL_OF_MEMORY}}}\n");
        site.alter(&crate::site::engine_script(), move |bytes| [worker.as_bytes(), &bytes].concat());
        let page = Setup::new(name).start();
        page.before_every_page(&format!("{{{KEEP_MEMORIES}{HEAR_OF_MEMORY}}}"));
        page.allow_clipboard(&site.origin());
        page.open(&site.url(TINY_TRANSLATOR));
        let bench = Workbench { page };
        bench.ready();
        Self { bench, _site: site, began: Instant::now(), rounds: 0 }
    }

    /// Returns the browser that shows the page.
    pub fn page(&self) -> &Browser {
        &self.bench.page
    }

    /// Waits, so that the browser releases its caches, and measures.
    #[track_caller]
    pub fn rest(&self, duration: Duration) -> Measure {
        std::thread::sleep(duration);
        self.measure()
    }

    /// Goes once through these parts of the page, at most [`PARTS`], and measures.
    ///
    /// # Panics
    /// There is no such part.
    #[track_caller]
    pub fn round(&mut self, parts: &[&str]) -> Measure {
        self.rounds += 1;
        for part in parts {
            match *part {
                "texts" => self.texts(),
                "restoring" => self.restores(),
                "translation" => self.translates(),
                "tree" => self.looks_at_the_tree(),
                "attention" => self.looks_at_attention(),
                "lesson" => self.learns(),
                "training" => self.goes_to("train", "#train-corpus"),
                "models" => self.goes_to("models", "#models-list tr"),
                part => panic!("there is no part {part}; there are {}", PARTS.join(", ")),
            }
        }
        self.back_at_the_workbench();
        self.measure()
    }

    /// Puts the text of the last round on the shelf, writes another, and deletes the texts on the shelf.
    fn texts(&self) {
        self.press("#new-text");
        self.write(NOTE);
        self.press("#new-text");
        self.press("#shelf-button[aria-expanded=false]");
        while self.count("#shelf li") > 0 {
            let before = self.count("#shelf li");
            // Right after the last deletion a press has no effect: its dialog is still being closed.
            let ask = "(document.querySelector('#shelf-deletion[open]') || \
                void document.querySelector('#shelf li button[aria-label^=Delete]').click())";
            self.until("the question", SOON, ask);
            self.press("#shelf-delete");
            let fewer = format!("document.querySelectorAll('#shelf li').length < {before}");
            self.until("a text to leave the shelf", SOON, &fewer);
        }
        self.press("#shelf-button[aria-expanded=true]");
        self.write(&letter(self.rounds));
    }

    fn restores(&self) {
        self.press("#restore");
        self.until("an answer", ANSWERING, &format!("{SETTLED} && document.querySelector('{ANSWERED}')"));
        self.press("#proposals tr[data-rank='1'] button.reading");
        self.until("the accepted reading", SOON, &has("#reading .accepted"));
        self.until("the rest", ANSWERING, SETTLED);
        self.press("#undo");
        self.until("the step back", SOON, &format!("!({})", has("#reading .accepted")));
        self.until("the rest", ANSWERING, SETTLED);
    }

    fn translates(&self) {
        self.press("#translate");
        let passages = has("#translation .passage[data-status=current]");
        let over = format!("document.querySelector('#translate-stop').disabled && !({})", has(TRANSLATING));
        self.until("a translation", ANSWERING, &format!("{over} && {passages}"));
    }

    /// Starts the live layout of a part of the tree, and stops it half-way.
    fn looks_at_the_tree(&self) {
        self.goes_to("tree", "#disk[data-drawn]:not([data-drawn='0'])");
        self.press("#tree-table button");
        self.press("#settle-start");
        self.until("two epochs", ANSWERING, "document.querySelector('#settle').dataset.epoch >= 2");
        // On a fast machine it may be over already.
        self.bench.page.run("document.querySelector('#settle-stop').click()", &[]);
        self.until("the end of learning", SOON, &has("#settle:is([data-state=done], [data-state=stopped])"));
        self.press("#tree-home");
    }

    fn looks_at_attention(&self) {
        self.goes_to("attention", "#attention-opening");
        if self.count("#attention-open") > 0 {
            self.press("#attention-open");
        }
        let drawn = "#attention-maps[aria-busy=false] #attention-off[data-drawn]:not([data-drawn='0'])";
        self.until("the maps", OPENING, &has(drawn));
    }

    fn learns(&self) {
        self.goes_to("learn", "#learn-readings tbody tr");
        self.press("button[data-sign-name=UD]");
        self.press("#learn-seed");
        self.press("#learn-restore");
        let answered = "#learn-step-6:has(#learn-proposals tr[data-rank]) #learn-restore[aria-disabled=false]";
        self.until("the lesson's proposals", ANSWERING, &has(answered));
    }

    /// Checks that the text is as it was left.
    fn back_at_the_workbench(&self) {
        let text = |page: &Browser| page.try_run("return document.querySelector('#text').value", &[]).ok();
        let left = text(&self.bench.page);
        self.press("nav a[href='#v=1']");
        self.until("the workbench", SOON, &has("main:not([hidden]) #text"));
        assert_eq!(text(&self.bench.page), left, "the text stays");
        self.until("nothing to wait for", ANSWERING, SETTLED);
    }

    fn goes_to(&self, view: &str, shows: &str) {
        self.press(&format!("nav a[href='#view={view}']"));
        self.until(shows, OPENING, &has(shows));
    }

    /// Replaces the present text, as pasting does, but without the six nodes that the browser keeps for Undo of each
    /// paste, up to a thousand times, which would look like a leak of the page.
    #[track_caller]
    fn write(&self, text: &str) {
        let script = "const field = document.querySelector('#text');
            field.value = arguments[0];
            field.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'insertFromPaste' }))";
        self.bench.page.run(script, &[json!(text)]);
    }

    #[track_caller]
    fn press(&self, selector: &str) {
        let find = CLICKABLE.replace("SELECTOR", selector);
        let press = "found?.scrollIntoView({ block: 'nearest', behavior: 'instant' }); found?.click()";
        let script = format!("(() => {{ {find}; {press}; return found !== undefined }})()");
        self.until(&format!("{selector} to press"), SOON, &script);
    }

    /// Waits until an expression is true, polling within the page.
    #[track_caller]
    fn until(&self, what: &str, limit: Duration, expression: &str) {
        let script = LOOK.replace("EXPRESSION", expression);
        self.bench.page.wait(what, limit, |page| (page.try_run(&script, &[]).ok()? == true).then_some(()));
    }

    /// Returns how many kB of heap each command of the driver leaves behind on the idle page, and the number of
    /// commands in a round: growth by them is not the page's.
    #[track_caller]
    pub fn left_by_the_driver(&self) -> (f64, f64) {
        let page = &self.bench.page;
        let (commands, before) = (page.driver.commands(), self.measure());
        (0..500).for_each(|_| drop(page.run("return document.querySelector('#job-progress') !== null", &[])));
        let after = self.measure();
        let each = (after.values[0] - before.values[0]) / (page.driver.commands() - commands) as f64;
        (each, commands as f64 / self.rounds.max(1) as f64)
    }

    fn count(&self, selector: &str) -> u64 {
        let count =
            self.bench.page.try_run("return document.querySelectorAll(arguments[0]).length", &[json!(selector)]);
        count.unwrap_or_default().as_u64().unwrap_or(0)
    }

    fn measure(&self) -> Measure {
        let page = &self.bench.page;
        page.come_to_rest();
        page.run("window.memory.worker = null; window.askForMemory.postMessage({ ask: true })", &[]);
        let worker = page.wait("the worker's memory", SOON, |page| page.run("return memory.worker", &[]).as_f64());
        let own = page.run("return memory.page", &[]).as_f64().unwrap_or(f64::NAN);
        page.devtools("Performance.enable", &json!({}));
        // Objects freed by one collection may hold others that only the next one finds: nodes and objects have
        // different collectors.
        for _ in 0..3 {
            page.devtools("HeapProfiler.collectGarbage", &json!({}));
        }
        let metrics = page.devtools("Performance.getMetrics", &json!({}));
        let metric = |name: &str| {
            let all = metrics["metrics"].as_array().into_iter().flatten();
            let found = all.filter(|one| one["name"] == name).find_map(|one| one["value"].as_f64());
            found.unwrap_or(f64::NAN)
        };
        let heap = metric("JSHeapUsedSize") / 1024.0;
        let [nodes, listeners, documents] = ["Nodes", "JSEventListeners", "Documents"].map(metric);
        let resident = page.resident_kilobytes().map_or(f64::NAN, |kilobytes| kilobytes as f64);
        let values = [heap, nodes, listeners, documents, own / 1024.0, worker / 1024.0, resident];
        Measure { round: self.rounds, seconds: self.began.elapsed().as_secs_f64(), values }
    }
}

/// Returns the header of the table of measurements, separated by tabs.
pub fn head() -> String {
    format!("round\tseconds\t{}", FIGURES.join("\t"))
}

impl std::fmt::Display for Measure {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{}\t{:.0}", self.round, self.seconds)?;
        self.values.iter().try_for_each(|value| write!(formatter, "\t{value:.0}"))
    }
}

/// Growth of a figure, by a line fitted to measurements.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Growth {
    /// Growth per hour.
    pub an_hour: f64,
    /// Twice the standard error of the growth: the interval of this size to both sides contains the growth in about 95
    /// of 100 cases, if the rounds differ by chance.
    pub give_or_take: f64,
}

/// Fits a line to the last two thirds of a figure's measurements; in the first third caches fill.
pub fn growth(measures: &[Measure], figure: usize) -> Growth {
    let kept = measures.get(measures.len() / 3..).unwrap_or_default();
    let point = |measure: &Measure| Some((measure.seconds / 3600.0, *measure.values.get(figure)?));
    let points: Vec<(f64, f64)> = kept.iter().filter_map(point).collect();
    let count = points.len() as f64;
    let mean = |pick: fn(&(f64, f64)) -> f64| points.iter().map(pick).sum::<f64>() / count;
    let (hours, value) = (mean(|point| point.0), mean(|point| point.1));
    let spread: f64 = points.iter().map(|point| (point.0 - hours).powi(2)).sum();
    let an_hour = points.iter().map(|point| (point.0 - hours) * (point.1 - value)).sum::<f64>() / spread;
    let rest: f64 = points.iter().map(|point| (point.1 - value - an_hour * (point.0 - hours)).powi(2)).sum();
    Growth { an_hour, give_or_take: 2.0 * (rest / (count - 2.0) / spread).sqrt() }
}

/// Returns the smallest growth from one round to the next: positive only if the figure grew in every round.
pub fn least_step(measures: &[Measure], figure: usize) -> f64 {
    let steps = measures.windows(2).map(|pair| pair[1].values[figure] - pair[0].values[figure]);
    steps.fold(f64::INFINITY, f64::min)
}

impl Browser {
    /// Returns the resident memory, in kB, of the process that shows the page; `None` on a system without `/proc`.
    pub fn resident_kilobytes(&self) -> Option<u64> {
        self.process_of_the_page().map(|(_, kilobytes)| kilobytes)
    }

    /// Returns the number of memory regions that the process of the page shares with others: data from the network is
    /// in one until it has been read. `None` on a system without `/proc`.
    pub fn shared_regions(&self) -> Option<usize> {
        let (number, _) = self.process_of_the_page()?;
        let maps = std::fs::read_to_string(format!("/proc/{number}/maps")).ok()?;
        // The field after the addresses has the access rights, with `s` for shared; names of regions differ by version.
        let is_shared = |line: &&str| line.split_whitespace().nth(1).is_some_and(|access| access.ends_with('s'));
        Some(maps.lines().filter(is_shared).count())
    }

    /// Returns the number and resident memory in kB of the largest process that this browser started to show pages.
    fn process_of_the_page(&self) -> Option<(u64, u64)> {
        let field = |status: &str, name: &str| -> Option<u64> {
            let line = status.lines().find_map(|line| line.strip_prefix(name))?;
            line.split_whitespace().next()?.parse().ok()
        };
        let process = |folder: std::fs::DirEntry| {
            let number: u64 = folder.file_name().to_str()?.parse().ok()?;
            let status = std::fs::read_to_string(folder.path().join("status")).ok()?;
            let command = std::fs::read(folder.path().join("cmdline")).ok()?;
            let command = String::from_utf8_lossy(&command).replace('\0', " ");
            Some((number, field(&status, "PPid:")?, field(&status, "VmRSS:").unwrap_or(0), command))
        };
        let all: Vec<_> = std::fs::read_dir("/proc").ok()?.flatten().filter_map(process).collect();
        let is_ours = |mut number: u64| {
            while let Some((_, above, _, command)) = all.iter().find(|process| process.0 == number) {
                if command.contains(self.profile_folder()) && !command.contains("--type=") {
                    return true;
                }
                number = *above;
            }
            false
        };
        let pages = all.iter().filter(|process| process.3.contains("--type=renderer") && is_ours(process.0));
        pages.map(|process| (process.0, process.2)).max_by_key(|(_, kilobytes)| *kilobytes)
    }
}

/// Returns the growth of a figure as a line of text.
pub fn told(measures: &[Measure], figure: usize) -> String {
    let Growth { an_hour, give_or_take } = growth(measures, figure);
    format!("{}: {an_hour:+.1} ± {give_or_take:.1} an hour", FIGURES[figure])
}
