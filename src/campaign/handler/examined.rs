//! Functions of the contract, each with the search for the choices of its values.

use super::{
    HandlerSetting,
    bandit::ChoiceSearch,
    candidates::Surroundings,
    changes::AmountChanges,
    shape::{LeafShape, leaves},
    views::Views,
};
use crate::{
    engine::Rng,
    model::{
        TargetFunction,
        handler::{ArgumentLeaf, HandlerFunction, Quantity, ValueChoice},
        is_word,
    },
};
use alloy_dyn_abi::Specifier as _;
use alloy_json_abi::StateMutability;
use std::sync::Arc;

/// Number of calls of others after which they are compared.
const ENOUGH: u32 = 200;

/// Number of trials after which a function may be said to fail: if fewer than one in so many succeeds.
const LEAST_TRIALS: u32 = 10;
const LEAST_PART: u32 = 4;

/// Calls of the other functions in walks: before the first successful call of a function, and after it.
#[derive(Clone, Debug, Default)]
pub(super) struct OtherCalls {
    before: Trials,
    after: Trials,
}

impl OtherCalls {
    pub(super) fn see(&mut self, is_after: bool, is_success: bool) {
        let trials = if is_after { &mut self.after } else { &mut self.before };
        trials.see(is_success);
    }

    /// Tells whether most of what succeeds before fails after it.
    fn end(&self) -> bool {
        self.before.calls.min(self.after.calls) >= ENOUGH && self.after.rate() < 0.25 * self.before.rate()
    }
}

/// Number of calls, and of those that succeeded.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Trials {
    calls: u32,
    successes: u32,
}

impl Trials {
    pub(super) fn see(&mut self, is_success: bool) {
        self.calls += 1;
        self.successes += u32::from(is_success);
    }

    fn rate(self) -> f64 {
        f64::from(self.successes) / f64::from(self.calls)
    }

    /// Tells whether most calls fail.
    pub(super) fn fail(self) -> bool {
        self.calls >= LEAST_TRIALS && self.successes * LEAST_PART < self.calls
    }
}

/// A function with what is known of its calls.
pub(super) struct Examined {
    pub(super) function: Arc<TargetFunction>,
    pub(super) shapes: Vec<LeafShape>,
    pub(super) search: ChoiceSearch,
    pub(super) has_value: bool,
    pub(super) has_length: bool,
    /// Number of leading results that are one word each.
    pub(super) results: usize,
    pub(super) changes: Vec<AmountChanges>,
    pub(super) others: OtherCalls,
    /// Calls while all functions use their best choices.
    pub(super) trials: Trials,
}

impl Examined {
    /// Returns the choices that other functions have found for values of the same name and type, for each coordinate.
    pub(super) fn hints(&self, others: &[Self], rng: &mut Rng) -> Vec<Option<ValueChoice>> {
        let is_alike = |other: &Self| other.shapes.iter().any(|shape| self.shapes.contains(shape));
        let known = others.iter().enumerate().filter(|(_, other)| other.search.has_success());
        let (alike, others): (Vec<_>, Vec<_>) = known.partition(|(_, other)| is_alike(other));
        let good = if alike.is_empty() { others } else { alike };
        let Some((index, other)) = rng.pick(&good).copied() else { return Vec::new() };
        let chosen = other.search.chosen();
        let (sender, rest) = chosen.split_first().expect("a caller");
        let found = &rest[rest.len() - other.shapes.len()..];
        let same = |shape: &LeafShape| other.shapes.iter().position(|known| known == shape);
        let of_other = self.shapes.iter().map(|shape| same(shape).map(|leaf| &found[leaf]));
        // A struct of an earlier call names what that call made.
        let is_member = |shape: &&LeafShape| shape.name.contains('_') && same(shape).is_some();
        let is_earlier = self.shapes.iter().filter(is_member).count() > 1 && rng.percent(50);
        let earlier = |shape: &LeafShape| {
            let leaf = same(shape).filter(|_| is_earlier && is_member(&shape))?;
            Some(ValueChoice::Given(index, leaf))
        };
        // A reference to a value of the other call is one to the value of this call with the same name.
        let here = |leaf: usize| self.shapes.iter().position(|shape| *shape == other.shapes[leaf]);
        let own = |choice: &ValueChoice| choice.with_leaves(&here);
        let nothing = usize::from(self.has_value) + usize::from(self.has_length);
        std::iter::once(own(sender))
            .chain(std::iter::repeat_n(None, nothing))
            .chain(of_other.zip(&self.shapes).map(|(choice, shape)| earlier(shape).or_else(|| own(choice?))))
            .collect()
    }

