//! Candidate arguments for constructors and initializers of unknown purpose.

use super::actors;
use alloy_dyn_abi::{DynSolType, DynSolValue};
use alloy_primitives::{Address, B256, I256, U256, uint};

/// Maximum number of argument sets that are tried.
pub(super) const MOST: usize = 96;

/// Numbers that constructors typically expect: amounts with and without decimals, percentages, a duration and
/// a future time.
const NUMBERS: [U256; 12] = uint!([
    1000_U256,
    1_U256,
    1000000000000000000_U256,
    0_U256,
    100_U256,
    18_U256,
    2_U256,
    10_U256,
    1000000000000000000000000_U256,
    86400_U256,
    2000000000_U256,
    10000_U256,
]);

/// Choice of argument values for one round.
pub(super) struct Choices<'a> {
    /// Index of the argument set.
    pub(super) round: usize,
    /// Number literals in the sources.
    pub(super) literals: &'a [U256],
}

impl Choices<'_> {
    /// Returns a value of type `ty` for the parameter at `index`. In the first rounds, all parameters get the
    /// same number of the list; later, each steps through the list at its own pace.
    pub(super) fn value(&self, ty: &DynSolType, index: usize) -> DynSolValue {
        let number = |bits: usize| self.number(index) & (U256::MAX >> (256 - bits.clamp(1, 256)));
        match ty {
            DynSolType::Bool => DynSolValue::Bool(self.place(index).is_multiple_of(2)),
            DynSolType::Uint(bits) => DynSolValue::Uint(number(*bits), *bits),
            DynSolType::Int(bits) => DynSolValue::Int(I256::from_raw(number(bits - 1)), *bits),
            DynSolType::FixedBytes(size) => {
                DynSolValue::FixedBytes(B256::from(number(8 * size) << (256 - 8 * size)), *size)
            }
            DynSolType::Address => DynSolValue::Address(self.account(index)),
            DynSolType::Function => DynSolValue::Function(alloy_primitives::Function::ZERO),
            DynSolType::Bytes => DynSolValue::Bytes(Vec::new()),
            DynSolType::String => DynSolValue::String("Harvey".to_owned()),
            DynSolType::Array(item) => {
                // Parallel arrays have the same length, and lists of owners have no duplicates.
                let length = [1, 2, 3, 0][self.round % 4];
                DynSolValue::Array((0..length).map(|place| self.value(item, index + place)).collect())
            }
            DynSolType::FixedArray(item, size) => {
                DynSolValue::FixedArray((0..*size).map(|place| self.value(item, index + place)).collect())
            }
            DynSolType::Tuple(items) | DynSolType::CustomStruct { tuple: items, .. } => {
                let items = items.iter().enumerate();
                DynSolValue::Tuple(items.map(|(place, ty)| self.value(ty, index + place)).collect())
            }
        }
    }

    fn place(&self, index: usize) -> usize {
        match self.round {
            round if round < NUMBERS.len() => round,
            round => round * (2 * index + 1) + index,
        }
    }

    fn number(&self, index: usize) -> U256 {
        let place = self.place(index) % (NUMBERS.len() + self.literals.len());
        NUMBERS.get(place).copied().unwrap_or_else(|| self.literals[place - NUMBERS.len()])
    }

    /// Returns an account. The deployer is the first choice, since the parameter often is an owner. Accounts
    /// without code follow, and contracts in the last rounds.
    fn account(&self, index: usize) -> Address {
        let is_late = self.round >= MOST / 2;
        let actors = actors::all().into_iter().filter(|actor| actor.code.is_empty() != is_late);
        let accounts: Vec<Address> = actors.map(|actor| actor.address).collect();
        accounts[(index + self.round / NUMBERS.len()) % accounts.len()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(round: usize, types: &str) -> Vec<DynSolValue> {
        let choices = Choices { round, literals: &[U256::from(77)] };
        let types = types.split(' ').map(|ty| DynSolType::parse(ty).expect("a type"));
        types.enumerate().map(|(index, ty)| choices.value(&ty, index)).collect()
    }

    #[test]
    fn values_are_of_their_types() {
        let types =
            "bool uint8 int8 bytes4 bytes32 address bytes string uint256[] bool[2] (uint256,address)[]";
        for round in 0..MOST {
            for (value, ty) in values(round, types).iter().zip(types.split(' ')) {
                assert!(
                    DynSolType::parse(ty).expect("a type").matches(value),
                    "{round}: {ty} is no {value:?}"
                );
            }
        }
    }

    #[test]
    fn small_numbers_come_first_and_later_all_combinations_of_them_and_of_literals() {
        let pairs: std::collections::BTreeSet<_> = (0..MOST)
            .map(|round| {
                let [DynSolValue::Uint(a, _), DynSolValue::Uint(b, _)] = values(round, "uint256 uint256")[..]
                else {
                    panic!("numbers")
                };
                (a, b)
            })
            .collect();
        assert!(pairs.len() > 20 && pairs.iter().any(|(a, b)| a < b) && pairs.iter().any(|(a, b)| b < a));
        assert!(pairs.iter().any(|pair| pair.0 == U256::from(77)));
        assert_eq!(values(0, "uint256 address")[1], DynSolValue::Address(actors::all()[1].address));
        assert_eq!(values(0, "address")[0], DynSolValue::Address(actors::DEPLOYER));
    }
}
