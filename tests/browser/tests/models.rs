//! Models that the user adds, by messages to the worker: from a hub with cuts, changes and wrong data, and from dropped
//! files; stored, opened, deleted. The tiny translator takes the same path as a large model.

use serde_json::{Value, json};
use std::path::PathBuf;
use tuppum_browser_tests::browser::Setup;
use tuppum_browser_tests::engine::{Engine, open_translator, part, parts, translate};
use tuppum_browser_tests::shards::{INDEX, cut_in_two};
use tuppum_browser_tests::site::Site;
use tuppum_browser_tests::workbench::SOON;
use tuppum_browser_tests::workspace;
use tuppum_protocol::{DevicePreference, ModelRef, ModelRequest, Repository, Request, StorageRequest};

const LINE: &str = "um-ma a-šur-i-di₂-ma";
const ID: &str = "tiny/translator";
const WEIGHTS: &str = "/tiny/translator/resolve/main/model.safetensors";

fn tiny() -> PathBuf {
    workspace().join("tests/golden/tiny-translator")
}

/// Returns a hub that offers the tiny translator without its golden numbers, with the checksum as tag, as hubs tag
/// large files.
fn hub() -> Site {
    let folder = tuppum_browser_tests::evidence().join("hub");
    std::fs::create_dir_all(&folder).expect("a folder for the hub");
    let site = Site::of_a_hub(&folder);
    site.mount("/tiny/translator/resolve/main/", &only(&["config.json", "model.safetensors"], "plain"));
    site.field(WEIGHTS, "ETag", &format!("\"{}\"", sha256()));
    site
}

