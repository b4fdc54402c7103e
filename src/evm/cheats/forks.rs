//! Forks: made, selected and moved, and what a node is asked.

use super::{
    Cheats, UndoLog,
    dispatch::{CheatError, CheatResult, Cheatcode, Cx, done, ensure},
    environment,
    json::guess_value,
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

impl Cx<'_> {
    /// The node that a name or an address stands for.
    pub(super) fn node_at(&self, name: &str) -> Result<RpcNode, CheatError> {
        self.node(name)?;
        let resolve = |text: &str| environment::resolve(&self.cheats.environment, text);
        let shared = &self.cheats.shared;
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

    /// The state of a chain after a block, the newest one if there is no number.
    pub(super) fn chain(&self, node: &RpcNode, number: Option<U256>) -> Result<Arc<Chain>, CheatError> {
        let number = number.map(|number| number.saturating_to());
        Ok(Chain::at(node, number, Endpoints(&self.cheats.shared.rpc))?)
    }

    fn create_fork(&mut self, name: &str, number: Option<U256>) -> Result<U256, CheatError> {
        let node = self.node_at(name)?;
        let chain = self.chain(&node, number)?;
        Ok(U256::from(self.cheats.forks.add(chain)))
    }

    /// Accounts whose code runs, and who called.
    fn running(&self) -> BTreeSet<Address> {
        let called = self.ctx.chain.path.called();
        called.chain([self.caller, self.ctx.tx.caller, self.cheats.shared.test, VM_ADDRESS]).collect()
    }

    /// Does something to the forks, which own the accounts meanwhile.
    fn with_forks(&mut self, change: impl FnOnce(&mut Forks, &mut Ctx, BTreeSet<Address>, &mut UndoLog)) {
        let mut forks = mem::take(&mut self.cheats.forks);
        let running = self.running();
        change(&mut forks, self.ctx, running, &mut self.cheats.undo);
        self.cheats.forks = forks;
    }

    pub(super) fn select_fork(&mut self, id: U256) -> Result<(), CheatError> {
        ensure!(self.cheats.broadcast.is_none(), "cannot select forks during a broadcast");
        let id = self.fork(id).ok_or_else(|| format!("No matching fork found for {id}"))?;
        self.select(id);
        Ok(())
    }

    /// Selects a fork that there is.
    pub(super) fn select(&mut self, id: usize) {
        // The test goes along, whatever was said of it.
        let test = self.cheats.shared.test;
        self.cheats.forks.persistent.add(test);
        self.with_forks(|forks, ctx, running, undo| {
            forks.select(ctx, id, running.into_iter(), |ctx| undo.all(ctx));
        });
        self.cheats.forks.persistent.add(test);
    }

    fn roll_fork(&mut self, id: usize, number: U256) -> Result<(), CheatError> {
        let known = self.cheats.forks.chain(id).ok_or("No fork active")?;
        let chain = self.chain(&known.node.clone(), Some(number))?;
        self.roll_to(id, chain, None);
        Ok(())
    }

    /// Moves a fork, into the middle of a block if its accounts there are given.
    pub(super) fn roll_to(&mut self, id: usize, chain: Arc<Chain>, within: Option<(BlockEnv, ForkView)>) {
        let test = self.cheats.shared.test;
        self.cheats.forks.persistent.add(test);
        self.with_forks(|forks, ctx, running, undo| {
            forks.roll(ctx, id, (chain, within), running.into_iter(), |ctx| undo.all(ctx));
        });
    }

    /// The number of a fork that there is.
    pub(super) fn fork(&self, id: U256) -> Option<usize> {
        let id = usize::try_from(id).ok()?;
        self.cheats.forks.chain(id).map(|_| id)
    }

    fn active_fork(&self) -> Result<usize, CheatError> {
        Ok(self.cheats.forks.active().ok_or("No fork active")?)
    }

    /// The node of the fork that is selected.
    pub(super) fn active_node(&self) -> Result<RpcNode, CheatError> {
        let forks = &self.cheats.forks;
        let chain = forks.active().and_then(|active| forks.chain(active));
        Ok(chain.ok_or("no active fork URL found")?.node.clone())
    }
}

impl Cheats {
    /// A fork is under the accounts from the start.
    pub(crate) fn begin_on(&mut self, chain: &Arc<Chain>) {
        self.forks.begin_on(chain.clone());
        self.watch.fork = Some(0);
    }

    /// Why the caller may not use cheatcodes: on a fork, only what the test made or allowed may.
    pub(super) fn refuses(&self, caller: Address) -> Option<String> {
        let is_free =
            self.forks.active().is_none() || caller == self.shared.test || self.allowed.contains(&caller);
        (!is_free)
            .then(|| format!("cheatcodes are not enabled for {caller}; see `vm.allowCheatcodes(address)`"))
    }

    /// A contract is made: if its creator may use cheatcodes, it may too.
    pub(super) fn allow_created(&mut self, creator: Address, created: Address) {
        if creator == self.shared.test || self.allowed.contains(&creator) {
            Arc::make_mut(&mut self.allowed).insert(created);
        }
    }
}

impl Cheatcode for Vm::allowCheatcodesCall {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        Arc::make_mut(&mut cx.cheats.allowed).insert(self.account);
        done()
    }
}

