//! Nested values as one numbered list of nodes.
//!
//! Nodes are counted in pre-order: each container comes before its items.

use alloy_dyn_abi::DynSolValue;

/// Bytes of an EVM word.
const WORD: usize = 32;

/// Returns the number of nodes in `values`.
pub(in crate::engine) fn count(values: &[DynSolValue]) -> usize {
    values.iter().map(|value| 1 + count(items(value))).sum()
}

/// Returns all nodes in pre-order.
pub(in crate::engine) fn flat(values: &[DynSolValue]) -> Vec<&DynSolValue> {
    values.iter().flat_map(|value| std::iter::once(value).chain(flat(items(value)))).collect()
}

/// Returns the approximate size of `values` in calldata, in bytes.
pub(in crate::engine) fn size(values: &[DynSolValue]) -> usize {
    let of = |value: &DynSolValue| match value {
        DynSolValue::Bytes(bytes) => bytes.len(),
        DynSolValue::String(text) => text.len(),
        _ => size(items(value)),
    };
    values.iter().map(|value| WORD + of(value)).sum()
}

/// Returns the node at `index`.
pub(in crate::engine) fn node(values: &[DynSolValue], mut index: usize) -> Option<&DynSolValue> {
    for value in values {
        if index == 0 {
            return Some(value);
        }
        let below = count(items(value));
        if index <= below {
            return node(items(value), index - 1);
        }
        index -= 1 + below;
    }
    None
}

/// Returns the node at `index` for modification.
pub(in crate::engine) fn node_mut(values: &mut [DynSolValue], mut index: usize) -> Option<&mut DynSolValue> {
    for value in values {
        if index == 0 {
            return Some(value);
        }
        let below = count(items(value));
        if index <= below {
            return node_mut(items_mut(value), index - 1);
        }
        index -= 1 + below;
    }
    None
}

/// Returns the items of a container; empty for a scalar.
pub(in crate::engine) fn items(value: &DynSolValue) -> &[DynSolValue] {
    match value {
        DynSolValue::Array(items)
        | DynSolValue::FixedArray(items)
        | DynSolValue::Tuple(items)
        | DynSolValue::CustomStruct { tuple: items, .. } => items,
        _ => &[],
    }
}

fn items_mut(value: &mut DynSolValue) -> &mut [DynSolValue] {
    match value {
        DynSolValue::Array(items)
        | DynSolValue::FixedArray(items)
        | DynSolValue::Tuple(items)
        | DynSolValue::CustomStruct { tuple: items, .. } => items,
        _ => &mut [],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_are_numbered_in_pre_order() {
        let (a, b) = (DynSolValue::Bool(true), DynSolValue::Bool(false));
        let tuple = DynSolValue::Tuple(vec![a.clone(), b.clone()]);
        let array = DynSolValue::Array(vec![tuple.clone(), tuple.clone()]);
        let mut values = [b.clone(), array.clone(), a.clone()];
        let expected = [&b, &array, &tuple, &a, &b, &tuple, &a, &b, &a];
        assert_eq!(count(&values), expected.len());
        for (index, expected) in expected.iter().enumerate() {
            assert_eq!(node(&values, index), Some(*expected));
            assert_eq!(node_mut(&mut values, index).as_deref(), Some(*expected));
        }
        assert_eq!(node(&values, expected.len()), None);
        assert_eq!(node_mut(&mut values, expected.len()), None);
    }
}
