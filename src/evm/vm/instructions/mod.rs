//! Instructions with revm's semantics that also record.

mod cmplog;
mod reading;

use crate::{
    evm::{
        Ctx,
        base::{
            constants::{PANIC_SIZE, VM_ADDRESS},
            place::{CodePlace, running},
        },
        cheats,
        state::layers::stored,
        trace::{
            read_set::{self, StateRead},
            writes::StrayWrite,
        },
    },
    model::{PROBE_SLOT, Slot},
};
use alloy_primitives::{Address, B256, U256};
use revm::{
    bytecode::opcode,
    context::JournalTr as _,
    handler::instructions::EthInstructions,
    interpreter::{
        Instruction, InstructionContext, InstructionExecResult, Interpreter,
        instructions::{contract, control, host, memory, system},
        interpreter::EthInterpreter,
        interpreter_types::Jumps,
    },
    primitives::hardfork::SpecId,
};

/// Arguments of an instruction.
pub(super) type Ictx<'a> = InstructionContext<'a, Ctx, EthInterpreter>;

/// Returns the instruction table that records every transaction.
pub(crate) fn recording(spec: SpecId) -> EthInstructions<EthInterpreter, Ctx> {
    let mut instructions = EthInstructions::new_mainnet_with_spec(spec);
    let table = instructions.instruction_table_mut();
    reading::replace(table);
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
    table[opcode::DELEGATECALL as usize] = Instruction::new(call::<{ opcode::DELEGATECALL }>);
    instructions
}

/// Returns the instruction table that also records comparisons.
pub(crate) fn comparing(spec: SpecId) -> EthInstructions<EthInterpreter, Ctx> {
    let mut instructions = recording(spec);
    cmplog::replace(&mut instructions);
    instructions
}

/// Returns the place of the instruction that runs; its program counter has already advanced by one.
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
        context.host.chain.path.jumped(depth, context.interpreter, !condition.is_zero());
    }
    control::jumpi(context)
}

/// Loads a word of storage.
fn load(context: Ictx<'_>) -> InstructionExecResult {
    if let Some(accesses) = &mut context.host.chain.watch.accesses
        && let Some(slot) = context.interpreter.stack.data().last()
    {
        accesses.push(context.interpreter.input.target_address, *slot, false);
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
        host.chain.path.note_value(depth, interpreter, *value);
    }
    Ok(())
}

/// SLOAD, with the call of a hook.
fn sload(mut context: Ictx<'_>) -> InstructionExecResult {
    let slot = context.interpreter.stack.data().last().copied();
    load(Ictx { interpreter: &mut *context.interpreter, host: &mut *context.host })?;
    call_load_hook(&mut context, slot)
}

/// Calls the hook for loads from the account, if there is one.
#[inline]
fn call_load_hook(context: &mut Ictx<'_>, slot: Option<U256>) -> InstructionExecResult {
    if let (true, Some(slot)) = (context.host.chain.watch.hooks.is_some(), slot) {
        cheats::after_load(context.interpreter, context.host, slot)?;
    }
    Ok(())
}

pub(super) fn sstore(context: Ictx<'_>) -> InstructionExecResult {
    if let [.., value, slot] = *context.interpreter.stack.data().as_slice() {
        let address = context.interpreter.input.target_address;
        read_set::note(context.host, StateRead::Word(Slot { address, slot }));
        if context.host.chain.writes.traced.is_some() {
            let before = stored(context.host, address, slot);
            let write = (context.host.journaled_state.depth, slot, before, value);
            context.host.chain.writes.traced.iter_mut().for_each(|writes| writes.push(write));
        }
        if context.host.chain.watch.diffs.is_some() {
            cheats::slot_accessed(context.host, address, slot, Some(value));
        }
        if slot == PROBE_SLOT {
            let (depth, place) = (context.host.journaled_state.depth, place(context.interpreter));
            context.host.chain.writes.stray = Some(StrayWrite { account: address, place, depth });
        }
        let recorder = &mut context.host.chain;
        recorder.writes.note_words(value, slot);
        if let Some(accesses) = &mut recorder.watch.accesses {
            // As Forge: a write is recorded as a read and a write.
            accesses.push(address, slot, false);
            accesses.push(address, slot, true);
        }
        if let Some(mappings) = &mut recorder.watch.mappings {
            mappings.stored(context.interpreter.input.target_address, slot);
        }
        if context.host.chain.watch.hooks.is_some() {
            let old = stored(context.host, address, slot);
            let Ictx { interpreter, host } = context;
            host::sstore(Ictx { interpreter: &mut *interpreter, host: &mut *host })?;
            return cheats::after_store(interpreter, host, slot, [old, value]);
        }
    }
    host::sstore(context)
}

