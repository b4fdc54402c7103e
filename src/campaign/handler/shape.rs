//! Arguments of a function as leaves: values that are chosen one by one.

use crate::{engine::zero, model::is_word};
use alloy_dyn_abi::{DynSolType, DynSolValue, Specifier as _};
use alloy_json_abi::{InternalType, Param};

/// Type of a leaf.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct LeafShape {
    /// Names of the parameter and the members that lead to it, joined by `_`.
    pub(super) name: String,
    /// Type of the value or, for an array, of its items.
    pub(super) ty: DynSolType,
    pub(super) is_array: bool,
    /// True if it is an enumeration.
    pub(super) is_enum: bool,
}

/// Returns the leaves of parameters: members of structs one by one, and all others whole.
pub(super) fn leaves(params: &[Param]) -> Vec<LeafShape> {
    params.iter().flat_map(|param| below(param, "")).collect()
}

fn below(param: &Param, outer: &str) -> Vec<LeafShape> {
    let parts = [outer, param.name.trim_start_matches('_')];
    let name = parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("_");
    if param.ty == "tuple" {
        return param.components.iter().flat_map(|member| below(member, &name)).collect();
    }
    let ty = param.resolve().unwrap_or(DynSolType::Tuple(Vec::new()));
    let is_enum = param.internal_type().is_some_and(InternalType::is_enum);
    match ty {
        DynSolType::Array(item) if is_word(&item) => {
            vec![LeafShape { name, ty: *item, is_array: true, is_enum }]
        }
        ty => vec![LeafShape { name, ty, is_array: false, is_enum }],
    }
}

/// Makes arguments of these types of the values of their leaves, in order.
pub(super) fn assemble(
    types: &[DynSolType],
    leaves: &mut dyn Iterator<Item = DynSolValue>,
) -> Vec<DynSolValue> {
    let value = |ty: &DynSolType, leaves: &mut dyn Iterator<Item = DynSolValue>| match ty {
        DynSolType::Tuple(parts) | DynSolType::CustomStruct { tuple: parts, .. } => {
            DynSolValue::Tuple(assemble(parts, leaves))
        }
        leaf => leaves.next().unwrap_or_else(|| zero(leaf)),
    };
    types.iter().map(|ty| value(ty, leaves)).collect()
}

/// Returns the word of a value of one word.
pub(super) fn word(value: &DynSolValue) -> Option<alloy_primitives::U256> {
    value.as_word().map(Into::into)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::handler::flatten;

    #[test]
    fn structs_are_taken_apart_and_put_together() {
        let param = |ty: &str, name: &str, components: Vec<Param>| Param {
            ty: ty.into(),
            name: name.into(),
            components,
            internal_type: None,
        };
        let inner = vec![param("bool", "b", Vec::new()), param("bytes", "c", Vec::new())];
        let outer = vec![param("address", "to", Vec::new()), param("tuple", "d", inner)];
        let inputs = [
            param("uint256", "a", Vec::new()),
            param("tuple", "_p", outer),
            param("uint8[]", "l", Vec::new()),
            param("bool[2]", "m", Vec::new()),
        ];
        let found = leaves(&inputs);
        let names: Vec<_> = found.iter().map(|leaf| (&*leaf.name, leaf.is_array)).collect();
        let wanted =
            [("a", false), ("p_to", false), ("p_d_b", false), ("p_d_c", false), ("l", true), ("m", false)];
        assert_eq!(names, wanted);
        let types: Vec<_> = inputs.iter().map(|param| param.resolve().expect("a type")).collect();
        let args: Vec<_> = types.iter().map(zero).collect();
        let values = flatten(&args);
        assert_eq!(values.len(), found.len());
        assert_eq!(assemble(&types, &mut values.into_iter()), args);
    }
}
