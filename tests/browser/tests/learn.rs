//! The lesson as a class uses it: every widget does what its step says, offline and on a phone.

use serde_json::json;
use tuppum_browser_tests::attention::Attention;
use tuppum_browser_tests::browser::{Setup, keys};
use tuppum_browser_tests::scripts::{CONTRAST, MISNAMED, NO_SERVICE_WORKER};
use tuppum_browser_tests::site::Site;
use tuppum_browser_tests::workbench::{ANSWERING, OPENING, SOON, Workbench};

const LESSON: &str = "view=learn&model=models/tiny/&device=cpu";

/// Opens the lesson in a fresh browser; the functions of [`Attention`] read what it shows.
#[track_caller]
fn open(setup: Setup, site: &Site) -> Attention {
    let page = setup.start();
    page.allow_clipboard(&site.origin());
    page.open(&site.url(LESSON));
    let lesson = Attention { page };
    lesson.page.wait("the readings of a sign", SOON, |_| (!lesson.rows("#learn-readings").is_empty()).then_some(()));
    lesson.page.wait("the points of the bytes", SOON, |_| {
        lesson.shown("#learn-bias-told").contains("Between {d} and UTU").then_some(())
    });
    lesson
}

#[test]
fn seven_steps_have_a_widget_and_a_question_each() {
    let site = Site::of_the_page();
    let lesson = open(Setup::new("learn"), &site);
    let steps = "return [...document.querySelectorAll('main.learn .step')].map(step =>
        [step.querySelector('h2').innerText.slice(0, 2), step.querySelectorAll('button, input, canvas').length > 0,
         step.querySelectorAll('.try details:not([open])').length])";
    let found = lesson.page.run(steps, &[]);
    let expected: Vec<_> = (1..=7).map(|number| json!([format!("{number}."), true, 1])).collect();
    assert_eq!(found, json!(expected));
    // Step 1: readings with counts.
    let readings = lesson.rows("#learn-readings");
    println!("{readings:?}");
    assert!(readings.iter().any(|row| row.starts_with("an\t")) && lesson.shown("#learn-sign").contains('𒀭'));
    lesson.page.press("button", "UD");
    lesson.page.wait("the readings of UD", SOON, |_| {
        lesson.rows("#learn-readings").iter().any(|row| row.starts_with("UTU")).then_some(())
    });
    // Step 3: the circles.
    lesson.slide("#learn-radius", 5.0);
    let told = lesson
        .page
        .wait("the circles", SOON, |_| Some(lesson.shown("#learn-circles")).filter(|told| told.contains("radius 5.0")));
    // The circumferences are 2π · 5 and 2π sinh 5.
    assert!(told.contains("31 neighbours") && told.contains("for 466"), "{told}");
    // Step 7: the trees of a sentence; they change with the layer and with the sentence.
    let told = || lesson.shown("#learn-sentence-told");
    let last = told();
    assert!(last.contains("of 6 links") && last.contains("for the next word"), "{last}");
    lesson.slide("#learn-layer", 0.0);
    let first = lesson.page.wait("the first layer", SOON, |_| Some(told()).filter(|told| *told != last));
    let share =
        |told: &str| told.split("learn from: ").nth(1).and_then(|rest| rest.split('\u{202f}').next()?.parse().ok());
    let [from_first, from_last]: [Option<f64>; 2] = [share(&first), share(&last)];
    assert!(from_first.is_some() && from_first < from_last, "{first}\n{last}");
    let words = lesson.page.run("return document.querySelector('#learn-step-7 svg desc').textContent", &[]);
    lesson.page.run(
        "const s = document.querySelector('#learn-sentence'); s.value = '2';
        s.dispatchEvent(new Event('change', { bubbles: true }))",
        &[],
    );
    lesson.page.wait("another sentence", SOON, |page| {
        let now = page.try_run("return document.querySelector('#learn-step-7 svg desc').textContent", &[]).ok()?;
        (now != words).then_some(())
    });
    // Step 5: damage, the same for the same seed.
    let first = lesson.rows("#learn-damage");
    assert_eq!(first.len(), 4);
    let damaged = (0..12).find_map(|_| {
        lesson.page.press("button", "Damage it again");
        let rows = lesson.rows("#learn-damage");
        rows[1].contains("x").then_some(rows)
    });
    println!("{damaged:?}");
    assert!(damaged.is_some(), "twelve seeds and no sign lost of six at 0.15 each: one chance in 100,000");
}

