//! Cache of the static calls of a search, by what the calls read.
//!
//! In a large suite, handlers and properties ask many contracts about many accounts, and a transaction changes
//! few of the answers. Calls whose answers cannot have changed do not run. An answer brings everything that the
//! call would have recorded: its reads, its part of the path, its comparisons if these are traced, and how the
//! returned word was computed. Only the gas differs: an answer costs what the call would cost if all that it
//! reads were cold, so that a transaction never has more gas than without answers. If gas decides something, or a
//! cheatcode tells more of calls than their output, the transaction has to run again without answers
//! ([`CallReads::depends_on_calls`]).

use super::{call::is_far_below, hit_rate::HitRate, recorder::TraceRecorder};
use crate::evm::{
    Ctx,
    base::{
        constants::{CONSOLE_ADDRESS, VM_ADDRESS},
        hash::forget_if_full,
    },
    cheats::{Cheats, is_pure},
    state::layers::info,
    trace::{
        cmplog::TracedCall,
        path::PathEvent,
        read_set::{self, CallReads, ReadScope, StateRead},
        result_tree::ResultTree,
    },
};
use alloy_primitives::{Address, Bytes, U256};
use revm::{
    context_interface::cfg::gas::{COLD_ACCOUNT_ACCESS_COST, COLD_SLOAD_COST},
    interpreter::{CallInputs, CallOutcome, CallScheme, Gas, InstructionResult, InterpreterResult},
};
use rustc_hash::FxHashMap;

/// Input of a static call.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct StaticCall {
    caller: Address,
    callee: Address,
    origin: Address,
    input: Bytes,
    /// Hash of the pranks that calls in it may be under.
    pranks: u64,
    /// True if comparisons are traced.
    is_traced: bool,
    /// True if preimages of hashes are recorded.
    is_hashing: bool,
}

/// Output of a call that returned.
#[derive(Clone, Debug)]
struct CachedAnswer {
    output: Bytes,
    /// Most gas that it may cost.
    gas: u64,
    events: Box<[PathEvent]>,
    traced: TracedCall,
}

/// Call that runs, and that was made at this depth.
#[derive(Clone, Debug)]
struct RunningCall {
    call: StaticCall,
    depth: usize,
    /// Number of events of the path before it.
    events: usize,
    /// Number of comparisons before it.
    branches: usize,
}

/// Maximum number of functions whose hit rates are known.
const MOST_FUNCTIONS: usize = 1 << 16;

/// Answers to static calls on one thread.
#[derive(Clone, Debug)]
pub(crate) struct CallCache {
    /// Cheatcodes after `setUp`.
    start: Cheats,
    answers: ResultTree<StaticCall, CachedAnswer>,
    /// Hit rates by callee and selector.
    hit_rates: FxHashMap<(Address, Option<[u8; 4]>), HitRate>,
    running: Vec<RunningCall>,
    is_on: bool,
    was_used: bool,
}

impl CallCache {
    /// Creates a cache for calls after a `setUp` that left these cheatcodes.
    pub(super) fn new(start: Cheats) -> Self {
        Self {
            start,
            answers: ResultTree::default(),
            hit_rates: FxHashMap::default(),
            running: Vec::new(),
            is_on: false,
            was_used: false,
        }
    }

    /// Begins a transaction whose static calls may be answered from the cache, and the recording of reads.
    pub(crate) fn begin(&mut self, ctx: &mut Ctx, scope: ReadScope) {
        self.running.clear();
        (self.is_on, self.was_used) = (true, false);
        ctx.chain.reads.begin(scope);
    }

    /// Ends the transaction. Returns true if a call in it was answered from the cache.
    pub(crate) fn end(&mut self, ctx: &mut Ctx) -> bool {
        self.is_on = false;
        self.running.clear();
        ctx.chain.path.record_events(false);
        ctx.chain.cmplog.record_calls(false);
        ctx.chain.reads.end();
        self.was_used
    }

    /// Tells whether a call of the running transaction does what its input and the state say.
    fn is_plain(&self, ctx: &Ctx, cheats: &Cheats) -> bool {
        cheats.are_quiet(&self.start) && ctx.chain.watch.is_quiet()
    }

