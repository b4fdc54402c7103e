//! What the instruction table records while code runs: the path, and where calls and failures happened.
//!
//! The probe sits in revm's chain slot, where replaced instructions reach it; hooks for calls and
//! cheatcodes are the inspector's ([`crate::evm::vm::inspector`]).

use crate::{
    evm::{
        base::{constants::VM_ADDRESS, limits::Limits, place::CodePlace},
        cheats::{self, Watch},
        state::layers::stored,
        trace::{
            cmplog::{CmpLog, CmpSite, CodeKey, CodeKeys, replace_instructions},
            coverage::CoverageRecorder,
            edge_counts::EdgeCounts,
            read_set::{self, ReadSet, StateRead},
            taint::TaintTracker,
        },
    },
    model::{EdgeId, PROBE_SLOT, PathId, Slot, ValueId},
};
use alloy_primitives::{Address, B256, Log, U256};
use revm::{
    bytecode::opcode,
    context::JournalTr as _,
    handler::instructions::EthInstructions,
    interpreter::{
        CallInput, Instruction, InstructionContext, InstructionExecResult, Interpreter, InterpreterResult,
        instructions::{contract, control, host, memory, system},
        interpreter::EthInterpreter,
        interpreter_types::{Jumps, LegacyBytecode},
    },
    primitives::hardfork::SpecId,
};

type Ictx<'a> = InstructionContext<'a, crate::evm::Ctx, EthInterpreter>;

/// Storage accesses recorded for `vm.record`: account, slot, whether it was a write, in order.
pub(crate) type Accesses = Vec<(Address, U256, bool)>;

/// Size of the revert data of a panic: a selector and a word.
pub(in crate::evm) const PANIC_SIZE: U256 = U256::from_limbs([36, 0, 0, 0]);

/// Words written that are kept of one transaction.
const KEPT_WORDS: usize = 32;
/// Classes of values read that are kept of one transaction.
const KEPT_VALUES: usize = 512;

/// Names of the code that a frame runs.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct FrameCode {
    /// Which code it is.
    pub(crate) code: CodeKey,
    /// The same within the transaction's entry function.
    salted: u64,
    /// Which of the transaction's frames it is.
    number: usize,
}

impl FrameCode {
    /// A place in it.
    pub(crate) fn at(self, pc: usize) -> CmpSite {
        CmpSite { code: self.code, salted: self.salted, pc }
    }
}

/// A write to the probe slot.
#[derive(Clone, Debug)]
pub(crate) struct StrayWrite {
    /// Whose storage it is.
    pub(crate) account: Address,
    pub(crate) place: CodePlace,
    /// Of the frame.
    depth: usize,
}

