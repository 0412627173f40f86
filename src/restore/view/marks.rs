//! Readings as print editions set them (italic syllables, logograms in small capitals, raised determinatives), and
//! probabilities with bars.

use crate::kit::format;
use leptos::prelude::*;
use tuppum_text::is_logogram;

/// Typographic setting of a reading.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Setting {
    /// Italic.
    Syllable,
    /// Small capitals.
    Logogram,
    /// Raised.
    Determinative,
    /// Upright.
    Number,
}

/// Returns the setting of a reading and the letters to show (a determinative without its braces).
pub fn setting(reading: &str) -> (Setting, &str) {
    let inner = reading.strip_prefix('{').and_then(|rest| rest.strip_suffix('}'));
    if let Some(inner) = inner {
        return (Setting::Determinative, inner);
    }
    let setting = if reading.chars().next().is_some_and(|letter| letter.is_ascii_digit()) {
        Setting::Number
    } else if is_logogram(reading) {
        Setting::Logogram
    } else {
        Setting::Syllable
    };
    (setting, reading)
}

/// Sets a reading.
pub fn reading(text: &str) -> AnyView {
    let (set, letters) = setting(text);
    let letters = letters.to_owned();
    match set {
        Setting::Syllable => view! { <span class="syllable">{letters}</span> }.into_any(),
        Setting::Logogram => view! { <span class="logogram">{letters}</span> }.into_any(),
        Setting::Determinative => view! { <sup class="determinative">{letters}</sup> }.into_any(),
        Setting::Number => view! { <span class="number">{letters}</span> }.into_any(),
    }
}

/// Sets a proposed reading, with a hyphen if it continues a word.
pub fn proposed(text: &str, starts_word: bool) -> AnyView {
    let hyphen = (!starts_word).then(|| view! { <span class="joiner">"-"</span> });
    view! {
        {hyphen}
        {reading(text)}
    }
    .into_any()
}

/// Sets a filling of several signs.
pub fn filling<'a>(readings: impl Iterator<Item = (&'a str, bool)>) -> AnyView {
    readings
        .enumerate()
        .map(|(place, (text, starts_word))| {
            let space = (place > 0 && starts_word).then_some(" ");
            view! {
                {space}
                {proposed(text, starts_word)}
            }
        })
        .collect_view()
        .into_any()
}

/// Draws a cuneiform glyph, or nothing.
pub fn glyph(glyph: &str) -> AnyView {
    if glyph.is_empty() {
        return ().into_any();
    }
    view! {
        <span class="cuneiform" lang="akk-Xsux">
            {glyph.to_owned()}
        </span>
    }
    .into_any()
}

/// Draws a probability relative to the best of its kind, as a number and a bar.
pub fn beside_best(ratio: f32) -> AnyView {
    share(ratio, if ratio >= 1.0 { "best".into() } else { format!("× {ratio:.2}") })
}

/// Draws a probability as a number and a bar.
pub fn probability(value: f32) -> AnyView {
    share(value, format::percent(value))
}

fn share(value: f32, figure: String) -> AnyView {
    let width = format!("{:.1}%", value.clamp(0.0, 1.0) * 100.0);
    view! {
        <span class="share">
            <span class="figure">{figure}</span>
            <span class="bar" aria-hidden="true">
                <span style=("inline-size", width)></span>
            </span>
        </span>
    }
    .into_any()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn readings_are_set_as_print_editions_do() {
        for (text, expected) in [
            ("{d}", (Setting::Determinative, "d")),
            ("LUGAL", (Setting::Logogram, "LUGAL")),
            ("KU₃", (Setting::Logogram, "KU₃")),
            ("šu", (Setting::Syllable, "šu")),
            ("1(diš)", (Setting::Number, "1(diš)")),
        ] {
            assert_eq!(setting(text), expected);
        }
    }
}
