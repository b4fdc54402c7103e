//! Functions of the contract, each with the search for the choices of its values.

use super::{
    HandlerSetting,
    bandit::ChoiceSearch,
    candidates::Surroundings,
    changes::AmountChanges,
    shape::{LeafShape, leaves},
    views::Views,
};
use crate::model::{
    TargetFunction,
    handler::{ArgumentLeaf, HandlerFunction, ValueChoice},
    is_word,
};
use alloy_dyn_abi::Specifier as _;
use alloy_json_abi::StateMutability;
use std::sync::Arc;

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
}

impl Examined {
    /// Returns the function with the best choices.
    pub(super) fn finish(self) -> HandlerFunction {
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
            sender,
            value,
            length,
            flows: self.changes.iter().map(AmountChanges::simplest).collect(),
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
    let around = Surroundings {
        views,
        roles: &setting.roles,
        functions: &functions,
        literals: &setting.literals,
        accounts: setting.accounts.len(),
        reads_time: setting.reads_time,
    };
    let one = |(index, function): (usize, &Arc<TargetFunction>)| {
        let shapes = functions[index].0.clone();
        let has_value = function.state_mutability == StateMutability::Payable;
        let has_length = shapes.iter().any(|shape| shape.is_array);
        let value = has_value.then(Surroundings::values);
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
        }
    };
    setting.functions.iter().enumerate().map(one).collect()
}
