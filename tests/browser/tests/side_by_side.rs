//! A long text is shared among cores, with the same answers as on one core.

use serde_json::{Value, json};
use tuppum_browser_tests::browser::Setup;
use tuppum_browser_tests::scripts::{KILL_THE_WORKER, SPY_ON_WORKERS};
use tuppum_browser_tests::site::Site;
use tuppum_browser_tests::translation::TINY_TRANSLATOR;
use tuppum_browser_tests::workbench::{ANSWERING, OPENING, SOON, Workbench};

/// Page script that reports four cores, however many this machine has.
const FOUR_CORES: &str = "Object.defineProperty(Navigator.prototype, 'hardwareConcurrency', { get: () => 4 });";

/// Script that returns the number of passages that each worker has finished, in the order in which the workers were
/// started.
const FINISHED: &str = "
    const finished = window.spy.workers.map(() => 0);
    for (const { worker, message } of window.spy.heard)
        if (message.Event?.event.Translated?.translated.candidates.length) finished[worker] += 1;
    return finished";

/// Script that returns the number of passages whose published translations the page has looked up, before the first
/// passage was translated and in all.
const LOOKED_UP: &str = "
    const { asked, heard } = window.spy;
    const first = heard.find(({ message }) => message.Event?.event.Translated?.translated.candidates.length);
    const looked = asked.filter(({ message }) => message.request?.Corpus?.Remembered !== undefined);
    return [looked.filter(({ at }) => at < first?.at).length, looked.length]";

/// Returns a text of different lines.
fn text(lines: usize) -> String {
    let signs = ["a", "ba", "da", "ga", "ka", "la", "ma", "na", "pa", "ra"];
    let line = |number: usize| format!("um-ma a-szur-i-di2-{}-{}\n", signs[number / 10 % 10], signs[number % 10]);
    (0..lines).map(line).collect()
}

/// Opens a page with a text to translate, with settings slow enough for helpers to start.
fn open(name: &'static str, site: &Site, lines: usize, cores: &str) -> Workbench {
    open_with(name, site, lines, cores, "")
}

/// Opens a page with a text to translate, and with one more script.
fn open_with(name: &'static str, site: &Site, lines: usize, cores: &str, script: &'static str) -> Workbench {
    let setup = Setup::new(name).with_script(SPY_ON_WORKERS).with_script(FOUR_CORES).with_script(script);
    let bench = Workbench::open(setup, site, TINY_TRANSLATOR);
    bench.ready();
    bench.write(&text(lines));
    bench.set_number("translate-beams", "20");
    bench.set_number("translate-longest", "1000");
    bench.set_number("translate-cores", cores);
    bench
}

fn finished(bench: &Workbench) -> Vec<u64> {
    let counts = bench.page.run(FINISHED, &[]);
    counts.as_array().into_iter().flatten().filter_map(Value::as_u64).collect()
}

/// Waits until a second worker has translated a passage.
fn helped(bench: &Workbench) {
    bench.page.wait("a helper's first passage", ANSWERING, |_| {
        finished(bench).into_iter().skip(1).any(|count| count > 0).then_some(())
    });
}

#[test]
fn cores_share_a_text_and_a_lost_helper_costs_nothing() {
    share_and_lose_a_helper(("side-by-side-1", "side-by-side-3"), 16, "20");
}

#[test]
fn cores_of_which_each_writes_two_passages_at_a_time_give_the_answers_of_one() {
    share_and_lose_a_helper(("two-at-a-time-1", "two-at-a-time-3"), 48, "5");
}

