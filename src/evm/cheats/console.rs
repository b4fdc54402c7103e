//! `console.log`: all signatures of Hardhat's console, generated from their argument types.

use super::{printf, value_text};
use alloy_dyn_abi::{DynSolType, DynSolValue};
use alloy_json_abi::{Function, JsonAbi};
use alloy_primitives::{Selector, hex, keccak256};
use std::{collections::HashMap, sync::LazyLock};

/// Types that occur in all combinations of up to four arguments.
const COMBINED: [&str; 4] = ["uint256", "string", "bool", "address"];

/// Argument types by selector. As in Forge, the `log(uint)` selectors of old consoles are missing.
static TABLE: LazyLock<HashMap<Selector, DynSolType>> = LazyLock::new(|| {
    let mut table = HashMap::new();
    for types in signatures() {
        let list = types.join(",");
        let parameters = DynSolType::parse(&format!("({list})")).expect("a tuple of elementary types");
        let hash = keccak256(format!("log({list})"));
        table.insert(Selector::from_slice(&hash[..4]), parameters);
    }
    table
});

fn signatures() -> Vec<Vec<String>> {
    let mut all: Vec<Vec<String>> = vec![Vec::new()];
    let mut longest = all.clone();
    for _ in 0..4 {
        longest = longest
            .iter()
            .flat_map(|types| COMBINED.map(|next| types.iter().cloned().chain([next.to_owned()]).collect()))
            .collect();
        all.extend(longest.iter().cloned());
    }
    let fixed = (1..=32).map(|size| vec![format!("bytes{size}")]);
    all.extend(fixed);
    all.push(vec!["int256".into()]);
    all.push(vec!["bytes".into()]);
    all.push(vec!["string".into(), "int256".into()]);
    all
}

/// Returns the ABI of the console, for traces.
pub(crate) fn abi() -> &'static JsonAbi {
    static ABI: LazyLock<JsonAbi> = LazyLock::new(|| {
        let mut abi = JsonAbi::new();
        let functions = abi.functions.entry("log".to_owned()).or_default();
        functions.extend(signatures().iter().map(|types| {
            Function::parse(&format!("log({})", types.join(","))).expect("elementary types in a signature")
        }));
        abi
    });
    &ABI
}

/// Decodes the arguments of a call to the console.
///
/// # Errors
/// Fails if the console has no such selector, or if the arguments cannot be decoded.
fn decode(data: &[u8]) -> Result<Vec<DynSolValue>, String> {
    let selector = data.first_chunk::<4>().map(Selector::from);
    let Some(parameters) = selector.and_then(|selector| TABLE.get(&selector)) else {
        return Err(format!(
            "unknown selector `{}` for ConsoleCalls",
            hex::encode_prefixed(&data[..data.len().min(4)])
        ));
    };
    match parameters.abi_decode_params(&data[4..]) {
        Ok(DynSolValue::Tuple(values)) => Ok(values),
        Ok(value) => Ok(vec![value]),
        Err(error) => Err(error.to_string()),
    }
}

/// Returns the line (or lines) that a call to the console prints.
///
/// # Errors
/// Same as [`decode`].
pub(super) fn line(data: &[u8]) -> Result<String, String> {
    let values = decode(data)?;
    Ok(match values.as_slice() {
        [DynSolValue::String(format), rest @ ..] => printf::format(format, rest),
        values => values.iter().map(value_text::plain).collect::<Vec<_>>().join(" "),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(signature: &str, values: &[DynSolValue]) -> String {
        let arguments = DynSolValue::Tuple(values.to_vec()).abi_encode_params();
        line(&[&keccak256(signature)[..4], &arguments].concat()).unwrap()
    }

    #[test]
    fn values_are_joined_by_spaces() {
        let values = [DynSolValue::Uint(alloy_primitives::U256::from(7), 256), DynSolValue::Bool(true)];
        insta::assert_snapshot!(call("log(uint256,bool)", &values), @"7 true");
        insta::assert_snapshot!(call("log()", &[]), @"");
    }

    #[test]
    fn a_leading_string_is_a_format() {
        let values =
            [DynSolValue::String("a %s c".into()), DynSolValue::String("b".into()), DynSolValue::Bool(false)];
        insta::assert_snapshot!(call("log(string,string,bool)", &values), @"a b c false");
    }

    #[test]
    fn an_unknown_selector_is_an_error() {
        insta::assert_snapshot!(
            line(&[1, 2, 3, 4]).unwrap_err(),
            @"unknown selector `0x01020304` for ConsoleCalls"
        );
    }
}
