//! Forks: created, selected and moved to other blocks; and requests to their nodes.

use super::{
    dispatch::{CheatError, CheatResult, Cheatcode, Cx, done, ensure},
    endpoints, environment,
    json::guess::guess_value,
    undo::UndoLog,
    vm::Vm,
};
use crate::evm::{
    Ctx,
    base::constants::VM_ADDRESS,
    state::fork::{Chain, Endpoints, ForkView, Forks, RpcNode},
};
use alloy_primitives::{Address, Bytes, U256};
use alloy_rpc_types::{BlockNumberOrTag, Filter};
use revm::context::BlockEnv;
use serde_json::Value;
use std::{collections::BTreeSet, mem, sync::Arc};

/// Forks of the test, and permissions to use cheatcodes on them.
#[derive(Clone, Debug)]
pub(crate) struct ForkState {
    pub(super) all: Forks,
    /// Accounts that may use cheatcodes on a fork, beside the test.
    allowed: Arc<BTreeSet<Address>>,
}

impl ForkState {
    /// Returns the state without forks, for the test contract at this address.
    pub(super) fn of(test: Address) -> Self {
        Self { all: Forks::of(test), allowed: Arc::default() }
    }

    /// Returns and clears the first error of a node, if there is one.
    pub(crate) fn take_failure(&self) -> Option<String> {
        self.all.take_failure()
    }

    /// Returns the number of a fork that exists.
    pub(super) fn find(&self, id: U256) -> Option<usize> {
        let id = usize::try_from(id).ok()?;
        self.all.chain(id).map(|_| id)
    }

    /// Returns the number of the selected fork.
    pub(super) fn active(&self) -> Result<usize, CheatError> {
        Ok(self.all.active().ok_or("No fork active")?)
    }

    /// Returns the node of the selected fork.
    pub(super) fn active_node(&self) -> Result<RpcNode, CheatError> {
        let chain = self.all.active().and_then(|active| self.all.chain(active));
        Ok(chain.ok_or("no active fork URL found")?.node.clone())
    }

    /// Returns the error of a caller that may not use cheatcodes: on a fork, only the test and the accounts that it
    /// made or allowed may.
    pub(super) fn refuses(&self, test: Address, caller: Address) -> Option<String> {
        let is_free = self.all.active().is_none() || caller == test || self.allowed.contains(&caller);
        (!is_free)
            .then(|| format!("cheatcodes are not enabled for {caller}; see `vm.allowCheatcodes(address)`"))
    }

    /// Allows cheatcodes to a contract that is created, if its creator may use them.
    pub(super) fn allow_created(&mut self, test: Address, creator: Address, created: Address) {
        if creator == test || self.allowed.contains(&creator) {
            self.allow(created);
        }
    }

    fn allow(&mut self, account: Address) {
        Arc::make_mut(&mut self.allowed).insert(account);
    }
}

/// Returns the node that a name or an address stands for.
pub(super) fn node_at(cx: &Cx<'_>, name: &str) -> Result<RpcNode, CheatError> {
    endpoints::url(cx, name)?;
    let resolve = |text: &str| environment::resolve(&cx.cheats.utilities.environment, text);
    let shared = &cx.cheats.shared;
    let address = Endpoints(&shared.rpc).address(name, resolve)?;
    let node = RpcNode::at(&address)?;
    ensure!(
        Endpoints(&shared.rpc).allow(&address.url, shared.environment.values(), |text| {
            environment::resolve(&shared.environment, text)
        }),
        "the node {name} is named by no setting and by no variable of the environment; \
         `network = true` in [profile.default.harvey] lets tests reach any"
    );
    Ok(node)
}

/// Returns the state of a chain after a block, the newest one if there is no number.
pub(super) fn chain(cx: &Cx<'_>, node: &RpcNode, number: Option<U256>) -> Result<Arc<Chain>, CheatError> {
    let number = number.map(|number| number.saturating_to());
    Ok(Chain::at(node, number, Endpoints(&cx.cheats.shared.rpc))?)
}

fn create(cx: &mut Cx<'_>, name: &str, number: Option<U256>) -> Result<U256, CheatError> {
    let node = node_at(cx, name)?;
    let chain = chain(cx, &node, number)?;
    Ok(U256::from(cx.cheats.forks.all.add(chain)))
}

