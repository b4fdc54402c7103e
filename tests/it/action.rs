//! The GitHub Action, its steps run as GitHub runs them.

use crate::harness::{REPOSITORY, node};
use std::path::Path;

#[test]
fn its_steps_install_search_and_report() {
    let program = Path::new(env!("CARGO_BIN_EXE_forge-harvey"));
    let said = node(&[&Path::new(REPOSITORY).join("scripts/action.mjs"), program]);
    assert!(said.ends_with("the action does what it should\n"), "{said}");
}
