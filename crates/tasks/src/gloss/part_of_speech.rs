//! Meaning of Oracc's letters for parts of speech and kinds of names.

/// Returns the part of speech in words, or the letters themselves if unknown.
pub fn part_of_speech(letters: &str) -> &str {
    match letters {
        "N" => "noun",
        "V" => "verb",
        "AJ" => "adjective",
        "AV" => "adverb",
        "NU" => "number",
        "PRP" => "preposition",
        "PP" => "possessive pronoun",
        "IP" => "independent pronoun",
        "DP" => "demonstrative pronoun",
        "QP" => "interrogative pronoun",
        "RP" => "reflexive pronoun",
        "XP" => "indefinite pronoun",
        "REL" => "relative pronoun",
        "DET" => "determinative pronoun",
        "CNJ" => "conjunction",
        "SBJ" => "subjunction",
        "MOD" => "modal particle",
        "J" => "interjection",
        "PN" => "person",
        "RN" => "ruler",
        "DN" => "god",
        "GN" => "region",
        "SN" => "settlement",
        "EN" => "ethnic name",
        "TN" => "temple",
        "WN" => "watercourse",
        "MN" => "month",
        "CN" => "star",
        "ON" => "object",
        "LN" => "line or clan",
        "QN" => "quarter",
        other => other,
    }
}
