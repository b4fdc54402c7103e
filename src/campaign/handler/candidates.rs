//! Ways in which the values of a call may be chosen, and the values that they give.

use super::{
    shape::{LeafShape, word},
    views::{View, ViewResults, Views},
};
use crate::{
    engine::{Rng, zero},
    model::{
        handler::{AskedAccount, ContractRole, Getter, ValueChoice},
        is_word,
    },
};
use alloy_dyn_abi::{DynSolType, DynSolValue};
use alloy_primitives::{Address, B256, I256, U256, uint};

/// Upper bounds of numbers, the largest first: tokens, wei, small amounts, basis points, percentages, and indices.
const BOUNDS: [U256; 6] = uint!([
    1000000000000000000000000_U256,
    1000000000000000000_U256,
    1000000_U256,
    10000_U256,
    100_U256,
    3_U256,
]);

/// Maximum wei of a call: ten ether.
const MOST_WEI: U256 = uint!(10000000000000000000_U256);

/// Maximum delay, in seconds: thirty days.
const LATER: U256 = uint!(2592000_U256);

/// Parts of the names of times.
const TIMES: [&str; 16] = [
    "time", "deadline", "expir", "until", "end", "start", "due", "date", "valid", "when", "release",
    "unlock", "cliff", "open", "close", "after",
];

/// Parts of the names of getters that bound no amount.
const NO_AMOUNTS: [&str; 8] =
    ["time", "period", "duration", "decimals", "delay", "nonce", "block", "interval"];

/// Maximum number of literals that may bound a number.
const MOST_LITERALS: usize = 12;

/// Maximum number of getters that may bound a number.
const MOST_GETTERS: usize = 24;

/// Facts about the contracts on which the candidates depend.
pub(super) struct Surroundings<'a> {
    pub(super) views: &'a Views,
    /// Roles of all contracts.
    pub(super) roles: &'a [(ContractRole, Address)],
    /// Leaves and types of results of all functions.
    pub(super) functions: &'a [(Vec<LeafShape>, Option<DynSolType>)],
    /// Number literals in the source of the contract.
    pub(super) literals: &'a [U256],
    /// Largest numbers that unit tests use, by function and leaf.
    pub(super) amounts: &'a [Vec<Option<U256>>],
    /// Tells whether the name of a leaf means a contract.
    pub(super) means: &'a dyn Fn(&str, ContractRole) -> bool,
    /// Number of accounts.
    pub(super) accounts: usize,
    /// True if the code reads the time.
    pub(super) reads_time: bool,
}

