//! First invariant suite for a contract, to be completed by its author.

use alloy_json_abi::{JsonAbi, Param, StateMutability};
use std::fmt::Write as _;

/// Data about the contract and the project of a suite.
#[derive(Clone, Debug)]
pub struct Starter<'a> {
    /// Name of the contract.
    pub name: &'a str,
    /// Import path of the source in the suite: `../src/Vault.sol`.
    pub import: &'a str,
    /// Name of the contract in cheatcodes: `src/Vault.sol:Vault`.
    pub artifact: &'a str,
    /// Interface of the contract.
    pub abi: &'a JsonAbi,
    /// Encoded arguments of its constructor, for types that have no literals.
    pub encoded: String,
    /// True if the project has forge-std.
    pub forge_std: bool,
}

/// Name of the variable that holds the contract. It is fixed, since the contract's own name may be a keyword
/// or a name of forge-std.
const FIELD: &str = "subject";

/// Most getters named as examples.
const EXAMPLES: usize = 4;

/// Returns the name of the suite.
#[must_use]
pub fn name(contract: &str) -> String {
    format!("{contract}Invariants")
}

/// Writes the text of the suite.
#[must_use]
pub fn suite(starter: &Starter<'_>) -> String {
    let Starter { name, import, forge_std, .. } = starter;
    let (test, field) = (self::name(name), FIELD);
    let (head, base, add) = if *forge_std {
        (
            "import {Test} from \"forge-std/Test.sol\";\n",
            " is Test",
            format!("        targetContract(address({field}));\n"),
        )
    } else {
        ("", "", String::new())
    };
    let setup = deployment(starter);
    let targets = if *forge_std { String::new() } else { targets(field) };
    let holds = if *forge_std {
        format!("assertGt(address({field}).code.length, 0);")
    } else {
        format!("require(address({field}).code.length > 0, \"it is gone\");")
    };
    format!(
        "// SPDX-License-Identifier: UNLICENSED\n\
         pragma solidity >=0.8.0;\n\n\
         {head}import {{{name}}} from \"{import}\";\n{vm}\n\
         contract {test}{base} {{\n\
         \x20   {name} internal {field};\n\n\
         \x20   function setUp() public {{\n{setup}{add}    }}\n{targets}\n\
         \x20   /// Say here what holds whatever is called{examples}.\n\
         \x20   function invariant_isThere() public view {{\n        {holds}\n    }}\n}}\n",
        vm = if *forge_std || !needs_cheatcode(starter) { "" } else { VM },
        examples = examples(starter.abi),
    )
}

/// Cheatcode that deploys contracts from artifacts, for projects without forge-std.
const VM: &str = "
interface Vm {
    function deployCode(string calldata artifact, bytes calldata args) external returns (address);
}

Vm constant vm = Vm(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D);
";

fn targets(field: &str) -> String {
    format!(
        "\n    function targetContracts() public view returns (address[] memory targets) {{\n        \
         targets = new address[](1);\n        targets[0] = address({field});\n    }}\n"
    )
}

fn inputs<'a>(starter: &Starter<'a>) -> &'a [Param] {
    starter.abi.constructor().map(|constructor| &constructor.inputs[..]).unwrap_or_default()
}

fn needs_cheatcode(starter: &Starter<'_>) -> bool {
    inputs(starter).iter().any(|param| literal(param).is_none())
}

/// Writes the statement that deploys the contract. Its arguments are placeholders, each with the name of its
/// parameter.
fn deployment(starter: &Starter<'_>) -> String {
    let (name, field) = (starter.name, FIELD);
    let inputs = inputs(starter);
    let literals: Option<Vec<_>> = inputs.iter().map(literal).collect();
    let note = if inputs.is_empty() { "" } else { "        // The arguments are placeholders.\n" };
    let Some(literals) = literals else {
        let payable = if is_payable(starter.abi) { "payable(" } else { "" };
        let close = if is_payable(starter.abi) { ")" } else { "" };
        let params: Vec<_> = inputs.iter().map(|param| format!("{} {}", param.ty, param.name)).collect();
        return format!(
            "        // The arguments are placeholders: ({}).\n        {field} = {name}(\n            \
             {payable}{cheat}(\"{artifact}\", hex\"{encoded}\"){close}\n        );\n",
            params.join(", "),
            cheat = if starter.forge_std { "deployCode" } else { "vm.deployCode" },
            artifact = starter.artifact,
            encoded = starter.encoded,
        );
    };
    let named = inputs.iter().zip(literals).map(|(param, literal)| match &*param.name {
        "" => literal,
        name => format!("/* {name} */ {literal}"),
    });
    format!("{note}        {field} = new {name}({});\n", named.collect::<Vec<_>>().join(", "))
}

