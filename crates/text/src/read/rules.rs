//! Changes that the normaliser makes, by name.

/// Kind of change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// No change to report.
    Nothing,
    /// `ú` is `u₂`.
    Accent,
    /// `u2` is `u₂`.
    Digit,
    /// `sz` is `š`.
    AsciiLetters,
    /// `ş` is `ṣ`.
    Letters,
    /// `ḫ` is `h`.
    Breve,
    /// `ĝ` is `g`.
    NasalG,
    /// `'` is `ʾ`.
    Aleph,
    /// `½` is `1/2`.
    Fraction,
    /// `KAxU` is `KA×U`.
    Operator,
    /// `_lugal_` is `LUGAL`.
    Logogram,
    /// `Pu-` is `pu-`.
    Name,
    /// `ᵈ` is `{d}`.
    Raised,
    /// `{ki}` is `{KI}`.
    DeterminativeCase,
    /// `{1}` is `{m}`.
    Person,
    /// `a#` is `⸢a⸣`.
    DamageFlag,
    /// `a?` is `a`.
    OtherFlag,
    /// `(x)` is `x`.
    Doubtful,
    /// `<a>` is `a`.
    Omitted,
    /// `<<a>>` is nothing.
    Excised,
    /// `a!(ZA)` is `a`.
    Unread,
    /// `…` is `...`.
    Gap,
    /// `]` at the beginning of a line is `[...]`.
    HintedGap,
    /// `[x+3]` is `[... x x x]`.
    AtLeast,
    /// `?` alone is `x`.
    LoneFlag,
    /// Brackets stand around whole signs.
    Brackets,
    /// `—` is `-`.
    Joiner,
    /// Punctuation is dropped.
    Ignored,
    /// Invisible characters are dropped.
    Invisible,
    /// `[3 signs]` is `[x x x]`.
    Missing,
    /// `𒀭` is `an`.
    Glyph,
}

/// Names of the rules, in the order of the enum.
const NAMES: [&str; 31] = [
    "",
    "accent to index",
    "index digit to subscript",
    "ASCII letters to Unicode",
    "letter variant",
    "ḫ to h",
    "ĝ to g",
    "apostrophe to ʾ",
    "fraction",
    "operator × in a compound sign",
    "logogram in capitals",
    "capital of a name",
    "raised letters to index or braces",
    "determinative in capitals",
    "determinative of persons",
    "damage flag to half brackets",
    "flag left out",
    "doubtful sign without parentheses",
    "sign supplied by the editor",
    "superfluous sign left out",
    "sign as written left out",
    "break of unknown length",
    "open bracket at the edge of a line: a break",
    "at least so many signs: a break and the signs",
    "question mark alone: one illegible sign",
    "brackets around whole signs",
    "one kind of joiner",
    "punctuation left out",
    "invisible or composed characters",
    "missing signs, one by one",
    "cuneiform sign by its name",
];

/// Set of rules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rules(u32);

impl Rules {
    /// Adds a rule.
    pub fn add(&mut self, rule: Rule) {
        if rule != Rule::Nothing {
            self.0 |= 1 << rule as u32;
        }
    }

    /// Adds all rules of another set.
    pub fn extend(&mut self, other: Rules) {
        self.0 |= other.0;
    }

    /// Returns `true` if a rule is in the set.
    pub fn has(self, rule: Rule) -> bool {
        self.0 & (1 << rule as u32) != 0
    }

    /// Returns the names of the rules, joined by commas; empty for no rule.
    pub fn names(self) -> String {
        // Brackets move along with most other changes, so they are named only if nothing else changed.
        let brackets = 1 << Rule::Brackets as u32;
        let told = if self.0 & !brackets == 0 { self.0 } else { self.0 & !brackets };
        let named = NAMES.iter().enumerate().filter(|&(place, _)| told & (1 << place) != 0);
        named.map(|(_, name)| *name).collect::<Vec<_>>().join(", ")
    }
}
