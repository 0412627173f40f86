//! Composition of a Latin letter with its accents, as in Unicode's normal form C.
//!
//! A library's table for every script would be a sixth of the page; transliterations are in Latin letters.

/// Pairs for each combining mark that composes: a letter, then that letter with the mark. They are all canonical
/// compositions that end in U+00C0–U+024F and U+1E00–U+1EFF.
#[rustfmt::skip]
const COMPOSED: [(char, &str); 25] = [
    ('\u{300}', "AÀEÈIÌNǸOÒUÙWẀYỲaàeèiìnǹoòuùwẁyỳÂẦÊỀÔỒÜǛâầêềôồüǜĂẰăằĒḔēḕŌṐōṑƠỜơờƯỪưừ"),
    ('\u{301}', "AÁCĆEÉGǴIÍKḰLĹMḾNŃOÓPṔRŔSŚUÚWẂYÝZŹaácćeégǵiíkḱlĺmḿnńoópṕrŕsśuúwẃyýzźÂẤÅǺÆǼÇḈÊẾÏḮÔỐÕṌØǾÜǗâấåǻæǽçḉêếïḯ\
      ôốõṍøǿüǘĂẮăắĒḖēḗŌṒōṓŨṸũṹƠỚơớƯỨưứ"),
    ('\u{302}', "AÂCĈEÊGĜHĤIÎJĴOÔSŜUÛWŴYŶZẐaâcĉeêgĝhĥiîjĵoôsŝuûwŵyŷzẑẠẬạậẸỆẹệỌỘọộ"),
    ('\u{303}', "AÃEẼIĨNÑOÕUŨVṼYỸaãeẽiĩnñoõuũvṽyỹÂẪÊỄÔỖâẫêễôỗĂẴăẵƠỠơỡƯỮưữ"),
    ('\u{304}', "AĀEĒGḠIĪOŌUŪYȲaāeēgḡiīoōuūyȳÄǞÆǢÕȬÖȪÜǕäǟæǣõȭöȫüǖǪǬǫǭȦǠȧǡȮȰȯȱḶḸḷḹṚṜṛṝ"),
    ('\u{306}', "AĂEĔGĞIĬOŎUŬaăeĕgğiĭoŏuŭȨḜȩḝẠẶạặ"),
    ('\u{307}', "AȦBḂCĊDḊEĖFḞGĠHḢIİMṀNṄOȮPṖRṘSṠTṪWẆXẊYẎZŻaȧbḃcċdḋeėfḟgġhḣmṁnṅoȯpṗrṙsṡtṫwẇxẋyẏzżŚṤśṥŠṦšṧſẛṢṨṣṩ"),
    ('\u{308}', "AÄEËHḦIÏOÖUÜWẄXẌYŸaäeëhḧiïoötẗuüwẅxẍyÿÕṎõṏŪṺūṻ"),
    ('\u{309}', "AẢEẺIỈOỎUỦYỶaảeẻiỉoỏuủyỷÂẨÊỂÔỔâẩêểôổĂẲăẳƠỞơởƯỬưử"),
    ('\u{30a}', "AÅUŮaåuůwẘyẙ"),
    ('\u{30b}', "OŐUŰoőuű"),
    ('\u{30c}', "AǍCČDĎEĚGǦHȞIǏKǨLĽNŇOǑRŘSŠTŤUǓZŽaǎcčdďeěgǧhȟiǐjǰkǩlľnňoǒrřsštťuǔzžÜǙüǚƷǮʒǯ"),
    ('\u{30f}', "AȀEȄIȈOȌRȐUȔaȁeȅiȉoȍrȑuȕ"),
    ('\u{311}', "AȂEȆIȊOȎRȒUȖaȃeȇiȋoȏrȓuȗ"),
    ('\u{31b}', "OƠUƯoơuư"),
    ('\u{323}', "AẠBḄDḌEẸHḤIỊKḲLḶMṂNṆOỌRṚSṢTṬUỤVṾWẈYỴZẒaạbḅdḍeẹhḥiịkḳlḷmṃnṇoọrṛsṣtṭuụvṿwẉyỵzẓƠỢơợƯỰưự"),
    ('\u{324}', "UṲuṳ"),
    ('\u{325}', "AḀaḁ"),
    ('\u{326}', "SȘTȚsștț"),
    ('\u{327}', "CÇDḐEȨGĢHḨKĶLĻNŅRŖSŞTŢcçdḑeȩgģhḩkķlļnņrŗsştţ"),
    ('\u{328}', "AĄEĘIĮOǪUŲaąeęiįoǫuų"),
    ('\u{32d}', "DḒEḘLḼNṊTṰUṶdḓeḙlḽnṋtṱuṷ"),
    ('\u{32e}', "HḪhḫ"),
    ('\u{330}', "EḚIḬUṴeḛiḭuṵ"),
    ('\u{331}', "BḆDḎKḴLḺNṈRṞTṮZẔbḇdḏhẖkḵlḻnṉrṟtṯzẕ"),
];

