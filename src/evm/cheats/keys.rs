//! Private keys, mnemonics and signatures over secp256k1.

use super::{
    dispatch::{CheatError, CheatResult, Cheatcode, Cx, ensure},
    vm::Vm,
};
use crate::evm::base::secp256k1::{Signature, account, public_key, sign, sign_with_nonce};
use alloy_primitives::{Address, U256, keccak256};
use coins_bip39::{
    ChineseSimplified, ChineseTraditional, Czech, English, French, Italian, Japanese, Korean, Mnemonic,
    Portuguese, Spanish, Wordlist,
};
use k256::ecdsa::SigningKey;

/// BIP-44 path of Ethereum accounts, without the index.
const PATH: &str = "m/44'/60'/0'/0/";

fn wallet(cx: &mut Cx<'_>, key: U256, label: Option<String>) -> Result<Vm::Wallet, CheatError> {
    let (addr, (x, y)) = (account(key)?, public_key(key)?);
    if let Some(label) = label {
        cx.cheats.utilities.label(addr, label);
    }
    Ok(Vm::Wallet { addr, publicKeyX: x, publicKeyY: y, privateKey: key })
}

impl Cheatcode for Vm::addrCall {
    fn apply(self, _: &mut Cx<'_>) -> CheatResult<Self> {
        Ok(account(self.privateKey)?)
    }
}

impl Cheatcode for Vm::createWallet_0Call {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        wallet(cx, keccak256(&self.label).into(), Some(self.label))
    }
}

impl Cheatcode for Vm::createWallet_1Call {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        wallet(cx, self.privateKey, None)
    }
}

impl Cheatcode for Vm::createWallet_2Call {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        wallet(cx, self.privateKey, Some(self.label))
    }
}

fn remember(cx: &mut Cx<'_>, key: U256) -> Result<Address, CheatError> {
    let address = account(key)?;
    cx.cheats.utilities.remember(address, key);
    Ok(address)
}

/// Remembers the first `count` keys of a mnemonic; each takes about a millisecond.
fn remember_all(
    cx: &mut Cx<'_>,
    mnemonic: &str,
    path: &str,
    language: &str,
    count: u32,
) -> Result<Vec<Address>, CheatError> {
    let one = |index| {
        ensure!(!cx.ctx.chain.limits.ends(), "ended at the key {index} of {count}");
        remember(cx, derive(mnemonic, path, index, language)?)
    };
    (0..count).map(one).collect()
}

impl Cheatcode for Vm::rememberKeyCall {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        remember(cx, self.privateKey)
    }
}

impl Cheatcode for Vm::rememberKeys_0Call {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        remember_all(cx, &self.mnemonic, &self.path, "english", self.count)
    }
}

impl Cheatcode for Vm::rememberKeys_1Call {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        remember_all(cx, &self.mnemonic, &self.path, &self.language, self.count)
    }
}

impl Cheatcode for Vm::getWalletsCall {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        Ok(cx.cheats.utilities.wallets.keys().copied().collect())
    }
}

fn derive_from<W: Wordlist>(mnemonic: &str, path: &str) -> Result<U256, CheatError> {
    let mnemonic = Mnemonic::<W>::new_from_phrase(mnemonic).map_err(|error| error.to_string())?;
    let key = mnemonic.derive_key(path, None).map_err(|error| error.to_string())?;
    let key: &SigningKey = key.as_ref();
    Ok(U256::from_be_slice(&key.to_bytes()))
}

/// First hardened index (BIP-32).
const HARDENED: u32 = 1 << 31;

/// Checks that no index of a path, which may be marked as hardened, is hardened by its value already.
fn no_overflow(path: &str, index: u32) -> Result<(), CheatError> {
    ensure!(index < HARDENED, "BIP32 index {index} already sets harden bit (must be < {HARDENED})");
    for step in path.split('/') {
        let number = step.strip_suffix(['\'', 'h']).unwrap_or(step).parse::<u32>();
        ensure!(
            number.map_or(true, |number| number < HARDENED),
            "BIP32 component {step} overflows harden bit (index must be < {HARDENED})"
        );
    }
    Ok(())
}

/// Maximum number of steps of a path; an extended key stores it in a byte (BIP-32).
const DEEPEST: usize = 255;

fn derive(mnemonic: &str, path: &str, index: u32, language: &str) -> Result<U256, CheatError> {
    let steps = path.matches('/').count();
    ensure!(steps < DEEPEST, "the derivation path has {steps} steps, more than the {DEEPEST} of BIP-32");
    no_overflow(path, index)?;
    let separator = if path.ends_with('/') { "" } else { "/" };
    let path = format!("{path}{separator}{index}");
    match language {
        "chinese_simplified" => derive_from::<ChineseSimplified>(mnemonic, &path),
        "chinese_traditional" => derive_from::<ChineseTraditional>(mnemonic, &path),
        "czech" => derive_from::<Czech>(mnemonic, &path),
        "english" => derive_from::<English>(mnemonic, &path),
        "french" => derive_from::<French>(mnemonic, &path),
        "italian" => derive_from::<Italian>(mnemonic, &path),
        "japanese" => derive_from::<Japanese>(mnemonic, &path),
        "korean" => derive_from::<Korean>(mnemonic, &path),
        "portuguese" => derive_from::<Portuguese>(mnemonic, &path),
        "spanish" => derive_from::<Spanish>(mnemonic, &path),
        _ => Err(format!("unsupported mnemonic language: {language:?}").into()),
    }
}