impl Surroundings<'_> {
    /// Returns the candidates for the caller, the widest first.
    pub(super) fn senders(&self, function: usize) -> Vec<ValueChoice> {
        let getters = self.getters(|ty| *ty == DynSolType::Address);
        let owners = self.owners(&self.functions[function].0, None);
        let each = (0..self.accounts).map(ValueChoice::One);
        let last = [ValueChoice::Contract(ContractRole::Subject)];
        [ValueChoice::Account].into_iter().chain(getters).chain(owners).chain(each).chain(last).collect()
    }

    /// Returns the candidates for the wei of a call.
    pub(super) fn values(&self) -> Vec<ValueChoice> {
        let ranges = [MOST_WEI, BOUNDS[1], BOUNDS[3]].map(|most| ValueChoice::Range(U256::ZERO, most));
        // A price.
        let prices = self.getters(|ty| matches!(ty, DynSolType::Uint(_))).into_iter().take(MOST_GETTERS);
        ranges.into_iter().chain(prices).chain([ValueChoice::Zero]).collect()
    }

    /// Returns the candidates for the number of items in arrays.
    pub(super) fn lengths() -> Vec<ValueChoice> {
        [(1, 3), (1, 1)].map(|(low, high)| ValueChoice::Range(U256::from(low), U256::from(high))).to_vec()
    }

    /// Returns the candidates for a leaf of a function, the widest first.
    pub(super) fn leaf(&self, function: usize, leaf: usize) -> Vec<ValueChoice> {
        let (leaves, _) = &self.functions[function];
        let shape = &leaves[leaf];
        let one = ValueChoice::Range(U256::ONE, U256::ONE);
        let earlier = self.earlier(function, shape);
        match &shape.ty {
            // The handler uses all members. Two are always there, but for useless types.
            _ if shape.is_enum => vec![ValueChoice::Range(U256::ZERO, U256::ONE), ValueChoice::Zero],
            DynSolType::Address => {
                let contracts = self.roles.iter().map(|(role, _)| *role);
                let (meant, others): (Vec<_>, Vec<_>) =
                    contracts.partition(|role| (self.means)(&shape.name, *role));
                let [meant, others] =
                    [meant, others].map(|roles| roles.into_iter().map(ValueChoice::Contract));
                let first = [ValueChoice::Account, ValueChoice::Sender];
                let owners = self.owners(leaves, Some(leaf));
                let last = [ValueChoice::One(0), ValueChoice::Any, ValueChoice::Zero];
                let known = meant.chain(first).chain(owners).chain(others);
                known.chain(earlier).chain(last).collect()
            }
            DynSolType::Uint(bits) => {
                let bounds = self.bounds(function, leaf).filter(|_| *bits > 32 && !names_id(shape));
                let later = self.reads_time && *bits >= 32 && names_time(&shape.name);
                let later = later.then_some(ValueChoice::Later(LATER));
                let ranges = self.ranges(*bits, self.amounts[function][leaf]);
                // Results are identifiers more often than amounts.
                let (returned, given): (Vec<_>, Vec<_>) =
                    earlier.into_iter().partition(|choice| matches!(choice, ValueChoice::Returned(_)));
                let first = [ValueChoice::Any].into_iter().chain(returned).chain(bounds);
                first.chain(later).chain(given).chain(ranges).chain([ValueChoice::Zero]).collect()
            }
            DynSolType::Int(bits) => {
                let first = [ValueChoice::Any].into_iter().chain(earlier);
                first.chain(self.ranges(bits - 1, None)).chain([ValueChoice::Zero]).collect()
            }
            DynSolType::Bool => vec![ValueChoice::Any, one, ValueChoice::Zero],
            DynSolType::FixedBytes(32) => {
                let constants = self.getters(|ty| *ty == DynSolType::FixedBytes(32));
                let getters = constants.iter().filter_map(|choice| match choice {
                    ValueChoice::Equal(getter) => Some(getter.clone()),
                    _ => None,
                });
                // Names of roles: `MINTER_ROLE()` for `role`.
                let kind = last_word(&shape.name);
                let is_kind =
                    |getter: &Getter| !kind.is_empty() && getter.name.to_lowercase().contains(&kind);
                let kinds: Vec<Getter> = getters.filter(is_kind).collect();
                let one = (!kinds.is_empty()).then_some(ValueChoice::EqualToOne(kinds));
                let first = one.into_iter().chain([ValueChoice::Any]).chain(earlier).chain(constants);
                first.chain([ValueChoice::Zero]).collect()
            }
            DynSolType::FixedBytes(_) | DynSolType::Bytes | DynSolType::String => {
                [ValueChoice::Any].into_iter().chain(earlier).chain([ValueChoice::Zero]).collect()
            }
            _ => [ValueChoice::Any].into_iter().chain(earlier).collect(),
        }
    }

    /// Returns getters without arguments whose type is wanted, as exact values.
    fn getters(&self, is_wanted: impl Fn(&DynSolType) -> bool) -> Vec<ValueChoice> {
        let own =
            self.views.list.iter().filter(|view| view.of == ContractRole::Subject && view.accounts == 0);
        let own = own.filter(|view| !view.takes_id && !view.is_contract);
        let wanted = own.filter(|view| is_wanted(&view.ty));
        wanted.map(|view| ValueChoice::Equal(view.getter(Vec::new()))).collect()
    }

    /// Returns the accounts that getters name for the numbers among the leaves, as `ownerOf(id)` does.
    fn owners(&self, leaves: &[LeafShape], of: Option<usize>) -> Vec<ValueChoice> {
        let is_id = |leaf: &LeafShape| leaf.ty == DynSolType::Uint(256) && !leaf.is_array;
        let ids: Vec<usize> =
            (0..leaves.len()).filter(|index| is_id(&leaves[*index]) && of != Some(*index)).collect();
        let getters = self
            .views
            .list
            .iter()
            .filter(|view| view.takes_id && view.accounts == 0 && view.ty == DynSolType::Address);
        let about = |id: &usize| vec![AskedAccount::Leaf(*id)];
        getters
            .flat_map(|view| ids.iter().map(move |id| ValueChoice::Equal(view.getter(about(id)))))
            .collect()
    }

    /// Returns ranges from zero on, the widest first: to usual bounds, literals, and what unit tests use.
    fn ranges(&self, bits: usize, tested: Option<U256>) -> impl Iterator<Item = ValueChoice> {
        let named = self.literals.iter().copied().filter(|literal| *literal > BOUNDS[BOUNDS.len() - 1]);
        let mut bounds: Vec<U256> =
            BOUNDS.into_iter().chain(named.take(MOST_LITERALS)).chain(tested).collect();
        bounds.retain(|bound| bound.bit_len() <= bits);
        bounds.sort_unstable_by(|a, b| b.cmp(a));
        bounds.dedup();
        bounds.into_iter().map(|bound| ValueChoice::Range(U256::ZERO, bound))
    }

    /// Returns values of earlier calls: results of the same type, and arguments of the same name and type.
    fn earlier(&self, function: usize, shape: &LeafShape) -> Vec<ValueChoice> {
        let mut found = Vec::new();
        if !is_of_words(&shape.ty) {
            return found;
        }
        for (index, (leaves, result)) in self.functions.iter().enumerate() {
            if result.as_ref() == Some(&shape.ty) {
                found.push(ValueChoice::Returned(index));
            }
            let same = leaves.iter().position(|leaf| leaf == shape && !leaf.name.is_empty());
            // The same may have two names: what was scheduled as `data` is executed as `payload`.
            let is_alike = |leaf: &LeafShape| leaf.ty == shape.ty && !leaf.is_array && !is_word(&leaf.ty);
            let same = same.or_else(|| leaves.iter().position(is_alike));
            let is_item = |leaf: &LeafShape| {
                shape.is_array && leaf.ty == shape.ty && format!("{}s", leaf.name) == shape.name
            };
            let same = same.or_else(|| leaves.iter().position(is_item));
            let same = same.filter(|_| index != function);
            found.extend(same.map(|leaf| ValueChoice::Given(index, leaf)));
        }
        found
    }

    /// Returns the getters that may bound a number in a call with these leaves: what the caller or an account among the
    /// arguments owns or may do, and totals.
    fn bounds(&self, function: usize, leaf: usize) -> impl Iterator<Item = ValueChoice> + '_ {
        let (leaves, _) = &self.functions[function];
        // A setter is not bounded by what it sets.
        let is_set = |view: &View| {
            let [set, view] = [&leaves[leaf].name, &view.name].map(|name| name.to_lowercase());
            set.contains(&view) || view.contains(&set)
        };
        let addresses = leaves.iter().enumerate().filter(|(_, leaf)| leaf.ty == DynSolType::Address);
        let others: Vec<_> = addresses.map(|(index, _)| AskedAccount::Leaf(index)).collect();
        let mut found: Vec<(usize, Getter)> = Vec::new();
        let is_id = |index: &usize| *index != leaf && names_id(&leaves[*index]) && !leaves[*index].is_array;
        let ids: Vec<_> = (0..leaves.len()).filter(is_id).map(AskedAccount::Leaf).collect();
        for view in
            self.views.list.iter().filter(|view| view.is_number() && view.takes_id && view.accounts == 1)
        {
            let accounts = [AskedAccount::Sender].into_iter().chain(others.iter().copied());
            let pairs = accounts.flat_map(|account| ids.iter().map(move |id| vec![account, *id]));
            found.extend(pairs.map(|pair| (1, view.getter(pair))));
        }
        let is_amount = |view: &&View| {
            let name = view.name.to_lowercase();
            view.is_number() && !view.takes_id && !NO_AMOUNTS.iter().any(|part| name.contains(part))
        };
        for view in self.views.list.iter().filter(is_amount) {
            let is_of_token = view.of != ContractRole::Subject;
            let rank = match view.name.starts_with("max") {
                true => 0,
                false if is_of_token => 1,
                false => 2,
            };
            match view.accounts {
                0 if !is_of_token && !is_set(view) => found.push((6, view.getter(Vec::new()))),
                1 => {
                    found.push((rank, view.getter(vec![AskedAccount::Sender])));
                    let others = others.iter().map(|other| (rank + 2, view.getter(vec![*other])));
                    found.extend(others);
                    if is_of_token {
                        found.push((5, view.getter(vec![AskedAccount::Subject])));
                    }
                }
                2 => {
                    let pairs = others
                        .iter()
                        .flat_map(|other| [[*other, AskedAccount::Sender], [AskedAccount::Sender, *other]]);
                    found.extend(pairs.map(|pair| (4, view.getter(pair.to_vec()))));
                }
                _ => {}
            }
        }
        found.sort_by_key(|(rank, _)| *rank);
        found.into_iter().take(MOST_GETTERS).map(|(_, getter)| ValueChoice::UpTo(getter))
    }
}

