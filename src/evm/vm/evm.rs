//! EVM of a thread, reused for all executions. It makes top-level calls as Forge does.
//!
//! A top-level call is a transaction with gas price zero whose sender's nonce does not change (Forge undoes
//! the increment). It therefore runs as a frame: intrinsic gas is charged and accounts are warmed.
//! [`Evm::commit`] keeps the effects of the transaction, and [`Evm::discard`] undoes them.

use super::{
    block::{BlockContext, block_env, cfg_env},
    blocks::BlockCache,
    call::is_far_below,
    inspector::CallInspector,
    instructions,
    recorder::TraceRecorder,
};
use crate::{
    config::EnvConfig,
    evm::{
        Ctx, InnerEvm,
        base::{
            limits::{EndsWhen, LimitExceeded, Limits},
            secp256k1,
            spec::spec_id,
        },
        state::{
            fork::Chain,
            layers::{BaseState, LayeredDb},
        },
        trace::cmplog::Recorded,
    },
    model::{Footprint, Gas, Slot, Transaction},
};
use revm::{
    Context, Journal,
    context::{JournalTr as _, TxEnv},
    handler::{EthPrecompiles, instructions::EthInstructions},
    interpreter::interpreter::EthInterpreter,
};
use std::{sync::Arc, time::Duration};

/// EVM with its block, configuration and hooks.
pub(crate) struct Evm {
    pub(crate) vm: InnerEvm,
    /// Instruction table that is not in use: the one for traced transactions, unless these run.
    other_instructions: EthInstructions<EthInterpreter, Ctx>,
    /// State on which sequences begin.
    pub(super) base: Arc<BaseState>,
    /// Gas limit of the next transactions.
    pub(super) gas_limit: u64,
    /// Configured gas limit.
    full_gas_limit: u64,
    /// Code that was decoded in advance.
    pub(super) blocks: BlockCache,
}

impl Evm {
    /// Creates an EVM over `base_state` with the environment of `env`.
    pub(crate) fn new(base_state: Arc<BaseState>, env: &EnvConfig, inspector: CallInspector) -> Self {
        secp256k1::install();
        let spec = spec_id(env.evm_version);
        let context: Ctx = Context {
            block: block_env(env),
            tx: TxEnv { gas_price: u128::from(env.gas_price), ..TxEnv::default() },
            cfg: cfg_env(env, spec),
            journaled_state: Journal::new(LayeredDb { base_state: base_state.clone(), layer: None }),
            chain: TraceRecorder::new(Limits::new(env.memory_limit)),
            local: Default::default(),
            error: Ok(()),
        };
        let vm = InnerEvm::new_with_inspector(
            context,
            inspector,
            instructions::recording(spec),
            EthPrecompiles::new(spec),
        );
        let (gas_limit, full_gas_limit) = (env.gas_limit, env.gas_limit);
        let other_instructions = instructions::comparing(spec);
        let blocks = BlockCache::on();
        Self { vm, other_instructions, base: base_state, gas_limit, full_gas_limit, blocks }
    }

    /// Creates an EVM as [`Self::new`] does, but with revm's own instructions, which record nothing.
    pub(crate) fn bare(base_state: Arc<BaseState>, env: &EnvConfig, inspector: CallInspector) -> Self {
        let mut evm = Self::new(base_state, env, inspector);
        evm.vm.instruction = EthInstructions::new_mainnet_with_spec(spec_id(env.evm_version));
        evm.blocks = BlockCache::default();
        evm
    }

    /// Replaces the configured block by the block of a fork.
    pub(crate) fn fork(&mut self, chain: &Arc<Chain>, env: &EnvConfig, gas_price: u128) {
        let InnerEvm { ctx, inspector, .. } = &mut self.vm;
        ctx.block.clone_from(&chain.block);
        ctx.cfg.chain_id = env.chain_id.unwrap_or(chain.id);
        if env.gas_price == 0 {
            ctx.tx.gas_price = gas_price;
        }
        ctx.chain.watch.fork = Some(0);
        inspector.cheats.begin_on(chain);
    }