    /// Tells whether it is worth while to look for the answer to a call, and whether its comparisons, if they are
    /// traced, do not depend on how the caller has computed the arguments.
    fn may_answer(&mut self, ctx: &Ctx, inputs: &CallInputs) -> bool {
        let (depth, cmplog) = (ctx.journaled_state.depth, &ctx.chain.cmplog);
        let input = inputs.input.as_bytes(ctx);
        if cmplog.is_on() && !cmplog.passes_plain_words(depth, &input) {
            return false;
        }
        let function = (inputs.target_address, input.first_chunk().copied());
        forget_if_full(&mut self.hit_rates, MOST_FUNCTIONS);
        self.hit_rates.entry(function).or_default().ask()
    }

    /// Returns the answer to a call, if it is known. Otherwise, the call is recorded, and [`Self::ended`] stores its
    /// answer.
    pub(super) fn answer(
        &mut self,
        ctx: &mut Ctx,
        inputs: &CallInputs,
        cheats: &Cheats,
    ) -> Option<CallOutcome> {
        let is_static = inputs.scheme == CallScheme::StaticCall;
        if !self.is_on || !is_static || !runs_its_code(ctx, inputs) || !self.is_plain(ctx, cheats) {
            return None;
        }
        if !self.may_answer(ctx, inputs) {
            return None;
        }
        let input = inputs.input.bytes(ctx);
        let (depth, cmplog) = (ctx.journaled_state.depth, &ctx.chain.cmplog);
        let (is_traced, is_hashing) = (cmplog.is_on(), cmplog.hashing);
        let (caller, callee, origin) = (inputs.caller, inputs.target_address, ctx.tx.caller);
        let pranks = cheats.prank_digest();
        let call = StaticCall { caller, callee, origin, input, pranks, is_traced, is_hashing };
        let mut reads = Vec::new();
        let known = self.answers.ask(&call, |read| {
            let value = read.value(ctx);
            reads.push((read, value));
            value
        });
        let Some(answer) = known.filter(|answer| is_far_below(answer.gas, inputs.gas_limit)) else {
            self.record(ctx, call, inputs.bytecode_address);
            return None;
        };
        self.was_used = true;
        if let Some(hits) = self.hit_rates.get_mut(&(callee, call.input.first_chunk().copied())) {
            hits.answered += 1;
        }
        let TraceRecorder { path, cmplog, reads: read_set, watch, .. } = &mut ctx.chain;
        watch.note_answer();
        read_set.add(&reads);
        path.recall(&answer.events);
        if is_traced {
            cmplog.recall(&answer.traced, &reads, depth, |code, pc| path.place_in(code, pc));
        }
        let mut gas = Gas::new_with_regular_gas_and_reservoir(inputs.gas_limit, inputs.reservoir);
        let _ = gas.record_regular_cost(answer.gas);
        let output = answer.output.clone();
        let result = InterpreterResult { result: InstructionResult::Return, output, gas };
        Some(CallOutcome::new(result, inputs.return_memory_offset.clone()))
    }

    /// Begins the recording of a call that runs the code of this account.
    fn record(&mut self, ctx: &mut Ctx, call: StaticCall, code: Address) {
        let TraceRecorder { path, cmplog, .. } = &mut ctx.chain;
        if self.running.is_empty() {
            path.record_events(true);
            cmplog.record_calls(true);
        }
        let (events, branches) = (path.event_count(), cmplog.branch_count());
        self.running.push(RunningCall { call, depth: ctx.journaled_state.depth, events, branches });
        ctx.chain.reads.enter();
        read_set::note(ctx, StateRead::Code(code));
    }

