//! Redaction of secrets in traces: arguments and results of cheatcodes that are private keys, values of
//! environment variables, node addresses or files. Placeholders are those of Forge. Secrets that Forge shows
//! are hidden as well.

use alloy_dyn_abi::DynSolValue;
use alloy_json_abi::Function;

/// Placeholder for private keys, and for mnemonics that they are derived from.
pub(in crate::evm) const KEY: &str = "<pk>";
const NODE: &str = "<rpc url>";
const VARIABLE: &str = "<env var value>";
const SECRET: &str = "<secret>";
const FILE: &str = "<file>";

/// Tells whether all arguments of a cheatcode are hidden.
pub(in crate::evm) fn hides_arguments(function: &Function) -> bool {
    let first = function.inputs.first().map(|input| input.ty.as_str());
    match function.name.as_str() {
        "addr" | "createWallet" | "deriveKey" | "rememberKey" | "rememberKeys" | "createEd25519Key" => true,
        "broadcast" | "startBroadcast" => first == Some("uint256"),
        "getNonce" => first == Some("tuple"),
        _ => false,
    }
}

/// Returns the placeholder for an argument of a cheatcode, if it is hidden.
pub(in crate::evm) fn argument(
    function: &Function,
    index: usize,
    value: &DynSolValue,
) -> Option<&'static str> {
    let kind = function.inputs.get(index)?.ty.as_str();
    match (function.name.as_str(), index) {
        ("sign" | "signCompact" | "signP256" | "signWithNonceUnsafe" | "publicKeyP256", 0) => {
            (kind == "uint256" || kind == "tuple").then_some(KEY)
        }
        ("signDelegation" | "signAndAttachDelegation", 1) | ("signEd25519", 2) | ("publicKeyEd25519", 0) => {
            Some(KEY)
        }
        // Names of nodes are shown.
        ("createFork" | "createSelectFork" | "rpc" | "rpcJson", 0) => {
            value.as_str().is_some_and(|address| address.contains("://")).then_some(NODE)
        }
        _ => None,
    }
}

/// Returns the placeholder for the result of a cheatcode, if it is hidden.
pub(in crate::evm) fn result(name: &str) -> Option<&'static str> {
    match name {
        "resolveEnv" => Some(VARIABLE),
        name if name.starts_with("env") => Some(VARIABLE),
        "createWallet" | "deriveKey" | "createEd25519Key" => Some(KEY),
        "promptSecret" | "promptSecretUint" => Some(SECRET),
        "rpcUrl" | "rpcUrls" | "rpcUrlStructs" => Some(NODE),
        "readFile" => Some(FILE),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hidden(signature: &str, index: usize, value: &str) -> Option<&'static str> {
        let function = Function::parse(signature).unwrap();
        argument(&function, index, &DynSolValue::String(value.to_owned()))
    }

    #[test]
    fn keys_are_hidden_wherever_they_stand() {
        assert_eq!(hidden("sign(uint256,bytes32)", 0, ""), Some(KEY));
        assert_eq!(hidden("sign(address,bytes32)", 0, ""), None);
        assert_eq!(hidden("signDelegation(address,uint256)", 1, ""), Some(KEY));
        assert!(hides_arguments(&Function::parse("broadcast(uint256)").unwrap()));
        assert!(!hides_arguments(&Function::parse("broadcast(address)").unwrap()));
    }

    #[test]
    fn addresses_of_nodes_are_hidden_and_their_names_are_not() {
        assert_eq!(hidden("createFork(string)", 0, "https://node.example/key"), Some(NODE));
        assert_eq!(hidden("createFork(string)", 0, "mainnet"), None);
    }

    #[test]
    fn values_of_variables_are_hidden() {
        assert_eq!(result("envUint"), Some(VARIABLE));
        assert_eq!(result("setNonce"), None);
    }
}
