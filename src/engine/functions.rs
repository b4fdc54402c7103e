//! Callable functions: functions of targets, with their types resolved once.

use crate::engine::tuning::functions::{COSTLY, FULL_WEIGHT, MEDIAN_PERIOD, MOST_HALVINGS, PATIENCE, VIEWS};
use crate::{
    engine::{dictionary::InitialDictionary, rng::Rng, seed::CreatedCallable},
    model::{Created, Outcome, TargetFunction, TargetSet, Transaction},
};
use alloy_dyn_abi::{DynSolType, DynSolValue};
use alloy_json_abi::StateMutability;
use alloy_primitives::{Address, Selector};
use rustc_hash::{FxHashMap, FxHashSet};
use std::{collections::BTreeMap, sync::Arc};

/// Parameter of a function: its type, and the fixtures of this type that are named after it.
#[derive(Debug)]
pub(super) struct Param {
    pub(super) ty: DynSolType,
    pub(super) fixtures: Vec<DynSolValue>,
}

/// Function with its parameters resolved.
#[derive(Debug)]
pub(super) struct Method {
    pub(super) function: Arc<TargetFunction>,
    pub(super) selector: Selector,
    pub(super) params: Vec<Param>,
    pub(super) payable: bool,
}

/// Function of a deployed contract.
#[derive(Clone, Debug)]
pub(super) struct Callable {
    pub(super) target: Address,
    pub(super) method: Arc<Method>,
}

#[derive(Clone, Copy, Default)]
struct CallCounts {
    successes: u32,
    reverts: u32,
    exhausted: u32,
    /// Gas of the successes and reverts.
    gas: u64,
}

/// Restriction of draws to a random half of the functions, which is the same half for the same number.
/// Sequences with fewer kinds of calls get further with these calls (swarm testing, Groce et al., ISSTA
/// 2012).
#[derive(Clone, Copy, Debug)]
pub(super) struct Swarm(pub(super) u64);

/// All functions that a sequence may call.
pub(super) struct Functions {
    functions: Vec<Callable>,
    views: Vec<Callable>,
    counts: Vec<CallCounts>,
    /// Number of calls that were counted.
    counted: u32,
    /// Gas of a call of the median function; zero if that is not known.
    typical_gas: u64,
    /// Index into `functions`, by target and identity of the function.
    places: FxHashMap<(Address, usize), usize>,
    /// Methods by the identity of their function. They keep the function alive, so that the identity stays
    /// valid.
    methods: FxHashMap<usize, Arc<Method>>,
    fixtures: BTreeMap<String, Vec<DynSolValue>>,
    /// Addresses of contracts that exist in every run.
    fixed: FxHashSet<Address>,
    /// True if contracts created during a run become targets.
    pub(super) dynamic: bool,
}

impl Functions {
    pub(super) fn new(targets: &TargetSet, initial: &InitialDictionary) -> Self {
        let mut functions = Self {
            functions: Vec::new(),
            views: Vec::new(),
            counts: Vec::new(),
            counted: 0,
            typical_gas: 0,
            places: FxHashMap::default(),
            methods: FxHashMap::default(),
            fixtures: initial.fixtures.iter().map(|(n, values)| (fixture_key(n), values.clone())).collect(),
            fixed: targets.targets.iter().map(|target| target.address).collect(),
            dynamic: targets.dynamic,
        };
        for target in &targets.targets {
            functions.functions.extend(functions.callables(target.address, &target.functions));
            functions.views.extend(functions.callables(target.address, &target.views));
        }
        functions.counts = vec![CallCounts::default(); functions.functions.len()];
        functions.places = (functions.functions.iter().enumerate())
            .map(|(place, callable)| ((callable.target, identity(&callable.method.function)), place))
            .collect();
        let methods = functions.all().map(|callable| callable.method.clone());
        functions.methods = methods.map(|method| (identity(&method.function), method)).collect();
        functions
    }

