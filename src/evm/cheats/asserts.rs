//! `vm.assert*`: 116 overloads from one table of operators and types.
//!
//! Messages are Forge's: `assertion failed: L op R`. A custom message replaces `assertion failed`, and `op` is
//! the operator that holds instead of the asserted one.

mod comparison;
#[cfg(test)]
mod tests;

use super::dispatch::{Cx, account, encode_message};
use crate::{
    evm::base::constants::{FAILED_SLOT, VM_ADDRESS},
    evm::trace::read_set,
    model::BranchKind,
};
use alloy_dyn_abi::{DynSolType, DynSolValue};
use alloy_primitives::{
    Bytes, I256, Selector, U256, U512, keccak256, uint,
    utils::{ParseUnits, Unit},
};
use std::{cmp::Ordering, collections::HashMap, sync::LazyLock};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Op {
    True,
    False,
    Eq,
    NotEq,
    Lt,
    Gt,
    Le,
    Ge,
    ApproxEqAbs,
    ApproxEqRel,
}

impl Op {
    /// Returns the part of the name after `assert`.
    fn name(self) -> &'static str {
        match self {
            Self::True => "True",
            Self::False => "False",
            Self::Eq => "Eq",
            Self::NotEq => "NotEq",
            Self::Lt => "Lt",
            Self::Gt => "Gt",
            Self::Le => "Le",
            Self::Ge => "Ge",
            Self::ApproxEqAbs => "ApproxEqAbs",
            Self::ApproxEqRel => "ApproxEqRel",
        }
    }

    /// Returns the operator that holds if the assertion fails, as Forge writes it between the operands.
    fn failed(self) -> &'static str {
        match self {
            Self::True | Self::False => "",
            Self::Eq => "!=",
            Self::NotEq => "==",
            Self::Lt => ">=",
            Self::Gt => "<=",
            Self::Le => ">",
            Self::Ge => "<",
            Self::ApproxEqAbs | Self::ApproxEqRel => "!~=",
        }
    }
}

/// Overload of an assertion.
pub(super) struct Assertion {
    op: Op,
    /// True if the last argument (apart from the message) is the number of decimals to print.
    decimal: bool,
    /// True if the last argument is a message.
    message: bool,
    /// True if both operands are single words, so that equal words are equal values.
    words: bool,
    parameters: DynSolType,
}

static TABLE: LazyLock<HashMap<Selector, Assertion>> = LazyLock::new(|| {
    let mut table = HashMap::new();
    let mut add = |op: Op, decimal: bool, types: &[&str]| {
        for message in [false, true] {
            let mut types = types.to_vec();
            let words = types[0] != "string" && types[0] != "bytes" && !types[0].ends_with(']');
            if decimal {
                types.push("uint256");
            }
            if message {
                types.push("string");
            }
            let suffix = if decimal { "Decimal" } else { "" };
            let list = types.join(",");
            let hash = keccak256(format!("assert{}{suffix}({list})", op.name()));
            let parameters = DynSolType::parse(&format!("({list})")).expect("a tuple of elementary types");
            table.insert(
                Selector::from_slice(&hash[..4]),
                Assertion { op, decimal, message, words, parameters },
            );
        }
    };
    add(Op::True, false, &["bool"]);
    add(Op::False, false, &["bool"]);
    for element in ["bool", "uint256", "int256", "address", "bytes32", "string", "bytes"] {
        for name in [element.to_owned(), format!("{element}[]")] {
            add(Op::Eq, false, &[&name, &name]);
            add(Op::NotEq, false, &[&name, &name]);
        }
    }
    for number in ["uint256", "int256"] {
        add(Op::Eq, true, &[number, number]);
        add(Op::NotEq, true, &[number, number]);
        for decimal in [false, true] {
            for op in [Op::Lt, Op::Gt, Op::Le, Op::Ge] {
                add(op, decimal, &[number, number]);
            }
            for op in [Op::ApproxEqAbs, Op::ApproxEqRel] {
                add(op, decimal, &[number, number, "uint256"]);
            }
        }
    }
    table
});