/// Returns a folder with only some files of the tiny translator.
fn only(names: &[&str], own: &str) -> PathBuf {
    let folder = tuppum_browser_tests::evidence().join(format!("tiny-{own}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for some files");
    for name in names {
        std::fs::copy(tiny().join(name), folder.join(name)).expect("a file of the tiny translator");
    }
    folder
}

/// Returns the checksum of the weights in the manifest.
fn sha256() -> String {
    let manifest = std::fs::read(tiny().join("manifest.json")).expect("the manifest");
    let manifest: Value = serde_json::from_slice(&manifest).expect("JSON");
    let files = manifest["files"].as_array().expect("its files");
    let weights = files.iter().find(|file| file["name"] == "model.safetensors").expect("its weights");
    weights["sha256"].as_str().expect("a checksum").to_owned()
}

fn bytes() -> u64 {
    std::fs::metadata(tiny().join("model.safetensors")).expect("the weights").len()
}

fn repository(hub: &Site) -> Repository {
    repository_of(hub, ID, "main")
}

fn repository_of(hub: &Site, id: &str, revision: &str) -> Repository {
    Repository { hub: hub.origin(), id: id.to_owned(), revision: revision.to_owned() }
}

fn start(name: &'static str, site: &Site) -> Engine {
    Engine::start(Setup::new(name).start(), site)
}

fn open(name: &str) -> ModelRequest {
    open_translator(ModelRef::stored(name), DevicePreference::Cpu)
}

/// Returns the reference's translations of the line, without bias or with it.
fn golden(way: &str) -> Vec<Value> {
    let cases: Vec<Value> =
        serde_json::from_slice(&std::fs::read(tiny().join("golden.json")).expect("the golden file"))
            .expect("its cases");
    let wanted =
        |case: &&Value| case["way"] == way && case["row"] == 0 && case["beams"] == 5 && case["length_penalty"] == 1.0;
    let case = cases.iter().find(wanted).expect("the case");
    case["outputs"].as_array().expect("its outputs").iter().map(|output| output["text"].clone()).collect()
}

/// Asks for a translation and compares it with the reference.
#[track_caller]
fn translates_as_the_reference(engine: &Engine, id: u32) {
    let events = engine.ask(id, translate(LINE, true));
    let last = parts(&events, "Translated").last().copied().cloned().unwrap_or_else(|| panic!("{events:?}"));
    let candidates = last["translated"]["candidates"].as_array().cloned().unwrap_or_default();
    let texts: Vec<Value> = candidates.iter().map(|candidate| candidate["text"].clone()).collect();
    assert_eq!(texts, golden("byte")[..3]);
}

/// Returns the bytes of a stored model's weights that have arrived, as the worker reports them.
fn present(engine: &Engine, name: &str) -> u64 {
    let listed = engine.ask_next(StorageRequest::ListModels);
    let kept = part(&listed, "Storage")["stored"].as_array().cloned().unwrap_or_default();
    let files = kept.iter().find(|model| model["name"] == name).map(|model| model["files"].clone()).unwrap_or_default();
    let weights = files.as_array().and_then(|files| files.iter().find(|file| file["name"] == "model.safetensors"));
    weights.and_then(|file| file["present"].as_u64()).unwrap_or_default()
}

/// Fetches until the connection closes at this byte; returns the failure.
#[track_caller]
fn cut_at(engine: &Engine, hub: &Site, byte: u64) -> Value {
    hub.cut(WEIGHTS, byte);
    hub.hold(WEIGHTS);
    let id = engine.send_next(StorageRequest::FetchModel(repository(hub)));
    engine.page.wait("what comes before the cut", SOON, |_| (present(engine, &name(hub)) == byte).then_some(()));
    hub.release();
    let failure = part(&engine.ended(id, SOON), "Failed").clone();
    hub.mend(WEIGHTS);
    hub.ranges();
    failure
}

/// Returns the name under which the hub's translator is stored.
fn name(hub: &Site) -> String {
    "tiny--translator--127.0.0.1-".to_owned() + hub.origin().rsplit(':').next().unwrap_or_default()
}

#[test]
fn a_model_from_a_hub_is_fetched_in_spite_of_cuts_and_kept() {
    let (site, hub) = (Site::of_the_page(), hub());
    let engine = start("hub", &site);
    let asked = engine.ask(1, StorageRequest::AskHub(repository(&hub)));
    let offer = part(&asked, "Offer");
    println!("{offer}");
    assert!(offer["parameters"].as_u64() > Some(10_000) && offer["memory"].as_u64() > offer["parameters"].as_u64());
    let name = name(&hub);

    // Cut at 40 %: what arrived is stored, and the model is shown as incomplete.
    let cut = bytes() * 2 / 5;
    assert_eq!(cut_at(&engine, &hub, cut)["kind"], "Network");
    assert_eq!(present(&engine, &name), cut);
    let early = engine.ask(4, open(&name));
    let message = part(&early, "Failed")["message"].to_string();
    assert!(message.contains("not complete"), "{message}");

    // After a reload the transfer continues where it ended, the checksum is compared, and the model translates.
    engine.restart(&site);
    let fetched = engine.ask(5, StorageRequest::FetchModel(repository(&hub)));
    part(&fetched, "Stored");
    assert_eq!(hub.ranges(), [(WEIGHTS.to_owned(), cut)]);
    let listed = engine.ask(6, StorageRequest::ListModels);
    let kept = &part(&listed, "Storage")["stored"][0];
    assert!(kept["files"].as_array().expect("files").iter().all(|file| file["sha256"].is_string()), "{kept}");
    let opened = engine.ask(7, open(&name));
    let report = part(&opened, "Translator");
    println!("{report}");
    assert_eq!((&report["golden"], &report["stored"]), (&json!(false), &json!(true)));
    assert!(report["reason"].to_string().contains("no reference numbers"), "{report}");
    translates_as_the_reference(&engine, 8);

    // Without a network the model opens again; fetched again, no byte is fetched twice.
    let again = engine.ask(9, StorageRequest::FetchModel(repository(&hub)));
    part(&again, "Stored");
    assert_eq!(hub.ranges(), []);
    drop(hub);
    engine.restart(&site);
    part(&engine.ask(10, open(&name)), "Translator");
    engine.ask(11, StorageRequest::DeleteModel(name.clone()));
    let listed = engine.ask(12, StorageRequest::ListModels);
    assert_eq!(part(&listed, "Storage")["stored"], json!([]));
    let gone = engine.ask(13, open(&name));
    assert!(part(&gone, "Failed")["message"].to_string().contains("not in this browser any more"), "{gone:?}");
}

#[test]
fn what_is_not_what_it_should_be_is_refused() {
    let (site, hub) = (Site::of_the_page(), hub());
    let engine = start("refused", &site);
    let fetch = StorageRequest::FetchModel(repository(&hub));
    let failed = |id: u32, request: StorageRequest| {
        let events = engine.ask(id, request);
        let failure = part(&events, "Failed").clone();
        println!("{failure}");
        failure
    };
    // A byte is flipped in transfer.
    hub.alter(WEIGHTS, |mut bytes| {
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        bytes
    });
    let failure = failed(1, fetch.clone());
    assert!(failure["kind"] == "Weights" && failure["message"].to_string().contains("arrived damaged"), "{failure}");
    hub.restore(WEIGHTS);
    // Another file behind a part that has already arrived: the tags differ, and the parts are not joined.
    hub.field(WEIGHTS, "ETag", "\"one\"");
    assert_eq!(cut_at(&engine, &hub, 1000)["kind"], "Network");
    hub.field(WEIGHTS, "ETag", "\"two\"");
    part(&engine.ask(3, fetch.clone()), "Stored");
    assert_eq!(hub.ranges(), [(WEIGHTS.to_owned(), 0)], "from the beginning");
    // A missing repository, one without a ByT5, one without weights, and an address without a hub.
    let elsewhere = |id: &str| StorageRequest::AskHub(repository_of(&hub, id, "main"));
    assert!(failed(4, elsewhere("nobody/nothing"))["message"].to_string().contains("answer 404"));
    hub.mount("/some/bert/resolve/main/", &tiny());
    hub.alter("/some/bert/resolve/main/config.json", |_| {
        br#"{"model_type": "bert", "architectures": ["BertForMaskedLM"]}"#.to_vec()
    });
    let failure = failed(5, elsewhere("some/bert"));
    assert!(failure["message"].to_string().contains("BertForMaskedLM"), "{failure}");
    hub.mount("/some/config/resolve/main/", &only(&["config.json"], "config"));
    assert!(failed(6, elsewhere("some/config"))["message"].to_string().contains("no weights that can be read"));
    let nowhere = repository(&hub);
    drop(hub);
    let failure = failed(7, StorageRequest::AskHub(nowhere));
    assert!(
        failure["kind"] == "Network" && failure["message"].to_string().contains("could not be reached"),
        "{failure}"
    );
}

/// Returns the recorded checksums of the weights, and the names of the files in the folder.
fn kept(engine: &Engine, name: &str) -> (String, Value) {
    let listed = engine.ask_next(StorageRequest::ListModels);
    let all = part(&listed, "Storage")["stored"].as_array().cloned().unwrap_or_default();
    let model = all.iter().find(|model| model["name"] == name).cloned().unwrap_or_default();
    let files = model["files"].as_array().cloned().unwrap_or_default();
    let weights = files.iter().find(|file| file["name"] == "model.safetensors").cloned().unwrap_or_default();
    (weights["sha256"].as_str().unwrap_or_default().to_owned(), engine.page.run(FOLDER, &[json!(name)]))
}

/// Script that returns the names of the files in a stored model's folder.
const FOLDER: &str = r"
return (async (name) => {
  let folder = await navigator.storage.getDirectory();
  for (const part of ['tuppum', 'kept', name]) folder = await folder.getDirectoryHandle(part);
  return (await Array.fromAsync(folder.keys())).sort();
})(arguments[0])
";

#[test]
fn a_kept_model_serves_until_its_next_state_is_whole() {
    let (site, hub) = (Site::of_the_page(), hub());
    let engine = start("next-state", &site);
    let (fetch, name) = (StorageRequest::FetchModel(repository(&hub)), name(&hub));
    hub.field(WEIGHTS, "ETag", "\"one\"");
    part(&engine.ask_next(fetch.clone()), "Stored");
    let before = kept(&engine, &name);
    assert_eq!(before, (sha256(), json!(["config.json", "model.safetensors", "record.json"])));

    // The hub has other weights now, and the connection closes midway: the earlier weights still translate.
    hub.alter(WEIGHTS, |mut bytes| {
        let last = bytes.len() - 1;
        bytes[last] ^= 1;
        bytes
    });
    hub.field(WEIGHTS, "ETag", "\"two\"");
    hub.ranges();
    let cut = bytes() / 2;
    hub.cut(WEIGHTS, cut);
    assert_eq!(part(&engine.ask_next(fetch.clone()), "Failed")["kind"], "Network");
    hub.mend(WEIGHTS);
    assert_eq!(kept(&engine, &name).0, before.0);
    part(&engine.ask_next(open(&name)), "Translator");
    translates_as_the_reference(&engine, 100);

    // Once continued, the new weights replace the earlier ones, of which nothing stays.
    part(&engine.ask_next(fetch.clone()), "Stored");
    let after = kept(&engine, &name);
    assert_ne!(after.0, before.0);
    assert_eq!(after.1, json!(["config.json.next", "model.safetensors.next", "record.json"]));
    part(&engine.ask_next(open(&name)), "Translator");

    // A file that is no model of this size is refused, and nothing of it stays.
    let torso = std::fs::read(workspace().join("tests/golden/tiny-torso/restorer.safetensors")).expect("other weights");
    hub.alter(WEIGHTS, move |_| torso.clone());
    hub.field(WEIGHTS, "ETag", "\"three\"");
    let refused = engine.ask_next(fetch.clone());
    assert!(part(&refused, "Failed")["message"].to_string().contains("tensor"), "{refused:?}");
    assert_eq!(kept(&engine, &name), after);
    part(&engine.ask_next(open(&name)), "Translator");

    // Without an earlier version, it is still not taken for a model.
    engine.ask_next(StorageRequest::DeleteModel(name.clone()));
    let refused = engine.ask_next(fetch.clone());
    assert!(part(&refused, "Failed")["message"].to_string().contains("tensor"), "{refused:?}");
    let early = engine.ask_next(open(&name));
    assert!(part(&early, "Failed")["message"].to_string().contains("not complete"), "{early:?}");
}

#[test]
fn pieces_with_an_index_and_files_of_pytorch_are_fetched_too() {
    let (site, hub) = (Site::of_the_page(), hub());
    let folder = only(&["config.json"], "pieces");
    cut_in_two(&tiny().join("model.safetensors"), &folder);
    hub.mount("/in/pieces/resolve/v1/", &folder);
    // This hub lists its files with checksums that it reports nowhere else.
    let list = tuppum_browser_tests::evidence().join("list");
    std::fs::create_dir_all(&list).expect("a folder for the list");
    let entry = |name: &str| {
        let size = std::fs::metadata(folder.join(name)).expect("a file").len();
        json!({ "type": "file", "path": name, "size": size, "oid": "0" })
    };
    let names = ["config.json", INDEX, "model-00001-of-00002.safetensors", "model-00002-of-00002.safetensors"];
    let listed = Value::Array(names.map(entry).to_vec());
    std::fs::write(list.join("v1"), listed.to_string()).expect("the list");
    hub.mount("/api/models/in/pieces/tree/", &list);
    let engine = start("pieces", &site);
    let repository = repository_of(&hub, "in/pieces", "v1");
    let fetched = engine.ask(1, StorageRequest::FetchModel(repository.clone()));
    let kept = part(&fetched, "Stored");
    assert_eq!(kept["files"].as_array().map(Vec::len), Some(4), "{kept}");
    part(&engine.ask(2, open(kept["name"].as_str().unwrap_or_default())), "Translator");
    translates_as_the_reference(&engine, 3);
    hub.mount("/of/pytorch/resolve/main/", &workspace().join("tests/golden/tiny-translator-torch"));
    let repository = repository_of(&hub, "of/pytorch", "main");
    let fetched = engine.ask(4, StorageRequest::FetchModel(repository.clone()));
    part(&engine.ask(5, open(part(&fetched, "Stored")["name"].as_str().unwrap_or_default())), "Translator");
    translates_as_the_reference(&engine, 6);
}

/// Script that fetches files of the page's own site and passes them to the worker as a user's files.
const GIVE: &str = "
    const [id, name, folder, names, flip] = arguments;
    return (async () => {
        const files = [];
        for (const name of names) {
            const bytes = new Uint8Array(await (await fetch(folder + name)).arrayBuffer());
            files.push(new File([name === flip ? bytes.slice(0, 5000) : bytes], name));
        }
        window.engine.postMessage({ id, request: { Storage: { ImportFiles: { name } } }, files });
        return true;
    })()";

#[test]
fn dropped_files_are_checked_and_kept() {
    let site = Site::of_the_page();
    site.mount("/given/", &tiny());
    let wrong = only(&["config.json"], "wrong");
    for (from, to) in [("config.json", "config.json"), ("restorer.safetensors", "model.safetensors")] {
        std::fs::copy(workspace().join("tests/golden/tiny-torso").join(from), wrong.join(to))
            .expect("a file of the torso");
    }
    site.mount("/wrong/", &wrong);
    let engine = start("dropped", &site);
    let give = |id: u32, folder: &str, names: &[&str], broken: &str| {
        engine.page.run(GIVE, &[json!(id), json!("My tiny model"), json!(folder), json!(names), json!(broken)]);
        engine.ended(id, SOON)
    };
    let missing = give(1, "/given/", &["model.safetensors"], "");
    assert!(part(&missing, "Failed")["message"].to_string().contains("config.json is missing"), "{missing:?}");
    let truncated = give(2, "/given/", &["config.json", "model.safetensors"], "model.safetensors");
    assert!(part(&truncated, "Failed")["message"].to_string().contains("truncated"), "{truncated:?}");
    let no_translator = give(3, "/wrong/", &["config.json", "model.safetensors"], "");
    assert!(
        part(&no_translator, "Failed")["message"].to_string().contains("cannot translate here"),
        "{no_translator:?}"
    );
    // The size of one model, the weights of another.
    let script = GIVE
        .replace("'request'", "")
        .replace("folder + name", "(name === 'config.json' ? '/given/' : '/wrong/') + name");
    let names = ["config.json", "model.safetensors"];
    engine.page.run(&script, &[json!(4), json!("mixed"), json!(""), json!(names), json!("")]);
    let mixed = engine.ended(4, SOON);
    assert!(part(&mixed, "Failed")["message"].to_string().contains("tensor"), "{mixed:?}");
    assert_eq!(
        part(&engine.ask(5, StorageRequest::ListModels), "Storage")["stored"],
        json!([]),
        "nothing of these is kept"
    );

    let kept = give(6, "/given/", &["config.json", "model.safetensors", "golden.safetensors"], "");
    let kept = part(&kept, "Stored").clone();
    assert_eq!((&kept["name"], &kept["origin"]), (&json!("My-tiny-model"), &json!("Files")));
    let opened = engine.ask(7, open("My-tiny-model"));
    assert_eq!(part(&opened, "Translator")["golden"], true);
    translates_as_the_reference(&engine, 8);
    let second = give(9, "/given/", &["config.json", "model.safetensors"], "");
    assert_eq!(part(&second, "Stored")["name"], "My-tiny-model-2");

    // A flipped bit on the disk is found when the model is loaded.
    assert_ne!(engine.page.run(DAMAGE, &[json!("My-tiny-model")]), "");
    let damaged = engine.ask(10, open("My-tiny-model"));
    assert!(part(&damaged, "Failed")["message"].to_string().contains("was altered"), "{damaged:?}");
    let afterwards = engine.ask(11, open("My-tiny-model"));
    assert!(part(&afterwards, "Failed")["message"].to_string().contains("not complete"), "{afterwards:?}");
}

#[test]
fn without_golden_numbers_a_graphics_device_is_compared_with_the_cpu() {
    let site = Site::of_the_page();
    site.mount("/given/", &tiny());
    let engine = Engine::start(Setup::new("compared").with_webgpu().start(), &site);
    let names = json!(["config.json", "model.safetensors"]);
    engine.page.run(GIVE, &[json!(1), json!("compared"), json!("/given/"), names, json!("")]);
    part(&engine.ended(1, SOON), "Stored");
    let opened = engine.ask(2, open_translator(ModelRef::stored("compared"), DevicePreference::WebGpu));
    let report = part(&opened, "Translator");
    println!("{report}");
    assert!(report["reason"].to_string().contains("agreed with the CPU on a short row"), "{report}");
    // Two devices never agree to the last bit; a difference of exactly zero would mean that nothing was compared.
    let difference = report["self_test"].as_f64().unwrap_or(f64::NAN);
    assert!(difference > 0.0 && difference < 5e-4, "{report}");
    translates_as_the_reference(&engine, 3);
}

/// Script that flips a bit of stored weights, as a failing disk does.
const DAMAGE: &str = r"
return (async (name) => {
  let folder = await navigator.storage.getDirectory();
  for (const part of ['tuppum', 'kept', name]) folder = await folder.getDirectoryHandle(part);
  const handle = await folder.getFileHandle('model.safetensors');
  const bytes = new Uint8Array(await (await handle.getFile()).arrayBuffer());
  bytes[bytes.length >> 1] ^= 1;
  const writable = await handle.createWritable();
  await writable.write(bytes);
  await writable.close();
  return name;
})(arguments[0])
";

/// Worker script that makes the browser let this site store next to nothing.
const LITTLE_ROOM: &str = "StorageManager.prototype.estimate = async () => ({ usage: 1000, quota: 50000 });";

#[test]
fn too_little_room_is_said_before_anything_is_fetched() {
    let (site, hub) = (Site::of_the_page(), hub());
    site.engine_prelude(LITTLE_ROOM);
    let engine = start("room", &site);
    let asked = engine.ask(1, StorageRequest::AskHub(repository(&hub)));
    assert_eq!(part(&asked, "Offer")["free"], 49_000);
    let refused = engine.ask(2, StorageRequest::FetchModel(repository(&hub)));
    let failure = part(&refused, "Failed");
    assert!(failure["kind"] == "Storage" && failure["message"].to_string().contains("too little room"), "{failure}");
    assert_eq!(hub.ranges(), []);
}

#[test]
fn a_browser_that_keeps_nothing_says_so() {
    let (site, hub) = (Site::of_the_page(), hub());
    site.engine_prelude(tuppum_browser_tests::scripts::NO_FILE_SYSTEM);
    let engine = start("kept-nothing", &site);
    let listed = engine.ask(1, StorageRequest::ListModels);
    assert!(part(&listed, "Storage")["refusal"].is_string(), "{listed:?}");
    let refused = engine.ask(2, StorageRequest::FetchModel(repository(&hub)));
    assert_eq!(part(&refused, "Failed")["kind"], "Storage", "{refused:?}");
}

#[test]
fn a_second_tab_reads_while_one_writes_and_a_stop_keeps_the_part() {
    let (site, hub) = (Site::of_the_page(), hub());
    let engine = start("two-tabs", &site);
    part(&engine.ask(1, StorageRequest::FetchModel(repository(&hub))), "Stored");
    let listed = engine.ask(2, StorageRequest::ListModels);
    let name = part(&listed, "Storage")["stored"][0]["name"].as_str().expect("a name").to_owned();
    let other = repository_of(&hub, "other/translator", "main");
    hub.mount("/other/translator/resolve/main/", &only(&["config.json", "model.safetensors"], "plain"));
    let weights = "/other/translator/resolve/main/model.safetensors";
    hub.field(weights, "ETag", "\"one\"");
    hub.hold(weights);
    engine.send(3, StorageRequest::FetchModel(other.clone()));
    let half = "other".to_owned() + name.strip_prefix("tiny").unwrap_or_default();
    engine.page.wait("half of the weights", SOON, |_| (present(&engine, &half) == bytes() / 2).then_some(()));
    // The downloading worker translates meanwhile, and so does one in another tab.
    part(&engine.ask(4, open(&name)), "Translator");
    translates_as_the_reference(&engine, 5);
    let first = engine.page.new_tab();
    engine.restart(&site);
    let listed = engine.ask(6, StorageRequest::ListModels);
    let kept = part(&listed, "Storage")["stored"].as_array().cloned().unwrap_or_default();
    assert_eq!(kept.len(), 2, "the half one is seen too: {kept:?}");
    part(&engine.ask(7, open(&name)), "Translator");
    translates_as_the_reference(&engine, 8);
    engine.page.go_to_tab(&first);
    engine.ask(9, Request::Cancel(3));
    assert_eq!(part(&engine.ended(3, SOON), "Failed")["kind"], "Cancelled");
    hub.release();
    hub.ranges();
    part(&engine.ask(10, StorageRequest::FetchModel(other.clone())), "Stored");
    let ranges = hub.ranges();
    assert!(ranges.len() == 1 && ranges[0].1 > 0, "what was there is not fetched again: {ranges:?}");
}
