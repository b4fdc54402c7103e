//! Test environment: the state after `setUp`, with everything that a campaign needs to know of it.
//!
//! Deployment follows Forge step by step, because addresses, nonces and balances must be the same for
//! counterexamples to replay.

mod before;
mod context;
mod names;
mod scan;
mod setup;
mod site;

pub use context::ProjectContext;
pub use names::NameTable;
pub use scan::SCAN;
pub use setup::SetupFailure;
pub(crate) use site::{creation_site, site};

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
    },
    vm::block::BlockContext,
};
use crate::{
    config::{Config, EnvConfig},
    model::{ContractId, Property, PropertyKind, Target, TargetFunction, TargetSet, Trace, TraceKind},
    project::{Project, Suite},
};
use alloy_json_abi::Function;
use alloy_primitives::{Address, Bytes};
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
}

/// Limits of a call.
#[derive(Clone)]
pub(crate) struct CallLimits {
    /// CPU time that a call may take, if it is limited.
    pub(crate) timeout: Option<Duration>,
    /// Condition that ends any call.
    pub(crate) ends_when: Option<EndsWhen>,
}

impl CallLimits {
    /// Returns the CPU time that a call may take which is made once.
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
    /// Deployed code that `setUp` ran, the test contract's included, if that was recorded.
    pub coverage: Arc<Coverage>,
    /// True if every call that was to be made before a test succeeded. A test fails without that.
    pub prepared: bool,
}

/// The deployed test contract and its properties.
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

/// Test environment: a test contract deployed and set up.
#[derive(Clone)]
pub struct TestEnv {
    pub(crate) start: StartState,
    pub(crate) limits: CallLimits,
    /// Failures that count as failed assertions.
    pub(crate) assertions: AssertionRules,
    /// Names and interfaces of contracts.
    pub names: NameTable,
    /// Record of deployment and `setUp`.
    pub setup: SetupRecord,
    /// The deployed test contract and its properties.
    pub suite: DeployedSuite,
    /// Calls that the campaign may make; none if there is a fault.
    pub targets: TargetSet,
    /// Reason why no targets could be found, in Forge's words.
    pub targets_fault: Option<String>,
    /// Contracts created during a run that become targets.
    artifact_filter: targets::ArtifactFilter,
    /// Rule by which a test fails, if the only target is a test.
    pub(crate) test_rule: Option<TestRule>,
    /// Rule by which a contract without a test contract is created again.
    pub(crate) scan: Option<Arc<ScanRule>>,
    pub(crate) project: Arc<Project>,
}

/// When a test fails that is the only call of its sequences.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TestRule {
    /// Whether a revert that began in another contract fails it.
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
        let mut test_env = builder.into_test_env(suite, test)?;
        test_env.setup.coverage = ran_in_setup;
        Ok(test_env)
    }

    /// The same state for calls under the configuration of some of the properties: as in Forge, comments on a
    /// function count from `setUp` on.
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

    /// The same state for the calls of one test, made by the `sender` of tests: it is the only target and the only
    /// property. `any_revert` says whether it fails when a revert began in another contract.
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

    /// The same with the properties that may write as targets: what they write stays, where they are called.
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

    /// Name and functions of a contract created during a run, if it may become a target.
    pub(crate) fn dynamic_target(&self, code: &Bytes) -> Option<(String, Vec<Arc<TargetFunction>>)> {
        let contract = self.project.identify_runtime(code)?;
        targets::dynamic(contract, &self.artifact_filter)
    }

    /// A decoder for this suite's traces; contracts created later are named by their code.
    #[must_use]
    pub fn decode(&self, mut trace: Trace) -> Trace {
        let mut names = self.names.names.clone();
        for frame in &trace.frames {
            if frame.kind.is_create()
                && let Some(contract) = self.project.identify_created(&frame.output, &frame.input)
            {
                names.add(frame.address, contract.id.name.clone());
            }
        }
        Decoder { abis: &self.names.abis, builtins: &self.names.builtins, names: &names }.decode(&mut trace);
        trace
    }

    /// Forge's warning about deprecated cheatcodes that were called so far, if any were.
    #[must_use]
    pub fn deprecation_warning(&self) -> Option<String> {
        self.start.cheats.deprecation_warning()
    }

    /// `path:Name` of the contract at an address, where known.
    #[must_use]
    pub fn identifier(&self, address: Address) -> Option<&str> {
        self.names.identifiers.get(&address).map(String::as_str)
    }

    /// The reason that a failed call gives; `limits` is how it ended, which is all there is to say without data.
    #[must_use]
    pub fn revert_reason(&self, data: &[u8], limits: &str) -> String {
        self.names.abis.revert_reason(data, limits)
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
