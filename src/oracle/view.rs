//! View of an execution, for oracles.

use crate::model::{
    Actor, AssertionFailure, AssertionKind, Input, Origins, Outcome, OutwardCall, Scene, Sequence, Site,
    Step, TaintReport, Transaction,
};
use alloy_dyn_abi::DynSolValue;
use alloy_primitives::{Address, Bytes, U256};

/// An execution up to the examined step, which is the last one.
#[derive(Clone, Copy, Debug)]
pub(super) struct ExecutionView<'a> {
    /// The calls.
    pub(super) calls: &'a [Transaction],
    /// Results of the calls.
    pub(super) steps: &'a [Step],
    /// State before the calls, if the contract is called without a test contract.
    pub(super) scene: Option<&'a Scene>,
}

impl<'a> ExecutionView<'a> {
    /// Returns the view of an execution of `sequence` up to the step at `index`.
    pub(super) fn at(
        index: usize,
        sequence: &'a Sequence,
        steps: &'a [Step],
        scene: Option<&'a Scene>,
    ) -> Option<Self> {
        Some(Self { calls: sequence.get(..=index)?, steps: steps.get(..=index)?, scene })
    }

    /// Returns the examined call.
    pub(super) fn tx(&self) -> &'a Transaction {
        self.calls.last().expect("there is a step")
    }

    /// Returns the result of the examined call.
    pub(super) fn step(&self) -> &'a Step {
        self.steps.last().expect("there is a step")
    }

    /// Returns the taint report of the examined call.
    pub(super) fn taint(&self) -> Option<&'a TaintReport> {
        self.step().taint.as_deref()
    }

    /// Returns the taint report, if the call succeeded.
    pub(super) fn done(&self) -> Option<&'a TaintReport> {
        self.taint().filter(|_| self.step().outcome == Outcome::Success)
    }

    /// Returns the taint report, if the call reverted.
    pub(super) fn undone(&self) -> Option<&'a TaintReport> {
        self.taint().filter(|_| self.step().outcome == Outcome::Revert)
    }

    /// Returns the account that created the contract, and that the contract trusts.
    pub(super) fn owner(&self) -> Option<Address> {
        match self.creation() {
            Some(creation) => Some(creation.sender),
            None => self.scene.and_then(|scene| scene.deployer),
        }
    }

    /// Returns the accounts that a contract on a chain names, its owner among them.
    pub(super) fn named_on_chain(&self) -> impl Iterator<Item = Address> {
        let scene = self.scene.filter(|scene| !scene.origin.is_created());
        scene.into_iter().flat_map(|scene| scene.named.iter().copied())
    }

    /// Returns the call that created the contract again, if there is one.
    pub(super) fn creation(&self) -> Option<&'a Transaction> {
        let (first, step) = self.calls.first().zip(self.steps.first())?;
        (first.input.is_creation() && step.outcome == Outcome::Success).then_some(first)
    }

    /// Tells whether an account is an actor, and no contract under test.
    pub(super) fn is_actor(&self, account: Address) -> bool {
        self.scene.is_some_and(|scene| scene.actor(account).is_some())
    }

    /// Tells whether an account is an actor with code, which may reject a call.
    pub(super) fn is_rejecting(&self, account: Address) -> bool {
        let actor = self.scene.and_then(|scene| scene.actor(account));
        actor.is_some_and(|actor| !actor.code.is_empty())
    }

    /// Tells whether an account is a dependency that may not be what the contract expects.
    pub(super) fn is_guessed(&self, account: Address) -> bool {
        self.scene.is_some_and(|scene| scene.guessed.contains(&account))
    }

    /// Tells whether an account is a stranger: it does not own the contract, and neither the owner nor any
    /// other caller ever named it.
    pub(super) fn is_stranger(&self, account: Address) -> bool {
        Some(account) != self.owner()
            && !self.is_named_in_code(account)
            && !self
                .made()
                .any(|tx| tx.sender != account && mentions(&tx.input, account) || answers_with(tx, account))
            && !self.deployed_with().any(|data| contains(data, account))
    }

    /// Tells whether an account has no right to anything that it gains by this call. The account must be a
    /// stranger that never sent wei, and never called a contract that the tested contract depends on. The
    /// caller must be a stranger, too, since an owner may give away anything. If a trusted account took the
    /// contract of an actor for one of its own, its token for example, nothing can be said.
    pub(super) fn is_thief(&self, account: Address) -> bool {
        let contract = self.scene.map(|scene| scene.contract.address);
        let is_other = |target| Some(target) != contract && !self.is_actor(target);
        let pays = |tx: &Transaction| !tx.value.is_zero() && (tx.sender == account || tx.reentry.is_some());
        let deals = |tx: &Transaction| pays(tx) || tx.sender == account && is_other(tx.target);
        self.is_stranger(account)
            && self.is_stranger(self.tx().sender)
            && !self.made().any(deals)
            && !self.trusts_an_actor()
    }

    /// Tells whether the deployment or a trusted account named an actor that is a contract, or that answers as one.
    pub(super) fn trusts_an_actor(&self) -> bool {
        let actors = self.scene.into_iter().flat_map(|scene| &scene.actors);
        let is_contract = |actor: &&Actor| !actor.code.is_empty() || self.tx().reentry.is_some();
        let mut contracts = actors.filter(is_contract).map(|actor| actor.address);
        let trusted = |sender| Some(sender) == self.owner() || self.is_named_in_code(sender);
        contracts.any(|contract| {
            self.made().any(|tx| trusted(tx.sender) && mentions(&tx.input, contract))
                || self.deployed_with().any(|data| contains(data, contract))
        })
    }

    /// Tells whether the contract's code names an account.
    pub(super) fn is_named_in_code(&self, account: Address) -> bool {
        self.scene.is_some_and(|scene| scene.named.contains(&account))
    }

    /// Tells whether an account is the owner, or among the arguments of the call that created the contract again.
    pub(super) fn is_chosen_by_creator(&self, account: Address) -> bool {
        let is_named = self.creation().is_some_and(|creation| mentions(&creation.input, account));
        is_named || Some(account) == self.owner()
    }

    /// Tells whether the account that called back is the owner, or one that a trusted account brought in.
    pub(super) fn is_answered_by_trusted(&self) -> bool {
        let reentered = self.taint().and_then(|taint| taint.proofs.reentered.as_ref());
        let is_trusted = |account| Some(account) == self.owner() || !self.is_foreign(account);
        reentered.is_some_and(|reentered| is_trusted(reentered.by))
    }

    /// Tells whether the caller named an account in an earlier call.
    pub(super) fn was_named_by_caller(&self, account: Address) -> bool {
        let earlier = self.made().filter(|tx| !std::ptr::eq(*tx, self.tx()));
        let mut own = earlier.filter(|tx| tx.sender == self.tx().sender);
        own.any(|tx| mentions(&tx.input, account))
    }

    /// Tells whether an account is the contract that is called without a test contract.
    pub(super) fn is_tested(&self, account: Address) -> bool {
        self.scene.is_some_and(|scene| scene.contract.address == account)
    }

    /// Tells whether an untrusted account brought in `account`: neither the owner nor anybody whom others named did.
    pub(super) fn is_foreign(&self, account: Address) -> bool {
        let by_trusted = |tx: &Transaction| !self.is_stranger(tx.sender) && mentions(&tx.input, account);
        !self.made().any(by_trusted) && !self.deployed_with().any(|data| contains(data, account))
    }

    /// Returns the payments that the examined call made.
    pub(super) fn payments(&self) -> impl Iterator<Item = &'a OutwardCall> {
        let calls = self.done().into_iter().flat_map(|taint| &taint.calls);
        calls.filter(|call| call.success && !call.is_undone && call.message.is_payment)
    }

    /// Returns the payments whose receiver or amount depends on these origins, or that follow a decision that
    /// does.
    pub(super) fn payments_by(&self, origins: Origins) -> impl Iterator<Item = &'a OutwardCall> {
        self.payments().filter(move |call| {
            (call.decided | call.message.to_origins | call.message.value_origins).has(origins)
        })
    }

    /// Returns the place of the call or selfdestruct that paid an account; the default if there is none.
    pub(super) fn payment_to(&self, account: Address) -> Site {
        let paid = self.payments().find(|call| call.message.to == account && !call.message.value.is_zero());
        let destroyed = || self.done()?.destroyed.first().map(|(site, _)| site);
        paid.map(|call| &call.site).or_else(destroyed).cloned().unwrap_or_default()
    }

    /// Returns the wei that an account sent with calls that succeeded, and with the examined one.
    pub(super) fn paid_by(&self, account: Address) -> U256 {
        let paid = self.made().filter(|tx| tx.sender == account).map(|tx| tx.value);
        paid.fold(U256::ZERO, U256::saturating_add)
    }

    /// Tells whether an account that is not the owner paid wei, beside this one.
    pub(super) fn others_paid(&self, account: Address) -> bool {
        let is_other = |tx: &Transaction| tx.sender != account && Some(tx.sender) != self.owner();
        self.made().any(|tx| is_other(tx) && !tx.value.is_zero())
    }

    /// Returns the calls that succeeded, and the examined call.
    fn made(&self) -> impl Iterator<Item = &'a Transaction> {
        let last = self.calls.len() - 1;
        let steps = self.calls.iter().zip(self.steps).enumerate();
        let made = steps.filter(move |(index, (_, step))| *index == last || step.outcome == Outcome::Success);
        made.map(|(_, (tx, _))| tx)
    }

    /// Returns the arguments and calldata of the deployment. An account that creates the contract again
    /// repeats the calls that initialise it, but not the constructor's arguments.
    fn deployed_with(&self) -> impl Iterator<Item = &'a Bytes> {
        let args = self.scene.filter(|_| self.creation().is_none()).map(|scene| &scene.contract.args);
        let initializers = self.scene.into_iter().flat_map(|scene| &scene.initializers);
        initializers.map(|initializer| &initializer.calldata).chain(args)
    }
}

