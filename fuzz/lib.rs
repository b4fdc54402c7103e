//! What the fuzz targets share: a suite with a few targets, and files that last as long as the process.

use forge_harvey::model::{Target, TargetFunction, TargetSet};
use std::{
    path::{Path, PathBuf},
    sync::{Arc, OnceLock},
};

/// Functions with parameters of every kind.
const FUNCTIONS: [&str; 6] = [
    "deposit(uint256)",
    "withdraw(address,uint256)",
    "set(bytes32,string,bytes)",
    "many(uint8[],int256[2][],bool)",
    "deep((uint256,(string,bytes)[])[3])",
    "nothing()",
];

/// A directory that is removed in the end.
pub fn directory() -> &'static Path {
    static DIRECTORY: OnceLock<tempfile::TempDir> = OnceLock::new();
    DIRECTORY.get_or_init(|| tempfile::tempdir().expect("a temporary directory")).path()
}

/// A file of this name there, with this content.
pub fn file(name: &str, content: &[u8]) -> PathBuf {
    let path = directory().join(name);
    std::fs::write(&path, content).expect("a temporary file");
    path
}

/// Targets that calls of files may be of.
pub fn targets() -> TargetSet {
    let functions = FUNCTIONS.map(|text| {
        let function = alloy_json_abi::Function::parse(text).expect("a signature");
        Arc::new(TargetFunction::new(function))
    });
    let target = Target {
        address: alloy_primitives::Address::repeat_byte(7),
        identifier: "src/Bank.sol:Bank".to_owned(),
        functions: functions.into(),
        views: Vec::new(),
        abi: Arc::default(),
    };
    TargetSet { targets: vec![target], ..TargetSet::default() }
}