/// Recordings of one transaction.
#[derive(Clone, Debug, Default)]
pub(crate) struct TraceRecorder {
    edges: EdgeCounts,
    path: PathId,
    /// Hash and address of the code of all frames so far.
    entered: Vec<(B256, Address)>,
    /// The last conditional jump, the branch of a failing `assert`: which frame, and where.
    last_jumpi: Option<(usize, usize)>,
    /// Code by depth, of the frames that run.
    pub(crate) frames: Vec<FrameCode>,
    /// The transaction's entry function: code and selector.
    entry: u64,
    /// Names of all code.
    pub(crate) codes: CodeKeys,
    /// Costs, where the transaction is tracked.
    pub(crate) cmplog: CmpLog,
    /// Where the innermost REVERT or INVALID of the transaction was executed, with the return address candidates.
    pub(crate) last_failure: CodePlace,
    /// Where the last call to the cheatcode address stands.
    pub(crate) last_cheat: CodePlace,
    /// Words of the stack, there or at the last panic, that could be return addresses, topmost first.
    pub(crate) return_addresses: Vec<usize>,
    /// The last EXTCODESIZE that found no code: depth of the frame, address.
    pub(crate) hollow_code: Option<(usize, Address)>,
    /// Storage writes while a trace is recorded: depth of the frame, slot, before, after.
    pub(crate) writes: Option<Vec<(usize, U256, U256, U256)>>,
    /// The last write to the probe slot, unless its frame failed.
    pub(crate) stray_write: Option<StrayWrite>,
    /// Classes of values read.
    values: Vec<ValueId>,
    /// Values and slots written, for the dictionary.
    pub(crate) words: Vec<U256>,
    /// Storage accesses, while `vm.record` or the tracer wants them.
    pub(crate) accesses: Option<Accesses>,
    /// What cheatcodes want instructions to note or change.
    pub(crate) watch: Watch,
    /// What the call reads, while somebody wants to know.
    pub(crate) reads: ReadSet,
    /// Logs that the inspector has not seen yet.
    pub(crate) logs: Vec<Log>,
    /// While a section's gas is measured: what frames had spent before their last calls, by depth.
    pub(crate) spent: Option<Vec<u64>>,
    /// What ends a run early.
    pub(crate) limits: Limits,
    /// Records what runs, while somebody wants to know.
    pub(crate) recorder: Option<Box<CoverageRecorder>>,
    /// Follows data, where oracles want to know.
    pub(crate) taint: Option<Box<TaintTracker>>,
}

impl TraceRecorder {
    /// With what ends a run early.
    pub(crate) fn new(limits: Limits) -> Self {
        Self { limits, ..Self::default() }
    }

    /// Forgets the last transaction; `accesses` and `watch` are the cheatcodes' and stay, as do `facts` and `limits`.
    pub(crate) fn reset(&mut self) {
        self.edges.clear();
        self.path = 0;
        self.words.clear();
        self.values.clear();
        self.return_addresses.clear();
        self.hollow_code = None;
        self.stray_write = None;
        self.spent = None;
        self.entered.clear();
        self.logs.clear();
        self.last_jumpi = None;
        self.last_failure = CodePlace::default();
        self.last_cheat = CodePlace::default();
        if self.cmplog.is_on() {
            self.cmplog.reset();
        }
    }

    /// A frame begins at this depth, the outermost one at depth 1.
    pub(crate) fn enter(&mut self, depth: usize, interpreter: &Interpreter<EthInterpreter>) {
        let code = self.codes.key(interpreter.bytecode.hash(), interpreter.bytecode.bytecode_slice());
        if depth == 1 {
            let selector = match &interpreter.input.input {
                CallInput::Bytes(data) => data.first_chunk::<4>().copied().unwrap_or_default(),
                CallInput::SharedBuffer(_) => [0; 4],
            };
            self.entry = mix(code ^ u64::from(u32::from_be_bytes(selector)));
        }
        if self.frames.len() <= depth {
            self.frames.resize(depth + 1, FrameCode::default());
        }
        self.frames[depth] = FrameCode { code, salted: mix(code ^ self.entry), number: self.entered.len() };
        self.entered.push(running(interpreter));
        if self.cmplog.is_on() {
            self.cmplog.enter(depth);
        }
        if let Some(taint) = &mut self.taint {
            taint.enter(depth);
        }
    }

    /// While a section's gas is measured: the frame at this depth has spent so much.
    pub(crate) fn note_spent(&mut self, depth: usize, gas: u64) {
        if let Some(spent) = &mut self.spent {
            spent.resize(spent.len().max(depth + 1), 0);
            spent[depth] = gas;
        }
    }