/// Returns a literal for a parameter, if its type needs no import.
fn literal(param: &Param) -> Option<String> {
    let is_of_project = param.internal_type().is_some_and(|kind| match kind.as_other() {
        Some((contract, ty)) => contract.is_some() || ty != param.ty,
        None => !kind.is_address_payable(),
    });
    if is_of_project {
        return None;
    }
    if param.internal_type().is_some_and(|kind| kind.is_address_payable()) {
        return Some("payable(address(this))".to_owned());
    }
    let digits = |prefix: &str| param.ty.strip_prefix(prefix)?.parse::<usize>().ok();
    match &*param.ty {
        "address" => Some("address(this)".to_owned()),
        "bool" => Some("true".to_owned()),
        "string" => Some(format!("\"{}\"", if param.name.is_empty() { "text" } else { &param.name })),
        "bytes" => Some("hex\"\"".to_owned()),
        _ if digits("uint").is_some() || digits("int").is_some() => Some("1".to_owned()),
        _ => digits("bytes").map(|size| format!("bytes{size}(uint{}(1))", size * 8)),
    }
}

fn is_payable(abi: &JsonAbi) -> bool {
    let payable = |fallback: &alloy_json_abi::Fallback| fallback.state_mutability == StateMutability::Payable;
    abi.receive.is_some() || abi.fallback.as_ref().is_some_and(payable)
}

/// Lists some getters: `, for example of total(), owner()`.
fn examples(abi: &JsonAbi) -> String {
    let getters = abi.functions().filter(|function| {
        function.inputs.is_empty()
            && !function.outputs.is_empty()
            && matches!(function.state_mutability, StateMutability::View | StateMutability::Pure)
    });
    let mut text = String::new();
    for (index, getter) in getters.take(EXAMPLES).enumerate() {
        let start = if index == 0 { ", for example of " } else { ", " };
        let _ = write!(text, "{start}{}()", getter.name);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made(constructor: &str, forge_std: bool) -> String {
        let abi = JsonAbi::parse([
            constructor,
            "function total() view returns (uint256)",
            "function pay(uint256 amount)",
        ])
        .unwrap();
        suite(&Starter {
            name: "Vault",
            import: "../src/Vault.sol",
            artifact: "src/Vault.sol:Vault",
            abi: &abi,
            encoded: "00ff".to_owned(),
            forge_std,
        })
    }

    #[test]
    fn a_contract_is_deployed_with_placeholders() {
        insta::assert_snapshot!(made("constructor(address owner, uint64, string name, bytes32 salt)", true), @r#"
        // SPDX-License-Identifier: UNLICENSED
        pragma solidity >=0.8.0;

        import {Test} from "forge-std/Test.sol";
        import {Vault} from "../src/Vault.sol";

        contract VaultInvariants is Test {
            Vault internal subject;

            function setUp() public {
                // The arguments are placeholders.
                subject = new Vault(/* owner */ address(this), 1, /* name */ "name", /* salt */ bytes32(uint256(1)));
                targetContract(address(subject));
            }

            /// Say here what holds whatever is called, for example of total().
            function invariant_isThere() public view {
                assertGt(address(subject).code.length, 0);
            }
        }
        "#);
    }

    #[test]
    fn without_forge_std_a_suite_stands_on_its_own() {
        insta::assert_snapshot!(made("constructor(uint256[2] caps)", false), @r#"
        // SPDX-License-Identifier: UNLICENSED
        pragma solidity >=0.8.0;

        import {Vault} from "../src/Vault.sol";

        interface Vm {
            function deployCode(string calldata artifact, bytes calldata args) external returns (address);
        }

        Vm constant vm = Vm(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D);

        contract VaultInvariants {
            Vault internal subject;

            function setUp() public {
                // The arguments are placeholders: (uint256[2] caps).
                subject = Vault(
                    vm.deployCode("src/Vault.sol:Vault", hex"00ff")
                );
            }

            function targetContracts() public view returns (address[] memory targets) {
                targets = new address[](1);
                targets[0] = address(subject);
            }

            /// Say here what holds whatever is called, for example of total().
            function invariant_isThere() public view {
                require(address(subject).code.length > 0, "it is gone");
            }
        }
        "#);
    }
}