/// Canonical class of the marks U+0300–U+036F that are not of class 230, as ranges; marks of a lower class come first.
const CLASSES: [(char, char, u8); 25] = [
    ('\u{315}', '\u{315}', 232),
    ('\u{316}', '\u{319}', 220),
    ('\u{31a}', '\u{31a}', 232),
    ('\u{31b}', '\u{31b}', 216),
    ('\u{31c}', '\u{320}', 220),
    ('\u{321}', '\u{322}', 202),
    ('\u{323}', '\u{326}', 220),
    ('\u{327}', '\u{328}', 202),
    ('\u{329}', '\u{333}', 220),
    ('\u{334}', '\u{338}', 1),
    ('\u{339}', '\u{33c}', 220),
    ('\u{345}', '\u{345}', 240),
    ('\u{347}', '\u{349}', 220),
    ('\u{34d}', '\u{34e}', 220),
    ('\u{34f}', '\u{34f}', 0),
    ('\u{353}', '\u{356}', 220),
    ('\u{358}', '\u{358}', 232),
    ('\u{359}', '\u{35a}', 220),
    ('\u{35c}', '\u{35c}', 233),
    ('\u{35d}', '\u{35e}', 234),
    ('\u{35f}', '\u{35f}', 233),
    ('\u{360}', '\u{361}', 234),
    ('\u{362}', '\u{362}', 233),
    // The marks of other blocks never compose; the class 0 of enclosing ones makes no difference here.
    ('\u{20dd}', '\u{20e0}', 0),
    ('\u{20e2}', '\u{20e4}', 0),
];

/// Returns `true` for a mark on the letter before it: one of Unicode's five blocks of combining diacritical marks.
pub fn is_combining_mark(letter: char) -> bool {
    matches!(
        letter,
        '\u{300}'..='\u{36f}'
            | '\u{1ab0}'..='\u{1aff}'
            | '\u{1dc0}'..='\u{1dff}'
            | '\u{20d0}'..='\u{20ff}'
            | '\u{fe20}'..='\u{fe2f}'
    )
}

/// Composes a letter and the marks after it as far as Unicode has characters for them. Marks that compose with nothing
/// follow in canonical order.
pub fn compose(cluster: &str) -> String {
    let mut letters = cluster.chars();
    let Some(first) = letters.next() else { return String::new() };
    let mut marks = Vec::new();
    let mut starter = take_apart(first, &mut marks);
    marks.extend(letters.map(same_mark));
    for run in marks.split_mut(|mark| class(*mark) == 0) {
        run.sort_by_key(|mark| class(*mark));
    }
    let mut kept = String::new();
    let mut last = None;
    for mark in marks {
        let is_blocked = last.is_some_and(|last| last == 0 || last >= class(mark));
        match with_mark(starter, mark).filter(|_| !is_blocked) {
            Some(composed) => starter = composed,
            None => {
                last = Some(class(mark));
                kept.push(mark);
            }
        }
    }
    kept.insert(0, starter);
    kept
}

