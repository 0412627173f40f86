//! Readings of the sign list that are close to one that is not in it: another index, a letter more or less or confused.

use super::SignList;
use crate::letters;

/// Letters that are confused, by sound or for lack of a diacritic.
const CONFUSED: [&str; 7] = ["sṣšz", "tṭd", "kqg", "pb", "ei", "ua", "hʾ"];

/// Indices that are tried, the commonest first.
const INDICES: [&str; 10] = ["", "₂", "₃", "₄", "₅", "₆", "₇", "₈", "₉", "ₓ"];

impl SignList {
    /// Returns at most `most` readings of the list close to a folded reading, the nearest first. A reading in capitals
    /// gets capitals.
    pub fn nearest(&self, reading: &str, most: usize) -> Vec<String> {
        const LONGEST: usize = 12;
        let is_capital = reading.chars().any(char::is_uppercase);
        let folded = super::fold(reading);
        let name: Vec<char> = folded.chars().filter(|letter| !letters::is_index(*letter)).collect();
        let index: String = folded.chars().filter(|letter| letters::is_index(*letter)).collect();
        if name.is_empty() || name.len() > LONGEST {
            return Vec::new();
        }
        let mut found: Vec<String> = Vec::new();
        let mut offer = |candidate: String| {
            if found.len() < most && candidate != folded && self.has_reading(&candidate) && !found.contains(&candidate)
            {
                found.push(candidate);
            }
        };
        let spelled = |letters: &[char], index: &str| letters.iter().collect::<String>() + index;
        for other in INDICES {
            offer(spelled(&name, other));
        }
        for place in 0..name.len() {
            for group in CONFUSED.iter().filter(|group| group.contains(name[place])) {
                let mut changed = name.clone();
                for letter in group.chars().filter(|letter| *letter != name[place]) {
                    changed[place] = letter;
                    offer(spelled(&changed, &index));
                }
            }
        }
        for place in 0..name.len() {
            let mut changed = name.clone();
            changed.remove(place);
            offer(spelled(&changed, &index));
        }
        let capital = |reading: String| if is_capital { capitals(&reading) } else { reading };
        found.into_iter().map(capital).collect()
    }
}

fn capitals(reading: &str) -> String {
    reading.chars().map(|letter| if letters::is_index(letter) { letter } else { letters::upper(letter) }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_readings_are_found() {
        let nearest = |reading: &str| SignList::shared().nearest(reading, 3);
        assert_eq!(nearest("mme").first().map(String::as_str), Some("me"));
        assert_eq!(nearest("LUGAL₉").first().map(String::as_str), Some("LUGAL"));
        assert!(nearest("tsa").contains(&"sa".to_owned()));
        assert!(nearest("").is_empty() && nearest("₂").is_empty());
    }
}
