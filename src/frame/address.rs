//! The page's address. Its fragment holds the text and all settings that differ from the defaults; fragments never
//! reach a server. Parameters have the names of the command line's flags. A `+` is a plus, as in `x+3`; a space is
//! `%20`.

use crate::restore::state::decisions;
use crate::restore::state::work::{DEFAULT_BEAM, DEFAULT_LONGEST, DEFAULT_TOP, Work};
use tuppum_protocol::{DevicePreference, ModelRef, Period};

/// Version of the address format.
const VERSION: &str = "1";
/// Restorer that comes with the page.
pub const DEFAULT_MODEL: ModelRef = ModelRef::shipped("models/restorer/");
/// Length in bytes of the longest text that goes into an address; browsers and mail programs cut longer addresses.
pub const LONGEST_TEXT: usize = 8_000;

/// Content of an address.
#[derive(Clone, Debug, PartialEq)]
pub struct Address {
    /// The text, if the address holds one.
    pub text: Option<String>,
    /// Key of an example text.
    pub example: Option<String>,
    /// Period by which proposals are re-ranked.
    pub period: Option<Period>,
    /// Number of hypotheses in the joint search.
    pub beam: usize,
    /// Number of proposals for each gap.
    pub top: usize,
    /// Longest length tried for a break, in signs.
    pub longest: usize,
    /// Restorer that replaces the one that comes with the page.
    pub model: ModelRef,
    /// Translator to use, if the address names one.
    pub translator: Option<ModelRef>,
    /// Device to use, if the address names one.
    pub device: Option<DevicePreference>,
    /// `true` if edited texts count beside the network.
    pub contexts: bool,
    /// Decisions about the text, as written by [`decisions`].
    pub decisions: String,
    /// `true` if the address has another format version.
    pub is_foreign: bool,
}

impl Default for Address {
    fn default() -> Self {
        Self {
            text: None,
            example: None,
            period: None,
            beam: DEFAULT_BEAM,
            top: DEFAULT_TOP,
            longest: DEFAULT_LONGEST,
            model: DEFAULT_MODEL,
            translator: None,
            device: None,
            contexts: true,
            decisions: String::new(),
            is_foreign: false,
        }
    }
}

impl Address {
    /// Reads a query (`?...`) and a fragment (`#...`), the fragment last. Unknown parameters are ignored.
    pub fn read(query: &str, fragment: &str) -> Self {
        let mut address = Self::default();
        for part in [query.trim_start_matches('?'), fragment.trim_start_matches('#')] {
            for pair in part.split('&') {
                let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
                address.set_parameter(name, decode(value));
            }
        }
        address
    }

    fn set_parameter(&mut self, name: &str, value: String) {
        let number = |most: usize| value.parse().ok().filter(|number| (1..=most).contains(number));
        match name {
            "text" if !value.is_empty() => self.text = Some(as_text_fields_have_it(&value)),
            "example" if !value.is_empty() => self.example = Some(value),
            "period" => self.period = period_named(&value),
            "beam" => self.beam = number(20).unwrap_or(DEFAULT_BEAM),
            "top" => self.top = number(100).unwrap_or(DEFAULT_TOP),
            "longest" => self.longest = number(20).unwrap_or(DEFAULT_LONGEST),
            "model" => match ModelRef::from_link(&value) {
                Some(model @ ModelRef::Shipped(_)) => self.model = model,
                Some(ModelRef::Stored(_) | ModelRef::New(_)) | None => {}
            },
            "translator" => self.translator = ModelRef::from_link(&value),
            "device" => self.device = device_named(&value),
            "contexts" => self.contexts = value != "off",
            "decisions" => self.decisions = value,
            "v" => self.is_foreign = value != VERSION,
            _ => {}
        }
    }

