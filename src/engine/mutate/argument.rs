//! Mutation operator that changes one element of the arguments of one call.

use super::{MutationContext, late_index};
use crate::engine::tuning::mutate_argument::ATTEMPTS;
use crate::{
    engine::{
        rng::Rng,
        seed::SequenceBuilder,
        value::{self, mutate, tree},
    },
    model::Input,
};
use alloy_dyn_abi::{DynSolType, DynSolValue};

pub(super) fn apply(builder: &mut SequenceBuilder, material: &mut MutationContext<'_>) -> bool {
    let MutationContext { generator, rng, .. } = material;
    for _ in 0..ATTEMPTS {
        let index = late_index(builder, rng);
        let Input::Typed { function, args } = &builder.calls()[index].input else { continue };
        let nodes = tree::count(args);
        if nodes == 0 {
            continue;
        }
        let node = rng.below(nodes);
        // Takes a value of another call, generates one argument anew, or makes a small change.
        let replacement = match rng.below(8) {
            0..=1 => {
                tree::node(args, node).and_then(|old| elsewhere(builder, old, rng)).map(|new| (node, new))
            }
            2 => generator.functions.method(function).map(|method| {
                let at = rng.below(args.len());
                let fresh = value::value(&method.params[at].ty, generator, rng);
                (tree::count(&args[..at]), fresh)
            }),
            _ => None,
        };
        let Some(args) = builder.edit(index).input.args_mut() else { continue };
        match replacement {
            Some((node, value)) => {
                if let Some(place) = tree::node_mut(args, node) {
                    *place = value;
                }
            }
            None => {
                if let Some(place) = tree::node_mut(args, node) {
                    mutate::mutate(place, generator, rng);
                }
            }
        }
        return true;
    }
    false
}

/// Returns a value of the same type as `old` from a random call of the sequence builder, or the sender of
/// that call for an address. Later calls often have to name a value that an earlier call stored.
fn elsewhere(builder: &SequenceBuilder, old: &DynSolValue, rng: &mut Rng) -> Option<DynSolValue> {
    let call = rng.pick(builder.calls())?;
    if let (DynSolValue::Address(_), true) = (old, rng.coin()) {
        return Some(DynSolValue::Address(call.sender));
    }
    let Input::Typed { args, .. } = &call.input else { return None };
    let ty: DynSolType = old.as_type()?;
    let donor = tree::node(args, rng.below(tree::count(args)))?;
    ty.matches(donor).then(|| donor.clone())
}
