//! Walks: sequences of calls that succeed, each drawn in the state after the ones before.

use super::{
    HandlerSetting,
    bandit::Draw,
    candidates::{PastCall, Situation},
    changes::{SuccessfulCall, amount},
    examined::{Examined, examined},
    facts::Facts,
    shape::{LeafShape, assemble},
    views::{ViewResults, Views},
};
use crate::{
    campaign::CancellationToken,
    engine::Rng,
    evm::exec::{executor::EvmExecutor, test_env::TestEnv},
    model::{
        Executor as _, Observation, Outcome, Probing, Sequence, Step, Transaction,
        executor::Checks,
        handler::{
            AmountChange, ChosenValue, Fact, Funding, HandlerFunction, HandlerModel, Quantity, Token,
            ValueChoice, flatten, is_renouncing, order,
        },
    },
};
use alloy_dyn_abi::{DynSolType, DynSolValue};
use alloy_primitives::{Address, U256};
use std::sync::Arc;

/// Maximum number of calls of a walk that succeed, and of calls that are tried in it.
const DEPTH: usize = 24;
const TRIES: usize = 72;

/// Number of calls tried for each function, and maximum number for all of them.
const CALLS_PER_FUNCTION: usize = 1200;
const MOST_CALLS: usize = 20_000;

/// Part of the calls that use the final choices, in percent: the changes of quantities are read from them.
const FINAL: usize = 25;

/// Maximum delay before a call, in seconds: three days.
const WAIT: u64 = 259_200;

/// Part of the drawn calls of functions that give up a role which are made, in percent: after them, most others fail.
const RENOUNCED: u32 = 6;

/// State of a walk.
struct Walk {
    calls: Sequence,
    results: ViewResults,
    past: Vec<Vec<PastCall>>,
    now: U256,
}

impl Walk {
    /// Returns the words that earlier calls returned, which may be identifiers.
    fn ids(&self) -> Vec<U256> {
        let all = self.past.iter().flatten().filter_map(|call| call.returned.first().copied());
        let mut ids: Vec<U256> = all.collect();
        ids.sort_unstable();
        ids.dedup();
        ids
    }
}

/// A call with the values that were chosen.
struct Drawn {
    tx: Transaction,
    leaves: Vec<DynSolValue>,
}

/// Executor and results of all walks.
pub(super) struct Walks<'a> {
    executor: EvmExecutor,
    setting: HandlerSetting,
    stop: &'a CancellationToken,
    views: Views,
    examined: Vec<Examined>,
    facts: Facts,
    tokens: Vec<Token>,
    funding: Sequence,
    rng: Rng,
}

impl<'a> Walks<'a> {
    pub(super) fn new(test_env: Arc<TestEnv>, setting: HandlerSetting, stop: &'a CancellationToken) -> Self {
        let mut executor = EvmExecutor::new(test_env);
        let asked = stop.clone();
        executor.begin_replays(Arc::new(move || asked.is_run_ending()));
        let views = Views::new(&setting.interfaces, &setting.accounts, setting.subject());
        let facts = Facts::new(&views, &setting.quantities, &setting.accounts, setting.subject());
        let examined = examined(&setting, &views);
        let (tokens, funding) = (Vec::new(), Vec::new());
        Self { executor, setting, stop, views, examined, facts, tokens, funding, rng: Rng::new(0, 0) }
    }

    /// Makes all walks.
    pub(super) fn learn(&mut self) {
        self.fund();
        let most = (self.examined.len() * CALLS_PER_FUNCTION).min(MOST_CALLS);
        let last = most * FINAL / 100;
        let mut left = most;
        while left > 0 && !self.examined.is_empty() && !self.stop.is_run_ending() {
            left = left.saturating_sub(self.walk(left <= last));
        }
    }

