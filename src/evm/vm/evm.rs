//! One EVM, reused for all executions of a thread: top-level calls as Forge makes them.
//!
//! A top-level call is a transaction with gas price zero whose sender's nonce does not move (Forge
//! undoes the bump), so it is run as a frame: intrinsic gas is charged, accounts are warmed, and what
//! a transaction ends with is done by [`Evm::commit`] or undone by [`Evm::discard`].

use super::{
    block::{BlockContext, block_env, cfg_env},
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

/// The EVM with its block, configuration and hooks.
pub(crate) struct Evm {
    pub(crate) vm: InnerEvm,
    /// The instruction table that is not in use: of tracked transactions, while none is.
    other_instructions: EthInstructions<EthInterpreter, Ctx>,
    /// What sequences begin on.
    pub(super) base: Arc<BaseState>,
    /// Gas limit of the transactions to come.
    pub(super) gas_limit: u64,
    /// The one that is configured.
    full_gas_limit: u64,
}

impl Evm {
    /// An EVM over `base_state` with the environment of `env`.
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
        Self { vm, other_instructions, base: base_state, gas_limit, full_gas_limit }
    }

    /// The same, but that no instruction records anything.
    pub(crate) fn bare(base_state: Arc<BaseState>, env: &EnvConfig, inspector: CallInspector) -> Self {
        let mut evm = Self::new(base_state, env, inspector);
        evm.vm.instruction = EthInstructions::new_mainnet_with_spec(spec_id(env.evm_version));
        evm
    }

    /// Puts the block of a fork in place of the configured one.
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

    /// Whether the next transactions are tracked.
    pub(crate) fn trace_comparisons(&mut self, on: bool) {
        if on != self.vm.ctx.chain.cmplog.is_on() {
            std::mem::swap(&mut self.vm.instruction, &mut self.other_instructions);
            self.vm.ctx.chain.cmplog.switch(on);
        }
    }

    /// Gives the next transactions no more gas than this, or what is configured again.
    pub(crate) fn bound_gas(&mut self, most: Option<u64>) {
        self.gas_limit = most.map_or(self.full_gas_limit, |most| most.min(self.full_gas_limit));
    }

    /// Whether the next transaction may use so much gas without noticing how much there is: calls keep a 64th of it for
    /// themselves at each level.
    pub(crate) fn has_gas_for(&self, gas: Gas) -> bool {
        gas.used.saturating_mul(8) < self.gas_limit
    }

    /// Lets the time and the blocks pass that a transaction waits for.
    pub(crate) fn wait(&mut self, tx: &Transaction) {
        let block = &mut self.vm.ctx.block;
        block.timestamp = block.timestamp.saturating_add(tx.warp);
        block.number = block.number.saturating_add(tx.roll);
    }

    /// What the pending transaction compared, read and wrote, if it was tracked.
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

    /// The next calls end early, in the middle if need be, once this says so.
    pub(crate) fn end_when(&mut self, requested: Option<EndsWhen>) {
        self.vm.ctx.chain.limits.requested = requested;
    }

    /// Whether a call was ended by that since the run began.
    pub(crate) fn was_ended(&self) -> bool {
        self.vm.ctx.chain.limits.in_call
    }

    /// CPU time that each of the next calls may take, if there is a bound.
    pub(crate) fn bound_time(&mut self, limit: Option<Duration>) {
        self.vm.ctx.chain.limits.limit = limit;
    }

    /// What the last call had too much of, and was ended by.
    pub(crate) fn excess(&self) -> Option<LimitExceeded> {
        self.vm.ctx.chain.limits.excess
    }

    /// The surroundings as they are.
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

    /// Puts other surroundings in place.
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
