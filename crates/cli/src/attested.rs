//! What attested texts say of the gaps of a text, for the eye: readings with the places where they stand.

use std::fmt::Write;
use tuppum_corpus::attested::AttestedTexts;
use tuppum_corpus::context::{Affinity, Context, Contexts, CorpusTokens, Weights, evidence, signs_of};
use tuppum_tasks::restoration::attested::{AttestedPlace, AttestedReading};
use tuppum_tasks::restoration::saliency::AroundGap;
use tuppum_tasks::restoration::search::Restorer;
use tuppum_tasks::restoration::{Answer, Question};

/// How many readings of a gap are shown.
const SHOWN: usize = 3;
/// A word start less probable than this, or as improbable to be none, is not looked for.
const UNLIKELY: f32 = 0.05;

/// What stands elsewhere in the place of every gap.
pub fn render(question: &Question, restorer: &Restorer, answer: &Answer, corpus: &AttestedTexts) -> String {
    let weights = Weights::shipped();
    let contexts = Contexts { corpus, weights: &weights };
    let tokens = CorpusTokens::new(restorer.vocabulary(), corpus.readings());
    let mut out = String::from("\nAttested elsewhere\n");
    for gap in &answer.gaps {
        let Ok(around) = AroundGap::new(question, restorer.vocabulary(), gap.sign, gap.word_start >= 0.5) else {
            continue;
        };
        let row = tokens.question(&around.ids);
        let affinity = Affinity::of(corpus, &signs_of(&row), None);
        let kinds: Vec<bool> = [(true, gap.word_start), (false, 1.0 - gap.word_start)]
            .into_iter()
            .filter(|(_, probability)| *probability >= UNLIKELY)
            .map(|(kind, _)| kind)
            .collect();
        let found = evidence(&contexts, &Context::around(&row, around.place), &affinity, &kinds);
        let _ = writeln!(out, "  sign {}", gap.sign);
        for reading in found.iter().take(SHOWN) {
            let _ = render_reading(&mut out, reading);
        }
    }
    out
}

fn render_reading(out: &mut String, found: &AttestedReading) -> std::fmt::Result {
    let AttestedReading { reading, starts_word, share, texts, places } = found;
    let joiner = if *starts_word { " " } else { "-" };
    let texts = if *texts == 1 { "1 text".to_owned() } else { format!("{texts} texts") };
    writeln!(out, "    {joiner}{reading}  in {texts}, {:.0} % of the answer", share * 100.0)?;
    for AttestedPlace { text, project, line, before, sign, behind, restored, .. } in places {
        let by_whom = if *restored { " (restored by its editor)" } else { "" };
        writeln!(out, "        {text} ({project}), {line}{by_whom}: {before} « {sign} » {behind}")?;
    }
    Ok(())
}
