//! Generator of random calls.

use crate::engine::tuning::call_generator::{
    AGAIN, BLOCKS, KNOWN_CALLS, NTH, OWNERS, PERIODS, REENTRIES, REENTRIES_OF_ROLES, REPEAT_ATTEMPTS,
    REPEATED_VALUES, SELVES, VALUE_BITS,
};
use crate::{
    config::InvariantConfig,
    engine::{
        dictionary::{CallPool, Dictionary, InitialDictionary},
        functions::{Callable, Functions, Method, Swarm},
        rng::Rng,
        seed::CreatedCallable,
        senders::Senders,
        value::{self, tree},
    },
    model::{Input, Reentry, TargetFunction, TargetSet, Transaction},
};
use alloy_dyn_abi::DynSolValue;
use alloy_json_abi::StateMutability;
use alloy_primitives::{Address, U256};
use std::sync::Arc;

/// Functions, senders, values and delays to draw from. Only the dictionary, the pool of calls and the weights
/// of the functions depend on past candidates.
pub(super) struct CallGenerator {
    pub(super) functions: Functions,
    pub(super) dictionary: Dictionary,
    pub(super) senders: Senders,
    /// Pool of calls that showed something new; empty if the feature is switched off.
    pub(super) calls: CallPool,
    payable_value_weight: u32,
    call_override: bool,
    /// True if senders play roles (such as owner and attacker) and oracles examine their calls.
    pub(super) has_roles: bool,
    pub(super) max_warp: u32,
    pub(super) max_roll: u32,
}

impl CallGenerator {
    pub(super) fn new(targets: &TargetSet, initial: &InitialDictionary, invariant: &InvariantConfig) -> Self {
        let mut dictionary = Dictionary::new(initial, invariant.include_push_bytes);
        targets.targets.iter().for_each(|target| dictionary.absorb_address(target.address));
        Self {
            functions: Functions::new(targets, initial),
            dictionary,
            senders: Senders::new(targets, invariant.dictionary_weight),
            calls: CallPool::default(),
            payable_value_weight: invariant.payable_value_weight,
            call_override: invariant.call_override,
            has_roles: targets.has_roles,
            max_warp: invariant.max_time_delay.unwrap_or(0),
            max_roll: invariant.max_block_delay.unwrap_or(0),
        }
    }

    /// Returns a random call, possibly to a contract in `born`; `None` if nothing can be called.
    pub(super) fn call(
        &self,
        born: &[CreatedCallable],
        swarm: Option<Swarm>,
        rng: &mut Rng,
    ) -> Option<Transaction> {
        let callable = self.functions.choose(born, swarm, rng)?;
        let mut call = self.known_call(callable, rng).unwrap_or_else(|| self.call_of(callable, rng));
        if self.has_roles {
            self.play(&mut call, swarm, rng);
        }
        Some(call)
    }

    /// Returns, in some of the cases, a call that showed something new before, from the same or another
    /// sender.
    fn known_call(&self, callable: &Callable, rng: &mut Rng) -> Option<Transaction> {
        if !rng.percent(KNOWN_CALLS) {
            return None;
        }
        let mut call = self.calls.pick((callable.target, callable.method.selector), rng)?.clone();
        if rng.coin() {
            call.sender = self.sender(rng);
        }
        Some(call)
    }

    /// Takes over a value of an earlier call in some of the cases: an amount that was paid in can often be
    /// taken out.
    pub(super) fn repeat_some(&self, call: &mut Transaction, before: &[Transaction], rng: &mut Rng) {
        if rng.percent(REPEATED_VALUES)
            && let Some(known) = rng.pick(before)
        {
            repeat(call, known, rng);
        }
    }

    /// Assigns roles to the accounts of a call. With a swarm, few senders take part. Address arguments
    /// sometimes become the sender itself or the owner, because an attacker usually acts without permission
    /// of others.
    fn play(&self, call: &mut Transaction, swarm: Option<Swarm>, rng: &mut Rng) {
        if let Some(sender) = swarm.and_then(|swarm| self.senders.of_circle(swarm, rng)) {
            call.sender = sender;
        }
        if let Some(args) = call.input.args_mut() {
            for account in args.iter_mut().filter(|arg| matches!(arg, DynSolValue::Address(_))) {
                let named = match rng.below(100) {
                    ..SELVES => Some(call.sender),
                    SELVES..OWNERS => self.senders.owner(),
                    _ => None,
                };
                if let Some(named) = named {
                    *account = DynSolValue::Address(named);
                }
            }
        }
    }

