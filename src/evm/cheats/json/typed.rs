//! Values whose types are given: by a cheatcode's name, or by a description.

use super::path::select;
use crate::{
    evm::cheats::{
        dispatch::{CheatError, ensure},
        strings::{FromText, read_as},
        type_limits,
    },
    project::StructMembers,
};
use alloy_dyn_abi::{
    DynSolType, DynSolValue,
    eip712::{Resolver, parser::EncodeType},
};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// Returns the only value at a path, as this type.
pub(in crate::evm::cheats) fn value_of(
    document: &Value,
    path: &str,
    kind: &DynSolType,
) -> Result<DynSolValue, CheatError> {
    value_if_any(document, path, kind)?.ok_or_else(|| not_one(path))
}

/// Like [`value_of`], but returns nothing if the path leads to nothing.
fn value_if_any(document: &Value, path: &str, kind: &DynSolType) -> Result<Option<DynSolValue>, CheatError> {
    match select(document, path)?[..] {
        [] => Ok(None),
        [value] => typed(value, kind).map(Some),
        _ => Err(not_one(path)),
    }
}

fn not_one(path: &str) -> CheatError {
    format!("path {path:?} must return exactly one JSON value").into()
}

/// Converts a value to this type.
pub(super) fn typed(value: &Value, kind: &DynSolType) -> Result<DynSolValue, CheatError> {
    let parse = |text: &str| -> Result<DynSolValue, CheatError> {
        Ok(read_as(text, kind)
            .map_err(|error| format!("failed parsing {text:?} as type `{kind}`: {error}"))?)
    };
    match (value, kind) {
        (Value::Array(values), _) => typed_array(values, kind),
        (Value::Object(members), _) => typed_object(members, kind),
        (Value::String(text), DynSolType::String) => Ok(DynSolValue::String(text.clone())),
        (Value::String(text), DynSolType::Uint(_) | DynSolType::Int(_)) => parse(text),
        _ => parse(&value.to_string().replace('"', "")),
    }
}

fn typed_array(values: &[Value], kind: &DynSolType) -> Result<DynSolValue, CheatError> {
    let all = |kind: &DynSolType| values.iter().map(|value| typed(value, kind)).collect::<Result<_, _>>();
    let has = |length: usize| -> Result<(), CheatError> {
        ensure!(values.len() == length, "array length mismatch");
        Ok(())
    };
    match kind {
        DynSolType::Array(inner) => Ok(DynSolValue::Array(all(inner)?)),
        DynSolType::FixedArray(inner, length) => {
            has(*length)?;
            Ok(DynSolValue::FixedArray(all(inner)?))
        }
        DynSolType::Tuple(kinds) => {
            has(kinds.len())?;
            let values = values.iter().zip(kinds).map(|(value, kind)| typed(value, kind));
            Ok(DynSolValue::Tuple(values.collect::<Result<_, _>>()?))
        }
        _ => Err(format!("expected {kind}, found array").into()),
    }
}

fn typed_object(members: &Map<String, Value>, kind: &DynSolType) -> Result<DynSolValue, CheatError> {
    let Some((name, fields, kinds)) = kind.as_custom_struct() else {
        return Err(format!("expected {kind}, found JSON object").into());
    };
    let values = fields.iter().zip(kinds).map(|(field, kind)| {
        let value = members.get(field).ok_or_else(|| format!("field {field:?} not found in JSON object"))?;
        typed(value, kind)
    });
    Ok(DynSolValue::CustomStruct {
        name: name.to_owned(),
        tuple: values.collect::<Result<_, CheatError>>()?,
        prop_names: fields.to_vec(),
    })
}

/// Parses a type, given by its Solidity name or by an `encodeType` of EIP-712.
pub(in crate::evm::cheats) fn described(
    text: &str,
    structs: &StructMembers,
) -> Result<DynSolType, CheatError> {
    type_limits::check_text(text)?;
    if let Ok(kind) = DynSolType::parse(text) {
        return ordered(kind, structs);
    }
    let Ok(encoded) = EncodeType::parse(text) else {
        return Err("type description should be a valid Solidity type or a EIP712 `encodeType` string".into());
    };
    type_limits::check_definition(&encoded)?;
    let main = encoded.types[0].type_name;
    let mut resolver = Resolver::default();
    for kind in &encoded.types {
        resolver.ingest(kind.to_owned());
    }
    ordered(resolver.resolve(main).map_err(|error| error.to_string())?, structs)
}

