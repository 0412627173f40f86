//! Sign list: from a reading to its sign and glyph, and from a sign to all its readings.

use super::error::TableError;
use super::{fold, rows};
use crate::letters;
use crate::tokens::without_modifier;
use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::OnceLock;

/// Oracc Sign List, reduced to what the page shows: one row per sign with its readings. A `*` after a reading of
/// several signs marks the sign that it means in the corpora. A glyph that consists of those of the name's parts is
/// left out.
const TABLE: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/signs/readings.tsv"));

/// First line of the table.
const HEADER: &str = "sign\tglyph\treadings";

/// Determinatives whose letter is not a reading of their sign: god, man (one wedge), woman.
const DETERMINATIVES: [(&str, &str); 4] = [("d", "an"), ("m", "diš"), ("1", "diš"), ("f", "munus")];

/// Signs and their readings.
#[derive(Debug, Default)]
pub struct SignList {
    signs: Vec<Sign>,
    by_reading: HashMap<Cow<'static, str>, u32>,
    by_name: HashMap<String, u32>,
    by_glyph: HashMap<&'static str, Vec<u32>>,
}

/// Row of the list: a sign in one glyph.
#[derive(Debug)]
struct Sign {
    name: &'static str,
    glyph: &'static str,
    readings: Vec<&'static str>,
}

/// Sign of a reading.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignEntry {
    /// Name of the sign (`KA`, `|A.AB.BA|`); empty for a group of signs without a name of its own.
    pub name: Cow<'static, str>,
    /// Cuneiform of the sign, one code point or several; empty where Unicode has none.
    pub glyph: Cow<'static, str>,
}

impl SignList {
    /// First line of the table, which names the columns.
    pub const HEADER: &str = HEADER;

    /// Returns the list that is compiled in.
    pub fn shared() -> &'static SignList {
        static LIST: OnceLock<SignList> = OnceLock::new();
        // The table is our own and a test reads it. If it were broken, only glyphs would be missing.
        LIST.get_or_init(|| SignList::parse(TABLE).unwrap_or_default())
    }

    /// Reads a table of signs.
    ///
    /// # Errors
    /// [`TableError`] says what the first line should be.
    pub fn parse(table: &'static str) -> Result<Self, TableError> {
        let cells = rows(table, HEADER)?.filter_map(|(_, cells)| <[&'static str; 3]>::try_from(cells).ok());
        let signs: Vec<[&'static str; 3]> = cells.collect();
        let glyphs: HashMap<&str, &'static str> = signs.iter().rev().map(|[name, glyph, _]| (*name, *glyph)).collect();
        let mut list = SignList::default();
        for [name, glyph, readings] in signs {
            // The list lives as long as the program, and so may the glyphs that are composed here.
            let together = || glyph_of_parts(name, |part| glyphs.get(part).copied()).unwrap_or_default().leak();
            list.add(name, if glyph.is_empty() { together() } else { glyph }, readings);
        }
        Ok(list)
    }

    /// Adds one row. The first sign with a reading keeps it unless a later sign has the reading marked.
    fn add(&mut self, name: &'static str, glyph: &'static str, readings: &'static str) {
        let number = self.signs.len() as u32;
        let mut plain = Vec::new();
        for marked in readings.split(' ').filter(|reading| !reading.is_empty()) {
            let reading = marked.trim_end_matches('*');
            if reading.len() < marked.len() {
                self.by_reading.insert(key(reading), number);
            } else {
                self.by_reading.entry(key(reading)).or_insert(number);
            }
            plain.push(reading);
        }
        if !name.is_empty() {
            self.by_name.entry(fold(name)).or_insert(number);
        }
        if !glyph.is_empty() {
            self.by_glyph.entry(glyph).or_default().push(number);
        }
        self.signs.push(Sign { name, glyph, readings: plain });
    }

    /// Returns the number of signs.
    pub fn len(&self) -> usize {
        self.signs.len()
    }

    /// Returns `true` if the list is empty.
    pub fn is_empty(&self) -> bool {
        self.signs.is_empty()
    }

    /// Returns the sign of a canonical reading in any case: `LUGAL`, `lugal`, `{d}`, `{KI}`, `1(diš)`, `UTUₓ(ERIM)`,
    /// `|KA×UD|`, `KU₃.BABBAR`. `None` for unknown readings and for an illegible `x`.
    pub fn sign_of(&self, reading: &str) -> Option<SignEntry> {
        if let Some(inner) = reading.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')) {
            let inner = fold(inner);
            let meant = DETERMINATIVES.iter().find(|(letter, _)| *letter == inner).map(|(_, reading)| *reading);
            return self.sign_of(meant.unwrap_or(&inner));
        }
        let folded = fold(reading);
        let plain = || without_modifier(&folded).and_then(|plain| self.known(&plain));
        self.known(&folded).or_else(|| self.explained(&folded)).or_else(|| self.composed(&folded)).or_else(plain)
    }

    /// Returns `true` if the list has this folded reading, or a sign of this name.
    pub(super) fn has_reading(&self, folded: &str) -> bool {
        self.by_reading.contains_key(folded) || self.by_name.contains_key(folded)
    }

    /// Returns the sign of a folded reading, or of a sign's name; some editions write `j` for `ŋ`.
    fn known(&self, folded: &str) -> Option<SignEntry> {
        let number = self.by_reading.get(folded).or_else(|| self.by_name.get(folded)).or_else(|| {
            if folded.contains('j') { self.by_reading.get(folded.replace('j', "g").as_str()) } else { None }
        })?;
        let sign = self.signs.get(*number as usize)?;
        Some(SignEntry { name: Cow::Borrowed(sign.name), glyph: Cow::Borrowed(sign.glyph) })
    }

    /// Returns the sign that an unindexed reading names: `utuₓ(erim)` is ERIM.
    fn explained(&self, folded: &str) -> Option<SignEntry> {
        let (value, sign) = folded.strip_suffix(')')?.split_once('(')?;
        // `8(sila₃)` is a number, eight of a sign, and not that sign.
        let is_number = value.chars().next().is_none_or(|first| first.is_ascii_digit() || value == "n");
        if is_number { None } else { self.known(sign).or_else(|| self.composed(sign)) }
    }

    /// Returns the sign of several signs in a row: `ku₃.babbar`, `|a.edin.lal|`, `šu+nigin₂`.
    fn composed(&self, folded: &str) -> Option<SignEntry> {
        let inner = folded.strip_prefix('|').and_then(|rest| rest.strip_suffix('|')).unwrap_or(folded);
        let parts: Vec<SignEntry> = inner
            .split(['.', '+'])
            .map(|part| self.known(part))
            .collect::<Option<_>>()
            .filter(|parts: &Vec<_>| parts.len() > 1)?;
        let names: Vec<&str> = parts.iter().map(|part| part.name.trim_matches('|')).collect();
        let glyph: String = parts.iter().map(|part| part.glyph.as_ref()).collect();
        Some(SignEntry { name: Cow::Owned(format!("|{}|", names.join("."))), glyph: Cow::Owned(glyph) })
    }

    /// Returns the name of the first sign of the list that has this glyph and a name.
    pub fn name_of(&self, glyph: &str) -> Option<&'static str> {
        let numbers = self.by_glyph.get(glyph)?;
        let mut names = numbers.iter().filter_map(|number| self.signs.get(*number as usize)).map(|sign| sign.name);
        names.find(|name| !name.is_empty())
    }

    /// Returns all readings of a sign given by its name or by its glyph, in the order of the sign list; empty if
    /// unknown.
    pub fn readings_of(&self, name_or_glyph: &str) -> Vec<&'static str> {
        let mut numbers: Vec<u32> = self.by_glyph.get(name_or_glyph).cloned().unwrap_or_default();
        numbers.extend(self.by_name.get(&fold(name_or_glyph)).filter(|_| numbers.is_empty()));
        let mut readings: Vec<&'static str> = Vec::new();
        for sign in numbers.iter().filter_map(|number| self.signs.get(*number as usize)) {
            for reading in &sign.readings {
                if !readings.contains(reading) {
                    readings.push(reading);
                }
            }
        }
        readings
    }
}

