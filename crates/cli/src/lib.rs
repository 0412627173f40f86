//! The command line: `tuppum restore`, `translate`, `train`, `bias`, `train-restorer`, `eval`, `convert`,
//! `search`, `gloss`, `names`, `formulary`, `attribute`, `corpus`. The laboratory (`tuppum-lab`) uses it as a library.

mod attribute;
mod bias;
mod convert;
pub mod corpus;
pub mod device;
mod diagnostics;
mod eval;
pub mod failure;
pub mod folder_task;
mod formulary;
mod gloss;
pub mod input;
mod names;
pub mod restore;
pub mod run_folder;
pub mod run_loop;
pub mod run_memory;
mod run_settings;
mod search;
pub mod terminal;
pub mod train;
mod train_restorer;
pub mod translate;
mod translate_table;

use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// Restore and translate broken cuneiform transliterations, with the same library as the page.
#[derive(Parser, Debug)]
#[command(name = "tuppum", version, about)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    /// Restore the illegible signs and breaks of a transliteration.
    Restore(restore::RestoreArguments),
    /// Translate a transliteration into English.
    Translate(translate::TranslateArguments),
    /// Fine-tune a translator on pairs of your own, and compare it with what it was.
    Train(train::TrainArguments),
    /// Write a copy of a translator with another hyperbolic bias, or with none.
    Bias(bias::BiasCopyArguments),
    /// Fine-tune the restorer on texts of your own, and compare it with what it was.
    TrainRestorer(train_restorer::TrainRestorerArguments),
    /// Measure how good a model is on a corpus.
    Eval(eval::EvalArguments),
    /// Turn weights of PyTorch, or safetensors of any precision, into safetensors that a tab can load.
    Convert(convert::ConvertArguments),
    /// Find parallels: where else the lines of a transliteration stand.
    Search(search::SearchArguments),
    /// Gloss the words of a transliteration: lemma, guide word and part of speech under each.
    Gloss(gloss::GlossArguments),
    /// Find the names of a transliteration, and say what each may be of: god, ruler, person, place, month.
    Names(names::NamesArguments),
    /// Translate the formulaic clauses of an Old Assyrian text; what no clause has is left as it stands.
    Formulary(formulary::FormularyArguments),
    /// Say where a transliteration may be from: period and project, and the edited texts that tell so.
    Attribute(attribute::AttributeArguments),
    /// Build the pack of attested texts that contexts are looked up in.
    Corpus(corpus::CorpusArguments),
}

/// Runs the command that the process was started with; an error goes to the error output as one paragraph.
pub fn main() -> ExitCode {
    exit_code(match Arguments::parse().command {
        Command::Restore(arguments) => restore::run(&arguments),
        Command::Translate(arguments) => translate::run(&arguments),
        Command::Train(arguments) => train::run(&arguments),
        Command::Bias(arguments) => bias::run(&arguments),
        Command::TrainRestorer(arguments) => train_restorer::run(&arguments),
        Command::Eval(arguments) => eval::run(&arguments),
        Command::Convert(arguments) => convert::run(&arguments),
        Command::Search(arguments) => search::run(&arguments),
        Command::Gloss(arguments) => gloss::run(&arguments),
        Command::Names(arguments) => names::run(&arguments),
        Command::Formulary(arguments) => formulary::run(&arguments),
        Command::Attribute(arguments) => attribute::run(&arguments),
        Command::Corpus(arguments) => corpus::run(&arguments),
    })
}

/// Reports an error to the error output as one paragraph, and returns the status to end with.
pub fn exit_code(done: failure::Result<()>) -> ExitCode {
    let status = match done {
        Ok(()) => 0,
        Err(message) => {
            eprintln!("error: {}", device::explained(message.to_string()));
            1
        }
    };
    device::ended(status)
}
