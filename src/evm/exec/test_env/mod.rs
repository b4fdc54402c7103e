//! Test environment: the state after `setUp`, with the data that a campaign needs about it.
//!
//! Deployment follows Forge step by step. Counterexamples replay only if addresses, nonces and balances are the same.

mod before;
mod context;
mod deployed;
mod libraries;
mod names;
mod scan;
mod setup;
mod site;

pub use context::{ConfiguredFork, ProjectContext};
pub use names::NameTable;
pub use scan::SCAN;
pub use setup::SetupFailure;
pub(crate) use site::{creation_site, creation_site_of, site};

use super::{scan::ScanRule, targets};
use crate::evm::{
    base::{
        heartbeat::ContractNames,
        limits::{EndsWhen, ONE_OFF_FACTOR},
    },
    cheats::Cheats,
    state::layers::BaseState,
    trace::{
        cmplog::Preimages,
        coverage::{Coverage, CoverageRecorder},
        decode::Decoder,
        failure::AssertionRules,
        taint::StorageTaint,
    },
    vm::block::BlockContext,
};
use crate::{
    config::{Config, EnvConfig},
    model::{
        ContractId, Entry, Input, Property, PropertyKind, Target, TargetFunction, TargetSet, Trace,
        TraceKind, Transaction,
    },
    project::{Project, Suite},
};
use alloy_json_abi::Function;
use alloy_primitives::{Address, Bytes, Selector};
use setup::Builder;
use std::{sync::Arc, time::Duration};

/// State on which every sequence begins.
#[derive(Clone)]
pub(crate) struct StartState {
    pub(crate) base_state: Arc<BaseState>,
    pub(crate) cheats: Cheats,
    pub(crate) block_context: BlockContext,
    pub(crate) env: EnvConfig,
    /// Preimages of the hashes made so far.
    pub(crate) preimages: Preimages,
    /// Taint of the storage; `None` if no taint is tracked.
    pub(crate) taint: Option<StorageTaint>,
}

/// Limits of a call.
#[derive(Clone)]
pub(crate) struct CallLimits {
    /// CPU time limit of a call, if there is one.
    pub(crate) timeout: Option<Duration>,
    /// Callback that ends any call once it returns true.
    pub(crate) ends_when: Option<EndsWhen>,
}

impl CallLimits {
    /// Returns the CPU time limit of calls that are made only once.
    pub(crate) fn patient_timeout(&self) -> Option<Duration> {
        self.timeout.map(|timeout| timeout * ONE_OFF_FACTOR)
    }
}

/// Record of deployment and `setUp`.
#[derive(Clone)]
pub struct SetupRecord {
    /// Log lines of the constructor and `setUp`.
    pub logs: Vec<String>,
    /// Traces of deployment and `setUp`, not decoded.
    pub traces: Vec<(TraceKind, Trace)>,
    /// Coverage of the deployed code during `setUp`, with that of the test contract, if it was recorded.
    pub coverage: Arc<Coverage>,
    /// True if all calls before the test (`beforeTestSetup`) succeeded. Otherwise the test fails.
    pub prepared: bool,
}

/// Deployed test contract and its properties.
#[derive(Clone)]
pub struct DeployedSuite {
    /// Address of the test contract.
    pub test: Address,
    /// Path and name of the test contract.
    pub id: ContractId,
    /// Properties, ordered by signature.
    pub properties: Vec<Property>,
    /// `afterInvariant`, if the contract has it.
    pub after_invariant: Option<TargetFunction>,
    /// `fixture*` functions.
    pub fixtures: Vec<Arc<Function>>,
}

/// Test environment: a test contract after deployment and `setUp`.
#[derive(Clone)]
pub struct TestEnv {
    pub(crate) start: StartState,
    pub(crate) limits: CallLimits,
    /// Failures that count as failed assertions.
    pub(crate) assertions: AssertionRules,
    /// Names and ABIs of contracts.
    pub names: NameTable,
    /// Record of deployment and `setUp`.
    pub setup: SetupRecord,
    /// Deployed test contract and its properties.
    pub suite: DeployedSuite,
    /// Calls that the campaign may make; none if `targets_fault` is set.
    pub targets: TargetSet,
    /// Reason why no targets could be found, in Forge's words.
    pub targets_fault: Option<String>,
    /// Filter for contracts created during a run, which may become targets.
    artifact_filter: targets::ArtifactFilter,
    /// Failure rule of a test, if the only target is a test.
    pub(crate) test_rule: Option<TestRule>,
    /// Data to create the scanned contract again, if there is no test contract.
    pub(crate) scan: Option<Arc<ScanRule>>,
    pub(crate) project: Arc<Project>,
}

