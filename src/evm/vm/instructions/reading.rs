//! Instructions that read the state or the block, and record what they read.

use super::{Ictx, moves};
use crate::evm::{
    Ctx, cheats,
    trace::read_set::{StateRead, give_up, note},
};
use alloy_primitives::{Address, B256};
use revm::{
    bytecode::opcode,
    interpreter::{
        Instruction, InstructionExecResult,
        instructions::{block_info, host, system, tx_info},
        interpreter::EthInterpreter,
    },
};

/// Replaces the instructions that read the state or the block, except those that `recording` itself replaces.
pub(super) fn replace(table: &mut [Instruction<EthInterpreter, Ctx>; 256]) {
    macro_rules! set {
        ($($code:ident => $instruction:expr;)*) => {
            $(table[usize::from(opcode::$code)] = Instruction::new($instruction);)*
        };
    }
    set! {
        BALANCE => balance;
        SELFBALANCE => selfbalance;
        EXTCODEHASH => extcodehash;
        EXTCODECOPY => extcodecopy;
        SELFDESTRUCT => selfdestruct;
        BLOBHASH => blob_hash;
        BLOBBASEFEE => blob_basefee;
        TIMESTAMP => timestamp;
        NUMBER => number;
        COINBASE => coinbase;
        DIFFICULTY => difficulty;
        GASLIMIT => gaslimit;
        BASEFEE => basefee;
        CHAINID => chainid;
        GASPRICE => gasprice;
        GAS => gas;
        TLOAD => tload;
    }
}

/// Returns the account whose address is the topmost word of the stack.
pub(super) fn named(context: &Ictx<'_>) -> Option<Address> {
    context.interpreter.stack.data().last().map(|word| Address::from_word(B256::from(*word)))
}

macro_rules! reads {
    ($($name:ident($context:ident) = $original:path, $fact:expr;)*) => {$(
        pub(super) fn $name($context: Ictx<'_>) -> InstructionExecResult {
            if $context.host.chain.reads.is_on() {
                match $fact {
                    Some(fact) => note($context.host, fact),
                    None => give_up($context.host),
                }
            }
            $original($context)
        }
    )*};
}

reads! {
    selfbalance(context) = host::selfbalance,
        Some(StateRead::Balance(context.interpreter.input.target_address));
    blob_hash(context) = tx_info::blob_hash, None;
    blob_basefee(context) = block_info::blob_basefee, None;
    timestamp(context) = block_info::timestamp, Some(StateRead::Environment(opcode::TIMESTAMP));
    number(context) = block_info::block_number, Some(StateRead::Environment(opcode::NUMBER));
    coinbase(context) = block_info::coinbase, Some(StateRead::Environment(opcode::COINBASE));
    difficulty(context) = block_info::difficulty, Some(StateRead::Environment(opcode::DIFFICULTY));
    gaslimit(context) = block_info::gaslimit, Some(StateRead::Environment(opcode::GASLIMIT));
    basefee(context) = block_info::basefee, Some(StateRead::Environment(opcode::BASEFEE));
    chainid(context) = block_info::chainid, Some(StateRead::Environment(opcode::CHAINID));
    gasprice(context) = tx_info::gasprice, Some(StateRead::Environment(opcode::GASPRICE));
}

/// Defines instructions that access an account. A test may ask for a record of such accesses
/// (`vm.startStateDiffRecording`).
macro_rules! looks {
    ($($name:ident($context:ident) = $original:path, $code:ident, $fact:expr;)*) => {$(
        fn $name($context: Ictx<'_>) -> InstructionExecResult {
            if $context.host.chain.reads.is_on() {
                match $fact {
                    Some(fact) => note($context.host, fact),
                    None => give_up($context.host),
                }
            }
            if $context.host.chain.watch.diffs.is_some()
                && let Some(account) = named(&$context)
            {
                let by = $context.interpreter.input.target_address;
                cheats::account_accessed($context.host, opcode::$code, account, by);
            }
            $original($context)
        }
    )*};
}

fn copy_code(mut context: Ictx<'_>) -> InstructionExecResult {
    moves(&mut context, 3)?;
    host::extcodecopy(context)
}

looks! {
    balance(context) = host::balance, BALANCE, named(&context).map(StateRead::Balance);
    extcodehash(context) = host::extcodehash, EXTCODEHASH, named(&context).map(StateRead::Code);
    extcodecopy(context) = copy_code, EXTCODECOPY, named(&context).map(StateRead::Code);
    selfdestruct(context) = host::selfdestruct, SELFDESTRUCT, None;
}

/// GAS. Most of the time, the gas is passed on to a call.
fn gas(context: Ictx<'_>) -> InstructionExecResult {
    let Ictx { interpreter, host } = context;
    system::gas(Ictx { interpreter: &mut *interpreter, host: &mut *host })?;
    if let (true, Some(gas)) = (host.chain.reads.notes_gas(), interpreter.stack.data().last()) {
        host.chain.reads.note_gas(*gas);
    }
    Ok(())
}

/// TLOAD. What it reads was written earlier in the transaction.
fn tload(context: Ictx<'_>) -> InstructionExecResult {
    if context.host.chain.reads.is_on() {
        context.host.chain.reads.note_transaction();
    }
    host::tload(context)
}
