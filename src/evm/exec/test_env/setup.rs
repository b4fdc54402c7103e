//! Deployment and `setUp`, step by step as Forge does them.

use super::{CallLimits, DeployedSuite, NameTable, ProjectContext, SetupRecord, StartState, TestEnv};
use crate::evm::exec::targets;
use crate::evm::{
    base::{
        constants::{CALLER, LIBRARY_DEPLOYER, VM_ADDRESS},
        heartbeat::{self, Purpose},
        limits::ONE_OFF_FACTOR,
        spec::spec_id,
    },
    cheats::{Cheats, block_history_contract},
    state::layers::BaseState,
    trace::{
        call_tree::Tracer,
        decode::{Decoder, Names},
        failure::AssertionRules,
        taint::StorageTaint,
    },
    vm::{
        call::{CallOutput, Callee, TopCall},
        evm::Evm,
        inspector::CallInspector,
    },
};
use crate::{
    config::Config,
    model::{TargetFunction, Trace, TraceKind},
    project::{Contract, Suite},
};
use alloy_primitives::{Address, Bytes, U256, uint};
use revm::{primitives::hardfork::SpecId, state::Bytecode};
use std::{collections::BTreeMap, sync::Arc};

/// Balance that Forge gives to accounts before a test: 2^96 - 1 wei.
const MAX_TEST_BALANCE: U256 = uint!(0xffffffffffffffffffffffff_U256);

/// Selector of `setUp()`.
const SET_UP: [u8; 4] = alloy_primitives::hex!("0a9254e4");

/// Reason that a suite could not be set up.
#[derive(Clone, Debug)]
pub struct SetupFailure {
    /// Test name in Forge's report: `constructor()` or `setUp()`.
    pub test: &'static str,
    /// Reason in Forge's words.
    pub reason: String,
    /// Reason given to `vm.skip`, if the suite was skipped.
    pub skipped: Option<Option<String>>,
    /// Log lines before the failure.
    pub logs: Vec<String>,
    /// Decoded traces before the failure.
    pub traces: Vec<(TraceKind, Trace)>,
    /// Labels before the failure.
    pub labels: BTreeMap<Address, String>,
    /// True if the setup was ended early ([`ProjectContext::ending_when`]). The failure is then meaningless.
    pub ended: bool,
}

/// Test environment under construction.
pub(super) struct Builder<'a> {
    pub(super) context: &'a ProjectContext,
    pub(super) config: &'a Config,
    pub(super) evm: Evm,
    /// Address, creation code and runtime code of the created contracts.
    pub(super) created: Vec<(Address, Bytes, Bytes)>,
    pub(super) logs: Vec<String>,
    pub(super) traces: Vec<(TraceKind, Trace)>,
    pub(super) identifiers: BTreeMap<Address, String>,
    /// First error of a node that left a question unanswered.
    pub(super) unanswered: Option<String>,
}

impl<'a> Builder<'a> {
    pub(super) fn new(context: &'a ProjectContext, config: &'a Config, suite: &Suite) -> Self {
        let inspector = CallInspector::new(Cheats::new(Arc::new(context.cheat_env(config, suite))));
        let fork = context.forked();
        let base_state = BaseState { fork: fork.map(|(chain, _)| chain.clone()), ..BaseState::default() };
        let mut evm = Evm::new(Arc::new(base_state), &config.env, inspector);
        if let Some((chain, gas_price)) = fork {
            evm.fork(chain, &config.env, gas_price);
        }
        evm.bound_time(config.harvey.call_timeout.map(|timeout| timeout * ONE_OFF_FACTOR));
        evm.end_when(context.ends_when.clone());
        heartbeat::turn_to(Purpose::Build(suite.id().clone()));
        evm.inspector().tracer = Some(Tracer::default());
        evm.inspector().cheats.follow(&config.harvey.forge.behaviour());
        evm.vm.ctx.chain.cmplog.hashing = true;
        Self {
            context,
            config,
            evm,
            created: Vec::new(),
            logs: Vec::new(),
            traces: Vec::new(),
            identifiers: BTreeMap::new(),
            unanswered: None,
        }
    }

    pub(super) fn base_state(&mut self) -> &mut BaseState {
        Arc::make_mut(self.evm.base_state())
    }

    pub(super) fn fund_accounts(&mut self) {
        let sender = self.config.env.sender;
        let test = sender.create(1);
        let initial_balance = self.config.env.initial_balance;
        let base_state = self.base_state();
        for address in [sender, CALLER, LIBRARY_DEPLOYER] {
            base_state.set_balance(address, U256::MAX);
        }
        base_state.account(sender).info.nonce = 1;
        base_state.set_balance(test, initial_balance);
        base_state.set_code(VM_ADDRESS, Bytecode::new_legacy(Bytes::from_static(&[0])));
        self.deploy_block_history();
    }

