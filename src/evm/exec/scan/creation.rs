//! Creation of a contract with arguments of unknown purpose, and the correction of those that its constructor
//! rejects.
//!
//! A requirement like `price >= 0.001 ether && price <= 10 ether` is met by few numbers. What it compares says which:
//! the argument among the operands is set to what the other operand asks for. This is the prediction of Harvey
//! (section 3) for the inputs of a constructor, where an operand is an argument itself.

use super::{
    arguments::Choices,
    deploy::{CreateFn, Undeployable},
};
use crate::{
    model::{Deployment, Relation},
    project::Contract,
};
use alloy_dyn_abi::{DynSolType, DynSolValue};
use alloy_primitives::{Address, Bytes, I256, U256};
use std::sync::Arc;

/// Maximum number of corrections of one argument set.
const CORRECTIONS: usize = 12;

/// Creation of a contract at an address.
pub(super) struct Creation<'a> {
    pub(super) contract: &'a Arc<Contract>,
    pub(super) address: Address,
    /// Types of the constructor's parameters.
    pub(super) types: &'a [DynSolType],
    pub(super) is_payable: bool,
}

/// Reason that a creation failed, and the comparison that decided it, if it is known.
pub(crate) struct Rejected {
    pub(crate) reason: String,
    pub(crate) unmet: Option<Unmet>,
}

/// Comparison whose outcome made a constructor revert.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Unmet {
    pub(crate) relation: Relation,
    pub(crate) left: U256,
    pub(crate) right: U256,
}

/// Arguments of a constructor, and the wei that it gets.
pub(super) struct Arguments {
    pub(super) values: Vec<DynSolValue>,
    pub(super) value: U256,
}

impl Creation<'_> {
    /// Returns the arguments of one round. `given` are the addresses of the parameters whose contracts are known.
    pub(super) fn values(&self, choices: &Choices<'_>, given: &[Option<Address>]) -> Vec<DynSolValue> {
        let params = self.types.iter().enumerate().zip(given);
        let value = |((index, ty), given): ((usize, &DynSolType), &Option<Address>)| match given {
            Some(address) => DynSolValue::Address(*address),
            None => choices.value(ty, index),
        };
        params.map(value).collect()
    }

    /// Creates the contract.
    pub(super) fn run(
        &self,
        arguments: &Arguments,
        create: &mut CreateFn<'_>,
    ) -> Result<Deployment, Rejected> {
        let code = self.contract.creation_code().cloned().unwrap_or_default();
        let args = Bytes::from(DynSolValue::Tuple(arguments.values.clone()).abi_encode_params());
        create(self.address, arguments.value, [&code[..], &args].concat().into())?;
        let (contract, value) = (self.contract.id.clone(), arguments.value);
        Ok(Deployment { contract, address: self.address, args, value })
    }

    /// Creates the contract after corrections of the arguments.
    pub(super) fn correct(&self, mut arguments: Arguments, create: &mut CreateFn<'_>) -> Option<Deployment> {
        for _ in 0..CORRECTIONS {
            match self.run(&arguments, create) {
                Ok(deployed) => return Some(deployed),
                Err(Rejected { unmet, .. }) => {
                    if !arguments.correct(unmet?, self.is_payable) {
                        return None;
                    }
                }
            }
        }
        None
    }

    /// Returns the reason that the contract cannot be deployed: that of the first arguments.
    pub(super) fn undeployable(&self, rounds: usize, reason: &str, values: &[DynSolValue]) -> Undeployable {
        let inputs = self.contract.abi.constructor().map_or(&[][..], |constructor| &constructor.inputs);
        let types: Vec<_> = inputs.iter().map(|param| param.selector_type().into_owned()).collect();
        let is_told = |value: &DynSolValue| {
            let address = value.as_address().map(|address| format!("{address:#x}"));
            address.is_some_and(|address| reason.to_lowercase().contains(&address))
        };
        let told = inputs.iter().zip(values).find(|(param, value)| !param.name.is_empty() && is_told(value));
        let told = told.map(|(param, _)| format!(", an account that was given as {}", param.name));
        let reason = format!("{reason}{}", told.unwrap_or_default());
        Undeployable(match rounds {
            1 => format!("its constructor reverts: {reason}"),
            _ => format!(
                "constructor({}) reverts for each of {rounds} sets of arguments, first with: {reason}",
                types.join(",")
            ),
        })
    }
}

impl Arguments {
    /// Makes its numbers different, so that an operand tells which of them it is.
    pub(super) fn distinct(mut self) -> Self {
        let mut seen = Vec::new();
        for mut number in numbers(&mut self.values) {
            while seen.contains(&number.word()) && number.set(number.word().wrapping_add(U256::ONE)) {}
            seen.push(number.word());
        }
        self
    }

