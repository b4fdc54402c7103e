//! Delegations (EIP-7702) and blobs that scripts attach to their next broadcast call.

use super::{
    dispatch::{CheatError, CheatResult, Cheatcode, Cx, done, encode_message, ensure},
    vm::Vm,
};
use crate::evm::base::secp256k1::{Signature, account, recover, sign};
use alloy_primitives::{Address, B256, Bytes, U256, keccak256, uint};
use alloy_rlp::{Encodable as _, Header};
use revm::bytecode::Bytecode;

/// Largest `s` of a signature that has no other form (EIP-2).
const HALF_ORDER: U256 = uint!(0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0_U256);

/// Error of a call to which both are attached.
const BOTH: &str =
    "both delegation and blob are active; `attachBlob` and `attachDelegation` are not compatible";

/// Delegations and blob of the next broadcast call.
#[derive(Clone, Debug, Default)]
pub(super) struct Attached {
    delegations: Vec<Delegation>,
    blob: bool,
}

#[derive(Clone, Debug)]
struct Delegation {
    signer: Address,
    nonce: u64,
}

impl Attached {
    /// Returns the number of delegations that `sender` signed for its own call.
    ///
    /// # Errors
    /// Fails, with revert data, if there are delegations and a blob.
    pub(super) fn delegations_of(&self, sender: Address) -> Result<u64, Bytes> {
        if self.blob && !self.delegations.is_empty() {
            return Err(encode_message(BOTH.to_owned()));
        }
        Ok(self.delegations.iter().filter(|delegation| delegation.signer == sender).count() as u64)
    }
}

impl Cheatcode for Vm::attachBlobCall {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        cx.cheats.broadcasts.attached.blob = true;
        done()
    }
}

/// Returns the hash that a delegation signs (EIP-7702).
fn digest(chain: u64, implementation: Address, nonce: u64) -> B256 {
    let payload_length = chain.length() + implementation.length() + nonce.length();
    let mut encoded = vec![5];
    Header { list: true, payload_length }.encode(&mut encoded);
    chain.encode(&mut encoded);
    implementation.encode(&mut encoded);
    nonce.encode(&mut encoded);
    keccak256(encoded)
}

/// Returns the nonce that the next delegation of a signer must have.
fn next_nonce(cx: &mut Cx<'_>, signer: Address) -> u64 {
    let delegations = &cx.cheats.broadcasts.attached.delegations;
    match delegations.iter().rfind(|delegation| delegation.signer == signer) {
        Some(last) => last.nonce.wrapping_add(1),
        None => {
            let broadcasts = cx.cheats.broadcasts.sender() == Some(signer);
            cx.account(signer).info.nonce.wrapping_add(u64::from(broadcasts))
        }
    }
}

fn chain(cx: &Cx<'_>, any: bool) -> u64 {
    if any { 0 } else { cx.ctx.cfg.chain_id }
}

fn sign_delegation(
    cx: &mut Cx<'_>,
    implementation: Address,
    key: U256,
    nonce: Option<u64>,
    any_chain: bool,
) -> Result<Vm::SignedDelegation, CheatError> {
    let signer = account(key).map_err(|_| "signature error")?;
    let nonce = nonce.unwrap_or_else(|| next_nonce(cx, signer));
    let Signature { odd, r, s } = sign(key, digest(chain(cx, any_chain), implementation, nonce))?;
    Ok(Vm::SignedDelegation { v: odd.into(), r, s, nonce, implementation })
}

/// Lets the signer's account run the code of the implementation.
fn attach(cx: &mut Cx<'_>, signed: &Vm::SignedDelegation, any_chain: bool) -> Result<(), CheatError> {
    let Vm::SignedDelegation { v, r, s, nonce, implementation } = *signed;
    let hash = digest(chain(cx, any_chain), implementation, nonce);
    let signature = Signature { odd: v == 1, r, s };
    ensure!(v < 2, "invalid parity: {v}");
    let number: U256 = s.into();
    ensure!(number <= HALF_ORDER, "invalid signature `s` value: {number}");
    let signer = recover(signature, hash).ok_or("signature error")?;
    let expected = next_nonce(cx, signer);
    ensure!(expected == nonce, "invalid nonce for {signer:?}: expected {expected}, got {nonce}");
    let code =
        if implementation.is_zero() { Bytecode::default() } else { Bytecode::new_eip7702(implementation) };
    cx.set_code(signer, code);
    cx.cheats.broadcasts.attached.delegations.push(Delegation { signer, nonce });
    Ok(())
}

impl Cheatcode for Vm::attachDelegation_0Call {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        attach(cx, &self.signed, false)?;
        done()
    }
}

impl Cheatcode for Vm::attachDelegation_1Call {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        attach(cx, &self.signed, self.crossChain)?;
        done()
    }
}

/// Implements the overloads, which differ in what they give: the nonce, or whether the chain matters.
macro_rules! delegations {
    ($($sign:ident $attach:ident($self:ident => $nonce:expr, $any:expr);)*) => {$(
        impl Cheatcode for Vm::$sign {
            fn apply($self, cx: &mut Cx<'_>) -> CheatResult<Self> {
                sign_delegation(cx, $self.implementation, $self.privateKey, $nonce, $any)
            }
        }

        impl Cheatcode for Vm::$attach {
            fn apply($self, cx: &mut Cx<'_>) -> CheatResult<Self> {
                let signed = sign_delegation(cx, $self.implementation, $self.privateKey, $nonce, $any)?;
                attach(cx, &signed, $any)?;
                Ok(signed)
            }
        }
    )*};
}

delegations! {
    signDelegation_0Call signAndAttachDelegation_0Call(self => None, false);
    signDelegation_1Call signAndAttachDelegation_1Call(self => Some(self.nonce), false);
    signDelegation_2Call signAndAttachDelegation_2Call(self => None, self.crossChain);
}
