//! Forge's list of cheatcodes: the ABI for decoding traces.

use alloy_json_abi::{Function, JsonAbi};
use alloy_primitives::hex;
use std::sync::LazyLock;

/// List of cheatcodes, one per line: `name(parameters)(returns)`, with structs as tuples.
const LIST: &str = include_str!("forge-1.7.1.txt");

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

/// Returns the ABI of all cheatcodes of Forge 1.7.1, with Forge's names and types.
pub(crate) fn abi() -> &'static JsonAbi {
    &ABI
}

/// Returns the message with which calls of unknown cheatcodes revert.
pub(super) fn unknown_selector(selector: &[u8]) -> String {
    format!(
        "unknown cheatcode with selector {}; you may have a mismatch between the `Vm` interface \
         (likely in `forge-std`) and the `forge` version",
        hex::encode_prefixed(selector)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evm::cheats::{
        asserts,
        vm::Vm::{self, VmCalls},
    };
    use alloy_primitives::Selector;
    use alloy_sol_types::{SolCall, SolInterface};
    use std::collections::BTreeSet;

    #[test]
    fn our_cheatcodes_are_forges() {
        let forges: BTreeSet<_> = abi().functions().map(Function::selector).collect();
        let ours: BTreeSet<_> = VmCalls::selectors().map(Selector::new).chain(asserts::selectors()).collect();
        assert_eq!(forges.difference(&ours).next(), None);
        // forge-std tests itself with these internal cheatcodes; Forge's list does not contain them.
        let internal: BTreeSet<_> = [
            Vm::_expectCheatcodeRevert_0Call::SELECTOR,
            Vm::_expectCheatcodeRevert_1Call::SELECTOR,
            Vm::_expectCheatcodeRevert_2Call::SELECTOR,
        ]
        .map(Selector::new)
        .into();
        // Those of Forge 1.8.
        let newer: BTreeSet<_> = [
            Vm::registerSloadHookCall::SELECTOR,
            Vm::registerSstoreHookCall::SELECTOR,
            Vm::registerMappingSstoreHookCall::SELECTOR,
        ]
        .map(Selector::new)
        .into();
        assert_eq!(ours.difference(&forges).copied().collect::<BTreeSet<_>>(), &internal | &newer);
    }

    #[test]
    fn returns_are_told_from_parameters() {
        let function =
            abi().functions["sign"].iter().find(|function| function.selector() == hex!("b25c5a25"));
        let function = function.unwrap();
        assert_eq!(
            function.signature_with_outputs(),
            "sign((address,uint256,uint256,uint256),bytes32)(uint8,bytes32,bytes32)"
        );
        assert_eq!(abi().functions.values().flatten().count(), 544);
    }
}
