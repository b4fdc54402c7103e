//! AmountChanges of quantities by calls, in terms of what the calls get and return.

use super::{
    shape::{LeafShape, word},
    views::ViewResults,
};
use crate::model::handler::{Amount, AmountChange, ContractRole, Quantity};
use alloy_dyn_abi::DynSolValue;
use alloy_primitives::{Address, U256};

/// A successful call.
pub(super) struct SuccessfulCall<'a> {
    pub(super) leaves: &'a [DynSolValue],
    pub(super) returned: &'a [U256],
    pub(super) value: U256,
}

/// Possible changes of a quantity by the calls of one function.
#[derive(Clone, Debug, Default)]
pub(super) struct AmountChanges {
    /// AmountChanges that all calls so far agree with; `None` before the first call.
    possible: Option<Vec<AmountChange>>,
    calls: usize,
}

/// Number of calls after which a change is known.
const ENOUGH: usize = 8;

impl AmountChanges {
    /// Takes the amounts of a quantity before and after a call.
    pub(super) fn see(&mut self, call: &SuccessfulCall<'_>, before: U256, after: U256) {
        self.calls += 1;
        let agrees =
            |change: &AmountChange| change.of(call).is_some_and(|(into, out)| before + into == after + out);
        self.possible = Some(match self.possible.take() {
            Some(possible) => possible.into_iter().filter(agrees).collect(),
            None => all(call).into_iter().filter(agrees).collect(),
        });
    }

    /// Tells whether enough calls were seen.
    pub(super) fn are_known(&self) -> bool {
        self.calls >= ENOUGH
    }

    /// Returns the simplest change that all calls agree with. While a share is worth one unit of a token, the argument
    /// and the result of a vault's function are the same number; the names of the leaves tell which one is meant.
    pub(super) fn simplest(&self, quantity: &Quantity, leaves: &[LeafShape]) -> AmountChange {
        let Some(possible) = &self.possible else { return AmountChange::None };
        let is_meant = |change: &AmountChange| match change {
            AmountChange::In(Amount::Leaf(leaf)) | AmountChange::Out(Amount::Leaf(leaf)) => {
                let is_share = |leaf: &LeafShape| leaf.name.to_lowercase().contains("share");
                leaves.get(*leaf).is_some_and(is_share) == (*quantity == Quantity::Supply)
            }
            _ => true,
        };
        let meant = possible.iter().find(|change| is_meant(change));
        meant.or(possible.first()).copied().unwrap_or(AmountChange::Measured)
    }
}

impl AmountChange {
    /// Returns the amounts that come in and go out in a call; `None` if they are not known before the call.
    fn of(self, call: &SuccessfulCall<'_>) -> Option<(U256, U256)> {
        let amount = |amount: Amount| match amount {
            Amount::Leaf(leaf) => call.leaves.get(leaf).and_then(word),
            Amount::Returned(index) => call.returned.get(index).copied(),
            Amount::Value => Some(call.value),
        };
        // No amount exceeds what exists.
        let amount = |of| amount(of).filter(|amount| amount.bit_len() < 255);
        match self {
            Self::None => Some((U256::ZERO, U256::ZERO)),
            Self::In(of) => Some((amount(of)?, U256::ZERO)),
            Self::Out(of) => Some((U256::ZERO, amount(of)?)),
            Self::Measured => None,
        }
    }
}

/// Returns all changes that a call may make.
fn all(call: &SuccessfulCall<'_>) -> Vec<AmountChange> {
    let is_number = |leaf: &DynSolValue| matches!(leaf, DynSolValue::Uint(_, bits) if *bits > 32);
    let leaves = call.leaves.iter().enumerate().filter(|(_, leaf)| is_number(leaf));
    let leaves = leaves.map(|(index, _)| Amount::Leaf(index));
    let returned = (0..call.returned.len()).map(Amount::Returned);
    let amounts: Vec<_> = [Amount::Value].into_iter().chain(leaves).chain(returned).collect();
    let into = amounts.iter().copied().map(AmountChange::In);
    let out = amounts.iter().copied().map(AmountChange::Out);
    [AmountChange::None].into_iter().chain(into).chain(out).collect()
}

/// Returns an amount in a state.
pub(super) fn amount(quantity: &Quantity, results: &ViewResults, subject: Address) -> Option<U256> {
    match quantity {
        Quantity::Wei => Some(results.wei),
        Quantity::Tokens(index) => results.get(ContractRole::Dependency(*index), "balanceOf", &[subject]),
        Quantity::Supply => results.get(ContractRole::Subject, "totalSupply", &[]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_is_known_by_what_all_calls_agree_with() {
        let uint = |number: u64| DynSolValue::Uint(U256::from(number), 256);
        let mut changes = AmountChanges::default();
        let see = |changes: &mut AmountChanges, leaf: u64, returned: u64, before: u64, after: u64| {
            let returned = [U256::from(returned)];
            let call = SuccessfulCall { leaves: &[uint(leaf)], returned: &returned, value: U256::ZERO };
            changes.see(&call, U256::from(before), U256::from(after));
        };
        assert_eq!(changes.simplest(&Quantity::Wei, &[]), AmountChange::None);
        see(&mut changes, 5, 5, 10, 15);
        see(&mut changes, 0, 0, 3, 3);
        assert_eq!(changes.simplest(&Quantity::Wei, &[]), AmountChange::In(Amount::Leaf(0)));
        see(&mut changes, 7, 6, 10, 16);
        assert_eq!(changes.simplest(&Quantity::Wei, &[]), AmountChange::In(Amount::Returned(0)));
        see(&mut changes, 7, 6, 10, 4);
        assert_eq!(changes.simplest(&Quantity::Wei, &[]), AmountChange::Measured);
    }
}
