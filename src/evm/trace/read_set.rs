//! Read set: the parts of the state that a call reads. Two calls with the same input that read the same
//! values have the same effect.
//!
//! Instructions and hooks that read the state or the block record it here while recording is on. Writes count
//! as reads, because their gas depends on the old value. A call is opaque if it does something that no read
//! set describes, such as a creation or most cheatcode calls.

use crate::evm::{
    Ctx,
    state::layers::{info, stored},
};
use crate::model::Slot;
use alloy_primitives::{Address, U256};
use revm::bytecode::opcode;
use rustc_hash::FxHashSet;

/// Maximum number of amounts of gas that are remembered of a call.
const MOST_GAS: usize = 64;

/// Part of the state that calls read and that other calls may change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum StateRead {
    /// A word of storage.
    Word(Slot),
    /// Code hash of an account; zero if the account is empty.
    Code(Address),
    /// Balance of an account in wei.
    Balance(Address),
    /// Result of an instruction without operands that reads the block or the transaction.
    Environment(u8),
}

impl StateRead {
    /// Returns the current value.
    pub(crate) fn value(self, ctx: &Ctx) -> U256 {
        match self {
            Self::Word(Slot { address, slot }) => stored(ctx, address, slot),
            Self::Code(address) => {
                let info = info(ctx, address).filter(|info| !info.is_empty());
                info.map_or(U256::ZERO, |info| info.code_hash.into())
            }
            Self::Balance(address) => info(ctx, address).map_or(U256::ZERO, |info| info.balance),
            Self::Environment(instruction) => environment(ctx, instruction),
        }
    }
}

fn environment(ctx: &Ctx, instruction: u8) -> U256 {
    match instruction {
        opcode::TIMESTAMP => ctx.block.timestamp,
        opcode::NUMBER => ctx.block.number,
        opcode::COINBASE => ctx.block.beneficiary.into_word().into(),
        opcode::DIFFICULTY => ctx.block.prevrandao.map_or(ctx.block.difficulty, Into::into),
        opcode::GASLIMIT => U256::from(ctx.block.gas_limit),
        opcode::BASEFEE => U256::from(ctx.block.basefee),
        opcode::CHAINID => U256::from(ctx.cfg.chain_id),
        opcode::GASPRICE => U256::from(ctx.tx.gas_price),
        _ => unreachable!("only instructions of the table below are noted"),
    }
}

/// Reads of one call, in the order of the first reads, with their values.
#[derive(Clone, Debug, Default)]
pub(crate) struct CallReads {
    read: Vec<(StateRead, U256)>,
    known: FxHashSet<StateRead>,
    is_opaque: bool,
    depends_on_earlier: bool,
    /// True if it depends on more of the calls that it made than their output.
    depends_on_calls: bool,
    /// Amounts of gas that it asked for and did not pass on to a call.
    gas: Vec<U256>,
}

impl CallReads {
    /// Returns the reads; `None` if the call was opaque.
    pub(crate) fn complete(&self) -> Option<&[(StateRead, U256)]> {
        (!self.is_opaque).then_some(&self.read)
    }

    /// Tells whether the call may depend on more of the calls that it made than their output: on their gas, or on
    /// what a cheatcode recorded of them.
    pub(crate) fn depends_on_calls(&self) -> bool {
        self.depends_on_calls || !self.gas.is_empty()
    }

    /// Tells whether the call may depend on what its transaction did before it.
    pub(crate) fn depends_on_transaction(&self) -> bool {
        self.depends_on_earlier || self.depends_on_calls()
    }

    fn clear(&mut self) {
        self.read.clear();
        self.known.clear();
        (self.is_opaque, self.depends_on_earlier, self.depends_on_calls) = (false, false, false);
        self.gas.clear();
    }

    fn add(&mut self, reads: &[(StateRead, U256)]) {
        for read in reads {
            if self.known.insert(read.0) {
                self.read.push(*read);
            }
        }
    }
}

