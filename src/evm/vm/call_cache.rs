//! Cache of the static calls that properties make, by what the calls read.
//!
//! A property of a large suite asks many contracts about many accounts, and a transaction changes few of the answers.
//! The property itself runs again if anything that it reads has changed, but the answers that cannot have changed are
//! taken from here. An answer brings everything that the call would have recorded: its reads and its part of the path.
//! Only its gas is that of an earlier state: slots and accounts are then cold again. So a property for which gas
//! decides something has to be evaluated without answers.

use crate::evm::{
    Ctx,
    base::constants::{CONSOLE_ADDRESS, VM_ADDRESS},
    cheats::{Cheats, is_pure},
    trace::{
        path::PathEvent,
        read_set::{self, CallReads, StateRead},
        result_tree::ResultTree,
    },
};
use alloy_primitives::{Address, Bytes};
use revm::interpreter::{CallInputs, CallOutcome, CallScheme, Gas, InstructionResult, InterpreterResult};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Part of the gas limit of a call that its answer may have used, as a divisor. The EVM keeps back a 64th of the gas at
/// each call level, so a call that uses less does not depend on the limit.
const LEAST_RESERVE: u64 = 8;

/// Input of a static call.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct StaticCall {
    caller: Address,
    callee: Address,
    origin: Address,
    input: Bytes,
    /// Hash of the pranks that calls in it may be under.
    pranks: u64,
}

/// Output of a call that returned.
#[derive(Clone, Debug)]
struct CachedAnswer {
    output: Bytes,
    gas: u64,
    events: Arc<[PathEvent]>,
}

/// Call that runs, and that was made at this depth.
#[derive(Clone, Debug)]
struct RunningCall {
    call: StaticCall,
    depth: usize,
    /// Number of events of the path before it.
    events: usize,
}

/// Number of calls of a function that are recorded before it counts how many of them were answered.
const TRIAL: u32 = 32;

/// Part of the calls of a function that have to be answered, as a divisor, so that further ones are recorded. To record
/// a call takes time, too.
const LEAST_ANSWERED: u32 = 4;

/// Number of calls of a function after which it is tried again.
const PERIOD: u32 = 1024;

/// Calls of one function, and how many of them were answered.
#[derive(Clone, Copy, Debug, Default)]
struct HitRate {
    asked: u32,
    answered: u32,
}

impl HitRate {
    /// Counts a call, and tells whether it is worth while to look for an answer.
    fn ask(&mut self) -> bool {
        if self.asked == PERIOD {
            *self = Self::default();
        }
        self.asked += 1;
        self.asked <= TRIAL || self.answered * LEAST_ANSWERED >= self.asked
    }
}

/// Answers to static calls on one thread.
#[derive(Clone, Debug, Default)]
pub(crate) struct CallCache {
    answers: ResultTree<StaticCall, CachedAnswer>,
    /// Hit rates by callee and selector.
    hit_rates: FxHashMap<(Address, Option<[u8; 4]>), HitRate>,
    running: Vec<RunningCall>,
    is_on: bool,
    was_used: bool,
}

impl CallCache {
    /// Begins a transaction whose reads are recorded and whose static calls may be answered from the cache.
    pub(crate) fn begin(&mut self, ctx: &mut Ctx) {
        self.running.clear();
        (self.is_on, self.was_used) = (true, false);
        ctx.chain.path.events = Some(Vec::new());
        ctx.chain.reads.begin();
    }

    /// Ends the transaction. Returns its reads, and true if a call in it was answered from the cache.
    pub(crate) fn end(&mut self, ctx: &mut Ctx) -> (CallReads, bool) {
        self.is_on = false;
        ctx.chain.path.events = None;
        (ctx.chain.reads.end(), self.was_used)
    }

