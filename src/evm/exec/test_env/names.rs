//! Names and ABIs of contracts, for traces and reports.

use crate::evm::trace::decode::{Abis, Names};
use alloy_primitives::Address;
use std::{collections::BTreeMap, sync::Arc};

/// Names and ABIs of the contracts of a test environment.
#[derive(Clone)]
pub struct NameTable {
    /// ABIs of all contracts of the project.
    pub(crate) abis: Arc<Abis>,
    /// ABIs of the cheatcode and console addresses.
    pub(super) builtins: Arc<Abis>,
    /// Labels set with `vm.label`.
    pub labels: BTreeMap<Address, String>,
    /// `path:Name` of all contracts known by address.
    pub identifiers: BTreeMap<Address, String>,
    /// Names for traces.
    pub names: Names,
}
