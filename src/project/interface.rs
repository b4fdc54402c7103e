//! Parts of a source whose code may be in tests, if tests are linked dynamically.
//!
//! A test contains no code of the contracts that it creates, but that of libraries and free functions, and the values
//! of constants. foundry-compilers compiles it again if the source has changed in these parts (`interface_repr` of its
//! cache, which is not public). The functions of contracts are not among them, but their headers are, if others may
//! call them.

use super::sources::{parsed, relative_span};
use solar::{
    ast::{ContractKind, FunctionKind, ItemContract, ItemKind, Visibility},
    interface::Span,
    sema::Source,
};
use std::path::PathBuf;

/// Tells whether two texts of a source differ in these parts. Texts that cannot be parsed do.
pub(super) fn differ(one: &str, other: &str) -> bool {
    let texts = [one, other].into_iter().enumerate();
    let named = texts.map(|(index, text)| (PathBuf::from(format!("{index}.sol")), text.to_owned()));
    let parsed = parsed(named.collect());
    parsed.enter_sequential(|compiler| {
        let mut interfaces = compiler.gcx().sources.iter().map(interface);
        match (interfaces.next().flatten(), interfaces.next().flatten()) {
            (Some(one), Some(other)) => one != other,
            _ => true,
        }
    })
}

/// Returns a source without the functions of its contracts. `None` if it was not parsed.
fn interface(source: &Source<'_>) -> Option<String> {
    let contracts = source.ast.as_ref()?.items.iter().filter_map(|item| match &item.kind {
        ItemKind::Contract(contract) => Some(contract),
        _ => None,
    });
    let mut rest = source.file.src.as_str();
    let mut kept = String::new();
    let mut start = 0;
    for span in contracts.flat_map(hidden) {
        let range = relative_span(source, span);
        let (before, after) = rest.split_at_checked(range.start - start)?;
        kept += before;
        rest = after.get(range.len()..)?;
        start = range.end;
    }
    Some(kept + rest)
}

/// Returns the places of a contract that are not in the code of others, in their order.
fn hidden<'a>(contract: &'a ItemContract<'_>) -> impl Iterator<Item = Span> + 'a {
    let is_whole = matches!(contract.kind, ContractKind::Interface | ContractKind::Library);
    contract.body.iter().filter(move |_| !is_whole).filter_map(|item| {
        let ItemKind::Function(function) = &item.kind else { return None };
        let is_exposed = match function.kind {
            FunctionKind::Function => {
                function.header.visibility.is_some_and(|visibility| *visibility >= Visibility::Public)
            }
            FunctionKind::Modifier => false,
            FunctionKind::Constructor | FunctionKind::Fallback | FunctionKind::Receive => true,
        };
        Some(if is_exposed { function.body_span } else { item.span })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCE: &str = "
        function free(uint256 x) pure returns (uint256) { return x + 1; }
        library Lib { function twice(uint256 x) internal pure returns (uint256) { return x + 2; } }
        abstract contract Base {
            uint256 constant LIMIT = 3;
            modifier once() { require(LIMIT > 4); _; }
            function inner() internal pure returns (uint256) { return 5; }
            function shown(uint256 x) external view virtual returns (uint256);
            constructor() { assert(LIMIT != 6); }
            receive() external payable { assert(LIMIT != 7); }
            function open(uint8) public pure returns (uint256) { return 9; }
        }";

    #[test]
    fn libraries_free_functions_constants_and_headers_may_be_in_tests() {
        let differs = |before: &str, after: &str| {
            assert!(SOURCE.contains(before));
            differ(SOURCE, &SOURCE.replacen(before, after, 1))
        };
        for (before, after) in
            [("x + 1", "x"), ("x + 2", "x"), ("= 3", "= 0"), ("uint8", "uint16"), ("view", "pure")]
        {
            assert!(differs(before, after), "{before}");
        }
        for (before, after) in
            [("> 4", "> 0"), ("5;", "0;"), ("!= 6", "!= 0"), ("!= 7", "!= 0"), ("9;", "0;")]
        {
            assert!(!differs(before, after), "{before}");
        }
        assert!(differs("contract", "broken"));
    }
}