    /// Returns the answer to a call, if it is known. Otherwise, the call is recorded, and [`Self::ended`] stores its
    /// answer.
    pub(super) fn answer(
        &mut self,
        ctx: &mut Ctx,
        inputs: &CallInputs,
        cheats: &Cheats,
    ) -> Option<CallOutcome> {
        // What is not described by the reads so far may decide about everything that follows.
        if !self.is_on || inputs.scheme != CallScheme::StaticCall || ctx.chain.reads.is_opaque() {
            return None;
        }
        let input = inputs.input.bytes(ctx);
        let hits = self.hit_rates.entry((inputs.target_address, input.first_chunk().copied())).or_default();
        if !hits.ask() {
            return None;
        }
        let (caller, callee, origin) = (inputs.caller, inputs.target_address, ctx.tx.caller);
        let call = StaticCall { caller, callee, origin, input, pranks: cheats.prank_digest() };
        let mut reads = Vec::new();
        let known = self.answers.ask(&call, |read| {
            let value = read.value(ctx);
            reads.push((read, value));
            value
        });
        let is_enough = |answer: &&CachedAnswer| answer.gas.saturating_mul(LEAST_RESERVE) < inputs.gas_limit;
        let Some(CachedAnswer { output, gas: used, events }) = known.filter(is_enough).cloned() else {
            let (depth, events) = (ctx.journaled_state.depth, ctx.chain.path.event_count());
            self.running.push(RunningCall { call, depth, events });
            ctx.chain.reads.enter();
            read_set::note(ctx, StateRead::Code(inputs.bytecode_address));
            return None;
        };
        self.was_used = true;
        hits.answered += 1;
        ctx.chain.reads.add(&reads);
        ctx.chain.path.recall(&events);
        let mut gas = Gas::new_with_regular_gas_and_reservoir(inputs.gas_limit, inputs.reservoir);
        let _ = gas.record_regular_cost(used);
        let result = InterpreterResult { result: InstructionResult::Return, output, gas };
        Some(CallOutcome::new(result, inputs.return_memory_offset.clone()))
    }

    /// Stores the answer of a call that ended, if it was recorded and succeeded.
    pub(super) fn ended(&mut self, ctx: &mut Ctx, outcome: &CallOutcome) {
        let depth = ctx.journaled_state.depth;
        let Some(ended) = self.running.pop_if(|running| running.depth == depth) else { return };
        let reads = ctx.chain.reads.leave();
        let InterpreterResult { result, output, gas } = &outcome.result;
        if let Some(read) = reads.complete()
            && !reads.depends_on_transaction()
            && result.is_ok()
        {
            let (output, gas) = (output.clone(), gas.total_gas_spent());
            let answer = CachedAnswer { output, gas, events: ctx.chain.path.events_from(ended.events) };
            let owned = ended.call.input.len() + answer.output.len() + size_of_val(&*answer.events);
            self.answers.learn(ended.call, read, answer, owned);
        }
    }
}

/// Records what a call reads. Most cheatcode calls, and calls that transfer value, end the recording of the read set.
pub(super) fn note_call(context: &mut Ctx, inputs: &CallInputs) {
    let is_known = match inputs.target_address {
        CONSOLE_ADDRESS => true,
        VM_ADDRESS => is_pure(&inputs.input.bytes(context)),
        _ => !inputs.transfers_value() && !inputs.known_bytecode.1.is_eip7702(),
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
    use crate::evm::cheats::testing::{ALICE, Lab, TEST};
    use crate::model::Slot;
    use alloy_primitives::U256;
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
        let call =
            [&[op::PUSH0; 4][..], &[op::PUSH20], ALICE.as_slice(), &[op::GAS, op::STATICCALL, op::POP]];
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
        vm.inspector.calls.begin(&mut vm.ctx);
        let output = lab.call(Bytes::new());
        assert!(output.is_success());
        let vm = &mut lab.evm.vm;
        let path = vm.ctx.chain.path.path();
        let (reads, was_used) = vm.inspector.calls.end(&mut vm.ctx);
        let shown = (output.output, path, reads.complete().map(<[_]>::to_vec));
        lab.evm.settle();
        (shown, was_used && !reads.depends_on_transaction())
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
    fn functions_that_always_read_something_else_are_not_recorded() {
        let mut hits = HitRate::default();
        assert_eq!((0..PERIOD).filter(|_| hits.ask()).count(), TRIAL as usize);
        assert!(hits.ask(), "a new trial");
        let mut hits = HitRate::default();
        let is_worth_it = |call: u32| {
            hits.answered += u32::from(call.is_multiple_of(LEAST_ANSWERED));
            hits.ask()
        };
        assert!((0..PERIOD).all(is_worth_it));
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
    fn after_something_that_no_reads_describe_everything_is_called() {
        let mut lab = lab(&READER, &asker(&[op::PUSH0, op::BLOCKHASH, op::POP]));
        ask(&mut lab);
        let (shown, was_used) = ask(&mut lab);
        assert!(!was_used && shown.2.is_none());
    }
}
