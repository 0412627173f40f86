//! The readings that attested texts have in the place of a gap, with the places where they stand, as text.

use std::fmt::Write;
use tuppum_corpus::opened::OpenCorpus;
use tuppum_domain::attested::{AttestedPlace, AttestedReading, EditionPlace};
use tuppum_domain::restoration::{Answer, Question};

/// Number of readings shown for a gap.
const SHOWN: usize = 3;

/// Renders what other texts have in the place of every gap.
pub fn render(question: &Question, answer: &Answer, corpus: &OpenCorpus) -> String {
    let mut out = String::from("\nAttested elsewhere\n");
    for gap in &answer.gaps {
        let Ok(found) = corpus.attested(question, gap.sign) else { continue };
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
    for AttestedPlace { edition, before, sign, behind, restored } in places {
        let EditionPlace { text, project, line, own, .. } = edition;
        let own = if *own { ", your own" } else { "" };
        let by_whom = if *restored { " (restored by its editor)" } else { "" };
        writeln!(out, "        {text} ({project}), {line}{own}{by_whom}: {before}«{sign}»{behind}")?;
    }
    Ok(())
}