impl Cheatcode for Vm::createFork_0Call {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        cx.create_fork(&self.urlOrAlias, None)
    }
}

impl Cheatcode for Vm::createFork_1Call {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        cx.create_fork(&self.urlOrAlias, Some(self.number))
    }
}

impl Cheatcode for Vm::createSelectFork_0Call {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        let id = cx.create_fork(&self.urlOrAlias, None)?;
        cx.select_fork(id)?;
        Ok(id)
    }
}

impl Cheatcode for Vm::createSelectFork_1Call {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        let id = cx.create_fork(&self.urlOrAlias, Some(self.number))?;
        cx.select_fork(id)?;
        Ok(id)
    }
}

impl Cheatcode for Vm::selectForkCall {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        cx.select_fork(self.id)?;
        done()
    }
}

impl Cheatcode for Vm::activeForkCall {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        Ok(U256::from(cx.cheats.forks.active().ok_or("no active fork")?))
    }
}

impl Cheatcode for Vm::rollFork_0Call {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        let id = cx.active_fork()?;
        cx.roll_fork(id, self.number)?;
        done()
    }
}

impl Cheatcode for Vm::rollFork_1Call {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        let id = cx.fork(self.id).ok_or_else(|| format!("Requested fork `{}` does not exist", self.id))?;
        cx.roll_fork(id, self.number)?;
        done()
    }
}

/// Persistent accounts, one by one.
macro_rules! persistence {
    ($($call:ident($self:ident => $accounts:expr, $change:ident);)*) => {$(
        impl Cheatcode for Vm::$call {
            fn apply($self, cx: &mut Cx<'_>) -> CheatResult<Self> {
                for account in $accounts {
                    cx.cheats.forks.persistent.$change(account);
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
        Ok(cx.cheats.forks.persistent.has(self.account))
    }
}

/// Asks a node anything; hexadecimal digits come back as bytes, everything else by what it looks like.
fn ask(cx: &Cx<'_>, node: &RpcNode, method: String, parameters: &str) -> Result<Bytes, CheatError> {
    let parameters: Value = serde_json::from_str(parameters).map_err(|error| error.to_string())?;
    let answer = node.request(method.clone(), &parameters);
    let answer = answer.map_err(|error| format!("{method:?}: {error}"))?;
    if let Value::String(text) = &answer
        && let Some(digits) = text.strip_prefix("0x")
    {
        let even = format!("{}{digits}", if digits.len() % 2 == 0 { "" } else { "0" });
        if let Ok(bytes) = alloy_primitives::hex::decode(even) {
            return Ok(bytes.into());
        }
    }
    let value = guess_value(&answer, cx.structs()).map_err(|error| match error {
        CheatError::Message(text) => CheatError::Message(format!("failed to parse result: {text}")),
        raw @ CheatError::Raw(_) => raw,
    })?;
    Ok(value.abi_encode().into())
}

impl Cheatcode for Vm::rpc_0Call {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        let node = cx.active_node()?;
        ask(cx, &node, self.method, &self.params)
    }
}

impl Cheatcode for Vm::rpc_1Call {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        let node = cx.node_at(&self.urlOrAlias)?;
        ask(cx, &node, self.method, &self.params)
    }
}

impl Cheatcode for Vm::eth_getLogsCall {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        let block = |number: U256| -> Result<BlockNumberOrTag, CheatError> {
            let number = u64::try_from(number).map_err(|_| "blocks in block range must be less than 2^64")?;
            Ok(BlockNumberOrTag::Number(number))
        };
        ensure!(self.topics.len() <= 4, "topics array must contain at most 4 elements");
        let node = cx.active_node()?;
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