    /// Stores the answer of a call that ended, if it was recorded and succeeded.
    pub(super) fn ended(&mut self, ctx: &mut Ctx, outcome: &CallOutcome, cheats: &Cheats) {
        let depth = ctx.journaled_state.depth;
        let Some(ended) = self.running.pop_if(|running| running.depth == depth) else { return };
        let reads = ctx.chain.reads.leave();
        let is_of_input = !reads.depends_on_transaction()
            && self.is_plain(ctx, cheats)
            && cheats.prank_digest() == ended.call.pranks;
        if outcome.result.result.is_ok() && is_of_input {
            self.learn(ctx, ended, &reads, &outcome.result);
        }
        if self.running.is_empty() {
            ctx.chain.path.record_events(false);
            ctx.chain.cmplog.record_calls(false);
        }
    }

    fn learn(&mut self, ctx: &Ctx, ended: RunningCall, reads: &CallReads, result: &InterpreterResult) {
        let RunningCall { call, depth, events, branches } = ended;
        let TraceRecorder { path, cmplog, .. } = &ctx.chain;
        let traced = match call.is_traced {
            true => cmplog.traced_call(depth, branches),
            false => Some(TracedCall::default()),
        };
        if let (Some(read), Some(events), Some(traced)) = (reads.complete(), path.events_from(events), traced)
        {
            let owned = call.input.len() + result.output.len() + size_of_val(&*events) + traced.size();
            let gas = result.gas.total_gas_spent().saturating_add(gas_of_cold(read));
            let answer = CachedAnswer { output: result.output.clone(), gas, events, traced };
            self.answers.learn(call, read, answer, owned);
        }
    }
}

/// Returns the most gas that reads cost more than others that were made before (EIP-2929).
fn gas_of_cold(reads: &[(StateRead, U256)]) -> u64 {
    let cost = |(read, _): &(StateRead, U256)| match read {
        StateRead::Word(_) => COLD_SLOAD_COST,
        StateRead::Code(_) | StateRead::Balance(_) => COLD_ACCOUNT_ACCESS_COST,
        StateRead::Environment(_) => 0,
    };
    reads.iter().map(cost).sum()
}

/// Tells whether a call runs the code of its account: neither a precompile, nor the code of another account to which it
/// delegates (EIP-7702).
fn runs_its_code(ctx: &Ctx, inputs: &CallInputs) -> bool {
    let (hash, code) = &inputs.known_bytecode;
    !code.is_empty() && info(ctx, inputs.bytecode_address).is_some_and(|info| info.code_hash == *hash)
}

