//! Tokens among the dependencies, and the parameters that mean one.

use alloy_json_abi::JsonAbi;
use alloy_primitives::{Address, Bytes, hex};

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

/// Account that may own tokens.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TokenHolder(pub(crate) Address);

impl TokenHolder {
    /// Returns the calldata of `balanceOf(address)`.
    pub(crate) fn balance(self) -> Bytes {
        [&hex!("70a08231")[..], self.0.into_word().as_slice()].concat().into()
    }

    /// Returns the calldata of `allowance(address,address)`.
    pub(crate) fn allowance(self, spender: Address) -> Bytes {
        [&hex!("dd62ed3e")[..], self.0.into_word().as_slice(), spender.into_word().as_slice()].concat().into()
    }
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
