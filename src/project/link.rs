//! Linking of contracts with libraries, at the addresses where Forge deploys these.
//!
//! Before every suite, all libraries that any contract needs are deployed. Forge 1.8 deploys them through a factory, in
//! an order in which each comes after those that it needs. An address then depends on the library's own code and the
//! salt alone. Forge 1.7 lets one fixed account create them in the order of their artifacts, with nonces from zero. So
//! does Forge 1.8 if there is no factory, or if libraries need each other in a circle. Libraries in the setting
//! `libraries` have been linked by the compiler already.

use crate::{
    model::ContractId,
    project::{
        contract::{Code, Contract},
        error::ProjectError,
        link_rules::{LibraryFactory, LinkRules},
    },
};
use alloy_primitives::{Address, Bytes, address, hex};
use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
};

/// Account that creates libraries, or calls the factory that does.
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
    /// Factory that deploys it; `None` if [`LIBRARY_DEPLOYER`] creates it.
    pub factory: Option<LibraryFactory>,
}

/// Artifacts of the libraries that a contract's code refers to, as indices, by the names in the code.
type References = BTreeMap<ContractId, usize>;

/// Addresses of libraries' artifacts, given as indices.
type Addresses = BTreeMap<usize, Address>;

/// Addresses of all libraries, and the artifacts to deploy, in order.
struct Placement {
    addresses: Addresses,
    deployed: Vec<usize>,
    factory: Option<LibraryFactory>,
}

/// Links all contracts and returns the libraries to deploy, in order. `contracts` must be in the order of their
/// artifacts.
///
/// # Errors
/// Fails if a contract refers to a library that is not among the contracts of its compiler version, if the setting
/// `libraries` gives a library several addresses, or if code is not hexadecimal.
pub(crate) fn link(contracts: &mut [Contract], rules: &LinkRules<'_>) -> Result<Vec<Library>, ProjectError> {
    let references = references(contracts, rules)?;
    let Placement { addresses, deployed, factory } = placement(contracts, &references, rules)?;
    for (contract, references) in contracts.iter_mut().zip(&references) {
        let address = |library: &ContractId| address_of(library, references, &addresses);
        contract.creation.link(address);
        contract.runtime.link(address);
        if contract.creation.unlinked.is_some() || contract.runtime.unlinked.is_some() {
            let problem = "its code is not hexadecimal";
            return Err(ProjectError::Damaged { path: contract.artifact.clone(), problem });
        }
    }
    let library = |index: usize| {
        let contract = &contracts[index];
        let init_code = contract.creation_code().cloned().unwrap_or_default();
        Library { id: contract.id.clone(), address: addresses[&index], init_code, factory }
    };
    Ok(deployed.into_iter().map(library).collect())
}

/// Returns the references of each contract.
fn references(contracts: &[Contract], rules: &LinkRules<'_>) -> Result<Vec<References>, ProjectError> {
    let mut named = BTreeMap::<&str, Vec<usize>>::new();
    for (index, contract) in contracts.iter().enumerate() {
        named.entry(contract.bare_name()).or_default().push(index);
    }
    let of_contract = |contract: &Contract| {
        let mut references = References::new();
        // No recursion is needed, because libraries are among the contracts.
        for link in contract.creation.links.iter().chain(&contract.runtime.links) {
            let library = &link.library;
            if references.contains_key(library) {
                continue;
            }
            let named = named.get(library.name.as_str()).map_or(&[][..], Vec::as_slice);
            let index = artifact(contracts, named, contract, &library.path, rules);
            let index = index.ok_or_else(|| ProjectError::MissingLibrary {
                contract: contract.id.to_string(),
                library: library.to_string(),
            })?;
            references.insert(library.clone(), index);
        }
        Ok(references)
    };
    contracts.iter().map(of_contract).collect()
}

/// Returns the artifact among `named` that code of `target` means by the library's source file.
fn artifact(
    contracts: &[Contract],
    named: &[usize],
    target: &Contract,
    path: &str,
    rules: &LinkRules<'_>,
) -> Option<usize> {
    let of_version = || named.iter().copied().filter(|index| contracts[*index].version == target.version);
    let mut found: Vec<_> = of_version().filter(|index| contracts[*index].id.path == path).collect();
    if found.is_empty() {
        // Symbolic links give a file several paths.
        let file = rules.file(path)?;
        found = of_version()
            .filter(|index| rules.file(&contracts[*index].id.path) == Some(file.clone()))
            .collect();
    }
    if !rules.apart {
        return found.first().copied();
    }
    // Artifacts of one version differ in their profiles, or one is left of an earlier build.
    found.into_iter().min_by_key(|index| {
        let Contract { profile, build, .. } = &contracts[*index];
        (Reverse(*profile == target.profile), Reverse(*build == target.build))
    })
}

