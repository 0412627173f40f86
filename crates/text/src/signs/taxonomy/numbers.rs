//! Node of the sign tree for each byte of a text.

use super::SignTree;
use crate::{Document, SignKind};

impl SignTree {
    /// Returns the node of each byte of a text, then one for the end of the sequence: `text.len() + 1` numbers, each
    /// below [`SignTree::len`].
    ///
    /// All bytes of a sign, including the braces of a determinative, have its number. Joiners, spaces, brackets, marks
    /// of damage, illegible signs, breaks, line numbers and remarks belong to the root, and so does the end.
    pub fn numbers(&self, text: &str) -> Vec<u32> {
        let mut numbers = vec![SignTree::ROOT; text.len() + 1];
        for sign in Document::read(text).signs() {
            let SignKind::Reading(reading) = &sign.kind else { continue };
            let number = self.number_of(reading);
            for slot in numbers.get_mut(sign.span.start..sign.span.end).into_iter().flatten() {
                *slot = number;
            }
        }
        numbers
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::signs::taxonomy::Node;
    use proptest::prelude::*;
    use proptest::test_runner::RngSeed;

    /// Replaces every sign's bytes by its reading or glyph in angle brackets and keeps the rest.
    fn shown(text: &str) -> String {
        let tree = SignTree::shared();
        let numbers = tree.numbers(text);
        assert_eq!(numbers.len(), text.len() + 1);
        assert_eq!(numbers.last(), Some(&SignTree::ROOT));
        let mut out = String::new();
        let mut before = SignTree::ROOT;
        for (place, letter) in text.char_indices() {
            let number = numbers[place];
            assert!((0..letter.len_utf8()).all(|more| numbers[place + more] == number), "a letter is never split");
            match tree.node(number) {
                Node::Root => out.push(letter),
                _ if number == before => {}
                Node::Sign(name) | Node::Reading(name) => out.push_str(&format!("<{name}>")),
            }
            before = number;
        }
        out
    }

    #[test]
    fn signs_have_their_numbers_and_the_rest_has_the_root() {
        for (text, expected) in [
            ("a-na {d}UTU qi₂-bi₂-ma", "<a>-<na> <{d}><UTU> <qi₂>-<bi₂>-<ma>"),
            ("KU₃.BABBAR ⸢u₃⸣ [x] ...", "<KU₃>.<BABBAR> ⸢<u₃>⸣ [x] ..."),
            ("um-[ma] x-lum", "<um>-[<ma>] x-<lum>"),
            ("A-šur{KI} 7(diš)", "<A>-<šur><{KI}> <7(diš)>"),
            ("1. a-na\n2. bu\n", "1. <a>-<na>\n2. <bu>\n"),
            ("#note: a-na\n", "#note: a-na\n"),
            ("", ""),
            ("zzzz", "zzzz"),
            // The corpora never have this reading, but the sign list knows the sign.
            ("utukku-a", "utukku-<a>"),
        ] {
            assert_eq!(shown(text), expected, "{text}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig {
            cases: 200,
            failure_persistence: None,
            rng_seed: RngSeed::Fixed(1),
            ..ProptestConfig::default()
        })]

        #[test]
        fn every_byte_of_any_text_has_a_number(text in any::<String>()) {
            shown(&text);
            let tree = SignTree::shared();
            prop_assert!(tree.numbers(&text).iter().all(|number| (*number as usize) < tree.len()));
        }

        #[test]
        fn and_of_any_transliteration(text in "[a-dkmnu{}A-DKMNU₂₃ₓš. \\-⸢⸣\\[\\]x\n]{0,40}") {
            shown(&text);
        }
    }
}
