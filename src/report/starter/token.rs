//! Token for tests of a contract that needs one, in a project without any.

/// Contract of the project that the token inherits from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TokenBase {
    /// Name of the contract.
    pub name: String,
    /// Import path of the contract.
    pub import: String,
    /// True if its constructor takes the number of decimals, after name and symbol.
    pub takes_decimals: bool,
}

/// Name of the token's contract.
pub const TOKEN: &str = "TestToken";

/// Writes the source of the token, which anybody can mint.
#[must_use]
pub fn token(base: Option<&TokenBase>) -> String {
    let head = "// SPDX-License-Identifier: UNLICENSED\npragma solidity >=0.8.0;\n\n";
    match base {
        None => format!("{head}{PLAIN}"),
        Some(TokenBase { name, import, takes_decimals }) => {
            let decimals = if *takes_decimals { ", 18" } else { "" };
            format!(
                "{head}import {{{name}}} from \"{import}\";\n\n\
                 /// Token that anybody can mint.\n\
                 contract {TOKEN} is {name}(\"Test Token\", \"TEST\"{decimals}) {{\n    \
                 function mint(address to, uint256 amount) external {{\n        _mint(to, amount);\n    }}\n}}\n"
            )
        }
    }
}

/// Token without a base.
const PLAIN: &str = r#"/// Token that anybody can mint.
contract TestToken {
    string public constant name = "Test Token";
    string public constant symbol = "TEST";
    uint8 public constant decimals = 18;

    uint256 public totalSupply;
    mapping(address account => uint256) public balanceOf;
    mapping(address owner => mapping(address spender => uint256)) public allowance;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    function mint(address to, uint256 amount) external {
        totalSupply += amount;
        balanceOf[to] += amount;
        emit Transfer(address(0), to, amount);
    }

    function approve(address spender, uint256 amount) external returns (bool) {
        allowance[msg.sender][spender] = amount;
        emit Approval(msg.sender, spender, amount);
        return true;
    }

    function transfer(address to, uint256 amount) external returns (bool) {
        move(msg.sender, to, amount);
        return true;
    }

    function transferFrom(address from, address to, uint256 amount) external returns (bool) {
        uint256 allowed = allowance[from][msg.sender];
        if (allowed != type(uint256).max) allowance[from][msg.sender] = allowed - amount;
        move(from, to, amount);
        return true;
    }

    function move(address from, address to, uint256 amount) private {
        balanceOf[from] -= amount;
        balanceOf[to] += amount;
        emit Transfer(from, to, amount);
    }
}
"#;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_inherits_from_the_type_that_is_wanted() {
        let base =
            TokenBase { name: "ERC20".into(), import: "../../lib/ERC20.sol".into(), takes_decimals: true };
        insta::assert_snapshot!(token(Some(&base)), @r#"
        // SPDX-License-Identifier: UNLICENSED
        pragma solidity >=0.8.0;

        import {ERC20} from "../../lib/ERC20.sol";

        /// Token that anybody can mint.
        contract TestToken is ERC20("Test Token", "TEST", 18) {
            function mint(address to, uint256 amount) external {
                _mint(to, amount);
            }
        }
        "#);
        assert!(token(None).contains("contract TestToken {"));
    }
}
