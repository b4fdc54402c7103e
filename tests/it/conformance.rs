//! Every cheatcode under both programs, and random tests.

use crate::harness::{REPOSITORY, node};
use std::path::Path;

#[test]
fn each_cheatcode_does_what_it_does_in_forge_but_for_what_is_named() {
    node(&[
        &Path::new(REPOSITORY).join("scripts/conformance.mjs"),
        "--ours".as_ref(),
        env!("CARGO_BIN_EXE_forge-harvey").as_ref(),
        "--check".as_ref(),
    ]);
}

#[test]
fn random_unit_tests_give_what_they_give_in_forge() {
    // Always the same ten: those that a day happens to draw must not fail somebody else's change.
    for more in [&["--first", "0"][..], &["--first", "500", "--isolate"]] {
        let script = Path::new(REPOSITORY).join("scripts/differential.mjs");
        let binary = env!("CARGO_BIN_EXE_forge-harvey");
        let mut line = vec![script.as_path(), "--ours".as_ref(), binary.as_ref()];
        line.extend(["--tests", "10", "--seed", "1"].iter().chain(more).map(Path::new));
        node(&line);
    }
}
