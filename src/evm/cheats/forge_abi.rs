//! Forge's lists of cheatcodes: the ABI for decoding traces.

use alloy_json_abi::{Function, JsonAbi};
use alloy_primitives::{Selector, hex};
use std::sync::LazyLock;

/// Cheatcodes that are supported, one per line: `name(parameters)(returns)`, with structs as tuples. The first list
/// is that of Forge 1.7.1, the second one has those that came with 1.8.
const SUPPORTED: [&str; 2] = [include_str!("forge-1.7.1.txt"), include_str!("forge-1.8.txt")];

/// Cheatcodes of Forge 1.8 for networks of the kind of Tempo, which are not supported.
const TEMPO: &str = include_str!("forge-1.8-tempo.txt");

static ABI: LazyLock<JsonAbi> = LazyLock::new(|| {
    let mut abi = JsonAbi::new();
    for function in SUPPORTED.iter().chain([&TEMPO]).flat_map(|list| functions(list)) {
        abi.functions.entry(function.name.clone()).or_default().push(function);
    }
    abi
});

fn functions(list: &str) -> impl Iterator<Item = Function> {
    list.lines().map(parse)
}

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

/// Returns the ABI of all cheatcodes of Forge 1.8, with Forge's names and types.
pub(crate) fn abi() -> &'static JsonAbi {
    &ABI
}

/// Returns the message with which calls of unknown and unsupported cheatcodes revert.
pub(super) fn unsupported(selector: [u8; 4]) -> String {
    if let Some(function) = functions(TEMPO).find(|function| function.selector() == Selector::new(selector)) {
        return format!(
            "vm.{}: this cheatcode is for Tempo networks, which are not supported",
            function.name
        );
    }
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
    use alloy_sol_types::{SolCall, SolInterface};
    use std::collections::BTreeSet;

    fn selectors(list: &str) -> BTreeSet<Selector> {
        functions(list).map(|function| function.selector()).collect()
    }

    fn written(text: &str) -> BTreeSet<Selector> {
        text.split_whitespace().map(|digits| digits.parse().unwrap()).collect()
    }

    #[test]
    fn our_cheatcodes_are_forges() {
        let forges: BTreeSet<_> = SUPPORTED.iter().flat_map(|list| selectors(list)).collect();
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
        assert_eq!(ours.difference(&forges).copied().collect::<BTreeSet<_>>(), internal);
    }

    #[test]
    fn the_selectors_of_1_8_are_those_of_its_own_list() {
        // From Foundry's crates/cheatcodes/assets/cheatcodes.json.
        let new = written(
            "031661fc 04eedcdf 0d0d2f41 13d5a709 17a5dbab 1af9eefc 273b74f8 32730d81 36ad14a2 3d6ac1e7 45b12879
             50ddbb4e 586afa51 5fc56675 6be16ce7 6c254276 73317cb5 7daa5e28 80db71c1 887da112 88b70aff 88d60faa
             8d792033 9519f228 995d5b03 9d7824a8 a7b8152a b3d931af b4bc5617 b95207cc beb87f44 c32ef60d c37b8f00
             c74ca094 cbfdcaa6 cc9d6da5 cdb6e4ac cdf7c6c4 d1422c93 d503fb9e ddeecb75 ea1f44aa f147484e fa78931b
             fcc0379f 37c7cf5e e0c3bdd9 12d14123",
        );
        assert_eq!(selectors(SUPPORTED[1]), new);
        let tempo = written(
            "256edb36 3040e515 4e134a2c 5804c690 7c8cd6d2 a8da6aa7 b452dc23 bc5fb2f7 cbe45e4f d450e23a",
        );
        assert_eq!(selectors(TEMPO), tempo);
        assert!(tempo.iter().all(|selector| !VmCalls::valid_selector(selector.0)));
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
        assert_eq!(SUPPORTED[0].lines().count(), 544);
    }

    #[test]
    fn cheatcodes_of_tempo_say_so() {
        insta::assert_snapshot!(
            unsupported(hex!("256edb36")),
            @"vm.setLogoURI: this cheatcode is for Tempo networks, which are not supported"
        );
        assert!(unsupported([0; 4]).starts_with("unknown cheatcode with selector 0x00000000;"));
    }
}
