//! Initializers, which take the place of constructors behind proxies.

use super::{arguments::Choices, deploy::literals, matching::is_named};
use crate::{
    model::{Deployment, Initializer, is_view, types_of},
    project::{Contract, Project},
};
use alloy_dyn_abi::{DynSolValue, JsonAbiExt as _};
use alloy_json_abi::{Function, InternalType};
use alloy_primitives::Bytes;

/// Maximum number of argument sets that are tried for each initializer.
const INITIALIZER_ROUNDS: usize = 24;

/// Calls all initializers of a contract, each with the first arguments that do not revert. Returns these
/// calls. Parameters of contract types get the dependencies of the constructor.
pub(crate) fn initialize(
    project: &Project,
    contract: &Contract,
    dependencies: &[Deployment],
    call: &mut dyn FnMut(Bytes) -> bool,
) -> Vec<Initializer> {
    let literals = literals(project);
    let initializers = contract.abi.functions().filter(|function| is_initializer(function));
    let made = initializers.filter_map(|function| {
        let types = types_of(&function.inputs)?;
        let rounds = if types.is_empty() { 1 } else { INITIALIZER_ROUNDS };
        let mut data = (0..rounds).map(|round| {
            let choices = Choices { round, literals: &literals };
            let given = function.inputs.iter().map(|param| match param.internal_type() {
                Some(InternalType::Contract(name)) => dependencies.iter().find(|built| is_named(built, name)),
                _ => None,
            });
            let values = types.iter().zip(given).enumerate().map(|(index, (ty, given))| match given {
                Some(built) => DynSolValue::Address(built.address),
                None => choices.value(ty, index),
            });
            let args = function.abi_encode_input(&values.collect::<Vec<_>>());
            Bytes::from(args.expect("values of the types of its parameters"))
        });
        let calldata = data.find(|data| call(data.clone()))?;
        Some(Initializer { signature: function.signature(), calldata })
    });
    made.collect()
}

/// Tells whether a function is named like an initializer, which takes the place of a constructor behind a
/// proxy.
fn is_initializer(function: &Function) -> bool {
    let name = function.name.trim_start_matches('_');
    !is_view(function) && (name == "init" || name.starts_with("initialize") || name.starts_with("initialise"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn initializers_are_known_by_their_names() {
        let is = |signature: &str| is_initializer(&Function::parse(signature).expect("a signature"));
        assert!(is("function initialize(address)") && is("function init()") && is("function initializeV2()"));
        assert!(!is("function initialized() view returns (bool)") && !is("function initiate()"));
    }
}
