//! Finds where clauses begin in a text without line ends, so that it is translated clause by clause.
//!
//! Exports of Old Assyrian texts have no line ends, and a letter of 400 bytes is far longer than the sentences that the
//! translator learnt. A logistic function of the words beside a place says how likely a clause begins there; its
//! weights were learnt from sentences that editors cut (`recipes/translator/clauses.py`). Words of other dialects are
//! mostly unknown to it: their texts are cut only where they would be too long.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::OnceLock;

const WEIGHTS: &str = include_str!("clauses.tsv");
/// Logit from which a place is a beginning: a probability of 0.3. On validation texts 65 of 100 places chosen so are
/// right, and 54 of 100 beginnings are found (printed by `recipes/translator/clauses.py`).
const LEAST_LOGIT: f32 = -0.85;
/// Stand-in for all numbers in the table.
const NUMBER: &str = "#";

/// Returns the indices of the words with which the pieces of a text begin, 0 first, by the highest sum of logits above
/// [`LEAST_LOGIT`]. `words` are ranges of bytes; a piece has at most `longest` bytes, unless a single word is longer.
pub(super) fn beginnings(text: &str, words: &[Range<usize>], longest: usize) -> Vec<usize> {
    let count = words.len();
    let word = |place: usize| words.get(place).and_then(|bytes| text.get(bytes.clone())).unwrap_or_default();
    let worth: Vec<f32> = (0..count).map(|place| logit(word(place.max(1) - 1), word(place)) - LEAST_LOGIT).collect();
    // Greatest sum for the words from each one on, and where the next piece begins.
    let mut best = vec![f32::NEG_INFINITY; count + 1];
    let mut next = vec![count; count];
    best[count] = 0.0;
    for begin in (0..count).rev() {
        for end in begin + 1..=count {
            if end > begin + 1 && words[end - 1].end - words[begin].start > longest {
                break;
            }
            let own = best[end] + worth.get(end).copied().unwrap_or_default();
            // Among equals the longest piece first: what is typed at the end of a text leaves the pieces before it.
            if own >= best[begin] {
                (best[begin], next[begin]) = (own, end);
            }
        }
    }
    let is_word = |place: &usize| *place < count;
    std::iter::successors(Some(0).filter(is_word), |place| Some(next[*place]).filter(is_word)).collect()
}

/// Returns the logit of a clause that begins between two words.
fn logit(before: &str, behind: &str) -> f32 {
    let table = table();
    let is_number = |word: &str| word.starts_with(|letter: char| letter.is_ascii_digit());
    let last = before.rsplit('-').next().unwrap_or_default();
    let first = behind.split('-').next().unwrap_or_default();
    let before = if is_number(before) { [("b", NUMBER), ("B", NUMBER)] } else { [("b", before), ("B", last)] };
    let behind = if is_number(behind) { [("f", NUMBER), ("F", NUMBER)] } else { [("f", behind), ("F", first)] };
    let weights = before.iter().chain(&behind).chain(&[("constant", "")]).filter_map(|feature| table.get(feature));
    weights.sum()
}

/// Returns the weights by kind of feature and word.
fn table() -> &'static BTreeMap<(&'static str, &'static str), f32> {
    static TABLE: OnceLock<BTreeMap<(&'static str, &'static str), f32>> = OnceLock::new();
    TABLE.get_or_init(|| WEIGHTS.lines().filter_map(row).collect())
}

/// Returns the feature and the weight of a row; `None` for a comment.
fn row(line: &'static str) -> Option<((&'static str, &'static str), f32)> {
    let mut cells = line.split('\t');
    let (kind, word, thousandths) = (cells.next()?, cells.next()?, cells.next()?);
    Some(((kind, word), thousandths.parse::<f32>().ok()? / 1000.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Returns the pieces of a text whose words stand between spaces.
    fn pieces(text: &str, longest: usize) -> Vec<String> {
        let mut start = 0;
        let words: Vec<Range<usize>> = text
            .split(' ')
            .map(|word| {
                let bytes = start..start + word.len();
                start = bytes.end + 1;
                bytes
            })
            .collect();
        let mut begins = beginnings(text, &words, longest);
        begins.push(words.len());
        begins.windows(2).map(|pair| text[words[pair[0]].start..words[pair[1] - 1].end].to_owned()).collect()
    }

    #[test]
    fn every_row_of_the_table_is_read() {
        let rows = WEIGHTS.lines().filter(|line| !line.starts_with("# ")).count();
        assert_eq!(table().len(), rows);
        assert!(rows > 500 && table().contains_key(&("constant", "")), "{rows}");
    }

    #[test]
    fn an_unlined_contract_is_cut_into_its_clauses() {
        let text = "KIŠIB a-šur-GAL DUMU ku-ku-wa 1/2 ma-na KU₃.BABBAR i-ṣe₂-er a-šur-GAL e-la-ma i-šu iš-tu₃ \
                    ha-muš-tim ša DINGIR-na-da 1 GIN₂.TA ṣi₂-ib-tam₂ i-na ITU.1.KAM u₂-ṣa-ab₂ li-mu-um PUZUR₄-{d}MUŠ \
                    IGI {d}IM-pi₃-la₂-ah IGI en-um-a-šur";
        let found = pieces(text, 384);
        assert!(found.iter().any(|piece| piece.starts_with("iš-tu₃ ha-muš-tim")), "{found:#?}");
        assert!(found.iter().any(|piece| piece.starts_with("li-mu-um")), "{found:#?}");
        assert!((3..=8).contains(&found.len()), "{found:#?}");
    }

    #[test]
    fn a_text_of_another_dialect_is_cut_only_where_it_is_too_long() {
        let text = "a-na LUGAL be-li₂-ia ARAD-ka {m}{d}PA-DU₃-A lu DI-mu a-na LUGAL EN-ia ".repeat(8);
        let text = text.trim_end();
        assert_eq!(pieces(text, 2000), [text]);
        assert!(pieces(text, 200).iter().all(|piece| piece.len() <= 200));
    }

    proptest! {
        #[test]
        fn pieces_are_the_text_and_none_is_too_long(
            words in prop::collection::vec("[a-z]{1,9}|um-ma|šu-ma|IGI|1/2", 1..60),
            longest in 5_usize..80,
        ) {
            let text = words.join(" ");
            let found = pieces(&text, longest);
            prop_assert_eq!(found.join(" "), text);
            prop_assert!(found.iter().all(|piece| piece.len() <= longest || !piece.contains(' ')), "{:?}", found);
        }
    }
}