    /// Returns the functions of one contract whose types can be resolved; compilers emit no others.
    fn callables(&self, target: Address, functions: &[Arc<TargetFunction>]) -> Vec<Callable> {
        let method = |function| self.method(function).map(|method| Callable { target, method });
        functions.iter().filter_map(method).collect()
    }

    /// Returns the functions of a contract that a run created; empty if such contracts do not become targets.
    pub(super) fn born(&mut self, created: &Created) -> Vec<Callable> {
        let functions = if self.dynamic { &created.functions[..] } else { &[] };
        let callables = self.callables(created.address, functions);
        let methods = callables.iter().map(|callable| callable.method.clone());
        self.methods.extend(methods.map(|method| (identity(&method.function), method)));
        callables
    }

    /// Returns `function` with its parameters resolved. The result is cached for functions of targets, and of contracts
    /// that runs created.
    pub(super) fn method(&self, function: &Arc<TargetFunction>) -> Option<Arc<Method>> {
        if let Some(method) = self.methods.get(&identity(function)) {
            return Some(method.clone());
        }
        Some(Arc::new(Method::new(function, &self.fixtures)?))
    }

    /// Returns all functions: first the others, then the view functions.
    pub(super) fn all(&self) -> impl Iterator<Item = &Callable> {
        self.functions.iter().chain(&self.views)
    }

    /// Draws a function to call next. The draw is uniform over the functions of targets and of `born`
    /// contracts, except that functions that only reverted are less likely, and view functions are rare.
    /// Returns `None` if nothing can be called.
    pub(super) fn choose<'a>(
        &'a self,
        born: &'a [CreatedCallable],
        swarm: Option<Swarm>,
        rng: &mut Rng,
    ) -> Option<&'a Callable> {
        let total = self.functions.len() + born.len();
        if total == 0 || rng.below(VIEWS) == 0 && !self.views.is_empty() {
            return rng.pick(&self.views);
        }
        // Rejection sampling takes constant time in the number of functions. The bound matters only if
        // everything reverts.
        for _ in 0..2 * FULL_WEIGHT {
            let place = rng.below(total);
            let Some(callable) = self.functions.get(place) else {
                return Some(&born[place - self.functions.len()].callable);
            };
            let excluded = swarm.is_some_and(|swarm| swarm.excludes(place));
            if !excluded && rng.below(FULL_WEIGHT) < self.counts[place].weight(self.typical_gas) {
                return Some(callable);
            }
        }
        rng.pick(&self.functions)
    }

    /// Returns the address of a random target.
    pub(super) fn address(&self, rng: &mut Rng) -> Option<Address> {
        rng.pick(&self.functions).or_else(|| rng.pick(&self.views)).map(|callable| callable.target)
    }

    /// Counts the outcome of a call and its gas. `exhausted` is true if the call used up its gas or time.
    pub(super) fn record(&mut self, tx: &Transaction, outcome: Outcome, exhausted: bool, gas: u64) {
        let Some(place) = self.place(tx) else { return };
        let count = &mut self.counts[place];
        count.exhausted = count.exhausted.saturating_add(exhausted.into());
        match outcome {
            Outcome::Success => count.successes = count.successes.saturating_add(1),
            Outcome::Revert => count.reverts = count.reverts.saturating_add(1),
            Outcome::Discard => return,
        }
        count.gas = count.gas.saturating_add(gas);
        self.counted = self.counted.wrapping_add(1);
        if self.counted.is_multiple_of(MEDIAN_PERIOD) {
            self.typical_gas = self.median_gas();
        }
    }

    /// Returns the index of the function that a transaction calls, if it is one of those that are counted.
    fn place(&self, tx: &Transaction) -> Option<usize> {
        let function = tx.input.function()?;
        self.places.get(&(tx.target, identity(function))).copied()
    }

    fn median_gas(&self) -> u64 {
        let mut all: Vec<u64> = self.counts.iter().filter_map(|count| count.mean_gas()).collect();
        let middle = all.len() / 2;
        if all.is_empty() { 0 } else { *all.select_nth_unstable(middle).1 }
    }

    /// Returns the energy of a job on calls: less of it if these are costly.
    pub(super) fn tempered(&self, energy: u32, calls: &[Transaction]) -> u32 {
        let costs = calls.iter().filter_map(|tx| self.counts[self.place(tx)?].mean_gas());
        let mean = costs.sum::<u64>() / calls.len().max(1) as u64;
        (energy >> halvings(mean, self.typical_gas).min(MOST_HALVINGS)).max(1)
    }

    /// Tells whether the contract at `address` exists in every run.
    pub(super) fn is_fixed(&self, address: Address) -> bool {
        self.fixed.contains(&address)
    }
}

