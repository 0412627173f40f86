//! Speed of the shipped translator on the CPU.

use crate::browser::Setup;
use crate::scripts::SPY_ON_WORKERS;
use crate::site::Site;
use crate::workbench::{TINY_ON_CPU, Workbench};
use serde_json::{Value, json};

/// A line of 120 bytes of a letter to the king without its last sign, which differs in each round: a known line would
/// not be translated again.
const LINE: &str =
    "a-na LUGAL be-li₂-ia ARAD-ka {m}{d}AG-MU lu-u₂ DI-mu a-na LUGAL be-li₂-ia {d}AG {d}AMAR.UTU a-na LUGAL lik-ru-";
/// Last signs of the line; the first line warms up and does not count.
const LAST: [&str; 4] = ["buu", "bum", "bun", "bur"];

/// Number of lines of a text that several cores translate.
const LINES: usize = 20;
const MOST_CORES: usize = 4;

/// Script that returns the milliseconds from the first question to the last finished passage, without commands to the
/// browser meanwhile.
const TEXT_TIME: &str = r"
window.spy.asked = [];
document.querySelector('#translate').click();
const whole = h => h.message.Event?.event.Translated?.translated.candidates.length;
return new Promise(resolve => {
  const look = () => {
    const found = window.spy.heard.filter(whole);
    if (found.length < arguments[0]) return setTimeout(look, 250);
    resolve(found.at(-1).at - window.spy.asked.find(a => a.message.request?.Model?.Translate).at);
  };
  window.spy.heard = [];
  look();
});
";

/// Script that returns the milliseconds from the question to the first bytes and to the end, and the number of bytes
/// written.
const TIMES: &str = r"
const asked = window.spy.asked.findLast(a => a.message.request?.Model?.Translate);
const heard = window.spy.heard.filter(h => h.message.Event?.id === asked.message.id);
const written = h => h.message.Event.event.Translated?.translated;
const first = heard.find(h => written(h)?.partial || written(h)?.candidates.length);
const end = heard.find(h => h.message.Event.event === 'Done');
const whole = heard.findLast(h => written(h)?.candidates.length);
return [first?.at - asked.at, end?.at - asked.at, new TextEncoder().encode(written(whole).candidates[0].text).length];
";

/// Translates one line after the other with five beams, then texts with and without helpers; returns the figures as a
/// flat JSON object.
pub fn speed(site: &Site) -> Value {
    let bench = Workbench::open(Setup::new("translation-speed").with_script(SPY_ON_WORKERS), site, TINY_ON_CPU);
    bench.ready();
    let mut rounds = Vec::new();
    for last in LAST {
        bench.write(&format!("{LINE}{last}"));
        bench.translate();
        rounds.push([0, 1, 2].map(|place| bench.page.run(TIMES, &[])[place].as_f64().unwrap_or(f64::NAN)));
    }
    let middle = |place: usize| {
        let mut figures: Vec<f64> = rounds.iter().skip(1).map(|round| round[place]).collect();
        figures.sort_by(f64::total_cmp);
        figures.get(figures.len() / 2).copied()
    };
    drop(bench);
    let [[alone, _], [shared, shared_again]] = [1, MOST_CORES].map(|cores| text_times(site, cores));
    json!({
        "translation_first_ms": middle(0),
        "translation_ms": middle(1),
        "translation_bytes": middle(2),
        "translation_lines_one_core_ms": alone,
        "translation_lines_side_by_side_ms": shared,
        "translation_next_lines_side_by_side_ms": shared_again,
    })
}

/// Returns the milliseconds for a text of this many lines, during which helpers are started if `cores` allows, and for
/// the next text.
fn text_times(site: &Site, cores: usize) -> [f64; 2] {
    let bench = Workbench::open(Setup::new("translation-lines").with_script(SPY_ON_WORKERS), site, TINY_ON_CPU);
    bench.ready();
    bench.set_number("translate-cores", &cores.to_string());
    // Opens the translator.
    bench.write("a-na LUGAL be-li₂-ia");
    bench.translate();
    ["lu", "ša"].map(|last| {
        let line = |number: usize| format!("a-na LUGAL be-li₂-ia ARAD-ka {{m}}{{d}}AG-MU-{last} {number} ma-na");
        bench.write(&(1..=LINES).map(line).collect::<Vec<_>>().join("\n"));
        let time = bench.page.run(TEXT_TIME, &[json!(LINES)]).as_f64().unwrap_or(f64::NAN);
        bench.translated();
        time
    })
}
