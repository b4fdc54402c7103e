//! Selection of the contracts, functions and senders of a campaign. It follows Forge's rules exactly, since
//! the target set decides whether Forge replays a persisted failure.

mod callable;

pub(crate) use callable::callables;

use crate::evm::{
    base::constants::{CONSOLE_ADDRESS, CREATE2_DEPLOYER, VM_ADDRESS},
    cheats::HookCallback,
    vm::{call::TopCall, evm::Evm},
};
use crate::{
    model::{ContractId, Target, TargetFunction, TargetSet, is_view},
    project::{Contract, Project},
};
use alloy_json_abi::{Function, JsonAbi};
use alloy_primitives::{Address, Bytes, Selector, U256, address};
use alloy_sol_types::{SolCall, sol};
use callable::{callable, view};
use std::{
    collections::{BTreeMap, BTreeSet, btree_map},
    sync::{Arc, Mutex, PoisonError},
};

sol! {
    struct FuzzSelector { address addr; bytes4[] selectors; }
    struct FuzzArtifactSelector { string artifact; bytes4[] selectors; }
    struct FuzzInterface { address addr; string[] artifacts; }

    /// Getters of forge-std's `StdInvariant`.
    interface StdInvariant {
        function targetContracts() external view returns (address[] memory);
        function excludeContracts() external view returns (address[] memory);
        function targetSenders() external view returns (address[] memory);
        function excludeSenders() external view returns (address[] memory);
        function targetSelectors() external view returns (FuzzSelector[] memory);
        function excludeSelectors() external view returns (FuzzSelector[] memory);
        function targetArtifacts() external view returns (string[] memory);
        function excludeArtifacts() external view returns (string[] memory);
        function targetArtifactSelectors() external view returns (FuzzArtifactSelector[] memory);
        function targetInterfaces() external view returns (FuzzInterface[] memory);
    }
}

/// Names of these getters, which are never called as targets.
const GETTERS: [&str; 10] = [
    "targetContracts",
    "excludeContracts",
    "targetSenders",
    "excludeSenders",
    "targetSelectors",
    "excludeSelectors",
    "targetArtifacts",
    "excludeArtifacts",
    "targetArtifactSelectors",
    "targetInterfaces",
];

/// Default senders of Echidna and Medusa.
const ECHIDNA_SENDERS: [Address; 3] = [
    address!("0000000000000000000000000000000000010000"),
    address!("0000000000000000000000000000000000020000"),
    address!("0000000000000000000000000000000000030000"),
];

/// Calls getters of the test contract. A getter that is missing or reverts means an empty list.
struct Getters<'a> {
    evm: &'a mut Evm,
    test: Address,
}

impl Getters<'_> {
    fn ask<T: SolCall<Return = Vec<R>>, R>(&mut self, call: &T) -> Vec<R> {
        let data = Bytes::from(call.abi_encode());
        let call = TopCall::ask(self.test, data);
        let (block_context, cheats) = (self.evm.block_context(), self.evm.inspector().cheats.clone());
        let output = self.evm.transact(&call);
        self.evm.discard();
        self.evm.surround(&block_context);
        self.evm.inspector().cheats = cheats;
        if output.is_success() {
            T::abi_decode_returns(&output.output).unwrap_or_default()
        } else {
            Vec::new()
        }
    }
}

/// Target under construction.
struct TargetBuilder {
    identifier: String,
    abi: Arc<JsonAbi>,
    targeted: Vec<Arc<TargetFunction>>,
    excluded: BTreeSet<Selector>,
}

impl TargetBuilder {
    fn new(identifier: String, abi: Arc<JsonAbi>) -> Self {
        Self { identifier, abi, targeted: Vec::new(), excluded: BTreeSet::new() }
    }

    fn add_selectors(
        &mut self,
        called: &str,
        selectors: impl IntoIterator<Item = Selector>,
    ) -> Result<(), String> {
        for selector in selectors {
            let Some(function) = self.abi.functions().find(|function| function.selector() == selector) else {
                return Err(format!("{called} does not have the selector {selector}"));
            };
            let is_known = self.targeted.iter().any(|known| known.selector() == selector);
            if !is_known {
                self.targeted.extend(callable(function));
            }
        }
        Ok(())
    }
}