/// Puts the members of structs, which an EIP-712 type lists in its own order, into the order of the project's
/// struct.
fn ordered(kind: DynSolType, structs: &StructMembers) -> Result<DynSolType, CheatError> {
    let inner = |kind: Box<DynSolType>| ordered(*kind, structs).map(Box::new);
    let all = |kinds: Vec<DynSolType>| -> Result<Vec<_>, _> {
        kinds.into_iter().map(|kind| ordered(kind, structs)).collect()
    };
    Ok(match kind {
        DynSolType::Array(kind) => DynSolType::Array(inner(kind)?),
        DynSolType::FixedArray(kind, length) => DynSolType::FixedArray(inner(kind)?, length),
        DynSolType::Tuple(kinds) => DynSolType::Tuple(all(kinds)?),
        DynSolType::CustomStruct { name, prop_names, tuple } => {
            let Some(order) = structs.named(&name)? else {
                return Ok(DynSolType::CustomStruct { name, prop_names, tuple: all(tuple)? });
            };
            let mut kinds: BTreeMap<String, DynSolType> = prop_names.into_iter().zip(tuple).collect();
            let tuple = order.iter().map(|field| {
                let kind = kinds.remove(field).ok_or_else(|| {
                    format!(
                        "mismatch between struct definition and type description: \
                         field '{field}' not found in provided type for struct '{name}'"
                    )
                })?;
                ordered(kind, structs)
            });
            let tuple = tuple.collect::<Result<_, CheatError>>()?;
            DynSolType::CustomStruct { name, prop_names: order.to_vec(), tuple }
        }
        other => other,
    })
}

/// Returns the value at a path, as one of the types that have their own cheatcodes.
pub(in crate::evm::cheats) fn one<T: FromText>(document: &Value, path: &str) -> Result<T, CheatError> {
    Ok(as_one(value_of(document, path, &T::TYPE)?))
}

/// Like [`one`], but returns the default if the path leads to nothing.
pub(in crate::evm::cheats) fn one_or<T: FromText>(
    document: &Value,
    path: &str,
    default: T,
) -> Result<T, CheatError> {
    Ok(value_if_any(document, path, &T::TYPE)?.map_or(default, as_one))
}

fn as_one<T: FromText>(value: DynSolValue) -> T {
    T::from_value(value).expect("a value of the type that was asked for")
}

/// Returns the array at a path, as a list of such a type.
pub(in crate::evm::cheats) fn many<T: FromText>(document: &Value, path: &str) -> Result<Vec<T>, CheatError> {
    as_many(value_of(document, path, &DynSolType::Array(Box::new(T::TYPE)))?)
}

/// Like [`many`], but returns the default if the path leads to nothing.
pub(in crate::evm::cheats) fn many_or<T: FromText>(
    document: &Value,
    path: &str,
    default: Vec<T>,
) -> Result<Vec<T>, CheatError> {
    match value_if_any(document, path, &DynSolType::Array(Box::new(T::TYPE)))? {
        Some(value) => as_many(value),
        None => Ok(default),
    }
}

fn as_many<T: FromText>(value: DynSolValue) -> Result<Vec<T>, CheatError> {
    match value {
        DynSolValue::Array(values) => Ok(values.into_iter().map(as_one).collect()),
        // The value is a string that contains an array.
        other => Err(format!("expected an array, found {other:?}").into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloy_primitives::U256;
    use serde_json::json;

    #[test]
    fn a_default_stands_for_what_is_missing_and_for_nothing_else() {
        let document = json!({"a": 7, "b": null, "list": [1, 2]});
        let number = |path| one_or(&document, path, U256::from(9));
        assert_eq!(number(".a"), Ok(U256::from(7)));
        assert_eq!(number(".none"), Ok(U256::from(9)));
        assert_eq!(number("$.list[5]"), Ok(U256::from(9)));
        assert!(number(".b").is_err(), "null is there");
        assert_eq!(number("$.list[*]"), Err("path \"$.list[*]\" must return exactly one JSON value".into()));
        assert_eq!(number("$["), one::<U256>(&document, "$["), "what is no path stays an error");
        let list = |path| many_or(&document, path, vec![U256::MAX]);
        assert_eq!(list(".list"), Ok(vec![U256::from(1), U256::from(2)]));
        assert_eq!(list(".none"), Ok(vec![U256::MAX]));
        assert!(list(".a").is_err());
    }
}