/// Failure rule of a test that is the only call of its sequences.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TestRule {
    /// True if a revert that began in another contract fails the test.
    pub(crate) any_revert: bool,
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

    /// Builds the test environment as [`Self::build`] does, and records the coverage of `setUp`.
    ///
    /// # Errors
    /// As [`Self::build`].
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
        let mut test_env = builder.into_test_env(suite, test)?;
        test_env.setup.coverage = ran_in_setup;
        Ok(test_env)
    }

    /// Returns the same state with another configuration, as needed for properties with configuration
    /// comments of their own. As in Forge, such comments apply only after `setUp`.
    #[must_use]
    pub fn under(&self, context: &ProjectContext, config: &Config, suite: &Suite) -> Self {
        let mut test_env = self.clone();
        test_env.start.cheats.reconfigure(context.cheat_env(config, suite));
        if test_env.start.env.evm_version != config.env.evm_version {
            test_env.start.env.evm_version = config.env.evm_version;
            test_env.start.block_context.run_as(test_env.start.env.evm_version);
        }
        test_env.assertions = AssertionRules::new(&config.harvey);
        test_env.limits.timeout = config.harvey.call_timeout;
        test_env
    }

    /// Returns the same state for one test, called by the configured `sender`. The test is the only target
    /// and the only property. `any_revert` is true if the test also fails on reverts that began in another contract.
    #[must_use]
    pub fn of_test(&self, test: &Arc<TargetFunction>, suite: &Suite, any_revert: bool) -> Self {
        let target = Target {
            address: self.suite.test,
            identifier: self.suite.id.to_string(),
            functions: vec![test.clone()],
            views: Vec::new(),
            abi: suite.contract.abi.clone(),
        };
        let properties = vec![Property { function: test.clone(), kind: PropertyKind::Test }];
        let mut test_env = Self {
            suite: DeployedSuite { properties, after_invariant: None, ..self.suite.clone() },
            targets: TargetSet {
                targets: vec![target],
                senders: vec![self.start.env.sender],
                ..TargetSet::default()
            },
            targets_fault: None,
            test_rule: Some(TestRule { any_revert }),
            ..self.clone()
        };
        if suite.before_test_setup {
            before::prepare(&mut test_env, test);
        }
        test_env
    }

    /// Returns the same test environment with all properties that may write as additional targets. The
    /// changes of such calls are kept.
    #[must_use]
    pub fn with_invariant_calls(mut self) -> Self {
        let writing = self.suite.properties.iter().filter(|property| property.may_write());
        let functions =
            writing.map(|property| TargetFunction::without_value(Function::clone(&property.function)));
        let functions: Vec<_> = functions.map(Arc::new).collect();
        let targets = &mut self.targets.targets;
        match targets.iter_mut().find(|target| target.address == self.suite.test) {
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
                let identifier = self.suite.id.to_string();
                targets.push(Target { address: self.suite.test, identifier, functions, views, abi });
                targets.sort_by_key(|target| target.address);
            }
        }
        self
    }

    /// Returns the name and the functions of a contract created during a run, if it may become a target.
    pub(crate) fn dynamic_target(&self, code: &Bytes) -> Option<(String, Vec<Arc<TargetFunction>>)> {
        let contract = self.project.identify_runtime(code)?;
        self.artifact_filter.created(contract)
    }

    /// Decodes a trace of this suite. Contracts created in the trace are identified by their code.
    #[must_use]
    pub fn decode(&self, mut trace: Trace) -> Trace {
        let mut names = self.names.names.clone();
        for frame in &trace.frames {
            if frame.kind.is_create()
                && let Some(contract) =
                    self.project.identify_created(&frame.result.output, &frame.message.input)
            {
                names.add(frame.message.address, contract.id.name.clone());
            }
        }
        Decoder { abis: &self.names.abis, builtins: &self.names.builtins, names: &names }.decode(&mut trace);
        trace
    }

    /// Returns Forge's warning about the deprecated cheatcodes called so far, if there were any.
    #[must_use]
    pub fn deprecation_warning(&self) -> Option<String> {
        self.start.cheats.deprecation_warning()
    }

    /// Returns `path:Name` of the contract at an address, if it is known.
    #[must_use]
    pub fn identifier(&self, address: Address) -> Option<&str> {
        self.names.identifiers.get(&address).map(String::as_str)
    }

    /// Returns the revert reason in the data of a failed call. `result` is the result that is shown if there
    /// is no data.
    #[must_use]
    pub fn revert_reason(&self, data: &[u8], result: &str) -> String {
        self.names.abis.revert_reason(data, result)
    }

    /// Returns the name of an account: its identifier or, without one, its address.
    #[must_use]
    pub fn called(&self, address: Address) -> String {
        self.identifier(address).map_or_else(|| address.to_string(), str::to_owned)
    }

    /// Returns the call with the function that its calldata selects, if it was made for the fallback function.
    #[must_use]
    pub fn resolved(&self, mut call: Transaction) -> Transaction {
        if let Some(function) = self.selected(&call) {
            call.input = Input::decode(&function, &call.input.calldata());
        }
        call
    }

    /// Returns the name of the contract and the signature of the function that a call enters; the signature is
    /// empty if it is not known.
    #[must_use]
    pub fn entered(&self, call: &Transaction) -> (String, String) {
        let selected = self.selected(call);
        let function = selected.as_ref().or_else(|| call.input.function());
        let signature = function.map_or("", |function| function.signature()).to_owned();
        (self.called(call.target), signature)
    }

    /// Returns the function that the calldata of a call without a known function, or of a call of the fallback
    /// function, selects.
    fn selected(&self, call: &Transaction) -> Option<Arc<TargetFunction>> {
        if call.input.function().is_some_and(|function| function.entry() != Entry::Fallback) {
            return None;
        }
        let selector = Selector::try_from(call.input.calldata().get(..4)?).ok()?;
        let function = self.targets.function(call.target, selector);
        function.filter(|function| function.entry() == Entry::Selector).cloned()
    }
}

impl ContractNames for TestEnv {
    fn contract_name(&self, address: Address) -> String {
        self.called(address)
    }
}
