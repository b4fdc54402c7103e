//! What is compiled is shared with Forge, both ways.

use crate::harness::{Project, fixtures};

const UNCHANGED: &str = "No files changed, compilation skipped";

#[test]
fn after_forge_build_we_compile_nothing_and_after_us_forge_build_does_not() {
    for directory in ["testdata/demo", "testdata/errors/versions"] {
        let by_forge = Project::copy_of(directory);
        by_forge.forge_build().run().exits_with(0);
        let ours = by_forge.ours("--list").run().exits_with(0);
        assert!(!ours.stdout.contains("Compiling"), "{directory}: {}", ours.shown());

        let by_us = Project::copy_of(directory);
        let ours = by_us.ours("--list").run().exits_with(0);
        assert!(ours.stdout.contains("Compiling"), "{directory}: {}", ours.shown());
        let forge = by_us.forge_build().run().exits_with(0);
        assert!(forge.stdout.contains(UNCHANGED), "{directory}: {}", forge.shown());
    }
}

#[test]
fn an_edit_is_compiled_once_by_either() {
    let project = Project::copy_of("testdata/demo");
    project.forge_build().run().exits_with(0);
    let source = "src/Lottery.sol";
    project.write(source, &project.read(source).replace("contract Lottery", "/// Edited.\ncontract Lottery"));
    let ours = project.ours("--list").run().exits_with(0);
    assert!(ours.stdout.contains("Compiling 2 files with Solc 0.8.30"), "{}", ours.shown());
    let forge = project.forge_build().run().exits_with(0);
    assert!(forge.stdout.contains(UNCHANGED), "{}", forge.shown());
}

#[test]
fn a_project_of_a_hundred_sources_is_shared_as_well() {
    let project = fixtures().copy();
    let forge = project.forge_build().run().exits_with(0);
    assert!(forge.stdout.contains(UNCHANGED), "{}", forge.shown());
    let ours = project.ours("--list").run().exits_with(0);
    assert!(!ours.stdout.contains("Compiling"), "{}", ours.shown());
}