/// Targets of a campaign, and the filter for contracts created during a run.
#[derive(Clone, Debug, Default)]
pub(crate) struct SelectedTargets {
    pub(crate) targets: TargetSet,
    pub(crate) filter: ArtifactFilter,
}

/// Reads the getters and applies Forge's rules. The error is Forge's reason.
pub(crate) fn select(
    evm: &mut Evm,
    project: &Project,
    [test, deployer]: [Address; 2],
    candidates: &[(Address, Arc<Contract>)],
) -> Result<SelectedTargets, String> {
    let tracer = evm.inspector().tracer.take();
    let mut getters = Getters { evm, test };
    let result = TargetSelection { getters: &mut getters, project, test, deployer, candidates }.run();
    evm.inspector().tracer = tracer;
    result.map_err(|reason| format!("failed to set up invariant testing environment: {reason}"))
}

struct TargetSelection<'a, 'b> {
    getters: &'a mut Getters<'b>,
    project: &'a Project,
    test: Address,
    /// Deployer of the test contract.
    deployer: Address,
    candidates: &'a [(Address, Arc<Contract>)],
}

impl TargetSelection<'_, '_> {
    fn run(&mut self) -> Result<SelectedTargets, String> {
        use StdInvariant as S;
        let (mut senders, mut excluded_senders) =
            (self.getters.ask(&S::targetSendersCall {}), self.getters.ask(&S::excludeSendersCall {}));
        excluded_senders.extend(builtin_excluded());
        excluded_senders.sort_unstable();
        senders.sort_unstable();
        senders.retain(|sender| !excluded_senders.contains(sender));

        let mut targeted = self.getters.ask(&S::targetContractsCall {});
        let excluded = self.getters.ask(&S::excludeContractsCall {});
        let filter = self.artifact_filter()?;
        if targeted.is_empty() && self.is_its_own_target() {
            targeted.push(self.test);
            if senders.is_empty() {
                senders.extend(ECHIDNA_SENDERS);
                senders.push(self.deployer);
            }
        }
        let mut entries: BTreeMap<Address, TargetBuilder> = BTreeMap::new();
        for (address, contract) in self.candidates {
            let explicit = targeted.contains(address);
            let kept = (*address != self.test || explicit)
                && ![VM_ADDRESS, CONSOLE_ADDRESS].contains(address)
                && (targeted.is_empty() || explicit)
                && !excluded.contains(address)
                && filter.matches(&contract.id);
            if kept {
                entries.insert(*address, TargetBuilder::new(contract.id.to_string(), contract.abi.clone()));
            }
        }
        self.add_interfaces(&mut entries)?;
        self.add_artifact_selectors(&mut entries, &filter)?;
        self.add_selectors(&mut entries)?;
        let targets = self.finish(entries);
        if targets.is_empty() {
            return Err("No contracts to fuzz.".to_owned());
        }
        let targets =
            TargetSet { targets, senders, excluded_senders, dynamic: targeted.is_empty(), has_roles: false };
        Ok(SelectedTargets { targets, filter })
    }

    /// Tells whether the test contract is written for Echidna or Medusa, which call its own functions, and
    /// names no targets.
    fn is_its_own_target(&mut self) -> bool {
        use StdInvariant as S;
        self.own().is_some_and(|contract| self.project.naming(contract).is_its_own_target(contract))
            && self.getters.ask(&S::targetSelectorsCall {}).is_empty()
            && self.getters.ask(&S::targetArtifactsCall {}).is_empty()
            && self.getters.ask(&S::targetArtifactSelectorsCall {}).is_empty()
            && self.getters.ask(&S::targetInterfacesCall {}).is_empty()
    }

