//! The corpora of edited texts on the page: what stands elsewhere in the place of a gap, and passages that are like a
//! line, each with the place where its edition can be read.

pub mod attested;
pub mod card;
pub mod clauses;
pub mod glosses;
pub mod lookup;
pub mod names;
pub mod origin;
pub mod own;
pub mod own_list;
pub mod own_name;
pub mod parallels;
pub mod place;
pub mod remembered;
pub mod state;
