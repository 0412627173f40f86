//! Texts that look Sumerian and are not marked as Sumerian: they would be restored and translated as Akkadian.

use super::report::Report;
use crate::{Line, LineKind, Severity, Sign};
use std::collections::BTreeSet;

/// Readings in small letters that are words or endings of Sumerian. In Akkadian editions these words are logograms, in
/// capitals; each of them makes up less than one in a thousand signs as a syllable.
const MARKS: [&str; 72] = [
    "lugal", "dumu", "ke₄", "ensi₂", "kalam", "dingir", "nin", "du₃", "dug₄", "du₁₁", "gi₄", "še₃", "eš₂", "eš₃",
    "gir₃", "gir₂", "su₃", "si₃", "šag₄", "ša₃", "e₃", "e₂", "ga₂", "gu₁₀", "kug", "ku₃", "babbar", "udu", "gu₄",
    "gud", "ninda", "munus", "inim", "gu₂", "gu₃", "ku₅", "kud", "bala", "til₃", "gin₇", "gim", "sikil", "sukkal",
    "pad₃", "iri", "eri", "gub", "šum₂", "sum", "sum₄", "il₂", "gal₂", "gar", "lu₂", "nanna", "inana", "enlil", "igi",
    "giš", "zal", "hul₂", "šeš", "a₂", "ša₆", "zid", "de₆", "tum₂", "unug", "lagaš", "enki", "nibru", "kaš",
];

/// Minimum number of legible signs; a shorter text says too little.
const FEWEST_SIGNS: usize = 6;
/// Minimum number of marks, of at least two kinds, and the inverse of their minimum share of the signs. Of 14,883 texts
/// that editions call Akkadian 35 reach both; of every fourth of these, seven of nine are Sumerian.
const FEWEST_MARKS: usize = 3;
const ONE_IN: usize = 7;
/// Number of marks that the report names.
const TOLD: usize = 4;

/// Reports once that an unmarked text looks Sumerian.
pub fn look_over(lines: &[Line], report: &mut Report) {
    let text = lines.iter().filter(|line| line.kind == LineKind::Text);
    let legible = text.flat_map(|line| &line.signs).filter(|sign| sign.is_akkadian());
    let readings: Vec<(&str, &Sign)> = legible
        .filter_map(|sign| Some((sign.reading()?, sign)))
        .filter(|(reading, _)| !reading.starts_with('{'))
        .collect();
    let marks: Vec<&(&str, &Sign)> = readings.iter().filter(|(reading, _)| MARKS.contains(reading)).collect();
    let kinds: BTreeSet<&str> = marks.iter().map(|(reading, _)| *reading).collect();
    let Some((_, first)) = marks.first() else { return };
    let enough = marks.len() >= FEWEST_MARKS && kinds.len() >= 2 && marks.len() * ONE_IN >= readings.len();
    if readings.len() < FEWEST_SIGNS || !enough {
        return;
    }
    let told: Vec<&str> = kinds.into_iter().take(TOLD).collect();
    let message = format!(
        "This text looks Sumerian: {} of {} signs are words or endings of it ({} …). It is restored and translated as \
         if it were Akkadian, and nothing of that can be trusted.",
        marks.len(),
        readings.len(),
        told.join(", "),
    );
    let hint = "Write %sux before what is Sumerian, or #atf: lang sux above it; in an Akkadian text, write logograms \
                in capitals.";
    report.told(first.span, Severity::Warning, message, Some(hint.to_owned()), None);
}

#[cfg(test)]
mod tests {
    use crate::Document;

    /// Frayne, RIME 3/2.1.1.11 (Ur-Namma), and the beginning of RIME 3/1.1.7 StB (Gudea).
    const SUMERIAN: [&str; 2] = [
        "{d}nanna lugal-a-ni ur-{d}namma lugal uri₅{ki}-ma-ke₄ e₂-a-ni mu-na-du₃ bad₃ uri₅{ki}-ma mu-na-du₃",
        "{d}nin-gir₂-su ur-sag kal-ga {d}en-lil₂-la₂-ra gu₃-de₂-a ensi₂ lagaš{ki}-ke₄ e₂-ninnu mu-na-du₃",
    ];

    fn told(text: &str) -> bool {
        Document::read(text).diagnostics.iter().any(|told| told.message.contains("looks Sumerian"))
    }

    #[test]
    fn sumerian_is_told_once_unless_it_is_marked() {
        for text in SUMERIAN {
            assert!(told(text), "{text}");
            assert!(!told(&format!("%sux {text}")), "{text}");
            assert_eq!(
                Document::read(&format!("{text}\n{text}")).diagnostics.len(),
                Document::read(text).diagnostics.len()
            );
        }
    }

    #[test]
    fn akkadian_is_not() {
        for text in [
            "a-na be-li₂-ia qi₂-bi₂-ma um-ma ARAD-ka-ma a-na šu-lum be-li₂-ia aš-pu-ra-am",
            "šum-ma a-wi-lum i-in DUMU a-wi-lim uh₂-tap-pi-id i-in-šu u₂-ha-ap-pa-du",
            "1 MA.NA KU₃.BABBAR ṣa-ru-pa₂-am i-ṣe₂-er PUZUR₄-A-šur DUMU a-šur-i-di₂ i-šu",
            "lugal lugal lugal",
            "lugal x x ...",
        ] {
            assert!(!told(text), "{text}");
        }
    }
}