/// Returns the glyph of a compound such as `|A.BI|` if it consists of the glyphs of its parts; `None` for other names,
/// and if a part has none.
pub fn glyph_of_parts<'a>(name: &str, glyph_of: impl Fn(&str) -> Option<&'a str>) -> Option<String> {
    let inner = name.strip_prefix('|')?.strip_suffix('|')?;
    let glyph = |part| glyph_of(part).filter(|glyph| !glyph.is_empty());
    inner.contains('.').then(|| inner.split('.').map(glyph).collect())?
}

/// Returns the key of a reading in the table, which is in lower case already: this allocates only for an `ŋ`.
fn key(reading: &'static str) -> Cow<'static, str> {
    let plain = !reading.chars().any(|letter| letter == 'ŋ' || letter == 'ḫ' || letter.is_uppercase());
    if plain { Cow::Borrowed(reading) } else { Cow::Owned(fold(reading)) }
}

/// Letters that are confused, by sound or for lack of a diacritic.
const CONFUSED: [&str; 7] = ["sṣšz", "tṭd", "kqg", "pb", "ei", "ua", "hʾ"];

/// Indices that are tried, the commonest first.
const INDICES: [&str; 10] = ["", "₂", "₃", "₄", "₅", "₆", "₇", "₈", "₉", "ₓ"];

impl SignList {
    /// Returns at most `most` readings of the list close to a folded reading, the nearest first. A reading in capitals
    /// gets capitals.
    pub fn nearest(&self, reading: &str, most: usize) -> Vec<String> {
        const LONGEST: usize = 12;
        let is_capital = reading.chars().any(char::is_uppercase);
        let folded = super::fold(reading);
        let name: Vec<char> = folded.chars().filter(|letter| !letters::is_index(*letter)).collect();
        let index: String = folded.chars().filter(|letter| letters::is_index(*letter)).collect();
        if name.is_empty() || name.len() > LONGEST {
            return Vec::new();
        }
        let mut found: Vec<String> = Vec::new();
        let mut offer = |candidate: String| {
            if found.len() < most && candidate != folded && self.has_reading(&candidate) && !found.contains(&candidate)
            {
                found.push(candidate);
            }
        };
        let spelled = |letters: &[char], index: &str| letters.iter().collect::<String>() + index;
        // In order of preference: another index, then a confused letter, then a letter too many.
        for other in INDICES {
            offer(spelled(&name, other));
        }
        for place in 0..name.len() {
            for group in CONFUSED.iter().filter(|group| group.contains(name[place])) {
                let mut changed = name.clone();
                for letter in group.chars().filter(|letter| *letter != name[place]) {
                    changed[place] = letter;
                    offer(spelled(&changed, &index));
                }
            }
        }
        for place in 0..name.len() {
            let mut changed = name.clone();
            changed.remove(place);
            offer(spelled(&changed, &index));
        }
        let capital = |reading: String| if is_capital { capitals(&reading) } else { reading };
        found.into_iter().map(capital).collect()
    }
}

fn capitals(reading: &str) -> String {
    reading.chars().map(|letter| if letters::is_index(letter) { letter } else { letters::upper(letter) }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(reading: &str, name: &str, glyph: &str) {
        let entry = SignList::shared().sign_of(reading);
        let found = entry.as_ref().map(|entry| (entry.name.as_ref(), entry.glyph.as_ref()));
        assert_eq!(found, Some((name, glyph)), "{reading}");
    }

    #[test]
    fn readings_in_any_case() {
        check("a", "A", "𒀀");
        check("LUGAL", "LUGAL", "𒈗");
        check("lugal", "LUGAL", "𒈗");
        check("u₂", "U₂", "𒌑");
        check("šu", "ŠU", "𒋗");
        check("GEŠ", "GIŠ", "𒄑");
        check("JEŠ", "GIŠ", "𒄑");
        check("ḫa", "HA", "𒄩");
    }

    #[test]
    fn determinatives() {
        check("{d}", "AN", "𒀭");
        check("{m}", "DIŠ", "𒁹");
        check("{f}", "SAL", "𒊩");
        check("{KI}", "KI", "𒆠");
        check("{ki}", "KI", "𒆠");
        check("{LU₂}", "LU₂", "𒇽");
    }

    #[test]
    fn numbers_unindexed_readings_and_compounds() {
        check("1(diš)", "DIŠ", "𒁹");
        check("UTUₓ(ERIM)", "ERIN₂", "𒂟");
        check("|KA×UD|", "|KA×UD|", "𒆉");
        check("|A.BI|", "|A.BI|", "𒀀𒁉");
        check("maštabaₓ", "|A.BI|", "𒀀𒁉");
        check("KU₃.BABBAR", "|KU₃.UD|", "𒆬𒌓");
        check("TA@v", "TA", "𒋫");
    }

    #[test]
    fn unknown_readings_have_no_sign() {
        for reading in ["", "x", "{}", "zzz", "8(zzz)", "(", "|", "||", ".", "a..a", "{"] {
            assert_eq!(SignList::shared().sign_of(reading), None, "{reading}");
        }
    }

    #[test]
    fn several_signs_with_one_reading_give_the_marked_one() {
        let list = SignList::parse("sign\tglyph\treadings\nA\t1\tba bi\nB\t2\tba* bi\n").unwrap_or_default();
        let name = |reading| list.sign_of(reading).map(|entry| entry.name.into_owned());
        assert_eq!((name("ba"), name("bi")), (Some("B".into()), Some("A".into())));
        assert_eq!(list.readings_of("B"), ["ba", "bi"]);
        assert_eq!(list.readings_of("1"), ["ba", "bi"]);
        assert_eq!((list.name_of("2"), list.name_of("3")), (Some("B"), None));
        assert!(list.readings_of("C").is_empty());
    }

    #[test]
    fn a_table_with_another_header_is_refused() {
        assert!(SignList::parse("reading\tsign\n").is_err_and(|error| error.to_string().contains("sign\\tglyph")));
    }

    #[test]
    fn the_table_compiled_in_is_whole_and_small() {
        assert!(SignList::parse(TABLE).is_ok_and(|list| list.len() > 2_000));
        assert!(TABLE.len() < 200_000, "{} bytes go into the page", TABLE.len());
    }

    #[test]
    fn near_readings_are_found() {
        let nearest = |reading: &str| SignList::shared().nearest(reading, 3);
        assert_eq!(nearest("mme").first().map(String::as_str), Some("me"));
        assert_eq!(nearest("LUGAL₉").first().map(String::as_str), Some("LUGAL"));
        assert!(nearest("tsa").contains(&"sa".to_owned()));
        assert!(nearest("").is_empty() && nearest("₂").is_empty());
    }
}
