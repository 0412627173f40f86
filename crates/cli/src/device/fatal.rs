//! Errors that a card reports outside any operation, in a callback or by a panic, in any thread.
//!
//! After such an error no result can be trusted, so the program ends. A checkpoint is renamed only when it is whole,
//! and the same command continues from it.

use super::failing::{CARD, INSTEAD, advice, end};
use std::panic::PanicHookInfo;

/// Reports every later panic as an error of this card, and ends the program then.
pub fn watch(card: &str) {
    if CARD.set(card.to_owned()).is_ok() {
        std::panic::set_hook(Box::new(|info| fail(&told(info))));
    }
}

/// Ends the program with an error of the card.
pub fn fail(problem: &str) -> ! {
    let card = CARD.get().map_or("the graphics card", String::as_str);
    eprintln!("error: {}", with_advice(&format!("{card} failed: {problem}"), &advice()));
    end(1)
}

/// Returns the message and the place of a panic.
fn told(info: &PanicHookInfo) -> String {
    let said = info.payload_as_str().unwrap_or("it gave no reason");
    let first: Vec<&str> = said.lines().map(str::trim).filter(|line| !line.is_empty()).take(3).collect();
    let place = info.location().map(|place| format!(" ({}:{})", place.file(), place.line()));
    format!("{}{}", first.join(" "), place.unwrap_or_default())
}

fn with_advice(message: &str, advice: &str) -> String {
    let own = "It may be out of memory, lost, or used by others";
    let sentences = [&format!("{}. {own}.", message.trim_end_matches('.')), advice, INSTEAD];
    sentences.into_iter().filter(|sentence| !sentence.is_empty()).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn advice_comes_between_the_problem_and_the_processor() {
        let told = with_advice("card failed: too large.", "Batches of 512 bytes take 1.0 GB.");
        let expected = "card failed: too large. It may be out of memory, lost, or used by others. Batches of 512 bytes \
                        take 1.0 GB. --device cpu computes the same.";
        assert_eq!(told, expected);
    }
}
