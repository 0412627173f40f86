//! How doc comments are written: each can be understood by somebody who reads only that one.

mod sources;

/// Words with which a doc comment hangs on its neighbour ("Those that close.") or opens with a question instead of
/// naming the thing ("What computes."). A noun phrase or a verb takes their place.
const OPENINGS: [&str; 43] = [
    "And",
    "Another",
    "Also",
    "As",
    "Beside",
    "Besides",
    "Both",
    "But",
    "By",
    "Ditto",
    "Else",
    "Fewer",
    "For",
    "From",
    "How",
    "It",
    "Its",
    "Less",
    "Likewise",
    "More",
    "Most",
    "Of",
    "Ones",
    "Or",
    "Others",
    "Otherwise",
    "Same",
    "So",
    "Such",
    "Than",
    "That",
    "Their",
    "Them",
    "Then",
    "They",
    "Those",
    "What",
    "When",
    "Where",
    "Whether",
    "Which",
    "Who",
    "Why",
];

/// Line and first words of every doc comment of an item.
fn comments(text: &str) -> Vec<(usize, &str)> {
    let mut comments = Vec::new();
    let mut is_inside = false;
    for (number, line) in text.lines().enumerate() {
        let comment = line.trim_start().strip_prefix("///");
        if let (Some(comment), false) = (comment, is_inside) {
            comments.push((number + 1, comment.trim()));
        }
        is_inside = comment.is_some();
    }
    comments
}

/// Whether a comment opens with one of the words that leave it hanging.
fn hangs(comment: &str) -> bool {
    let first = comment.split(|letter: char| !letter.is_alphanumeric()).next().unwrap_or_default();
    OPENINGS.contains(&first)
}

#[test]
fn every_doc_comment_stands_alone() {
    let files = sources::FOLDERS.into_iter().flat_map(sources::read);
    let hanging: Vec<String> = files
        .flat_map(|(file, text)| {
            let hanging = comments(&text).into_iter().filter(|(_, comment)| hangs(comment));
            hanging.map(|(line, comment)| format!("{file}:{line}: {comment}")).collect::<Vec<_>>()
        })
        .collect();
    assert!(hanging.is_empty(), "doc comments that do not name their subject: {hanging:#?}");
}

#[test]
fn a_hanging_comment_is_found() {
    let text = "/// Those that close.\n/// Of how many.\nconst A: u8 = 1;\n\n    /// Bytes asked for.\n    fn b() {}\n";
    let found = comments(text);
    assert_eq!(found, [(1, "Those that close."), (5, "Bytes asked for.")]);
    assert!(hangs(found[0].1) && !hangs(found[1].1) && !hangs("Ofen"));
}
