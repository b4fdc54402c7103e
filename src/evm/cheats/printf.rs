//! Format strings of `console.log`.

use super::value_text;
use alloy_dyn_abi::DynSolValue;
use alloy_primitives::{Sign, U256};
use std::{iter::Peekable, str::Chars};

/// Conversion that a `%` specifies.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Spec {
    /// `%s`.
    Plain,
    /// `%d`.
    Number,
    /// `%i`.
    Integer,
    /// `%o`.
    Object,
    /// `%e`, or `%18e` with the number of decimals.
    Exponent(Option<usize>),
    /// `%x`.
    Hex,
}

/// Formats values by a format string. Values left over are appended, separated by spaces.
pub(super) fn format(format: &str, values: &[DynSolValue]) -> String {
    let mut values = values.iter();
    let mut out = String::with_capacity(format.len());
    let mut chars = format.chars().peekable();
    while let Some(c) = chars.next() {
        if c != '%' {
            out.push(c);
            continue;
        }
        if chars.next_if_eq(&'%').is_some() {
            out.push('%');
            continue;
        }
        let mut ahead = chars.clone();
        match spec(&mut ahead).and_then(|spec| Some((spec, values.next()?))) {
            Some((spec, value)) => {
                out.push_str(&show(value, spec));
                chars = ahead;
            }
            None => out.push('%'),
        }
    }
    for value in values {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(&show(value, Spec::Plain));
    }
    out
}

fn spec(chars: &mut Peekable<Chars<'_>>) -> Option<Spec> {
    let mut digits = String::new();
    while let Some(digit) = chars.next_if(char::is_ascii_digit) {
        digits.push(digit);
    }
    let spec = match chars.next()? {
        'e' => {
            let decimals = (!digits.is_empty()).then(|| digits.parse::<u16>().map(usize::from));
            return decimals.transpose().ok().map(Spec::Exponent);
        }
        's' => Spec::Plain,
        'd' => Spec::Number,
        'i' => Spec::Integer,
        'o' => Spec::Object,
        'x' => Spec::Hex,
        _ => return None,
    };
    digits.is_empty().then_some(spec)
}

fn show(value: &DynSolValue, spec: Spec) -> String {
    match (value, spec) {
        (_, Spec::Plain)
        | (DynSolValue::Uint(..) | DynSolValue::Int(..), Spec::Object | Spec::Number | Spec::Integer) => {
            value_text::plain(value)
        }
        (DynSolValue::Uint(value, _), Spec::Hex) => format!("{value:#x}"),
        (DynSolValue::Int(value, _), Spec::Hex) => format!("{:#x}", value.into_raw()),
        (DynSolValue::Uint(value, _), Spec::Exponent(decimals)) => exponent(*value, decimals),
        (DynSolValue::Int(value, _), Spec::Exponent(decimals)) => {
            let (sign, magnitude) = value.into_sign_and_abs();
            format!("{}{}", minus(sign), exponent(magnitude, decimals))
        }
        (DynSolValue::Bool(value), Spec::Number) => u8::from(*value).to_string(),
        (DynSolValue::Address(_) | DynSolValue::Bytes(_) | DynSolValue::FixedBytes(..), Spec::Hex) => {
            value_text::plain(value)
        }
        (_, Spec::Object) => format!("'{}'", value_text::plain(value)),
        _ => "NaN".to_owned(),
    }
}

fn minus(sign: Sign) -> &'static str {
    if sign == Sign::Negative { "-" } else { "" }
}

/// Formats a number in units of `10^decimals`, or without `decimals` in scientific notation.
fn exponent(value: U256, decimals: Option<usize>) -> String {
    let digits = value.to_string();
    let places = decimals.unwrap_or(digits.len() - 1);
    let padded = "0".repeat((places + 1).saturating_sub(digits.len())) + &digits;
    let (whole, fraction) = padded.split_at(padded.len() - places);
    let fraction = fraction.trim_end_matches('0');
    let point = if fraction.is_empty() { "" } else { "." };
    let suffix = if decimals.is_none() { format!("e{places}") } else { String::new() };
    format!("{whole}{point}{fraction}{suffix}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn uint(value: u64) -> DynSolValue {
        DynSolValue::Uint(U256::from(value), 256)
    }

    #[test]
    fn numbers_take_every_specifier() {
        insta::assert_snapshot!(
            format("%s %d %i %o %x", &[uint(10), uint(11), uint(12), uint(13), uint(255)]),
            @"10 11 12 13 0xff"
        );
        insta::assert_snapshot!(
            format("%e %18e %2e", &[uint(1_234_000), uint(1_500_000_000_000_000_000), uint(5)]),
            @"1.234e6 1.5 0.05"
        );
    }

    #[test]
    fn no_number_of_decimals_is_too_many() {
        assert_eq!(format("%65535e", &[uint(1)]).len(), "0.".len() + 65535);
        assert_eq!(format("%65536e", &[uint(1)]), "%65536e 1");
        assert_eq!(format("%18446744073709551615e", &[uint(1)]), "%18446744073709551615e 1");
    }

    #[test]
    fn what_is_not_a_number_is_nan() {
        let text = || DynSolValue::String("x".into());
        insta::assert_snapshot!(
            format("%d %i %o", &[text(), DynSolValue::Bool(true), text()]),
            @"NaN NaN 'x'"
        );
    }

    #[test]
    fn percent_signs_without_a_value_stay() {
        insta::assert_snapshot!(format("100%% of %s", &[]), @"100% of %s");
        insta::assert_snapshot!(format("%q", &[uint(1)]), @"%q 1");
    }
}
