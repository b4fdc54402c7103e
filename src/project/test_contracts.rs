//! Contracts for the tests of this module and of others.

use crate::{
    model::ContractId,
    project::contract::{Code, Contract, LinkReference},
};
use alloy_json_abi::JsonAbi;
use alloy_primitives::hex;
use semver::Version;
use std::{path::Path, sync::Arc};

/// Returns a contract without functions, compiled by solc 0.8.30. `code` is its creation and runtime code in
/// hexadecimal digits.
pub(crate) fn contract(id: &str, code: &str) -> Contract {
    let (path, name) = id.split_once(':').unwrap();
    let file = Path::new(path).file_name().unwrap();
    let code = || Code { bytes: Some(hex::decode(code).unwrap().into()), ..Code::default() };
    Contract {
        id: ContractId { path: path.into(), name: name.into() },
        artifact: Path::new("/out").join(file).join(format!("{name}.json")),
        version: Version::new(0, 8, 30),
        profile: "default".into(),
        abi: Arc::default(),
        creation: code(),
        runtime: code(),
        layout: None,
        source_hash: None,
        build: "build".into(),
    }
}

/// Returns an unlinked contract whose code is a PUSH20 of each library's address.
pub(crate) fn unlinked(id: &str, libraries: &[&str]) -> Contract {
    let link = |(index, library): (usize, &&str)| {
        let (path, name) = library.split_once(':').unwrap();
        LinkReference { start: 21 * index + 1, library: ContractId { path: path.into(), name: name.into() } }
    };
    let code = || Code {
        links: libraries.iter().enumerate().map(link).collect(),
        unlinked: Some(format!("73{}", "__$0123456789abcdef0123456789abcdef01$__").repeat(libraries.len())),
        ..Code::default()
    };
    Contract { creation: code(), runtime: code(), ..contract(id, "") }
}

/// Returns the contract with these functions, given as Solidity declarations.
pub(crate) fn with_functions(contract: Contract, functions: &[&str]) -> Contract {
    Contract { abi: Arc::new(JsonAbi::parse(functions.iter().copied()).unwrap()), ..contract }
}
