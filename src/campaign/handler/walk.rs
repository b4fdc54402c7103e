//! Walks: sequences of calls that succeed, each drawn in the state after the ones before.

use super::{
    HandlerSetting,
    bandit::Draw,
    candidates::{PastCall, Situation, names_id},
    changes::{AmountChanges, SuccessfulCall, amount},
    examined::{Examined, examined},
    facts::Facts,
    funding::AMOUNTS,
    phases::Phase,
    shape::{LeafShape, assemble, word},
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
            AmountChange, ChosenValue, ContractRole, Fact, HandlerFunction, HandlerModel, Quantity, Token,
            ValueChoice, flatten, order,
        },
    },
};
use alloy_dyn_abi::{DynSolType, DynSolValue};
use alloy_primitives::{Address, U256};
use std::sync::Arc;

/// Maximum number of calls of a walk that succeed, and of calls that are tried in it.
const DEPTH: usize = 24;
const TRIES: usize = 72;

/// Maximum delay before a call, in seconds: three days.
const WAIT: u64 = 259_200;

/// Part of the successful calls that count if the contract calls itself, in percent.
const SELF: u32 = 25;

/// Part of the drawn calls which are made of functions after which most others fail, in percent.
const ENDING: u32 = 6;

/// State of a walk.
struct Walk {
    calls: Sequence,
    results: ViewResults,
    past: Vec<Vec<PastCall>>,
    now: U256,
}

impl Walk {
    /// Returns the words of earlier calls that may be identifiers: results, and arguments with such a name.
    fn ids(&self, examined: &[Examined]) -> Vec<U256> {
        let mut ids: Vec<U256> = Vec::new();
        for (calls, Examined { shapes, .. }) in self.past.iter().zip(examined) {
            for call in calls {
                ids.extend(call.returned.first());
                let named = shapes.iter().zip(&call.leaves).filter(|(shape, _)| names_id(shape));
                ids.extend(named.filter_map(|(_, value)| word(value)));
            }
        }
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
    pub(super) stop: &'a CancellationToken,
    views: Views,
    pub(super) examined: Vec<Examined>,
    facts: Facts,
    tokens: Vec<Token>,
    /// Calls of a unit test's `setUp`.
    set_up: Sequence,
    /// Calls before each walk.
    funding: Sequence,
    rng: Rng,
    /// Functions in the order of each unit test.
    orders: Vec<Vec<usize>>,
}

impl<'a> Walks<'a> {
    pub(super) fn new(test_env: Arc<TestEnv>, setting: HandlerSetting, stop: &'a CancellationToken) -> Self {
        let mut executor = EvmExecutor::new(test_env);
        let asked = stop.clone();
        executor.begin_replays(Arc::new(move || asked.is_run_ending()));
        let views = Views::new(&setting.interfaces, &setting.accounts, setting.subject());
        let facts = Facts::new(&views, &setting.quantities, &setting.accounts, setting.subject());
        let examined = examined(&setting, &views);
        let (orders, rng) = (setting.orders(), Rng::new(0, 0));
        let (tokens, set_up, funding) = (Vec::new(), Vec::new(), Vec::new());
        Self { executor, setting, stop, views, examined, facts, tokens, set_up, funding, rng, orders }
    }

    /// Tells whether other functions use values of earlier calls of this one.
    fn is_source(&self, function: usize) -> bool {
        let others = self.examined.iter().filter(|examined| examined.search.has_success());
        others.flat_map(|other| other.search.chosen()).any(|choice| choice.source() == Some(function))
    }

    /// Makes the calls of a unit test's `setUp`, gives tokens to the accounts, and approves the contract; makes the
    /// holder take tokens.
    pub(super) fn fund(&mut self) {
        self.funding.extend(self.setting.holder.clone());
        for call in self.setting.set_up_calls() {
            let all: Sequence = self.funding.iter().chain([&call]).cloned().collect();
            if self.succeeds(&all) {
                self.funding = all;
                self.set_up.push(call);
            }
        }
        for index in 0..self.setting.scene.dependencies.len() {
            if !self.setting.quantities.contains(&Quantity::Tokens(index)) {
                continue;
            }
            let ways = self.setting.ways(index);
            let mut all = AMOUNTS.iter().flat_map(|amount| ways.iter().map(move |way| (way, *amount)));
            let found = all.find_map(|(funding, amount)| {
                let calls = self.setting.funding(index, funding, amount)?;
                let all: Sequence = self.funding.iter().cloned().chain(calls).collect();
                let token = Token { dependency: index, funding: funding.clone(), amount };
                (self.succeeds(&all) && self.owns(&token, &all)).then_some((token, all))
            });
            if let Some((token, all)) = found {
                self.funding = all;
                self.tokens.push(token);
            }
        }
    }

    /// Tells whether the last account owns the amount of a token after these calls.
    fn owns(&mut self, token: &Token, calls: &Sequence) -> bool {
        let account = self.setting.accounts.last().map(|account| account.into_word().into());
        let results = self.look(calls, &[]).1;
        let role = ContractRole::Dependency(token.dependency);
        let owned = results.about(role, "balanceOf", &Vec::from_iter(account));
        owned.is_none_or(|owned| owned >= token.amount)
    }

    fn succeeds(&mut self, calls: &Sequence) -> bool {
        let steps = self.run(calls).steps;
        steps.len() == calls.len() && steps.iter().all(|step| step.outcome == Outcome::Success)
    }