/// Returns the letter under all marks of a composed character, and appends its marks in order.
fn take_apart(letter: char, marks: &mut Vec<char>) -> char {
    match without_mark(letter) {
        Some((plain, mark)) => {
            let plain = take_apart(plain, marks);
            marks.push(mark);
            plain
        }
        None => letter,
    }
}

fn pairs(row: &str) -> impl Iterator<Item = (char, char)> {
    let mut letters = row.chars();
    std::iter::from_fn(move || Some((letters.next()?, letters.next()?)))
}

fn with_mark(letter: char, mark: char) -> Option<char> {
    let (_, row) = COMPOSED.iter().find(|(own, _)| *own == mark)?;
    pairs(row).find(|(plain, _)| *plain == letter).map(|(_, composed)| composed)
}

fn without_mark(letter: char) -> Option<(char, char)> {
    if letter.is_ascii() {
        return None;
    }
    COMPOSED
        .iter()
        .find_map(|(mark, row)| pairs(row).find(|(_, composed)| *composed == letter).map(|(plain, _)| (plain, *mark)))
}

/// Replaces the two marks that have an older double with the same meaning.
fn same_mark(mark: char) -> char {
    match mark {
        '\u{340}' => '\u{300}',
        '\u{341}' => '\u{301}',
        '\u{343}' => '\u{313}',
        other => other,
    }
}

fn class(mark: char) -> u8 {
    CLASSES.iter().find(|(first, last, _)| (*first..=*last).contains(&mark)).map_or(230, |(_, _, class)| *class)
}

#[cfg(test)]
mod tests {
    use super::*;
    use unicode_normalization::UnicodeNormalization;

    /// Returns every letter of the Latin blocks that can be typed.
    fn letters() -> impl Iterator<Item = char> {
        let blocks = ['A'..='Z', 'a'..='z', '\u{c0}'..='\u{24f}', '\u{1e00}'..='\u{1eff}'];
        blocks.into_iter().flatten().filter(|letter| letter.is_alphabetic())
    }

    fn nfc(cluster: &str) -> String {
        cluster.nfc().collect()
    }

    #[test]
    fn one_mark_composes_as_normal_form_c_has_it() {
        for letter in letters() {
            assert_eq!(compose(&letter.to_string()), nfc(&letter.to_string()));
            for mark in ('\u{300}'..='\u{36f}').filter(|mark| *mark != '\u{344}') {
                let cluster = format!("{letter}{mark}");
                assert_eq!(compose(&cluster), nfc(&cluster), "{cluster:?}");
            }
        }
    }

    #[test]
    fn two_marks_compose_in_either_order() {
        let others = ['\u{313}', '\u{315}', '\u{332}', '\u{335}', '\u{345}', '\u{34f}', '\u{360}', '\u{1dc4}'];
        let marks: Vec<char> = COMPOSED.iter().map(|(mark, _)| *mark).chain(others).collect();
        for letter in letters() {
            for one in &marks {
                for other in &marks {
                    let cluster = format!("{letter}{one}{other}");
                    assert_eq!(compose(&cluster), nfc(&cluster), "{cluster:?}");
                }
            }
        }
    }

    #[test]
    fn marks_are_known_and_letters_are_none() {
        for mark in '\u{300}'..='\u{36f}' {
            assert!(is_combining_mark(mark) && unicode_normalization::char::is_combining_mark(mark), "{mark:?}");
        }
        for mark in ['\u{1ab0}', '\u{1dc4}', '\u{20dd}', '\u{fe20}', '\u{fe2f}'] {
            assert!(is_combining_mark(mark), "{mark:?}");
        }
        assert!(letters().chain(['ʾ', '´', '₂', '\u{2ff}', '\u{370}']).all(|letter| !is_combining_mark(letter)));
    }
}