impl Cheatcode for Vm::deriveKey_0Call {
    fn apply(self, _: &mut Cx<'_>) -> CheatResult<Self> {
        derive(&self.mnemonic, PATH, self.index, "english")
    }
}

impl Cheatcode for Vm::deriveKey_1Call {
    fn apply(self, _: &mut Cx<'_>) -> CheatResult<Self> {
        derive(&self.mnemonic, &self.path, self.index, "english")
    }
}

impl Cheatcode for Vm::deriveKey_2Call {
    fn apply(self, _: &mut Cx<'_>) -> CheatResult<Self> {
        derive(&self.mnemonic, PATH, self.index, &self.language)
    }
}

impl Cheatcode for Vm::deriveKey_3Call {
    fn apply(self, _: &mut Cx<'_>) -> CheatResult<Self> {
        derive(&self.mnemonic, &self.path, self.index, &self.language)
    }
}

/// Returns the key remembered for `signer`, or the only one that is remembered.
fn remembered(cx: &Cx<'_>, signer: Option<Address>) -> Result<U256, CheatError> {
    let wallets = &cx.cheats.utilities.wallets;
    ensure!(!wallets.is_empty(), "no wallets available");
    let key = match signer {
        Some(signer) => {
            wallets.get(&signer).ok_or_else(|| format!("signer with address {signer} is not available"))?
        }
        None => {
            ensure!(
                wallets.len() == 1,
                "could not determine signer, there are multiple signers available \
                 use vm.sign(signer, digest) to specify one"
            );
            wallets.values().next().ok_or("no wallets available")?
        }
    };
    Ok(*key)
}

/// Implements the overloads of `vm.sign` and `vm.signCompact`, which differ in the source of the key.
macro_rules! signatures {
    ($($sign:ident, $compact:ident($self:ident, $cx:ident => $key:expr);)*) => {$(
        impl Cheatcode for Vm::$sign {
            fn apply($self, $cx: &mut Cx<'_>) -> CheatResult<Self> {
                let Signature { odd, r, s } = sign($key, $self.digest)?;
                Ok((27 + u8::from(odd), r, s).into())
            }
        }

        impl Cheatcode for Vm::$compact {
            fn apply($self, $cx: &mut Cx<'_>) -> CheatResult<Self> {
                let Signature { odd, r, mut s } = sign($key, $self.digest)?;
                // EIP-2098: the parity is the topmost bit of `s`.
                s[0] |= u8::from(odd) << 7;
                Ok((r, s).into())
            }
        }
    )*};
}

impl Cheatcode for Vm::signWithNonceUnsafeCall {
    fn apply(self, _: &mut Cx<'_>) -> CheatResult<Self> {
        let Signature { odd, r, s } = sign_with_nonce(self.privateKey, self.digest, self.nonce)?;
        Ok((27 + u8::from(odd), r, s).into())
    }
}

signatures! {
    sign_0Call, signCompact_0Call(self, _cx => self.privateKey);
    sign_1Call, signCompact_1Call(self, _cx => self.wallet.privateKey);
    sign_2Call, signCompact_2Call(self, cx => remembered(cx, None)?);
    sign_3Call, signCompact_3Call(self, cx => remembered(cx, Some(self.signer))?);
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloy_primitives::address;

    #[test]
    fn the_well_known_mnemonic_gives_the_well_known_accounts() {
        let mnemonic = "test test test test test test test test test test test junk";
        let key = |index| derive(mnemonic, PATH, index, "english").unwrap();
        let account = |index| account(key(index)).unwrap();
        assert_eq!(account(0), address!("f39Fd6e51aad88F6F4ce6aB8827279cffFb92266"));
        assert_eq!(account(1), address!("70997970C51812dc3A010C7d01b50e0d17dc79C8"));
        let long = derive(mnemonic, &format!("m{}", "/0".repeat(1 << 18)), 0, "english");
        assert!(format!("{:?}", long.unwrap_err()).contains("more than the 255 of BIP-32"));
    }

    #[test]
    fn an_index_that_is_hardened_by_its_value_is_rejected_as_in_forge_1_8() {
        let error = |path, index| match no_overflow(path, index) {
            Err(CheatError::Message(text)) => text,
            other => panic!("{other:?}"),
        };
        let most = HARDENED - 1;
        assert_eq!(no_overflow(&format!("m/44'/{most}h/x/4294967296"), most), Ok(()));
        let errors = [error("m/0", HARDENED), error("m/2147483648'/0", 0), error("m/+4294967295", 0)];
        insta::assert_snapshot!(errors.join("\n"), @"
        BIP32 index 2147483648 already sets harden bit (must be < 2147483648)
        BIP32 component 2147483648' overflows harden bit (index must be < 2147483648)
        BIP32 component +4294967295 overflows harden bit (index must be < 2147483648)
        ");
    }
}