/// Returns the assertion with this selector.
pub(super) fn find(selector: [u8; 4]) -> Option<&'static Assertion> {
    TABLE.get(&Selector::from(selector))
}

/// Returns the selectors of all assertions.
#[cfg(test)]
pub(super) fn selectors() -> impl Iterator<Item = Selector> {
    TABLE.keys().copied()
}

impl Assertion {
    /// Checks the arguments in `data` (without the selector); the error is the revert data.
    ///
    /// With `assertions_revert = false`, a failure is logged and flagged in the cheatcode account instead.
    pub(super) fn check(&self, cx: &mut Cx<'_>, data: &[u8]) -> Result<Vec<u8>, Bytes> {
        if cx.is_traced() {
            self.note(cx, data);
        }
        if self.op == Op::Eq && self.words && data.len() >= 64 && data[..32] == data[32..64] {
            return Ok(Vec::new());
        }
        let decoded =
            self.parameters.abi_decode_params(data).map_err(|error| encode_message(error.to_string()))?;
        let DynSolValue::Tuple(arguments) = decoded else { unreachable!("parameters are a tuple") };
        let Err(text) = self.judge(&arguments) else { return Ok(Vec::new()) };
        if cx.cheats.shared.config.assertions_revert {
            let data = encode_message(text);
            cx.cheats.transaction.assert_failure = Some(data.clone());
            return Err(data);
        }
        cx.cheats.transaction.logs.push(text);
        read_set::give_up(cx.ctx);
        account(cx.ctx, VM_ADDRESS);
        let journal = &mut cx.ctx.journaled_state;
        let Ok(_) = journal.inner.sstore(&mut journal.database, VM_ADDRESS, FAILED_SLOT, U256::ONE, false)
        else {
            unreachable!("the base state cannot fail and cold loads are not skipped");
        };
        Ok(Vec::new())
    }

    /// Records the comparison of the assertion, for the fuzzer.
    fn note(&self, cx: &mut Cx<'_>, data: &[u8]) {
        let Ok(DynSolValue::Tuple(arguments)) = self.parameters.abi_decode_params(data) else { return };
        let images = &mut cx.ctx.chain.cmplog.preimages;
        if let Some(comparison) = self.comparison(&arguments, |preimage| images.hash(preimage)) {
            cx.compared(BranchKind::Assertion, comparison);
        }
    }

    /// Evaluates the assertion; the error is the complete failure message.
    fn judge(&self, arguments: &[DynSolValue]) -> Result<(), String> {
        let message = match arguments.last() {
            Some(DynSolValue::String(text)) if self.message => text,
            _ => "assertion failed",
        };
        let left = &arguments[0];
        let (holds, details) = match self.op {
            Op::True => (*left == DynSolValue::Bool(true), None),
            Op::False => (*left == DynSolValue::Bool(false), None),
            Op::ApproxEqRel if self.overflows(arguments) => {
                return Err(format!("{message}: overflow in delta calculation"));
            }
            Op::ApproxEqAbs | Op::ApproxEqRel => match self.delta(arguments) {
                Ok(()) => (true, None),
                Err(details) => (false, Some(details)),
            },
            _ => (self.compares(left, &arguments[1]), Some(String::new())),
        };
        if holds {
            return Ok(());
        }
        let Some(details) = details else { return Err(message.to_owned()) };
        let decimals = if self.decimal {
            decimals(&arguments[arguments.len() - 1 - usize::from(self.message)])
        } else {
            None
        };
        let (left, right) = (show(left, decimals), show(&arguments[1], decimals));
        Err(format!("{message}: {left} {} {right}{details}", self.op.failed()))
    }

