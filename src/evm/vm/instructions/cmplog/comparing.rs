//! Traced instructions for comparisons, and for computations with their results.

use super::{Ictx, Replacement, Result, top, top_two};
use crate::{evm::vm::recorder::TraceRecorder, model::branch::Relation};
use alloy_primitives::U256;
use revm::{
    bytecode::opcode as op,
    interpreter::{
        instructions::{arithmetic, bitwise},
        interpreter_types::LegacyBytecode,
    },
};

pub(super) const COMPARING: [Replacement; 15] = [
    (op::LT, lt),
    (op::GT, gt),
    (op::SLT, slt),
    (op::SGT, sgt),
    (op::EQ, eq),
    (op::ISZERO, iszero),
    (op::AND, and),
    (op::OR, or),
    (op::XOR, xor),
    (op::SUB, sub),
    (op::ADD, add),
    (op::SHL, shl),
    (op::SHR, shr),
    (op::DIV, div),
    (op::SIGNEXTEND, signextend),
];

/// Defines instructions with two operands. The node of the result is created after the instruction has run.
macro_rules! binary {
    ($(
        $name:ident = $original:path,
        |$cmplog:ident, $left:ident, $right:ident, $result:ident| $node:expr;
    )*) => {$(
        fn $name(context: Ictx<'_>) -> Result {
            let Ictx { interpreter, host } = context;
            let before = top_two(interpreter);
            $original(Ictx { interpreter: &mut *interpreter, host: &mut *host })?;
            if let (Some((height, left, right)), Some((_, $result))) = (before, top(interpreter)) {
                let depth = host.journaled_state.depth;
                let $cmplog = &mut host.chain.cmplog;
                let $left = $cmplog.operand(depth, height - 1, left);
                let $right = $cmplog.operand(depth, height - 2, right);
                let node = $node;
                $cmplog.tag(depth, height - 2, node);
            }
            Ok(())
        }
    )*};
}

binary! {
    lt = bitwise::lt, |cmplog, left, right, _result| cmplog.exprs.compare(Relation::Less, left, right);
    gt = bitwise::gt, |cmplog, left, right, _result| cmplog.exprs.compare(Relation::Less, right, left);
    slt = bitwise::slt,
        |cmplog, left, right, _result| cmplog.exprs.compare(Relation::SignedLess, left, right);
    sgt = bitwise::sgt,
        |cmplog, left, right, _result| cmplog.exprs.compare(Relation::SignedLess, right, left);
    eq = bitwise::eq, |cmplog, left, right, _result| cmplog.exprs.compare(Relation::Equal, left, right);
    and = bitwise::bitand, |cmplog, left, right, result| cmplog.exprs.conjunction(left, right, result);
    or = bitwise::bitor, |cmplog, left, right, result| cmplog.exprs.disjunction(left, right, result);
    xor = bitwise::bitxor, |cmplog, left, right, result| cmplog.exprs.difference(left, right, result);
    sub = arithmetic::sub, |cmplog, left, right, result| cmplog.exprs.difference(left, right, result);
    shl = bitwise::shl, |cmplog, bits, word, result| cmplog.exprs.shifted_left(word, bits.word, result);
    shr = bitwise::shr, |cmplog, bits, word, result| cmplog.exprs.shifted_right(word, bits.word, result);
    div = arithmetic::div, |cmplog, word, power, result| {
        let is_power = power.word.is_power_of_two();
        let bits = U256::from(power.word.trailing_zeros());
        if is_power { cmplog.exprs.shifted_right(word, bits, result) } else { 0 }
    };
    signextend = arithmetic::signextend, |cmplog, size, word, result| {
        cmplog.exprs.masked(word, result, |word| sign_extended(size.word, word))
    };
}

fn sign_extended(size: U256, word: U256) -> U256 {
    let Ok(size @ 0..31) = usize::try_from(size) else { return word };
    let high = U256::MAX << (8 * (size + 1));
    if word.bit(8 * size + 7) { word | high } else { word & !high }
}

fn add(context: Ictx<'_>) -> Result {
    let Ictx { interpreter, host } = context;
    let before = top_two(interpreter);
    arithmetic::add(Ictx { interpreter: &mut *interpreter, host: &mut *host })?;
    if let (Some((height, left, right)), Some((_, result))) = (before, top(interpreter)) {
        let depth = host.journaled_state.depth;
        let TraceRecorder { cmplog, path, .. } = &mut host.chain;
        let left = cmplog.operand(depth, height - 1, left);
        let right = cmplog.operand(depth, height - 2, right);
        let node = cmplog.exprs.sum(left, right, result, |word| {
            path.frames.get(depth).is_some_and(|frame| {
                path.codes.is_constant(frame.code, interpreter.bytecode.bytecode_slice(), word)
            })
        });
        cmplog.tag(depth, height - 2, node);
    }
    Ok(())
}

fn iszero(context: Ictx<'_>) -> Result {
    let Ictx { interpreter, host } = context;
    let before = top(interpreter);
    bitwise::iszero(Ictx { interpreter: &mut *interpreter, host: &mut *host })?;
    if let Some((height, word)) = before {
        let (depth, cmplog) = (host.journaled_state.depth, &mut host.chain.cmplog);
        let operand = cmplog.operand(depth, height - 1, word);
        let node = cmplog.exprs.is_zero(operand);
        cmplog.tag(depth, height - 1, node);
    }
    Ok(())
}