    /// Accounts whose code ran in the transaction.
    pub(crate) fn called(&self) -> impl Iterator<Item = Address> + '_ {
        self.entered.iter().map(|(_, address)| *address)
    }

    /// A frame that the one at this depth began has ended.
    pub(crate) fn frame_ended(&mut self, depth: usize, result: &InterpreterResult) {
        let success = result.result.is_ok();
        if let Some(taint) = &mut self.taint {
            taint.frame_ended(depth, result);
        }
        if !success {
            self.stray_write.take_if(|write| write.depth > depth);
        }
        if self.cmplog.is_on() {
            self.cmplog.call_ended(depth, success);
        }
    }

    /// The code of the frame at this depth.
    pub(crate) fn frame(&self, depth: usize) -> FrameCode {
        self.frames.get(depth).copied().unwrap_or_default()
    }

    /// Where the frame at this depth executes an instruction.
    pub(crate) fn place(&self, depth: usize, interpreter: &Interpreter<EthInterpreter>) -> CmpSite {
        self.frame(depth).at(interpreter.bytecode.pc() - 1)
    }

    /// Where the frame at this depth called the last cheatcode.
    pub(crate) fn cheat_place(&self, depth: usize) -> CmpSite {
        self.frame(depth).at(self.last_cheat.pc)
    }

    /// Notes the decision of a JUMPI.
    pub(crate) fn jumped(
        &mut self,
        depth: usize,
        interpreter: &Interpreter<EthInterpreter>,
        taken: bool,
    ) -> CmpSite {
        let frame = self.frame(depth);
        let place = frame.at(interpreter.bytecode.pc() - 1);
        self.edge(place.edge(taken));
        self.last_jumpi = Some((frame.number, place.pc));
        place
    }

    /// The last conditional jump.
    pub(crate) fn last_jumpi(&self) -> Option<CodePlace> {
        let (number, pc) = self.last_jumpi?;
        let (code, address) = *self.entered.get(number)?;
        Some(CodePlace { code, address, pc })
    }

    /// The edges taken so far.
    pub(crate) fn edges(&self) -> impl Iterator<Item = EdgeId> + '_ {
        self.edges.edges().iter().copied()
    }

    /// Notes which class of values an SLOAD read.
    fn note_value(&mut self, depth: usize, interpreter: &Interpreter<EthInterpreter>, value: U256) {
        if self.values.len() < KEPT_VALUES {
            let place = self.place(depth, interpreter);
            self.values.push(mix(place.edge(true) ^ ((value.bit_len() as u64 + 1) << 32)));
        }
    }

    /// The classes of values read so far.
    pub(crate) fn values(&self) -> &[ValueId] {
        &self.values
    }

    /// The path id so far: the multiset of branch decisions, their counts in AFL's buckets, so that a
    /// loop that runs once more is the same path.
    pub(crate) fn path(&self) -> PathId {
        self.path
    }

    fn edge(&mut self, edge: u64) {
        let times = self.edges.add(edge);
        if times == 1 {
            self.path = self.path.wrapping_add(edge);
            return;
        }
        let (before, after) = (bucket(times - 1), bucket(times));
        if before != after {
            let share = |bucket| if bucket == 1 { edge } else { mix(edge ^ bucket) };
            self.path = self.path.wrapping_sub(share(before)).wrapping_add(share(after));
        }
    }
}

/// AFL's hit-count buckets: 1, 2, 3, 4-7, 8-15, 16-31, 32-127, 128 and more.
fn bucket(count: u32) -> u64 {
    match count {
        0..=3 => u64::from(count),
        4..=7 => 4,
        8..=15 => 5,
        16..=31 => 6,
        32..=127 => 7,
        _ => 8,
    }
}

/// The finaliser of splitmix64.
pub(in crate::evm) fn mix(mut word: u64) -> u64 {
    word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ (word >> 31)
}

