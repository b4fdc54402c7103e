//! JSON: values found by paths, and objects written key by key.
//!
//! Paths are those of `jsonpath_lib`, as in Forge. An object becomes a tuple. Its members are in the order of a
//! struct of the project that has the same members, or else sorted by name.

use super::{
    dispatch::{CheatError, CheatResult, Cheatcode, Cx, done, ensure},
    shapes,
    strings::{FromText, read_as},
    vm::Vm,
};
use crate::project::StructMembers;
use alloy_dyn_abi::{
    DynSolType, DynSolValue,
    eip712::{Resolver, parser::EncodeType},
};
use alloy_primitives::{Address, B256, Bytes, I256, U256, hex};
use serde_json::{Map, Value};
use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet},
};

/// Objects that are being written, by the keys that tests give them.
pub(super) type Objects = BTreeMap<String, BTreeMap<String, Value>>;

/// Bytes of memory per byte of a document's text. The worst case is `[1,1,1]`, as JSON values and as Solidity
/// values.
const BYTES_PER_BYTE: usize = 16;

/// Maximum length of a path, in bytes.
const LONGEST_PATH: usize = 4096;

/// Maximum number of values that a path may visit.
const MOST_VISITED: u64 = 1 << 24;

/// Checks the size of a document before it is parsed.
///
/// # Errors
/// Fails if the values of the document may exceed the memory limit.
pub(super) fn fits(cx: &Cx<'_>, text: &str) -> Result<(), CheatError> {
    cx.fits(text.len().saturating_mul(BYTES_PER_BYTE))
}

/// Parses a document.
fn document(cx: &Cx<'_>, text: &str) -> Result<Value, CheatError> {
    fits(cx, text)?;
    Ok(serde_json::from_str(text).map_err(|error| format!("failed parsing JSON: {error}"))?)
}

/// Returns the path with `$` (the root) in front, if it is missing.
pub(super) fn rooted(path: &str) -> Cow<'_, str> {
    if path.starts_with('$') { path.into() } else { format!("${path}").into() }
}

fn select<'a>(document: &'a Value, path: &str) -> Result<Vec<&'a Value>, CheatError> {
    let path = if path == "." { "$" } else { path };
    ensure!(path.len() <= LONGEST_PATH, "the path has more than {LONGEST_PATH} bytes");
    ensure!(visited(document, path) <= MOST_VISITED, "the path {path:?} leads through too much");
    let found = jsonpath_lib::select(document, &rooted(path));
    Ok(found.map_err(|error| format!("failed selecting from JSON: {:?}", error.to_string()))?)
}

/// Returns an upper bound on the number of values that a path visits. `..` visits all values below, a choice
/// visits each of its parts, and values that are visited twice count twice. Paths without `..` and choices
/// count as zero.
fn visited(document: &Value, path: &str) -> u64 {
    let descents = u32::try_from(path.matches("..").count()).unwrap_or(u32::MAX);
    let choices =
        path.split('[').skip(1).map(|part| part.bytes().filter(|byte| *byte == b',').count() as u64 + 1);
    let choices = choices.fold(1, u64::saturating_mul);
    if descents == 0 && choices == 1 {
        return 0;
    }
    let (values, depth) = extent(document);
    values.saturating_mul(depth.saturating_pow(descents.saturating_sub(1))).saturating_mul(choices)
}

/// Returns the number of values in a document, and its depth.
fn extent(value: &Value) -> (u64, u64) {
    let all = |inner: &mut dyn Iterator<Item = &Value>| {
        inner.map(extent).fold((1, 1), |(values, depth), (more, below)| (values + more, depth.max(below + 1)))
    };
    match value {
        Value::Array(values) => all(&mut values.iter()),
        Value::Object(members) => all(&mut members.values()),
        _ => (1, 1),
    }
}

/// Tells whether a path leads to a value.
pub(super) fn has(document: &Value, path: &str) -> Result<bool, CheatError> {
    Ok(!select(document, path)?.is_empty())
}

/// Returns the names of the members of the object at a path.
pub(super) fn keys(document: &Value, path: &str) -> Result<Vec<String>, CheatError> {
    let found = select(document, path)?;
    let [value] = found[..] else {
        return Err(format!("key {path:?} must return exactly one JSON object").into());
    };
    let Value::Object(object) = value else {
        return Err(format!("JSON value at {path:?} is not an object").into());
    };
    Ok(object.keys().cloned().collect())
}

/// Returns the ABI encoding of the value at a path, with a guessed type. Several values become an array.
pub(super) fn guess(document: &Value, path: &str, structs: &StructMembers) -> Result<Bytes, CheatError> {
    let found = select(document, path)?;
    let mut values = found.into_iter().map(|value| guessed(value, structs)).collect::<Result<Vec<_>, _>>()?;
    Ok(match values.len() {
        0 => Bytes::new(),
        1 => values.remove(0).abi_encode().into(),
        _ => DynSolValue::Array(values).abi_encode().into(),
    })
}

