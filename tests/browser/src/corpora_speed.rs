//! Speed of opening and searching the edited texts in the worker.

use crate::browser::Setup;
use crate::scripts::SPY_ON_WORKERS;
use crate::site::Site;
use crate::workbench::{ANSWERING, Workbench};
use serde_json::{Value, json};

/// Sixty signs of a Neo-Assyrian letter with five gaps, in two lines, the second of which is compared.
const LETTER: &str = "a-na LUGAL be-li₂-ia ARAD-ka {m}{d}PA-x-GAR-un lu-u DI-mu a-na x be-li₂-ia {d}PA {d}AMAR.UTU \
    a-na LUGAL be-li₂-x lik-ru-bu\nina UGU LU₂.EN.NAM ša LUGAL be-li₂ iš-pur-an-ni ma-a x-la-a al-lak a-na-ku \
    ša x a-na LUGAL be-li₂-ia as-sap-ra";

/// Number of gaps in the letter.
const GAPS: usize = 5;

/// Worker script that adds the worker's time and memory growth to the end of every answer. What the page does
/// meanwhile, such as drawing earlier answers, does not count.
const MEASURE_THE_WORKER: &str = r"
let memory = null;
for (const name of ['instantiate', 'instantiateStreaming']) {
  const instantiate = WebAssembly[name];
  WebAssembly[name] = async (...of) => {
    const made = await instantiate.apply(WebAssembly, of);
    memory = (made.instance ?? made).exports.memory ?? memory;
    return made;
  };
}
const room = () => memory?.buffer.byteLength ?? NaN;
const begun = new Map();
addEventListener('message', ({ data }) => begun.set(data.id, { at: performance.now(), room: room() }));
const post = self.postMessage.bind(self);
self.postMessage = (message, ...rest) => {
  const event = message?.Event;
  const start = begun.get(event?.id);
  if (event?.event === 'Done' && start) {
    event.spent = performance.now() - start.at;
    event.grown = room() - start.room;
  }
  post(message, ...rest);
};
";

/// Script that returns the worker's time (`spent`, in milliseconds) and memory growth (`grown`, in bytes) for all
/// finished questions of a kind.
const NEEDED: &str = r"
return window.spy.asked.filter(a => a.message.request?.Corpus?.[arguments[0]]).map(asked => {
  const end = window.spy.heard.find(h => h.message.Event?.id === asked.message.id && h.message.Event.event === 'Done');
  return end?.message.Event[arguments[1]];
}).filter(Number.isFinite);
";

/// Opens the stored texts, looks up every gap, compares a line, attributes the text and glosses 200 lines. Returns
/// times in milliseconds, and the memory of opening in megabytes, as a flat JSON object.
pub fn speed(site: &Site) -> Value {
    site.engine_prelude(MEASURE_THE_WORKER);
    let bench = Workbench::open(Setup::new("corpora-speed").with_script(SPY_ON_WORKERS), site, "device=cpu");
    bench.ready();
    bench.write(LETTER);
    bench.restore();
    bench.page.reload();
    bench.ready();
    bench.restore();
    let needed = |kind: &str, what: &str| -> Vec<f64> {
        let needed = bench.page.run(NEEDED, &[json!(kind), json!(what)]);
        needed.as_array().map(|all| all.iter().filter_map(Value::as_f64).collect()).unwrap_or_default()
    };
    let times = |kind: &str| needed(kind, "spent");
    // The first gap is selected without a click; each is asked about once.
    for gap in 1..=GAPS {
        bench.page.wait("the gap looked up", ANSWERING, |_| (times("Attested").len() >= gap).then_some(()));
        if gap < GAPS {
            bench.page.press("button", "Next gap");
        }
    }
    bench.click("#parallels > summary");
    bench.page.wait("parallels", ANSWERING, |page| page.select("#parallels .parallels > li").into_iter().next());
    bench.click("#glosses > summary");
    bench.page.wait("words", ANSWERING, |page| page.select("#glosses .interlinear > li").into_iter().next());
    bench.click("#origin > summary");
    bench.page.wait("a period", ANSWERING, |page| page.select("#origin [data-origin]").into_iter().next());
    let attested = times("Attested");
    let asked = times("Gloss").len();
    bench.write(&format!("{LETTER}\n").repeat(100));
    let glossed = bench.page.wait("the words of 200 lines", ANSWERING, |_| times("Gloss").get(asked).copied());
    json!({
        "corpora_open_ms": times("Open").first(),
        "corpora_memory_mb": needed("Open", "grown").first().map(|bytes| bytes / 1e6),
        "corpora_gloss_ms": glossed,
        "corpora_attribute_ms": times("Attribute").first(),
        "corpora_gaps_ms": attested.iter().take(GAPS).sum::<f64>(),
        "corpora_parallels_ms": times("Parallels").first(),
    })
}