/// The instruction table with the probe's instructions in it.
pub(crate) fn instructions(spec: SpecId) -> EthInstructions<EthInterpreter, crate::evm::Ctx> {
    let mut instructions = EthInstructions::new_mainnet_with_spec(spec);
    let table = instructions.instruction_table_mut();
    read_set::replace(table);
    table[opcode::JUMP as usize] = Instruction::new(jump);
    table[opcode::JUMPI as usize] = Instruction::new(jumpi);
    table[opcode::SLOAD as usize] = Instruction::new(sload);
    table[opcode::SSTORE as usize] = Instruction::new(sstore);
    table[opcode::KECCAK256 as usize] = Instruction::new(keccak256);
    table[opcode::BLOCKHASH as usize] = Instruction::new(blockhash);
    table[opcode::REVERT as usize] = Instruction::new(revert);
    table[opcode::EXTCODESIZE as usize] = Instruction::new(extcodesize);
    table[opcode::INVALID as usize] = Instruction::new(invalid);
    table[opcode::CALLDATACOPY as usize] = Instruction::new(calldatacopy);
    table[opcode::CODECOPY as usize] = Instruction::new(codecopy);
    table[opcode::RETURNDATACOPY as usize] = Instruction::new(returndatacopy);
    table[opcode::MCOPY as usize] = Instruction::new(mcopy);
    table[opcode::LOG0 as usize] = Instruction::new(log::<0>);
    table[opcode::LOG1 as usize] = Instruction::new(log::<1>);
    table[opcode::LOG2 as usize] = Instruction::new(log::<2>);
    table[opcode::LOG3 as usize] = Instruction::new(log::<3>);
    table[opcode::LOG4 as usize] = Instruction::new(log::<4>);
    table[opcode::CALL as usize] = Instruction::new(call::<{ opcode::CALL }>);
    table[opcode::STATICCALL as usize] = Instruction::new(call::<{ opcode::STATICCALL }>);
    instructions
}

/// The same for tracked transactions.
pub(crate) fn tracking_instructions(spec: SpecId) -> EthInstructions<EthInterpreter, crate::evm::Ctx> {
    let mut instructions = instructions(spec);
    replace_instructions(&mut instructions);
    instructions
}

/// Hash and address of the running code; creation code has no hash.
fn running(interpreter: &Interpreter<EthInterpreter>) -> (B256, Address) {
    let address = interpreter.input.bytecode_address.unwrap_or(interpreter.input.target_address);
    (interpreter.bytecode.hash().unwrap_or_default(), address)
}

/// The place of the instruction being executed; its pc has already advanced by one.
fn place(interpreter: &Interpreter<EthInterpreter>) -> CodePlace {
    let (code, address) = running(interpreter);
    CodePlace { code, address, pc: interpreter.bytecode.pc() - 1 }
}

fn jump(context: Ictx<'_>) -> InstructionExecResult {
    context.host.chain.limits.check()?;
    control::jump(context)
}

fn jumpi(context: Ictx<'_>) -> InstructionExecResult {
    context.host.chain.limits.check()?;
    if let [.., condition, _] = *context.interpreter.stack.data().as_slice() {
        let depth = context.host.journaled_state.depth;
        context.host.chain.jumped(depth, context.interpreter, !condition.is_zero());
    }
    control::jumpi(context)
}

pub(in crate::evm) fn sload(context: Ictx<'_>) -> InstructionExecResult {
    if let Some(accesses) = &mut context.host.chain.accesses
        && let Some(slot) = context.interpreter.stack.data().last()
    {
        accesses.push((context.interpreter.input.target_address, *slot, false));
    }
    if context.host.chain.watch.arbitrary.is_some()
        && let Some(slot) = context.interpreter.stack.data().last()
    {
        cheats::before_load(context.host, context.interpreter.input.target_address, *slot);
    }
    if context.host.chain.reads.is_on()
        && let Some(slot) = context.interpreter.stack.data().last()
    {
        let address = context.interpreter.input.target_address;
        read_set::note(context.host, StateRead::Word(Slot { address, slot: *slot }));
    }
    if context.host.chain.watch.diffs.is_some()
        && let Some(slot) = context.interpreter.stack.data().last()
    {
        cheats::slot_accessed(context.host, context.interpreter.input.target_address, *slot, None);
    }
    let Ictx { interpreter, host } = context;
    host::sload(Ictx { interpreter: &mut *interpreter, host: &mut *host })?;
    if let Some(value) = interpreter.stack.data().last() {
        let depth = host.journaled_state.depth;
        host.chain.note_value(depth, interpreter, *value);
    }
    Ok(())
}

