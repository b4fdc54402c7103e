//! The state after `setUp`, and what a campaign needs to know about it.
//!
//! Deployment follows Forge step by step, because addresses, nonces and balances must be the same for
//! counterexamples to replay.

mod before;
mod scan;
mod site;

pub use scan::SCAN;

use super::{scan::ScanRule, targets};
use crate::evm::{
    base::{
        constants::{CALLER, CREATE2_DEPLOYER, CREATE2_DEPLOYER_CODE, LIBRARY_DEPLOYER, VM_ADDRESS},
        heartbeat::{self, ContractNames, Purpose},
        limits::{EndsWhen, PATIENCE},
    },
    cheats::{CheatEnv, Cheats, GasSnapshots, console_abi, dstest_abi, resolve_variables, vm_abi},
    state::{
        fork::{Chain, Endpoints, RpcNode},
        layers::BaseState,
    },
    trace::{
        call_tree::Tracer,
        cmplog::Preimages,
        coverage::{Coverage, CoverageRecorder},
        decode::{Abis, Decoder, Names},
        failure::AssertionRules,
    },
    vm::{
        block::BlockContext,
        call::{CallOutput, Callee, TopCall},
        evm::Evm,
        inspector::CallInspector,
        nested,
    },
};
use crate::{
    config::{Config, EnvConfig},
    model::{ContractId, Property, PropertyKind, Target, TargetFunction, TargetSet, Trace, TraceKind},
    project::{Contract, Project, Suite},
};
use alloy_json_abi::Function;
use alloy_primitives::{Address, Bytes, U256, uint};
use revm::state::Bytecode;
use std::{
    collections::BTreeMap,
    sync::{Arc, PoisonError},
    time::{Duration, Instant},
};

/// What Forge gives to accounts before a test: 2^96 - 1 wei.
const MAX_TEST_BALANCE: U256 = uint!(0xffffffffffffffffffffffff_U256);

/// Selector of `setUp()`.
const SET_UP: [u8; 4] = alloy_primitives::hex!("0a9254e4");

/// A test contract deployed and set up.
#[derive(Clone)]
pub struct TestEnv {
    pub(crate) base_state: Arc<BaseState>,
    pub(crate) cheats: Cheats,
    pub(crate) block_context: BlockContext,
    pub(crate) env: EnvConfig,
    /// CPU time that a call may take, if there is a bound.
    pub(crate) call_timeout: Option<Duration>,
    /// What ends each call, whatever it is made for, if anything does.
    pub(crate) ends_when: Option<EndsWhen>,
    /// Which failures count as failed assertions.
    pub(crate) assertions: AssertionRules,
    pub(crate) abis: Arc<Abis>,
    builtins: Arc<Abis>,
    pub(crate) project: Arc<Project>,
    /// What hashes made until then are hashes of.
    pub(crate) preimages: Preimages,
    /// Address of the test contract.
    pub test: Address,
    /// The test contract.
    pub id: ContractId,
    /// Its properties, in the order of their signatures.
    pub properties: Vec<Property>,
    /// `afterInvariant`, if the contract has it.
    pub after_invariant: Option<TargetFunction>,
    /// `fixture*` functions.
    pub fixtures: Vec<Arc<Function>>,
    /// What the campaign may call; empty when there is a fault.
    pub targets: TargetSet,
    /// Why no targets could be found, in Forge's words.
    pub targets_fault: Option<String>,
    /// Where the only target is a test: when it fails.
    pub(crate) test_rule: Option<TestRule>,
    /// Where a contract is called without a test contract: how it is created again.
    pub(crate) scan: Option<Arc<ScanRule>>,
    /// Whether every call that was to be made before a test succeeded; without that it fails.
    pub prepared: bool,
    /// Which contracts created during a run become targets.
    artifact_filter: targets::ArtifactFilter,
    /// Labels given with `vm.label`.
    pub labels: BTreeMap<Address, String>,
    /// `path:Name` of all contracts known by address.
    pub identifiers: BTreeMap<Address, String>,
    /// Names for traces.
    pub names: Names,
    /// Log lines of the constructor and `setUp`.
    pub logs: Vec<String>,
    /// Deployment and `setUp`, undecoded.
    pub traces: Vec<(TraceKind, Trace)>,
    /// What `setUp` ran of deployed code, the test contract's included, where that was recorded.
    pub ran_in_setup: Arc<Coverage>,
}

/// When a test fails that is the only call of its sequences.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TestRule {
    /// Whether a revert that began in another contract fails it.
    pub(crate) any_revert: bool,
}