    /// Explains to the user why the address cannot be taken over completely; `None` if it can.
    pub fn damage(&self) -> Option<&'static str> {
        let text = self.text.as_deref()?;
        if !decisions::are_whole(&self.decisions, text) {
            return Some(
                "This link was damaged or cut on its way: the text is here, but not all that was decided about it. Ask \
                 for the link again, or decide anew.",
            );
        }
        self.is_foreign.then_some(
            "This link was made by another version of Tuppum: the text is here, but settings or decisions may be \
             missing. Compare it with the page where it was made.",
        )
    }

    /// Returns the work that this address describes, on this text.
    pub fn work_on(&self, text: String) -> Work {
        let Self { period, beam, top, longest, contexts, .. } = *self;
        Work { period, beam, top, longest, contexts, ..decisions::read(&self.decisions, text) }
    }

    /// Returns `true` if the address holds another text than the present one, or decisions to take over on the same
    /// text. Decisions are taken over from a link, or if nothing has been decided yet: going back to an older address
    /// of the same text keeps later decisions.
    pub fn brings_news(&self, present: &Work, is_link: bool) -> bool {
        let takes = || is_link || decisions::written(present).is_none();
        self.text.as_ref().is_some_and(|text| *text != present.text || !self.decisions.is_empty() && takes())
    }

    /// Returns the work to open in place of the present one, or `None` if the address brings nothing new. Decisions of
    /// a link replace the present decisions on the same text, unless the link was cut.
    pub fn work_in_place_of(&self, present: &Work, is_link: bool) -> Option<Work> {
        if !self.brings_news(present, is_link) {
            return None;
        }
        let work = self.work_on(self.text.clone()?);
        let gives_way = work.text == present.text && decisions::written(present).is_some();
        (work != *present && !(gives_way && self.damage().is_some())).then_some(work)
    }

    /// Returns the fragment for a text and its settings, with `#`. It holds only what differs from the defaults, and
    /// leaves out a text that is too long for an address.
    pub fn fragment(
        work: &Work,
        model: &ModelRef,
        translator: Option<&ModelRef>,
        device: Option<DevicePreference>,
    ) -> String {
        let mut pairs = vec![format!("v={VERSION}")];
        pairs.extend(work.period.map(|period| format!("period={}", period_name(period))));
        pairs.extend((work.beam != DEFAULT_BEAM).then(|| format!("beam={}", work.beam)));
        pairs.extend((work.top != DEFAULT_TOP).then(|| format!("top={}", work.top)));
        pairs.extend((work.longest != DEFAULT_LONGEST).then(|| format!("longest={}", work.longest)));
        pairs.extend((!work.contexts).then(|| "contexts=off".to_owned()));
        pairs.extend((*model != DEFAULT_MODEL).then(|| format!("model={}", encode(&model.to_string()))));
        pairs.extend(translator.map(|translator| format!("translator={}", encode(&translator.to_string()))));
        pairs.extend(device.map(|device| format!("device={}", device_name(device))));
        if !work.text.is_empty() && work.text.len() <= LONGEST_TEXT {
            let decisions = decisions::written(work).map(|decisions| encode(&decisions));
            // A link without decisions is better than no link.
            let decisions = decisions.filter(|decisions| decisions.len() <= LONGEST_TEXT);
            pairs.extend(decisions.map(|decisions| format!("decisions={decisions}")));
            pairs.push(format!("text={}", encode(&work.text)));
        }
        format!("#{}", pairs.join("&"))
    }
}

/// Converts line ends to those of text fields, so that sign positions agree with the field.
pub fn as_text_fields_have_it(text: &str) -> String {
    text.replace("\r\n", "\n").replace('\r', "\n")
}

/// Returns the name of a period in addresses, on the command line and in files.
pub fn period_name(period: Period) -> &'static str {
    match period {
        Period::OldAssyrian => "old-assyrian",
        Period::OldBabylonian => "old-babylonian",
        Period::MiddleBabylonian => "middle-babylonian",
        Period::RoyalInscriptions => "royal-inscriptions",
        Period::NeoAssyrian => "neo-assyrian",
        Period::NeoBabylonian => "neo-babylonian",
        Period::StandardBabylonian => "standard-babylonian",
    }
}

