//! An answer as text for the terminal.

use std::fmt::Write;
use tuppum_domain::restoration::export::{NOTE, line_of, text};
use tuppum_domain::restoration::{Answer, GapAnswer, JointReading};
use tuppum_text::Document;

/// Number of joint fillings and lengths shown.
const SHOWN: usize = 5;

/// Renders the restored text, then every gap with its proposals, then the joint fillings.
pub fn render(document: &Document, answer: &Answer, model: &str) -> String {
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