    /// Tells whether most other calls fail after it: it gives up a role for good, or was seen to have this effect.
    pub(super) fn is_ending(&self) -> bool {
        self.function.name.starts_with("renounce") || self.others.end()
    }

    /// Returns the function with the best choices.
    pub(super) fn finish(self, quantities: &[Quantity]) -> HandlerFunction {
        let changes = quantities.iter().zip(&self.changes);
        let flows = changes.map(|(quantity, changes)| changes.simplest(quantity, &self.shapes)).collect();
        let is_ending = self.is_ending();
        let mut choices = self.search.chosen().into_iter();
        let mut next = || choices.next().unwrap_or(ValueChoice::Any);
        let sender = next();
        let value = self.has_value.then(&mut next);
        let length = self.has_length.then(&mut next);
        let leaves = self.shapes.into_iter().map(|LeafShape { name, ty, is_array, .. }| ArgumentLeaf {
            name,
            ty,
            is_array,
            choice: next(),
        });
        HandlerFunction {
            leaves: leaves.collect(),
            function: self.function,
            is_ending,
            sender,
            value,
            length,
            flows,
        }
    }
}

/// Returns the number of leading results that are one word each, up to four.
fn result_words(function: &TargetFunction) -> usize {
    let types = function.outputs.iter().map(|output| output.resolve());
    types.take(4).take_while(|ty| ty.as_ref().is_ok_and(is_word)).count()
}

/// Returns all functions with the candidates for their values.
pub(super) fn examined(setting: &HandlerSetting, views: &Views) -> Vec<Examined> {
    let shapes: Vec<_> = setting.functions.iter().map(|function| leaves(&function.inputs)).collect();
    let results = setting.functions.iter().map(|function| match &function.outputs[..] {
        [output, ..] => output.selector_type().parse().ok(),
        [] => None,
    });
    let functions: Vec<_> = shapes.into_iter().zip(results).collect();
    let amounts: Vec<_> = setting
        .functions
        .iter()
        .zip(&functions)
        .map(|(function, (leaves, _))| setting.amounts(function, leaves.len()))
        .collect();
    let around = Surroundings {
        amounts: &amounts,
        views,
        roles: &setting.roles,
        means: &|leaf, role| setting.means(leaf, role),
        functions: &functions,
        literals: &setting.literals,
        accounts: setting.accounts.len(),
        reads_time: setting.reads_time,
    };
    let one = |(index, function): (usize, &Arc<TargetFunction>)| {
        let shapes = functions[index].0.clone();
        let has_value = function.state_mutability == StateMutability::Payable;
        let has_length = shapes.iter().any(|shape| shape.is_array);
        let value = has_value.then(|| around.values());
        let length = has_length.then(Surroundings::lengths);
        let leaves = (0..shapes.len()).map(|leaf| around.leaf(index, leaf));
        let candidates =
            [around.senders(index)].into_iter().chain(value).chain(length).chain(leaves).collect();
        Examined {
            function: function.clone(),
            shapes,
            search: ChoiceSearch::new(candidates),
            has_value,
            has_length,
            results: result_words(function),
            changes: vec![AmountChanges::default(); setting.quantities.len()],
            others: OtherCalls::default(),
            trials: Trials::default(),
        }
    };
    setting.functions.iter().enumerate().map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_after_which_others_fail_is_told_from_one_without_effect() {
        let (mut renouncing, mut harmless) = (OtherCalls::default(), OtherCalls::default());
        for call in 0..1000 {
            let is_after = call % 2 == 0;
            renouncing.see(is_after, !is_after);
            harmless.see(is_after, call % 3 == 0);
        }
        assert!(renouncing.end() && !harmless.end());
    }
}