/// Why a suite could not be set up.
#[derive(Clone, Debug)]
pub struct SetupFailure {
    /// The result's name in Forge's report: `constructor()` or `setUp()`.
    pub test: &'static str,
    /// Forge's reason.
    pub reason: String,
    /// The reason given to `vm.skip` when the suite asked to be skipped.
    pub skipped: Option<Option<String>>,
    /// Log lines until then.
    pub logs: Vec<String>,
    /// Decoded traces until then.
    pub traces: Vec<(TraceKind, Trace)>,
    /// Labels until then.
    pub labels: BTreeMap<Address, String>,
    /// Whether it was ended ([`ProjectContext::ending_when`]), so that it says nothing.
    pub ended: bool,
}

/// What is shared by all suites of a project.
#[derive(Clone)]
pub struct ProjectContext {
    project: Arc<Project>,
    /// Interfaces of all its contracts.
    abis: Arc<Abis>,
    /// Interfaces of the cheatcode and console addresses.
    builtins: Arc<Abis>,
    /// What env cheatcodes see.
    environment: BTreeMap<String, String>,
    gas_snapshots: GasSnapshots,
    /// What all suites run on, if the configuration wants a fork.
    chain: Option<Arc<Chain>>,
    /// What the node asks for gas, wei.
    gas_price: u128,
    /// Seed of `vm.random*`.
    seed: U256,
    ends_when: Option<EndsWhen>,
}

impl ProjectContext {
    /// Prepares the suites of a project.
    #[must_use]
    pub fn new(project: Arc<Project>, environment: BTreeMap<String, String>, seed: U256) -> Self {
        let own = project.contracts().iter().map(|contract| contract.abi.as_ref());
        // Forge's names for events of tests go before those in the sources.
        let abis = Abis::new(std::iter::once(dstest_abi()).chain(own));
        let builtins = Abis::new([vm_abi(), console_abi()]);
        Self {
            project,
            abis: Arc::new(abis),
            builtins: Arc::new(builtins),
            environment,
            gas_snapshots: GasSnapshots::default(),
            chain: None,
            gas_price: 0,
            seed,
            ends_when: None,
        }
    }

    /// Lets all suites run on a fork, if the configuration names a node, which may take so much time.
    ///
    /// # Errors
    /// When a variable in its address is not set, it does not answer, or has no such block.
    pub fn fork(&mut self, config: &Config, time: Option<Duration>) -> Result<(), String> {
        let Some(url) = &config.rpc.url else { return Ok(()) };
        if let Some(time) = time {
            let end = Instant::now() + time;
            heartbeat::wait_until(Arc::new(move || Instant::now() >= end));
        }
        let resolve = |text: &str| resolve_variables(&self.environment, text);
        let address = Endpoints(&config.rpc).address(url, resolve)?;
        let node = RpcNode::at(&address)?;
        self.chain = Some(Chain::at(&node, config.rpc.block, Endpoints(&config.rpc))?);
        // Nobody pays it; while the node is away it does not matter.
        self.gas_price = node.gas_price().unwrap_or_default();
        Ok(())
    }

    /// The same for tests that nobody asked for: what they want to be written of gas is not.
    #[must_use]
    pub fn apart(&self) -> Self {
        Self { gas_snapshots: GasSnapshots::default(), ..self.clone() }
    }

    /// The same, but that every call ends, in the middle if need be, once `ends` says so.
    #[must_use]
    pub fn ending_when(&self, ends: EndsWhen) -> Self {
        Self { ends_when: Some(ends), ..self.clone() }
    }

    /// What tests want to be written of gas: values by name, by group.
    #[must_use]
    pub fn gas_snapshots(&self) -> BTreeMap<String, BTreeMap<String, String>> {
        self.gas_snapshots.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The project.
    #[must_use]
    pub fn project(&self) -> &Project {
        &self.project
    }

    fn cheat_env(&self, config: &Config, suite: &Suite) -> CheatEnv {
        let abis = self.abis.clone();
        CheatEnv {
            config: config.cheats.clone(),
            root: config.paths.root.clone(),
            environment: self.environment.clone(),
            rpc: config.rpc.clone(),
            gas_snapshots: self.gas_snapshots.clone(),
            seed: config.fuzz.seed.unwrap_or(self.seed),
            project: self.project.clone(),
            running: suite.contract.clone(),
            test: config.env.sender.create(1),
            deprecated: Arc::default(),
            revert_text: Arc::new(move |data| abis.revert_reason(data, "Revert")),
            run_nested: nested::run,
        }
    }
}

struct Builder<'a> {
    context: &'a ProjectContext,
    config: &'a Config,
    evm: Evm,
    /// Address, creation code and runtime code.
    created: Vec<(Address, Bytes, Bytes)>,
    logs: Vec<String>,
    traces: Vec<(TraceKind, Trace)>,
    identifiers: BTreeMap<Address, String>,
}

