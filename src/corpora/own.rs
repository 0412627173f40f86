//! The user's own archives: kept beside the edited texts on this device, saved as files, deleted.

use super::state::Corpora;
use crate::frame::notice::Notice;
use crate::kit::{files, format};
use crate::restore::export::restored_text;
use crate::restore::state::Workbench;
use crate::translate::Translating;
use leptos::prelude::*;
use tuppum_protocol::texts::number_of;
use tuppum_protocol::{CorpusEvent, CorpusRequest, OwnArchive, OwnArchives, OwnPair, OwnReport, OwnRequest, Reply};
use tuppum_text::{Document, LineKind, table_cell};

/// Maximum length of a name made from a first line, in characters.
const MAX_NAME_LENGTH: usize = 32;

impl Corpora {
    /// Loads the list of archives.
    pub fn list_own(self) {
        self.ask(CorpusRequest::Own(OwnRequest::List), move |event| {
            if let Reply::Answer(CorpusEvent::Own(found)) = event {
                self.own.set(Some(found));
            }
        });
    }

    /// Keeps an archive, replacing one of the same name.
    pub fn keep_own(self, workbench: Workbench, archive: OwnArchive) {
        let name = archive.name.clone();
        self.change_own(workbench, OwnRequest::Keep(archive), move |found| {
            let report = found.archives.iter().find(|report| report.name == name);
            report.map_or_else(
                || format!("“{name}” could not be kept."),
                |report| format!("Kept: {}.", description(report)),
            )
        });
    }

    /// Deletes an archive.
    pub fn forget_own(self, workbench: Workbench, name: String) {
        self.change_own(workbench, OwnRequest::Forget(name.clone()), move |_| format!("“{name}” was deleted."));
    }

    fn change_own(self, workbench: Workbench, request: OwnRequest, say: impl Fn(&OwnArchives) -> String + 'static) {
        self.ask(CorpusRequest::Own(request), move |event| match event {
            Reply::Answer(CorpusEvent::Own(found)) => {
                let notice = match found.not_indexed.as_ref().or(found.not_stored.as_ref()) {
                    Some(why) => Notice::failure(format!("{} {why}", say(&found))),
                    None => Notice::done(say(&found)),
                };
                workbench.notify(notice);
                self.own.set(Some(found));
                self.drop_results();
            }
            Reply::Failed(failure) => workbench.notify(Notice::failure(failure.message)),
            _ => {}
        });
    }

    /// Drops earlier results, which were found without or with other archives.
    fn drop_results(self) {
        self.attested.set(None);
        self.parallels.set(None);
        self.remembered.set(std::collections::HashMap::new());
        self.glossed.set(None);
    }

    /// Saves an archive as a file as it was put in: its text, its names, or its pairs as a table.
    pub fn save_own(self, workbench: Workbench, name: String) {
        self.ask(CorpusRequest::Own(OwnRequest::Give(name.clone())), move |event| {
            let saved = match event {
                Reply::Answer(CorpusEvent::OwnArchive(Some(archive))) => save(&archive),
                Reply::Answer(CorpusEvent::OwnArchive(None)) => Err("it is no longer there".to_owned()),
                Reply::Failed(failure) => Err(failure.message),
                _ => return,
            };
            if let Err(reason) = saved {
                workbench.notify(Notice::failure(format!("“{name}” could not be saved: {reason}.")));
            }
        });
    }
}

fn save(archive: &OwnArchive) -> Result<(), String> {
    let (name, contents) = match archive.text.is_empty() {
        false => (format!("{}.txt", archive.name), archive.text.clone()),
        true if !archive.names.is_empty() => (format!("{}.tsv", archive.name), archive.names.clone()),
        true => (format!("{}.tsv", archive.name), table(&archive.pairs)),
    };
    files::save_text(&contents, &name)
}

/// Writes pairs as a table that the page “Train” can read.
fn table(pairs: &[OwnPair]) -> String {
    let cell = |text: &str| table_cell(&text.split_whitespace().collect::<Vec<_>>().join(" ")).into_owned();
    let row = |pair: &OwnPair| format!("{}\t{}\n", cell(&pair.source), cell(&pair.target));
    "source\ttarget\n".to_owned() + &pairs.iter().map(row).collect::<String>()
}

/// Describes the content of an archive.
pub fn description(report: &OwnReport) -> String {
    let OwnReport { name, texts, lines, translations, names, .. } = report;
    let (texts_of, lines) = (format::plural(*texts, "text", "texts"), format::plural(*lines, "line", "lines"));
    let parts = [
        (*texts > 0 || *names == 0).then(|| format!("{texts_of} of {lines}")),
        (*translations > 0).then(|| format::plural(*translations, "translation", "translations")),
        (*names > 0).then(|| format::plural(*names, "name", "names")),
    ];
    format!("“{name}”, {}", parts.into_iter().flatten().collect::<Vec<_>>().join(", "))
}

/// Makes an archive of the text on the workbench with its accepted readings and the user's own translations.
pub fn present(workbench: Workbench, translating: Translating) -> OwnArchive {
    let document = workbench.text.document.get_untracked();
    let (text, reading) = workbench.text.work.with_untracked(|work| (restored_text(&document, work), work.reading));
    OwnArchive { name: name_of(&document), text, reading, pairs: translating.own_wordings(), ..OwnArchive::default() }
}

/// Returns the number by which a text names itself, or its first line.
pub fn name_of(document: &Document) -> String {
    let number = number_of(document);
    if !number.is_empty() {
        return number.to_owned();
    }
    let first = document.lines.iter().find(|line| line.kind == LineKind::Text && !line.signs.is_empty());
    let first = first.and_then(|line| {
        let start = line.label.map_or(line.span.start, |label| label.end);
        document.source.get(start..line.span.end)
    });
    let mut name: String = first.unwrap_or("Text").trim().chars().take(MAX_NAME_LENGTH).collect();
    if let Some((shorter, _)) = name.rsplit_once(' ').filter(|_| name.chars().count() == MAX_NAME_LENGTH) {
        name = format!("{shorter} …");
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_called_by_its_number_or_its_first_line() {
        let name = |typed: &str| name_of(&Document::read(typed));
        assert_eq!(name("&P361583 = a letter\n1. um-ma"), "P361583");
        assert_eq!(name("@obverse\n1. um-ma a-šur-i-di₂-ma"), "um-ma a-šur-i-di₂-ma");
        assert_eq!(name("um-ma a-šur-i-di₂-ma a-na pu-šu-ke-en₆ qi₂-bi₄-ma"), "um-ma a-šur-i-di₂-ma a-na …");
        assert_eq!(name(""), "Text");
    }

    #[test]
    fn pairs_are_saved_as_a_table() {
        let pair = OwnPair { source: "a-na\tbe-li₂-ia".into(), target: "to\nmy lord".into() };
        assert_eq!(table(&[pair]), "source\ttarget\na-na be-li₂-ia\tto my lord\n");
        let pair = OwnPair { source: "-na".into(), target: "=1+1".into() };
        assert_eq!(table(&[pair]), "source\ttarget\n -na\t =1+1\n", "no formula in a spreadsheet");
    }

    #[test]
    fn an_archive_is_told_in_words() {
        let report = OwnReport { name: "Mine".into(), texts: 1, lines: 3, signs: 12, translations: 2, names: 0 };
        assert_eq!(description(&report), "“Mine”, 1 text of 3 lines, 2 translations");
        let report = OwnReport { name: "Merchants".into(), names: 1, ..OwnReport::default() };
        assert_eq!(description(&report), "“Merchants”, 1 name");
    }
}
