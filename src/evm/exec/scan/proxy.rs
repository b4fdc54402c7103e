//! Proxies: accounts that run the code of another account on their own storage.

use super::actors;
use crate::evm::state::fork::Chain;
use alloy_primitives::{Address, Bytes, U256, hex, uint};
use revm::bytecode::Bytecode;

/// Slots in which proxies store the address of their implementation: EIP-1967, EIP-1822 (`PROXIABLE`), and OpenZeppelin
/// before EIP-1967 (`org.zeppelinos.proxy.implementation`).
const IMPLEMENTATION_SLOTS: [U256; 3] = uint!([
    0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc_U256,
    0xc5f16f0fcc639fa48a6947836d9850f504798523bf8c9a3a87d5876cf622bcf7_U256,
    0x7050c9e0f4ca769c69bd3a8ef740bc37934f8e2c036e5a723fd8ee048ed3f8c3_U256,
]);

/// Slot of the beacon that knows the implementation (EIP-1967).
const BEACON_SLOT: U256 = uint!(0xa3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50_U256);

/// Slots with the address that may upgrade a proxy: EIP-1967, and OpenZeppelin before it
/// (`org.zeppelinos.proxy.admin`).
pub(crate) const ADMIN_SLOTS: [U256; 2] = uint!([
    0xb53127684a568b3173ae13b9f8a6016e243e63b6e8ee1178d6a717850b5d6103_U256,
    0x10d6a54a4754c8869d6886b5f5d7fbfa5b4522237ea5c60d11bc4e7a1ff9390b_U256,
]);

/// Selector of `implementation()` of a beacon (EIP-1967).
const IMPLEMENTATION: [u8; 4] = hex!("5c60da1b");

/// Beginnings of code that the implementation's address follows: minimal proxies (EIP-1167, and the same with PUSH0),
/// and accounts that delegate to a contract (EIP-7702).
const CLONES: [&[u8]; 3] = [&hex!("363d3d373d3d3d363d73"), &hex!("365f5f375f5f365f73"), &hex!("ef0100")];

/// The accounts of a chain, as far as proxies need them.
pub(crate) trait Accounts {
    /// Returns the code of an account.
    fn code(&self, address: Address) -> Bytes;

    /// Returns a word of its storage.
    fn word(&self, address: Address, slot: U256) -> U256;

    /// Returns the result of a call without value; empty if it fails.
    fn ask(&self, address: Address, data: &[u8]) -> Bytes;
}

impl Accounts for Chain {
    fn code(&self, address: Address) -> Bytes {
        let code = self.info(address).and_then(|info| info.code.as_ref());
        code.map(Bytecode::original_bytes).unwrap_or_default()
    }

    fn word(&self, address: Address, slot: U256) -> U256 {
        Chain::word(self, address, slot)
    }

    fn ask(&self, address: Address, data: &[u8]) -> Bytes {
        self.call(address, data)
    }
}

/// Returns the account whose code a proxy runs; `None` if the account is no proxy of a known kind, or if that account
/// has no code.
pub(crate) fn implementation(accounts: &impl Accounts, proxy: Address) -> Option<Address> {
    let code = accounts.code(proxy);
    let cloned = CLONES.iter().find_map(|head| code.strip_prefix(*head)?.first_chunk::<20>().copied());
    let stored = IMPLEMENTATION_SLOTS.iter().map(|slot| to_address(accounts.word(proxy, *slot)));
    let of_beacon = || {
        let beacon = to_address(accounts.word(proxy, BEACON_SLOT)).filter(|beacon| !beacon.is_zero())?;
        to_address(U256::try_from_be_slice(&accounts.ask(beacon, &IMPLEMENTATION))?)
    };
    // What the code names may be a proxy itself, which finds its implementation in the slots of this account.
    let candidates = stored.chain([cloned.map(Address::from)]);
    let has_code = |address: &Address| *address != proxy && !accounts.code(*address).is_empty();
    candidates.flatten().find(has_code).or_else(|| of_beacon().filter(has_code))
}

/// Tells whether code is that of a minimal proxy, whose implementation never changes.
pub(crate) fn is_minimal(code: &[u8]) -> bool {
    let [minimal @ .., _] = CLONES;
    minimal.iter().any(|head| code.starts_with(head))
}