/// Counts the bytes that the instruction is about to move against the limits of the call. Fails if the call
/// must end. The word at `depth` of the stack is the number of bytes.
#[inline]
pub(super) fn moves(context: &mut Ictx<'_>, depth: usize) -> InstructionExecResult {
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

/// KECCAK256. Records the hash input: a hash of two words may be the slot of a mapping element, and other
/// hashes may be compared.
pub(super) fn keccak256(mut context: Ictx<'_>) -> InstructionExecResult {
    moves(&mut context, 1)?;
    let Ictx { interpreter, host } = context;
    let watch = &host.chain.watch;
    if watch.mappings.is_none() && watch.hooks.is_none() && !host.chain.cmplog.hashing {
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
    if let (Some(hooks), 64) = (&mut recorder.watch.hooks, length) {
        hooks.hashed(interpreter.input.target_address, &preimage);
    }
    Ok(())
}

/// BLOCKHASH. A hash set by `vm.setBlockhash` replaces the hash of the chain.
fn blockhash(context: Ictx<'_>) -> InstructionExecResult {
    let number = context.interpreter.stack.data().last().and_then(|number| u64::try_from(*number).ok());
    let Ictx { interpreter, host, .. } = context;
    read_set::give_up(host);
    host::blockhash(Ictx { interpreter: &mut *interpreter, host: &mut *host })?;
    let given = number.and_then(|number| host.chain.watch.block_hashes.get(&number));
    // Blocks out of range have no hash, even if `vm.setBlockhash` set one.
    if let Some(hash) = given
        && interpreter.stack.data().last().is_some_and(|hash| !hash.is_zero())
    {
        return interpreter.stack.set(0, (*hash).into());
    }
    Ok(())
}

/// EXTCODESIZE. Solidity checks the code size before a call, so an empty account explains a revert without data.
pub(super) fn extcodesize(context: Ictx<'_>) -> InstructionExecResult {
    let asked = reading::named(&context);
    let InstructionContext { interpreter, host } = context;
    if let Some(asked) = asked {
        read_set::note(host, StateRead::Code(asked));
        if host.chain.watch.diffs.is_some() {
            cheats::account_accessed(host, opcode::EXTCODESIZE, asked, interpreter.input.target_address);
        }
    }
    host::extcodesize(InstructionContext { interpreter, host })?;
    let empty = interpreter.stack.data().last().is_some_and(|size| size.is_zero());
    host.chain.failure.empty_code =
        asked.filter(|_| empty).map(|address| (host.journaled_state.depth, address));
    Ok(())
}

/// LOG. The inspector receives the logs at the next call or return.
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
    host.chain.failure.failure = place(interpreter);
    // A panic is a selector and a word. Other reverts do not need their callers.
    if let [.., size, _] = interpreter.stack.data().as_slice()
        && *size == PANIC_SIZE
    {
        host.chain.failure.note_callers(interpreter);
    }
    control::revert(InstructionContext { interpreter, host })
}

fn invalid(context: Ictx<'_>) -> InstructionExecResult {
    context.host.chain.failure.failure = place(context.interpreter);
    control::invalid(context)
}

pub(super) fn call<const KIND: u8>(context: Ictx<'_>) -> InstructionExecResult {
    let InstructionContext { interpreter, host } = context;
    if let [.., target, _] = interpreter.stack.data().as_slice()
        && Address::from_word(B256::from(*target)) == VM_ADDRESS
    {
        host.chain.failure.cheat = place(interpreter);
        host.chain.failure.note_callers(interpreter);
    }
    if let (true, Some(gas)) = (host.chain.reads.notes_gas(), interpreter.stack.data().last()) {
        host.chain.reads.gas_passed_on(*gas);
    }
    if host.chain.spent.is_some() {
        // The base cost of the call is charged before the instruction runs.
        let base = if host.cfg.spec.is_enabled_in(SpecId::BERLIN) { 100 } else { 700 };
        let spent = interpreter.gas.total_gas_spent().saturating_sub(base);
        host.chain.note_spent(host.journaled_state.depth, spent);
    }
    contract::call::<KIND, _, _>(InstructionContext { interpreter, host })
}
