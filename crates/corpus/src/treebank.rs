//! Dependency trees in CoNLL-U: words with their heads, and the spelling of each word in transliteration.
//!
//! Multiword lines (`2-3`) mark words that are written as one; empty nodes (`8.1`) are skipped, since they are not
//! written. The Akkadian treebanks keep the spelling in different columns: RIAO in the tenth, PISANDUB in the second.

use super::error::{TreeProblem, TreebankError, WordProblem};
use std::collections::HashSet;
use std::ops::Range;

/// A word of a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreebankWord {
    /// Form, from the second column.
    pub form: String,
    /// Transliteration, if there is one: the tenth column, as a whole or after `Translit=`.
    pub spelling: Option<String>,
    /// Index of the word's head, from 0; `None` for the root.
    pub head: Option<usize>,
    /// Part of speech as named by Universal Dependencies: `NOUN`.
    pub part_of_speech: String,
}

impl TreebankWord {
    /// Returns `true` for punctuation.
    pub fn is_punctuation(&self) -> bool {
        self.part_of_speech == "PUNCT"
    }
}

/// A sentence with its tree.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sentence {
    /// Value of `# sent_id`; empty if there is none.
    pub id: String,
    /// Words of the sentence in order.
    pub words: Vec<TreebankWord>,
    /// Ranges of words that are written as one.
    pub joined: Vec<Range<usize>>,
}

impl Sentence {
    /// Returns the text of the sentence: its id up to the last hyphen or underscore.
    pub fn text(&self) -> &str {
        self.id.rsplit_once(['-', '_']).map_or(&self.id, |(text, _)| text)
    }

    /// Returns the number of edges between every two words, `words × words`.
    pub fn distances(&self) -> Vec<f64> {
        let count = self.words.len();
        let ways: Vec<Vec<usize>> = (0..count).map(|word| self.way(word)).collect();
        let mut distances = vec![0.0; count * count];
        for (one, way) in ways.iter().enumerate() {
            for (other, back) in ways.iter().enumerate() {
                // Two paths to the root share their end; the rest of both is the path between the words.
                let shared = way.iter().rev().zip(back.iter().rev()).take_while(|(a, b)| a == b).count();
                distances[one * count + other] = (way.len() + back.len() - 2 * shared) as f64;
            }
        }
        distances
    }

    /// Returns the number of edges between each word and the root.
    pub fn depths(&self) -> Vec<f64> {
        (0..self.words.len()).map(|word| self.way(word).len() as f64 - 1.0).collect()
    }

    /// Returns the path from a word up to the root, both included. The reader has checked that there is no circle.
    fn way(&self, word: usize) -> Vec<usize> {
        std::iter::successors(Some(word), |word| self.words.get(*word)?.head).collect()
    }
}

/// Reads a treebank. If no word has a transliteration of its own, the forms are the spellings.
///
/// # Errors
/// Names the faulty line, or the first line of a faulty sentence.
pub fn parse(text: &str) -> Result<Vec<Sentence>, TreebankError> {
    let (mut sentences, mut begun) = (Vec::new(), Begun::default());
    for (number, line) in text.lines().enumerate() {
        let line = line.trim_end_matches('\r');
        if line.trim().is_empty() {
            begun.end(&mut sentences)?;
            continue;
        }
        begun.line(number + 1, line).map_err(|problem| TreebankError::Line { line: number + 1, problem })?;
    }
    begun.end(&mut sentences)?;
    if sentences.iter().flat_map(|sentence| &sentence.words).all(|word| word.spelling.is_none()) {
        for word in sentences.iter_mut().flat_map(|sentence: &mut Sentence| &mut sentence.words) {
            word.spelling = (word.form != "_").then(|| word.form.clone());
        }
    }
    Ok(sentences)
}

/// A sentence that is being read.
#[derive(Default)]
struct Begun {
    sentence: Sentence,
    first_line: usize,
}

impl Begun {
    fn line(&mut self, number: usize, line: &str) -> Result<(), WordProblem> {
        if self.first_line == 0 {
            self.first_line = number;
        }
        if let Some(comment) = line.strip_prefix('#') {
            if let Some((name, value)) = comment.split_once('=')
                && name.trim() == "sent_id"
            {
                self.sentence.id = value.trim().to_owned();
            }
            return Ok(());
        }
        let columns: Vec<&str> = line.split('\t').collect();
        let [id, form, _, kind, _, _, head, _, _, more] = columns.as_slice() else {
            return Err(WordProblem::Columns(columns.len()));
        };
        let expected = self.sentence.words.len() + 1;
        if let Some((first, last)) = id.split_once('-') {
            let (first, last) = (whole(first, "a word")?, whole(last, "a word")?);
            if first != expected || last <= first {
                return Err(WordProblem::Range { id: id.to_string(), expected });
            }
            self.sentence.joined.push(first - 1..last);
            return Ok(());
        }
        if id.contains('.') {
            return Ok(());
        }
        if whole(id, "a word")? != expected {
            return Err(WordProblem::Order { id: id.to_string(), expected });
        }
        let head = whole(head, "a head")?.checked_sub(1);
        let spelling = spelling(more);
        let (form, part_of_speech) = ((*form).to_owned(), (*kind).to_owned());
        let word = TreebankWord { form, spelling, head, part_of_speech };
        self.sentence.words.push(word);
        Ok(())
    }

