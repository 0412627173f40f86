//! Output to the terminal: progress bars, answers on standard output, and a restoration as text, with the readings that
//! attested texts have in the place of a gap.

use crate::failure::Result;
use indicatif::ProgressStyle;
use std::fmt::Write as _;
use std::io::{ErrorKind, Write as _};
use tuppum_corpus::opened::OpenCorpus;
use tuppum_domain::attested::{AttestedPlace, AttestedReading, EditionPlace};
use tuppum_domain::restoration::export::{NOTE, line_of, text};
use tuppum_domain::restoration::{Answer, GapAnswer, JointReading, Question};
use tuppum_text::Document;

/// Returns the style of a progress bar; the plain style if the template is wrong.
pub fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}

/// Writes to standard output; a closed pipe is no error.
pub fn print(text: &str) -> Result<()> {
    match std::io::stdout().write_all(text.as_bytes()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(format!("the answer cannot be written: {error}").into())
        }
        _ => Ok(()),
    }
}

/// Number of joint fillings and lengths shown.
const SHOWN: usize = 5;

/// Renders the restored text, then every gap with its proposals, then the joint fillings.
pub fn render_answer(document: &Document, answer: &Answer, model: &str) -> String {
    let mut out = format!("{NOTE} Model: {model}.\n\n{}\n", text(document, answer).trim_end());
    let signs: Vec<&str> = document.signs().map(|sign| sign.span.of(&document.source)).collect();
    for gap in &answer.gaps {
        // Writing into a string never fails.
        let _ = render_gap(&mut out, document, &signs, gap);
    }
    if !answer.joint.is_empty() {
        out.push_str("\nAll gaps together\n");
    }
    for joint in answer.joint.iter().take(SHOWN) {
        let _ = writeln!(out, "  {}  {}", percent(joint.probability), filling(&joint.readings));
    }
    out
}

fn render_gap(out: &mut String, document: &Document, signs: &[&str], gap: &GapAnswer) -> std::fmt::Result {
    let typed = signs.get(gap.sign).copied().unwrap_or("");
    let start = percent(gap.word_start);
    writeln!(
        out,
        "\nSign {} ({typed}) in line {}; a word begins here: {}",
        gap.sign,
        line_of(document, gap.sign),
        start.trim()
    )?;
    for proposal in &gap.proposals {
        let joiner = if proposal.starts_word { " " } else { "-" };
        let sign = format!("{} {}", proposal.glyph, proposal.sign_name);
        writeln!(out, "  {} {joiner}{:12} {}", percent(proposal.probability), proposal.written, sign.trim())?;
    }
    for length in gap.lengths.iter().take(SHOWN) {
        let plural = if length.length == 1 { "" } else { "s" };
        let readings = filling(&length.readings);
        writeln!(out, "  {} {} sign{plural}: {readings}", percent(length.probability), length.length)?;
    }
    Ok(())
}

/// Joins readings as in a text; signs of different gaps stay apart.
fn filling(readings: &[JointReading]) -> String {
    let mut out = String::new();
    let mut before = None;
    for reading in readings {
        match before {
            None if !reading.starts_word => out.push('-'),
            None => {}
            Some(sign) if sign != reading.sign => out.push_str(if reading.starts_word { " … " } else { " …-" }),
            Some(_) => out.push(if reading.starts_word { ' ' } else { '-' }),
        }
        out.push_str(&reading.written);
        before = Some(reading.sign);
    }
    out
}

fn percent(probability: f32) -> String {
    format!("{:5.1} %", probability * 100.0)
}

/// Number of readings shown for a gap.
const SHOWN_READINGS: usize = 3;

/// Renders what other texts have in the place of every gap.
pub fn render_attested(question: &Question, answer: &Answer, corpus: &OpenCorpus) -> String {
    let mut out = String::from("\nAttested elsewhere\n");
    for gap in &answer.gaps {
        let Ok(found) = corpus.attested(question, gap.sign) else { continue };
        let _ = writeln!(out, "  sign {}", gap.sign);
        for reading in found.iter().take(SHOWN_READINGS) {
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
