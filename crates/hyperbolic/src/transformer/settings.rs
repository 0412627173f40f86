//! Settings of a Transformer: its space and its sizes.

use super::super::Lorentz;
use super::forms::TransformerForms;
use crate::error::SettingsError;
use serde::{Deserialize, Serialize};
use std::fmt;
use tuppum_text::bytes;

/// ByT5's vocabulary: padding, end, unknown, 256 bytes, sentinels.
const VOCABULARY: usize = 384;

/// Space in which states lie.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Space {
    /// On Lorentz's hyperboloid.
    #[default]
    Lorentz,
    /// In Euclid's space.
    Euclidean,
}

impl Space {
    /// All spaces.
    pub const ALL: [Self; 2] = [Self::Lorentz, Self::Euclidean];
}

impl fmt::Display for Space {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}", if *self == Self::Lorentz { "lorentz" } else { "euclidean" })
    }
}

/// Space, sizes and forms of a Transformer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TransformerSettings {
    /// Space in which the states lie.
    pub space: Space,
    /// K of the hyperboloid; of no account in Euclid's space.
    pub curvature: f64,
    /// Space-like coordinates of a state.
    pub width: usize,
    /// Layers of the encoder.
    pub encoder_layers: usize,
    /// Layers of the decoder.
    pub decoder_layers: usize,
    /// Heads of attention; the width is cut into this many parts.
    pub heads: usize,
    /// Space-like coordinates between the two products of a feed-forward part.
    pub feed_forward: usize,
    /// Tokens.
    pub vocabulary: usize,
    /// Maximum tokens of a source or a target, its end included: the number of positions that are learnt.
    pub longest: usize,
    /// Equations or programs that the layers follow. Nothing is written where nothing was chosen, so that older files
    /// of models stay readable as they are.
    #[serde(skip_serializing_if = "TransformerForms::is_default")]
    pub forms: TransformerForms,
}

impl Default for TransformerSettings {
    /// Returns the paper's width, heads and feed-forward part for translation; fewer layers, and texts of 160 bytes.
    fn default() -> Self {
        Self {
            space: Space::Lorentz,
            curvature: -1.0,
            width: 64,
            encoder_layers: 3,
            decoder_layers: 2,
            heads: 4,
            feed_forward: 256,
            vocabulary: VOCABULARY,
            longest: 161,
            forms: TransformerForms::default(),
        }
    }
}

impl TransformerSettings {
    /// Checks that a model can have these settings.
    ///
    /// # Errors
    /// The first impossible number, by name.
    pub fn check(&self) -> Result<(), SettingsError> {
        let Self { width, heads, vocabulary, .. } = *self;
        if self.space == Space::Lorentz {
            Lorentz::new(self.curvature)?;
        }
        let counted = [
            ("width", width),
            ("number of encoder layers", self.encoder_layers),
            ("number of decoder layers", self.decoder_layers),
            ("number of heads", heads),
            ("width of the feed-forward part", self.feed_forward),
            ("longest text", self.longest),
        ];
        if let Some((name, _)) = counted.iter().find(|(_, count)| *count == 0) {
            return Err(SettingsError::NoSize(name));
        }
        if width % heads != 0 {
            return Err(SettingsError::Heads { width, heads });
        }
        if self.space == Space::Lorentz && self.forms.lack_a_gate() {
            return Err(SettingsError::NoGate);
        }
        if vocabulary < bytes::AFTER_BYTES as usize {
            let needed = bytes::AFTER_BYTES as usize;
            return Err(SettingsError::Vocabulary { vocabulary, needed });
        }
        Ok(())
    }

    /// Coordinates of a state: one more than the width on the hyperboloid.
    pub fn coordinates(&self) -> usize {
        self.width + usize::from(self.space == Space::Lorentz)
    }

    /// Coordinates of a vector of a position.
    pub(super) fn position_coordinates(&self) -> usize {
        self.width + usize::from(self.space == Space::Lorentz && self.forms.positions_have_time())
    }

    /// Returns the hyperboloid that its states lie on; that of curvature -1 where [`TransformerSettings::check`]
    /// refuses the curvature.
    pub(super) fn lorentz(&self) -> Lorentz {
        Lorentz::new(self.curvature).unwrap_or(Lorentz::UNIT)
    }
}
