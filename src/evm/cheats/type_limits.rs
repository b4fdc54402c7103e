//! Bounds on types that tests define. Libraries process types by recursion, copy a struct for each of its uses,
//! and allocate all elements of a fixed array at once.

use super::dispatch::{CheatError, ensure};
use crate::model::{MOST_WORDS, nesting, words};
use alloy_dyn_abi::{DynSolType, eip712::parser::EncodeType};
use serde_json::Value;
use std::collections::BTreeMap;

/// Maximum nesting depth of tuples and arrays.
const DEEPEST: usize = 64;
/// Maximum number of structs in a definition.
const MOST_STRUCTS: usize = 256;
/// Maximum number of types in a struct, including those of nested structs.
const MOST_TYPES: u64 = 1 << 16;
/// Member types as written, by struct name.
type StructDefinitions<'a> = BTreeMap<&'a str, Vec<&'a str>>;

/// Checks the nesting of a type or definition.
///
/// # Errors
/// Fails if it is nested too deeply.
pub(super) fn check_text(text: &str) -> Result<(), CheatError> {
    ensure!(nesting(text) <= DEEPEST, "types are nested more than {DEEPEST} deep");
    Ok(())
}

/// Checks the size of a definition.
///
/// # Errors
/// Fails if it has too many structs or types.
pub(super) fn check_definition(definition: &EncodeType<'_>) -> Result<(), CheatError> {
    let members = |props: &[alloy_dyn_abi::eip712::parser::PropDef<'_>]| {
        props.iter().map(|member| member.ty.span.to_owned()).collect::<Vec<_>>()
    };
    let owned: Vec<_> = definition.types.iter().map(|kind| (kind.type_name, members(&kind.props))).collect();
    let structs = owned.iter().map(|(name, members)| (*name, members.iter().map(String::as_str).collect()));
    check_structs(&structs.collect())
}

/// Checks the definitions in typed data (EIP-712).
///
/// # Errors
/// Fails if they are nested too deeply, or have too many structs or types.
pub(super) fn check_typed_data(data: &Value) -> Result<(), CheatError> {
    let kinds = data.get("types").and_then(Value::as_object).into_iter().flatten();
    let structs: StructDefinitions<'_> = kinds.map(|(name, kind)| (name.as_str(), members(kind))).collect();
    structs.values().flatten().try_for_each(|member| check_text(member))?;
    check_structs(&structs)
}

/// Returns the member types of a struct in typed data.
fn members(kind: &Value) -> Vec<&str> {
    let members = kind.as_array().into_iter().flatten();
    members.filter_map(|member| member.get("type")?.as_str()).collect()
}

/// Checks the size of a type.
///
/// # Errors
/// Fails if an empty value of the type would take too much memory.
pub(super) fn check_type(kind: &DynSolType) -> Result<(), CheatError> {
    ensure!(words(kind) <= MOST_WORDS, "the type has more than {MOST_WORDS} words");
    Ok(())
}

fn check_structs(structs: &StructDefinitions<'_>) -> Result<(), CheatError> {
    ensure!(structs.len() <= MOST_STRUCTS, "more than {MOST_STRUCTS} structs");
    let mut known = BTreeMap::new();
    let most = structs.keys().map(|name| types(name, structs, &mut known)).max();
    ensure!(most.unwrap_or(0) <= MOST_TYPES, "a struct of more than {MOST_TYPES} types");
    Ok(())
}

/// Returns the number of types that a type consists of: itself and those of its members.
fn types<'a>(name: &'a str, structs: &StructDefinitions<'a>, known: &mut BTreeMap<&'a str, u64>) -> u64 {
    if let Some(types) = known.get(name) {
        return *types;
    }
    let Some(members) = structs.get(name) else { return 1 };
    // Recursive structs are not rejected here; a struct within itself counts as one type.
    known.insert(name, 1);
    let parts = members.iter().flat_map(|member| member.split(['(', ')', '[', ']', ',']));
    let total = parts.map(|part| types(part, structs, known)).fold(1, u64::saturating_add);
    known.insert(name, total);
    total
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_that_are_nested_deeply_are_refused() {
        assert_eq!(nesting("(uint256[3][],(bool,bytes32[]))"), 3);
        assert!(check_text(&("uint256".to_owned() + &"[]".repeat(64))).is_ok());
        assert!(check_text(&("uint256".to_owned() + &"[7]".repeat(65))).is_err());
        assert!(check_text(&"(".repeat(65)).is_err());
    }

    #[test]
    fn structs_that_copy_each_other_are_refused() {
        let chain = |length: usize| -> String {
            let pair = |index: usize| format!("A{index}(A{} a,(A{},bool)[2] b)", index + 1, index + 1);
            (0..length).map(pair).collect::<String>() + &format!("A{length}(uint256 x)")
        };
        let check = |text: &str| check_definition(&EncodeType::parse(text).unwrap());
        assert!(check(&chain(8)).is_ok());
        assert!(check(&chain(40)).is_err());
        assert!(check("Node(Node[] children,uint256 value)").is_ok());
        let data = serde_json::json!({ "types": { "A": [{ "name": "a", "type": "B[]" }], "B": [] } });
        assert!(check_typed_data(&data).is_ok());
    }

    #[test]
    fn arrays_that_are_longer_than_memory_are_refused() {
        let check = |text: &str| check_type(&DynSolType::parse(text).unwrap());
        assert!(check("(uint256[1000],bytes[])").is_ok());
        assert!(check("uint256[1099511627776]").is_err());
        assert!(check("uint256[4294967295][4294967295][4294967295]").is_err());
    }
}