/// Returns the last word of a name in camel case, in lower case.
fn last_word(name: &str) -> String {
    let start = name.rfind(|letter: char| letter.is_uppercase() || letter == '_').unwrap_or_default();
    name[start..].trim_start_matches('_').to_lowercase()
}

/// Tells whether a type has no struct in it.
fn is_of_words(ty: &DynSolType) -> bool {
    match ty {
        DynSolType::Array(item) | DynSolType::FixedArray(item, _) => is_of_words(item),
        DynSolType::Tuple(_) | DynSolType::CustomStruct { .. } => false,
        _ => true,
    }
}

/// Tells whether the name of a number says that it is a time, or there is no name.
fn names_time(name: &str) -> bool {
    let name = name.to_lowercase();
    name.is_empty() || TIMES.iter().any(|time| name.contains(time))
}

/// Tells whether the name of a number says that it is an identifier.
pub(super) fn names_id(leaf: &LeafShape) -> bool {
    let name = leaf.name.to_lowercase();
    leaf.ty == DynSolType::Uint(256) && (name.ends_with("id") || name.ends_with("ids"))
}

/// A call of a walk that succeeded: the values of its leaves, and the words that it returned.
#[derive(Clone, Debug)]
pub(super) struct PastCall {
    pub(super) leaves: Vec<DynSolValue>,
    pub(super) returned: Vec<U256>,
}