/// Converts a value to a Solidity value, with a guessed type.
pub(super) fn guess_value(value: &Value, structs: &StructMembers) -> Result<DynSolValue, CheatError> {
    guessed(value, structs)
}

fn guessed(value: &Value, structs: &StructMembers) -> Result<DynSolValue, CheatError> {
    match value {
        Value::Null => Ok(DynSolValue::FixedBytes(B256::ZERO, 32)),
        Value::Bool(value) => Ok(DynSolValue::Bool(*value)),
        Value::Number(number) => guessed_number(number),
        Value::String(text) => guessed_string(text),
        Value::Array(values) => {
            let values = values.iter().map(|value| guessed(value, structs));
            Ok(DynSolValue::Array(values.collect::<Result<_, _>>()?))
        }
        Value::Object(members) => {
            let names: BTreeSet<&str> = members.keys().map(String::as_str).collect();
            let ordered = match structs.with_members(&names) {
                Some(order) => order.iter().filter_map(|name| members.get(name)).collect::<Vec<_>>(),
                None => names.into_iter().filter_map(|name| members.get(name)).collect(),
            };
            let values = ordered.into_iter().map(|value| guessed(value, structs));
            Ok(DynSolValue::Tuple(values.collect::<Result<_, _>>()?))
        }
    }
}

/// Converts a whole number in any notation.
fn guessed_number(number: &serde_json::Number) -> Result<DynSolValue, CheatError> {
    let whole = number.as_f64().filter(|value| value.fract() == 0.0);
    let text = number.to_string();
    let plain = whole.map(|value| if text.contains('e') { value.to_string() } else { text });
    let parsed = plain.and_then(|text| match text.parse() {
        Ok(value) => Some(DynSolValue::Uint(value, 256)),
        Err(_) => Some(DynSolValue::Int(I256::from_dec_str(&text).ok()?, 256)),
    });
    Ok(parsed.ok_or_else(|| format!("unsupported JSON number: {number}"))?)
}

/// Guesses the type of a string: hexadecimal digits by their length, integers of more than 64 bits, or else
/// text.
fn guessed_string(text: &str) -> Result<DynSolValue, CheatError> {
    if let Some(digits) = text.strip_prefix("0x") {
        ensure!(
            digits.len() != 39,
            "Cannot parse {digits:?} as an address. If you want to specify address, prepend zero to the value."
        );
        let even = format!("{}{digits}", if digits.len() % 2 == 0 { "" } else { "0" });
        if let Ok(bytes) = hex::decode(even) {
            return Ok(match bytes.len() {
                20 => DynSolValue::Address(Address::from_slice(&bytes)),
                32 => DynSolValue::FixedBytes(B256::from_slice(&bytes), 32),
                _ => DynSolValue::Bytes(bytes),
            });
        }
    }
    if let Some(value) = text.parse::<I256>().ok().filter(|value| i64::try_from(*value).is_err()) {
        return Ok(DynSolValue::Int(value, 256));
    }
    if let Some(value) = text.parse::<U256>().ok().filter(|value| u64::try_from(*value).is_err()) {
        return Ok(DynSolValue::Uint(value, 256));
    }
    Ok(DynSolValue::String(text.to_owned()))
}

/// Returns the only value at a path, as this type.
pub(super) fn value_of(document: &Value, path: &str, kind: &DynSolType) -> Result<DynSolValue, CheatError> {
    let [value] = select(document, path)?[..] else {
        return Err(format!("path {path:?} must return exactly one JSON value").into());
    };
    typed(value, kind)
}

fn typed(value: &Value, kind: &DynSolType) -> Result<DynSolValue, CheatError> {
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
pub(super) fn described(text: &str, structs: &StructMembers) -> Result<DynSolType, CheatError> {
    shapes::check_text(text)?;
    if let Ok(kind) = DynSolType::parse(text) {
        return ordered(kind, structs);
    }
    let Ok(encoded) = EncodeType::parse(text) else {
        return Err("type description should be a valid Solidity type or a EIP712 `encodeType` string".into());
    };
    shapes::check_definition(&encoded)?;
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
                        "mismatch between struct definition and type description: field '{field}' not found in provided type for struct '{name}'"
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

/// Converts a value to JSON; a string that contains an object becomes that object.
pub(super) fn to_json(value: &DynSolValue) -> Result<Value, CheatError> {
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

/// Parses a value that a test writes; a text that is not JSON becomes a string.
pub(super) fn written(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|_| Value::String(text.to_owned()))
}

/// Sets the value at a path of names separated by dots, and creates missing objects on the way.
pub(super) fn put(document: &mut Value, path: &str, value: Value) -> Result<(), CheatError> {
    let rooted = rooted(path);
    let names = rooted.strip_prefix("$.").unwrap_or(path).split('.').filter(|name| !name.is_empty());
    let names: Vec<&str> = names.collect();
    let Some((last, way)) = names.split_last() else {
        return Err("'valueKey' cannot be empty or just '$'".into());
    };
    let mut at = document;
    for name in way {
        let Value::Object(members) = at else {
            return Err(format!("path segment '{name}' does not resolve to an object.").into());
        };
        at = members.entry((*name).to_owned()).or_insert_with(|| Value::Object(Map::new()));
    }
    let Value::Object(members) = at else {
        return Err("final destination is not an object, cannot insert key.".into());
    };
    members.insert((*last).to_owned(), value);
    Ok(())
}

impl Cheatcode for Vm::keyExistsCall {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        has(&document(cx, &self.json)?, &self.key)
    }
}

impl Cheatcode for Vm::keyExistsJsonCall {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        has(&document(cx, &self.json)?, &self.key)
    }
}

