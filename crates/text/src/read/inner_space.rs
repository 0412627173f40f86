//! Spaces just inside brackets, as print editions have them: `lu-qú-[ x x ]`, `[ x ]-tu-ha`, `⸢ a-na ⸣`.

/// Opening brackets of missing or damaged passages.
const OPENING: [char; 8] = ['[', '⸢', '⌈', '˹', '┌', '⸤', '⌊', '˻'];
/// Closing brackets of missing or damaged passages.
const CLOSING: [char; 8] = [']', '⸣', '⌉', '˺', '┐', '⸥', '⌋', '˼'];
/// Joiners of signs.
const JOINERS: [char; 8] = ['-', '‐', '‑', '‒', '–', '—', '−', '+'];

/// Returns the length of the word at the beginning of a stretch of a line. A space ends it, unless the space is just
/// inside a bracket and separates no words.
pub fn word_length(line: &str) -> usize {
    let space = |text: &str| text.find(char::is_whitespace).unwrap_or(text.len());
    let mut length = space(line);
    loop {
        let (word, after) = line.split_at(length);
        let next = after.trim_start();
        let goes_on = match next.strip_prefix(CLOSING) {
            Some(behind) => closes_alone(behind),
            None => !next.is_empty() && opens_in_word(word),
        };
        if !goes_on {
            return length;
        }
        length = line.len() - next.len() + space(next);
    }
}

/// Returns `true` if no word begins right after a closing bracket: in `[a-na ]be-li₂` the space separates two words.
fn closes_alone(behind: &str) -> bool {
    let behind = behind.trim_start_matches(CLOSING).trim_start_matches(['?', '!', '#', '*']);
    let joins = behind.starts_with(JOINERS) || (behind.starts_with('.') && !behind.starts_with(".."));
    joins || behind.chars().next().is_none_or(char::is_whitespace)
}

/// Returns `true` if a word ends with an opening bracket that stands at its beginning, after a joiner, or after a
/// determinative: in `a-na[ be-li₂]` the space separates two words.
fn opens_in_word(word: &str) -> bool {
    let before = word.trim_end_matches(OPENING);
    let last = before.rsplit(char::is_whitespace).next().unwrap_or(before);
    let is_determinative = |part: &str| part.starts_with('{') && part.ends_with('}');
    let joins = last.ends_with(JOINERS) || (last.ends_with('.') && !last.ends_with(".."));
    before.len() < word.len() && (joins || last.split_inclusive('}').all(is_determinative))
}
