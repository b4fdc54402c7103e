//! secp256k1: keys, signatures and recovery of signers. One operation takes as long as a transaction, and a
//! campaign repeats the same ones often, so results are cached per thread.

use alloy_primitives::{Address, B256, U256, keccak256, uint};
use k256::{
    NonZeroScalar,
    ecdsa::{SigningKey, hazmat::SignPrimitive},
};
use lru::LruCache;
use revm::precompile::{Crypto, DefaultCrypto, PrecompileHalt, install_crypto};
use rustc_hash::FxBuildHasher;
use std::{cell::RefCell, hash::Hash, num::NonZeroUsize, sync::Once, thread::LocalKey};

/// Order of the curve's group; private keys are smaller.
const ORDER: U256 = uint!(0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141_U256);

/// Cached results of each kind; the most recently used are kept.
const REMEMBERED: NonZeroUsize = NonZeroUsize::new(1 << 12).expect("a positive number");

/// ECDSA signature.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Signature {
    /// True if the y coordinate of the nonce point is odd.
    pub(crate) odd: bool,
    pub(crate) r: B256,
    pub(crate) s: B256,
}

/// Cache of results by input.
type Memo<Q, A> = RefCell<LruCache<Q, A, FxBuildHasher>>;

fn memo<Q: Hash + Eq, A>() -> Memo<Q, A> {
    RefCell::new(LruCache::with_hasher(REMEMBERED, FxBuildHasher))
}

thread_local! {
    static PUBLIC_KEYS: Memo<U256, (U256, U256)> = memo();
    static SIGNATURES: Memo<(U256, B256), Signature> = memo();
    static SIGNERS: Memo<(Signature, B256), Option<[u8; 32]>> = memo();
}

fn remembered<Q, A, E>(
    memo: &'static LocalKey<Memo<Q, A>>,
    question: Q,
    answer: impl FnOnce() -> Result<A, E>,
) -> Result<A, E>
where
    Q: Hash + Eq,
    A: Copy,
{
    memo.with_borrow_mut(|memo| memo.try_get_or_insert(question, answer).copied())
}

fn signing_key(key: U256) -> Result<SigningKey, String> {
    if key.is_zero() {
        return Err("private key cannot be 0".to_owned());
    }
    if key >= ORDER {
        return Err(format!("private key must be less than the Secp256k1 curve order ({ORDER})"));
    }
    SigningKey::from_slice(&key.to_be_bytes::<32>()).map_err(|error| error.to_string())
}

/// Returns the public key of a private key.
pub(crate) fn public_key(key: U256) -> Result<(U256, U256), String> {
    remembered(&PUBLIC_KEYS, key, || {
        let point = signing_key(key)?.verifying_key().to_encoded_point(false);
        let (x, y) = point.as_bytes()[1..].split_at(32);
        Ok((U256::from_be_slice(x), U256::from_be_slice(y)))
    })
}

/// Returns the address of a private key.
pub(crate) fn account(key: U256) -> Result<Address, String> {
    let (x, y) = public_key(key)?;
    Ok(Address::from_word(keccak256([x.to_be_bytes::<32>(), y.to_be_bytes()].concat())))
}

/// Signs a digest with the nonce of RFC 6979.
pub(crate) fn sign(key: U256, digest: B256) -> Result<Signature, String> {
    remembered(&SIGNATURES, (key, digest), || {
        let signed = signing_key(key)?.sign_prehash_recoverable(digest.as_slice());
        let (signature, recovery) = signed.map_err(|error| error.to_string())?;
        let (r, s) = signature.split_bytes();
        let (r, s) = (B256::from_slice(&r), B256::from_slice(&s));
        let signature = Signature { odd: recovery.is_y_odd(), r, s };
        // A new signature is usually recovered soon.
        let signer = account(key)?.into_word().0;
        remembered(&SIGNERS, (signature, digest), || Ok::<_, String>(Some(signer)))?;
        Ok(signature)
    })
}

/// Returns the signer of a digest.
pub(crate) fn recover(signature: Signature, digest: B256) -> Option<Address> {
    let bytes: [u8; 64] = [signature.r.0, signature.s.0].concat().try_into().ok()?;
    let signer = Remembering.secp256k1_ecrecover(&bytes, signature.odd.into(), &digest.0);
    signer.ok().map(|word| Address::from_word(word.into()))
}

