//! Plans of synthetic texts: which clauses they consist of, and in what order.

use tuppum_tasks::formulary::TextKind;

/// Consecutive clauses of some parts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    /// Parts from which each clause is drawn.
    pub parts: &'static [&'static str],
    /// Smallest number of clauses.
    pub least: usize,
    /// Largest number of clauses.
    pub most: usize,
}

const fn step(parts: &'static [&'static str], least: usize, most: usize) -> Step {
    Step { parts, least, most }
}

const LETTER: &[Step] = &[
    step(&["address"], 1, 1),
    step(&["answer", "instruction", "time", "item", "payment", "handing over", "debt", "goods"], 1, 4),
    step(&["plea"], 0, 1),
    step(&["instruction"], 0, 1),
];
const DEBT_NOTE: &[Step] = &[
    step(&["seal"], 0, 2),
    step(&["claim"], 1, 1),
    step(&["from"], 0, 1),
    step(&["date"], 0, 1),
    step(&["term"], 1, 1),
    step(&["default"], 0, 1),
    step(&["interest"], 0, 1),
    step(&["surety"], 0, 1),
    step(&["witness"], 0, 3),
];
const WITNESS_LIST: &[Step] = &[step(&["seal"], 0, 3), step(&["witness"], 1, 4)];
const TRANSPORT: &[Step] =
    &[step(&["consignment", "item"], 1, 3), step(&["handing over"], 1, 1), step(&["witness"], 0, 3)];
const ACCOUNT: &[Step] = &[step(&["item"], 1, 4), step(&["payment"], 1, 3)];
const LEGAL: &[Step] = &[
    step(&["preamble"], 0, 1),
    step(&["quotation"], 0, 1),
    step(&["payment", "debt", "oath", "release"], 1, 2),
    step(&["deposition"], 1, 2),
    step(&["witness"], 0, 2),
];

/// Returns the steps of a kind of text.
pub(super) fn steps(kind: TextKind) -> &'static [Step] {
    match kind {
        TextKind::Letter => LETTER,
        TextKind::DebtNote => DEBT_NOTE,
        TextKind::WitnessList => WITNESS_LIST,
        TextKind::Transport => TRANSPORT,
        TextKind::Account => ACCOUNT,
        TextKind::Legal => LEGAL,
    }
}