impl Method {
    fn new(function: &Arc<TargetFunction>, fixtures: &BTreeMap<String, Vec<DynSolValue>>) -> Option<Self> {
        let params = function.inputs.iter().zip(function.types()?).map(|(param, ty)| {
            let named = fixtures.get(&parameter_key(&param.name)).into_iter().flatten();
            let fixtures = named.filter(|value| ty.matches(value)).cloned().collect();
            Param { ty: ty.clone(), fixtures }
        });
        Some(Self {
            params: params.collect(),
            selector: function.selector(),
            payable: function.state_mutability == StateMutability::Payable,
            function: function.clone(),
        })
    }
}

/// Returns how often the weight of calls is halved for their gas, of which the median function uses `typical`.
fn halvings(gas: u64, typical: u64) -> u32 {
    doublings(gas.checked_div(typical.saturating_mul(COSTLY)).unwrap_or_default())
}

/// Returns the number of bits of a count.
fn doublings(count: u64) -> u32 {
    count.checked_ilog2().map_or(0, |log| log + 1)
}

impl CallCounts {
    /// Returns the gas of a call in the mean, if there was one.
    fn mean_gas(self) -> Option<u64> {
        self.gas.checked_div(u64::from(self.successes) + u64::from(self.reverts))
    }

    /// Returns the weight of a function, if the median function uses so much gas.
    fn weight(self, typical_gas: u64) -> usize {
        let futile = match self {
            Self { successes: 0, reverts, .. } if reverts >= PATIENCE => {
                (reverts / PATIENCE).ilog2().saturating_add(1)
            }
            _ => 0,
        };
        let exhausted = doublings(self.exhausted.into());
        let costly = halvings(self.mean_gas().unwrap_or_default(), typical_gas);
        let slow = exhausted.max(costly).min(MOST_HALVINGS);
        (FULL_WEIGHT >> (futile + slow).min(31)).max(1)
    }
}