/// Calls whose reads are recorded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum ReadScope {
    #[default]
    Nothing,
    /// Calls that have read sets of their own. Of the transaction around them, only its use of gas is recorded.
    Calls,
    /// The whole transaction.
    Transaction,
}

/// Read set of a transaction. Calls in it may have read sets of their own.
#[derive(Clone, Debug, Default)]
pub(crate) struct ReadSet {
    outermost: CallReads,
    /// Reads of the running calls in it that have a read set of their own, the innermost last.
    nested: Vec<CallReads>,
    scope: ReadScope,
    /// True if the running call has a read set.
    is_on: bool,
}

impl ReadSet {
    /// Begins a new, empty read set.
    pub(crate) fn begin(&mut self, scope: ReadScope) {
        self.outermost.clear();
        self.nested.clear();
        self.scope = scope;
        self.update();
    }

    /// Ends the recording. The reads stay until the next one begins.
    pub(crate) fn end(&mut self) {
        while !self.nested.is_empty() {
            self.leave();
        }
        self.scope = ReadScope::Nothing;
        self.update();
    }

    fn update(&mut self) {
        self.is_on = match self.scope {
            ReadScope::Nothing => false,
            ReadScope::Calls => !self.nested.is_empty(),
            ReadScope::Transaction => true,
        };
    }

    /// Returns the reads of the transaction.
    pub(crate) fn outermost(&self) -> &CallReads {
        &self.outermost
    }

    /// Tells whether what the running call reads is recorded.
    pub(crate) fn is_on(&self) -> bool {
        self.is_on
    }

    /// Tells whether the use of gas is recorded.
    pub(crate) fn notes_gas(&self) -> bool {
        self.scope != ReadScope::Nothing
    }

    /// Begins the read set of a call in the running call.
    pub(crate) fn enter(&mut self) {
        self.nested.push(CallReads::default());
        self.update();
    }

    /// Ends the read set of the innermost call, and returns its reads. They are also reads of its caller.
    pub(crate) fn leave(&mut self) -> CallReads {
        let left = self.nested.pop().unwrap_or_default();
        self.update();
        let is_recorded = self.is_on;
        let caller = self.innermost();
        caller.is_opaque |= left.is_opaque;
        caller.depends_on_earlier |= left.depends_on_earlier;
        caller.depends_on_calls |= left.depends_on_calls();
        if is_recorded {
            caller.add(&left.read);
        }
        left
    }

    /// Adds the reads of a call that did not run.
    pub(crate) fn add(&mut self, reads: &[(StateRead, U256)]) {
        if self.is_on {
            self.innermost().add(reads);
        }
    }

    /// Records that the running call depends on what its transaction did before it.
    pub(crate) fn note_transaction(&mut self) {
        self.innermost().depends_on_earlier = true;
    }

    /// Records that the running call depends on more of the calls before than their output.
    pub(crate) fn note_calls(&mut self) {
        self.innermost().depends_on_calls = true;
    }

    /// Records that the running call asked for its gas.
    pub(crate) fn note_gas(&mut self, gas: U256) {
        let reads = self.innermost();
        match reads.gas.len() < MOST_GAS {
            true => reads.gas.push(gas),
            false => reads.depends_on_calls = true,
        }
    }

    /// Records that this gas is passed on to a call. It decides nothing, unless it runs out.
    pub(crate) fn gas_passed_on(&mut self, gas: U256) {
        let asked = &mut self.innermost().gas;
        if let Some(index) = asked.iter().rposition(|known| *known == gas) {
            asked.swap_remove(index);
        }
    }

    fn innermost(&mut self) -> &mut CallReads {
        self.nested.last_mut().unwrap_or(&mut self.outermost)
    }
}

/// Records a read of the running call. It must be called before the call can change the value.
pub(crate) fn note(ctx: &mut Ctx, fact: StateRead) {
    let facts = &mut ctx.chain.reads;
    if !facts.is_on {
        return;
    }
    let reads = facts.innermost();
    if !reads.is_opaque && reads.known.insert(fact) {
        let value = fact.value(ctx);
        ctx.chain.reads.innermost().read.push((fact, value));
    }
}