#[test]
fn the_bias_follows_the_slider_and_the_line() {
    let site = Site::of_the_page();
    let lesson = open(Setup::new("learn-bias"), &site);
    let before = lesson.shown("#learn-bias-told");
    lesson.slide("#learn-alpha", 0.0);
    lesson.page.wait("no bias", SOON, |_| lesson.shown("#learn-bias-told").contains("factor is 1.00").then_some(()));
    lesson.slide("#learn-alpha", 1.0);
    let strong = lesson.page.wait("a strong bias", SOON, |_| {
        Some(lesson.shown("#learn-bias-told")).filter(|told| !told.contains("factor is 1.00"))
    });
    println!("{before}\n{strong}");
    let field = lesson.page.the("textbox", "Your line");
    lesson.page.paste(&field, "{m}a-szur");
    lesson.page.wait("the other line", SOON, |_| {
        lesson.shown("#learn-bias-told").contains("Between {m} and a-šur").then_some(())
    });
    let labels =
        "return [...document.querySelectorAll('#learn-bias svg text')].map(text => text.textContent).join(' ')";
    assert!(lesson.page.run(labels, &[]).as_str().is_some_and(|labels| labels.starts_with("{ m } a - š")));
}

/// Returns the error of distances, in percent, as the widget shows it after this number of steps.
fn off(lesson: &Attention, steps: u32) -> f64 {
    lesson.slide("#learn-fit-steps", f64::from(steps));
    let told = lesson.page.wait("the fitted points", SOON, |_| {
        Some(lesson.shown("#learn-fit-told")).filter(|told| told.starts_with(&format!("After {steps} steps")))
    });
    let percent = told.split("are ").nth(1).and_then(|rest| rest.split(' ').next()).and_then(|word| word.parse().ok());
    percent.unwrap_or_else(|| panic!("no figure in {told:?}"))
}

#[test]
fn points_are_fitted_on_either_plane() {
    let site = Site::of_the_page();
    let lesson = open(Setup::new("learn-fit"), &site);
    let [start, hyperbolic] = [0, 200].map(|steps| off(&lesson, steps));
    lesson.page.press("checkbox", "On the Euclidean plane");
    let euclid =
        lesson.page.wait("the other plane", SOON, |_| Some(off(&lesson, 200)).filter(|off| *off != hyperbolic));
    println!("{start} {hyperbolic} {euclid}");
    assert!(start > 50.0 && hyperbolic < 8.0 && euclid > 20.0, "{start} {hyperbolic} {euclid}");
    lesson.page.press("checkbox", "{d} and UTU belong together");
    let labels = "return [...document.querySelectorAll('#learn-fit svg text')].map(text => text.textContent)";
    let drawn = lesson.page.run(labels, &[]);
    assert!(["{d}", "UTU", "wanted distance"].iter().all(|name| drawn.to_string().contains(name)), "{drawn}");
    lesson.page.press("button", "Begin elsewhere");
    lesson.page.wait("another start", SOON, |_| (off(&lesson, 0) != start).then_some(()));
}

#[test]
fn nearer_is_never_less_and_company_tells_two_sentences_apart() {
    let site = Site::of_the_page();
    let lesson = open(Setup::new("learn-weights"), &site);
    lesson.slide("#learn-alpha", 0.5);
    let weight = |distance: f64| {
        lesson.slide("#learn-distance", distance);
        let told = lesson.page.wait("the weight", SOON, |_| {
            Some(lesson.shown("#learn-monotone-told")).filter(|told| told.contains(&format!("distance {distance:.1} ")))
        });
        let percent = told.split("gets ").nth(1).and_then(|rest| rest.split(' ').next());
        percent.and_then(|word| word.parse::<f64>().ok()).unwrap_or_else(|| panic!("no figure in {told:?}"))
    };
    let weights = [0.0, 1.5, 3.0, 4.5, 8.0].map(weight);
    assert!(weights.is_sorted_by(|near, far| near > far) && weights[2] == 10.0, "{weights:?}");
    lesson.page.run("document.querySelectorAll('#learn-step-4 details').forEach(one => one.open = true)", &[]);
    let rows = lesson.rows("#learn-contrast");
    println!("{rows:?}");
    let times = |name: &str| -> f64 {
        let row = rows.iter().find(|row| row.starts_with(name)).unwrap_or_else(|| panic!("no {name} in {rows:?}"));
        row.split('\t').next_back().and_then(|cell| cell.trim().parse().ok()).expect("a number")
    };
    assert!(times("By signs, with their company") > 2.0, "{rows:?}");
    assert!((times("By bytes, hard") - 1.0).abs() < 0.05, "{rows:?}");
}

