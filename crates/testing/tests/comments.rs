//! How doc comments are written: each can be understood by somebody who reads only that one.

mod sources;

/// Words with which a doc comment hangs on its neighbour ("Those that close.") or opens with a question instead of
/// naming the thing ("What computes."). A noun phrase or a verb takes their place.
const OPENINGS: &str = "And Also Another As Beside Besides Both But By Ditto Else Fewer For From How It Its Less \
    Likewise More Most Nor Of Ones Or Others Otherwise Same So Such Than That Their Them Then They Those What When \
    Where Whether Which Who Whom Whose Why With Without";

/// Pairs of words that do the same.
const PAIRS: [&str; 10] = [
    "One more",
    "One of",
    "One that",
    "One who",
    "The former",
    "The latter",
    "The other",
    "The others",
    "The rest",
    "The same",
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

/// Returns `true` if a comment opens with words that leave it hanging.
fn hangs(comment: &str) -> bool {
    let mut words = comment.split(|letter: char| !letter.is_alphanumeric());
    let (first, second) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    OPENINGS.split_whitespace().any(|word| word == first) || PAIRS.contains(&format!("{first} {second}").as_str())
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
    assert!(hangs(found[0].1) && hangs("The rest, in bytes.") && hangs("Of how many."));
    assert!(!hangs(found[1].1) && !hangs("The text.") && !hangs("Ofen"));
}
