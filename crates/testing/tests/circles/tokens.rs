//! Splits Rust source text into the tokens that paths consist of.

/// A token. Comments, numbers and the contents of strings are left out.
#[derive(Clone, Debug, PartialEq)]
pub enum Token {
    /// A name or keyword.
    Word(String),
    /// A string literal, without its quotes.
    Text(String),
    /// `::`
    Path,
    /// Any other character.
    Sign(char),
}

impl Token {
    /// Returns the name, if the token is one.
    pub fn word(&self) -> Option<&str> {
        match self {
            Self::Word(word) => Some(word),
            _ => None,
        }
    }
}

/// Returns the tokens of a source text, in order.
pub fn tokens(source: &str) -> Vec<Token> {
    let letters: Vec<char> = source.chars().collect();
    let mut tokens = Vec::new();
    let mut at = 0;
    while at < letters.len() {
        at = match letters[at] {
            '/' if letters.get(at + 1) == Some(&'/') => end_of_line(&letters, at),
            '/' if letters.get(at + 1) == Some(&'*') => end_of_comment(&letters, at),
            '"' => text(&letters, at, &mut tokens),
            '\'' => quote(&letters, at),
            ':' if letters.get(at + 1) == Some(&':') => {
                tokens.push(Token::Path);
                at + 2
            }
            letter if letter.is_alphabetic() || letter == '_' => word(&letters, at, &mut tokens),
            letter if letter.is_ascii_digit() => skip_word(&letters, at),
            letter => {
                if !letter.is_whitespace() {
                    tokens.push(Token::Sign(letter));
                }
                at + 1
            }
        };
    }
    tokens
}

fn end_of_line(letters: &[char], start: usize) -> usize {
    letters[start..].iter().position(|&letter| letter == '\n').map_or(letters.len(), |length| start + length)
}

/// Returns the index after a block comment, which may contain others.
fn end_of_comment(letters: &[char], start: usize) -> usize {
    let (mut depth, mut at) = (0, start);
    while at + 1 < letters.len() {
        match (letters[at], letters[at + 1]) {
            ('/', '*') => (depth, at) = (depth + 1, at + 2),
            ('*', '/') => (depth, at) = (depth - 1, at + 2),
            _ => at += 1,
        }
        if depth == 0 {
            return at;
        }
    }
    letters.len()
}

/// Reads a string with escapes that opens at `start`; returns the index after it.
fn text(letters: &[char], start: usize, tokens: &mut Vec<Token>) -> usize {
    let mut at = start + 1;
    while at < letters.len() && letters[at] != '"' {
        at += if letters[at] == '\\' { 2 } else { 1 };
    }
    let end = at.min(letters.len());
    tokens.push(Token::Text(letters[start + 1..end].iter().collect()));
    end + 1
}

/// Skips a character literal or a lifetime; returns the index after it.
fn quote(letters: &[char], start: usize) -> usize {
    if letters.get(start + 1) == Some(&'\\') {
        let escaped = start + 3;
        return letters[escaped.min(letters.len())..]
            .iter()
            .position(|&letter| letter == '\'')
            .map_or(letters.len(), |length| escaped + length + 1);
    }
    if letters.get(start + 2) == Some(&'\'') { start + 3 } else { skip_word(letters, start + 1) }
}

fn skip_word(letters: &[char], start: usize) -> usize {
    let length = letters[start..].iter().take_while(|letter| letter.is_alphanumeric() || **letter == '_').count();
    start + length
}

/// Reads a name, or the raw or byte string that its first letters begin; returns the index after it.
fn word(letters: &[char], start: usize, tokens: &mut Vec<Token>) -> usize {
    let end = skip_word(letters, start);
    let word: String = letters[start..end].iter().collect();
    if matches!(word.as_str(), "r" | "br" | "cr") {
        let hashes = letters[end..].iter().take_while(|&&letter| letter == '#').count();
        if letters.get(end + hashes) == Some(&'"') {
            return raw_text(letters, end + hashes + 1, hashes, tokens);
        }
        if hashes == 1 {
            // A raw name such as `r#type`.
            return self::word(letters, end + 1, tokens);
        }
    }
    if matches!(word.as_str(), "b" | "c") && matches!(letters.get(end), Some('"' | '\'')) {
        return end;
    }
    tokens.push(Token::Word(word));
    end
}

fn raw_text(letters: &[char], start: usize, hashes: usize, tokens: &mut Vec<Token>) -> usize {
    let closes = |at: usize| {
        letters[at] == '"' && letters[at + 1..].iter().take(hashes).filter(|&&letter| letter == '#').count() == hashes
    };
    let end = (start..letters.len()).find(|&at| closes(at)).unwrap_or(letters.len());
    tokens.push(Token::Text(letters[start.min(end)..end].iter().collect()));
    end + 1 + hashes
}

#[cfg(test)]
mod tests {
    use super::{Token, tokens};

    #[track_caller]
    fn check(source: &str, words: &str) {
        let found: Vec<String> = tokens(source).iter().filter_map(Token::word).map(str::to_owned).collect();
        assert_eq!(found.join(" "), words, "{source}");
    }

    #[test]
    fn only_names_are_words() {
        check("use a::b; // c::d", "use a b");
        check("/* a /* b */ c */ d", "d");
        check(r#"let x = "a::b \" c"; e"#, "let x e");
        check(r##"f(r#"a " b"#, b"c", b'd', 'e', '\'', '\u{1}')"##, "f");
        check("fn f<'a>(x: &'a r#type, y: 1_000u32) {}", "fn f x type y");
    }
}
