//! Replacement of operands that occur in the input: input-to-state correspondence (Aschermann et al.,
//! REDQUEEN, NDSS 2019).
//!
//! It needs one execution where a line needs two. It also finds values that are not numbers, such as the
//! string behind a hash.

use crate::engine::tuning::predict_operand::MOST;
use crate::{
    engine::{
        call_generator::CallGenerator,
        input::{self, InputElement},
        value::tree,
    },
    model::{Branch, Relation, Sequence},
};
use alloy_dyn_abi::DynSolValue;
use alloy_primitives::{Bytes, U256};

/// Returns copies of `calls` in which an operand of `branch` was replaced so that the branch comes out as
/// `outcome`, each with the index of the first call that differs.
pub(in crate::engine) fn replacements(
    branch: &Branch,
    outcome: bool,
    calls: &Sequence,
    elements: &[InputElement],
    generator: &CallGenerator,
) -> Vec<(Sequence, usize)> {
    let mut made = Vec::new();
    for (seen, wanted) in wanted(branch, outcome) {
        // Elements of the last transactions come first, because they are nearest to the branch.
        for element in elements {
            if made.len() >= MOST {
                return made;
            }
            let tx = &calls[element.step];
            if input::machine_word(tx, element.part) != Some(seen) {
                continue;
            }
            let Some(value) = input::from_machine(tx, element.part, wanted, generator) else { continue };
            let mut changed = calls.clone();
            if input::set(&mut changed[element.step], element.part, value, generator) {
                made.push((changed, element.step));
            }
        }
    }
    if let (Relation::Equal, true, Some([left, right])) =
        (branch.relation, outcome, branch.preimages.as_deref())
    {
        made.extend(rehash(calls, left, right, generator));
        made.extend(rehash(calls, right, left, generator));
    }
    made.truncate(MOST);
    made
}

/// Returns pairs of an operand and the word that should replace it.
fn wanted(branch: &Branch, outcome: bool) -> Vec<(U256, U256)> {
    let (left, right) = (branch.left, branch.right);
    let one = U256::ONE;
    match (branch.relation, outcome) {
        _ if left == right && outcome && branch.relation == Relation::Equal => vec![],
        (Relation::Equal, true) => vec![(left, right), (right, left)],
        (Relation::Equal, false) => vec![],
        (_, true) => vec![(left, right.wrapping_sub(one)), (right, left.wrapping_add(one))],
        (_, false) => vec![(left, right), (right, left)],
    }
}

/// Replaces the keccak preimage `old` of one operand by the preimage `new` of the other, wherever the input
/// holds it.
fn rehash(
    calls: &Sequence,
    old: &Bytes,
    new: &Bytes,
    generator: &CallGenerator,
) -> Option<(Sequence, usize)> {
    let mut changed = calls.clone();
    let mut first = None;
    for (step, tx) in changed.iter_mut().enumerate().rev() {
        let before = tx.clone();
        let whole = replace_blob(tx, old, new);
        if whole || replace_words(tx, old, new, generator) {
            first = Some(step).filter(|_| *tx != before).or(first);
        }
    }
    first.map(|first| (changed, first))
}

/// Replaces byte strings and strings that equal the preimage `old`.
fn replace_blob(tx: &mut crate::model::Transaction, old: &Bytes, new: &Bytes) -> bool {
    let Some(args) = tx.input.args_mut() else { return false };
    let mut replaced = false;
    for node in 0..tree::count(args) {
        match tree::node_mut(args, node) {
            Some(DynSolValue::Bytes(bytes)) if bytes[..] == old[..] => {
                *bytes = new.to_vec();
                replaced = true;
            }
            Some(DynSolValue::String(text)) if text.as_bytes() == &old[..] => {
                let Ok(new) = std::str::from_utf8(new) else { continue };
                *text = new.to_owned();
                replaced = true;
            }
            _ => {}
        }
    }
    replaced
}

/// Replaces the scalars that form the preimage `old`, word by word (`abi.encode` of several values).
fn replace_words(
    tx: &mut crate::model::Transaction,
    old: &Bytes,
    new: &Bytes,
    generator: &CallGenerator,
) -> bool {
    if old.len() != new.len() || !old.len().is_multiple_of(32) {
        return false;
    }
    let words = |bytes: &Bytes| bytes.chunks_exact(32).map(U256::from_be_slice).collect::<Vec<_>>();
    let mut replaced = false;
    for (old, new) in words(old).into_iter().zip(words(new)).filter(|(old, new)| old != new) {
        for element in input::elements(tx, 0, generator) {
            if input::machine_word(tx, element.part) == Some(old)
                && let Some(value) = input::from_machine(tx, element.part, new, generator)
            {
                replaced |= input::set(tx, element.part, value, generator);
                break;
            }
        }
    }
    replaced
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        engine::toy,
        model::{BranchKind, Sequence},
    };

    fn branch(relation: Relation, left: u64, right: u64) -> Branch {
        Branch {
            kind: BranchKind::Jump,
            relation,
            left: U256::from(left),
            right: U256::from(right),
            edges: [1, 2],
            taken: [
                !relation.holds(U256::from(left), U256::from(right)),
                relation.holds(U256::from(left), U256::from(right)),
            ],
            branch_outcomes: Default::default(),
            preimages: Default::default(),
        }
    }

    fn guesses(branch: &Branch, outcome: bool, calls: &Sequence) -> Vec<Sequence> {
        let generator = toy::generator();
        let elements: Vec<InputElement> =
            calls.iter().enumerate().flat_map(|(step, tx)| input::elements(tx, step, &generator)).collect();
        replacements(branch, outcome, calls, &elements, &generator)
            .into_iter()
            .map(|(calls, _)| calls)
            .collect()
    }

    #[test]
    fn the_other_operand_takes_the_place_of_the_one_in_the_input() {
        let calls = vec![toy::call("unlock", &[5]), toy::call("enter", &[9])];
        let equal = guesses(&branch(Relation::Equal, 9, 1234), true, &calls);
        assert_eq!(equal, [vec![toy::call("unlock", &[5]), toy::call("enter", &[1234])]]);
        let less = guesses(&branch(Relation::Less, 9, 7), true, &calls);
        assert_eq!(less, [vec![toy::call("unlock", &[5]), toy::call("enter", &[6])]]);
        let not_less = guesses(&branch(Relation::Less, 9, 70), false, &calls);
        assert_eq!(not_less, [vec![toy::call("unlock", &[5]), toy::call("enter", &[70])]]);
    }

    #[test]
    fn what_is_not_in_the_input_gives_nothing() {
        assert!(guesses(&branch(Relation::Equal, 8, 1234), true, &vec![toy::call("enter", &[9])]).is_empty());
        assert!(guesses(&branch(Relation::Equal, 9, 9), false, &vec![toy::call("enter", &[9])]).is_empty());
    }
}
