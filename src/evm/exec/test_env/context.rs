//! Data shared by all suites of a project.

use crate::evm::{
    base::{heartbeat, limits::EndsWhen},
    cheats::{CheatEnv, GasSnapshots, console_abi, dstest_abi, resolve_variables, vm_abi},
    exec::scan::{Accounts, implementation},
    state::fork::{Chain, Endpoints, RpcNode},
    trace::decode::Abis,
    vm::nested,
};
use crate::{
    config::Config,
    model::{ChainAccount, Deployment},
    project::{Project, Suite},
};
use alloy_primitives::{Address, Bytes, U256};
use std::{
    collections::BTreeMap,
    sync::{Arc, PoisonError},
    time::{Duration, Instant},
};

/// Data shared by all suites of a project.
#[derive(Clone)]
pub struct ProjectContext {
    pub(super) project: Arc<Project>,
    /// ABIs of all contracts of the project.
    pub(super) abis: Arc<Abis>,
    /// ABIs of the cheatcode and console addresses.
    pub(super) builtins: Arc<Abis>,
    /// Environment variables for the env cheatcodes.
    environment: BTreeMap<String, String>,
    gas_snapshots: GasSnapshots,
    fork: Option<ConfiguredFork>,
    /// Seed of `vm.random*`.
    seed: U256,
    pub(super) ends_when: Option<EndsWhen>,
    /// Deployments that scans try first.
    pub(super) deployments: Arc<[Vec<Deployment>]>,
}

impl ProjectContext {
    /// Creates the context of a project.
    #[must_use]
    pub fn new(project: Arc<Project>, environment: BTreeMap<String, String>, seed: U256) -> Self {
        let own = project.contracts().iter().map(|contract| contract.abi.as_ref());
        // Forge's names of DSTest events precede those in the sources.
        let abis = Abis::new(std::iter::once(dstest_abi()).chain(own));
        let builtins = Abis::new([vm_abi(), console_abi()]);
        Self {
            project,
            abis: Arc::new(abis),
            builtins: Arc::new(builtins),
            environment,
            gas_snapshots: GasSnapshots::default(),
            fork: None,
            seed,
            ends_when: None,
            deployments: Arc::new([]),
        }
    }

    /// Returns the same context on a fork, if there is one.
    #[must_use]
    pub fn on(self, fork: Option<ConfiguredFork>) -> Self {
        Self { fork, ..self }
    }

    /// Returns the same context with gas snapshots of its own. It is for runs of tests that the user did not
    /// ask for: the gas values that they report are dropped.
    #[must_use]
    pub fn apart(&self) -> Self {
        Self { gas_snapshots: GasSnapshots::default(), ..self.clone() }
    }

    /// Returns the same context with a callback that ends every call once it returns true, even in the middle
    /// of the call.
    #[must_use]
    pub fn ending_when(&self, ends: EndsWhen) -> Self {
        Self { ends_when: Some(ends), ..self.clone() }
    }

    /// Returns the same context, in which contracts are scanned as one of these groups of deployments creates them.
    #[must_use]
    pub fn deploying_like(&self, groups: Vec<Vec<Deployment>>) -> Self {
        Self { deployments: groups.into(), ..self.clone() }
    }

    /// Returns the gas values that tests reported for snapshot files, by group and name.
    #[must_use]
    pub fn gas_snapshots(&self) -> BTreeMap<String, BTreeMap<String, String>> {
        self.gas_snapshots.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Returns the project.
    #[must_use]
    pub fn project(&self) -> &Project {
        &self.project
    }

    /// Returns the forked chain of all suites and the gas price of its node in wei, if the configuration has a fork.
    pub(super) fn forked(&self) -> Option<(&Arc<Chain>, u128)> {
        self.fork.as_ref().map(|fork| (&fork.chain, fork.gas_price))
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

/// Chain of the node in the configuration, which all suites fork.
#[derive(Clone, Debug)]
pub struct ConfiguredFork {
    chain: Arc<Chain>,
    /// Gas price of the node in wei.
    gas_price: u128,
}

impl ConfiguredFork {
    /// Asks the configured node for its chain; returns `None` if no node is configured. `environment` has the variables
    /// that the node's address may use. `time` limits the time for all answers of the node, of later questions as well.
    ///
    /// # Errors
    /// When a variable in the node's address is not set, the node does not answer, or it does not have the block.
    pub fn new(
        config: &Config,
        environment: &BTreeMap<String, String>,
        time: Option<Duration>,
    ) -> Result<Option<Self>, String> {
        let Some(url) = &config.rpc.url else { return Ok(None) };
        if let Some(time) = time {
            let end = Instant::now() + time;
            heartbeat::wait_until(Arc::new(move || Instant::now() >= end));
        }
        let resolve = |text: &str| resolve_variables(environment, text);
        let address = Endpoints(&config.rpc).address(url, resolve)?;
        let node = RpcNode::at(&address)?;
        let chain = Chain::at(&node, config.rpc.block, Endpoints(&config.rpc))?;
        // The gas price is not paid by anyone, so it does not matter if the node does not answer.
        let gas_price = node.gas_price().unwrap_or_default();
        Ok(Some(Self { chain, gas_price }))
    }

    /// Returns the number of the block at which the chain is forked.
    #[must_use]
    pub fn block(&self) -> u64 {
        self.chain.number
    }

    /// Returns the id of the chain.
    #[must_use]
    pub fn chain_id(&self) -> u64 {
        self.chain.id
    }

    /// Returns the contract at an address with the account whose code it runs, and that code; `None` if there is no
    /// code.
    ///
    /// # Errors
    /// When the node does not answer.
    pub fn contract(&self, address: Address) -> Result<Option<(ChainAccount, Bytes)>, String> {
        let account = ChainAccount { address, implementation: implementation(&*self.chain, address) };
        let code = Accounts::code(&*self.chain, account.code_at());
        let found = (!code.is_empty()).then_some((account, code));
        self.chain.take_failure().map_or(Ok(found), Err)
    }

    /// Tells whether there is code at an address.
    ///
    /// # Errors
    /// When the node does not answer.
    pub fn has_code(&self, address: Address) -> Result<bool, String> {
        let has_code = self.chain.info(address).is_some_and(|info| !info.is_empty_code_hash());
        self.chain.take_failure().map_or(Ok(has_code), Err)
    }
}
