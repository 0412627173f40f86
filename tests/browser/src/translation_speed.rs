//! How fast the translator that comes with the page writes, on the CPU.

use crate::browser::Setup;
use crate::scripts::SPY_ON_WORKERS;
use crate::site::Site;
use crate::workbench::{TINY_ON_CPU, Workbench};
use serde_json::{Value, json};

/// A line of 120 bytes of a letter to the king without its last sign, which differs in each round: what is known
/// already would not be translated anew.
const LINE: &str =
    "a-na LUGAL be-li₂-ia ARAD-ka {m}{d}AG-MU lu-u₂ DI-mu a-na LUGAL be-li₂-ia {d}AG {d}AMAR.UTU a-na LUGAL lik-ru-";
/// The last signs; the first line warms up and does not count.
const LAST: [&str; 4] = ["buu", "bum", "bun", "bur"];

/// Milliseconds from the question to the first bytes and to the end, and how many bytes were written.
const TIMES: &str = r"
const asked = window.spy.asked.findLast(a => a.message.request?.Model?.Translate);
const heard = window.spy.heard.filter(h => h.message.Event?.id === asked.message.id);
const written = h => h.message.Event.event.Translated?.translated;
const first = heard.find(h => written(h)?.partial || written(h)?.candidates.length);
const end = heard.find(h => h.message.Event.event === 'Done');
const whole = heard.findLast(h => written(h)?.candidates.length);
return [first?.at - asked.at, end?.at - asked.at, new TextEncoder().encode(written(whole).candidates[0].text).length];
";

/// Translates one line after the other with five beams and gives the middle figures as a flat JSON object.
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
    json!({ "translation_first_ms": middle(0), "translation_ms": middle(1), "translation_bytes": middle(2) })
}
