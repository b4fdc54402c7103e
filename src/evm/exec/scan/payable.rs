//! Whether code can send wei at all.

use crate::evm::trace::cmplog::{CodeWalk, Word};
use alloy_primitives::U256;
use revm::bytecode::opcode as op;
use rustc_hash::FxHashSet;

/// Instructions walked over at most; more code than that is taken to be able.
const LONGEST: usize = 1 << 18;

/// Whether any instruction of the code that can be reached may send wei, or run code of others that does: a call with a value
/// that is not always zero, a creation, a delegatecall, a selfdestruct.
pub(crate) fn can_pay(code: &[u8]) -> bool {
    let mut open = vec![CodeWalk::new(code, 0, Vec::new())];
    let mut seen = FxHashSet::default();
    let mut steps = 0;
    while let Some(mut walk) = open.pop() {
        loop {
            steps += 1;
            if steps > LONGEST {
                return true;
            }
            let instruction = code.get(walk.pc()).copied().unwrap_or(op::STOP);
            match instruction {
                op::JUMPDEST if !seen.insert((walk.pc(), callers(code, walk.stack()))) => break,
                op::CREATE | op::CREATE2 | op::DELEGATECALL | op::CALLCODE | op::SELFDESTRUCT => return true,
                op::CALL => {
                    let value = walk.stack().len().checked_sub(3).and_then(|place| walk.stack()[place]);
                    if !value.is_some_and(|value| value.is_zero()) {
                        return true;
                    }
                }
                op::JUMPI => match walk.jumpi() {
                    Some(target) => {
                        open.push(walk.clone().at(target));
                        continue;
                    }
                    None => return true,
                },
                // Nobody knows what is there.
                op::JUMP if walk.stack().last().is_none_or(Option::is_none) => return true,
                _ => {}
            }
            if walk.step().is_some() {
                break;
            }
        }
    }
    false
}

/// The places on a stack that may be returned to: they tell the calls of one function apart, and a loop that counts is gone
/// through once.
fn callers(code: &[u8], stack: &[Word]) -> Vec<U256> {
    let is_place = |word: &U256| usize::try_from(*word).is_ok_and(|pc| code.get(pc) == Some(&op::JUMPDEST));
    stack.iter().flatten().copied().filter(is_place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloy_primitives::hex;

    #[test]
    fn only_calls_with_a_value_pay() {
        let call = |value: &str| hex::decode(format!("6000600060006000{value}335af100")).expect("digits");
        assert!(!can_pay(&call("6000")));
        assert!(can_pay(&call("34")) && can_pay(&call("6001")));
        assert!(can_pay(&hex!("33ff")) && !can_pay(&hex!("6001600055")));
        // Behind a STOP is no code; behind a JUMPI there is.
        assert!(!can_pay(&hex!("0033ff")));
        assert!(can_pay(&hex!("3360055700 5b 33ff")));
        // Where a jump leads that storage holds, nobody knows.
        assert!(can_pay(&hex!("60005456")) && !can_pay(&hex!("600456005b00")));
    }
}
