//! TOML, read and written by way of the equivalent JSON.

use super::{
    dispatch::{CheatError, CheatResult, Cheatcode, Cx, done},
    files,
    json::{
        fits,
        guess::guess,
        path::{has, keys, put},
        typed::{described, many, many_or, one, one_or, value_of},
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

/// Implements the cheatcodes of one type: those of a value and of a list, each without and with a default.
macro_rules! typed {
    ($($one:ident $one_or:ident $many:ident $many_or:ident;)*) => {$(
        impl Cheatcode for Vm::$one {
            fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
                one(&document(cx, &self.toml)?, &self.key)
            }
        }

        impl Cheatcode for Vm::$one_or {
            fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
                one_or(&document(cx, &self.toml)?, &self.key, self.defaultValue)
            }
        }

        impl Cheatcode for Vm::$many {
            fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
                many(&document(cx, &self.toml)?, &self.key)
            }
        }

        impl Cheatcode for Vm::$many_or {
            fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
                many_or(&document(cx, &self.toml)?, &self.key, self.defaultValue)
            }
        }
    )*};
}

typed! {
    parseTomlBool_0Call parseTomlBool_1Call parseTomlBoolArray_0Call parseTomlBoolArray_1Call;
    parseTomlUint_0Call parseTomlUint_1Call parseTomlUintArray_0Call parseTomlUintArray_1Call;
    parseTomlInt_0Call parseTomlInt_1Call parseTomlIntArray_0Call parseTomlIntArray_1Call;
    parseTomlAddress_0Call parseTomlAddress_1Call parseTomlAddressArray_0Call parseTomlAddressArray_1Call;
    parseTomlBytes32_0Call parseTomlBytes32_1Call parseTomlBytes32Array_0Call parseTomlBytes32Array_1Call;
    parseTomlString_0Call parseTomlString_1Call parseTomlStringArray_0Call parseTomlStringArray_1Call;
    parseTomlBytes_0Call parseTomlBytes_1Call parseTomlBytesArray_0Call parseTomlBytesArray_1Call;
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