/// Returns the accounts with code that are constants of a contract's code.
pub(crate) fn constants_with_code(code: &[u8], has_code: impl Fn(Address) -> bool) -> Vec<Address> {
    let mut found = actors::constants(code);
    found.retain(|address| has_code(*address));
    found
}

fn to_address(word: U256) -> Option<Address> {
    (word.bit_len() <= 160).then(|| Address::from_word(word.into()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloy_primitives::keccak256;
    use std::collections::BTreeMap;

    const PROXY: Address = Address::repeat_byte(1);
    const LOGIC: Address = Address::repeat_byte(2);
    const BEACON: Address = Address::repeat_byte(3);

    #[derive(Default)]
    struct SmallChain {
        codes: BTreeMap<Address, Bytes>,
        words: BTreeMap<(Address, U256), U256>,
    }

    impl Accounts for SmallChain {
        fn code(&self, address: Address) -> Bytes {
            self.codes.get(&address).cloned().unwrap_or_default()
        }

        fn word(&self, address: Address, slot: U256) -> U256 {
            self.words.get(&(address, slot)).copied().unwrap_or_default()
        }

        fn ask(&self, address: Address, data: &[u8]) -> Bytes {
            match address == BEACON && data == IMPLEMENTATION {
                true => LOGIC.into_word().0.to_vec().into(),
                false => Bytes::new(),
            }
        }
    }

    fn chain(code: &[u8]) -> SmallChain {
        let codes = [
            (PROXY, Bytes::copy_from_slice(code)),
            (LOGIC, Bytes::from_static(&[0])),
            (BEACON, Bytes::from_static(&[0])),
        ];
        SmallChain { codes: codes.into(), ..SmallChain::default() }
    }

    #[test]
    fn an_implementation_is_found_in_code_in_slots_and_by_its_beacon() {
        for head in CLONES {
            let code = [head, LOGIC.as_slice(), &hex!("5af43d82803e903d91602b57fd5bf3")].concat();
            assert_eq!(implementation(&chain(&code), PROXY), Some(LOGIC));
        }
        for (slot, account) in
            IMPLEMENTATION_SLOTS.map(|slot| (slot, LOGIC)).into_iter().chain([(BEACON_SLOT, BEACON)])
        {
            let mut chain = chain(&[0]);
            assert_eq!(implementation(&chain, PROXY), None);
            chain.words.insert((PROXY, slot), account.into_word().into());
            assert_eq!(implementation(&chain, PROXY), Some(LOGIC), "{slot:x}");
            chain.codes.remove(&LOGIC);
            assert_eq!(implementation(&chain, PROXY), None, "it has no code");
        }
    }

    #[test]
    fn a_slot_counts_more_than_the_address_in_the_code() {
        let code = [CLONES[2], Address::repeat_byte(4).as_slice()].concat();
        let mut chain = chain(&code);
        chain.codes.insert(Address::repeat_byte(4), Bytes::from_static(&[0]));
        assert_eq!(implementation(&chain, PROXY), Some(Address::repeat_byte(4)));
        chain.words.insert((PROXY, IMPLEMENTATION_SLOTS[0]), LOGIC.into_word().into());
        assert_eq!(implementation(&chain, PROXY), Some(LOGIC));
        assert!(is_minimal(&[CLONES[0], LOGIC.as_slice()].concat()) && !is_minimal(&code));
    }

    #[test]
    fn the_slots_are_hashes_of_their_names() {
        let of = |name: &str| U256::from_be_bytes(keccak256(name).0);
        assert_eq!(IMPLEMENTATION_SLOTS[0], of("eip1967.proxy.implementation") - U256::ONE);
        assert_eq!(IMPLEMENTATION_SLOTS[1], of("PROXIABLE"));
        assert_eq!(IMPLEMENTATION_SLOTS[2], of("org.zeppelinos.proxy.implementation"));
        assert_eq!(BEACON_SLOT, of("eip1967.proxy.beacon") - U256::ONE);
        assert_eq!(ADMIN_SLOTS, [of("eip1967.proxy.admin") - U256::ONE, of("org.zeppelinos.proxy.admin")]);
    }

    #[test]
    fn constants_of_code_are_accounts_if_they_have_code() {
        let code =
            [&[0x73], LOGIC.as_slice(), &[0x73], Address::repeat_byte(9).as_slice(), &[0x60, 3]].concat();
        let chain = chain(&[0]);
        assert_eq!(constants_with_code(&code, |address| !chain.code(address).is_empty()), [LOGIC]);
    }
}
