//! What the fixtures say about themselves, against both programs.

use crate::harness::{REPOSITORY, fixtures, node};
use std::path::Path;

fn script(name: &str) -> std::path::PathBuf {
    Path::new(REPOSITORY).join("scripts").join(name)
}

#[test]
fn verdicts_reasons_and_findings_agree_with_forge_but_for_what_the_fixtures_name() {
    let project = fixtures().copy();
    node(&[
        &script("parity.mjs"),
        "--root".as_ref(),
        project.root(),
        "--ours".as_ref(),
        env!("CARGO_BIN_EXE_forge-harvey").as_ref(),
        "--seed".as_ref(),
        "1".as_ref(),
    ]);
}

#[test]
fn pages_that_a_script_writes_are_fresh() {
    for page in ["cheatcodes", "configuration", "differences"] {
        node(&[&script(&format!("{page}.mjs")), "--check".as_ref()]);
    }
}