impl Swarm {
    fn excludes(self, place: usize) -> bool {
        // One bit of a multiplicative hash; the high bits have the best quality.
        (self.0 ^ place as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 63 == 1
    }
}

/// Returns the identity of a function: its pointer, because functions are shared.
fn identity(function: &Arc<TargetFunction>) -> usize {
    Arc::as_ptr(function).addr()
}

/// Returns the key by which Forge matches a parameter to fixtures: the name in lower case without
/// underscores.
#[must_use]
pub fn parameter_key(name: &str) -> String {
    name.replace('_', "").to_lowercase()
}

/// Returns the key of a function that provides fixtures: as [`parameter_key`], without the prefix `fixture`.
#[must_use]
pub fn fixture_key(name: &str) -> String {
    let name = parameter_key(name);
    name.strip_prefix("fixture").map(str::to_owned).unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::toy;

    fn draws(functions: &Functions, count: usize) -> BTreeMap<String, usize> {
        let mut rng = Rng::new(3, 0);
        let mut drawn = BTreeMap::new();
        for _ in 0..count {
            let callable = functions.choose(&[], None, &mut rng).expect("the toy has functions");
            *drawn.entry(callable.method.function.name.clone()).or_default() += 1;
        }
        drawn
    }

    fn call(functions: &Functions, name: &str) -> Transaction {
        let callable = functions.all().find(|c| c.method.function.name == name).expect("a toy function");
        toy::call_of(callable.target, &callable.method.function, vec![])
    }

    #[test]
    fn functions_of_created_contracts_are_resolved_once() {
        let mut functions = toy::functions();
        let [first, second] = [0, 1].map(|index| functions.born(&toy::created(0, index)));
        assert!(!first.is_empty());
        assert!(first.iter().zip(&second).all(|(one, other)| Arc::ptr_eq(&one.method, &other.method)));
        assert_ne!(first[0].target, second[0].target);
    }

    #[test]
    fn functions_are_drawn_evenly_and_views_seldom() {
        let functions = toy::functions();
        let drawn = draws(&functions, 14_000);
        let count = functions.functions.len();
        for callable in &functions.functions {
            let share = drawn[&callable.method.function.name] * count;
            assert!((12_000..16_000).contains(&share), "{drawn:?}");
        }
        assert!((100..400).contains(&drawn["count"]), "{drawn:?}");
    }

    #[test]
    fn a_function_that_only_reverts_loses_energy_but_is_still_called() {
        let mut functions = toy::functions();
        let tx = call(&functions, "inc");
        (0..100 * PATIENCE).for_each(|_| functions.record(&tx, Outcome::Revert, false, 0));
        let drawn = draws(&functions, 14_000);
        assert!((1..250).contains(&drawn["inc"]), "{drawn:?}");
        functions.record(&tx, Outcome::Success, false, 0);
        assert!(draws(&functions, 14_000)["inc"] > 1_000);
    }

    #[test]
    fn a_function_that_uses_all_of_its_gas_is_called_less_often_even_if_it_can_succeed() {
        let mut functions = toy::functions();
        let tx = call(&functions, "inc");
        let before = draws(&functions, 14_000)["inc"];
        functions.record(&tx, Outcome::Success, false, 0);
        (0..100).for_each(|_| functions.record(&tx, Outcome::Revert, true, 0));
        let after = draws(&functions, 14_000)["inc"];
        assert!((before / 12..before / 4).contains(&after), "{before} {after}");
    }

    #[test]
    fn costly_functions_and_sequences_get_less() {
        let mut functions = toy::functions();
        let [costly, cheap] = ["inc", "add"].map(|name| call(&functions, name));
        for _ in 0..MEDIAN_PERIOD {
            functions.record(&costly, Outcome::Success, false, 2 * COSTLY * 30_000);
            for name in ["add", "finish"] {
                let tx = call(&functions, name);
                functions.record(&tx, Outcome::Success, false, 30_000);
            }
        }
        let drawn = draws(&functions, 14_000);
        assert!((drawn["add"] / 6..drawn["add"] / 3).contains(&drawn["inc"]), "{drawn:?}");
        let energy = |calls: Vec<Transaction>| functions.tempered(16, &calls);
        assert_eq!([energy(vec![costly.clone()]), energy(vec![cheap.clone(); 20])], [4, 16]);
        assert_eq!(energy([vec![costly], vec![cheap; 20]].concat()), 16);
    }

    #[test]
    fn a_swarm_leaves_out_about_half_of_the_functions() {
        let kept = |swarm| (0..64).filter(|place| !Swarm(swarm).excludes(*place)).count();
        let mut rng = Rng::new(1, 0);
        let mean = (0..100).map(|_| kept(rng.next())).sum::<usize>() / 100;
        assert!((28..=36).contains(&mean), "{mean}");
    }

    #[test]
    fn fixtures_match_parameters_without_underscores_and_case_and_must_fit_the_type() {
        assert_eq!(fixture_key("fixture_My_Amount"), "myamount");
        assert_eq!(fixture_key("fixtureMyAmount"), parameter_key("_myAmount"));
        let function = toy::parse("f(uint256 _amount, bool amount_)");
        let values = vec![DynSolValue::Uint(alloy_primitives::U256::from(9), 256)];
        let fixtures = BTreeMap::from([("amount".to_owned(), values.clone())]);
        let method = Method::new(&function, &fixtures).expect("known types");
        assert_eq!(method.params[0].fixtures, values);
        assert_eq!(method.params[1].fixtures, []);
    }
}
