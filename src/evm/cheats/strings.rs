//! Strings: conversions from and to values, and common operations.

use super::{
    dispatch::{CheatError, CheatResult, Cheatcode, Cx},
    value_text,
    vm::Vm,
};
use alloy_dyn_abi::{DynSolType, DynSolValue};
use alloy_primitives::{Address, B256, Bytes, I256, U256};
use base64::{
    Engine,
    engine::general_purpose::{STANDARD, URL_SAFE},
};

/// Minimum size of a string in an ABI-encoded array, in bytes: its offset, its length, and one word of content.
const BYTES_PER_PIECE: usize = 96;

/// Type that cheatcodes read from text.
pub(super) trait FromText: Sized {
    const TYPE: DynSolType;
    fn from_value(value: DynSolValue) -> Option<Self>;
}

macro_rules! from_text {
    ($($rust:ty, $sol:expr, $pattern:pat => $value:expr;)*) => {$(
        impl FromText for $rust {
            const TYPE: DynSolType = $sol;
            fn from_value(value: DynSolValue) -> Option<Self> {
                match value {
                    $pattern => Some($value),
                    _ => None,
                }
            }
        }
    )*};
}

from_text! {
    bool, DynSolType::Bool, DynSolValue::Bool(value) => value;
    U256, DynSolType::Uint(256), DynSolValue::Uint(value, _) => value;
    I256, DynSolType::Int(256), DynSolValue::Int(value, _) => value;
    Address, DynSolType::Address, DynSolValue::Address(value) => value;
    B256, DynSolType::FixedBytes(32), DynSolValue::FixedBytes(value, _) => value;
    Bytes, DynSolType::Bytes, DynSolValue::Bytes(value) => value.into();
    String, DynSolType::String, DynSolValue::String(value) => value;
}

/// Reads a value as Forge does: `true`, `0x..`, decimal and scientific numbers, bare strings.
///
/// # Errors
/// Returns Forge's message, without the words `failed parsing` and the parsed text.
pub(super) fn read<T: FromText>(text: &str) -> Result<T, String> {
    Ok(T::from_value(read_as(text, &T::TYPE)?).expect("a value of the type that was asked for"))
}

/// Like [`read`], but for a type that is only known at run time.
pub(super) fn read_as(text: &str, kind: &DynSolType) -> Result<DynSolValue, String> {
    Ok(match kind {
        DynSolType::Bool if text == "1" || text.eq_ignore_ascii_case("true") => DynSolValue::Bool(true),
        DynSolType::Bool if text == "0" || text.eq_ignore_ascii_case("false") => DynSolValue::Bool(false),
        kind => kind.coerce_str(text).map_err(|error| {
            let number = matches!(
                kind,
                DynSolType::Uint(_) | DynSolType::Int(_) | DynSolType::FixedBytes(_) | DynSolType::Bytes
            );
            let hex = text.chars().all(|c| c.is_ascii_hexdigit());
            if number && hex {
                "missing hex prefix (\"0x\") for hex string".to_owned()
            } else {
                error.to_string()
            }
        })?,
    })
}

/// Like [`read`], but with complete messages.
///
/// # Errors
/// Returns Forge's complete message.
pub(super) fn parse<T: FromText>(text: &str) -> Result<T, CheatError> {
    Ok(read(text).map_err(|error| format!("failed parsing {text:?} as type `{}`: {error}", T::TYPE))?)
}

macro_rules! parsers {
    ($($call:ident)*) => {$(
        impl Cheatcode for Vm::$call {
            fn apply(self, _: &mut Cx<'_>) -> CheatResult<Self> {
                parse(&self.text)
            }
        }
    )*};
}

parsers! { parseAddressCall parseBytesCall parseBytes32Call parseBoolCall parseUintCall parseIntCall }

/// Implements `vm.toString` for one type each.
macro_rules! writers {
    ($($call:ident($value:ident => $dynamic:expr);)*) => {$(
        impl Cheatcode for Vm::$call {
            fn apply(self, _: &mut Cx<'_>) -> CheatResult<Self> {
                let $value = self.value;
                Ok(value_text::plain(&$dynamic))
            }
        }
    )*};
}

