//! Deployment of a contract together with the dependencies of its constructor.

use super::{
    arguments::{Choices, MOST},
    creation::{Arguments, Creation, Rejected},
    matching::{is_named, is_plain_address, means, resembles},
    tokens::{is_of_token, is_token},
};
use crate::{
    model::{Deployment, Scene, types_of},
    project::{Contract, Project},
};
use alloy_json_abi::{Function, InternalType, Param, StateMutability};
use alloy_primitives::{Address, Bytes, U256, keccak256, uint};
use std::{
    collections::{BTreeMap, BTreeSet},
    mem,
    sync::Arc,
};

/// Maximum depth of nested dependencies.
const DEPTH: usize = 2;

/// Maximum number of contracts that are tried for a parameter.
const CANDIDATES: usize = 4;

/// Maximum number of dependencies, if the names of parameters only suggest them.
const SUGGESTED: usize = 4;

/// Number of argument sets that are corrected where a constructor rejects all others.
const STARTS: usize = 12;

/// Maximum number of amounts of the sources that a payable constructor is tried with.
const AMOUNTS: usize = 24;

/// Maximum number of argument sets that are tried with each of these amounts.
const ROUNDS_OF_AMOUNTS: usize = 4;

/// An ether in wei.
pub(crate) const ETHER: U256 = uint!(1000000000000000000_U256);

/// Returns the address of the scanned contract.
pub(crate) fn scanned() -> Address {
    place("scanned contract")
}

fn place(name: &str) -> Address {
    Address::from_word(keccak256(format!("forge-harvey: {name}")))
}

/// Reason that a contract cannot be deployed.
#[derive(Clone, Debug)]
pub(crate) struct Undeployable(pub(crate) String);

/// Creates a contract at an address with wei, from creation code and arguments, and keeps it, or changes
/// nothing and returns the reason.
pub(crate) type CreateFn<'a> = dyn FnMut(Address, U256, Bytes) -> Result<(), Rejected> + 'a;

/// Deploys contracts by trial and error.
pub(crate) struct Deployer<'a> {
    pub(crate) project: &'a Project,
    pub(crate) create: &'a mut CreateFn<'a>,
    /// Dependencies deployed so far.
    pub(crate) dependencies: Vec<Deployment>,
    /// Dependencies of which only their functions or the names of parameters say that they are meant.
    pub(crate) guessed: Vec<Address>,
    /// Those that only the names of parameters suggest. They are not called.
    pub(crate) suggested: Vec<Address>,
    /// Number of addresses used for dependencies so far.
    places: usize,
    literals: Arc<[U256]>,
    /// Groups of deployments that are tried first.
    pub(super) examples: &'a [Vec<Deployment>],
    /// Dependencies that stand for deployments of these groups: the group, and the address in it.
    pub(super) copies: BTreeMap<(usize, Address), Address>,
    /// The group by which the scanned contract was created.
    pub(super) group: Option<usize>,
}

impl<'a> Deployer<'a> {
    pub(crate) fn new(
        project: &'a Project,
        examples: &'a [Vec<Deployment>],
        create: &'a mut CreateFn<'a>,
    ) -> Self {
        Self {
            project,
            create,
            dependencies: Vec::new(),
            guessed: Vec::new(),
            suggested: Vec::new(),
            places: 0,
            literals: literals(project).into(),
            examples,
            copies: BTreeMap::new(),
            group: None,
        }
    }

    /// Deploys the scanned contract, and the contracts that the names of its address parameters suggest.
    pub(crate) fn scanned(&mut self, contract: &Arc<Contract>) -> Result<Deployment, Undeployable> {
        let around = &mut vec![contract.clone()];
        let deployed = self.deploy(contract, scanned(), DEPTH, around)?;
        self.keep_used(&deployed);
        self.copy_others(around);
        for param in contract.abi.functions().flat_map(|function| &function.inputs).flat_map(words) {
            if self.dependencies.len() >= SUGGESTED {
                break;
            }
            let known = self.dependencies.len();
            match is_plain_address(param) {
                true => drop(self.suggested(param, &[], 1, around)),
                false => drop(self.dependency(param, &[], 1, around)),
            }
            // They are arguments, and not what the contract relies on.
            self.suggested.extend(self.dependencies[known..].iter().map(|built| built.address));
        }
        Ok(deployed)
    }

    /// Forgets the dependencies that neither the contract nor another one has got: those of attempts that failed.
    fn keep_used(&mut self, deployed: &Deployment) {
        // A contract is created before those that get it.
        let mut kept = vec![deployed.clone()];
        for built in mem::take(&mut self.dependencies).into_iter().rev() {
            match kept.iter().any(|other| other.takes(&built)) {
                true => kept.push(built),
                false => self.copies.retain(|_, copy| *copy != built.address),
            }
        }
        self.dependencies = kept.into_iter().skip(1).rev().collect();
    }

