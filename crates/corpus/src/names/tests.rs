use super::*;
use crate::attested::PackError;
use tuppum_domain::names::NameKind;

/// Returns a model that knows a god by its determinative, and LUGAL as no name.
fn small() -> NameModelParts {
    let mut classes = vec![0.0; NameClasses::COUNT * 2];
    classes[..4].copy_from_slice(&[-2.0, 0.0, 2.0, 0.5]);
    NameModelParts {
        dimension: 2,
        features: ["+1|", "<{d}", "LUGAL"].map(str::to_owned).to_vec(),
        points: vec![0.0, 0.01, 3.0, 0.75, -3.0, 0.1],
        classes,
        biases: vec![0.25; NameClasses::COUNT],
        temperature: 1.5,
    }
}

fn features(words: &[&str], at: usize) -> Vec<String> {
    let words: Vec<NameWord> = words.iter().map(|word| NameWord::read(word)).collect();
    let mut found = Vec::new();
    each_feature(&words, at, &mut |part, text| found.push(format!("{part:?} {text}")));
    found
}

#[test]
fn words_fall_into_readings_and_determinatives() {
    let of = |word: &str| NameWord::read(word).bare().join(" ");
    assert_eq!(of("{m}{d}30-PAP.MEŠ-SU"), "30 PAP MEŠ SU");
    assert_eq!(of("{KUR}aš-šur{KI}"), "aš šur");
    assert_eq!(of("|KA×(ME.DI)|-a"), "|KA×(ME.DI)| a");
    assert_eq!(of("[a]-⸢na?⸣"), "a na");
    assert_eq!(of(""), "");
    let found = features(&["a-na", "{KUR}aš-šur{KI}", "{d}UTU"], 1);
    for feature in [
        "Word aš",
        "Word ^ aš",
        "Word aš šur",
        "Word šur $",
        "Word n2",
        "Word ss",
        "Word tur$",
        "Determinatives <{KUR}",
        "Determinatives >{KI}",
        "Determinatives <{KUR}>{KI}",
        "Company -1=a-na",
        "Company -1$na",
        "Company +1=UTU",
        "CompanyDeterminatives +1<{d}",
    ] {
        assert!(found.iter().any(|one| one == feature), "{feature}: {found:?}");
    }
    assert!(features(&["a-na"], 0).iter().any(|one| one == "Company +1|"));
    assert!(features(&["a-na"], 1).is_empty());
}

#[test]
fn probabilities_sum_to_one_and_the_likeliest_stands_first() {
    let model = NameModel::new(small()).unwrap();
    let check = |words: &[&str], at: usize| {
        let guess = model.kinds(words, at);
        let sum: f32 = guess.none + guess.kinds.iter().map(|kind| kind.probability).sum::<f32>();
        assert!((sum - 1.0).abs() < 1e-5, "{guess:?}");
        assert_eq!(guess.kinds.len(), NameKind::ALL.len());
        assert!(guess.kinds.is_sorted_by(|one, other| one.probability >= other.probability), "{guess:?}");
        guess
    };
    assert_eq!(check(&["a-na", "LUGAL", "{d}marduk", "x"], 2).kinds[0].kind, NameKind::God);
    let none = check(&["a-na", "{d}marduk", "LUGAL"], 2);
    assert!(none.none > none.kinds[0].probability, "{none:?}");
    check(&["x"], 0);
    assert_eq!(check(&["x"], 7).none, 1.0);
    assert_eq!(check(&[], usize::MAX).none, 1.0);
}

#[test]
fn a_model_written_is_read() {
    let model = NameModel::new(small()).unwrap();
    let written = model.write();
    let read = NameModel::read(&written).unwrap();
    assert_eq!(read.parts.features, model.parts.features);
    assert_eq!((&read.parts.classes, &read.parts.biases), (&model.parts.classes, &model.parts.biases));
    for (own, other) in read.parts.points.iter().zip(&model.parts.points) {
        assert!((own - other).abs() < 0.015, "{own} {other}");
    }
    // Rounding is idempotent.
    assert_eq!(NameModel::read(&read.write()).unwrap(), read);
}

#[test]
fn wrong_files_say_what_is_wrong() {
    let written = NameModel::new(small()).unwrap().write();
    assert_eq!(NameModel::read(b"something"), Err(NameModelError::Pack(PackError::NoPack)));
    for length in 0..written.len() {
        assert!(NameModel::read(&written[..length]).is_err(), "{length}");
    }
    let with = |change: fn(&mut NameModelParts)| {
        let mut parts = small();
        change(&mut parts);
        NameModel::new(parts).unwrap_err().to_string()
    };
    assert!(with(|parts| parts.dimension = 0).contains("0 coordinates"));
    assert!(with(|parts| parts.dimension = 3).contains("6 coordinates of features, 9 are needed"));
    assert!(with(|parts| parts.features.swap(0, 1)).contains("not in order"));
    assert!(with(|parts| parts.temperature = 0.0).contains("impossible"));
    assert!(with(|parts| parts.points[1] = f32::NAN).contains("impossible"));
    assert!(with(|parts| parts.biases.truncate(10)).contains("10 biases, 11 are needed"));
}
