//! Scan environment: a contract without a test contract, created with its dependencies and initialized.

use super::{
    SetupFailure, TestEnv,
    deployed::{DeployedScene, NamedAccounts},
    setup::Builder,
};
use crate::{
    evm::{
        exec::{
            scan::{
                Deployer, ETHER, Rejected, ScanRule, Undeployable, Unmet, actors, can_pay, initialize,
                is_plain_address, scanned, suggests,
            },
            targets::{self, SelectedTargets},
        },
        vm::call::{Callee, TopCall},
    },
    model::{
        Actor, Branch, CodeOrigin, ContractId, Copied, Deployment, Entry, PreparedState, Scene, Target,
        TargetFunction, TargetSet, TraceKind,
    },
    project::{Contract, Suite},
};
use alloy_dyn_abi::DynSolValue;
use alloy_json_abi::{Function, StateMutability};
use alloy_primitives::{Address, Bytes, U256};
use revm::state::Bytecode;
use std::sync::Arc;

/// Test name in the report if the scanned contract cannot be deployed.
pub const SCAN: &str = "scan()";

impl TestEnv {
    /// Returns the scene of a scan: the contracts and actors before the first call. `None` if
    /// there is a test contract.
    #[must_use]
    pub fn scene(&self) -> Option<&Scene> {
        self.scan.as_ref().map(|scan| &scan.scene)
    }

    /// Returns values for address parameters by name: the contracts deployed as dependencies for those of the
    /// constructor, and for others the contracts that their names suggest.
    pub fn deployed_for(&self) -> Vec<(String, Vec<DynSolValue>)> {
        let Some(scene) = self.scene() else { return Vec::new() };
        let built = scene.dependencies.iter().map(|built| DynSolValue::Address(built.address));
        let built: Vec<_> = built.collect();
        let constructor = self.project.contract(&scene.contract.contract).and_then(|c| c.abi.constructor());
        let params = constructor.iter().flat_map(|constructor| &constructor.inputs);
        let named = params.filter(|param| param.ty == "address").map(|param| param.name.clone());
        let named = named.filter(|_| !built.is_empty()).map(|name| (name, built.clone()));
        let functions = self.targets.targets.iter().flat_map(|target| target.abi.functions());
        let params = functions.flat_map(|function| &function.inputs).filter(|param| is_plain_address(param));
        let suggested = params.filter_map(|param| {
            let meant = scene.dependencies.iter().filter(|built| suggests(&param.name, built));
            let meant: Vec<_> = meant.map(|built| DynSolValue::Address(built.address)).collect();
            (!meant.is_empty()).then(|| (param.name.clone(), meant))
        });
        named.chain(suggested).collect()
    }
}

