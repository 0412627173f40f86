//! Parallels stand in the corpora where they are reported, and signs aligned as the same are the same.

use super::*;
use crate::attested::{AttestedSign, AttestedTexts, Builder, ILLEGIBLE};
use crate::signs_row::SignsRow;
use proptest::prelude::*;

/// Returns the signs of a text; texts are one line over ten signs.
pub(super) fn corpus(texts: &[Vec<usize>]) -> AttestedTexts {
    let mut builder = Builder::default();
    for (number, text) in texts.iter().enumerate() {
        let of = |letter: char| text.iter().map(|sign| format!("{letter}{sign}")).collect::<Vec<_>>().join(" ");
        let (readings, glyphs) = (of('s'), of('G'));
        let (states, starts) = ("P".repeat(text.len()), "1".repeat(text.len()));
        let row = format!("P{number:03}\tsaao\takk\t1\t-\t{readings}\t{glyphs}\t{states}\t{starts}");
        builder.add(&SignsRow::parse(&row).unwrap_or_else(|error| panic!("{error}")));
    }
    builder.build().unwrap_or_else(|error| panic!("{error}"))
}

fn signs(corpus: &AttestedTexts, text: u16) -> Vec<AttestedSign> {
    corpus.signs_of(text).map(|place| corpus.sign(place)).collect()
}

#[test]
fn a_passage_with_a_hole_finds_its_text_and_says_what_stands_in_the_hole() {
    let corpus = corpus(&[(0..12).collect(), (20..40).collect(), vec![0, 1, 2, 50, 51, 52, 53]]);
    let mut asked = signs(&corpus, 1)[5..15].to_vec();
    asked[4].reading = ILLEGIBLE;
    let found = parallels(&corpus, &asked, 5, None);
    let first = &found.passages[0];
    assert_eq!((first.text, found.passages.len(), found.texts), (1, 1, 1));
    let begin = corpus.signs_of(1).start + 5;
    assert_eq!(first.alignment.attested, begin..begin + 10);
    assert_eq!(first.alignment.columns[4], Aligned::Unknown(4, begin + 4));
    // Nine signs agree, and the unknown tenth counts against neither side.
    assert!(first.alignment.similarity > 0.99, "{}", first.alignment.similarity);
}

#[test]
fn signs_that_are_left_out_and_other_readings_are_told_apart() {
    let corpus = corpus(&[vec![1, 2, 3, 4, 5, 6, 7, 8, 9]]);
    let mut asked = signs(&corpus, 0);
    asked.remove(4);
    asked[7] = AttestedSign { reading: asked[0].reading, starts_word: true };
    let found = parallels(&corpus, &asked, 5, None);
    let columns = &found.passages[0].alignment.columns;
    assert!(columns.contains(&Aligned::OnlyAttested(4)), "{columns:?}");
    // The last sign differs: a local alignment leaves it out.
    assert_eq!(columns.last(), Some(&Aligned::Same(6, 7)));
}

proptest! {
    #[test]
    fn what_is_called_the_same_is_the_same(
        texts in prop::collection::vec(prop::collection::vec(0..10_usize, 4..30), 1..6),
        cut in any::<prop::sample::Index>(),
    ) {
        let corpus = corpus(&texts);
        let whole = signs(&corpus, 0);
        let begin = cut.index(whole.len() - 3);
        let asked = &whole[begin..];
        let found = parallels(&corpus, asked, 10, None);
        prop_assert!(found.passages.iter().any(|parallel| parallel.text == 0 && parallel.alignment.similarity > 0.99));
        for parallel in &found.passages {
            let own = corpus.signs_of(parallel.text);
            prop_assert!(parallel.alignment.attested.start >= own.start && parallel.alignment.attested.end <= own.end);
            for column in &parallel.alignment.columns {
                if let Aligned::Same(number, place) = column {
                    prop_assert_eq!(asked[*number].reading, corpus.sign(*place).reading);
                }
            }
        }
        let excepted = parallels(&corpus, asked, 10, Some(0));
        prop_assert!(excepted.passages.iter().all(|parallel| parallel.text != 0));
    }
}
