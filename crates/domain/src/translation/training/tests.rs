//! Splits and refusals of a plan, and reading of stored settings of older versions.

use super::*;

fn plan(texts: impl Iterator<Item = String>) -> TranslatorTrainingPlan {
    TranslatorTrainingPlan {
        pairs: texts.map(|text| TranslationPair::new(text, "a-na", "to")).collect(),
        ..TranslatorTrainingPlan::default()
    }
}

#[test]
fn a_tenth_of_the_texts_is_held_out_and_stays_so() {
    let names = |count: usize| (0..count).map(|number| format!("P{number:06}"));
    let [trained, held_out] = plan(names(5_000)).split();
    assert_eq!(trained.len() + held_out.len(), 5_000);
    // Binomial, 5,000 draws at 1/10: 500 ± 5 standard deviations of 21.
    assert!((394..=606).contains(&held_out.len()), "{}", held_out.len());
    let [_, fewer] = plan(names(2_500)).split();
    assert_eq!(fewer[..], held_out[..fewer.len()]);
}

#[test]
fn pairs_of_a_text_stay_together_and_no_side_is_empty() {
    for count in 2..40 {
        let both = (0..count).flat_map(|number| vec![format!("text {number}"); 2]);
        let [trained, held_out] = plan(both).split();
        assert!(!trained.is_empty() && !held_out.is_empty(), "{count}");
        assert!(held_out.chunks(2).all(|pair| pair[0] % 2 == 0 && pair[1] == pair[0] + 1), "{held_out:?}");
    }
    let [trained, held_out] = plan(std::iter::once("alone".to_owned())).split();
    assert_eq!((trained.len(), held_out.len()), (1, 0));
}

#[test]
fn supplementary_pairs_train_and_long_ones_do_neither() {
    let mut plan = plan((0..50).map(|number| number.to_string()));
    plan.pairs.iter_mut().for_each(|pair| pair.weight = 0.5);
    plan.pairs[7].target = "x".repeat(513);
    assert_eq!(plan.split().map(|side| side.len()), [49, 0]);
    assert_eq!(plan.left_out(), 1);
}

#[test]
fn a_held_out_pair_whose_source_trains_too_is_left_out() {
    let mut plan = plan((0..50).map(|number| number.to_string()));
    let [trained, held_out] = plan.split();
    assert_eq!(plan.leaks(), held_out);
    for (number, pair) in plan.pairs.iter_mut().enumerate() {
        pair.source = number.to_string();
    }
    assert_eq!(plan.without(&plan.leaks()), plan);
    plan.pairs[held_out[1]].source = trained[0].to_string();
    assert_eq!(plan.leaks(), held_out[1..2]);
    let without = plan.without(&plan.leaks());
    assert_eq!(without.split().map(|side| side.len()), [trained.len(), held_out.len() - 1]);
    assert!(without.leaks().is_empty());
}

/// Returns the default settings with another optimiser.
fn with(change: impl Fn(&mut OptimiserSettings)) -> TranslatorTrainingSettings {
    let mut settings = TranslatorTrainingSettings::default();
    change(&mut settings.optimiser);
    settings
}

#[test]
fn what_makes_no_sense_is_named() {
    let check = |settings: TranslatorTrainingSettings, said: &str| {
        let problem = settings.check().unwrap_err().to_string();
        assert!(problem.contains(said), "{problem}");
    };
    check(TranslatorTrainingSettings { dropout: 1.0, ..TranslatorTrainingSettings::default() }, "dropout is 1");
    check(with(|own| own.rate = f64::NAN), "learning rate is NaN");
    check(with(|own| own.warm_up = -0.1), "warm-up is -0.1");
    check(with(|own| own.points_rate = Some(-1.0)), "rate of the points is -1");
    check(
        TranslatorTrainingSettings { length: Length::Steps(0), ..TranslatorTrainingSettings::default() },
        "1 or more",
    );
    assert_eq!(TranslatorTrainingSettings::default().check(), Ok(()));
    let mut plan = plan(["a", "b"].map(str::to_owned).into_iter());
    assert_eq!(plan.check(), Ok(()));
    plan.pairs[1].target = " ".into();
    assert!(
        plan.check().unwrap_err().to_string().starts_with("pair 2 cannot be used for training: its target is empty")
    );
    assert!(TranslatorTrainingPlan::default().check().unwrap_err().to_string().starts_with("of 0 pairs none is left"));
}

#[test]
fn settings_travel_as_json_and_what_is_not_said_is_default() {
    let json = r#"{"length": {"steps": 50}, "frozen": ["positions", "encoder"], "augmentation": {"drop": 0.07}}"#;
    let settings: TranslatorTrainingSettings = serde_json::from_str(json).unwrap();
    assert_eq!(settings.length, Length::Steps(50));
    assert_eq!(settings.augmentation, Rates { drop: 0.07, ..Rates::default() });
    assert_eq!(settings.frozen, [TranslatorPart::Encoder, TranslatorPart::Positions].into());
    let again: TranslatorTrainingSettings = serde_json::from_str(&serde_json::to_string(&settings).unwrap()).unwrap();
    assert_eq!(again, settings);
}

/// Default settings as version 0.1 wrote them into checkpoints and plans.
const STORED: &str = concat!(
    r#"{"task":"translation","length":{"epochs":10},"seed":1,"rate":0.0003,"warm_up":0.1,"points_rate":10.0,"#,
    r#""weight_decay":0.01,"betas":[0.9,0.999],"epsilon":1e-8,"clip":1.0,"label_smoothing":0.0,"dropout":0.1,"#,
    r#""batch_bytes":4096,"accumulation":1,"longest":512,"held_out":0.1,"augmented":1.0,"#,
    r#""augmentation":{"drop":0.15,"keep":2,"shuffle":0.3,"within":2,"vary":0.2},"frozen":[],"bias":true,"#,
    r#""bias_layers":null}"#,
);

#[test]
fn stored_settings_read_as_before_and_are_written_as_before() {
    assert_eq!(
        serde_json::from_str::<TranslatorTrainingSettings>(STORED).unwrap(),
        TranslatorTrainingSettings::default()
    );
    assert_eq!(
        serde_json::to_string(&TranslatorTrainingSettings::default()).unwrap(),
        STORED,
        "fingerprints of runs hang on it"
    );
    let partial = r#"{"rate": 1, "points_rate": 4}"#;
    assert_eq!(
        serde_json::from_str::<TranslatorTrainingSettings>(partial).unwrap(),
        with(|own| (own.rate, own.points_rate) = (1.0, Some(4.0)))
    );
}