    /// Deploys the contract of EIP-2935, if the version of Forge does so. On a fork, the chain has it.
    fn deploy_block_history(&mut self) {
        let is_prague = spec_id(self.config.env.evm_version).is_enabled_in(SpecId::PRAGUE);
        let is_wanted = self.config.harvey.forge.behaviour().has_block_history && is_prague;
        if is_wanted && self.context.forked().is_none() {
            let (address, code) = block_history_contract();
            self.base_state().set_code(address, Bytecode::new_legacy(code));
        }
    }

    pub(super) fn finish_accounts(&mut self) {
        let sender = self.config.env.sender;
        let base_state = self.base_state();
        for address in [sender, CALLER, LIBRARY_DEPLOYER] {
            base_state.set_balance(address, MAX_TEST_BALANCE);
        }
        self.install_create2_deployer();
    }

    pub(super) fn deploy_test(&mut self, suite: &Suite) -> Result<Address, Box<SetupFailure>> {
        let code = suite.contract.creation_code().cloned().unwrap_or_default();
        let output = self.transact(self.config.env.sender, Callee::New, code, TraceKind::Deployment);
        if let Some(reason) = self.evm.skip_reason(&output) {
            return Err(self.skipped("constructor()", reason));
        }
        if let Some(unsupported) = self.evm.inspector().cheats.transaction.unsupported.clone() {
            return Err(self.failure("constructor()", unsupported));
        }
        match output.created {
            Some(address) if output.is_success() => {
                self.identifiers.insert(address, suite.id().to_string());
                Ok(address)
            }
            _ => {
                let reason = self.reason(&output);
                // For Forge, a creation that is invalid as a transaction is not a failure of the constructor.
                Err(self.failure(if output.refused { "setUp()" } else { "constructor()" }, reason))
            }
        }
    }

    pub(super) fn set_up(&mut self, test: Address) -> Result<(), Box<SetupFailure>> {
        let data = Bytes::from_static(&SET_UP);
        let output = self.transact(CALLER, Callee::Account(test), data, TraceKind::Setup);
        if let Some(reason) = self.evm.skip_reason(&output) {
            return Err(self.skipped("setUp()", reason));
        }
        if let Some(unsupported) = self.evm.inspector().cheats.transaction.unsupported.clone() {
            return Err(self.failure("setUp()", unsupported));
        }
        let flagged = !self.evm.storage(VM_ADDRESS, crate::evm::base::constants::FAILED_SLOT).is_zero();
        if !output.is_success() || flagged {
            let reason = if flagged { "execution error".to_owned() } else { self.reason(&output) };
            return Err(self.failure("setUp()", reason));
        }
        Ok(())
    }

    /// Makes a top-level call without value, as [`Self::transact_call`].
    pub(super) fn transact(
        &mut self,
        caller: Address,
        to: Callee,
        data: Bytes,
        kind: TraceKind,
    ) -> CallOutput {
        self.transact_call(&TopCall::plain(caller, to, U256::ZERO, data), kind)
    }

    /// Makes a top-level call with a trace, and commits its changes if it succeeds. Creations in it are
    /// recorded in any case.
    pub(super) fn transact_call(&mut self, call: &TopCall, kind: TraceKind) -> CallOutput {
        let output = self.evm.transact(call);
        let traces = self.evm.inspector().tracer.as_mut().map(Tracer::take).unwrap_or_default();
        for trace in &traces {
            self.note_created(trace);
        }
        self.traces.extend(traces.into_iter().map(|trace| (kind, trace)));
        let mut logs = self.evm.inspector().cheats.take_logs();
        self.logs.append(&mut logs);
        if output.is_success() {
            self.evm.commit();
        } else {
            self.evm.discard();
        }
        self.evm.settle();
        output
    }

    fn note_created(&mut self, trace: &Trace) {
        for frame in trace.frames.iter().filter(|frame| frame.kind.is_create()) {
            self.created.push((
                frame.message.address,
                frame.message.input.clone(),
                frame.result.output.clone(),
            ));
        }
    }

    pub(super) fn reason(&self, output: &CallOutput) -> String {
        self.evm.reason(&self.context.abis, output)
    }

    fn labels(&mut self) -> BTreeMap<Address, String> {
        self.evm.inspector().cheats.labels().clone()
    }

