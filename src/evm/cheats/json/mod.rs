//! JSON: values found by paths, and objects written key by key.

mod comments;
pub(super) mod guess;
pub(super) mod path;
pub(super) mod typed;
pub(super) mod write;

use super::{
    dispatch::{CheatError, CheatResult, Cheatcode, Cx},
    vm::Vm,
};
use alloy_dyn_abi::DynSolType;
use alloy_primitives::U256;
use comments::without_comments;
use guess::guess;
use path::{has, keys, length};
use serde_json::Value;
use typed::{described, many, many_or, one, one_or, value_of};

/// Bytes of memory per byte of a document's text. The worst case is `[1,1,1]`, as JSON values and as Solidity
/// values.
const BYTES_PER_BYTE: usize = 16;

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
    let text = without_comments(text)?;
    Ok(serde_json::from_str(&text).map_err(|error| format!("failed parsing JSON: {error}"))?)
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

impl Cheatcode for Vm::parseJsonArrayLengthCall {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        Ok(U256::from(length(&document(cx, &self.json)?, &self.key)?))
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

/// Implements the cheatcodes of one type: those of a value and of a list, each without and with a default.
macro_rules! typed {
    ($($one:ident $one_or:ident $many:ident $many_or:ident;)*) => {$(
        impl Cheatcode for Vm::$one {
            fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
                one(&document(cx, &self.json)?, &self.key)
            }
        }

        impl Cheatcode for Vm::$one_or {
            fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
                one_or(&document(cx, &self.json)?, &self.key, self.defaultValue)
            }
        }

        impl Cheatcode for Vm::$many {
            fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
                many(&document(cx, &self.json)?, &self.key)
            }
        }

        impl Cheatcode for Vm::$many_or {
            fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
                many_or(&document(cx, &self.json)?, &self.key, self.defaultValue)
            }
        }
    )*};
}

typed! {
    parseJsonBool_0Call parseJsonBool_1Call parseJsonBoolArray_0Call parseJsonBoolArray_1Call;
    parseJsonUint_0Call parseJsonUint_1Call parseJsonUintArray_0Call parseJsonUintArray_1Call;
    parseJsonInt_0Call parseJsonInt_1Call parseJsonIntArray_0Call parseJsonIntArray_1Call;
    parseJsonAddress_0Call parseJsonAddress_1Call parseJsonAddressArray_0Call parseJsonAddressArray_1Call;
    parseJsonBytes32_0Call parseJsonBytes32_1Call parseJsonBytes32Array_0Call parseJsonBytes32Array_1Call;
    parseJsonString_0Call parseJsonString_1Call parseJsonStringArray_0Call parseJsonStringArray_1Call;
    parseJsonBytes_0Call parseJsonBytes_1Call parseJsonBytesArray_0Call parseJsonBytesArray_1Call;
}
