//! Address of the attention maps: `#view=attention&line=a-na%20be-li2&kind=cross&layer=2&head=1&by=words`. Layers and
//! heads count from 1, as on the page.

use crate::frame::address::{LONGEST_TEXT, decode, encode};
use tuppum_protocol::attention::AttentionKind;
use tuppum_text::parts::Cut;

/// Value of `layer` for the mean of all layers.
const MEAN_OF_LAYERS: &str = "all";

/// Contents of an address of the maps.
#[derive(Clone, Debug, PartialEq)]
pub struct AttentionAddress {
    /// Text, unless it is the example.
    pub line: Option<String>,
    /// Kind of attention.
    pub kind: AttentionKind,
    /// Layer, from 0, where the bias acts first; `None` for the mean of all layers.
    pub layer: Option<usize>,
    /// Head, from 0; `None` for the mean of all heads.
    pub head: Option<usize>,
    /// Grouping of rows and columns.
    pub cut: Cut,
}

impl Default for AttentionAddress {
    fn default() -> Self {
        Self { line: None, kind: AttentionKind::default(), layer: Some(0), head: None, cut: Cut::default() }
    }
}

/// Returns the name of a kind of attention in addresses.
pub fn kind_name(kind: AttentionKind) -> &'static str {
    match kind {
        AttentionKind::Encoder => "encoder",
        AttentionKind::Decoder => "decoder",
        AttentionKind::Cross => "cross",
    }
}

/// Returns the kind of attention with this name; the encoder's for an unknown name.
pub fn kind_named(name: &str) -> AttentionKind {
    let all = [AttentionKind::Encoder, AttentionKind::Decoder, AttentionKind::Cross];
    all.into_iter().find(|kind| kind_name(*kind) == name).unwrap_or_default()
}

/// Returns the name of a grouping in addresses.
pub fn cut_name(cut: Cut) -> &'static str {
    match cut {
        Cut::Bytes => "bytes",
        Cut::Signs => "signs",
        Cut::Words => "words",
    }
}

impl AttentionAddress {
    /// Reads a fragment; unknown pairs are ignored.
    pub fn read(fragment: &str) -> Self {
        let mut address = Self::default();
        for pair in fragment.trim_start_matches('#').split('&') {
            let Some((name, value)) = pair.split_once('=') else { continue };
            let number = || value.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
            match name {
                "line" if !value.is_empty() => address.line = Some(decode(value)),
                "kind" => address.kind = kind_named(value),
                "layer" if value == MEAN_OF_LAYERS => address.layer = None,
                "layer" => address.layer = number().or(address.layer),
                "head" => address.head = number(),
                "by" => {
                    let all = [Cut::Bytes, Cut::Signs, Cut::Words];
                    address.cut = all.into_iter().find(|cut| cut_name(*cut) == value).unwrap_or_default();
                }
                _ => {}
            }
        }
        address
    }

    /// Returns the pairs of the fragment, `view=attention` first; values equal to the defaults are left out.
    pub fn write(&self) -> String {
        let mut pairs = vec!["view=attention".to_owned()];
        let line = self.line.as_ref().filter(|line| line.len() <= LONGEST_TEXT);
        pairs.extend(line.map(|line| format!("line={}", encode(line))));
        pairs.extend((self.kind != AttentionKind::default()).then(|| format!("kind={}", kind_name(self.kind))));
        let layer = self.layer.map_or_else(|| MEAN_OF_LAYERS.to_owned(), |layer| (layer + 1).to_string());
        pairs.extend((self.layer != Some(0)).then(|| format!("layer={layer}")));
        pairs.extend(self.head.map(|head| format!("head={}", head + 1)));
        pairs.extend((self.cut != Cut::default()).then(|| format!("by={}", cut_name(self.cut))));
        pairs.join("&")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_lead_back() {
        let full = AttentionAddress {
            line: Some("a-na {d}UTU & šu".into()),
            kind: AttentionKind::Cross,
            layer: Some(3),
            head: Some(0),
            cut: Cut::Bytes,
        };
        let mean = AttentionAddress { layer: None, ..AttentionAddress::default() };
        for address in [full, mean, AttentionAddress::default()] {
            assert_eq!(AttentionAddress::read(&format!("#{}&device=cpu", address.write())), address);
        }
        assert_eq!(AttentionAddress::default().write(), "view=attention");
        assert_eq!(AttentionAddress::read("#layer=0&head=x&kind=odd&by=&line="), AttentionAddress::default());
    }
}
