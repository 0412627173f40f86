//! The formulary as a user meets it: a text covered by clauses.

use std::process::Command;

/// Runs the command in the project's folder; what it printed, or its error.
fn tuppum(arguments: &[&str]) -> Result<String, String> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tuppum"));
    let output = command.current_dir(tuppum_testing::project("")).args(arguments).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    if output.status.success() { Ok(text(output.stdout)) } else { Err(text(output.stderr)) }
}

#[test]
fn an_address_is_translated_in_every_format() {
    let text = "um-ma a-šur-i-di₂-ma a-na pu-šu-ke-en₆ qi₂-bi₄-ma";
    let printed = |format: &str| tuppum(&["formulary", "--text", text, "--format", format]).unwrap();
    let english = "Thus Aššur-idī; to Pūšu-kēn say";
    assert_eq!(printed("english"), format!("{english}\n"));
    assert!(printed("parts").contains("address, sender first (letter), as in P"), "{}", printed("parts"));
    assert!(printed("tsv").contains(&format!("\taddress, sender first\tletter\t{english}\t")), "{}", printed("tsv"));
    let json: serde_json::Value = serde_json::from_str(&printed("json")).unwrap();
    assert_eq!(json["parts"][0]["clause"]["slots"][1]["english"], "Pūšu-kēn", "{json}");
    assert_eq!(json["parts"][0]["span"]["end"], text.len(), "{json}");
}