    fn names(&mut self) -> Names {
        let mut names = Names::builtin();
        for (address, identifier) in &self.identifiers {
            let name = identifier.rsplit(':').next().unwrap_or(identifier);
            names.add(*address, name);
        }
        for (address, label) in self.labels() {
            names.label(address, label);
        }
        names
    }

    pub(super) fn failure(&mut self, test: &'static str, reason: String) -> Box<SetupFailure> {
        self.identify_created();
        let names = self.names();
        let decoder = Decoder { abis: &self.context.abis, builtins: &self.context.builtins, names: &names };
        let mut traces = std::mem::take(&mut self.traces);
        for (_, trace) in &mut traces {
            decoder.decode(trace);
        }
        Box::new(SetupFailure {
            test,
            reason,
            skipped: None,
            logs: std::mem::take(&mut self.logs),
            traces,
            labels: self.labels(),
            ended: self.evm.was_ended(),
        })
    }

    pub(super) fn skipped(&mut self, test: &'static str, reason: Option<String>) -> Box<SetupFailure> {
        let mut failure = self.failure(test, String::new());
        failure.skipped = Some(reason);
        failure
    }

    /// Identifies the contracts created so far by their creation code or, failing that, by their runtime code.
    fn identify_created(&mut self) -> Vec<(Address, Arc<Contract>)> {
        let mut found: Vec<(Address, Arc<Contract>)> = Vec::new();
        for (address, creation, runtime) in std::mem::take(&mut self.created) {
            if let Some(contract) = self.context.project.identify_created(&runtime, &creation) {
                self.identifiers.insert(address, contract.id.to_string());
                found.push((address, contract.clone()));
            }
        }
        found
    }

    pub(super) fn into_test_env(
        mut self,
        suite: &Suite,
        test: Address,
    ) -> Result<TestEnv, Box<SetupFailure>> {
        let candidates = self.identify_created();
        let selected = targets::select(
            &mut self.evm,
            &self.context.project,
            [test, self.config.env.sender],
            &candidates,
        );
        if self.evm.was_ended() {
            // The result of a getter is unknown.
            return Err(self.failure("setUp()", String::new()));
        }
        Ok(self.test_env_for(suite, test, selected))
    }

    /// Returns the test environment with the selected targets, or with the reason that there are none.
    pub(super) fn test_env_for(
        mut self,
        suite: &Suite,
        test: Address,
        selected: Result<targets::SelectedTargets, String>,
    ) -> TestEnv {
        let (selected, targets_fault) = match selected {
            Ok(selected) => (selected, None),
            Err(reason) => (targets::SelectedTargets::default(), Some(reason)),
        };
        let (names, labels) = (self.names(), self.labels());
        let mut preimages = std::mem::take(&mut self.evm.vm.ctx.chain.cmplog.preimages);
        // The compiler hashes literals itself, so these hashes have no KECCAK256 in the code.
        self.context.project.literals().bytes.iter().for_each(|literal| preimages.keep(literal));
        let inspector = self.evm.inspector();
        inspector.tracer = None;
        TestEnv {
            start: StartState {
                cheats: inspector.cheats.clone(),
                base_state: self.evm.base_state().clone(),
                block_context: self.evm.block_context().after_setup(),
                env: self.config.env.clone(),
                preimages,
                taint: self.config.harvey.tracks_taint().then(StorageTaint::default),
            },
            limits: CallLimits {
                timeout: self.config.harvey.call_timeout,
                ends_when: self.context.ends_when.clone(),
            },
            assertions: AssertionRules::new(&self.config.harvey),
            names: NameTable {
                abis: self.context.abis.clone(),
                builtins: self.context.builtins.clone(),
                labels,
                identifiers: self.identifiers,
                names,
            },
            setup: SetupRecord {
                logs: self.logs,
                traces: self.traces,
                coverage: Arc::default(),
                prepared: true,
            },
            suite: DeployedSuite {
                test,
                id: suite.id().clone(),
                properties: suite.properties.clone(),
                after_invariant: after_invariant(suite),
                fixtures: suite.fixtures.clone(),
            },
            targets: selected.targets,
            targets_fault,
            artifact_filter: selected.filter,
            test_rule: None,
            scan: None,
            project: self.context.project.clone(),
        }
    }
}

fn after_invariant(suite: &Suite) -> Option<TargetFunction> {
    let mut named = suite.contract.abi.function("afterInvariant")?.iter();
    let function = named.find(|function| function.inputs.is_empty()).filter(|_| suite.after_invariant)?;
    Some(TargetFunction::new(function.clone()))
}
