//! Linking of contracts with libraries, at the addresses where Forge deploys these.
//!
//! Before every suite, all libraries that any contract needs are deployed in the order of their artifacts, by
//! one fixed account with nonces from zero. Libraries in the setting `libraries` have been linked by the
//! compiler already.

use crate::{
    model::ContractId,
    project::{
        contract::{Code, Contract},
        error::ProjectError,
    },
};
use alloy_primitives::{Address, Bytes, address, hex};
use semver::Version;
use std::collections::{BTreeMap, BTreeSet};

/// Account that deploys libraries.
pub const LIBRARY_DEPLOYER: Address = address!("1F95D37F27EA0dEA9C252FC09D5A6eaA97647353");

/// Library to deploy before each suite.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Library {
    /// Identifier of the library's artifact.
    pub id: ContractId,
    /// Address at which the library will be deployed.
    pub address: Address,
    /// Linked creation code of the library.
    pub init_code: Bytes,
}

/// Links all contracts and returns the libraries to deploy. `contracts` must be in the order of their
/// artifacts. `deployer` deploys the libraries in the order of the result; the first deployment has `nonce`.
///
/// # Errors
/// Fails if a contract refers to a library that is not among the contracts of its compiler version, or if its
/// code is not hexadecimal.
pub(crate) fn link(
    contracts: &mut [Contract],
    deployer: Address,
    nonce: u64,
) -> Result<Vec<Library>, ProjectError> {
    let needed = needed(contracts)?;
    // All versions of a library share one address, because references in the code do not contain the version.
    let mut addresses = BTreeMap::new();
    let mut deployed = Vec::new();
    for index in needed {
        let contract = &contracts[index];
        let name = ContractId { path: contract.id.path.clone(), name: contract.bare_name().to_owned() };
        let next = deployer.create(nonce + deployed.len() as u64);
        addresses.entry(name).or_insert_with(|| {
            deployed.push((index, next));
            next
        });
    }
    for contract in contracts.iter_mut() {
        contract.creation.link(&addresses);
        contract.runtime.link(&addresses);
        if contract.creation.unlinked.is_some() || contract.runtime.unlinked.is_some() {
            let problem = "its code is not hexadecimal";
            return Err(ProjectError::Damaged { path: contract.artifact.clone(), problem });
        }
    }
    let library = |(index, address): (usize, Address)| {
        let contract = &contracts[index];
        let init_code = contract.creation_code().cloned().unwrap_or_default();
        Library { id: contract.id.clone(), address, init_code }
    };
    Ok(deployed.into_iter().map(library).collect())
}

/// Returns the indices of all libraries that any contract needs, directly or through other libraries.
fn needed(contracts: &[Contract]) -> Result<BTreeSet<usize>, ProjectError> {
    let mut by_name = BTreeMap::<(&str, &str, &Version), usize>::new();
    for (index, contract) in contracts.iter().enumerate() {
        by_name.entry((&contract.id.path, contract.bare_name(), &contract.version)).or_insert(index);
    }
    let mut needed = BTreeSet::new();
    // No recursion is needed, because libraries are among the contracts.
    for contract in contracts {
        for link in contract.creation.links.iter().chain(&contract.runtime.links) {
            let library = &link.library;
            let key = (library.path.as_str(), library.name.as_str(), &contract.version);
            let index = by_name.get(&key).ok_or_else(|| ProjectError::MissingLibrary {
                contract: contract.id.to_string(),
                library: library.to_string(),
            })?;
            needed.insert(*index);
        }
    }
    Ok(needed)
}

impl Code {
    /// Fills in the addresses of libraries. The code stays unlinked if one is missing.
    fn link(&mut self, addresses: &BTreeMap<ContractId, Address>) {
        let Some(digits) = &self.unlinked else { return };
        let mut digits = digits.strip_prefix("0x").unwrap_or(digits).to_owned();
        for link in &self.links {
            let Some(address) = addresses.get(&link.library) else { return };
            // A placeholder is as long as an address: `__$hash$__`, or `__path:Name___` before solc 0.5.
            let place = 2 * link.start..2 * (link.start + Address::len_bytes());
            if digits.get(place.clone()).is_some() {
                digits.replace_range(place, &hex::encode(address));
            }
        }
        if let Ok(bytes) = hex::decode(&digits) {
            self.bytes = Some(bytes.into());
            self.unlinked = None;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::project::test_contracts::{contract, unlinked};

    fn id(text: &str) -> ContractId {
        let (path, name) = text.split_once(':').unwrap();
        ContractId { path: path.into(), name: name.into() }
    }

    #[test]
    fn libraries_are_deployed_in_the_order_of_artifacts_with_nonces_from_zero() {
        let mut contracts = [
            unlinked("src/A.sol:A", &["src/Z.sol:Z"]),
            unlinked("src/B.sol:B", &["src/C.sol:C"]),
            contract("src/C.sol:C", "00"),
            contract("src/D.sol:Unused", "00"),
            unlinked("src/Z.sol:Z", &["src/C.sol:C"]),
        ];
        let libraries = link(&mut contracts, LIBRARY_DEPLOYER, 0).unwrap();
        let found = libraries.iter().map(|library| (library.id.clone(), library.address)).collect::<Vec<_>>();
        assert_eq!(
            found,
            [
                (id("src/C.sol:C"), address!("5F65cD7D792E9746EF82929D60de9a1C526f93A5")),
                (id("src/Z.sol:Z"), LIBRARY_DEPLOYER.create(1)),
            ]
        );
        let code = contracts[0].creation_code().unwrap();
        assert_eq!(code[1..21], LIBRARY_DEPLOYER.create(1)[..]);
        assert_eq!(libraries[1].init_code[1..21], libraries[0].address[..]);
    }

    #[test]
    fn a_library_of_another_compiler_version_does_not_do() {
        let mut contracts = [unlinked("src/A.sol:A", &["src/L.sol:L"]), contract("src/L.sol:L", "00")];
        contracts[1].version = Version::new(0, 7, 6);
        insta::assert_snapshot!(
            link(&mut contracts, LIBRARY_DEPLOYER, 0).unwrap_err(),
            @"cannot link `src/A.sol:A`: library `src/L.sol:L` is not among the compiled contracts"
        );
    }

    #[test]
    fn libraries_may_need_each_other() {
        let mut contracts =
            [unlinked("src/A.sol:A", &["src/B.sol:B"]), unlinked("src/B.sol:B", &["src/A.sol:A"])];
        assert_eq!(link(&mut contracts, LIBRARY_DEPLOYER, 0).unwrap().len(), 2);
    }
}
