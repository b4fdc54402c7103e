//! Every cheatcode under both programs.

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