/// Records what a call reads. Most cheatcode calls, and calls that transfer value, end the recording of the read set.
pub(super) fn note_call(context: &mut Ctx, inputs: &CallInputs) {
    let is_known = match inputs.target_address {
        CONSOLE_ADDRESS => true,
        VM_ADDRESS => is_pure(&inputs.input.bytes(context)),
        _ => {
            !inputs.transfers_value()
                && (inputs.known_bytecode.1.is_empty() || runs_its_code(context, inputs))
        }
    };
    if is_known {
        read_set::note(context, StateRead::Code(inputs.bytecode_address));
    } else {
        read_set::give_up(context);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evm::cheats::testing::{ALICE, KEEPER, Lab, TEST};
    use crate::model::Slot;
    use revm::bytecode::opcode as op;

    /// Reads slot 0 and the time, and returns the time. Jumps if the word is not zero.
    const READER: [u8; 12] = [
        op::PUSH0,
        op::SLOAD,
        op::PUSH1,
        5,
        op::JUMPI,
        op::JUMPDEST,
        op::TIMESTAMP,
        op::PUSH0,
        op::MSTORE,
        op::MSIZE,
        op::PUSH0,
        op::RETURN,
    ];

    /// Makes a static call to [`ALICE`] after this code, and returns its output.
    fn asker(before: &[u8]) -> Vec<u8> {
        forwarder(before, ALICE, op::STATICCALL)
    }

    /// Makes a call after this code, and returns its output.
    fn forwarder(before: &[u8], callee: Address, kind: u8) -> Vec<u8> {
        let call = [&[op::PUSH0; 4][..], &[op::PUSH20], callee.as_slice(), &[op::GAS, kind, op::POP]];
        let copy = [op::RETURNDATASIZE, op::PUSH0, op::PUSH0, op::RETURNDATACOPY];
        let give = [op::RETURNDATASIZE, op::PUSH0, op::RETURN];
        [before, &call.concat(), &copy, &give].concat()
    }

    fn lab(callee: &[u8], caller: &[u8]) -> Lab {
        let mut lab = Lab::new();
        lab.put(ALICE, callee);
        lab.put(TEST, caller);
        lab
    }

    /// Output, path and reads of a transaction.
    type Shown = (Bytes, u64, Option<Vec<(StateRead, U256)>>);

    fn ask(lab: &mut Lab) -> (Shown, bool) {
        let vm = &mut lab.evm.vm;
        vm.inspector.calls.begin(&mut vm.ctx, ReadScope::Transaction);
        let output = lab.call(Bytes::new());
        assert!(output.is_success());
        let vm = &mut lab.evm.vm;
        let path = vm.ctx.chain.path.path();
        let was_used = vm.inspector.calls.end(&mut vm.ctx);
        let reads = vm.ctx.chain.reads.outermost();
        let shown = (output.output, path, reads.complete().map(<[_]>::to_vec));
        let is_answered = was_used && !reads.depends_on_transaction();
        lab.evm.settle();
        (shown, is_answered)
    }

    fn set(lab: &mut Lab, address: Address, value: u64) {
        lab.evm.set_storage(Slot { address, slot: U256::ZERO }, U256::from(value));
    }

    #[test]
    fn an_answer_shows_what_the_call_showed() {
        let mut lab = lab(&READER, &asker(&[]));
        let (first, was_used) = ask(&mut lab);
        assert!(!was_used);
        assert_eq!(ask(&mut lab), (first, true));
    }

    #[test]
    fn what_reads_something_else_is_called() {
        let mut lab = lab(&READER, &asker(&[]));
        let (first, _) = ask(&mut lab);
        set(&mut lab, ALICE, 1);
        let (jumped, was_used) = ask(&mut lab);
        assert!(!was_used && jumped.1 != first.1 && jumped.0 == first.0);
        set(&mut lab, ALICE, 0);
        assert_eq!(ask(&mut lab), (first.clone(), true));
        lab.evm.vm.ctx.block.timestamp += U256::ONE;
        let (later, was_used) = ask(&mut lab);
        assert!(!was_used && later.0 != first.0);
    }

    #[test]
    fn calls_through_proxies_are_answered() {
        for is_traced in [false, true] {
            let mut lab = lab(&forwarder(&[], KEEPER, op::DELEGATECALL), &asker(&[]));
            lab.put(KEEPER, &READER);
            lab.evm.trace_comparisons(is_traced);
            let (first, _) = ask(&mut lab);
            assert_eq!(ask(&mut lab), (first, true), "{is_traced}");
        }
    }

    #[test]
    fn other_code_is_called() {
        let mut lab = lab(&READER, &asker(&[]));
        let (first, _) = ask(&mut lab);
        lab.put(ALICE, &[&READER[..2], &[op::POP], &READER[5..]].concat());
        let (other, was_used) = ask(&mut lab);
        assert!(!was_used && other.1 != first.1);
    }

    #[test]
    fn gas_and_transient_storage_are_not_described_by_reads() {
        for code in [op::GAS, op::TLOAD] {
            let give = [op::PUSH0, code, op::PUSH0, op::MSTORE, op::MSIZE, op::PUSH0, op::RETURN];
            let mut lab = lab(&give, &asker(&[]));
            ask(&mut lab);
            assert!(!ask(&mut lab).1, "{code:02x}");
        }
        let calls = asker(&[]);
        assert_eq!(
            calls.iter().filter(|code| **code == op::GAS).count(),
            1,
            "which is passed on to the call"
        );
        let mut lab = lab(&[op::STOP], &calls);
        ask(&mut lab);
        assert!(ask(&mut lab).1);
    }

    #[test]
    fn calls_of_a_transaction_that_no_reads_describe_are_answered() {
        let mut lab = lab(&READER, &asker(&[op::PUSH0, op::BLOCKHASH, op::POP]));
        ask(&mut lab);
        let (shown, was_used) = ask(&mut lab);
        assert!(was_used && shown.2.is_none());
    }
}