/// Returns the accounts whose code runs, and their callers.
fn running(cx: &mut Cx<'_>) -> BTreeSet<Address> {
    cx.note_calls();
    let called = cx.ctx.chain.path.called();
    called.chain([cx.caller, cx.ctx.tx.caller, cx.cheats.shared.test, VM_ADDRESS]).collect()
}

/// Changes the forks, which own the accounts meanwhile.
fn with_forks(cx: &mut Cx<'_>, change: impl FnOnce(&mut Forks, &mut Ctx, BTreeSet<Address>, &mut UndoLog)) {
    let mut forks = mem::take(&mut cx.cheats.forks.all);
    let running = running(cx);
    change(&mut forks, cx.ctx, running, &mut cx.cheats.transaction.undo);
    cx.cheats.forks.all = forks;
}

/// Selects the fork with this number.
///
/// # Errors
/// Fails during a broadcast, or if there is no such fork.
pub(super) fn select_numbered(cx: &mut Cx<'_>, id: U256) -> Result<(), CheatError> {
    ensure!(!cx.cheats.broadcasts.is_active(), "cannot select forks during a broadcast");
    let id = cx.cheats.forks.find(id).ok_or_else(|| format!("No matching fork found for {id}"))?;
    select(cx, id);
    Ok(())
}

/// Selects a fork that exists.
pub(super) fn select(cx: &mut Cx<'_>, id: usize) {
    // The test goes along, whatever was said of it.
    let test = cx.cheats.shared.test;
    cx.cheats.forks.all.persistent.add(test);
    with_forks(cx, |forks, ctx, running, undo| {
        forks.select(ctx, id, running.into_iter(), |ctx| undo.all(ctx));
    });
    cx.cheats.forks.all.persistent.add(test);
}

fn roll(cx: &mut Cx<'_>, id: usize, number: U256) -> Result<(), CheatError> {
    let known = cx.cheats.forks.all.chain(id).ok_or("No fork active")?;
    let chain = chain(cx, &known.node.clone(), Some(number))?;
    roll_to(cx, id, chain, None);
    Ok(())
}

/// Moves a fork to a block, or into the middle of one if the accounts there are given.
pub(super) fn roll_to(cx: &mut Cx<'_>, id: usize, chain: Arc<Chain>, within: Option<(BlockEnv, ForkView)>) {
    let test = cx.cheats.shared.test;
    cx.cheats.forks.all.persistent.add(test);
    with_forks(cx, |forks, ctx, running, undo| {
        forks.roll(ctx, id, (chain, within), running.into_iter(), |ctx| undo.all(ctx));
    });
}

impl Cheatcode for Vm::allowCheatcodesCall {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        cx.cheats.forks.allow(self.account);
        done()
    }
}

impl Cheatcode for Vm::createFork_0Call {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        create(cx, &self.urlOrAlias, None)
    }
}

impl Cheatcode for Vm::createFork_1Call {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        create(cx, &self.urlOrAlias, Some(self.number))
    }
}

impl Cheatcode for Vm::createSelectFork_0Call {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        let id = create(cx, &self.urlOrAlias, None)?;
        select_numbered(cx, id)?;
        Ok(id)
    }
}

impl Cheatcode for Vm::createSelectFork_1Call {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        let id = create(cx, &self.urlOrAlias, Some(self.number))?;
        select_numbered(cx, id)?;
        Ok(id)
    }
}

impl Cheatcode for Vm::selectForkCall {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        select_numbered(cx, self.id)?;
        done()
    }
}

impl Cheatcode for Vm::activeForkCall {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        Ok(U256::from(cx.cheats.forks.all.active().ok_or("no active fork")?))
    }
}

impl Cheatcode for Vm::rollFork_0Call {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        let id = cx.cheats.forks.active()?;
        roll(cx, id, self.number)?;
        done()
    }
}

impl Cheatcode for Vm::rollFork_1Call {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        let id = cx
            .cheats
            .forks
            .find(self.id)
            .ok_or_else(|| format!("Requested fork `{}` does not exist", self.id))?;
        roll(cx, id, self.number)?;
        done()
    }
}

