//! Facts that hold in all states that the calls reach.

use super::{
    changes::amount,
    views::{View, ViewResults, Views},
};
use crate::model::handler::{AskedAccount, ContractRole, Fact, Getter, Quantity};
use alloy_primitives::{Address, U256};

/// Maximum number of getters about one account, and of totals, that are compared.
const MOST: usize = 8;

/// A fact that held so far.
struct FactCandidate {
    fact: Fact,
    /// True once it said something: the amounts that it compares changed, and accounts share them.
    is_telling: bool,
    /// Larger side of the comparison in the first state.
    first: Option<U256>,
}

/// Facts that held in all states so far.
pub(super) struct Facts {
    candidates: Vec<FactCandidate>,
    /// Accounts, and then the contract.
    everybody: Vec<Address>,
    subject: Address,
    states: usize,
    /// Wei of the contract at first, and true if it never owned more.
    wei: Option<U256>,
    has_no_wei: bool,
}

impl Facts {
    pub(super) fn new(
        views: &Views,
        quantities: &[Quantity],
        accounts: &[Address],
        subject: Address,
    ) -> Self {
        let everybody = accounts.iter().copied().chain([subject]).collect();
        let candidates = candidates(&views.list, quantities).into_iter();
        let candidates = candidates.map(|fact| FactCandidate { fact, is_telling: false, first: None });
        Self { candidates: candidates.collect(), everybody, subject, states: 0, wei: None, has_no_wei: true }
    }

    /// Drops the facts that do not hold in a state.
    pub(super) fn see(&mut self, results: &ViewResults) {
        self.states += 1;
        self.has_no_wei &= *self.wei.get_or_insert(results.wei) == results.wei;
        let state = State { results, everybody: &self.everybody, subject: self.subject };
        self.candidates.retain_mut(|candidate| {
            let Some((holds, large, is_shared)) = state.check(&candidate.fact) else { return false };
            let first = *candidate.first.get_or_insert(large);
            candidate.is_telling |= is_shared && large != first;
            holds && (first == large || !matches!(candidate.fact, Fact::Constant(_)))
        });
    }

    /// Returns the number of states seen.
    pub(super) fn states(&self) -> usize {
        self.states
    }

    /// Returns the facts that held, with these others, the most telling ones first.
    pub(super) fn held(self, others: impl Iterator<Item = Fact>) -> Vec<Fact> {
        let is_kept =
            |candidate: &FactCandidate| candidate.is_telling || matches!(candidate.fact, Fact::Constant(_));
        let mut facts: Vec<Fact> =
            self.candidates.into_iter().filter(is_kept).map(|candidate| candidate.fact).collect();
        let equal: Vec<Getter> = facts
            .iter()
            .filter_map(|fact| match fact {
                Fact::SumEquals(each, _) => Some(each.clone()),
                _ => None,
            })
            .collect();
        // An equality says more than the same with "at most".
        facts.retain(|fact| match fact {
            Fact::SumAtMost(each, _) | Fact::EachAtMost(each, _) => !equal.contains(each),
            _ => true,
        });
        facts.extend(others);
        facts.extend(self.has_no_wei.then_some(Fact::NoWei));
        facts.push(Fact::HasCode);
        facts.sort_by_key(rank);
        facts
    }
}

fn rank(fact: &Fact) -> usize {
    match fact {
        Fact::SumEquals(..) => 0,
        Fact::Conserved(_) => 1,
        Fact::Covers(..) => 2,
        Fact::SumAtMost(..) => 3,
        Fact::EachAtMost(..) => 4,
        Fact::AtMost(..) => 5,
        Fact::Constant(_) => 6,
        Fact::NoWei => 7,
        Fact::HasCode => 8,
    }
}