    /// Deploys a contract at an address; `around` are the contracts that wait for it.
    fn deploy(
        &mut self,
        contract: &Arc<Contract>,
        address: Address,
        depth: usize,
        around: &mut Vec<Arc<Contract>>,
    ) -> Result<Deployment, Undeployable> {
        if contract.creation_code().is_none() {
            let missing: BTreeSet<_> =
                contract.creation.links.iter().map(|link| link.library.to_string()).collect();
            let missing: Vec<_> = missing.into_iter().collect();
            return Err(Undeployable(format!("its code lacks libraries: {}", missing.join(", "))));
        }
        let constructor = contract.abi.constructor();
        let inputs = constructor.map_or(&[][..], |constructor| &constructor.inputs);
        let Some(types) = types_of(inputs) else {
            return Err(Undeployable("its constructor has parameters of unknown types".to_owned()));
        };
        let is_payable =
            constructor.is_some_and(|constructor| constructor.state_mutability == StateMutability::Payable);
        let creation = Creation { contract, address, types: &types, is_payable };
        if let Some(copied) = self.copy(&creation, around) {
            return Ok(copied);
        }
        let mut given: Vec<Option<Address>> = Vec::new();
        for param in inputs {
            // Two parameters of the same type get different contracts.
            let taken: Vec<Address> = given.iter().copied().flatten().collect();
            given.push(self.dependency(param, &taken, depth, around));
        }
        let mut suggested = given.clone();
        for (place, param) in inputs.iter().enumerate() {
            let taken: Vec<Address> = suggested.iter().copied().flatten().collect();
            suggested[place] = given[place].or_else(|| self.suggested(param, &taken, depth, around));
        }
        let chosen = (suggested != given).then_some(suggested);
        self.create_first(&creation, &chosen.into_iter().chain([given]).collect::<Vec<_>>())
    }

    /// Creates a contract with the first arguments that its constructor accepts. `given` are alternatives for the
    /// addresses among them.
    fn create_first(
        &mut self,
        creation: &Creation<'_>,
        given: &[Vec<Option<Address>>],
    ) -> Result<Deployment, Undeployable> {
        let literals = self.literals.clone();
        let values = |round, given: &[Option<Address>]| {
            creation.values(&Choices { round, literals: &literals }, given)
        };
        let rounds = if creation.types.is_empty() { 1 } else { MOST };
        let mut first = None;
        for given in given {
            for (round, value) in attempts(rounds, creation.is_payable, &literals) {
                let arguments = Arguments { values: values(round, given), value };
                match creation.run(&arguments, self.create) {
                    Ok(deployed) => return Ok(deployed),
                    Err(rejected) => drop(first.get_or_insert((rejected.reason, arguments.values))),
                }
            }
        }
        let value = if creation.is_payable { ETHER } else { U256::ZERO };
        for given in given {
            for round in 0..rounds.min(STARTS) {
                let start = Arguments { values: values(round, given), value }.distinct();
                if let Some(deployed) = creation.correct(start, self.create) {
                    return Ok(deployed);
                }
            }
        }
        let (reason, values) = first.unwrap_or_default();
        Err(creation.undeployable(rounds, &reason, &values))
    }

    /// Deploys a contract for a parameter of a contract type, or reuses one. It is found by the type's name
    /// or, for interfaces and abstract contracts, by their selectors.
    fn dependency(
        &mut self,
        param: &Param,
        taken: &[Address],
        depth: usize,
        around: &mut Vec<Arc<Contract>>,
    ) -> Option<Address> {
        let InternalType::Contract(name) = param.internal_type()? else { return None };
        if depth == 0 {
            return None;
        }
        if let Some(built) = self.free(taken, |built| is_named(built, name)) {
            return Some(built);
        }
        let built = self.first_deployed(self.candidates(name, around), depth, around)?;
        if !self.dependencies.last().is_some_and(|built| is_named(built, name)) {
            self.guessed.push(built);
        }
        Some(built)
    }

    /// Deploys a contract that the name of a parameter of type `address` suggests, or reuses one: `_log` may mean
    /// the contract `Log`.
    fn suggested(
        &mut self,
        param: &Param,
        taken: &[Address],
        depth: usize,
        around: &mut Vec<Arc<Contract>>,
    ) -> Option<Address> {
        if depth == 0 || !is_plain_address(param) {
            return None;
        }
        if let Some(built) = self.free(taken, |built| self.means(&param.name, built)) {
            return Some(built);
        }
        let fits = |contract: &&Arc<Contract>| {
            (resembles(&param.name, contract.bare_name())
                || is_of_token(&param.name) && is_token(&contract.abi))
                && self.project.is_contract(&contract.id.path)
                && self.project.is_callable(contract)
                && !around.iter().any(|waiting| waiting.id == contract.id)
        };
        // Of several tokens, the one with the fewest functions has the fewest rules.
        let mut found: Vec<_> = self.project.contracts().iter().filter(fits).cloned().collect();
        found.sort_by_cached_key(|contract| {
            (!resembles(&param.name, contract.bare_name()), contract.abi.functions().count())
        });
        found.truncate(CANDIDATES);
        let built = self.first_deployed(found, depth, around)?;
        self.guessed.push(built);
        self.suggested.push(built);
        Some(built)
    }

