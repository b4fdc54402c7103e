//! Functions that campaigns can call.

use crate::model::{TargetFunction, is_view};
use alloy_json_abi::{Function, JsonAbi};
use std::sync::Arc;

/// Returns all functions of a contract: those that may change state, and views.
pub(crate) fn callables(abi: &JsonAbi) -> (Vec<Arc<TargetFunction>>, Vec<Arc<TargetFunction>>) {
    let (views, functions): (Vec<_>, Vec<_>) = abi.functions().partition(|function| is_view(function));
    (functions.into_iter().filter_map(callable).collect(), views.into_iter().filter_map(view).collect())
}

/// Returns a function that campaigns can call: one whose types they know.
pub(super) fn callable(function: &Function) -> Option<Arc<TargetFunction>> {
    of_types(TargetFunction::new(function.clone()))
}

/// Returns a view that campaigns can call; Forge would not.
pub(super) fn view(function: &Function) -> Option<Arc<TargetFunction>> {
    of_types(TargetFunction::only_ours(function.clone()))
}

fn of_types(function: TargetFunction) -> Option<Arc<TargetFunction>> {
    function.types().is_some().then(|| Arc::new(function))
}