    fn run(&mut self, calls: &Sequence) -> Observation {
        self.executor.run(calls, &Checks::at_the_end(Vec::new()), &Probing::default())
    }

    /// Makes one walk and returns the number of calls that were tried.
    pub(super) fn walk(&mut self, phase: &Phase) -> usize {
        let scene = &self.setting.scene;
        let past = vec![Vec::new(); self.examined.len()];
        let now = scene.prepared.timestamp;
        let mut walk = Walk { calls: self.funding.clone(), results: ViewResults::default(), past, now };
        walk.results = self.look(&walk.calls, &[]).1;
        self.facts.see(&walk.results);
        let start = walk.calls.len();
        // Every other walk begins in the order of a unit test.
        let order = self.rng.pick(&self.orders).filter(|_| self.rng.percent(50));
        let mut planned = order.cloned().unwrap_or_default().into_iter();
        for tried in 0..TRIES {
            if walk.calls.len() - start >= DEPTH || self.stop.is_run_ending() {
                return tried.max(1);
            }
            let index = planned.next().unwrap_or_else(|| self.any_function());
            if self.examined[index].is_ending() && !self.is_source(index) && !self.rng.percent(ENDING) {
                continue;
            }
            self.call(index, &mut walk, phase);
        }
        TRIES
    }

    /// Draws a function, those without a successful call twice as often.
    fn any_function(&mut self) -> usize {
        let mut any = || self.rng.below(self.examined.len());
        let (first, second) = (any(), any());
        if self.examined[first].search.has_success() { second } else { first }
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
    fn call(&mut self, index: usize, walk: &mut Walk, phase: &Phase) {
        let examined = &self.examined[index];
        let is_best = phase.uses_best(index);
        let draw = match is_best {
            true => examined.search.best(&mut self.rng),
            false => {
                let hints = examined.hints(&self.examined, &mut self.rng);
                examined.search.draw(&hints, &mut self.rng)
            }
        };
        let Some(drawn) = self.draw(index, &draw, walk) else {
            if !is_best {
                self.examined[index].search.learn(&draw, None, false, false);
            }
            return;
        };
        walk.calls.push(drawn.tx.clone());
        let (step, results) = self.look(&walk.calls, &walk.ids(&self.examined));
        let step = step.unwrap_or_default();
        let is_success = step.outcome == Outcome::Success && !self.stop.is_run_ending();
        for (other, (examined, earlier)) in self.examined.iter_mut().zip(&walk.past).enumerate() {
            if other != index {
                examined.others.see(!earlier.is_empty(), is_success);
            }
        }
        let before = (walk.results.storage, walk.results.wei);
        let is_change = is_success && (results.storage, results.wei) != before;
        let examined = &mut self.examined[index];
        if !is_best {
            // A contract seldom calls itself, so that such calls count only where no account can make them.
            let counts = drawn.tx.sender != self.setting.scene.contract.address || self.rng.percent(SELF);
            examined.search.learn(&draw, Some(step.path), is_success && counts, is_change && counts);
        }
        if matches!(phase, Phase::Trial) {
            examined.trials.see(is_success);
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
        if matches!(phase, Phase::Final) && is_change {
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
                    let first = one()?;
                    let is_item = *is_array && !matches!(first, DynSolValue::Array(_));
                    let chosen = match is_item {
                        true => {
                            let others = (1..length).map(|_| one());
                            DynSolValue::Array(
                                [Some(first)].into_iter().chain(others).collect::<Option<_>>()?,
                            )
                        }
                        false => first,
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
        let Self { setting, examined, facts, tokens, set_up, .. } = self;
        let known = |examined: &Examined| examined.changes.iter().map(AmountChanges::are_known).collect();
        let known: Vec<Vec<bool>> = examined.iter().map(known).collect();
        let mut functions: Vec<HandlerFunction> =
            examined.into_iter().map(|examined| examined.finish(&setting.quantities)).collect();
        measure_unknown(&mut functions, &known);
        let sources: Vec<usize> =
            functions.iter().flat_map(HandlerFunction::choices).filter_map(ValueChoice::source).collect();
        sources.into_iter().for_each(|source| functions[source].is_ending = false);
        let states = facts.states();
        let conserved = (0..setting.quantities.len()).filter(|quantity| {
            let changes = || functions.iter().map(|function| function.flows[*quantity]);
            let is_exact =
                |change: AmountChange| matches!(change, AmountChange::In(_) | AmountChange::Out(_));
            changes().any(is_exact)
        });
        let facts = facts.held(conserved.map(Fact::Conserved));
        let mut model = HandlerModel {
            accounts: setting.accounts,
            names: setting.used.actors,
            has_holder: setting.holder.is_some(),
            set_up,
            tokens,
            functions,
            quantities: setting.quantities,
            facts,
            reads_time: setting.reads_time,
            states,
            scene: setting.scene,
        };
        model.drop_unused();
        model
    }
}

/// Lets the handler measure the changes of functions with too few calls, for quantities that other functions move.
fn measure_unknown(functions: &mut [HandlerFunction], known: &[Vec<bool>]) {
    for quantity in 0..known.first().map_or(0, Vec::len) {
        let is_moved = functions.iter().any(|function| function.flows[quantity] != AmountChange::None);
        for (function, known) in functions.iter_mut().zip(known) {
            if is_moved && !known[quantity] {
                function.flows[quantity] = AmountChange::Measured;
            }
        }
    }
}
