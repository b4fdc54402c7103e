//! Tokens among the dependencies, and the parameters that mean one.

use alloy_json_abi::JsonAbi;

/// Tells whether the name of a parameter of type `address` says that it is a token.
pub(crate) fn is_of_token(param: &str) -> bool {
    let name = param.trim_matches('_').to_lowercase();
    ["token", "asset", "underlying", "currency", "collateral"].iter().any(|word| name.contains(word))
}

/// Tells whether an interface is that of a token.
pub(crate) fn is_token(abi: &JsonAbi) -> bool {
    let has = |signature: &str| abi.functions().any(|function| function.signature() == signature);
    ["balanceOf(address)", "transfer(address,uint256)", "approve(address,uint256)"].into_iter().all(has)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_say_that_a_parameter_is_a_token() {
        assert!(is_of_token("_asset") && is_of_token("collateralToken") && is_of_token("underlying_"));
        assert!(!is_of_token("owner") && !is_of_token("to"));
    }
}
