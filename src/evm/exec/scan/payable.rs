//! Static check for code that can send wei.

use crate::evm::trace::cmplog::{CodeWalk, Word};
use alloy_primitives::U256;
use revm::bytecode::opcode as op;
use rustc_hash::FxHashSet;

/// Maximum number of instructions walked over; longer code is assumed to send wei.
const LONGEST: usize = 1 << 18;

/// Tells whether any reachable instruction may send wei, or may run foreign code that does: a call with a
/// value that is not always zero, a creation, a delegatecall, or a selfdestruct.
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
                // The jump target is unknown.
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

/// Returns the possible return addresses on a stack. They distinguish the calls of one function, while a loop
/// with a counter is walked only once.
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
        // Code after a STOP is unreachable; code after a JUMPI is not.
        assert!(!can_pay(&hex!("0033ff")));
        assert!(can_pay(&hex!("3360055700 5b 33ff")));
        // The target of a jump is unknown if it is read from storage.
        assert!(can_pay(&hex!("60005456")) && !can_pay(&hex!("600456005b00")));
    }
}