    /// Sets the argument or the wei that is an operand of the comparison, so that it has the other outcome. Returns
    /// false if it cannot.
    fn correct(&mut self, unmet: Unmet, is_payable: bool) -> bool {
        for mut number in numbers(&mut self.values) {
            if let Some(wanted) = unmet.wanted(number.word())
                && number.set(wanted)
            {
                return true;
            }
        }
        let wanted = unmet.wanted(self.value).filter(|_| is_payable);
        wanted.map(|wanted| self.value = wanted).is_some()
    }
}

impl Unmet {
    /// Returns what `operand` must become for the other outcome; `None` if it is no operand, or no number does.
    fn wanted(&self, operand: U256) -> Option<U256> {
        let is_left = operand == self.left;
        let other = if is_left { self.right } else { self.left };
        if !is_left && operand != self.right {
            return None;
        }
        let holds = self.relation.holds(self.left, self.right);
        match (self.relation, holds, is_left) {
            (Relation::Equal, true, _) => Some(other.wrapping_add(U256::ONE)),
            (Relation::Equal, false, _) | (Relation::Less | Relation::SignedLess, true, _) => Some(other),
            (Relation::Less, false, true) => other.checked_sub(U256::ONE),
            (Relation::Less, false, false) => other.checked_add(U256::ONE),
            (Relation::SignedLess, false, true) => Some(other.wrapping_sub(U256::ONE)),
            (Relation::SignedLess, false, false) => Some(other.wrapping_add(U256::ONE)),
        }
    }
}

/// Number among the arguments.
struct Number<'a>(&'a mut DynSolValue);

impl Number<'_> {
    fn word(&self) -> U256 {
        match &*self.0 {
            DynSolValue::Uint(word, _) => *word,
            DynSolValue::Int(word, _) => word.into_raw(),
            _ => U256::ZERO,
        }
    }

    /// Sets the number if its type holds it. Returns false if not.
    fn set(&mut self, wanted: U256) -> bool {
        match self.0 {
            DynSolValue::Uint(word, bits) if wanted.bit_len() <= *bits => *word = wanted,
            DynSolValue::Int(word, bits) if I256::from_raw(wanted).bits() as usize <= *bits => {
                *word = I256::from_raw(wanted);
            }
            _ => return false,
        }
        true
    }
}

fn numbers(values: &mut [DynSolValue]) -> Vec<Number<'_>> {
    values.iter_mut().flat_map(numbers_of).collect()
}

fn numbers_of(value: &mut DynSolValue) -> Vec<Number<'_>> {
    match value {
        DynSolValue::Uint(..) | DynSolValue::Int(..) => vec![Number(value)],
        DynSolValue::Array(items) | DynSolValue::FixedArray(items) | DynSolValue::Tuple(items) => {
            numbers(items)
        }
        DynSolValue::CustomStruct { tuple, .. } => numbers(tuple),
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn uint(number: u64) -> DynSolValue {
        DynSolValue::Uint(U256::from(number), 256)
    }

    fn unmet(relation: Relation, left: u64, right: u64) -> Unmet {
        Unmet { relation, left: U256::from(left), right: U256::from(right) }
    }

    #[test]
    fn operands_change_until_the_comparison_has_the_other_outcome() {
        for relation in [Relation::Equal, Relation::Less, Relation::SignedLess] {
            for (left, right) in [(3, 8), (8, 3), (5, 5)] {
                let unmet = unmet(relation, left, right);
                let [left, right] = [unmet.left, unmet.right];
                let wanted = unmet.wanted(left).expect("an operand");
                assert_ne!(relation.holds(wanted, right), relation.holds(left, right));
                if left != right {
                    let wanted = unmet.wanted(right).expect("an operand");
                    assert_ne!(relation.holds(left, wanted), relation.holds(left, right));
                }
            }
        }
        assert_eq!(unmet(Relation::Less, 3, 0).wanted(U256::from(3)), None, "nothing is below zero");
        assert_eq!(unmet(Relation::Less, 3, 8).wanted(U256::from(4)), None, "no operand");
    }

    #[test]
    fn the_argument_that_was_compared_is_corrected() {
        let mut arguments = Arguments {
            values: vec![uint(7), DynSolValue::Tuple(vec![uint(7), DynSolValue::Bool(true)])],
            value: U256::from(7),
        };
        arguments = arguments.distinct();
        assert_eq!(arguments.values[1], DynSolValue::Tuple(vec![uint(8), DynSolValue::Bool(true)]));
        assert!(arguments.correct(unmet(Relation::Less, 8, 20), false));
        assert_eq!(arguments.values[1], DynSolValue::Tuple(vec![uint(20), DynSolValue::Bool(true)]));
        assert_eq!(arguments.values[0], uint(7));
        assert!(!arguments.correct(unmet(Relation::Less, 9, 30), false));
        let small = DynSolValue::Uint(U256::from(9), 8);
        let mut arguments = Arguments { values: vec![small], value: U256::from(1) };
        assert!(!arguments.correct(unmet(Relation::Less, 9, 300), false), "too large for its type");
        assert!(arguments.correct(unmet(Relation::Equal, 1, 500), true));
        assert_eq!(arguments.value, U256::from(500));
    }
}
