//! Evidence in a text for one convention or another.

use super::habits::Habits;
use crate::{Convention, ConventionEvidence, ConventionFound};

/// Feature with its count: its description, and its weight for each convention.
struct Seen {
    what: &'static str,
    count: usize,
    votes: &'static [(Convention, f32)],
}

/// Returns the convention that the text shows; that of the canonical form if it shows none.
pub fn convention(text: &str, habits: &Habits) -> ConventionFound {
    use Convention::{Cdli, Ebl, Export, Oracc, Print};
    let times = |marks: &[&str]| marks.iter().map(|mark| text.matches(mark).count()).sum::<usize>();
    let seen = [
        Seen { what: "logograms between underscores", count: times(&["_"]) / 2, votes: &[(Cdli, 3.0)] },
        Seen { what: "letters in ASCII (sz, s,)", count: habits.ascii_letters, votes: &[(Cdli, 2.0)] },
        Seen { what: "indices as digits (u2)", count: habits.digits, votes: &[(Cdli, 2.0)] },
        Seen { what: "half brackets (⸢a⸣)", count: times(&["⸢", "˹"]), votes: &[(Oracc, 2.0), (Print, 0.5)] },
        Seen { what: "indices as subscripts (u₂)", count: habits.subscripts, votes: &[(Oracc, 1.0), (Ebl, 0.5)] },
        Seen { what: "damage as flags (a#)", count: habits.flags, votes: &[(Ebl, 1.0), (Cdli, 0.5)] },
        Seen { what: "indentation and columns ($___$, &)", count: times(&["($___$)", " & "]), votes: &[(Ebl, 4.0)] },
        Seen { what: "changes of language (%sux)", count: times(&["%sux", "%sb", "%es"]), votes: &[(Ebl, 3.0)] },
        Seen { what: "alternatives (tu₂/tu₄)", count: habits.alternatives, votes: &[(Ebl, 1.0)] },
        Seen { what: "indices as accents (ú)", count: habits.accents, votes: &[(Print, 2.0), (Export, 1.0)] },
        Seen { what: "ḫ with its breve", count: habits.breves, votes: &[(Print, 0.5), (Export, 0.5), (Ebl, 0.5)] },
        Seen { what: "raised determinatives (ᵈ)", count: habits.raised, votes: &[(Print, 3.0)] },
        Seen { what: "gaps as <gap>", count: times(&["<gap>", "<big_gap>"]), votes: &[(Export, 6.0)] },
        Seen { what: "determinatives in capitals ({KI})", count: habits.capital_braces, votes: &[(Oracc, 1.0)] },
    ];
    let score = |convention: Convention| -> f32 {
        let vote = |seen: &Seen| seen.votes.iter().find(|(own, _)| *own == convention).map_or(0.0, |(_, vote)| *vote);
        // The tenth occurrence is weaker evidence than the first.
        seen.iter().map(|seen| vote(seen) * (seen.count as f32).sqrt()).sum()
    };
    let scores = Convention::ALL.map(score);
    let (best, convention) = Convention::ALL
        .into_iter()
        .zip(scores)
        .fold((0.0, Convention::default()), |best, (own, score)| if score > best.0 { (score, own) } else { best });
    let second = Convention::ALL.into_iter().zip(scores).filter(|(own, _)| *own != convention);
    let second = second.map(|(_, score)| score).fold(0.0, f32::max);
    let mut evidence: Vec<&Seen> =
        seen.iter().filter(|seen| seen.count > 0 && seen.votes.iter().any(|(own, _)| *own == convention)).collect();
    evidence.sort_by_key(|seen| std::cmp::Reverse(seen.count));
    ConventionFound {
        convention,
        // One more vote stands for features that were not seen.
        confidence: best / (best + second + 1.0),
        is_chosen: false,
        evidence: evidence
            .iter()
            .map(|seen| ConventionEvidence { what: seen.what.to_owned(), count: seen.count })
            .collect(),
    }
}