/// Signs with a nonce chosen by the caller. Two signatures with the same nonce reveal the key.
pub(crate) fn sign_with_nonce(key: U256, digest: B256, nonce: U256) -> Result<Signature, String> {
    if key >= ORDER {
        return Err("invalid private key scalar".to_owned());
    }
    let key = signing_key(key)?;
    if nonce.is_zero() {
        return Err("nonce cannot be 0".to_owned());
    }
    if nonce >= ORDER {
        return Err("invalid nonce scalar".to_owned());
    }
    let nonce = NonZeroScalar::try_from(&nonce.to_be_bytes::<32>()[..]).map_err(|error| error.to_string())?;
    let signed = key.as_nonzero_scalar().try_sign_prehashed(*nonce, &digest.0.into());
    let (signature, recovery) = signed.map_err(|error| format!("sign_prehashed failed: {error}"))?;
    let recovery = recovery.ok_or("invalid recovery id")?;
    let low = signature.normalize_s();
    let (r, s) = low.unwrap_or(signature).split_bytes();
    // Negating s mirrors the point.
    let odd = recovery.is_y_odd() != low.is_some();
    Ok(Signature { odd, r: B256::from_slice(&r), s: B256::from_slice(&s) })
}

/// revm's precompiles, with a cache of recovered signers.
#[derive(Debug)]
struct Remembering;

impl Crypto for Remembering {
    fn secp256k1_ecrecover(
        &self,
        sig: &[u8; 64],
        recid: u8,
        msg: &[u8; 32],
    ) -> Result<[u8; 32], PrecompileHalt> {
        let (r, s) = (B256::from_slice(&sig[..32]), B256::from_slice(&sig[32..]));
        let signature = Signature { odd: recid == 1, r, s };
        let recover = || Ok(DefaultCrypto.secp256k1_ecrecover(sig, recid, msg).ok());
        let signer = remembered(&SIGNERS, (signature, B256::from(*msg)), recover)?;
        signer.ok_or(PrecompileHalt::Secp256k1RecoverFailed)
    }
}

/// Installs the cache for all EVMs of the process.
pub(in crate::evm) fn install() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| _ = install_crypto(Remembering));
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloy_primitives::b256;

    #[test]
    fn signatures_are_deterministic_and_low() {
        // The first vector of many RFC 6979 implementations for secp256k1: key 1, message "Satoshi Nakamoto".
        let digest = b256!("a0dc65ffca799873cbea0ac274015b9526505daaaed385155425f7337704883e");
        let first = sign(U256::ONE, digest).expect("a key");
        assert_eq!(first.r, b256!("934b1ea10a4b3c1757e2b0c017d0b6143ce3c9a7e6a4a49860d7a6ab210ee3d8"));
        assert_eq!(first.s, b256!("2442ce9d2b916064108014783e923ec36b49743e2ffa1c4496f01a512aafd9e5"));
        assert_eq!(sign(U256::ONE, digest), Ok(first), "remembered");
    }

    #[test]
    fn keys_outside_the_group_are_refused() {
        assert_eq!(public_key(U256::ZERO), Err("private key cannot be 0".to_owned()));
        assert!(public_key(ORDER).is_err());
    }

    #[test]
    fn what_is_remembered_is_what_the_precompile_says() {
        let digest = B256::repeat_byte(7);
        for key in [1u64, 2, 3].map(U256::from) {
            let Signature { odd, r, s } = sign(key, digest).expect("a key");
            let sig: [u8; 64] = [r.0, s.0].concat().try_into().expect("two words");
            for recid in [u8::from(odd), u8::from(!odd)] {
                let computed = DefaultCrypto.secp256k1_ecrecover(&sig, recid, &digest.0).ok();
                for _ in 0..2 {
                    assert_eq!(Remembering.secp256k1_ecrecover(&sig, recid, &digest.0).ok(), computed);
                }
            }
            let signer =
                Remembering.secp256k1_ecrecover(&sig, u8::from(odd), &digest.0).expect("it was signed");
            assert_eq!(Address::from_word(signer.into()), account(key).expect("a key"));
        }
    }
}
