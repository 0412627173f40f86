//! Training on the page: the user's corpus, the choices of a run, the run itself and the runs that are kept. All of it outlives
//! the view, so that a run goes on while another part of the page is looked at.

mod ablation;
mod choices;
mod corpus;
mod curves;
mod earlier;
mod file;
mod keeping;
pub mod preview;
mod run;
mod runs;
mod scoring;
mod state;
mod texts;

pub use ablation::{Ablation, Sitting};
pub use choices::Choices;
pub use corpus::PAIRS_SAMPLE;
pub use curves::{Milestone, curves, milestones, unit};
pub use earlier::Earlier;
pub use scoring::Scoring;
pub use state::{Prepared, Run, Standing, Training};
pub use texts::{PreparedTexts, TEXTS_SAMPLE};