/// Implements cheatcodes that make accounts persistent, or no longer so.
macro_rules! persistence {
    ($($call:ident($self:ident => $accounts:expr, $change:ident);)*) => {$(
        impl Cheatcode for Vm::$call {
            fn apply($self, cx: &mut Cx<'_>) -> CheatResult<Self> {
                for account in $accounts {
                    cx.cheats.forks.all.persistent.$change(account);
                }
                done()
            }
        }
    )*};
}

persistence! {
    makePersistent_0Call(self => [self.account], add);
    makePersistent_1Call(self => [self.first, self.second], add);
    makePersistent_2Call(self => [self.first, self.second, self.third], add);
    makePersistent_3Call(self => self.accounts, add);
    revokePersistent_0Call(self => [self.account], remove);
    revokePersistent_1Call(self => self.accounts, remove);
}

impl Cheatcode for Vm::isPersistentCall {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        Ok(cx.cheats.forks.all.persistent.has(self.account))
    }
}

/// Asks a node anything.
fn ask(node: &RpcNode, method: String, parameters: &str) -> Result<Value, CheatError> {
    let parameters: Value = serde_json::from_str(parameters).map_err(|error| error.to_string())?;
    let answer = node.request(method.clone(), &parameters);
    Ok(answer.map_err(|error| format!("{method:?}: {error}"))?)
}

/// Converts an answer to bytes. Hexadecimal digits come back as bytes, everything else with a guessed type.
fn encoded(cx: &Cx<'_>, answer: &Value) -> Result<Bytes, CheatError> {
    if let Value::String(text) = answer
        && let Some(digits) = text.strip_prefix("0x")
    {
        let even = format!("{}{digits}", if digits.len() % 2 == 0 { "" } else { "0" });
        if let Ok(bytes) = alloy_primitives::hex::decode(even) {
            return Ok(bytes.into());
        }
    }
    let value = guess_value(answer, cx.structs()).map_err(|error| match error {
        CheatError::Message(text) => CheatError::Message(format!("failed to parse result: {text}")),
        raw @ CheatError::Raw(_) => raw,
    })?;
    Ok(value.abi_encode().into())
}

impl Cheatcode for Vm::rpc_0Call {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        let node = cx.cheats.forks.active_node()?;
        encoded(cx, &ask(&node, self.method, &self.params)?)
    }
}

impl Cheatcode for Vm::rpc_1Call {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        let node = node_at(cx, &self.urlOrAlias)?;
        encoded(cx, &ask(&node, self.method, &self.params)?)
    }
}

impl Cheatcode for Vm::rpcJson_0Call {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        let node = cx.cheats.forks.active_node()?;
        Ok(ask(&node, self.method, &self.params)?.to_string())
    }
}

impl Cheatcode for Vm::rpcJson_1Call {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        let node = node_at(cx, &self.urlOrAlias)?;
        Ok(ask(&node, self.method, &self.params)?.to_string())
    }
}

impl Cheatcode for Vm::eth_getLogsCall {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        let block = |number: U256| -> Result<BlockNumberOrTag, CheatError> {
            let number = u64::try_from(number).map_err(|_| "blocks in block range must be less than 2^64")?;
            Ok(BlockNumberOrTag::Number(number))
        };
        ensure!(self.topics.len() <= 4, "topics array must contain at most 4 elements");
        let node = cx.cheats.forks.active_node()?;
        let range = Filter::new().from_block(block(self.fromBlock)?).to_block(block(self.toBlock)?);
        let mut filter = range.address(self.target);
        for (place, topic) in self.topics.iter().enumerate() {
            filter.topics[place] = (*topic).into();
        }
        let logs = node.logs(&filter).map_err(|error| format!("failed to get logs: {error}"))?;
        let log = |log: alloy_rpc_types::Log| Vm::EthGetLogs {
            emitter: log.inner.address,
            topics: log.inner.data.topics().to_vec(),
            data: log.inner.data.data.clone(),
            blockHash: log.block_hash.unwrap_or_default(),
            blockNumber: log.block_number.unwrap_or_default(),
            transactionHash: log.transaction_hash.unwrap_or_default(),
            transactionIndex: log.transaction_index.unwrap_or_default(),
            logIndex: U256::from(log.log_index.unwrap_or_default()),
            removed: log.removed,
        };
        Ok(logs.into_iter().map(log).collect())
    }
}