impl TestEnv {
    /// Deploys libraries and the test contract, runs `setUp`, and reads the targets.
    ///
    /// # Errors
    /// When a constructor or `setUp` reverts or skips, or when no target can be found.
    pub fn build(
        context: &ProjectContext,
        config: &Config,
        suite: &Suite,
    ) -> Result<Self, Box<SetupFailure>> {
        Self::build_with(context, config, suite, None)
    }

    /// As [`Self::build`], and records what `setUp` runs.
    ///
    /// # Errors
    /// The same.
    pub fn build_recorded(
        context: &ProjectContext,
        config: &Config,
        suite: &Suite,
    ) -> Result<Self, Box<SetupFailure>> {
        Self::build_with(context, config, suite, Some(Box::default()))
    }

    fn build_with(
        context: &ProjectContext,
        config: &Config,
        suite: &Suite,
        recorder: Option<Box<CoverageRecorder>>,
    ) -> Result<Self, Box<SetupFailure>> {
        let mut builder = Builder::new(context, config, suite);
        builder.fund_accounts();
        builder.deploy_libraries()?;
        if suite.is_scan() {
            return builder.scan(suite);
        }
        let test = builder.deploy_test(suite)?;
        builder.finish_accounts();
        if suite.set_up {
            builder.evm.vm.ctx.chain.coverage = recorder;
            builder.set_up(test)?;
        }
        let recorder = builder.evm.vm.ctx.chain.coverage.take();
        let ran_in_setup = Arc::new(recorder.map(|recorder| recorder.coverage).unwrap_or_default());
        Ok(Self { ran_in_setup, ..builder.into_test_env(suite, test)? })
    }

    /// The same state for calls under the configuration of some of the properties: as in Forge, comments on a
    /// function count from `setUp` on.
    #[must_use]
    pub fn under(&self, context: &ProjectContext, config: &Config, suite: &Suite) -> Self {
        let mut test_env = self.clone();
        test_env.cheats.reconfigure(context.cheat_env(config, suite));
        if test_env.env.evm_version != config.env.evm_version {
            test_env.env.evm_version = config.env.evm_version;
            test_env.block_context.run_as(test_env.env.evm_version);
        }
        test_env.assertions = AssertionRules::new(&config.harvey);
        test_env.call_timeout = config.harvey.call_timeout;
        test_env
    }

    /// CPU time that a call may take which is made once.
    pub(crate) fn patient_timeout(&self) -> Option<Duration> {
        self.call_timeout.map(|timeout| timeout * PATIENCE)
    }

    /// The same state for the calls of one test, made by the `sender` of tests: it is the only target and the only
    /// property. `any_revert` says whether it fails when a revert began in another contract.
    #[must_use]
    pub fn of_test(&self, test: &Arc<TargetFunction>, suite: &Suite, any_revert: bool) -> Self {
        let target = Target {
            address: self.test,
            identifier: self.id.to_string(),
            functions: vec![test.clone()],
            views: Vec::new(),
            abi: suite.contract.abi.clone(),
        };
        let mut test_env = Self {
            properties: vec![Property { function: test.clone(), kind: PropertyKind::Test }],
            after_invariant: None,
            targets: TargetSet {
                targets: vec![target],
                senders: vec![self.env.sender],
                ..TargetSet::default()
            },
            targets_fault: None,
            test_rule: Some(TestRule { any_revert }),
            ..self.clone()
        };
        if suite.before_test_setup {
            test_env.prepare(test);
        }
        test_env
    }

    /// The same with the properties that may write as targets: what they write stays, where they are called.
    #[must_use]
    pub fn with_invariant_calls(mut self) -> Self {
        let writing = self.properties.iter().filter(|property| property.may_write());
        let functions =
            writing.map(|property| TargetFunction::without_value(Function::clone(&property.function)));
        let functions: Vec<_> = functions.map(Arc::new).collect();
        let targets = &mut self.targets.targets;
        match targets.iter_mut().find(|target| target.address == self.test) {
            Some(target) => {
                let is_new = |function: &Arc<TargetFunction>| {
                    target.functions.iter().all(|known| known.selector() != function.selector())
                };
                let new: Vec<_> = functions.into_iter().filter(is_new).collect();
                target.functions.extend(new);
            }
            None if functions.is_empty() => {}
            None => {
                let (views, abi) = (Vec::new(), Arc::default());
                let identifier = self.id.to_string();
                targets.push(Target { address: self.test, identifier, functions, views, abi });
                targets.sort_by_key(|target| target.address);
            }
        }
        self
    }