#[test]
fn the_disk_is_walked_and_a_hidden_sign_is_asked_for() {
    let site = Site::of_the_page();
    let lesson = open(Setup::new("learn-restore"), &site);
    lesson.focus("#disk");
    lesson.page.type_keys(&keys::DOWN.to_string());
    lesson.page.wait("a sign", SOON, |_| (!lesson.attribute("#disk", "data-chosen").is_empty()).then_some(()));
    lesson.page.press("button", "Ask the restorer");
    let ask = |what: &str| {
        lesson.page.wait(what, ANSWERING, |_| {
            let rows = lesson.page.select("#learn-proposals tr[data-rank]").len();
            (rows > 0 && lesson.attribute("#learn-restore", "aria-disabled") == "false").then_some(rows)
        })
    };
    println!("{} proposals", ask("proposals for mu"));
    let told = lesson.shown("#learn-proposals");
    assert!(told.contains("A machine’s proposals. The editors read mu"), "{told}");
    lesson.page.press("button", "Hide ṣil");
    lesson.page.wait("the proposals to go", SOON, |_| lesson.shown("#learn-proposals").is_empty().then_some(()));
    lesson.page.press("button", "Ask the restorer");
    ask("proposals for ṣil");
    assert!(lesson.shown("#learn-proposals").contains("The editors read ṣil"));
}

#[test]
fn the_lesson_opens_without_a_network() {
    let mut site = Site::of_the_page();
    let lesson = open(Setup::new("learn-offline"), &site);
    let bench = Workbench { page: lesson.page };
    bench.kept_for_offline();
    site.stop();
    bench.page.reload();
    let lesson = Attention { page: bench.page };
    lesson.page.wait("the points", SOON, |_| lesson.shown("#learn-bias-told").contains("Between").then_some(()));
    lesson.page.wait("the readings", SOON, |_| (!lesson.rows("#learn-readings").is_empty()).then_some(()));
    // Step 6 needs a model that this browser does not have: the page says so before anybody uses it.
    let promise = lesson.page.wait("what the lesson promises", OPENING, |_| {
        Some(lesson.shown("#learn-promise")).filter(|promise| promise.contains("not in this browser yet"))
    });
    assert!(promise.contains("steps 1 to 5 need no network"), "{promise}");
    assert!(lesson.shown("#learn-step-6").contains("Not fetched yet"), "{}", lesson.shown("#learn-step-6"));
}

#[test]
fn everything_has_a_name_a_colour_and_room() {
    let site = Site::of_the_page();
    let lesson = open(Setup::new("learn-names"), &site);
    lesson.page.run("document.querySelectorAll('details').forEach(one => one.open = true)", &[]);
    let mut checked = 0;
    for element in lesson.page.select("button, input, select, textarea, a[href], summary, canvas") {
        let seen =
            lesson.page.run("return arguments[0].checkVisibility({ visibilityProperty: true })", &[element.to_json()]);
        if seen != json!(true) {
            continue;
        }
        checked += 1;
        let source = lesson.page.run("return arguments[0].outerHTML.slice(0, 200)", &[element.to_json()]);
        assert!(!lesson.page.name_of(&element).trim().is_empty(), "no accessible name: {source}");
    }
    assert!(checked > 30, "only {checked} controls were found");
    assert_eq!(lesson.page.run(MISNAMED, &[json!("#nowhere")]), json!([]), "a name lacks what is seen");
    let twice = "const ids = [...document.querySelectorAll('[id]')].map(e => e.id);
        return ids.filter((id, place) => ids.indexOf(id) !== place)";
    assert_eq!(lesson.page.run(twice, &[]), json!([]), "an id stands once");
    for dark in [false, true] {
        lesson.page.set_dark(dark);
        assert_eq!(lesson.page.run(CONTRAST, &[]), json!([]), "too little contrast ({dark})");
    }
    lesson.page.set_screen(390, 844, true);
    lesson.page.come_to_rest();
    let wide = lesson.page.run("return document.documentElement.scrollWidth", &[]);
    assert!(wide.as_u64().is_some_and(|wide| wide <= 390), "{wide} pixels wide on a phone");
}