    fn end(&mut self, sentences: &mut Vec<Sentence>) -> Result<(), TreebankError> {
        let Begun { sentence, first_line } = std::mem::take(self);
        if !sentence.words.is_empty() {
            check(&sentence).map_err(|problem| TreebankError::Sentence { first_line, problem })?;
            sentences.push(sentence);
        }
        Ok(())
    }
}

fn whole(text: &str, what: &'static str) -> Result<usize, WordProblem> {
    text.parse().map_err(|_| WordProblem::Number { text: text.to_owned(), what })
}

/// Returns the transliteration in the tenth column.
fn spelling(more: &str) -> Option<String> {
    let parts = || more.split('|').map(str::trim).filter(|part| !part.is_empty() && *part != "_");
    let named = parts().find_map(|part| part.strip_prefix("Translit="));
    // Oracc writes compound signs between bars, which also separate entries of this column: without `=` the whole
    // column is one spelling.
    let bare = Some(more.trim()).filter(|more| !more.contains('=') && !more.is_empty() && *more != "_");
    named.or(bare).map(str::to_owned)
}

/// Checks that the sentence is a tree.
fn check(sentence: &Sentence) -> Result<(), TreeProblem> {
    let count = sentence.words.len();
    let roots = sentence.words.iter().filter(|word| word.head.is_none()).count();
    if roots != 1 {
        return Err(TreeProblem::Roots(roots));
    }
    if sentence.joined.iter().any(|joined| joined.end > count) {
        return Err(TreeProblem::Range { words: count });
    }
    for start in 0..count {
        let (mut seen, mut at) = (HashSet::new(), start);
        while let Some(head) = sentence.words[at].head {
            if head >= count {
                return Err(TreeProblem::Head { word: at + 1, head: head + 1, words: count });
            }
            if !seen.insert(at) {
                return Err(TreeProblem::Circle(start + 1));
            }
            at = head;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const TWO: &str = "# sent_id = Q1-1\n# text = x\n1\tēkal\tēkallu\tNOUN\t_\t_\t0\troot\t_\tE₂.GAL\n\
        2-3\tbītīšu\t_\t_\t_\t_\t_\t_\t_\t_\n\
        2\tbītī\t_\tNOUN\t_\t_\t1\tnmod\t_\tE₂-šu₂\n3\tšu\t_\tPRON\t_\t_\t2\tnmod\t_\t_\n\
        3.1\tx\t_\tX\t_\t_\t_\t_\t1:dep\t_\n4\t.\t.\tPUNCT\t_\t_\t1\tpunct\t_\tSpaceAfter=No\n\n\n\
        1\ta\t_\tX\t_\t_\t2\tdep\t_\tSpaceAfter=No|Translit=a-na\n2\tb\t_\tX\t_\t_\t0\troot\t_\t|KA.KA|\n";

    #[test]
    fn words_heads_and_spellings_are_read() {
        let sentences = parse(TWO).unwrap();
        assert_eq!(sentences.len(), 2);
        let first = &sentences[0];
        assert_eq!((first.id.as_str(), first.text(), first.words.len()), ("Q1-1", "Q1", 4));
        assert_eq!(first.joined, vec![1..3]);
        let heads: Vec<_> = first.words.iter().map(|word| word.head).collect();
        assert_eq!(heads, [None, Some(0), Some(1), Some(0)]);
        let spellings: Vec<_> =
            sentences.iter().flat_map(|one| &one.words).map(|word| word.spelling.as_deref()).collect();
        assert_eq!(spellings, [Some("E₂.GAL"), Some("E₂-šu₂"), None, None, Some("a-na"), Some("|KA.KA|")]);
        assert_eq!(
            first.words.iter().map(|word| word.is_punctuation()).collect::<Vec<_>>(),
            [false, false, false, true]
        );
        assert_eq!(first.depths(), [0.0, 1.0, 2.0, 1.0]);
        assert_eq!(first.distances()[4..12], [1.0, 0.0, 1.0, 2.0, 2.0, 1.0, 0.0, 3.0]);
        assert_eq!(parse("").unwrap(), []);
    }

    #[test]
    fn forms_are_spellings_where_nothing_else_is() {
        let sentences = parse("1\t1/2\t_\tNUM\t_\t_\t2\tdep\t_\t_\n2\tqa\t_\tX\t_\t_\t0\troot\t_\t_\r\n").unwrap();
        let spellings: Vec<_> = sentences[0].words.iter().map(|word| word.spelling.as_deref()).collect();
        assert_eq!(spellings, [Some("1/2"), Some("qa")]);
    }

    #[test]
    fn what_is_wrong_is_named_with_its_line() {
        let word = |id: &str, head: &str| format!("{id}\ta\t_\tX\t_\t_\t{head}\tdep\t_\t_\n");
        for (text, said) in [
            ("# x\n1\ta\n".to_owned(), "line 2: it has 2 columns"),
            (word("1", "0") + &word("3", "1"), "line 2: the word has number 3"),
            (word("1", "x"), "line 1: \"x\" is no number of a head"),
            (word("4-5", "_"), "line 1: 4-5 does not fit"),
            (word("1-2", "_") + &word("1", "0"), "line 1: a line of several words"),
            (word("1", "0") + &word("2", "0"), "line 1: it has 2 roots"),
            (word("1", "0") + &word("2", "7"), "line 1: word 2 has the head 7"),
            (word("1", "0") + &word("2", "3") + &word("3", "2"), "line 1: the heads above word 2 go round"),
        ] {
            let error = parse(&text).unwrap_err().to_string();
            assert!(error.contains(said), "{error}");
        }
    }
}
