//! Clauses and the reader of their files.

use super::error::{FormularyError, FormularyProblem};
use super::pattern::{Literals, Pattern};
use serde::Deserialize;
use std::collections::BTreeSet;
use toml::Spanned;
use tuppum_domain::formulary::TextKind;

/// Minimum number of texts that a clause must cite.
const MIN_CITED_TEXTS: usize = 2;

/// File of clauses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SourceFile<'a> {
    /// Name of the file, for messages.
    pub name: &'a str,
    pub text: &'a str,
}

/// A clause of Old Assyrian texts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clause {
    /// Unique name.
    pub name: String,
    /// Kind of text that the clause belongs to.
    pub kind: TextKind,
    /// Part that the clause plays in such a text (`address`, `witness`).
    pub part: String,
    /// Patterns as written in the file.
    pub akkadian: Vec<String>,
    /// Translation with its slots.
    pub english: String,
    /// Numbers of texts that contain the clause.
    pub texts: Vec<String>,
    pub(super) patterns: Vec<Pattern>,
}

/// Content of a file in TOML.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawFile {
    #[serde(default)]
    clause: Vec<Spanned<RawClause>>,
}

/// Clause in TOML.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawClause {
    name: String,
    kind: TextKind,
    part: String,
    akkadian: Vec<String>,
    english: String,
    texts: Vec<String>,
}

/// Reads the clauses of all files and numbers the words of their patterns.
pub(super) fn read(files: &[SourceFile]) -> Result<(Vec<Clause>, Literals), FormularyError> {
    let (mut clauses, mut literals, mut names) = (Vec::new(), Literals::default(), BTreeSet::new());
    for file in files {
        let line = |place: usize| file.text.get(..place).unwrap_or_default().matches('\n').count() + 1;
        let raw: RawFile = toml::from_str(file.text).map_err(|error| {
            let place = error.span().map_or(0, |span| span.start);
            FormularyError::new(file.name, line(place), FormularyProblem::Toml(error.message().to_owned()))
        })?;
        for raw in raw.clause {
            let place = raw.span().start;
            let clause = checked(raw.into_inner(), &mut literals)
                .and_then(|clause| match names.insert(clause.name.clone()) {
                    true => Ok(clause),
                    false => Err(FormularyProblem::SameName(clause.name)),
                })
                .map_err(|problem| FormularyError::new(file.name, line(place), problem))?;
            clauses.push(clause);
        }
    }
    Ok((clauses, literals))
}

fn checked(raw: RawClause, literals: &mut Literals) -> Result<Clause, FormularyProblem> {
    let RawClause { name, kind, part, akkadian, english, texts } = raw;
    let needed = [(&name, "the name"), (&part, "the part"), (&english, "the English")];
    if let Some((_, what)) = needed.iter().find(|(cell, _)| cell.trim().is_empty()) {
        return Err(FormularyProblem::Empty(what));
    }
    if akkadian.is_empty() {
        return Err(FormularyProblem::Empty("the Akkadian"));
    }
    let cited: BTreeSet<&String> = texts.iter().collect();
    if cited.len() < MIN_CITED_TEXTS {
        return Err(FormularyProblem::TooFewTexts(cited.len()));
    }
    let is_number = |text: &str| {
        text.strip_prefix('P')
            .is_some_and(|digits| digits.len() == 6 && digits.bytes().all(|digit| digit.is_ascii_digit()))
    };
    if let Some(text) = texts.iter().find(|text| !is_number(text)) {
        return Err(FormularyProblem::Text(text.clone()));
    }
    let in_english: BTreeSet<String> = slots_of(&english).map(str::to_owned).collect();
    let mut patterns = Vec::new();
    for pattern in &akkadian {
        let read = Pattern::read(pattern, literals)?;
        let in_akkadian: BTreeSet<String> = read.slots().map(str::to_owned).collect();
        if in_akkadian != in_english {
            let [in_akkadian, in_english] = [in_akkadian, in_english].map(|slots| slots.into_iter().collect());
            return Err(FormularyProblem::OtherSlots { akkadian: pattern.clone(), in_akkadian, in_english });
        }
        patterns.push(read);
    }
    Ok(Clause { name, kind, part, akkadian, english, texts, patterns })
}

/// Returns the names in braces in an English text.
fn slots_of(english: &str) -> impl Iterator<Item = &str> {
    english.split('{').skip(1).filter_map(|rest| rest.split_once('}')).map(|(name, _)| name)
}

impl Clause {
    /// Returns the translation with its slots filled.
    pub(super) fn filled<'a>(&self, value: impl Fn(&str) -> Option<&'a str>) -> String {
        let mut parts = self.english.split('{');
        let mut english = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let (name, rest) = part.split_once('}').unwrap_or((part, ""));
            english.push_str(value(name).unwrap_or_default());
            english.push_str(rest);
        }
        english
    }
}
