//! How fast the edited texts are opened and looked up in the worker.

use crate::browser::Setup;
use crate::scripts::SPY_ON_WORKERS;
use crate::site::Site;
use crate::workbench::{ANSWERING, TINY_ON_CPU, Workbench};
use serde_json::{Value, json};

/// Sixty signs of a Neo-Assyrian letter with five gaps, in two lines of which the second is compared.
const LETTER: &str = "a-na LUGAL be-li₂-ia ARAD-ka {m}{d}PA-x-GAR-un lu-u DI-mu a-na x be-li₂-ia {d}PA {d}AMAR.UTU \
    a-na LUGAL be-li₂-x lik-ru-bu\nina UGU LU₂.EN.NAM ša LUGAL be-li₂ iš-pur-an-ni ma-a x-la-a al-lak a-na-ku \
    ša x a-na LUGAL be-li₂-ia as-sap-ra";

/// How many gaps it has.
const GAPS: usize = 5;

/// For the worker: the end of every answer says how long the worker took for it. What the page does meanwhile, such as
/// drawing what was asked before, does not count.
const TIME_THE_WORKER: &str = r"
const begun = new Map();
addEventListener('message', ({ data }) => begun.set(data.id, performance.now()));
const post = self.postMessage.bind(self);
self.postMessage = (message, ...rest) => {
  const event = message?.Event;
  if (event?.event === 'Done') event.spent = performance.now() - begun.get(event.id);
  post(message, ...rest);
};
";

/// Milliseconds that the worker took for every question of a kind, of those that have ended.
const TIMES: &str = r"
return window.spy.asked.filter(a => a.message.request?.Corpus?.[arguments[0]]).map(asked => {
  const end = window.spy.heard.find(h => h.message.Event?.id === asked.message.id && h.message.Event.event === 'Done');
  return end?.message.Event.spent;
}).filter(Number.isFinite);
";

/// Opens the texts from the browser's storage, looks up every gap and compares a line; times in milliseconds as a flat
/// JSON object.
pub fn speed(site: &Site) -> Value {
    site.engine_prelude(TIME_THE_WORKER);
    let bench = Workbench::open(Setup::new("corpora-speed").with_script(SPY_ON_WORKERS), site, TINY_ON_CPU);
    bench.ready();
    bench.write(LETTER);
    bench.restore();
    bench.page.reload();
    bench.ready();
    bench.restore();
    let times = |kind: &str| -> Vec<f64> {
        let times = bench.page.run(TIMES, &[json!(kind)]);
        times.as_array().map(|all| all.iter().filter_map(Value::as_f64).collect()).unwrap_or_default()
    };
    // The first gap is selected by itself; each is asked about once.
    for gap in 1..=GAPS {
        bench.page.wait("the gap looked up", ANSWERING, |_| (times("Attested").len() >= gap).then_some(()));
        if gap < GAPS {
            bench.page.press("button", "Next gap");
        }
    }
    bench.click("#parallels > summary");
    bench.page.wait("parallels", ANSWERING, |page| page.select("#parallels .parallels > li").into_iter().next());
    let attested = times("Attested");
    json!({
        "corpora_open_ms": times("Open").first(),
        "corpora_gaps_ms": attested.iter().take(GAPS).sum::<f64>(),
        "corpora_parallels_ms": times("Parallels").first(),
    })
}
