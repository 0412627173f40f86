//! Training on the page: the user's corpus, the choices of a run, the run itself and the runs that are kept. All of it
//! outlives the view, so that a run goes on while another part of the page is looked at.

pub mod ablation;
pub mod ablation_found;
pub mod ablation_view;
pub mod base;
pub mod bias;
pub mod choices;
pub mod columns;
pub mod compared;
pub mod corpus;
pub mod corpus_view;
pub mod curve;
pub mod curves;
pub mod earlier;
pub mod failure;
pub mod import;
pub mod number;
pub mod page;
pub mod prepared_texts;
pub mod preview;
pub mod preview_view;
pub mod restorer;
pub mod restorers_compared;
pub mod run;
pub mod run_view;
pub mod runs;
pub mod runs_view;
pub mod samples;
pub mod scored;
pub mod scoring;
pub mod state;
pub mod storing;
pub mod task;
pub mod texts;
pub mod texts_view;
pub mod translator;
pub mod unsaved;
pub mod verdict;

pub use ablation_found::{Ablation, Sitting};
pub use choices::Choices;
pub use corpus::PAIRS_SAMPLE;
pub use curves::{Milestone, curves, milestones, unit};
pub use earlier::Earlier;
pub use prepared_texts::PreparedTexts;
pub use state::{Prepared, Run, Standing, Training};
pub use texts::TEXTS_SAMPLE;