    fn artifact_filter(&mut self) -> Result<ArtifactFilter, String> {
        use StdInvariant as S;
        let mut filter = ArtifactFilter::default();
        for targeted in self.getters.ask(&S::targetArtifactSelectorsCall {}) {
            let id = self.artifact(&targeted.artifact)?.id.clone();
            let selectors = targeted.selectors.iter().map(|selector| Selector::from(selector.0));
            filter.targeted.entry(id).or_default().extend(selectors);
        }
        let excluded = self.getters.ask(&S::excludeArtifactsCall {});
        for name in excluded {
            let id = self.artifact(&name)?.id.clone();
            if !filter.targeted.contains_key(&id) {
                filter.excluded.insert(id);
            }
        }
        for contract in self.project.contracts() {
            if !contract.abi.functions().any(|function| !is_view(function)) {
                filter.excluded.insert(contract.id.clone());
            }
        }
        for name in self.getters.ask(&S::targetArtifactsCall {}) {
            let id = self.artifact(&name)?.id.clone();
            if !filter.excluded.contains(&id) {
                filter.targeted.entry(id).or_default();
            }
        }
        Ok(filter)
    }

    fn artifact(&self, name: &str) -> Result<Arc<Contract>, String> {
        let found = self.project.by_identifier(name).map_err(|error| error.to_string())?;
        found.cloned().ok_or_else(|| {
            format!(
                "{name} not found in the project. Allowed format: `contract_name` or `contract_path:contract_name`."
            )
        })
    }

    /// Applies `targetInterfaces`: the union of the named interfaces replaces the known functions of the
    /// address.
    fn add_interfaces(&mut self, entries: &mut BTreeMap<Address, TargetBuilder>) -> Result<(), String> {
        let interfaces = self.getters.ask(&StdInvariant::targetInterfacesCall {});
        let mut merged: BTreeMap<Address, (String, JsonAbi)> = BTreeMap::new();
        for interface in interfaces {
            for name in &interface.artifacts {
                let contract = self.artifact(name)?;
                let (_, abi) =
                    merged.entry(interface.addr).or_insert_with(|| (contract.id.to_string(), JsonAbi::new()));
                for (name, functions) in contract.abi.functions.clone() {
                    abi.functions.entry(name).or_default().extend(functions);
                }
            }
        }
        for (address, (identifier, abi)) in merged {
            entries.insert(address, TargetBuilder::new(identifier, Arc::new(abi)));
        }
        Ok(())
    }

    fn add_artifact_selectors(
        &mut self,
        entries: &mut BTreeMap<Address, TargetBuilder>,
        filter: &ArtifactFilter,
    ) -> Result<(), String> {
        for (address, contract) in self.candidates {
            if let (Some(entry), Some(selectors)) =
                (entries.get_mut(address), filter.targeted.get(&contract.id))
            {
                entry.add_selectors(&contract.id.name, selectors.iter().copied())?;
            }
        }
        Ok(())
    }

    fn add_selectors(&mut self, entries: &mut BTreeMap<Address, TargetBuilder>) -> Result<(), String> {
        for targeted in self.getters.ask(&StdInvariant::targetSelectorsCall {}) {
            let selectors = targeted.selectors.iter().map(|selector| Selector::from(selector.0));
            let entry = self.entry(entries, targeted.addr, "targetSelectors")?;
            let called = entry.identifier.clone();
            entry.add_selectors(&called, selectors)?;
        }
        for excluded in self.getters.ask(&StdInvariant::excludeSelectorsCall {}) {
            let selectors = excluded.selectors.iter().map(|selector| Selector::from(selector.0));
            self.entry(entries, excluded.addr, "excludeSelectors")?.excluded.extend(selectors);
        }
        Ok(())
    }