/// Tells whether the callback of a call names an account.
fn answers_with(tx: &Transaction, account: Address) -> bool {
    tx.reentry.as_ref().is_some_and(|reentry| mentions(&reentry.input, account))
}

/// Tells whether an account is among the arguments of a call, at any depth.
fn mentions(input: &Input, account: Address) -> bool {
    match input {
        Input::Typed { args, .. } => args.iter().any(|arg| holds(arg, account)),
        Input::Raw(data) => contains(data, account),
    }
}

fn holds(value: &DynSolValue, account: Address) -> bool {
    match value {
        DynSolValue::Address(address) => *address == account,
        DynSolValue::Uint(word, _) => Address::from_word((*word).into()) == account,
        DynSolValue::FixedBytes(word, _) => contains(&word[..], account),
        DynSolValue::Function(function) => contains(function.as_slice(), account),
        DynSolValue::Bytes(bytes) => contains(bytes, account),
        DynSolValue::Array(items)
        | DynSolValue::FixedArray(items)
        | DynSolValue::Tuple(items)
        | DynSolValue::CustomStruct { tuple: items, .. } => items.iter().any(|item| holds(item, account)),
        DynSolValue::Bool(_) | DynSolValue::Int(..) | DynSolValue::String(_) => false,
    }
}

pub(super) fn contains(data: &[u8], account: Address) -> bool {
    data.windows(Address::len_bytes()).any(|window| window == account.as_slice())
}

/// Creates an oracle's report that is no failed assertion.
pub(super) fn violation(site: &Site, reason: impl Into<String>) -> AssertionFailure {
    AssertionFailure { kind: AssertionKind::Oracle, site: site.clone(), reason: reason.into(), written: None }
}
