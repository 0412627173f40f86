//! Lists grouped for the reader: proposals by sign, changes by kind.

use tuppum_protocol::Proposal;
use tuppum_text::{Edit, Span};

/// Proposals that are readings of one sign.
#[derive(Clone, Debug, PartialEq)]
pub struct SignGroup {
    /// Name of the sign; empty for readings that the sign list lacks.
    pub name: String,
    /// Glyph of the sign, or empty.
    pub glyph: String,
    /// Sum of the probabilities of the sign's readings.
    pub probability: f32,
    /// Indices of the sign's readings in the list of proposals, most probable first.
    pub members: Vec<usize>,
}

/// Groups proposals by sign, the most probable sign first. Each reading that the sign list lacks is a group of its own.
pub fn by_sign(proposals: &[Proposal]) -> Vec<SignGroup> {
    let mut groups: Vec<SignGroup> = Vec::new();
    for (place, proposal) in proposals.iter().enumerate() {
        let known = |group: &&mut SignGroup| !group.name.is_empty() && group.name == proposal.sign_name;
        match groups.iter_mut().find(known) {
            Some(group) => {
                group.probability += proposal.probability;
                group.members.push(place);
            }
            None => groups.push(SignGroup {
                name: proposal.sign_name.clone(),
                glyph: proposal.glyph.clone(),
                probability: proposal.probability,
                members: vec![place],
            }),
        }
    }
    groups.sort_by(|a, b| b.probability.total_cmp(&a.probability));
    groups
}

/// One kind of change with all its places.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// Text as typed.
    pub typed: String,
    /// Canonical text in its place.
    pub canonical: String,
    /// Rule that made the change.
    pub rule: String,
    /// Spans of the typed text.
    pub places: Vec<Span>,
}

/// Groups edits that replace the same typed text by the same canonical text, in order of first place.
pub fn changes(source: &str, edits: &[Edit]) -> Vec<Change> {
    let mut places = std::collections::HashMap::<(&str, &str, &str), usize>::new();
    let mut changes: Vec<Change> = Vec::new();
    for edit in edits {
        let typed = edit.span.of(source);
        let place = *places.entry((typed, &edit.canonical, &edit.rule)).or_insert_with(|| {
            changes.push(Change {
                typed: typed.into(),
                canonical: edit.canonical.clone(),
                rule: edit.rule.clone(),
                places: Vec::new(),
            });
            changes.len() - 1
        });
        changes[place].places.push(edit.span);
    }
    changes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn proposal(reading: &str, sign_name: &str, probability: f32) -> Proposal {
        Proposal {
            reading: reading.into(),
            written: reading.into(),
            glyph: String::new(),
            sign_name: sign_name.into(),
            starts_word: true,
            probability,
            variants: Vec::new(),
        }
    }

    #[test]
    fn readings_of_one_sign_stand_together() {
        let proposals = [
            proposal("na", "NA", 0.4),
            proposal("ut", "UD", 0.3),
            proposal("u₄", "UD", 0.2),
            proposal("?", "", 0.05),
            proposal("!", "", 0.05),
        ];
        let groups = by_sign(&proposals);
        let members: Vec<_> = groups.iter().map(|group| group.members.clone()).collect();
        assert_eq!(members, [vec![1, 2], vec![0], vec![3], vec![4]]);
        assert_eq!(groups[0].probability, 0.5);
    }

    #[test]
    fn equal_changes_are_counted_once() {
        let source = "sza2 sza2 a2";
        let edit = |start, end, canonical: &str| Edit {
            span: Span::new(start, end),
            canonical: canonical.into(),
            rule: "rule".into(),
        };
        let found = changes(source, &[edit(0, 4, "ša₂"), edit(5, 9, "ša₂"), edit(10, 12, "a₂")]);
        assert_eq!(found.len(), 2);
        assert_eq!((found[0].typed.as_str(), found[0].places.len()), ("sza2", 2));
    }
}