pub(in crate::evm) fn sstore(context: Ictx<'_>) -> InstructionExecResult {
    if let [.., value, slot] = *context.interpreter.stack.data().as_slice() {
        let address = context.interpreter.input.target_address;
        read_set::note(context.host, StateRead::Word(Slot { address, slot }));
        if context.host.chain.writes.is_some() {
            let before = stored(context.host, address, slot);
            let write = (context.host.journaled_state.depth, slot, before, value);
            context.host.chain.writes.iter_mut().for_each(|writes| writes.push(write));
        }
        if context.host.chain.watch.diffs.is_some() {
            cheats::slot_accessed(context.host, address, slot, Some(value));
        }
        if slot == PROBE_SLOT {
            let (depth, place) = (context.host.journaled_state.depth, place(context.interpreter));
            context.host.chain.stray_write = Some(StrayWrite { account: address, place, depth });
        }
        let recorder = &mut context.host.chain;
        if recorder.words.len() < KEPT_WORDS {
            recorder.words.extend([value, slot]);
        }
        if let Some(accesses) = &mut recorder.accesses {
            // As Forge: a write is recorded as a read and a write.
            accesses.extend([(address, slot, false), (address, slot, true)]);
        }
        if let Some(mappings) = &mut recorder.watch.mappings {
            mappings.stored(context.interpreter.input.target_address, slot);
        }
    }
    host::sstore(context)
}

/// Fails where the call is to end, before as many bytes are moved as the word at this depth of the stack says.
#[inline]
pub(in crate::evm) fn moves(context: &mut Ictx<'_>, depth: usize) -> InstructionExecResult {
    let size = context.interpreter.stack.data().iter().rev().nth(depth);
    let size = size.map_or(0, |size| size.saturating_to());
    context.host.chain.limits.moves(size)
}

macro_rules! copies {
    ($($name:ident = $original:path, $size:literal;)*) => {$(
        fn $name(mut context: Ictx<'_>) -> InstructionExecResult {
            moves(&mut context, $size)?;
            $original(context)
        }
    )*};
}

copies! {
    calldatacopy = system::calldatacopy, 2;
    codecopy = system::codecopy, 2;
    returndatacopy = system::returndatacopy, 2;
    mcopy = memory::mcopy, 2;
}

/// Hashes of two words may be slots of mapping elements; what others are hashes of may be compared.
pub(in crate::evm) fn keccak256(mut context: Ictx<'_>) -> InstructionExecResult {
    moves(&mut context, 1)?;
    let Ictx { interpreter, host } = context;
    if host.chain.watch.mappings.is_none() && !host.chain.cmplog.hashing {
        return system::keccak256(Ictx { interpreter, host });
    }
    let range = match *interpreter.stack.data().as_slice() {
        [.., length, offset] => usize::try_from(offset).ok().zip(usize::try_from(length).ok()),
        _ => None,
    };
    system::keccak256(Ictx { interpreter: &mut *interpreter, host: &mut *host })?;
    let image = interpreter.stack.data().last().copied();
    let (Some((offset, length @ 1..)), Some(image)) = (range, image) else { return Ok(()) };
    let preimage = interpreter.memory.slice_len(offset, length);
    let recorder = &mut host.chain;
    if recorder.cmplog.hashing {
        recorder.cmplog.preimages.add(image, &preimage);
    }
    if let (Some(mappings), 64) = (&mut recorder.watch.mappings, length) {
        mappings.hashed(interpreter.input.target_address, &preimage);
    }
    Ok(())
}

