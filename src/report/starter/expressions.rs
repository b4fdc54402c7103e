//! Expressions and numbers of the generated source.

use alloy_dyn_abi::DynSolType;
use alloy_primitives::U256;

/// Returns the name of an elementary type.
pub(super) fn elementary(ty: &DynSolType) -> String {
    ty.sol_type_name().into_owned()
}

/// Converts an expression of 256 bits to a number type.
pub(super) fn cast(ty: &DynSolType, expression: &str) -> String {
    match ty {
        DynSolType::Uint(256) | DynSolType::Int(256) => expression.to_owned(),
        ty => format!("{}({expression})", elementary(ty)),
    }
}

/// Converts a word to a type of one word.
pub(super) fn from_word(ty: &DynSolType, word: &str) -> String {
    match ty {
        DynSolType::Bool => format!("{word} % 2 == 1"),
        DynSolType::Address => format!("address(uint160({word}))"),
        DynSolType::Int(256) => format!("int256({word})"),
        DynSolType::Int(bits) => format!("int{bits}(int256({word}))"),
        DynSolType::FixedBytes(size) => format!("bytes{size}(bytes32({word}))"),
        ty => cast(ty, word),
    }
}

/// Writes the zero value of a type.
pub(super) fn zero(ty: &DynSolType) -> String {
    match ty {
        DynSolType::Bool => "false".to_owned(),
        DynSolType::Address => "address(0)".to_owned(),
        DynSolType::FixedBytes(size) => format!("bytes{size}(0)"),
        DynSolType::String => "\"\"".to_owned(),
        DynSolType::Bytes => "hex\"\"".to_owned(),
        _ => "0".to_owned(),
    }
}

/// Writes a number as people do.
pub(super) fn number(number: U256) -> String {
    let ether = U256::from(10).pow(U256::from(18));
    let day = U256::from(86_400);
    match number {
        _ if number == U256::MAX => "type(uint256).max".to_owned(),
        _ if !number.is_zero() && (number % ether).is_zero() => format!("{} ether", grouped(number / ether)),
        _ if number == day * U256::from(30) => "30 days".to_owned(),
        _ => grouped(number),
    }
}

/// Writes a number with `_` between thousands.
fn grouped(number: U256) -> String {
    let digits = number.to_string();
    if digits.len() < 5 {
        return digits;
    }
    let groups: Vec<_> = digits.as_bytes().rchunks(3).rev().map(String::from_utf8_lossy).collect();
    groups.join("_")
}

/// Maximum length of a line after its indentation, in characters.
const WIDTH: usize = 100;

/// Writes a list of items in one line, or each in a line of its own if that is too long.
pub(super) fn folded(start: &str, items: &[String], end: &str) -> String {
    let line = format!("{start}{}{end}", items.join(", "));
    match line.len() <= WIDTH {
        true => line,
        false => format!("{start}\n    {}\n{end}", items.join(",\n    ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_as_people_do() {
        let ether = U256::from(10).pow(U256::from(18));
        let shown = [U256::ZERO, U256::from(9999), U256::from(10_000), ether * U256::from(1500), U256::MAX];
        let shown: Vec<String> = shown.into_iter().map(number).collect();
        assert_eq!(shown, ["0", "9999", "10_000", "1500 ether", "type(uint256).max"]);
    }
}