/// Records that the running call is opaque.
pub(crate) fn give_up(ctx: &mut Ctx) {
    ctx.chain.reads.innermost().is_opaque = true;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evm::cheats::testing::{ALICE, KEEPER, Lab, Program, TEST, Vm};
    use revm::bytecode::opcode as op;

    const WORD: StateRead = StateRead::Word(Slot { address: TEST, slot: U256::ZERO });

    fn facts(lab: &mut Lab, code: &[u8]) -> Option<Vec<(StateRead, U256)>> {
        lab.evm.settle();
        lab.put(TEST, code);
        lab.evm.vm.ctx.chain.reads.begin(ReadScope::Transaction);
        assert!(lab.call([].into()).is_success());
        let reads = &mut lab.evm.vm.ctx.chain.reads;
        reads.end();
        reads.outermost().complete().map(<[_]>::to_vec)
    }

    fn value(facts: &[(StateRead, U256)], fact: StateRead) -> Option<U256> {
        facts.iter().find(|(known, _)| *known == fact).map(|(_, value)| *value)
    }

    #[test]
    fn what_is_read_is_noted_once_and_in_order() {
        let mut lab = Lab::new();
        lab.set_storage(U256::ZERO, U256::from(7));
        let code = [op::PUSH0, op::SLOAD, op::TIMESTAMP, op::PUSH0, op::SLOAD, op::SELFBALANCE, op::STOP];
        let facts = facts(&mut lab, &code).expect("it is not opaque");
        let code = (StateRead::Code(TEST), StateRead::Code(TEST).value(&lab.evm.vm.ctx));
        let time = StateRead::Environment(op::TIMESTAMP);
        let rest = [(WORD, U256::from(7)), (time, U256::ONE), (StateRead::Balance(TEST), U256::ZERO)];
        assert_eq!(facts, [&[code], &rest[..]].concat());
    }

    #[test]
    fn what_is_written_counts_as_read_before() {
        let mut lab = Lab::new();
        lab.set_storage(U256::ZERO, U256::from(7));
        let code = [op::PUSH1, 9, op::PUSH0, op::SSTORE, op::PUSH0, op::SLOAD, op::STOP];
        let facts = facts(&mut lab, &code).expect("it is not opaque");
        assert_eq!(value(&facts, WORD), Some(U256::from(7)));
    }

    #[test]
    fn calls_and_questions_about_code_note_it() {
        let mut lab = Lab::new();
        let called = facts(&mut lab, &Program::new().call(KEEPER, [1; 32]).assemble()).expect("a plain call");
        let code = value(&called, StateRead::Code(KEEPER)).expect("its code is read");
        assert!(!code.is_zero());
        assert_eq!(
            value(&called, StateRead::Word(Slot { address: KEEPER, slot: U256::ZERO })),
            Some(U256::ZERO)
        );
        let ask = [&[op::PUSH20], ALICE.as_slice(), &[op::EXTCODEHASH, op::STOP]].concat();
        let asked = facts(&mut lab, &ask).expect("a question");
        assert_eq!(value(&asked, StateRead::Code(ALICE)), Some(U256::ZERO));
    }

    #[test]
    fn what_no_facts_describe_is_opaque() {
        let mut lab = Lab::new();
        let warp = Vm::warpCall { timestamp: U256::ONE };
        let opaque = [
            Program::new().create(&[op::STOP]).assemble(),
            Program::new().vm(&warp).assemble(),
            Program::new().call_with(KEEPER, 1, []).assemble(),
            vec![op::PUSH0, op::BLOCKHASH, op::STOP],
            vec![op::PUSH0, op::SELFDESTRUCT],
        ];
        for code in opaque {
            assert_eq!(facts(&mut lab, &code), None, "{code:02x?}");
        }
        let pure = Program::new().vm(&Vm::prank_0Call { sender: ALICE }).call(KEEPER, []).assemble();
        assert!(facts(&mut lab, &pure).is_some());
    }
}
