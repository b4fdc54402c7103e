//! Forge's own list of cheatcodes: names for what we lack, and the ABI that traces are decoded with.

use alloy_json_abi::{Function, JsonAbi};
use alloy_primitives::{Selector, hex};
use std::{collections::HashMap, sync::LazyLock};

/// One cheatcode a line, `name(parameters)(returns)`, structs as tuples.
const LIST: &str = include_str!("forge-1.7.1.txt");

static FUNCTIONS: LazyLock<HashMap<Selector, Function>> =
    LazyLock::new(|| LIST.lines().map(parse).map(|function| (function.selector(), function)).collect());

static ABI: LazyLock<JsonAbi> = LazyLock::new(|| {
    let mut abi = JsonAbi::new();
    for function in LIST.lines().map(parse) {
        abi.functions.entry(function.name.clone()).or_default().push(function);
    }
    abi
});

fn parse(line: &str) -> Function {
    let mut depth = 0;
    let end = line.find(|c| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        c == ')' && depth == 0
    });
    let (signature, returns) = line.split_at(end.map_or(line.len(), |end| end + 1));
    let text = if returns == "()" { signature.to_owned() } else { format!("{signature} returns {returns}") };
    Function::parse(&text).unwrap_or_else(|error| panic!("{line} in the list of cheatcodes: {error}"))
}

/// The cheatcode with this selector in Forge 1.7.1, whether we have it or not.
pub(super) fn function(selector: Selector) -> Option<&'static Function> {
    FUNCTIONS.get(&selector)
}

/// The ABI of all cheatcodes of Forge 1.7.1, in Forge's names and types.
pub(crate) fn abi() -> &'static JsonAbi {
    &ABI
}

/// What a call of a cheatcode that we lack reverts with.
pub(super) fn unknown_selector(selector: &[u8]) -> String {
    let known = selector.first_chunk().and_then(|selector| function(Selector::new(*selector)));
    match known {
        Some(function) => format!("vm.{}: not supported by forge-harvey yet", function.signature()),
        None => format!(
            "unknown cheatcode with selector {}; you may have a mismatch between the `Vm` interface \
             (likely in `forge-std`) and the `forge` version",
            hex::encode_prefixed(selector)
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evm::cheats::{
        asserts,
        vm::Vm::{self, VmCalls},
    };
    use alloy_sol_types::{SolCall, SolInterface};

    #[test]
    fn every_cheatcode_of_ours_is_one_of_forges() {
        let ours = VmCalls::selectors().map(Selector::new).chain(asserts::selectors());
        let strangers: Vec<_> = ours.filter(|selector| function(*selector).is_none()).collect();
        let internal = [
            Vm::_expectCheatcodeRevert_2Call::SELECTOR,
            Vm::_expectCheatcodeRevert_0Call::SELECTOR,
            Vm::_expectCheatcodeRevert_1Call::SELECTOR,
        ];
        assert_eq!(strangers, internal.map(Selector::new));
    }

    #[test]
    fn a_cheatcode_that_we_lack_is_called_by_its_name() {
        insta::assert_snapshot!(
            unknown_selector(&hex!("6d016688")),
            @"vm.expectSafeMemory(uint64,uint64): not supported by forge-harvey yet"
        );
        insta::assert_snapshot!(
            unknown_selector(&hex!("deadbeef")),
            @"unknown cheatcode with selector 0xdeadbeef; you may have a mismatch between the `Vm` interface (likely in `forge-std`) and the `forge` version"
        );
    }

    #[test]
    fn returns_are_told_from_parameters() {
        let function = function(Selector::new(hex!("b25c5a25"))).unwrap();
        assert_eq!(
            function.signature_with_outputs(),
            "sign((address,uint256,uint256,uint256),bytes32)(uint8,bytes32,bytes32)"
        );
        assert_eq!(abi().functions.values().flatten().count(), 544);
    }
}