fn address_of(library: &ContractId, references: &References, addresses: &Addresses) -> Option<Address> {
    addresses.get(references.get(library)?).copied()
}

/// Chooses the addresses of all libraries that any contract needs, directly or through other libraries.
fn placement(
    contracts: &[Contract],
    references: &[References],
    rules: &LinkRules<'_>,
) -> Result<Placement, ProjectError> {
    let needed: BTreeSet<usize> = references.iter().flat_map(BTreeMap::values).copied().collect();
    let mut configured = Addresses::new();
    for index in &needed {
        let names = references.iter().flatten().filter(|(_, artifact)| *artifact == index);
        let names: BTreeSet<_> = names.map(|(name, _)| name).collect();
        if let Some(address) = rules.configured(&contracts[*index], &names)? {
            configured.insert(*index, address);
        }
    }
    let pending: Vec<usize> = needed.into_iter().filter(|index| !configured.contains_key(index)).collect();
    let factory = rules.factory.filter(|factory| !pending.is_empty() && (rules.exists)(factory.address));
    let placement =
        factory.and_then(|factory| by_create2(contracts, references, &configured, pending.clone(), factory));
    Ok(placement.unwrap_or_else(|| by_nonces(contracts, configured, pending, rules)))
}

/// Chooses the addresses at which a factory deploys the libraries `pending`. Returns `None` if some need each other in
/// a circle.
fn by_create2(
    contracts: &[Contract],
    references: &[References],
    configured: &Addresses,
    mut pending: Vec<usize>,
    factory: LibraryFactory,
) -> Option<Placement> {
    let (mut addresses, mut deployed) = (configured.clone(), Vec::new());
    while !pending.is_empty() {
        let linked = |index: usize| {
            contracts[index].creation.linked(|library| address_of(library, &references[index], &addresses))
        };
        let (place, code) =
            pending.iter().enumerate().find_map(|(place, index)| Some((place, linked(*index)?)))?;
        // As in Forge, the last one moves to the place of the one that is taken.
        let index = pending.swap_remove(place);
        let address = factory.address.create2_from_code(factory.salt, &code);
        // Libraries with equal code are deployed once.
        if deployed.iter().all(|known| addresses[known] != address) {
            deployed.push(index);
        }
        addresses.insert(index, address);
    }
    Some(Placement { addresses, deployed, factory: Some(factory) })
}

/// Chooses the addresses at which [`LIBRARY_DEPLOYER`] creates the libraries `pending`.
fn by_nonces(
    contracts: &[Contract],
    configured: Addresses,
    pending: Vec<usize>,
    rules: &LinkRules<'_>,
) -> Placement {
    let (mut addresses, mut deployed) = (configured, Vec::new());
    let mut named = BTreeMap::new();
    for index in pending {
        let contract = &contracts[index];
        let next = LIBRARY_DEPLOYER.create(deployed.len() as u64);
        let address = match rules.apart {
            true => next,
            false => *named.entry((&contract.id.path, contract.bare_name())).or_insert(next),
        };
        if address == next {
            deployed.push(index);
        }
        addresses.insert(index, address);
    }
    Placement { addresses, deployed, factory: None }
}

impl Code {
    /// Fills in the addresses of libraries. The code stays unlinked if one is missing.
    fn link(&mut self, address: impl Fn(&ContractId) -> Option<Address>) {
        if let Some(bytes) = self.unlinked.is_some().then(|| self.linked(address)).flatten() {
            self.bytes = Some(bytes);
            self.unlinked = None;
        }
    }

    /// Returns the code with the addresses of libraries; `None` if one is missing or the code is not hexadecimal.
    fn linked(&self, address: impl Fn(&ContractId) -> Option<Address>) -> Option<Bytes> {
        let Some(digits) = &self.unlinked else { return self.bytes.clone() };
        let addresses = self.links.iter().map(|link| Some((link.start, address(&link.library)?)));
        let addresses: Vec<_> = addresses.collect::<Option<_>>()?;
        let mut digits = digits.strip_prefix("0x").unwrap_or(digits).to_owned();
        for (start, address) in addresses {
            // A placeholder is as long as an address: `__$hash$__`, or `__path:Name___` before solc 0.5.
            let place = 2 * start..2 * (start + Address::len_bytes());
            if digits.get(place.clone()).is_some() {
                digits.replace_range(place, &hex::encode(address));
            }
        }
        hex::decode(&digits).ok().map(Bytes::from)
    }
}

#[cfg(test)]
mod tests;