    /// Gives tokens to the accounts, and approves the contract.
    fn fund(&mut self) {
        for index in 0..self.setting.scene.dependencies.len() {
            if !self.setting.quantities.contains(&Quantity::Tokens(index)) {
                continue;
            }
            let ways = [Funding::Mint, Funding::Transfer, Funding::Deposit];
            let found = ways.into_iter().find_map(|way| {
                let calls = self.setting.funding(index, way)?;
                let all: Sequence = self.funding.iter().cloned().chain(calls).collect();
                self.succeeds(&all).then_some((way, all))
            });
            if let Some((funding, all)) = found {
                self.funding = all;
                self.tokens.push(Token { dependency: index, funding });
            }
        }
    }

    fn succeeds(&mut self, calls: &Sequence) -> bool {
        let steps = self.run(calls).steps;
        steps.len() == calls.len() && steps.iter().all(|step| step.outcome == Outcome::Success)
    }

    fn run(&mut self, calls: &Sequence) -> Observation {
        self.executor.run(calls, &Checks::at_the_end(Vec::new()), &Probing::default())
    }

    /// Makes one walk and returns the number of calls that were tried.
    fn walk(&mut self, is_final: bool) -> usize {
        let scene = &self.setting.scene;
        let past = vec![Vec::new(); self.examined.len()];
        let mut walk =
            Walk { calls: self.funding.clone(), results: ViewResults::default(), past, now: scene.timestamp };
        walk.results = self.look(&walk.calls, &[]).1;
        self.facts.see(&walk.results);
        let start = walk.calls.len();
        for tried in 0..TRIES {
            if walk.calls.len() - start >= DEPTH || self.stop.is_run_ending() {
                return tried.max(1);
            }
            let index = self.rng.below(self.examined.len());
            if is_renouncing(&self.examined[index].function.name) && !self.rng.percent(RENOUNCED) {
                continue;
            }
            self.call(index, &mut walk, is_final);
        }
        TRIES
    }

    /// Runs calls and then all getters. Returns the last call's step and the results.
    fn look(&mut self, calls: &Sequence, ids: &[U256]) -> (Option<Step>, ViewResults) {
        let getters = self.views.calls(ids, self.setting.accounts[0]);
        let all: Sequence = calls.iter().chain(getters.iter().map(|(_, call)| call)).cloned().collect();
        let observation = self.run(&all);
        let wei = self.executor.balance(self.setting.subject());
        let mut steps = observation.steps;
        let results = steps.split_off(calls.len().min(steps.len()));
        (steps.pop(), Views::read(&getters, &results, (wei, observation.state)))
    }

    /// Draws a call of a function, makes it, and keeps it in the walk if it succeeds.
    fn call(&mut self, index: usize, walk: &mut Walk, is_final: bool) {
        let examined = &self.examined[index];
        let draw = match is_final {
            true => examined.search.best(&mut self.rng),
            false => examined.search.draw(&mut self.rng),
        };
        let Some(drawn) = self.draw(index, &draw, walk) else {
            if !is_final {
                self.examined[index].search.learn(&draw, false, false);
            }
            return;
        };
        walk.calls.push(drawn.tx.clone());
        let (step, results) = self.look(&walk.calls, &walk.ids());
        let step = step.unwrap_or_default();
        let is_success = step.outcome == Outcome::Success && !self.stop.is_run_ending();
        let before = (walk.results.storage, walk.results.wei);
        let is_change = is_success && (results.storage, results.wei) != before;
        let examined = &mut self.examined[index];
        if !is_final {
            examined.search.learn(&draw, is_success, is_change);
        }
        if !is_success {
            walk.calls.pop();
            return;
        }
        let words = step.output.chunks_exact(32).take(examined.results);
        let returned: Vec<U256> = words.map(U256::from_be_slice).collect();
        let seen = SuccessfulCall { leaves: &drawn.leaves, returned: &returned, value: drawn.tx.value };
        let subject = self.setting.scene.contract.address;
        // Other choices make calls that the handler does not make.
        if is_final {
            for (quantity, changes) in self.setting.quantities.iter().zip(&mut examined.changes) {
                let before = amount(quantity, &walk.results, subject);
                if let Some((before, after)) = before.zip(amount(quantity, &results, subject)) {
                    changes.see(&seen, before, after);
                }
            }
        }
        self.facts.see(&results);
        walk.past[index].push(PastCall { leaves: drawn.leaves, returned });
        walk.now += drawn.tx.warp;
        walk.results = results;
    }