/// State before a call, and the values of the call that are chosen so far.
pub(super) struct Situation<'a> {
    pub(super) accounts: &'a [Address],
    pub(super) roles: &'a [(ContractRole, Address)],
    pub(super) results: &'a ViewResults,
    /// Earlier calls, by function.
    pub(super) past: &'a [Vec<PastCall>],
    /// Time of the call, in seconds.
    pub(super) now: U256,
    /// Random number that selects the same earlier call for all leaves.
    pub(super) draw: usize,
    /// Caller; zero while it is unknown.
    pub(super) sender: Address,
    pub(super) leaves: Vec<Option<DynSolValue>>,
}

impl Situation<'_> {
    /// Returns a value of this type; `None` if there is none, as there is no earlier call.
    pub(super) fn value(&self, choice: &ValueChoice, ty: &DynSolType, rng: &mut Rng) -> Option<DynSolValue> {
        Some(match choice {
            ValueChoice::Any => any(ty, rng),
            ValueChoice::Zero => zero(ty),
            ValueChoice::Account => DynSolValue::Address(*rng.pick(self.accounts)?),
            ValueChoice::Sender => DynSolValue::Address(self.sender),
            ValueChoice::One(account) => DynSolValue::Address(*self.accounts.get(*account)?),
            ValueChoice::Contract(role) => DynSolValue::Address(self.address(*role)?),
            ValueChoice::Range(low, high) => of_word(ty, *low + below(*high - *low, rng))?,
            ValueChoice::UpTo(getter) => of_word(ty, below(self.result(getter)?, rng))?,
            ValueChoice::Equal(getter) => of_word(ty, self.result(getter)?)?,
            ValueChoice::EqualToOne(getters) => of_word(ty, self.result(rng.pick(getters)?)?)?,
            ValueChoice::Later(most) => of_word(ty, self.now + below(*most, rng))?,
            ValueChoice::Returned(function) => of_word(ty, *self.past(*function)?.returned.first()?)?,
            ValueChoice::Given(function, leaf) => self.past(*function)?.leaves.get(*leaf)?.clone(),
        })
    }

    fn past(&self, function: usize) -> Option<&PastCall> {
        let calls = &self.past[function];
        calls.get(self.draw % calls.len().max(1))
    }

    fn address(&self, role: ContractRole) -> Option<Address> {
        self.roles.iter().find(|(known, _)| *known == role).map(|(_, address)| *address)
    }

    /// Returns the result of a getter about the accounts of this call.
    fn result(&self, getter: &Getter) -> Option<U256> {
        let of = |account: Address| U256::from_be_bytes(account.into_word().0);
        let asked = |about: &AskedAccount| match about {
            AskedAccount::Sender | AskedAccount::Account => Some(of(self.sender)),
            AskedAccount::Subject => self.address(ContractRole::Subject).map(of),
            AskedAccount::Leaf(leaf) => self.leaves.get(*leaf)?.as_ref().and_then(word),
        };
        let about: Vec<_> = getter.about.iter().map(asked).collect::<Option<_>>()?;
        self.results.about(getter.of, &getter.name, &about)
    }
}

