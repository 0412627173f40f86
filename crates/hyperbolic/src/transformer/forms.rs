//! The places where the paper's equations, its published programs and this crate differ, each with a choice of its own.
//! `docs/hybonet.md` gives the equation, table or line of code of each.

use super::super::LinearForm;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// A word that names none of the choices.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("there is no {what} {found:?}; there are {known}")]
pub struct ChoiceError {
    /// Name of the choice.
    what: &'static str,
    /// The word.
    found: String,
    /// The words of the choice.
    known: String,
}

/// Defines a choice: an enum whose values have words, by which commands and files name them.
macro_rules! choice {
    ($(#[$meta:meta])* $name:ident, $what:literal, $($(#[$of:meta])* $value:ident = $word:literal),+ $(,)?) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
        pub enum $name {
            $($(#[$of])* #[serde(rename = $word)] $value),+
        }

        impl $name {
            /// Every value.
            pub const ALL: &'static [Self] = &[$(Self::$value),+];

            /// Returns the word of the value.
            pub fn word(self) -> &'static str {
                match self {
                    $(Self::$value => $word),+
                }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                out.write_str(self.word())
            }
        }

        impl std::str::FromStr for $name {
            type Err = ChoiceError;

            fn from_str(word: &str) -> Result<Self, ChoiceError> {
                let found = Self::ALL.iter().find(|value| value.word() == word);
                found.copied().ok_or_else(|| ChoiceError {
                    what: $what,
                    found: word.to_owned(),
                    known: Self::ALL.iter().map(|value| value.word()).collect::<Vec<_>>().join(", "),
                })
            }
        }
    };
}

choice!(
    /// The form of the linear layers of the Lorentz model.
    LinearLayers, "form of linear layers",
    /// Each part of a layer ends in a normalised layer with the space-like coordinates first (Eq. 3); queries, keys,
    /// values and the wide layer are not normalised.
    #[default]
    Mixed = "mixed",
    /// All are normalised, with the space-like coordinates first (Eq. 3).
    SpaceFirst = "space-first",
    /// All are normalised, with the time-like coordinate first (Eq. 9).
    TimeFirst = "time-first",
    /// All are those of the published code.
    Published = "published",
    /// All go by the tangent space of the origin (Eq. 2), as a control.
    Tangent = "tangent",
);

choice!(
    /// Way in which the input of a part is added to its output.
    Residual, "residual",
    /// After the part's last layer, which is normalised before the sum.
    #[default]
    Added = "added",
    /// Within the part's last layer, as its bias, so that it is normalised after the sum (Eq. 7).
    Merged = "merged",
);

choice!(
    /// Way in which a token's point learns of its position.
    Positions, "position encoding",
    /// A vector of the position is added to its space-like coordinates.
    #[default]
    Added = "added",
    /// The vector is the bias of a Lorentz linear layer of the point (Eq. 7), whose matrix all positions share.
    Layer = "layer",
);

choice!(
    /// Number that squared distances are divided by in attention.
    AttentionScale, "scale of attention",
    /// √n, with n the dimension of a head (Eq. 5).
    #[default]
    Fixed = "fixed",
    /// A number that each attention learns, and that begins as the root of the width.
    Learnt = "learnt",
);

choice!(
    /// The numbers that a Lorentz model begins with.
    Initialisation, "initialisation",
    /// Matrices that keep lengths, λ = 4, points of tokens near the origin, positions as Vaswani's waves.
    #[default]
    KeepingLengths = "keeping-lengths",
    /// Matrices even within ±0.02, λ = e^2.3, points of tokens 1 from the origin and the same for both tables,
    /// positions normal with deviation 0.02: the table and the published code.
    Published = "published",
);

choice!(
    /// The attention of the model in Euclid's space.
    ControlAttention, "attention of the control",
    /// Attention by products (Vaswani et al., 2017).
    #[default]
    Products = "products",
    /// Attention by hyperbolic distances and Einstein's midpoint (Gulcehre et al., 2019).
    Hyperbolic = "hyperbolic",
);

/// The choice in every place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TransformerForms {
    /// Form of linear layers.
    pub linear: LinearLayers,
    /// Form of residuals.
    pub residual: Residual,
    /// Form of positions.
    pub positions: Positions,
    /// Form of attention on the hyperboloid.
    pub attention: AttentionScale,
    /// Form of the first numbers of the Lorentz model.
    pub initialisation: Initialisation,
    /// Form of attention in Euclid's space.
    pub control: ControlAttention,
}

impl TransformerForms {
    /// Returns `true` if nothing was chosen.
    pub fn is_default(&self) -> bool {
        *self == Self::default()
    }

    /// Returns `true` if residuals or positions need a gate that linear layers in this form do not have.
    pub(super) fn lack_a_gate(&self) -> bool {
        let needed = self.residual == Residual::Merged || self.positions == Positions::Layer;
        needed && self.linear == LinearLayers::Tangent
    }

    /// Returns `true` if the layers between the first and the last of a part are normalised.
    pub(super) fn normalise_all(&self) -> bool {
        match self.linear {
            LinearLayers::Mixed | LinearLayers::Tangent => false,
            LinearLayers::SpaceFirst | LinearLayers::TimeFirst | LinearLayers::Published => true,
        }
    }

    /// Returns the form of each layer.
    pub(super) fn of_layers(&self) -> LinearForm {
        match self.linear {
            LinearLayers::Mixed | LinearLayers::SpaceFirst => LinearForm::SpaceFirst,
            LinearLayers::TimeFirst => LinearForm::TimeFirst,
            LinearLayers::Published => LinearForm::Published,
            LinearLayers::Tangent => LinearForm::Tangent,
        }
    }

    /// Returns `true` if a last layer that takes a bias from outside has a bias of its own: Eq. 7 has neither that nor
    /// a b′, the published code keeps both in feed-forward parts and positions.
    pub(super) fn keep_own_bias(&self) -> bool {
        self.linear == LinearLayers::Published
    }

    /// Returns `true` if the vectors of positions have a time-like coordinate, which only the published gate reads.
    pub(super) fn positions_have_time(&self) -> bool {
        self.positions == Positions::Layer && self.linear == LinearLayers::Published
    }

    /// λ at the start.
    pub(super) fn scale(&self) -> f64 {
        match self.initialisation {
            Initialisation::KeepingLengths => 4.0,
            Initialisation::Published => 2.3f64.exp(),
        }
    }
}
