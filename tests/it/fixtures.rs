//! What the fixtures say about themselves, against both programs.

use crate::harness::{REPOSITORY, fixtures, node};
use std::path::Path;

#[test]
fn verdicts_reasons_and_findings_agree_with_forge_but_for_what_the_fixtures_name() {
    let project = fixtures().copy();
    node(&[
        &Path::new(REPOSITORY).join("scripts/parity.mjs"),
        "--root".as_ref(),
        project.root(),
        "--ours".as_ref(),
        env!("CARGO_BIN_EXE_forge-harvey").as_ref(),
        "--seed".as_ref(),
        "1".as_ref(),
    ]);
}
