//! TOML, read and written by way of the equivalent JSON.

use super::{
    dispatch::{CheatError, CheatResult, Cheatcode, Cx, done},
    files,
    json::{
        fits,
        guess::guess,
        path::{has, keys, put},
        typed::{described, many, one, value_of},
        write::written,
    },
    vm::Vm,
};
use alloy_dyn_abi::DynSolType;
use serde_json::{Map, Number, Value as Json};
use toml::Value as Toml;

/// Parses a document.
fn document(cx: &Cx<'_>, text: &str) -> Result<Json, CheatError> {
    fits(cx, text)?;
    let toml = toml::from_str(text).map_err(|error| format!("failed parsing TOML: {error}"))?;
    Ok(to_json(toml))
}

/// Converts TOML to JSON. TOML has no null; the text `null` stands for it.
fn to_json(toml: Toml) -> Json {
    match toml {
        Toml::String(text) if text == "null" => Json::Null,
        Toml::String(text) => Json::String(text),
        Toml::Integer(number) => number.into(),
        Toml::Float(number) => match Number::from_f64(number) {
            Some(number) => Json::Number(number),
            None => Json::String(number.to_string()),
        },
        Toml::Boolean(value) => Json::Bool(value),
        Toml::Datetime(date) => Json::String(date.to_string()),
        Toml::Array(values) => Json::Array(values.into_iter().map(to_json).collect()),
        Toml::Table(members) => {
            Json::Object(members.into_iter().map(|(name, value)| (name, to_json(value))).collect())
        }
    }
}

fn from_json(json: Json) -> Toml {
    match json {
        Json::Null => Toml::String("null".to_owned()),
        Json::String(text) => Toml::String(text),
        Json::Bool(value) => Toml::Boolean(value),
        Json::Number(number) => match (number.as_i64(), number.as_f64()) {
            (Some(number), _) => Toml::Integer(number),
            (None, Some(number)) => Toml::Float(number),
            (None, None) => Toml::String(number.to_string()),
        },
        Json::Array(values) => Toml::Array(values.into_iter().map(from_json).collect()),
        Json::Object(members) => {
            Toml::Table(members.into_iter().map(|(name, value)| (name, from_json(value))).collect())
        }
    }
}

fn pretty(json: Json) -> Result<String, CheatError> {
    let text = toml::to_string_pretty(&from_json(json));
    Ok(text.map_err(|error| format!("failed to serialize TOML: {error}"))?)
}

impl Cheatcode for Vm::keyExistsTomlCall {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        has(&document(cx, &self.toml)?, &self.key)
    }
}

impl Cheatcode for Vm::parseTomlKeysCall {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        keys(&document(cx, &self.toml)?, &self.key)
    }
}

impl Cheatcode for Vm::parseToml_0Call {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        guess(&document(cx, &self.toml)?, "$", cx.structs())
    }
}

impl Cheatcode for Vm::parseToml_1Call {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        guess(&document(cx, &self.toml)?, &self.key, cx.structs())
    }
}

impl Cheatcode for Vm::parseTomlType_0Call {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        let kind = described(&self.typeDescription, cx.structs())?;
        Ok(value_of(&document(cx, &self.toml)?, "$", &kind)?.abi_encode().into())
    }
}

impl Cheatcode for Vm::parseTomlType_1Call {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        let kind = described(&self.typeDescription, cx.structs())?;
        Ok(value_of(&document(cx, &self.toml)?, &self.key, &kind)?.abi_encode().into())
    }
}

impl Cheatcode for Vm::parseTomlTypeArrayCall {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        let kind = DynSolType::Array(Box::new(described(&self.typeDescription, cx.structs())?));
        Ok(value_of(&document(cx, &self.toml)?, &self.key, &kind)?.abi_encode().into())
    }
}

macro_rules! typed {
    ($($one:ident $many:ident;)*) => {$(
        impl Cheatcode for Vm::$one {
            fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
                one(&document(cx, &self.toml)?, &self.key)
            }
        }

        impl Cheatcode for Vm::$many {
            fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
                many(&document(cx, &self.toml)?, &self.key)
            }
        }
    )*};
}

typed! {
    parseTomlBoolCall parseTomlBoolArrayCall;
    parseTomlUintCall parseTomlUintArrayCall;
    parseTomlIntCall parseTomlIntArrayCall;
    parseTomlAddressCall parseTomlAddressArrayCall;
    parseTomlBytes32Call parseTomlBytes32ArrayCall;
    parseTomlStringCall parseTomlStringArrayCall;
    parseTomlBytesCall parseTomlBytesArrayCall;
}

impl Cheatcode for Vm::writeToml_0Call {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        files::write(cx, &self.path, pretty(written(&self.json))?)?;
        done()
    }
}

impl Cheatcode for Vm::writeToml_1Call {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        let mut value = match files::read_if_any(cx, &self.path)? {
            Some(text) => toml::from_str(&text).map_err(|error| format!("failed parsing TOML: {error}"))?,
            None => Json::Object(Map::new()),
        };
        put(&mut value, &self.valueKey, written(&self.json))?;
        files::write(cx, &self.path, pretty(value)?)?;
        done()
    }
}