    /// Makes the call of a draw; `None` if a value cannot be chosen.
    fn draw(&mut self, index: usize, draw: &Draw, walk: &Walk) -> Option<Drawn> {
        let Self { setting, rng, examined, .. } = self;
        let examined = &examined[index];
        let choices = examined.search.choices(draw);
        let mut choices = choices.iter();
        let sender = choices.next()?;
        let value = if examined.has_value { choices.next() } else { None };
        let length = if examined.has_length { choices.next() } else { None };
        let leaves: Vec<&ValueChoice> = choices.collect();
        let warp = match setting.reads_time && rng.percent(30) {
            true => U256::from(rng.below(WAIT as usize)),
            false => U256::ZERO,
        };
        let mut situation = Situation {
            accounts: &setting.accounts,
            roles: &setting.roles,
            results: &walk.results,
            past: &walk.past,
            now: walk.now + warp,
            draw: rng.below(1 << 20),
            sender: Address::ZERO,
            leaves: vec![None; leaves.len()],
        };
        let number = |choice: Option<&ValueChoice>, rng: &mut Rng| match choice {
            Some(choice) => Some(situation.value(choice, &DynSolType::Uint(256), rng)?.as_uint()?.0),
            None => Some(U256::ZERO),
        };
        let value = number(value, rng)?;
        let length = number(length, rng)?.saturating_to::<usize>();
        for item in order(sender, &leaves)? {
            match item {
                ChosenValue::Sender => {
                    let account = situation.value(sender, &DynSolType::Address, rng)?.as_address()?;
                    situation.sender = Some(account).filter(|account| !account.is_zero())?;
                }
                ChosenValue::Leaf(leaf) => {
                    let LeafShape { ty, is_array, .. } = &examined.shapes[leaf];
                    let mut one = || situation.value(leaves[leaf], ty, rng);
                    let chosen = match is_array {
                        true => DynSolValue::Array((0..length).map(|_| one()).collect::<Option<_>>()?),
                        false => one()?,
                    };
                    situation.leaves[leaf] = Some(chosen);
                }
            }
        }
        let (sender, leaves) = (situation.sender, situation.leaves.into_iter().collect::<Option<Vec<_>>>()?);
        let args = assemble(examined.function.types()?, &mut leaves.clone().into_iter());
        debug_assert_eq!(flatten(&args).len(), leaves.len());
        let plain = Transaction::plain(sender, setting.subject(), &examined.function, args);
        Some(Drawn { tx: Transaction { value, warp, ..plain }, leaves })
    }

    /// Returns the handler as far as it is known.
    pub(super) fn model(self) -> HandlerModel {
        let Self { setting, examined, facts, tokens, .. } = self;
        let functions: Vec<HandlerFunction> = examined.into_iter().map(Examined::finish).collect();
        let states = facts.states();
        let conserved = (0..setting.quantities.len()).filter(|quantity| {
            let changes = || functions.iter().map(|function| function.flows[*quantity]);
            let is_exact =
                |change: AmountChange| matches!(change, AmountChange::In(_) | AmountChange::Out(_));
            changes().any(is_exact)
        });
        let facts = facts.held(conserved.map(Fact::Conserved));
        HandlerModel {
            accounts: setting.accounts,
            tokens,
            functions,
            quantities: setting.quantities,
            facts,
            reads_time: setting.reads_time,
            states,
            scene: setting.scene,
        }
    }
}
