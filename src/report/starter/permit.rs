//! Signed permits of tokens (EIP-2612): random signatures never pass.

use super::{SourceNames, StarterInput, deployment::account_names};
use crate::model::{TargetFunction, handler::ContractRole};

/// Tells whether a function is the `permit` of EIP-2612 and its signatures can be made.
pub(super) fn is_permit(input: &StarterInput<'_>, function: &TargetFunction) -> bool {
    let has = |signature: &str| input.abi.functions().any(|function| function.signature() == signature);
    input.has_forge_std
        && function.signature() == "permit(address,address,uint256,uint256,uint8,bytes32,bytes32)"
        && has("nonces(address)")
        && has("DOMAIN_SEPARATOR()")
}

/// Writes the function of the handler.
pub(super) fn function(name: &str, terms: &SourceNames) -> String {
    let subject = terms.role(ContractRole::Subject);
    format!(
        "    function {name}(uint256 owner, uint256 spender, uint256 value, uint256 deadline) external {{
        (address signer, uint256 key) = _signer(owner);
        address approved = _receiver(spender);
        deadline = bound(deadline, block.timestamp - 1, block.timestamp + 30 days);
        bytes32 digest = _permitDigest(signer, approved, value, deadline);
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(owner % 16 == 15 ? key + 1 : key, digest);
        {subject}.permit(signer, approved, value, deadline, v, r, s);
    }}
"
    )
}

/// Writes the functions that it uses.
pub(super) fn helpers(input: &StarterInput<'_>, terms: &SourceNames) -> String {
    let subject = terms.role(ContractRole::Subject);
    let names: Vec<String> = account_names(input.model).iter().map(|name| format!("\"{name}\"")).collect();
    let (count, names) = (names.len(), names.join(", "));
    format!(
        "    function _signer(uint256 seed) internal returns (address, uint256) {{
        string[{count}] memory names = [{names}];
        return makeAddrAndKey(names[seed % {count}]);
    }}

    function _permitDigest(address owner, address spender, uint256 value, uint256 deadline)
        internal
        view
        returns (bytes32)
    {{
        bytes32 kind =
            keccak256(\"Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)\");
        bytes32 signed = keccak256(abi.encode(kind, owner, spender, value, {subject}.nonces(owner), deadline));
        return keccak256(abi.encodePacked(\"\\x19\\x01\", {subject}.DOMAIN_SEPARATOR(), signed));
    }}
"
    )
}