    /// Tells whether the name of a parameter of type `address` means a deployed contract.
    fn means(&self, param: &str, built: &Deployment) -> bool {
        self.project.contract(&built.contract).is_some_and(|contract| means(param, built, &contract.abi))
    }

    /// Returns a dependency that is meant and that no other parameter has got.
    fn free(&self, taken: &[Address], is_meant: impl Fn(&Deployment) -> bool) -> Option<Address> {
        let mut free = self.dependencies.iter().filter(|built| !taken.contains(&built.address));
        free.find(|built| is_meant(built)).map(|built| built.address)
    }

    /// Deploys the first of these contracts that can be deployed; `depth` is above zero.
    pub(super) fn first_deployed(
        &mut self,
        contracts: Vec<Arc<Contract>>,
        depth: usize,
        around: &mut Vec<Arc<Contract>>,
    ) -> Option<Address> {
        for contract in contracts {
            let address = place(&format!("dependency {}", self.places));
            self.places += 1;
            around.push(contract.clone());
            let built = self.deploy(&contract, address, depth - 1, around);
            around.pop();
            if let Ok(built) = built {
                self.dependencies.push(built);
                return Some(address);
            }
        }
        None
    }

    /// Returns the candidates for a contract type: the contract with its name, or those with all of its
    /// functions. The project's own contracts and those with the fewest functions come first.
    fn candidates(&self, name: &str, around: &[Arc<Contract>]) -> Vec<Arc<Contract>> {
        let named = self.project.contracts().iter().filter(|contract| contract.bare_name() == name);
        let selectors = |contract: &Contract| -> BTreeSet<_> {
            contract.abi.functions().map(Function::selector).collect()
        };
        let wanted: Vec<_> = named.clone().map(|contract| selectors(contract)).collect();
        let waits = |contract: &Arc<Contract>| around.iter().any(|waiting| waiting.id == contract.id);
        let fits = |contract: &&Arc<Contract>| {
            let own = selectors(contract);
            !waits(contract)
                && self.project.is_callable(contract)
                && (contract.bare_name() == name
                    || wanted.iter().any(|wanted| !wanted.is_empty() && wanted.is_subset(&own)))
        };
        let mut found: Vec<_> = self.project.contracts().iter().filter(fits).cloned().collect();
        found.sort_by_key(|contract| {
            let is_own = self.project.is_contract(&contract.id.path);
            (contract.bare_name() != name, !is_own, contract.abi.functions().count())
        });
        found.truncate(CANDIDATES);
        found
    }
}

/// Returns the rounds of arguments with the wei that a constructor gets. A payable constructor gets an ether,
/// then nothing, then amounts that the sources name.
fn attempts(
    rounds: usize,
    is_payable: bool,
    literals: &[U256],
) -> impl Iterator<Item = (usize, U256)> + use<'_> {
    let named = literals.iter().copied().filter(|amount| !amount.is_zero() && *amount <= Scene::BALANCE);
    let paid = [ETHER, U256::ZERO].map(|value| (rounds, value)).into_iter();
    let paid = paid.chain(named.take(AMOUNTS).map(move |value| (rounds.min(ROUNDS_OF_AMOUNTS), value)));
    let unpaid = (!is_payable).then_some((rounds, U256::ZERO));
    let values = unpaid.into_iter().chain(paid.filter(move |_| is_payable));
    values.flat_map(|(rounds, value)| (0..rounds).map(move |round| (round, value)))
}

/// Returns a parameter, or the members of a struct.
fn words(param: &Param) -> Vec<&Param> {
    match param.components.is_empty() {
        true => vec![param],
        false => param.components.iter().flat_map(words).collect(),
    }
}

/// Returns the number literals in the sources.
pub(super) fn literals(project: &Project) -> Vec<U256> {
    project.literals().words.iter().map(|(_, word)| *word).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_payable_constructors_get_wei() {
        let all = |rounds, is_payable, literals: &[u64]| {
            let literals: Vec<U256> = literals.iter().copied().map(U256::from).collect();
            attempts(rounds, is_payable, &literals).collect::<Vec<_>>()
        };
        let zero = U256::ZERO;
        assert_eq!(all(2, false, &[7]), [(0, zero), (1, zero)]);
        assert_eq!(all(1, true, &[0, 7]), [(0, ETHER), (0, zero), (0, U256::from(7))]);
        let amounts = all(MOST, true, &[7]);
        assert_eq!(amounts.len(), 2 * MOST + ROUNDS_OF_AMOUNTS);
    }
}
