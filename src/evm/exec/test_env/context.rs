//! Everything that all suites of a project share.

use crate::evm::{
    base::{
        heartbeat::{self},
        limits::EndsWhen,
    },
    cheats::{CheatEnv, GasSnapshots, console_abi, dstest_abi, resolve_variables, vm_abi},
    state::fork::{Chain, Endpoints, RpcNode},
    trace::decode::Abis,
    vm::nested,
};
use crate::{
    config::Config,
    project::{Project, Suite},
};
use alloy_primitives::U256;
use std::{
    collections::BTreeMap,
    sync::{Arc, PoisonError},
    time::{Duration, Instant},
};

/// What is shared by all suites of a project.
#[derive(Clone)]
pub struct ProjectContext {
    pub(super) project: Arc<Project>,
    /// Interfaces of all its contracts.
    pub(super) abis: Arc<Abis>,
    /// Interfaces of the cheatcode and console addresses.
    pub(super) builtins: Arc<Abis>,
    /// What env cheatcodes see.
    environment: BTreeMap<String, String>,
    gas_snapshots: GasSnapshots,
    /// What all suites run on, if the configuration wants a fork.
    pub(super) chain: Option<Arc<Chain>>,
    /// What the node asks for gas, wei.
    pub(super) gas_price: u128,
    /// Seed of `vm.random*`.
    seed: U256,
    pub(super) ends_when: Option<EndsWhen>,
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

    pub(super) fn cheat_env(&self, config: &Config, suite: &Suite) -> CheatEnv {
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
