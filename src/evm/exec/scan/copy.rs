//! Deployment of a contract as the project's own unit tests deploy it: with the same arguments, and with copies of the
//! contracts among them.

use super::{
    actors::DEPLOYER,
    creation::{Arguments, Creation},
    deploy::{Deployer, scanned},
};
use crate::{
    model::{Copied, Deployment, types_of},
    project::Contract,
};
use alloy_dyn_abi::{DynSolType, DynSolValue};
use alloy_primitives::Address;
use std::sync::Arc;

/// Maximum number of dependencies, if some of them are only there because the unit test has them.
const MOST: usize = 12;

impl Deployer<'_> {
    /// Creates a contract as one of the examples creates it, or a base with the same parameters. `around` are the
    /// contracts that wait for it.
    pub(super) fn copy(
        &mut self,
        creation: &Creation<'_>,
        around: &mut Vec<Arc<Contract>>,
    ) -> Option<Deployment> {
        let examples = self.examples;
        let wanted = &creation.contract.id;
        for (group, deployments) in examples.iter().enumerate() {
            for example in deployments {
                let is_base = || self.project.heirs(&example.contract).any(|heir| heir.id == *wanted);
                if example.contract != *wanted && !(self.takes(example, creation.types) && is_base()) {
                    continue;
                }
                let params = DynSolType::Tuple(creation.types.to_vec());
                let Ok(DynSolValue::Tuple(mut values)) = params.abi_decode_params(&example.args) else {
                    continue;
                };
                values.iter_mut().for_each(|value| self.replace(value, group, around));
                let arguments = Arguments { values, value: example.value };
                if let Ok(created) = creation.run(&arguments, self.create) {
                    if creation.address == scanned() {
                        self.group = Some(group);
                        self.copies.insert((group, example.address), creation.address);
                    }
                    return Some(created);
                }
            }
        }
        None
    }

    /// Creates copies of the other contracts of the unit test whose deployment was copied.
    pub(super) fn copy_others(&mut self, around: &mut Vec<Arc<Contract>>) {
        let examples = self.examples;
        let Some(group) = self.group else { return };
        for example in &examples[group] {
            if self.dependencies.len() < MOST {
                self.counterpart(example.address, group, around);
            }
        }
    }

    /// Returns what was copied.
    pub(crate) fn copied(&self) -> Copied {
        let of_group = self.copies.iter().filter(|((group, _), _)| Some(*group) == self.group);
        let accounts = of_group.map(|((_, there), here)| (*there, *here)).collect();
        Copied { group: self.group, accounts }
    }

    /// Tells whether the constructor of an example takes these types.
    fn takes(&self, example: &Deployment, types: &[DynSolType]) -> bool {
        let contract = self.project.contract(&example.contract);
        let inputs = contract.and_then(|contract| contract.abi.constructor()).map(|abi| &abi.inputs[..]);
        types_of(inputs.unwrap_or_default()).is_some_and(|own| own == types)
    }

    /// Replaces the contracts in an argument by copies, and the accounts of the test by the deployer.
    fn replace(&mut self, value: &mut DynSolValue, group: usize, around: &mut Vec<Arc<Contract>>) {
        match value {
            DynSolValue::Address(address) => {
                *address = self.counterpart(*address, group, around).unwrap_or(*address);
            }
            DynSolValue::Array(items) | DynSolValue::FixedArray(items) | DynSolValue::Tuple(items) => {
                items.iter_mut().for_each(|item| self.replace(item, group, around));
            }
            DynSolValue::CustomStruct { tuple, .. } => {
                tuple.iter_mut().for_each(|item| self.replace(item, group, around));
            }
            _ => {}
        }
    }

    /// Returns the counterpart of an account of an example: a copy of the contract there, or the deployer.
    fn counterpart(
        &mut self,
        address: Address,
        group: usize,
        around: &mut Vec<Arc<Contract>>,
    ) -> Option<Address> {
        if let Some(copy) = self.copies.get(&(group, address)) {
            return Some(*copy);
        }
        let examples = self.examples;
        let mut deployed = examples[group].iter();
        let Some(example) = deployed.find(|example| example.address == address) else {
            if Copied::is_fixed(address) {
                return None;
            }
            self.copies.insert((group, address), DEPLOYER);
            return Some(DEPLOYER);
        };
        let contract = self.project.contract(&example.contract)?.clone();
        if around.iter().any(|waiting| waiting.id == contract.id) {
            return None;
        }
        let copy = self.first_deployed(vec![contract], 1, around)?;
        self.copies.insert((group, address), copy);
        Some(copy)
    }
}