writers! {
    toString_0Call(value => DynSolValue::Address(value));
    toString_1Call(value => DynSolValue::Bytes(value.into()));
    toString_2Call(value => DynSolValue::FixedBytes(value, 32));
    toString_3Call(value => DynSolValue::Bool(value));
    toString_4Call(value => DynSolValue::Uint(value, 256));
    toString_5Call(value => DynSolValue::Int(value, 256));
}

impl Cheatcode for Vm::toLowercaseCall {
    fn apply(self, _: &mut Cx<'_>) -> CheatResult<Self> {
        Ok(self.text.to_lowercase())
    }
}

impl Cheatcode for Vm::toUppercaseCall {
    fn apply(self, _: &mut Cx<'_>) -> CheatResult<Self> {
        Ok(self.text.to_uppercase())
    }
}

impl Cheatcode for Vm::trimCall {
    fn apply(self, _: &mut Cx<'_>) -> CheatResult<Self> {
        Ok(self.text.trim().to_owned())
    }
}

impl Cheatcode for Vm::replaceCall {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        let places = self.text.matches(&self.from).count();
        cx.fits(self.text.len().saturating_add(places.saturating_mul(self.to.len())))?;
        Ok(self.text.replace(&self.from, &self.to))
    }
}

impl Cheatcode for Vm::splitCall {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        cx.fits(self.text.matches(&self.delimiter).count().saturating_mul(BYTES_PER_PIECE))?;
        Ok(self.text.split(&self.delimiter).map(str::to_owned).collect())
    }
}

impl Cheatcode for Vm::indexOfCall {
    /// Returns the maximum `uint256` if the key does not occur.
    fn apply(self, _: &mut Cx<'_>) -> CheatResult<Self> {
        Ok(self.text.find(&self.key).map_or(U256::MAX, U256::from))
    }
}

impl Cheatcode for Vm::containsCall {
    fn apply(self, _: &mut Cx<'_>) -> CheatResult<Self> {
        Ok(self.text.contains(&self.key))
    }
}

impl Cheatcode for Vm::toBase64_0Call {
    fn apply(self, _: &mut Cx<'_>) -> CheatResult<Self> {
        Ok(STANDARD.encode(self.data))
    }
}

impl Cheatcode for Vm::toBase64_1Call {
    fn apply(self, _: &mut Cx<'_>) -> CheatResult<Self> {
        Ok(STANDARD.encode(self.data))
    }
}

impl Cheatcode for Vm::toBase64URL_0Call {
    fn apply(self, _: &mut Cx<'_>) -> CheatResult<Self> {
        Ok(URL_SAFE.encode(self.data))
    }
}

impl Cheatcode for Vm::toBase64URL_1Call {
    fn apply(self, _: &mut Cx<'_>) -> CheatResult<Self> {
        Ok(URL_SAFE.encode(self.data))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_read_as_forge_reads_them() {
        assert_eq!(read::<U256>("1 ether"), Ok(U256::from(10).pow(U256::from(18))));
        assert_eq!(read::<U256>("0x10"), Ok(U256::from(16)));
        assert_eq!(read::<I256>("-5"), Ok(I256::try_from(-5).unwrap()));
        assert_eq!(read::<bool>("True"), Ok(true));
        assert_eq!(read::<Bytes>("1234"), Ok(Bytes::from_static(&[0x12, 0x34])));
        assert_eq!(read::<String>("\"quoted\""), Ok("quoted".to_owned()));
    }

    #[test]
    fn bare_hex_digits_are_no_number() {
        assert_eq!(read::<U256>("abc").unwrap_err(), "missing hex prefix (\"0x\") for hex string");
        insta::assert_snapshot!(read::<U256>("xyz").unwrap_err(), @r"
        parser error:
        xyz
        ^
        expected at least one digit
        ");
    }
}
