//! DSTest's log events as lines.

use super::text;
use alloy_dyn_abi::{DynSolType, DynSolValue};
use alloy_primitives::{
    B256, Log, keccak256,
    utils::{ParseUnits, Unit},
};
use std::{collections::HashMap, sync::LazyLock};

/// The events by signature: their parameters, none of them indexed.
static EVENTS: LazyLock<HashMap<B256, DynSolType>> = LazyLock::new(|| {
    let plain = ["log(string)", "logs(bytes)"].map(str::to_owned);
    let mut signatures = plain.to_vec();
    for (name, kind) in [
        ("address", "address"),
        ("bytes32", "bytes32"),
        ("int", "int256"),
        ("uint", "uint256"),
        ("bytes", "bytes"),
        ("string", "string"),
    ] {
        signatures.push(format!("log_{name}({kind})"));
        signatures.push(format!("log_named_{name}(string,{kind})"));
    }
    for kind in ["int", "uint"] {
        signatures.push(format!("log_named_decimal_{kind}(string,{kind}256,uint256)"));
    }
    for kind in ["uint256[]", "int256[]", "address[]"] {
        signatures.push(format!("log_array({kind})"));
        signatures.push(format!("log_named_array(string,{kind})"));
    }
    let entry = |signature: String| {
        let parameters = &signature[signature.find('(').unwrap_or_default()..];
        (keccak256(&signature), DynSolType::parse(parameters).expect("a tuple of elementary types"))
    };
    signatures.into_iter().map(entry).collect()
});

/// The line that Forge prints for a log event; `None` for other events.
pub(super) fn line(log: &Log) -> Option<String> {
    let [signature] = log.topics() else { return None };
    let parameters = EVENTS.get(signature)?;
    let DynSolValue::Tuple(values) = parameters.abi_decode_params(&log.data.data).ok()? else { return None };
    Some(match values.as_slice() {
        [value] => text::plain(value),
        [key, value] => format!("{}: {}", text::plain(key), text::plain(value)),
        [key, value, decimals] => format!("{}: {}", text::plain(key), decimal(value, decimals)),
        _ => return None,
    })
}

fn decimal(value: &DynSolValue, decimals: &DynSolValue) -> String {
    let unit = decimals.as_uint().and_then(|(decimals, _)| Unit::new(decimals.try_into().ok()?));
    match (value, unit) {
        (DynSolValue::Uint(value, _), Some(unit)) => ParseUnits::U256(*value).format_units(unit),
        (DynSolValue::Int(value, _), Some(unit)) => ParseUnits::I256(*value).format_units(unit),
        _ => text::plain(value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloy_primitives::{Address, I256, U256};

    fn event(signature: &str, values: &[DynSolValue]) -> Option<String> {
        let data = DynSolValue::Tuple(values.to_vec()).abi_encode_params();
        line(&Log::new_unchecked(Address::ZERO, vec![keccak256(signature)], data.into()))
    }

    #[test]
    fn named_events_print_key_and_value() {
        let key = DynSolValue::String("key".into());
        let two = DynSolValue::Uint(U256::from(2), 256);
        let minus = DynSolValue::Int(I256::MINUS_ONE, 256);
        insta::assert_snapshot!(event("log_named_uint(string,uint256)", &[key.clone(), two.clone()]).unwrap(), @"key: 2");
        insta::assert_snapshot!(event("log_named_decimal_int(string,int256,uint256)", &[key, minus, two.clone()]).unwrap(), @"key: -0.01");
        insta::assert_snapshot!(event("log_array(uint256[])", &[DynSolValue::Array(vec![two])]).unwrap(), @"[2]");
    }

    #[test]
    fn other_events_are_no_lines() {
        assert_eq!(event("Transfer(address,address,uint256)", &[]), None);
    }
}