impl Builder<'_> {
    /// Builds the test environment of a scan.
    ///
    /// # Errors
    /// When the contract cannot be deployed.
    pub(super) fn scan(mut self, suite: &Suite) -> Result<TestEnv, Box<SetupFailure>> {
        self.finish_accounts();
        let contract = &suite.contract;
        let named = match suite.origin.account() {
            Some(account) => DeployedScene(&mut self).named_on_chain(contract, account),
            None => NamedAccounts { trusted: self.named(contract), ..NamedAccounts::default() },
        };
        for Actor { address, code, .. } in actors::all().into_iter().chain(named.trusted.iter().cloned()) {
            let base_state = self.base_state();
            base_state.set_balance(address, Scene::BALANCE);
            if !code.is_empty() {
                base_state.set_code(address, Bytecode::new_legacy(code));
            }
        }
        let forced = self.force_wei(suite);
        self.evm.vm.ctx.chain.taint = self.config.harvey.tracks_taint().then(Box::default);
        let begun = self.begin_scene(suite, &named.trusted, forced);
        let deployed = match &suite.origin {
            CodeOrigin::Artifact | CodeOrigin::CreationCode(_) => self.deploy(contract, begun),
            CodeOrigin::RuntimeCode(code) => {
                Ok((DeployedScene(&mut self).install(contract, code, begun), Vec::new()))
            }
            CodeOrigin::Chain { account, others, .. } => {
                Ok((DeployedScene(&mut self).on_chain(*account, others, begun), Vec::new()))
            }
        };
        let taint = self.evm.vm.ctx.chain.taint.take().map(|tracker| tracker.into_storage());
        let (mut scene, suggested) = match deployed {
            Ok(deployed) => deployed,
            Err(Undeployable(why)) => {
                return Err(self.skipped(SCAN, Some(format!("it cannot be deployed: {why}"))));
            }
        };
        scene.prepared.tokens = DeployedScene(&mut self).fund_with_tokens(&scene, &named);
        scene.prepared.words = named.words;
        if self.evm.was_ended() {
            return Err(self.failure(SCAN, String::new()));
        }
        let unread = self.evm.inspector().cheats.forks.take_failure();
        if let Some(error) = self.unanswered.take().or(unread) {
            return Err(self.failure(SCAN, format!("the node did not answer: {error}")));
        }
        self.created.clear();
        let targets = self.scan_targets(&scene, &suggested, contract);
        let init_code = contract.creation_code().cloned().unwrap_or_default();
        let balance_of = contract.abi.function("balanceOf").and_then(|named| {
            let takes_account = |function: &&Function| function.signature() == "balanceOf(address)";
            named.iter().find(takes_account).cloned()
        });
        let reentrants = actors::reentrants().into();
        let rule = ScanRule { init_code, scene: scene.clone(), balance_of, reentrants };
        let scan = Some(Arc::new(rule));
        let mut test_env = self.test_env_for(suite, scene.contract.address, targets);
        for Actor { name, address, .. } in &scene.actors {
            test_env.names.labels.entry(*address).or_insert_with(|| (*name).to_owned());
            test_env.names.names.label(*address, (*name).to_owned());
        }
        test_env.scan = scan;
        test_env.start.taint = taint;
        Ok(test_env)
    }

    /// Returns the accounts that the code of a contract names and that have no code yet.
    fn named(&mut self, contract: &Contract) -> Vec<Actor> {
        let named = contract.known_code().map(|code| actors::named(code)).unwrap_or_default();
        named.into_iter().filter(|actor| self.evm.code(actor.address).is_empty()).collect()
    }

    /// Gives an ether to the address of a contract that can send wei but takes none, before it is created. Returns the
    /// amount.
    fn force_wei(&mut self, suite: &Suite) -> U256 {
        let contract = &suite.contract;
        let payable = |function: &Function| function.state_mutability == StateMutability::Payable;
        let takes_wei =
            special(contract).iter().any(|entry| payable(entry)) || contract.abi.functions().any(payable);
        if takes_wei || suite.origin.account().is_some() {
            return U256::ZERO;
        }
        self.base_state().set_balance(scanned(), ETHER);
        ETHER
    }

    /// Returns the scene before the contract is there.
    fn begin_scene(&self, suite: &Suite, named: &[Actor], forced: U256) -> Scene {
        let block = &self.evm.vm.ctx.block;
        let (timestamp, number) = (block.timestamp, block.number);
        let there = suite.origin.account().map(|account| account.address);
        let address = there.unwrap_or_else(scanned);
        let fork = self.context.forked().map(|(chain, _)| chain.number);
        let contract =
            Deployment { contract: suite.id().clone(), address, args: Bytes::new(), value: U256::ZERO };
        Scene {
            deployer: there.is_none().then_some(actors::DEPLOYER),
            named: named.iter().map(|actor| actor.address).collect(),
            actors: actors::all().into_iter().chain(named.iter().cloned()).collect(),
            prepared: PreparedState { timestamp, number, forced, fork, ..PreparedState::default() },
            origin: suite.origin.clone(),
            dependencies: Vec::new(),
            guessed: Vec::new(),
            contract,
            copied: Copied::default(),
            initializers: Vec::new(),
            can_pay: true,
        }
    }

    /// Deploys the contract. Returns the scene, and those dependencies that only names of parameters suggest.
    fn deploy(
        &mut self,
        contract: &Arc<Contract>,
        scene: Scene,
    ) -> Result<(Scene, Vec<Address>), Undeployable> {
        let project = self.context.project.clone();
        let examples = self.context.deployments.clone();
        let mut create = |address, value, code| self.attempt(Callee::NewAt(address), value, code);
        let mut deployer = Deployer::new(&project, &examples, &mut create);
        let deployed = deployer.scanned(contract)?;
        let copied = deployer.copied();
        let Deployer { dependencies, guessed, suggested, .. } = deployer;
        let address = deployed.address;
        let initializers = initialize(&project, contract, &dependencies, &mut |data| {
            self.attempt(Callee::Account(address), U256::ZERO, data).is_ok()
        });
        let has_heirs = || project.heirs(&contract.id).next().is_some();
        let can_pay = can_pay(&self.evm.code(address)) || has_heirs();
        let scene =
            Scene { dependencies, guessed, contract: deployed, copied, initializers, can_pay, ..scene };
        Ok((scene, suggested))
    }

    /// Makes a call or creation by the deployer. If it fails, its traces and logs are dropped.
    pub(super) fn attempt(&mut self, to: Callee, value: U256, data: Bytes) -> Result<(), Rejected> {
        let (traces, logs) = (self.traces.len(), self.logs.len());
        let call = TopCall::plain(actors::DEPLOYER, to, value, data);
        if let Some(taint) = &mut self.evm.vm.ctx.chain.taint {
            taint.begin_deployment(call.caller);
        }
        self.evm.trace_comparisons(true);
        let output = self.transact_call(&call, TraceKind::Deployment);
        let branches = self.evm.footprint(false).map(|footprint| footprint.branches).unwrap_or_default();
        self.evm.trace_comparisons(false);
        if let Some(taint) = &mut self.evm.vm.ctx.chain.taint {
            taint.end(output.is_success());
        }
        if output.is_success() && self.evm.inspector().cheats.transaction.unsupported.is_none() {
            return Ok(());
        }
        self.traces.truncate(traces);
        self.logs.truncate(logs);
        let unmet = branches.iter().rev().find(|branch| branch.reverted());
        let unmet = unmet.map(|Branch { relation, left, right, .. }| Unmet {
            relation: *relation,
            left: *left,
            right: *right,
        });
        Err(Rejected { reason: self.reason(&output), unmet })
    }

    /// Returns the targets: the contract and its dependencies, each with all of its callable functions, and the actor
    /// whose answers the contract uses. Dependencies that names only suggest are no targets.
    fn scan_targets(
        &mut self,
        scene: &Scene,
        suggested: &[Address],
        contract: &Arc<Contract>,
    ) -> Result<SelectedTargets, String> {
        let special = if scene.origin.is_created() { special(contract) } else { receivers(contract) };
        let mut targets = vec![self.scan_target(&scene.contract, contract, special)];
        let called = scene.dependencies.iter().filter(|built| !suggested.contains(&built.address));
        for built in called {
            let contract = self.context.project.contract(&built.contract).cloned();
            targets.extend(contract.map(|contract| self.scan_target(built, &contract, receivers(&contract))));
        }
        if let Some(target) = actors::answering(&self.evm.code(scene.code_at())) {
            self.identifiers.insert(target.address, target.identifier.clone());
            targets.push(target);
        }
        targets.retain(|target| !target.functions.is_empty() || !target.views.is_empty());
        targets.sort_by_key(|target| target.address);
        let senders = scene.actors.iter().map(|actor| actor.address).collect();
        let targets = TargetSet { targets, senders, has_roles: true, ..TargetSet::default() };
        Ok(SelectedTargets { targets, ..SelectedTargets::default() })
    }

    fn scan_target(
        &mut self,
        built: &Deployment,
        contract: &Contract,
        special: Vec<Arc<TargetFunction>>,
    ) -> Target {
        let identifier = ContractId::to_string(&built.contract);
        self.identifiers.insert(built.address, identifier.clone());
        let (functions, views) = targets::callables(&contract.abi);
        let functions = special.into_iter().chain(functions).collect();
        Target { address: built.address, identifier, functions, views, abi: contract.abi.clone() }
    }
}

/// Returns the entry points of a contract beside its functions: constructor, `receive` and `fallback`.
fn special(contract: &Contract) -> Vec<Arc<TargetFunction>> {
    let constructor = contract.abi.constructor().map(|constructor| {
        TargetFunction::special(Entry::Constructor, constructor.inputs.clone(), constructor.state_mutability)
    });
    constructor.map(Arc::new).into_iter().chain(receivers(contract)).collect()
}

fn receivers(contract: &Contract) -> Vec<Arc<TargetFunction>> {
    let fallback = contract.abi.fallback.as_ref().map(|fallback| fallback.state_mutability);
    let takes_wei = contract.abi.receive.is_some() || fallback == Some(StateMutability::Payable);
    let receive =
        takes_wei.then(|| TargetFunction::special(Entry::Receive, Vec::new(), StateMutability::Payable));
    let fallback = fallback.map(|mutability| {
        let data = alloy_json_abi::Param { ty: "bytes".into(), name: "data".into(), ..Default::default() };
        TargetFunction::special(Entry::Fallback, vec![data], mutability)
    });
    receive.into_iter().chain(fallback).map(Arc::new).collect()
}
