//! Addresses and words that Forge defines for tests.

use alloy_primitives::{Address, U256, address, b256};

pub use crate::project::{CREATE2_DEPLOYER, LIBRARY_DEPLOYER};

/// Forge's default sender, `tx.origin`, and the caller of `setUp`, invariants and target getters.
pub const CALLER: Address = address!("1804c8AB1F12E6bbf3894d4083f33e07309d1f38");

/// The cheatcode address, `address(uint160(uint256(keccak256("hevm cheat code"))))`.
pub const VM_ADDRESS: Address = address!("7109709ECfa91a80626fF3989D68f67F5b1DD12D");

/// The address that `console.log` calls.
pub const CONSOLE_ADDRESS: Address = address!("000000000000000000636F6e736F6c652e6c6f67");

/// Slot of the cheatcode account that `fail()` sets: ASCII `failed`, left-aligned.
pub const FAILED_SLOT: U256 =
    U256::from_be_bytes(b256!("6661696c65640000000000000000000000000000000000000000000000000000").0);

/// Revert data of `vm.assume(false)`.
pub const ASSUME_MAGIC: &[u8] = b"FOUNDRY::ASSUME";

/// Prefix of the revert data of `vm.skip(true)`; the reason follows.
pub const SKIP_MAGIC: &[u8] = b"FOUNDRY::SKIP";

/// Runtime code of the CREATE2 deployer (Arachnid's deterministic deployment proxy).
pub const CREATE2_DEPLOYER_CODE: [u8; 69] = alloy_primitives::hex!(
    "7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe03601600081602082378035828234f58015156039578182fd5b8082525050506014600cf3"
);

/// Size of the revert data of a panic: a selector and a word.
pub(crate) const PANIC_SIZE: U256 = U256::from_limbs([36, 0, 0, 0]);
