//! Steps that the user can take and undo.

use crate::frame::address::as_text_fields_have_it;
use crate::kit::format;
use crate::restore::state::Workbench;
use crate::restore::state::history::History;
use crate::restore::state::work::{Accepted, AcceptedReading, Work};
use leptos::prelude::*;
use tuppum_protocol::{GapChoice, JointReading, Proposal, Variant};
use tuppum_text::{Edit, ReadingOptions, SignIndex};

impl Workbench {
    /// Begins with another text, as a step that can be undone.
    pub fn replace_text(self, name: impl Into<String>, text: String) {
        let text = as_text_fields_have_it(&text);
        let work = self.text.work.with_untracked(|work| work.settings_on(text));
        self.replace_work(name, work);
    }

    /// Replaces the work, as a step that can be undone.
    pub fn replace_work(self, name: impl Into<String>, work: Work) {
        self.cancel();
        self.read();
        self.text.history.update(|history| history.step(name, |present| *present = work));
        self.text_changed();
        self.restoring.influence.set(None);
        self.ask_again();
    }

    /// Returns to work that was set aside, as a step that can be undone.
    pub fn restore_previous(self, previous: History) {
        self.replace_work("bring previous work back", previous.present);
    }

    /// Begins with other work that has its own undo steps.
    pub fn begin_with(self, history: History) {
        self.cancel();
        self.restoring.failure.set(None);
        self.text.history.set(history);
        self.text_changed();
        self.show_known();
    }

    /// Performs a step that can be undone, and asks again if an answer is on the page.
    pub fn step(self, name: impl Into<String>, change: impl FnOnce(&mut Work)) {
        self.read();
        self.text.history.update(|history| history.step(name, change));
        self.restoring.influence.set(None);
        self.ask_again();
    }

    /// Changes how the text is read.
    pub fn read_as(self, name: &'static str, change: impl FnOnce(&mut ReadingOptions)) {
        self.read();
        self.text.history.update(|history| history.step(name, |work| change(&mut work.reading)));
        self.read();
        self.ask_again();
    }

    /// Makes a change that a remark offered, unless the text has changed since.
    pub fn take_offer(self, offer: &Edit, typed: &str) {
        self.read();
        let text = self.text.work.with_untracked(|work| work.text.clone());
        if offer.span.of(&text) != typed {
            return;
        }
        let changed = [&text[..offer.span.start], offer.canonical.as_str(), &text[offer.span.end..]].concat();
        self.text.history.update(|history| history.step("take a correction", |work| work.text = changed));
        self.read();
        self.ask_again();
    }

    /// Undoes the latest step.
    pub fn undo(self) {
        self.travel(History::undo);
    }

    /// Repeats the step that was undone last.
    pub fn redo(self) {
        self.travel(History::redo);
    }

    fn travel(self, way: fn(&mut History) -> bool) {
        self.read();
        if self.text.history.try_update(way) == Some(true) {
            self.text_changed();
            self.restoring.influence.set(None);
            self.ask_again();
        }
    }

    /// Accepts readings for a gap.
    pub fn accept(self, mut accepted: Accepted) {
        accepted.model = Some(self.device.model.get_untracked());
        let written: Vec<&str> = accepted.readings.iter().map(|reading| reading.written.as_str()).collect();
        self.step(format!("accept {}", written.join(" ")), move |work| work.accept(accepted));
    }

    /// Accepts one filling of all gaps. Each reading gets the probability from its own gap's table if that lists it:
    /// its probability given the other readings does not tell how certain it is.
    pub fn accept_all(self, readings: &[JointReading]) {
        let (mut all, model) = (Vec::<Accepted>::new(), Some(self.device.model.get_untracked()));
        for reading in readings {
            match all.last_mut().filter(|accepted| accepted.sign == reading.sign) {
                Some(accepted) => accepted.readings.push(reading.into()),
                None => all.push(Accepted { sign: reading.sign, readings: vec![reading.into()], model: model.clone() }),
            }
        }
        for accepted in &mut all {
            if let ([only], Some(answer)) =
                (accepted.readings.as_mut_slice(), untrack(|| self.restoring.gap_answer(accepted.sign)))
            {
                only.probability = own_probability(only, &answer.proposals).unwrap_or(only.probability);
            }
        }
        let name = format!("accept {}", format::plural(readings.len(), "reading", "readings"));
        self.step(name, move |work| all.into_iter().for_each(|accepted| work.accept(accepted)));
    }

    /// Reopens a gap that was filled.
    pub fn take_back(self, sign: SignIndex) {
        self.step("take a reading back", move |work| work.accepted.retain(|accepted| accepted.sign != sign));
    }

    /// Sets what is known about a gap. Repeated changes for one gap are one step.
    pub fn choose(self, choice: GapChoice) {
        self.read();
        let sign = choice.sign;
        self.text
            .history
            .update(|history| history.step_on("what is known of a gap", sign, move |work| work.choose(choice)));
        self.restoring.influence.set(None);
        self.ask_again();
    }

    /// Treats a legible sign as broken, or as legible again.
    pub fn treat_as_broken(self, sign: SignIndex, broken: bool) {
        let name = if broken { "treat a sign as broken" } else { "treat a sign as read" };
        self.step(name, move |work| {
            work.chosen.retain(|other| *other != sign);
            work.accepted.retain(|accepted| accepted.sign != sign);
            if broken {
                work.chosen.push(sign);
                work.chosen.sort_unstable();
            }
        });
    }

    /// Leaves a gap alone, or restores it again.
    pub fn leave_alone(self, sign: SignIndex, alone: bool) {
        let name = if alone { "leave a gap alone" } else { "restore a gap again" };
        self.step(name, move |work| {
            work.left_alone.retain(|other| *other != sign);
            work.accepted.retain(|accepted| accepted.sign != sign);
            if alone {
                work.left_alone.push(sign);
                work.left_alone.sort_unstable();
            }
        });
    }
}

/// Returns the probability of a reading in its own gap's table. A reading that the table does not list is at most as
/// probable as the last one listed.
fn own_probability(reading: &AcceptedReading, proposals: &[Proposal]) -> Option<f32> {
    let is_it = |one: &Variant| one.reading == reading.reading && one.starts_word == reading.starts_word;
    let own = proposals.iter().find(|proposal| proposal.variants.iter().any(is_it));
    let own = own.or_else(|| {
        proposals.iter().find(|one| one.reading == reading.reading && one.starts_word == reading.starts_word)
    });
    own.map(|proposal| proposal.probability)
        .or_else(|| proposals.last().map(|last| last.probability.min(reading.probability)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reading_of_a_filling_is_as_probable_as_its_own_table_says() {
        let proposal = |reading: &str, probability| Proposal {
            reading: reading.into(),
            written: reading.into(),
            glyph: String::new(),
            sign_name: String::new(),
            starts_word: false,
            probability,
            variants: vec![Variant { reading: format!("{reading}₂"), starts_word: false, probability }],
        };
        let table = [proposal("pab", 0.41), proposal("ni", 0.1)];
        let accepted = |reading: &str| AcceptedReading::from(&proposal(reading, 0.97));
        assert_eq!(own_probability(&accepted("pab"), &table), Some(0.41));
        assert_eq!(own_probability(&accepted("ni₂"), &table), Some(0.1), "a form of it");
        assert_eq!(own_probability(&accepted("šu"), &table), Some(0.1), "not listed");
        assert_eq!(own_probability(&accepted("pab"), &[]), None);
    }
}
