//! Objects written key by key, and values written to files.

use super::{path::put, typed::described};
use crate::evm::cheats::{
    dispatch::{CheatError, CheatResult, Cheatcode, Cx, done},
    files, type_limits,
    vm::Vm,
};
use alloy_dyn_abi::DynSolValue;
use alloy_primitives::{Bytes, hex};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// Objects that are being written, by the keys that tests give them.
pub(in crate::evm::cheats) type Objects = BTreeMap<String, BTreeMap<String, Value>>;

/// Converts a value to JSON; a string that contains an object becomes that object.
fn to_json(value: &DynSolValue) -> Result<Value, CheatError> {
    let all = |values: &[DynSolValue]| values.iter().map(to_json).collect::<Result<Vec<_>, _>>();
    Ok(match value {
        DynSolValue::Bool(value) => Value::Bool(*value),
        DynSolValue::String(text) => match serde_json::from_str::<Map<String, Value>>(text) {
            Ok(object) => Value::Object(object),
            Err(_) => Value::String(text.clone()),
        },
        DynSolValue::Bytes(bytes) => Value::String(hex::encode_prefixed(bytes)),
        DynSolValue::FixedBytes(word, size) => Value::String(hex::encode_prefixed(&word[..*size])),
        DynSolValue::Address(address) => Value::String(address.to_string()),
        // Numbers that JSON readers would round become strings.
        DynSolValue::Int(value, _) => match i64::try_from(*value) {
            Ok(value) => value.into(),
            Err(_) => Value::String(value.to_string()),
        },
        DynSolValue::Uint(value, _) => match u64::try_from(*value) {
            Ok(value) => value.into(),
            Err(_) => Value::String(value.to_string()),
        },
        DynSolValue::Array(values) | DynSolValue::FixedArray(values) | DynSolValue::Tuple(values) => {
            Value::Array(all(values)?)
        }
        DynSolValue::CustomStruct { prop_names, tuple, .. } => {
            Value::Object(prop_names.iter().cloned().zip(all(tuple)?).collect())
        }
        DynSolValue::Function(_) => return Err("cannot serialize function pointer".into()),
    })
}

/// Adds a member to an object, and returns the object's text.
fn serialize(cx: &mut Cx<'_>, object: String, key: String, value: Value) -> Result<String, CheatError> {
    let members = cx.cheats.utilities.objects.entry(object).or_default();
    members.insert(key, value);
    Ok(serde_json::to_string(members).map_err(|error| error.to_string())?)
}

macro_rules! serializers {
    ($($one:ident $many:ident($value:ident => $dynamic:expr);)*) => {$(
        impl Cheatcode for Vm::$one {
            fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
                let $value = self.value;
                serialize(cx, self.objectKey, self.valueKey, to_json(&$dynamic)?)
            }
        }

        impl Cheatcode for Vm::$many {
            fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
                let values = self.values.into_iter().map(|$value| $dynamic).collect();
                serialize(cx, self.objectKey, self.valueKey, to_json(&DynSolValue::Array(values))?)
            }
        }
    )*};
}

serializers! {
    serializeBool_0Call serializeBool_1Call(value => DynSolValue::Bool(value));
    serializeUint_0Call serializeUint_1Call(value => DynSolValue::Uint(value, 256));
    serializeInt_0Call serializeInt_1Call(value => DynSolValue::Int(value, 256));
    serializeAddress_0Call serializeAddress_1Call(value => DynSolValue::Address(value));
    serializeBytes32_0Call serializeBytes32_1Call(value => DynSolValue::FixedBytes(value, 32));
    serializeString_0Call serializeString_1Call(value => DynSolValue::String(value));
    serializeBytes_0Call serializeBytes_1Call(value => DynSolValue::Bytes(value.into()));
}

impl Cheatcode for Vm::serializeUintToHexCall {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        serialize(cx, self.objectKey, self.valueKey, Value::String(format!("{:#x}", self.value)))
    }
}

/// Replaces the whole object.
impl Cheatcode for Vm::serializeJsonCall {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        let object: BTreeMap<String, Value> =
            serde_json::from_str(&self.value).map_err(|error| error.to_string())?;
        cx.cheats.utilities.objects.insert(self.objectKey, object);
        Ok(self.value)
    }
}

fn decoded(cx: &Cx<'_>, description: &str, data: &Bytes) -> Result<Value, CheatError> {
    let kind = described(description, cx.structs())?;
    type_limits::check_type(&kind)?;
    to_json(&kind.abi_decode(data).map_err(|error| error.to_string())?)
}

impl Cheatcode for Vm::serializeJsonType_0Call {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        Ok(decoded(cx, &self.typeDescription, &self.value)?.to_string())
    }
}

impl Cheatcode for Vm::serializeJsonType_1Call {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        let value = decoded(cx, &self.typeDescription, &self.value)?;
        serialize(cx, self.objectKey, self.valueKey, value)
    }
}

/// Parses a value that a test writes; a text that is not JSON becomes a string.
pub(in crate::evm::cheats) fn written(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|_| Value::String(text.to_owned()))
}

fn pretty(value: &Value) -> Result<String, CheatError> {
    Ok(serde_json::to_string_pretty(value).map_err(|error| error.to_string())?)
}

impl Cheatcode for Vm::writeJson_0Call {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        files::write(cx, &self.path, pretty(&written(&self.json))?)?;
        done()
    }
}

impl Cheatcode for Vm::writeJson_1Call {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        let mut value = match files::read_if_any(cx, &self.path)? {
            Some(text) => written(&text),
            None => Value::Object(Map::new()),
        };
        put(&mut value, &self.valueKey, written(&self.json))?;
        files::write(cx, &self.path, pretty(&value)?)?;
        done()
    }
}
