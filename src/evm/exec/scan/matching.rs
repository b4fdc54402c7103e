//! Contracts that the names and types of parameters mean.

use super::tokens::{is_of_token, is_token};
use crate::model::Deployment;
use alloy_json_abi::{InternalType, JsonAbi, Param};

/// Minimum length of a name that may be a part of another.
const SHORTEST: usize = 3;

/// Tells whether the name of a parameter of type `address` suggests a deployed contract.
pub(crate) fn suggests(param: &str, built: &Deployment) -> bool {
    resembles(param, built.contract.bare_name())
}

/// Tells whether the name of a parameter of type `address` means a deployed contract with this interface.
pub(crate) fn means(param: &str, built: &Deployment, abi: &JsonAbi) -> bool {
    suggests(param, built) || is_of_token(param) && is_token(abi)
}

/// Tells whether a parameter is an address that may be any contract.
pub(crate) fn is_plain_address(param: &Param) -> bool {
    param.ty == "address" && !matches!(param.internal_type(), Some(InternalType::Contract(_)))
}

/// Tells whether one name contains the other, apart from case and underscores, as `_log` and `LogFile` do.
pub(super) fn resembles(param: &str, contract: &str) -> bool {
    let plain = |name: &str| name.replace('_', "").to_lowercase();
    let (param, contract) = (plain(param), plain(contract));
    let holds = |long: &str, short: &str| short.len() >= SHORTEST && long.contains(short);
    holds(&contract, &param) || holds(&param, &contract)
}

/// Tells whether a deployed contract has this name in its source.
pub(super) fn is_named(built: &Deployment, name: &str) -> bool {
    built.contract.bare_name() == name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_parameters_suggest_contracts() {
        assert!(resembles("_log", "LogFile") && resembles("tokenAddress", "Token"));
        assert!(!resembles("_to", "Token") && !resembles("owner", "LogFile"));
    }
}