/// The hash that `vm.setBlockhash` gave a block takes the place of the world's.
fn blockhash(context: Ictx<'_>) -> InstructionExecResult {
    let number = context.interpreter.stack.data().last().and_then(|number| u64::try_from(*number).ok());
    let Ictx { interpreter, host, .. } = context;
    read_set::give_up(host);
    host::blockhash(Ictx { interpreter: &mut *interpreter, host: &mut *host })?;
    let given = number.and_then(|number| host.chain.watch.block_hashes.get(&number));
    // Blocks out of reach have no hash, given or not.
    if let Some(hash) = given
        && interpreter.stack.data().last().is_some_and(|hash| !hash.is_zero())
    {
        return interpreter.stack.set(0, (*hash).into());
    }
    Ok(())
}

/// Solidity asks for the size of code before it calls; what it finds explains a revert without data.
pub(in crate::evm) fn extcodesize(context: Ictx<'_>) -> InstructionExecResult {
    let asked = read_set::named(&context);
    let InstructionContext { interpreter, host } = context;
    if let Some(asked) = asked {
        read_set::note(host, StateRead::Code(asked));
        if host.chain.watch.diffs.is_some() {
            cheats::account_accessed(host, opcode::EXTCODESIZE, asked, interpreter.input.target_address);
        }
    }
    host::extcodesize(InstructionContext { interpreter, host })?;
    let empty = interpreter.stack.data().last().is_some_and(|size| size.is_zero());
    host.chain.hollow_code = asked.filter(|_| empty).map(|address| (host.journaled_state.depth, address));
    Ok(())
}

/// The inspector is shown logs at the next call or return.
fn log<const N: usize>(mut context: Ictx<'_>) -> InstructionExecResult {
    moves(&mut context, 1)?;
    let Ictx { interpreter, host } = context;
    host::log::<N, _>(Ictx { interpreter, host: &mut *host })?;
    if let Some(log) = host.journaled_state.logs().last() {
        host.chain.limits.holds(log.data.data.len());
        host.chain.logs.push(log.clone());
    }
    Ok(())
}

fn revert(context: Ictx<'_>) -> InstructionExecResult {
    let InstructionContext { interpreter, host } = context;
    host.chain.last_failure = place(interpreter);
    // A panic is a selector and a word; nothing else needs its callers.
    if let [.., size, _] = interpreter.stack.data().as_slice()
        && *size == PANIC_SIZE
    {
        note_callers(interpreter, &mut host.chain);
    }
    control::revert(InstructionContext { interpreter, host })
}

fn invalid(context: Ictx<'_>) -> InstructionExecResult {
    context.host.chain.last_failure = place(context.interpreter);
    control::invalid(context)
}

pub(in crate::evm) fn call<const KIND: u8>(context: Ictx<'_>) -> InstructionExecResult {
    let InstructionContext { interpreter, host } = context;
    if let [.., target, _] = interpreter.stack.data().as_slice()
        && Address::from_word(B256::from(*target)) == VM_ADDRESS
    {
        host.chain.last_cheat = place(interpreter);
        note_callers(interpreter, &mut host.chain);
    }
    if host.chain.spent.is_some() {
        // What every call costs is taken before the instruction runs.
        let base = if host.cfg.spec.is_enabled_in(SpecId::BERLIN) { 100 } else { 700 };
        let spent = interpreter.gas.total_gas_spent().saturating_sub(base);
        host.chain.note_spent(host.journaled_state.depth, spent);
    }
    contract::call::<KIND, _, _>(InstructionContext { interpreter, host })
}

/// Notes which words of the stack could be return addresses of internal functions.
fn note_callers(interpreter: &mut Interpreter<EthInterpreter>, recorder: &mut TraceRecorder) {
    recorder.return_addresses.clear();
    let Interpreter { stack, bytecode, .. } = interpreter;
    let words = stack.data().iter().rev().filter_map(|word| usize::try_from(*word).ok());
    recorder.return_addresses.extend(words.filter(|word| bytecode.is_valid_legacy_jump(*word)));
}
