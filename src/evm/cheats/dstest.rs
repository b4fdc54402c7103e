//! DSTest's log events, printed as lines.

use super::value_text;
use alloy_dyn_abi::{DynSolType, DynSolValue, Specifier as _};
use alloy_json_abi::{Event, JsonAbi};
use alloy_primitives::{
    B256, Log,
    utils::{ParseUnits, Unit},
};
use std::{collections::HashMap, sync::LazyLock};

/// ABI of the events, with Forge's names for their parameters, none of which is indexed.
static ABI: LazyLock<JsonAbi> = LazyLock::new(|| {
    let mut events = ["log(string val)", "logs(bytes val)"].map(str::to_owned).to_vec();
    for (name, kind) in [
        ("address", "address"),
        ("bytes32", "bytes32"),
        ("int", "int256"),
        ("uint", "uint256"),
        ("bytes", "bytes"),
        ("string", "string"),
    ] {
        events.push(format!("log_{name}({kind} val)"));
        events.push(format!("log_named_{name}(string key, {kind} val)"));
    }
    for kind in ["int", "uint"] {
        events.push(format!("log_named_decimal_{kind}(string key, {kind}256 val, uint256 decimals)"));
    }
    for kind in ["uint256[]", "int256[]", "address[]"] {
        events.push(format!("log_array({kind} val)"));
        events.push(format!("log_named_array(string key, {kind} val)"));
    }
    let mut abi = JsonAbi::new();
    for event in events {
        let event = Event::parse(&event).expect("an event");
        abi.events.entry(event.name.clone()).or_default().push(event);
    }
    abi
});

/// Parameter types of the events, by signature hash.
static EVENTS: LazyLock<HashMap<B256, DynSolType>> = LazyLock::new(|| {
    let types =
        |event: &Event| event.inputs.iter().map(|input| input.resolve().expect("elementary")).collect();
    ABI.events().map(|event| (event.selector(), DynSolType::Tuple(types(event)))).collect()
});

/// Returns the ABI of DSTest's events, with Forge's names.
pub(crate) fn abi() -> &'static JsonAbi {
    &ABI
}

/// Returns the line that Forge prints for a log event; `None` for other events.
pub(super) fn line(log: &Log) -> Option<String> {
    let [signature] = log.topics() else { return None };
    let parameters = EVENTS.get(signature)?;
    let DynSolValue::Tuple(values) = parameters.abi_decode_params(&log.data.data).ok()? else { return None };
    Some(match values.as_slice() {
        [value] => value_text::plain(value),
        [key, value] => format!("{}: {}", value_text::plain(key), value_text::plain(value)),
        [key, value, decimals] => format!("{}: {}", value_text::plain(key), decimal(value, decimals)),
        _ => return None,
    })
}

fn decimal(value: &DynSolValue, decimals: &DynSolValue) -> String {
    let unit = decimals.as_uint().and_then(|(decimals, _)| Unit::new(decimals.try_into().ok()?));
    match (value, unit) {
        (DynSolValue::Uint(value, _), Some(unit)) => ParseUnits::U256(*value).format_units(unit),
        (DynSolValue::Int(value, _), Some(unit)) => ParseUnits::I256(*value).format_units(unit),
        _ => value_text::plain(value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloy_primitives::{Address, I256, U256, keccak256};

    fn event(signature: &str, values: &[DynSolValue]) -> Option<String> {
        let data = DynSolValue::Tuple(values.to_vec()).abi_encode_params();
        line(&Log::new_unchecked(Address::ZERO, vec![keccak256(signature)], data.into()))
    }

    #[test]
    fn named_events_print_key_and_value() {
        let key = DynSolValue::String("key".into());
        let two = DynSolValue::Uint(U256::from(2), 256);
        let minus = DynSolValue::Int(I256::MINUS_ONE, 256);
        insta::assert_snapshot!(
            event("log_named_uint(string,uint256)", &[key.clone(), two.clone()]).unwrap(),
            @"key: 2"
        );
        insta::assert_snapshot!(
            event("log_named_decimal_int(string,int256,uint256)", &[key, minus, two.clone()]).unwrap(),
            @"key: -0.01"
        );
        insta::assert_snapshot!(
            event("log_array(uint256[])", &[DynSolValue::Array(vec![two])]).unwrap(),
            @"[2]"
        );
    }

    #[test]
    fn other_events_are_no_lines() {
        assert_eq!(event("Transfer(address,address,uint256)", &[]), None);
    }
}