    fn compares(&self, left: &DynSolValue, right: &DynSolValue) -> bool {
        let order = match (left, right) {
            (DynSolValue::Uint(left, _), DynSolValue::Uint(right, _)) => left.cmp(right),
            (DynSolValue::Int(left, _), DynSolValue::Int(right, _)) => left.cmp(right),
            _ if left == right => Ordering::Equal,
            _ => Ordering::Less,
        };
        match self.op {
            Op::Eq => order.is_eq(),
            Op::NotEq => order.is_ne(),
            Op::Lt => order.is_lt(),
            Op::Gt => order.is_gt(),
            Op::Le => order.is_le(),
            Op::Ge => order.is_ge(),
            Op::True | Op::False | Op::ApproxEqAbs | Op::ApproxEqRel => unreachable!("judged elsewhere"),
        }
    }

    /// Tells whether a relative delta is larger than Forge can compute.
    fn overflows(&self, arguments: &[DynSolValue]) -> bool {
        let (distance, base) = distance_and_base(arguments);
        !base.is_zero() && distance.checked_mul(UNIT).is_none()
    }

    /// Checks an approximate equality; the error shows the maximum delta and the real one.
    fn delta(&self, arguments: &[DynSolValue]) -> Result<(), String> {
        let (distance, base) = distance_and_base(arguments);
        let (most, _) = arguments[2].as_uint().expect("the largest delta is a number");
        if self.op == Op::ApproxEqAbs {
            let decimals = if self.decimal { decimals(&arguments[3]) } else { None };
            let shown = |delta| show(&DynSolValue::Uint(delta, 256), decimals);
            return if distance <= most {
                Ok(())
            } else {
                Err(format!(" (max delta: {}, real delta: {})", shown(most), shown(distance)))
            };
        }
        let real = match relative(distance, base) {
            Some(real) if real <= most => return Ok(()),
            Some(real) => percent(real),
            None => "undefined".to_owned(),
        };
        Err(format!(" (max delta: {}, real delta: {real})", percent(most)))
    }
}

/// Unit of relative deltas: 1e18 is 100%.
const UNIT: U256 = uint!(1_000_000_000_000_000_000_U256);

/// Returns the distance between two numbers, and the absolute value of the second.
fn distance_and_base(arguments: &[DynSolValue]) -> (U256, U256) {
    match (&arguments[0], &arguments[1]) {
        (DynSolValue::Uint(left, _), DynSolValue::Uint(right, _)) => (left.abs_diff(*right), *right),
        (DynSolValue::Int(left, _), DynSolValue::Int(right, _)) => {
            (signed_distance(*left, *right), right.unsigned_abs())
        }
        _ => unreachable!("operands are numbers"),
    }
}

fn signed_distance(left: I256, right: I256) -> U256 {
    if left.is_negative() == right.is_negative() {
        left.unsigned_abs().abs_diff(right.unsigned_abs())
    } else {
        left.unsigned_abs().wrapping_add(right.unsigned_abs())
    }
}

/// Returns `distance / base` in units of 1e-18; `None` if it does not fit into 256 bits.
fn relative(distance: U256, base: U256) -> Option<U256> {
    if base.is_zero() {
        return distance.is_zero().then_some(U256::ZERO);
    }
    let scaled: U512 = distance.widening_mul(UNIT);
    let quotient = scaled / U512::from(base);
    (quotient.bit_len() <= 256).then(|| quotient.wrapping_to())
}

/// Formats a delta, given in units of 1e-18, as a percentage.
fn percent(delta: U256) -> String {
    format!("{}%", show(&DynSolValue::Uint(delta, 256), Unit::new(16)))
}

fn decimals(value: &DynSolValue) -> Option<Unit> {
    let (decimals, _) = value.as_uint()?;
    Unit::new(decimals.try_into().ok()?)
}

/// Formats a value as Forge's assertion messages do: without hints and quotes.
fn show(value: &DynSolValue, unit: Option<Unit>) -> String {
    match (value, unit) {
        (DynSolValue::Uint(value, _), Some(unit)) => ParseUnits::U256(*value).format_units(unit),
        (DynSolValue::Int(value, _), Some(unit)) => ParseUnits::I256(*value).format_units(unit),
        _ => super::value_text::plain(value),
    }
}
