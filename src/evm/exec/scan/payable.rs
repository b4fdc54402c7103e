//! Static check for code that can send wei.

use crate::evm::trace::cmplog::{CodeWalk, Word};
use alloy_primitives::U256;
use revm::bytecode::opcode as op;
use rustc_hash::FxHashMap;
use std::collections::hash_map::Entry;

/// Maximum number of instructions walked over; longer code is assumed to send wei.
const LONGEST: usize = 1 << 18;

/// Tells whether any reachable instruction may send wei, or may run foreign code that does: a call with a
/// value that is not always zero, a creation, a delegatecall, or a selfdestruct.
pub(crate) fn can_pay(code: &[u8]) -> bool {
    let mut open = vec![CodeWalk::new(code, 0, Vec::new())];
    let mut seen = FxHashMap::default();
    let mut steps = 0;
    while let Some(mut walk) = open.pop() {
        loop {
            steps += 1;
            if steps > LONGEST {
                return true;
            }
            let instruction = code.get(walk.pc()).copied().unwrap_or(op::STOP);
            match instruction {
                op::JUMPDEST => match arrive(code, &mut seen, &walk) {
                    Some(stack) => walk = CodeWalk::new(code, walk.pc(), stack),
                    None => break,
                },
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

/// Jump destination, the number of words on the stack, and the possible return addresses among them with their
/// positions. They distinguish the calls of one function.
type Arrival = (usize, usize, Vec<(usize, U256)>);

/// Returns the stack with which to go on from a jump destination; `None` if the code after it was walked over with
/// such a stack. A word that differed at an earlier arrival, such as a counter or a sum in a loop, is unknown.
fn arrive(code: &[u8], seen: &mut FxHashMap<Arrival, Vec<Word>>, walk: &CodeWalk<'_>) -> Option<Vec<Word>> {
    let is_place = |word: &U256| usize::try_from(*word).is_ok_and(|pc| code.get(pc) == Some(&op::JUMPDEST));
    let stack = walk.stack();
    let places = stack.iter().enumerate().filter_map(|(position, word)| Some((position, (*word)?)));
    let callers = places.filter(|(_, word)| is_place(word)).collect();
    match seen.entry((walk.pc(), stack.len(), callers)) {
        Entry::Vacant(entry) => Some(entry.insert(stack.to_vec()).clone()),
        Entry::Occupied(mut entry) => {
            let known = |(before, now): (&Word, &Word)| before.filter(|word| Some(*word) == *now);
            let joined: Vec<Word> = entry.get().iter().zip(stack).map(known).collect();
            let is_new = joined != *entry.get();
            is_new.then(|| {
                entry.insert(joined.clone());
                joined
            })
        }
    }
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
        // A loop adds to what is zero before it.
        assert!(can_pay(&hex!("5f 5b 33 600b 57 33 01 6001 56 5b 5f5f5f5f 84 33 5a f1 00")));
        // The target of a jump is unknown if it is read from storage.
        assert!(can_pay(&hex!("60005456")) && !can_pay(&hex!("600456005b00")));
    }
}