/// Returns all facts about these getters that may hold.
fn candidates(views: &[View], quantities: &[Quantity]) -> Vec<Fact> {
    let own = |accounts: usize| {
        let own =
            views.iter().filter(move |view| view.of == ContractRole::Subject && view.accounts == accounts);
        own.filter(|view| view.is_number() && !view.takes_id).take(MOST).collect::<Vec<_>>()
    };
    let (totals, each) = (own(0), own(1));
    let account = |view: &View| view.getter(vec![AskedAccount::Account]);
    let total = |view: &View| view.getter(Vec::new());
    let mut facts = Vec::new();
    for view in &each {
        for (index, of) in totals.iter().enumerate() {
            facts.push(Fact::SumEquals(account(view), total(of)));
            facts.push(Fact::SumAtMost(account(view), total(of)));
            if index == 0 {
                facts.push(Fact::EachAtMost(account(view), total(of)));
            }
        }
    }
    for quantity in quantities.iter().filter(|quantity| **quantity != Quantity::Supply) {
        facts.extend(totals.iter().map(|view| Fact::Covers(quantity.clone(), total(view))));
    }
    for (index, small) in totals.iter().enumerate() {
        let others = totals.iter().enumerate().filter(|(other, large)| *other != index && is_bound(large));
        facts.extend(others.map(|(_, large)| Fact::AtMost(total(small), total(large))));
    }
    let constants =
        views.iter().filter(|view| view.of == ContractRole::Subject && view.accounts == 0 && !view.takes_id);
    facts.extend(constants.map(|view| Fact::Constant(total(view))));
    facts
}

/// Tells whether the name of a total says that it bounds others.
fn is_bound(view: &View) -> bool {
    let name = view.name.to_lowercase();
    ["max", "cap", "limit", "total", "supply"].iter().any(|word| name.contains(word))
}

/// A state in which facts are checked.
struct State<'a> {
    results: &'a ViewResults,
    everybody: &'a [Address],
    subject: Address,
}

impl State<'_> {
    /// Tells whether a fact holds, with its larger side, and whether more than one account has a part of it; `None`
    /// if a getter fails.
    fn check(&self, fact: &Fact) -> Option<(bool, U256, bool)> {
        Some(match fact {
            Fact::SumEquals(each, total) => {
                let (sum, sharers, _) = self.sum(each)?;
                let total = self.result(total)?;
                (sum == total, total, sharers > 1)
            }
            Fact::SumAtMost(each, total) => {
                let (sum, sharers, _) = self.sum(each)?;
                let total = self.result(total)?;
                (sum <= total, total, sharers > 1)
            }
            Fact::EachAtMost(each, total) => {
                let (_, sharers, most) = self.sum(each)?;
                let total = self.result(total)?;
                (most <= total, total, sharers > 0)
            }
            Fact::Covers(quantity, getter) => {
                let (owned, claimed) = (amount(quantity, self.results, self.subject)?, self.result(getter)?);
                (owned >= claimed, owned, !claimed.is_zero())
            }
            Fact::AtMost(small, large) => {
                let (small, large) = (self.result(small)?, self.result(large)?);
                (small <= large, small, !small.is_zero())
            }
            Fact::Constant(getter) => (true, self.result(getter)?, true),
            Fact::Conserved(_) | Fact::NoWei | Fact::HasCode => return None,
        })
    }

    fn result(&self, getter: &Getter) -> Option<U256> {
        self.results.get(getter.of, &getter.name, &[])
    }

    /// Returns the sum of a getter over all accounts, the number of accounts with a part of it, and the largest part.
    fn sum(&self, each: &Getter) -> Option<(U256, usize, U256)> {
        let parts = self.everybody.iter().map(|account| self.results.get(each.of, &each.name, &[*account]));
        let parts: Vec<U256> = parts.collect::<Option<_>>()?;
        let sum = parts.iter().try_fold(U256::ZERO, |sum, part| sum.checked_add(*part))?;
        let most = parts.iter().copied().max().unwrap_or_default();
        Some((sum, parts.iter().filter(|part| !part.is_zero()).count(), most))
    }
}