/// Returns a number up to `most`, of any magnitude.
fn below(most: U256, rng: &mut Rng) -> U256 {
    match rng.below(4) {
        0 => most,
        _ => rng.magnitude(most.bit_len()).min(most),
    }
}

fn any(ty: &DynSolType, rng: &mut Rng) -> DynSolValue {
    match ty {
        DynSolType::Bytes => DynSolValue::Bytes((0..rng.below(40)).map(|_| rng.next() as u8).collect()),
        DynSolType::String => DynSolValue::String("a".repeat(rng.below(40))),
        ty => of_word(ty, rng.magnitude(256)).unwrap_or_else(|| zero(ty)),
    }
}

/// Returns the value of a type that a word stands for, with its bits above the type's size cut off; `None` if it is no
/// type of one word.
pub(super) fn of_word(ty: &DynSolType, word: U256) -> Option<DynSolValue> {
    Some(match ty {
        DynSolType::Bool => DynSolValue::Bool(word.bit(0)),
        DynSolType::Address => DynSolValue::Address(Address::from_word(B256::from(word))),
        DynSolType::Uint(bits) => DynSolValue::Uint(word & (U256::MAX >> (256 - bits)), *bits),
        DynSolType::Int(bits) => DynSolValue::Int(I256::from_raw(word & (U256::MAX >> (257 - bits))), *bits),
        DynSolType::FixedBytes(size) => {
            let mask = !(U256::MAX.checked_shr(8 * size).unwrap_or_default());
            DynSolValue::FixedBytes(B256::from(word & mask), *size)
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_word_of_a_name_says_what_it_is() {
        assert_eq!(["role", "adminRole", "new_owner", ""].map(last_word), ["role", "role", "owner", ""]);
    }
}