    /// Returns a call of one function with random arguments.
    pub(super) fn call_of(&self, callable: &Callable, rng: &mut Rng) -> Transaction {
        let Callable { target, method } = callable;
        let mut call = Transaction {
            sender: self.sender(rng),
            target: *target,
            value: self.value(method, rng),
            warp: self.warp(rng),
            roll: self.roll(rng),
            input: Input::typed(&method.function, value::arguments(method, self, rng)),
            reentry: None,
        };
        if self.calls_back(rng) {
            call.reentry = self.reentry(&call, rng);
        }
        call
    }

    /// Tells, at random, whether a call should be answered by a reentrant call; always false if `call_override` is not
    /// set.
    pub(super) fn calls_back(&self, rng: &mut Rng) -> bool {
        let share = if self.has_roles { REENTRIES_OF_ROLES } else { REENTRIES };
        self.call_override && rng.percent(share)
    }

    /// Tells whether actors play roles and may call back.
    pub(super) fn reenters(&self) -> bool {
        self.call_override && self.has_roles
    }

    /// Returns a reentrant call to a target, which is sometimes the same call again.
    pub(super) fn reentry(&self, call: &Transaction, rng: &mut Rng) -> Option<Arc<Reentry>> {
        if self.has_roles && rng.percent(AGAIN) {
            let again = Reentry { target: call.target, nth: 0, input: call.input.clone() };
            return Some(Arc::new(again)).filter(|_| !call.input.is_creation());
        }
        let Callable { target, method } = self.functions.choose(&[], None, rng)?;
        let args = value::arguments(method, self, rng);
        let input = Input::typed(&method.function, args);
        // A constructor cannot be a reentrant call.
        if input.is_creation() {
            return None;
        }
        let nth = if rng.coin() { 0 } else { rng.below(NTH) as u32 };
        Some(Arc::new(Reentry { target: *target, nth, input }))
    }

    /// Returns a call of one function with all-zero arguments, no value and no delay.
    pub(super) fn zero_call_of(&self, callable: &Callable, rng: &mut Rng) -> Transaction {
        let Callable { target, method } = callable;
        let args = method.params.iter().map(|param| value::zero(&param.ty)).collect();
        Transaction::plain(self.sender(rng), *target, &method.function, args)
    }

    /// Returns a random sender by the rules of Forge.
    pub(super) fn sender(&self, rng: &mut Rng) -> Address {
        self.senders.pick(&self.dictionary, rng)
    }

    /// Tells whether `account` may be a sender.
    pub(super) fn may_send(&self, account: Address) -> bool {
        self.senders.allows(account)
    }

    /// Tells whether calls of `function` may be given value.
    pub(super) fn takes_value(&self, function: &TargetFunction) -> bool {
        self.payable_value_weight > 0 && function.state_mutability == StateMutability::Payable
    }

    /// Returns the maximum number of seconds that may pass before a call.
    pub(super) fn longest_warp(&self) -> U256 {
        U256::from(self.max_warp.saturating_sub(1))
    }

    /// Returns random wei for a call of `method`; zero if it is not payable.
    pub(super) fn value(&self, method: &Method, rng: &mut Rng) -> U256 {
        if !method.payable || !rng.percent(self.payable_value_weight) {
            return U256::ZERO;
        }
        self.amount(rng)
    }

    /// Returns a random amount of wei.
    pub(super) fn amount(&self, rng: &mut Rng) -> U256 {
        let known = |rng: &mut Rng| {
            self.dictionary.word(rng).filter(|word| !word.is_zero() && word.bit_len() <= VALUE_BITS)
        };
        match rng.below(4) {
            0 => U256::from(1 + rng.below(100)),
            1 => value::decimal(21, rng),
            2 => known(rng).unwrap_or_else(|| value::decimal(21, rng)),
            _ => rng.magnitude(VALUE_BITS),
        }
    }