#[test]
fn what_the_model_knows_is_compared_with_where_it_began() {
    let site = Attention::site();
    let page = Setup::new("known").start();
    page.open(&site.url("view=tree&translator=models/tiny-translator/&device=cpu"));
    let tree = Attention { page };
    let marks = |tree: &Attention| {
        let count = tree.page.try_run("return document.querySelectorAll('#known-figure circle title').length", &[]);
        count.unwrap_or_default().as_u64().unwrap_or(0)
    };
    let began = tree.page.wait("the points of the bytes", SOON, |_| Some(marks(&tree)).filter(|count| *count > 60));
    tree.page.press("button", "Compare with the translator");
    tree.page
        .wait("the learnt points", ANSWERING, |_| (tree.attribute("#known", "data-learnt") == "true").then_some(()));
    tree.page.wait("both sets", SOON, |_| (marks(&tree) == 2 * began).then_some(()));
    let told = tree.shown("#known");
    println!("{told}");
    assert!(told.contains("on average they moved by") && told.contains("principal geodesic analysis"));
    tree.page.press("radio", "Points of signs");
    let signs = tree.page.wait("the points of the signs", SOON, |_| Some(marks(&tree)).filter(|count| *count > 4_000));
    println!("{began} bytes, {signs} signs and readings");
}

#[test]
fn a_part_that_does_not_arrive_can_be_asked_for_again() {
    let built = std::fs::read_dir(tuppum_browser_tests::dist()).expect("the built page").flatten();
    let folders = built.filter(|entry| entry.path().is_dir());
    let mut parts = folders.map(|entry| entry.file_name().to_string_lossy().into_owned());
    let parts = parts.find(|name| name.starts_with("page-")).expect("the folder of the page's parts");
    let lesson = format!("/{parts}/split_learn.wasm");
    let site = Site::of_the_page();
    site.alter(&lesson, |_| b"<html>a captive portal</html>".to_vec());
    let page = Setup::new("part-failed").with_script(NO_SERVICE_WORKER).start();
    page.open(&site.url(LESSON));
    let failed = page.wait("the failure", SOON, |page| page.all("alert", "").first().map(|one| page.text_of(one)));
    assert!(failed.contains("could not be fetched"), "{failed}");
    site.restore(&lesson);
    page.press("button", "Try again");
    page.wait("the lesson", SOON, |page| page.visible_text().contains("One sign, many readings").then_some(()));
    assert!(page.all("alert", "").is_empty());
}

#[test]
fn pictures_have_the_chosen_colours_from_the_first_moment() {
    let site = Site::of_the_page();
    let lesson = open(Setup::new("learn-dark"), &site);
    // The background of the circles' picture, and a corner of the disk.
    let grounds = "const disk = document.querySelector('#learn-step-2 canvas');
        const corner = disk?.getContext('2d').getImageData(1, 1, 1, 1).data;
        const ground = document.querySelector('#learn-step-3 svg rect');
        return [ground?.getAttribute('fill') ?? '', corner?.[3] > 0 ? corner[0] : -1]";
    let drawn = |lesson: &Attention| lesson.page.run(grounds, &[]);
    let light = lesson.page.wait("the disk", SOON, |_| Some(drawn(&lesson)).filter(|found| found[1] != json!(-1)));
    lesson.page.run("localStorage.setItem('tuppum.theme.1', JSON.stringify('dark'))", &[]);
    lesson.page.reload();
    lesson.page.wait("dark pictures", SOON, |_| {
        let found = drawn(&lesson);
        let is_dark = found[1].as_f64().is_some_and(|red| (0.0..80.0).contains(&red));
        (is_dark && found[0] != light[0]).then_some(())
    });
}