    /// Turns comparison tracing of the next transactions on or off.
    pub(crate) fn trace_comparisons(&mut self, on: bool) {
        if on != self.vm.ctx.chain.cmplog.is_on() {
            std::mem::swap(&mut self.vm.instruction, &mut self.other_instructions);
            self.vm.ctx.chain.cmplog.switch(on);
        }
    }

    /// Limits the gas of the next transactions to `most`; `None` restores the configured limit.
    pub(crate) fn bound_gas(&mut self, most: Option<u64>) {
        self.gas_limit = most.map_or(self.full_gas_limit, |most| most.min(self.full_gas_limit));
    }

    /// Tells whether a transaction with this gas use does not depend on the gas limit.
    pub(crate) fn has_gas_for(&self, gas: Gas) -> bool {
        is_far_below(gas.used, self.gas_limit)
    }

    /// Advances block time and number by the delay of a transaction.
    pub(crate) fn wait(&mut self, tx: &Transaction) {
        let block = &mut self.vm.ctx.block;
        block.timestamp = block.timestamp.saturating_add(tx.warp);
        block.number = block.number.saturating_add(tx.roll);
    }

    /// Returns the comparisons, reads and writes of the pending transaction, if it was traced.
    pub(crate) fn footprint(&mut self, success: bool) -> Option<Footprint> {
        if !self.vm.ctx.chain.cmplog.is_on() {
            return None;
        }
        let Recorded { branches, reads, writes } = self.vm.ctx.chain.cmplog.take();
        let block = &self.vm.ctx.block;
        let value = |slot| match slot {
            Slot::TIMESTAMP => (slot, block.timestamp),
            Slot::BLOCK_NUMBER => (slot, block.number),
            Slot { address, slot: key } => (slot, self.storage(address, key)),
        };
        let writes = if success { writes.into_iter().map(value).collect() } else { Vec::new() };
        Some(Footprint { branches, reads, writes })
    }

    pub(crate) fn inspector(&mut self) -> &mut CallInspector {
        &mut self.vm.inspector
    }

    /// Sets the callback that ends the next calls early once it returns true, even within a call.
    pub(crate) fn end_when(&mut self, requested: Option<EndsWhen>) {
        self.vm.ctx.chain.limits.requested = requested;
    }

    /// Tells whether the callback of [`Self::end_when`] ended a call since the run began.
    pub(crate) fn was_ended(&self) -> bool {
        self.vm.ctx.chain.limits.in_call
    }

    /// Sets the CPU time limit of each of the next calls; `None` removes it.
    pub(crate) fn bound_time(&mut self, limit: Option<Duration>) {
        self.vm.ctx.chain.limits.limit = limit;
    }

    /// Returns the limit that the last call exceeded, if it was ended for that.
    pub(crate) fn excess(&self) -> Option<LimitExceeded> {
        self.vm.ctx.chain.limits.excess
    }

    /// Returns the current block context.
    pub(crate) fn block_context(&self) -> BlockContext {
        let InnerEvm { ctx, .. } = &self.vm;
        BlockContext {
            block: ctx.block.clone(),
            chain_id: ctx.cfg.chain_id,
            spec: ctx.cfg.spec,
            gas_price: ctx.tx.gas_price,
            blob_hashes: ctx.tx.blob_hashes.clone(),
        }
    }

    /// Replaces the block context.
    pub(crate) fn surround(&mut self, block_context: &BlockContext) {
        let ctx = &mut self.vm.ctx;
        ctx.block.clone_from(&block_context.block);
        ctx.cfg.chain_id = block_context.chain_id;
        if ctx.cfg.spec != block_context.spec {
            ctx.cfg.set_spec_and_mainnet_gas_params(block_context.spec);
        }
        ctx.tx.gas_price = block_context.gas_price;
        ctx.tx.blob_hashes.clone_from(&block_context.blob_hashes);
    }
}