    /// Returns a number of seconds to pass before a call; zero if `max_time_delay` is not set.
    pub(super) fn warp(&self, rng: &mut Rng) -> U256 {
        self.delay(self.max_warp, &PERIODS, rng)
    }

    /// Returns a number of blocks to pass before a call; zero if `max_block_delay` is not set.
    pub(super) fn roll(&self, rng: &mut Rng) -> U256 {
        self.delay(self.max_roll, &BLOCKS, rng)
    }

    /// Returns a delay below `bound`, as in Forge, but prefers small or well-known delays over a uniform
    /// draw.
    fn delay(&self, bound: u32, landmarks: &[u32], rng: &mut Rng) -> U256 {
        if bound == 0 {
            return U256::ZERO;
        }
        let landmark = match rng.below(10) {
            0..=2 => 0,
            3 => 1 + rng.below(15) as u64,
            4..=5 => rng.pick(landmarks).map_or(0, |mark| u64::from(*mark) + rng.below(2) as u64),
            6 => self.dictionary.word(rng).and_then(|word| word.try_into().ok()).unwrap_or(1),
            _ => u64::MAX,
        };
        let fits = landmark < u64::from(bound);
        U256::from(if fits { landmark } else { rng.below(bound as usize) as u64 })
    }
}

/// Draws a few values from the arguments of `known`, and gives the first suitable one to an argument of
/// `call`.
pub(super) fn repeat(call: &mut Transaction, known: &Transaction, rng: &mut Rng) {
    let (Input::Typed { args: known, .. }, Some(args)) = (&known.input, call.input.args_mut()) else {
        return;
    };
    let to = rng.below(tree::count(args));
    let Some(place) = tree::node_mut(args, to) else { return };
    for _ in 0..REPEAT_ATTEMPTS {
        let from = rng.below(tree::count(known));
        if let Some(value) = tree::node(known, from).and_then(|value| held(value, place)) {
            *place = value;
            return;
        }
    }
}

/// Converts a value to the type of `place`; `None` if that type cannot hold it.
pub(super) fn held(value: &DynSolValue, place: &DynSolValue) -> Option<DynSolValue> {
    use DynSolValue::{Address, Bytes, FixedBytes, Int, String, Uint};
    match (value, place) {
        (Uint(number, _), Uint(_, bits)) => (number.bit_len() <= *bits).then_some(Uint(*number, *bits)),
        (Int(_, from), Int(_, to)) | (FixedBytes(_, from), FixedBytes(_, to)) => {
            (from == to).then(|| value.clone())
        }
        (Address(_), Address(_)) | (String(_), String(_)) | (Bytes(_), Bytes(_)) => Some(value.clone()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::toy;

    #[test]
    fn delays_are_drawn_only_when_configured_and_stay_below_their_bounds() {
        let mut rng = Rng::new(2, 0);
        let still = toy::generator();
        assert!((0..100).all(|_| still.warp(&mut rng).is_zero() && still.roll(&mut rng).is_zero()));
        let moving = CallGenerator { max_warp: 200_000, max_roll: 1, ..toy::generator() };
        let warps: Vec<u64> = (0..2_000).map(|_| moving.warp(&mut rng).to()).collect();
        assert!(warps.iter().all(|warp| *warp < 200_000));
        assert!(warps.contains(&0) && warps.contains(&86_400) && warps.contains(&3_601));
        assert!((0..100).all(|_| moving.roll(&mut rng).is_zero()));
    }

    #[test]
    fn value_goes_to_payable_functions_alone_and_as_often_as_configured() {
        let generator = CallGenerator { payable_value_weight: 15, ..toy::generator() };
        let mut rng = Rng::new(2, 0);
        let mut paid = 0;
        for _ in 0..20_000 {
            let tx = generator.call(&[], None, &mut rng).expect("the toy has functions");
            let name = &tx.input.function().expect("typed").name;
            assert!(tx.value.is_zero() || name == "deposit" && tx.value.bit_len() <= VALUE_BITS);
            paid += usize::from(!tx.value.is_zero());
        }
        let deposits = 20_000 / toy::FUNCTIONS;
        assert!((deposits * 12 / 100..deposits * 18 / 100).contains(&paid), "{paid} of {deposits}");
    }
}
