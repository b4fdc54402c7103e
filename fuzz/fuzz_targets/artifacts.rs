//! Artifacts that no compiler wrote.
#![no_main]

use forge_harvey::project::{CodeKind, Project};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Ok(project) = Project::of_artifacts(&[("src/A.sol", "A", data), ("src/B.sol", "B", data)]) else { return };
    project.suites();
    project.scans(true);
    project.libraries();
    for contract in project.contracts() {
        let runtime = contract.runtime_code().cloned().unwrap_or_default();
        let creation = contract.creation_code().cloned().unwrap_or_default();
        project.identify_created(&runtime, &creation);
        project.identify_runtime(&runtime);
        project.code_identity(&runtime);
        project.statement_map(contract);
        for pc in 0..runtime.len().min(64) {
            project.is_returned_to(contract, pc);
            project.locate(contract, CodeKind::Runtime, pc);
        }
        let _ = project.artifact(contract.bare_name(), None);
    }
});