impl Cheatcode for Vm::parseJsonKeysCall {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        keys(&document(cx, &self.json)?, &self.key)
    }
}

impl Cheatcode for Vm::parseJson_0Call {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        guess(&document(cx, &self.json)?, "$", cx.structs())
    }
}

impl Cheatcode for Vm::parseJson_1Call {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        guess(&document(cx, &self.json)?, &self.key, cx.structs())
    }
}

impl Cheatcode for Vm::parseJsonType_0Call {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        let kind = described(&self.typeDescription, cx.structs())?;
        Ok(value_of(&document(cx, &self.json)?, "$", &kind)?.abi_encode().into())
    }
}

impl Cheatcode for Vm::parseJsonType_1Call {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        let kind = described(&self.typeDescription, cx.structs())?;
        Ok(value_of(&document(cx, &self.json)?, &self.key, &kind)?.abi_encode().into())
    }
}

impl Cheatcode for Vm::parseJsonTypeArrayCall {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        let kind = DynSolType::Array(Box::new(described(&self.typeDescription, cx.structs())?));
        Ok(value_of(&document(cx, &self.json)?, &self.key, &kind)?.abi_encode().into())
    }
}

/// Returns the value at a path, as one of the types that have their own cheatcodes.
pub(super) fn one<T: FromText>(document: &Value, path: &str) -> Result<T, CheatError> {
    Ok(T::from_value(value_of(document, path, &T::TYPE)?).expect("a value of the type that was asked for"))
}

/// Returns the array at a path, as a list of such a type.
pub(super) fn many<T: FromText>(document: &Value, path: &str) -> Result<Vec<T>, CheatError> {
    match value_of(document, path, &DynSolType::Array(Box::new(T::TYPE)))? {
        DynSolValue::Array(values) => {
            let values = values.into_iter().map(|value| T::from_value(value).expect("a value of that type"));
            Ok(values.collect())
        }
        // The value is a string that contains an array.
        other => Err(format!("expected an array, found {other:?}").into()),
    }
}

macro_rules! typed {
    ($($one:ident $many:ident;)*) => {$(
        impl Cheatcode for Vm::$one {
            fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
                one(&document(cx, &self.json)?, &self.key)
            }
        }

        impl Cheatcode for Vm::$many {
            fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
                many(&document(cx, &self.json)?, &self.key)
            }
        }
    )*};
}

typed! {
    parseJsonBoolCall parseJsonBoolArrayCall;
    parseJsonUintCall parseJsonUintArrayCall;
    parseJsonIntCall parseJsonIntArrayCall;
    parseJsonAddressCall parseJsonAddressArrayCall;
    parseJsonBytes32Call parseJsonBytes32ArrayCall;
    parseJsonStringCall parseJsonStringArrayCall;
    parseJsonBytesCall parseJsonBytesArrayCall;
}

/// Adds a member to an object, and returns the object's text.
fn serialize(cx: &mut Cx<'_>, object: String, key: String, value: Value) -> Result<String, CheatError> {
    let members = cx.cheats.objects.entry(object).or_default();
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
        cx.cheats.objects.insert(self.objectKey, object);
        Ok(self.value)
    }
}

fn decoded(cx: &Cx<'_>, description: &str, data: &Bytes) -> Result<Value, CheatError> {
    let kind = described(description, cx.structs())?;
    shapes::check_type(&kind)?;
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

fn pretty(value: &Value) -> Result<String, CheatError> {
    Ok(serde_json::to_string_pretty(value).map_err(|error| error.to_string())?)
}

impl Cheatcode for Vm::writeJson_0Call {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        cx.write_bytes(&self.path, pretty(&written(&self.json))?)?;
        done()
    }
}

impl Cheatcode for Vm::writeJson_1Call {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        let mut value = match cx.read_if_any(&self.path)? {
            Some(text) => written(&text),
            None => Value::Object(Map::new()),
        };
        put(&mut value, &self.valueKey, written(&self.json))?;
        cx.write_bytes(&self.path, pretty(&value)?)?;
        done()
    }
}
