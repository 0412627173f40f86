//! ByT5's tokens (Xue et al. 2022, <https://arxiv.org/abs/2105.13626>): the bytes of UTF-8, plus three.
//!
//! 0 is padding, 1 the end, 2 unknown, 3 to 258 are the bytes 0 to 255. Larger numbers are sentinels of the
//! pretraining, which stand for no text.

use super::tokens::TokenId;

/// Padding, and the first token of the decoder.
pub const PAD: TokenId = 0;
/// End of sequence.
pub const END: TokenId = 1;
/// Token of byte 0.
pub const FIRST_BYTE: TokenId = 3;
/// Token of byte 255, plus one.
pub const AFTER_BYTES: TokenId = FIRST_BYTE + 256;

/// Encodes a text as tokens, followed by the end of sequence.
pub fn encode(text: &str) -> Vec<TokenId> {
    text.bytes().map(|byte| TokenId::from(byte) + FIRST_BYTE).chain([END]).collect()
}

/// Returns the byte that a token stands for; `None` for padding, end and sentinels.
pub fn byte_of(token: TokenId) -> Option<u8> {
    token.checked_sub(FIRST_BYTE).and_then(|byte| u8::try_from(byte).ok())
}

/// Decodes tokens to text. Tokens that are not bytes and bytes that are not UTF-8 are dropped, as in Hugging Face's
/// tokeniser. A character is dropped too while only some of its bytes are there, so that half a character is never
/// shown.
pub fn decode(tokens: &[TokenId]) -> String {
    let bytes: Vec<u8> = tokens.iter().filter_map(|token| byte_of(*token)).collect();
    bytes.utf8_chunks().map(|chunk| chunk.valid()).collect()
}

/// Returns, for each byte of `decode(tokens)`, the place of its token in `tokens`.
pub fn places(tokens: &[TokenId]) -> Vec<usize> {
    let (mut bytes, mut from) = (Vec::new(), Vec::new());
    for (place, token) in tokens.iter().enumerate() {
        if let Some(byte) = byte_of(*token) {
            bytes.push(byte);
            from.push(place);
        }
    }
    let mut at = 0;
    let mut kept = Vec::new();
    for chunk in bytes.utf8_chunks() {
        kept.extend(&from[at..at + chunk.valid().len()]);
        // The same chunks as in `decode`: only their valid part reaches the text.
        at += chunk.valid().len() + chunk.invalid().len();
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_comes_back() {
        for text in ["", "a-na", "ša₂ {d}UTU", "𒀭"] {
            let tokens = encode(text);
            assert_eq!(tokens.len(), text.len() + 1);
            assert_eq!(tokens.last(), Some(&END));
            assert_eq!(decode(&tokens), text);
            assert_eq!(places(&tokens), (0..text.len()).collect::<Vec<_>>());
        }
    }

    #[test]
    fn half_a_character_is_not_shown() {
        let tokens = encode("aš₂");
        let shown: Vec<String> = (0..tokens.len()).map(|count| decode(&tokens[..count])).collect();
        assert_eq!(shown, ["", "a", "a", "aš", "aš", "aš", "aš₂"]);
    }

    #[test]
    fn what_is_no_text_is_left_out() {
        let tokens = [PAD, 300, FIRST_BYTE + 0xC5, FIRST_BYTE + b'a' as u32, 383, END, FIRST_BYTE + b'b' as u32];
        assert_eq!(decode(&tokens), "ab");
        assert_eq!(places(&tokens), [3, 6]);
    }
}