    /// Returns the entry of an address; a candidate that is not yet a target becomes one.
    fn entry<'e>(
        &self,
        entries: &'e mut BTreeMap<Address, TargetBuilder>,
        address: Address,
        getter: &str,
    ) -> Result<&'e mut TargetBuilder, String> {
        match entries.entry(address) {
            btree_map::Entry::Occupied(entry) => Ok(entry.into_mut()),
            btree_map::Entry::Vacant(place) => {
                let known = self.candidates.iter().rev().find(|candidate| candidate.0 == address);
                let Some((_, contract)) = known else {
                    return Err(format!(
                        "[{getter}] address does not have an associated contract: {address}"
                    ));
                };
                Ok(place.insert(TargetBuilder::new(contract.id.to_string(), contract.abi.clone())))
            }
        }
    }

    fn finish(&self, entries: BTreeMap<Address, TargetBuilder>) -> Vec<Target> {
        let mut targets = Vec::new();
        // As in Forge 1.8, storage hooks are no calls of the campaign, unless the test says so.
        let hooks = self.getters.evm.vm.inspector.cheats.hook_callbacks();
        for (address, entry) in entries {
            let is_hook = |function: &Function| {
                hooks.contains(&HookCallback { contract: address, selector: function.selector() })
            };
            let reserved = |function: &Function| address == self.test && self.is_reserved(function);
            let allowed = |function: &&Function| {
                !entry.excluded.contains(&function.selector()) && !reserved(function) && !is_hook(function)
            };
            let functions: Vec<_> = if entry.targeted.is_empty() {
                let changing = entry.abi.functions().filter(|function| !is_view(function));
                changing.filter(allowed).filter_map(callable).collect()
            } else {
                entry.targeted.clone()
            };
            if functions.is_empty() {
                continue;
            }
            // A contract with explicitly selected functions is called only through these.
            let unchosen = entry.targeted.is_empty();
            let views =
                entry.abi.functions().filter(|function| unchosen && is_view(function)).filter(allowed);
            let views = views.filter_map(view).collect();
            targets.push(Target { address, identifier: entry.identifier, functions, views, abi: entry.abi });
        }
        targets
    }

    /// Returns true for functions of the test contract that the fuzzer itself calls.
    fn is_reserved(&self, function: &Function) -> bool {
        let naming = self.own().map(|contract| self.project.naming(contract)).unwrap_or_default();
        naming.kind(function).is_reserved() || GETTERS.contains(&function.name.as_str())
    }

    /// Returns the test contract.
    fn own(&self) -> Option<&Contract> {
        let own = self.candidates.iter().find(|(address, _)| *address == self.test);
        own.map(|(_, contract)| &**contract)
    }
}

/// Filter of artifacts that may be targets (`targetArtifactSelectors`, `targetArtifacts`,
/// `excludeArtifacts`).
#[derive(Clone, Debug, Default)]
pub(crate) struct ArtifactFilter {
    targeted: BTreeMap<ContractId, Vec<Selector>>,
    excluded: BTreeSet<ContractId>,
    /// Functions of contracts that were created. All runs share them.
    known: Arc<Mutex<BTreeMap<ContractId, Vec<Arc<TargetFunction>>>>>,
}

impl ArtifactFilter {
    fn matches(&self, id: &ContractId) -> bool {
        (self.targeted.is_empty() || self.targeted.contains_key(id)) && !self.excluded.contains(id)
    }

    /// Returns the bare name and the functions of a contract created during a run, if it may become a target.
    pub(crate) fn created(&self, contract: &Contract) -> Option<(String, Vec<Arc<TargetFunction>>)> {
        if !self.matches(&contract.id) {
            return None;
        }
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let functions = known.entry(contract.id.clone()).or_insert_with(|| {
            let changing = contract.abi.functions().filter(|function| !is_view(function));
            changing.filter_map(callable).collect()
        });
        (!functions.is_empty()).then(|| (contract.id.name.clone(), functions.clone()))
    }
}

/// Returns the senders that Forge never uses: cheatcodes, console, the CREATE2 deployer, precompiles and
/// zero.
fn builtin_excluded() -> impl Iterator<Item = Address> {
    let precompiles = (1..=0x11u8).map(Address::with_last_byte);
    let p256 = Address::from_word(U256::from(0x100).into());
    precompiles.chain([p256, VM_ADDRESS, CONSOLE_ADDRESS, CREATE2_DEPLOYER, Address::ZERO])
}
