//! A source map, behind it a NUL and the code that it is of.
#![no_main]

use alloy_primitives::hex;
use forge_harvey::project::Project;
use libfuzzer_sys::fuzz_target;
use serde_json::json;

fuzz_target!(|data: &[u8]| {
    let mut parts = data.splitn(2, |byte| *byte == 0);
    let map = String::from_utf8_lossy(parts.next().unwrap_or_default());
    let code = hex::encode_prefixed(parts.next().unwrap_or_default());
    let code = json!({ "object": code, "sourceMap": map, "linkReferences": {} });
    let artifact = json!({ "abi": [], "bytecode": code, "deployedBytecode": code }).to_string();
    let project = Project::of_artifacts(&[("src/A.sol", "A", artifact.as_bytes())]).expect("nothing is missing");
    for contract in project.contracts() {
        let map = project.statement_map(contract);
        map.into_iter().flat_map(|map| map.statements()).for_each(drop);
        let length = contract.runtime_code().map_or(0, |code| code.len());
        (0..=length).for_each(|pc| drop(project.is_returned_to(contract, pc)));
    }
});
