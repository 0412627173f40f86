//! Data drawn from the engine's answers: grouped maps, their difference, one scale for both, and the shares.

use super::reading::{Groups, about};
use std::ops::Range;
use std::sync::Arc;
use tuppum_plot::attention::{Matrix, Names, Scale};
use tuppum_protocol::attention::{AttentionAnswer, AttentionKind, AttentionQuestion};
use tuppum_text::parts::{self, Cut, Part};
use tuppum_text::tokens::TokenId;

/// Answer of the engine, with its question.
#[derive(Clone, Debug, PartialEq)]
pub struct MapAnswer {
    pub question: AttentionQuestion,
    /// Map over bytes and tokens.
    pub matrix: Matrix,
    /// Tokens of the translation; empty for the encoder.
    pub target: Vec<TokenId>,
    /// Number of layers of this kind.
    pub layers: usize,
    /// Number of heads.
    pub heads: usize,
    /// Learnt strength of the bias.
    pub alpha: Option<f32>,
    /// Number of encoder layers with the bias.
    pub reach: usize,
}

impl MapAnswer {
    /// Returns the engine's answer; `None` if its values do not fill the map.
    pub fn of(question: AttentionQuestion, looked: AttentionAnswer) -> Option<Self> {
        let AttentionAnswer { map, target, layers, heads, alpha, reach } = looked;
        let matrix = Matrix::new(map.rows, map.columns, map.values)?;
        Some(Self { question, matrix, target, layers, heads, alpha, reach })
    }

    /// Returns `true` if another answer differs in nothing but the strength of the bias.
    pub fn matches(&self, other: &Self) -> bool {
        let asked = |seen: &Self| {
            let AttentionQuestion { text, kind, layer, head, .. } = seen.question.clone();
            (text, kind, layer, head)
        };
        asked(self) == asked(other) && self.target == other.target
    }
}

/// Maps as they are drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct DrawnMaps {
    /// Text that the model read.
    pub text: String,
    /// Kind of attention.
    pub kind: AttentionKind,
    /// Grouping of bytes.
    pub cut: Cut,
    /// Groups of rows and columns.
    pub groups: Groups,
    /// Names of rows and columns.
    pub names: Names,
    /// Left map: without the bias, or at the left slider's strength.
    pub off: Matrix,
    /// Right map: with the bias; `None` if the model has none.
    pub on: Option<Matrix>,
    /// Right map minus left map.
    pub difference: Option<Matrix>,
    /// Colour scale of both maps.
    pub scale: Scale,
    /// Colour scale of the difference map.
    pub change: Scale,
    /// Shares of attention; empty for other kinds than the encoder's.
    pub shares: Vec<AttentionShare>,
}

/// Share of attention, without and with the bias.
#[derive(Clone, Debug, PartialEq)]
pub struct AttentionShare {
    /// Name of the share, such as `{d} to UTU`.
    pub what: String,
    /// Share without the bias.
    pub off: f64,
    /// Share with the bias.
    pub on: Option<f64>,
    /// Share under uniform attention.
    pub even: f64,
}

impl DrawnMaps {
    /// Groups two answers; `on` is used only if it differs from `off` in nothing but the bias.
    pub fn of(off: &MapAnswer, on: Option<&MapAnswer>, cut: Cut) -> Arc<Self> {
        let on = on.filter(|on| on.matches(off));
        let groups = Groups::of(off.question.kind, &off.question.text, &off.target, cut);
        let [rows, columns] = groups.ranges();
        let grouped = |seen: &MapAnswer| seen.matrix.grouped(&rows, &columns);
        let (of_off, of_on) = (grouped(off), on.map(grouped));
        let difference = of_on.as_ref().and_then(|on| on.less(&of_off));
        let most = of_on.as_ref().map_or(0.0, Matrix::most).max(of_off.most());
        let encoder = off.question.kind == AttentionKind::Encoder;
        Arc::new(Self {
            shares: if encoder { shares(&off.question.text, &off.matrix, on.map(|on| &on.matrix)) } else { Vec::new() },
            change: Scale::Difference(difference.as_ref().map_or(0.0, Matrix::most).max(MIN_CHANGE_SCALE)),
            scale: Scale::Share(most),
            names: groups.names(),
            text: off.question.text.clone(),
            kind: off.question.kind,
            off: of_off,
            on: of_on,
            difference,
            groups,
            cut,
        })
    }