fn share_and_lose_a_helper((one, three): (&'static str, &'static str), lines: usize, beams: &str) {
    let site = Site::of_the_page();
    let expected: Vec<String> = {
        let alone = open(one, &site, lines, "1");
        alone.set_number("translate-beams", beams);
        let expected = alone.translate().into_iter().map(|passage| passage.english).collect();
        assert_eq!(finished(&alone), [lines as u64]);
        expected
    };

    let bench = open(three, &site, lines, "3");
    bench.set_number("translate-beams", beams);
    bench.click("#translate");
    helped(&bench);
    assert_eq!(bench.page.run("return window.spy.workers.length", &[]), json!(3));
    assert!(
        bench.shown("#translate-progress").contains("cores side by side"),
        "{}",
        bench.shown("#translate-progress")
    );
    bench.page.run(KILL_THE_WORKER, &[]);
    let passages = bench.translated();
    println!("finished by worker: {:?}", finished(&bench));
    assert!(passages.iter().all(|passage| passage.status == "current"), "{passages:?}");
    let english: Vec<String> = passages.into_iter().map(|passage| passage.english).collect();
    assert_eq!(english, expected, "the answers of one worker, in the order of the text");
    assert_eq!(bench.shown("#translation-trouble"), "");
    assert_eq!(finished(&bench).into_iter().sum::<u64>(), lines as u64, "no passage twice");
}

#[test]
fn helpers_that_rest_are_not_let_go_in_the_middle_of_the_next_text() {
    const LINES: usize = 16;
    /// Page script that shortens the minute after which idle helpers end to a second.
    const SHORT_REST: &str = "const wait = window.setTimeout;
        window.setTimeout = (act, after, ...of) => wait(act, after === 60000 ? 1000 : after, ...of);";
    let site = Site::of_the_page();
    let bench = open_with("side-by-side-rest", &site, LINES, "2", SHORT_REST);
    let first = bench.translate();
    assert_eq!(finished(&bench).len(), 2, "a helper came");
    let again = text(LINES).lines().rev().map(|line| format!("{line}-a\n")).collect::<String>();
    bench.write(&again);
    let second = bench.translate();
    println!("finished by worker: {:?}", finished(&bench));
    assert_eq!((first.len(), second.len()), (LINES, LINES));
    assert!(second.iter().all(|passage| passage.status == "current"), "{second:?}");
}

#[test]
fn all_cores_stop_at_once_and_the_rest_can_be_had_later() {
    const LINES: usize = 16;
    let site = Site::of_the_page();
    let bench = open("side-by-side-stop", &site, LINES, "2");
    bench.click("#translate");
    helped(&bench);
    bench.click("#translate-stop");
    bench.page.wait("the page to stop", SOON, |_| (!bench.is_translating()).then_some(()));
    let stopped = bench.passages();
    let unfinished = stopped.iter().filter(|passage| passage.status == "unfinished").count();
    assert!(unfinished <= 1 && (1..LINES).contains(&stopped.len()), "{stopped:?}");
    let before = finished(&bench).into_iter().sum::<u64>();
    assert_eq!(before as usize, stopped.len() - unfinished, "what was finished is there");
    let passages = bench.translate();
    assert_eq!(passages.len(), LINES);
    assert!(passages.iter().all(|passage| passage.status == "current"), "{passages:?}");
    assert_eq!(finished(&bench).into_iter().sum::<u64>(), LINES as u64, "what was finished is not asked again");
}

#[test]
fn the_first_words_do_not_wait_until_a_text_is_looked_up_to_its_end() {
    const LINES: u64 = 20;
    let site = Site::of_the_page();
    let bench = open("looked-up-ahead", &site, 1, "1");
    bench.set_number("translate-beams", "1");
    bench.set_number("translate-longest", "20");
    bench.translate();
    bench.page.wait("the edited texts", OPENING, |page| (page.run(LOOKED_UP, &[])[1] == json!(1)).then_some(()));
    bench.page.run("window.spy.asked.length = window.spy.heard.length = 0", &[]);
    bench.write(&text(LINES as usize));
    bench.translate();
    let looked_up = bench.page.run(LOOKED_UP, &[]);
    let [before, all] = [0, 1].map(|at| looked_up[at].as_u64().unwrap_or_default());
    assert!((1..LINES / 2).contains(&before), "{before} before the first words");
    // The first line was looked up before.
    assert_eq!(all, LINES - 1, "and all of them in the end");
}