    /// Name and functions of a contract created during a run, if it may become a target.
    pub(crate) fn dynamic_target(&self, code: &Bytes) -> Option<(String, Vec<Arc<TargetFunction>>)> {
        let contract = self.project.identify_runtime(code)?;
        targets::dynamic(contract, &self.artifact_filter)
    }

    /// A decoder for this suite's traces; contracts created later are named by their code.
    #[must_use]
    pub fn decode(&self, mut trace: Trace) -> Trace {
        let mut names = self.names.clone();
        for frame in &trace.frames {
            if frame.kind.is_create()
                && let Some(contract) =
                    self.project.identify_created(&frame.result.output, &frame.message.input)
            {
                names.add(frame.message.address, contract.id.name.clone());
            }
        }
        Decoder { abis: &self.abis, builtins: &self.builtins, names: &names }.decode(&mut trace);
        trace
    }

    /// Forge's warning about deprecated cheatcodes that were called so far, if any were.
    #[must_use]
    pub fn deprecation_warning(&self) -> Option<String> {
        self.cheats.deprecation_warning()
    }

    /// `path:Name` of the contract at an address, where known.
    #[must_use]
    pub fn identifier(&self, address: Address) -> Option<&str> {
        self.identifiers.get(&address).map(String::as_str)
    }

    /// The reason that a failed call gives; `limits` is how it ended, which is all there is to say without data.
    #[must_use]
    pub fn revert_reason(&self, data: &[u8], limits: &str) -> String {
        self.abis.revert_reason(data, limits)
    }

    /// What to call an account: its identifier, or else its address.
    #[must_use]
    pub fn called(&self, address: Address) -> String {
        self.identifier(address).map_or_else(|| address.to_string(), str::to_owned)
    }
}

impl ContractNames for TestEnv {
    fn contract_name(&self, address: Address) -> String {
        self.called(address)
    }
}

impl<'a> Builder<'a> {
    fn new(context: &'a ProjectContext, config: &'a Config, suite: &Suite) -> Self {
        let inspector = CallInspector::new(Cheats::new(Arc::new(context.cheat_env(config, suite))));
        let base_state = BaseState { fork: context.chain.clone(), ..BaseState::default() };
        let mut evm = Evm::new(Arc::new(base_state), &config.env, inspector);
        if let Some(chain) = &context.chain {
            evm.fork(chain, &config.env, context.gas_price);
        }
        evm.bound_time(config.harvey.call_timeout.map(|timeout| timeout * PATIENCE));
        evm.end_when(context.ends_when.clone());
        heartbeat::turn_to(Purpose::Build(suite.id().clone()));
        evm.inspector().tracer = Some(Tracer::default());
        evm.vm.ctx.chain.cmplog.hashing = true;
        Self {
            context,
            config,
            evm,
            created: Vec::new(),
            logs: Vec::new(),
            traces: Vec::new(),
            identifiers: BTreeMap::new(),
        }
    }

    fn base_state(&mut self) -> &mut BaseState {
        Arc::make_mut(self.evm.base_state())
    }

    fn fund_accounts(&mut self) {
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
    }

    fn finish_accounts(&mut self) {
        let sender = self.config.env.sender;
        let base_state = self.base_state();
        for address in [sender, CALLER, LIBRARY_DEPLOYER] {
            base_state.set_balance(address, MAX_TEST_BALANCE);
        }
        base_state
            .set_code(CREATE2_DEPLOYER, Bytecode::new_legacy(Bytes::from_static(&CREATE2_DEPLOYER_CODE)));
    }

    fn deploy_libraries(&mut self) -> Result<(), Box<SetupFailure>> {
        let context = self.context;
        for library in context.project.libraries() {
            let code = library.init_code.clone();
            let output = self.transact(LIBRARY_DEPLOYER, Callee::New, code, TraceKind::Deployment);
            if !output.is_success() {
                // Forge names neither the library nor the constructor.
                let reason = self.reason(&output);
                return Err(self.failure("setUp()", reason));
            }
        }
        Ok(())
    }