/// Returns the period with this name.
pub fn period_named(name: &str) -> Option<Period> {
    Period::ALL.into_iter().find(|period| period_name(*period) == name)
}

/// Returns the name of a device preference in addresses and on the command line.
pub fn device_name(device: DevicePreference) -> &'static str {
    match device {
        DevicePreference::Best => "best",
        DevicePreference::Cpu => "cpu",
        DevicePreference::WebGpu => "webgpu",
    }
}

/// Returns the device preference with this name.
pub fn device_named(name: &str) -> Option<DevicePreference> {
    let all = [DevicePreference::Best, DevicePreference::Cpu, DevicePreference::WebGpu];
    all.into_iter().find(|device| device_name(*device) == name)
}

/// Percent-encodes as `encodeURIComponent` does.
pub fn encode(text: &str) -> String {
    let mut encoded = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => encoded.push(char::from(byte)),
            b'-' | b'_' | b'.' | b'!' | b'~' | b'*' | b'\'' | b'(' | b')' => encoded.push(char::from(byte)),
            _ => encoded.push_str(&format!("%{byte:02X}")),
        }
    }
    encoded
}

/// Decodes percent-encoded text. A `%` without two hexadecimal digits stands for itself; invalid UTF-8 becomes �.
pub fn decode(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut decoded = Vec::with_capacity(bytes.len());
    let mut place = 0;
    while let Some(&byte) = bytes.get(place) {
        let digits = bytes.get(place + 1..place + 3).and_then(|digits| std::str::from_utf8(digits).ok());
        let escaped = digits.filter(|d| d.bytes().all(|b| b.is_ascii_hexdigit()));
        match escaped.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(value) if byte == b'%' => {
                decoded.push(value);
                place += 3;
            }
            _ => {
                decoded.push(byte);
                place += 1;
            }
        }
    }
    String::from_utf8_lossy(&decoded).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_text_comes_back() {
        for text in ["a-na x+3 [...]", "šu 100% {d}UTU\n2. ⸢a⸣&b=#c", "𒀀 \u{202e}", "%zz %4 %"] {
            assert_eq!(decode(&encode(text)), text);
            let fragment = Address::fragment(&Work::on(text), &DEFAULT_MODEL, None, None);
            assert_eq!(Address::read("", &fragment).text.as_deref(), Some(text), "{fragment}");
        }
    }

    #[test]
    fn only_what_differs_is_written() {
        assert_eq!(Address::fragment(&Work::on("a"), &DEFAULT_MODEL, None, None), "#v=1&text=a");
        let work = Work { period: Some(Period::NeoAssyrian), beam: 3, contexts: false, ..Work::on("a") };
        let tiny = ModelRef::shipped("models/tiny/");
        let fragment = Address::fragment(&work, &tiny, None, Some(DevicePreference::Cpu));
        assert_eq!(
            fragment,
            "#v=1&period=neo-assyrian&beam=3&contexts=off&model=models/tiny/&device=cpu&text=a".replace('/', "%2F")
        );
        let address = Address::read("", &fragment);
        assert_eq!(address.work_on("a".into()), work);
        assert_eq!((address.model, address.device), (tiny, Some(DevicePreference::Cpu)));
    }

    #[test]
    fn a_link_carries_what_was_decided() {
        let work = Work { chosen: vec![0], left_alone: vec![1], ..Work::on("a-x") };
        let address = Address::read("", &Address::fragment(&work, &DEFAULT_MODEL, None, None));
        assert_eq!(address.work_on("a-x".into()), work);
        assert_eq!(address.work_on("a".into()).left_alone, Vec::<usize>::new());
        assert_eq!(address.damage(), None);
        let cut = Address { decisions: address.decisions[1..].to_owned(), ..address.clone() };
        assert!(cut.damage().is_some_and(|said| said.contains("damaged or cut")), "{cut:?}");
        let shorter = Address { text: Some("a".into()), ..address };
        assert!(shorter.damage().is_some_and(|said| said.contains("damaged or cut")), "{shorter:?}");
    }

    #[test]
    fn a_link_brings_news_but_undoes_nothing() {
        let decided = Work { chosen: vec![0], ..Work::on("a-x") };
        let address = Address::read("", &Address::fragment(&decided, &DEFAULT_MODEL, None, None));
        for other in [Work::on("b"), Work { chosen: vec![0], ..Work::on("b") }, Work::on("a-x")] {
            assert!(address.brings_news(&other, false), "{other:?}");
        }
        let since = Work { left_alone: vec![1], ..decided.clone() };
        assert!(!address.brings_news(&since, false), "whoever goes back keeps what was decided since");
        assert_eq!(address.work_in_place_of(&since, true).as_ref(), Some(&decided), "a link says otherwise");
        assert_eq!(address.work_in_place_of(&decided, true), None, "it says the same");
        let cut = Address { decisions: address.decisions[1..].to_owned(), ..address };
        assert!(cut.brings_news(&Work::on("a-x"), false), "that it was cut is news");
        assert_eq!(cut.work_in_place_of(&since, true), None, "what was decided does not give way to nothing");
        for fragment in ["#text=a-x", "#view=tree"] {
            assert!(!Address::read("", fragment).brings_news(&Work::on("a-x"), true), "{fragment}");
        }
        assert_eq!(Address::read("", "#text=a%0D%0Ab%0D").text.as_deref(), Some("a\nb\n"));
    }

    #[test]
    fn a_link_of_another_version_says_so() {
        let damage = |fragment: &str| Address::read("", fragment).damage();
        assert_eq!([damage("#v=1&text=a"), damage("#text=a"), damage("#v=2")], [None; 3]);
        assert!(damage("#v=2&text=a").is_some_and(|said| said.contains("another version")));
    }

    #[test]
    fn the_fragment_wins_over_the_query() {
        let address = Address::read("?device=webgpu&model=models/tiny", "#device=cpu");
        assert_eq!(address.device, Some(DevicePreference::Cpu));
        assert_eq!(address.model, ModelRef::shipped("models/tiny/"));
    }

    #[test]
    fn a_translator_lies_beside_the_page_or_in_the_storage() {
        let check = |fragment: &str, expected: Option<&str>| {
            assert_eq!(Address::read("", fragment).translator, expected.map(ModelRef::from), "{fragment}");
        };
        check("#translator=models/mine", Some("models/mine/"));
        check("#translator=kept:my-own.1", Some("kept:my-own.1"));
        check("#translator=kept:../up", None);
        check("#translator=kept:a/b", None);
        check("#translator=https://elsewhere/", None);
        let fragment = Address::fragment(&Work::on("a"), &DEFAULT_MODEL, Some(&ModelRef::stored("mine")), None);
        check(&fragment, Some("kept:mine"));
    }

    #[test]
    fn nonsense_is_passed_over() {
        for fragment in [
            "#beam=0&top=x&period=cretaceous&device=abacus&w=9&&=",
            "#model=https://elsewhere/",
            "#model=../x",
            "#model=kept:x",
        ] {
            assert_eq!(Address::read("", fragment), Address::default(), "{fragment}");
        }
    }

    #[test]
    fn a_text_too_long_for_an_address_is_left_out() {
        let fragment = Address::fragment(&Work::on("x ".repeat(LONGEST_TEXT)), &DEFAULT_MODEL, None, None);
        assert_eq!(fragment, "#v=1");
    }

    #[test]
    fn every_period_has_its_own_name() {
        for period in Period::ALL {
            assert_eq!(period_named(period_name(period)), Some(period));
        }
    }
}
