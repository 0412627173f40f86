//! The Aeneas torso: an encoder over signs with a restoration head.