    fn deploy_test(&mut self, suite: &Suite) -> Result<Address, Box<SetupFailure>> {
        let code = suite.contract.creation_code().cloned().unwrap_or_default();
        let output = self.transact(self.config.env.sender, Callee::New, code, TraceKind::Deployment);
        if let Some(reason) = output.skip_reason() {
            return Err(self.skipped("constructor()", reason));
        }
        if let Some(unsupported) = self.evm.inspector().cheats.unsupported.clone() {
            return Err(self.failure("constructor()", unsupported));
        }
        match output.created {
            Some(address) if output.is_success() => {
                self.identifiers.insert(address, suite.id().to_string());
                Ok(address)
            }
            _ => {
                let reason = self.reason(&output);
                // What may not be a transaction at all is no failure of the constructor for Forge.
                Err(self.failure(if output.refused { "setUp()" } else { "constructor()" }, reason))
            }
        }
    }

    fn set_up(&mut self, test: Address) -> Result<(), Box<SetupFailure>> {
        let data = Bytes::from_static(&SET_UP);
        let output = self.transact(CALLER, Callee::Account(test), data, TraceKind::Setup);
        if let Some(reason) = output.skip_reason() {
            return Err(self.skipped("setUp()", reason));
        }
        if let Some(unsupported) = self.evm.inspector().cheats.unsupported.clone() {
            return Err(self.failure("setUp()", unsupported));
        }
        let flagged = !self.evm.storage(VM_ADDRESS, crate::evm::base::constants::FAILED_SLOT).is_zero();
        if !output.is_success() || flagged {
            let reason = if flagged { "execution error".to_owned() } else { self.reason(&output) };
            return Err(self.failure("setUp()", reason));
        }
        Ok(())
    }

    /// A committed top-level call, traced; creations in it are noted whether they were kept or not.
    fn transact(&mut self, caller: Address, to: Callee, data: Bytes, kind: TraceKind) -> CallOutput {
        let call = TopCall { caller, to, value: U256::ZERO, data, reentry: None };
        let output = self.evm.transact(&call);
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

    fn reason(&self, output: &CallOutput) -> String {
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

    fn failure(&mut self, test: &'static str, reason: String) -> Box<SetupFailure> {
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

    fn skipped(&mut self, test: &'static str, reason: Option<String>) -> Box<SetupFailure> {
        let mut failure = self.failure(test, String::new());
        failure.skipped = Some(reason);
        failure
    }

    /// Names the contracts created so far by their creation code, or else by their runtime code.
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

    fn into_test_env(mut self, suite: &Suite, test: Address) -> Result<TestEnv, Box<SetupFailure>> {
        let candidates = self.identify_created();
        let selected = targets::select(
            &mut self.evm,
            &self.context.project,
            [test, self.config.env.sender],
            &candidates,
        );
        if self.evm.was_ended() {
            // What a getter would have said is not known.
            return Err(self.failure("setUp()", String::new()));
        }
        Ok(self.test_env_for(suite, test, selected))
    }

    /// What was built, with what may be called of it, or why nothing can.
    fn test_env_for(
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
        // The compiler hashes literals itself.
        self.context.project.literals().bytes.iter().for_each(|literal| preimages.keep(literal));
        let inspector = self.evm.inspector();
        inspector.tracer = None;
        TestEnv {
            cheats: inspector.cheats.clone(),
            base_state: self.evm.base_state().clone(),
            block_context: self.evm.block_context().after_setup(),
            env: self.config.env.clone(),
            assertions: AssertionRules::new(&self.config.harvey),
            call_timeout: self.config.harvey.call_timeout,
            ends_when: self.context.ends_when.clone(),
            abis: self.context.abis.clone(),
            builtins: self.context.builtins.clone(),
            project: self.context.project.clone(),
            preimages,
            test,
            id: suite.id().clone(),
            properties: suite.properties.clone(),
            after_invariant: after_invariant(suite),
            fixtures: suite.fixtures.clone(),
            labels,
            targets: selected.targets,
            targets_fault,
            test_rule: None,
            scan: None,
            prepared: true,
            artifact_filter: selected.filter,
            identifiers: self.identifiers,
            names,
            logs: self.logs,
            traces: self.traces,
            ran_in_setup: Arc::default(),
        }
    }
}

fn after_invariant(suite: &Suite) -> Option<TargetFunction> {
    let mut named = suite.contract.abi.function("afterInvariant")?.iter();
    let function = named.find(|function| function.inputs.is_empty()).filter(|_| suite.after_invariant)?;
    Some(TargetFunction::new(function.clone()))
}
