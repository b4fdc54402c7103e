//! Keys and signatures over curves other than Ethereum's: P-256 and Ed25519.

use super::{
    dispatch::{CheatError, CheatResult, Cheatcode, Cx, ensure},
    vm::Vm,
};
use alloy_primitives::{B256, U256, uint};
use ed25519_consensus::{Signature, SigningKey, VerificationKey};
use p256::ecdsa::{self, signature::hazmat::PrehashSigner};

/// Order of P-256's group; keys are smaller.
const ORDER: U256 = uint!(0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551_U256);

fn p256_key(key: U256) -> Result<ecdsa::SigningKey, CheatError> {
    ensure!(!key.is_zero(), "private key cannot be 0");
    ensure!(key < ORDER, "private key must be less than the NistP256 curve order ({ORDER})");
    Ok(ecdsa::SigningKey::from_slice(&key.to_be_bytes::<32>()).map_err(|error| error.to_string())?)
}

impl Cheatcode for Vm::signP256Call {
    fn apply(self, _: &mut Cx<'_>) -> CheatResult<Self> {
        let signed = p256_key(self.privateKey)?.sign_prehash(self.digest.as_slice());
        let signature: ecdsa::Signature = signed.map_err(|error| error.to_string())?;
        let (r, s) = signature.normalize_s().unwrap_or(signature).split_bytes();
        Ok((B256::from_slice(&r), B256::from_slice(&s)).into())
    }
}

impl Cheatcode for Vm::publicKeyP256Call {
    fn apply(self, _: &mut Cx<'_>) -> CheatResult<Self> {
        let point = p256_key(self.privateKey)?.verifying_key().to_encoded_point(false);
        let (x, y) = point.as_bytes()[1..].split_at(32);
        Ok((U256::from_be_slice(x), U256::from_be_slice(y)).into())
    }
}

fn ed25519_public(key: B256) -> B256 {
    B256::from(SigningKey::from(key.0).verification_key().to_bytes())
}

impl Cheatcode for Vm::createEd25519KeyCall {
    /// Uses the salt as the private key.
    fn apply(self, _: &mut Cx<'_>) -> CheatResult<Self> {
        Ok((ed25519_public(self.salt), self.salt).into())
    }
}

impl Cheatcode for Vm::publicKeyEd25519Call {
    fn apply(self, _: &mut Cx<'_>) -> CheatResult<Self> {
        Ok(ed25519_public(self.privateKey))
    }
}

impl Cheatcode for Vm::signEd25519Call {
    fn apply(self, _: &mut Cx<'_>) -> CheatResult<Self> {
        let message = [self.namespace, self.message].concat();
        Ok(SigningKey::from(self.privateKey.0).sign(&message).to_bytes().into())
    }
}

impl Cheatcode for Vm::verifyEd25519Call {
    /// Returns false for malformed signatures and keys.
    fn apply(self, _: &mut Cx<'_>) -> CheatResult<Self> {
        let message = [self.namespace, self.message].concat();
        let signature = Signature::try_from(self.signature.as_ref());
        let key = VerificationKey::try_from(self.publicKey.0);
        Ok(signature.is_ok_and(|signature| key.is_ok_and(|key| key.verify(&signature, &message).is_ok())))
    }
}
