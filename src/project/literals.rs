//! Literals in the sources, for the fuzzer's dictionary.

use crate::project::sources::Sources;
use alloy_primitives::{Bytes, U256};
use solar::ast::{Expr, ExprKind, Lit, LitKind, StrKind, UnOpKind, visit::Visit};
use std::{collections::BTreeSet, convert::Infallible, ops::ControlFlow, path::Path};

/// Kind of a literal that fits into one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum WordKind {
    /// A number, multiplied by its unit such as `ether` or `days`.
    Uint,
    /// A negated number, in two's complement.
    Int,
    /// An address with a valid checksum, right-aligned.
    Address,
    /// At most 32 bytes, left-aligned: a hex string, a short string, or a hexadecimal number.
    FixedBytes,
}

/// Sets of literals, without duplicates and in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Literals {
    /// Literals that fit into one word.
    pub words: BTreeSet<(WordKind, U256)>,
    /// Strings.
    pub strings: BTreeSet<String>,
    /// Hex strings, and the bytes of strings.
    pub bytes: BTreeSet<Bytes>,
}

impl Literals {
    /// Collects the literals of all sources whose absolute path is accepted by `wanted`.
    pub(crate) fn of(sources: &Sources, wanted: impl Fn(&Path) -> bool) -> Self {
        let mut literals = Self::default();
        sources.each(|path, source| {
            if let Some(unit) = source.ast.as_ref().filter(|_| wanted(path)) {
                let ControlFlow::Continue(()) = literals.visit_source_unit(unit);
            }
        });
        literals
    }

    fn add_number(&mut self, value: U256, written: &str) {
        self.words.insert((WordKind::Uint, value));
        // A number such as `0x12345678` may be a value of type `bytes4`: each two digits are one byte.
        if let Some(digits) = written.strip_prefix("0x")
            && let length = digits.bytes().filter(|digit| *digit != b'_').count()
            && length % 2 == 0
            && length < 64
        {
            self.words.insert((WordKind::FixedBytes, value << (256 - 4 * length)));
        }
    }

    fn add_bytes(&mut self, bytes: &[u8]) {
        if bytes.len() <= 32 {
            self.words.insert((
                WordKind::FixedBytes,
                U256::try_from_be_slice(bytes).unwrap_or_default() << (256 - 8 * bytes.len()),
            ));
        }
        self.bytes.insert(Bytes::copy_from_slice(bytes));
    }
}

impl<'ast> Visit<'ast> for Literals {
    type BreakValue = Infallible;

    fn visit_expr(&mut self, expr: &'ast Expr<'ast>) -> ControlFlow<Infallible> {
        if let ExprKind::Unary(operator, operand) = &expr.kind
            && operator.kind == UnOpKind::Neg
            && let ExprKind::Lit(literal, _) = &operand.kind
            && let LitKind::Number(value) = literal.kind
        {
            self.words.insert((WordKind::Int, value.wrapping_neg()));
            return ControlFlow::Continue(());
        }
        self.walk_expr(expr)
    }

    fn visit_lit(&mut self, literal: &'ast Lit<'ast>) -> ControlFlow<Infallible> {
        match &literal.kind {
            LitKind::Number(value) => self.add_number(*value, literal.symbol.as_str()),
            LitKind::Address(address) => {
                self.words.insert((WordKind::Address, address.into_word().into()));
            }
            LitKind::Str(kind, value, _) => {
                let bytes = value.as_byte_str();
                self.add_bytes(bytes);
                if *kind != StrKind::Hex
                    && let Ok(text) = std::str::from_utf8(bytes)
                {
                    self.strings.insert(text.to_owned());
                }
            }
            LitKind::Rational(_) | LitKind::Bool(_) | LitKind::Err(_) => {}
        }
        ControlFlow::Continue(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::project::sources::tests::parsed;

    fn literals(expressions: &str) -> String {
        let (_directory, sources) =
            parsed(&format!("contract A {{ function f() public {{ {expressions} }} }}"));
        let Literals { words, strings, bytes } = Literals::of(&sources, |_| true);
        let words = words.iter().map(|(kind, word)| match kind {
            WordKind::Uint => format!("uint {word}"),
            WordKind::Int => format!("int -{}", word.wrapping_neg()),
            WordKind::Address | WordKind::FixedBytes => format!("{kind:?} {word:#066x}"),
        });
        let strings = strings.iter().map(|text| format!("string {text:?}"));
        let bytes = bytes.iter().map(|bytes| format!("bytes {bytes}"));
        words.chain(strings).chain(bytes).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn numbers_are_evaluated_with_their_units_and_signs() {
        insta::assert_snapshot!(
            literals("x = 42; x = 1_000; x = 0.5 ether; x = 2 days; x = -7; x = 1e3; y = 0x2a;"),
            @r"
        uint 42
        uint 1000
        uint 172800
        uint 500000000000000000
        int -7
        FixedBytes 0x2a00000000000000000000000000000000000000000000000000000000000000
        "
        );
    }

    #[test]
    fn addresses_strings_and_bytes_keep_their_kind() {
        insta::assert_snapshot!(
            literals(r#"x = 0x1804c8AB1F12E6bbf3894d4083f33e07309d1f38; s = "abc"; b = hex"00ff"; t = "";"#),
            @r#"
        Address 0x0000000000000000000000001804c8ab1f12e6bbf3894d4083f33e07309d1f38
        FixedBytes 0x0000000000000000000000000000000000000000000000000000000000000000
        FixedBytes 0x00ff000000000000000000000000000000000000000000000000000000000000
        FixedBytes 0x6162630000000000000000000000000000000000000000000000000000000000
        string ""
        string "abc"
        bytes 0x
        bytes 0x00ff
        bytes 0x616263
        "#
        );
    }

    #[test]
    fn literals_of_inline_assembly_count() {
        assert_eq!(literals("assembly { x := add(1, 2) }"), "uint 1\nuint 2");
    }
}