    /// Returns the numbers of columns and rows.
    pub fn size(&self) -> [usize; 2] {
        [self.off.columns, self.off.rows]
    }

    /// Returns a description of a row.
    pub fn about_row(&self, part: &Part) -> String {
        let is_read = self.kind == AttentionKind::Encoder;
        about(if is_read { &self.text } else { "" }, part, self.cut)
    }

    /// Returns a description of a column.
    pub fn about_column(&self, part: &Part) -> String {
        let is_read = self.kind != AttentionKind::Decoder;
        about(if is_read { &self.text } else { "" }, part, self.cut)
    }

    /// Returns the groups of a cell, first the one that attends.
    pub fn parts(&self, [row, column]: [usize; 2]) -> Option<[&Part; 2]> {
        Some([self.groups.rows.get(row)?, self.groups.columns.get(column)?])
    }
}

/// Minimum extent of the scale of changes, so that tiny changes do not look large: changes below a hundredth of it are
/// printed as 0.
const MIN_CHANGE_SCALE: f32 = 0.01;
/// Maximum number of pairs of determinative and noun that are listed.
const MAX_PAIRS: usize = 12;

/// Returns the shares that the bias should raise: between determinatives and their nouns, and among the bytes of a
/// sign.
fn shares(text: &str, off: &Matrix, on: Option<&Matrix>) -> Vec<AttentionShare> {
    let even = off.even();
    let mut found = Vec::new();
    for pair in parts::determined(text).into_iter().take(MAX_PAIRS) {
        let own = vec![pair.determinative];
        let [determinative, noun] = &pair.names;
        let ways = [(determinative, noun, &own, &pair.noun), (noun, determinative, &pair.noun, &own)];
        for (from, to, rows, columns) in ways {
            let share = |matrix: &Matrix| matrix.share(rows, columns);
            let what = format!("{from} to {to}");
            found.push(AttentionShare { what, off: share(off), on: on.map(share), even: share(&even) });
        }
    }
    let signs: Vec<Range<usize>> = parts::signs(text);
    let within = |matrix: &Matrix| matrix.within(&signs);
    if let (Some(own), Some(even)) = (within(off), within(&even)) {
        let what = "a byte of a sign to its other bytes".to_owned();
        found.push(AttentionShare { what, off: own, on: on.and_then(within), even });
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use tuppum_protocol::attention::Strength;

    /// Returns an encoder's answer in which every byte attends to the byte before it, the first to itself.
    fn seen(text: &str, bias: Strength) -> MapAnswer {
        let length = text.len() + 1;
        let looks = |row: usize, column: usize| if column == row.saturating_sub(1) { 1.0 } else { 0.0 };
        let values = (0..length * length).map(|at| looks(at / length, at % length)).collect();
        let matrix = Matrix::new(length, length, values).unwrap();
        let question = AttentionQuestion { text: text.into(), bias, ..AttentionQuestion::default() };
        MapAnswer { question, matrix, target: Vec::new(), layers: 2, heads: 3, alpha: Some(0.1), reach: 1 }
    }

    #[test]
    fn maps_are_grouped_and_compared() {
        let (off, on) = (seen("a-na {d}UTU", Strength::Off), seen("a-na {d}UTU", Strength::Own));
        let shown = DrawnMaps::of(&off, Some(&on), Cut::Words);
        assert_eq!(shown.size(), [4, 4]);
        assert_eq!(shown.names.rows, ["a-na", "␣", "{d}UTU", "¶"]);
        assert_eq!(shown.off.at(2, 2), 5.0 / 6.0);
        assert_eq!(shown.difference.as_ref().map(Matrix::most), Some(0.0));
        let what: Vec<&str> = shown.shares.iter().map(|share| share.what.as_str()).collect();
        assert_eq!(what, ["{d} to UTU", "UTU to {d}", "a byte of a sign to its other bytes"]);
        assert_eq!((shown.shares[0].off, shown.shares[1].off), (0.0, 1.0 / 3.0));
        // `na`, `{d}` and `UTU` have eight bytes; five of them follow another byte of their sign.
        assert_eq!(shown.shares[2].off, 5.0 / 8.0);
        assert!((shown.shares[1].even - 3.0 / 12.0).abs() < 1e-6);
    }

    #[test]
    fn answers_to_other_questions_are_not_compared() {
        let (off, other) = (seen("a-na", Strength::Off), seen("a-na ", Strength::Own));
        assert!(DrawnMaps::of(&off, Some(&other), Cut::Bytes).on.is_none());
    }
}
