//! The page “Train”: the user's data, the settings of a run, the run itself and the stored runs, the comparison of a
//! trained model with its base, and the ablation. The state outlives the view, so a run continues while the user looks
//! at another page.

pub mod ablation;
pub mod compare;
pub mod data;
pub mod page;
pub mod run;
pub mod settings;
pub mod state;

pub use ablation::{Ablation, Session};
pub use data::{PreparedPairs, PreparedTexts, ReplacedText};
pub use run::{Run, RunStatus};
pub use settings::Choices;
pub use state::Training;
