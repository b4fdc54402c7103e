//! What a transaction did that oracles look at, beside failing assertions: whom it called, what its decisions and calls depended
//! on, and who gained by it.

use crate::model::finding::Site;
use alloy_primitives::{Address, U256};
use std::ops::BitOr;

/// Where a word came from: a set of sources, found by following data through stack, memory and storage (taint). Control is not
/// followed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Origins(u32);

impl Origins {
    /// Nothing that anybody chooses.
    pub const NONE: Self = Self(0);
    /// The time of this transaction's block.
    pub const TIME: Self = Self(1);
    /// Its number, or what a miner chooses with it: hashes of blocks, randomness, the miner.
    pub const BLOCK: Self = Self(1 << 1);
    /// `tx.origin`.
    pub const ORIGIN: Self = Self(1 << 2);
    /// The caller of this transaction.
    pub const CALLER: Self = Self(1 << 3);
    /// Its arguments.
    pub const INPUT: Self = Self(1 << 4);
    /// A place in storage that arguments or callers choose: the key of a mapping, the index of an array.
    pub const KEYED: Self = Self(1 << 5);
    /// The caller of any frame, also of one below the outermost.
    pub const ANY_CALLER: Self = Self(1 << 6);
    /// Storage that a transaction before this one wrote the time to.
    pub const PAST_TIME: Self = Self(1 << Self::PAST);
    /// The same of the block.
    pub const PAST_BLOCK: Self = Self(1 << (1 + Self::PAST));
    /// The same of a caller.
    pub const PAST_CALLER: Self = Self(1 << (3 + Self::PAST));
    /// The same of arguments.
    pub const PAST_INPUT: Self = Self(1 << (4 + Self::PAST));

    /// How far sources of transactions before this one are from its own.
    const PAST: u32 = 16;
    /// Sources that storage keeps.
    const KEPT: u32 = (1 << Self::PAST) - 1;

    /// Whether any of these sources is among them.
    #[must_use]
    pub fn has(self, any: Self) -> bool {
        self.0 & any.0 != 0
    }

    /// What is known of a word in storage from the place where it stands: whether somebody chose that, and by what block.
    #[must_use]
    pub fn of_place(self) -> Self {
        let chosen = Self::INPUT | Self::PAST_INPUT | Self::CALLER | Self::PAST_CALLER;
        let keyed = if self.has(chosen | Self::KEYED) { Self::KEYED } else { Self::NONE };
        Self(self.0 & !chosen.0) | keyed
    }

    /// The same in a later transaction.
    #[must_use]
    pub fn later(self) -> Self {
        Self((self.0 & !Self::KEPT) | ((self.0 & Self::KEPT) << Self::PAST))
    }
}

impl BitOr for Origins {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

/// How a contract ran code of another account.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scheme {
    /// CALL.
    Call,
    /// STATICCALL.
    Static,
    /// DELEGATECALL or CALLCODE: the other's code, the own storage.
    Delegate,
}

/// A call that a contract made.
#[derive(Clone, Debug, PartialEq)]
pub struct OutwardCall {
    /// Where it stands.
    pub site: Site,
    /// How it was made.
    pub scheme: Scheme,
    /// Whose storage the caller uses.
    pub from: Address,
    /// Whose code was to run.
    pub to: Address,
    /// What the choice of the code depended on.
    pub to_origins: Origins,
    /// Wei sent along.
    pub value: U256,
    /// What the amount depended on.
    pub value_origins: Origins,
    /// What decisions depended on that were made in the transaction before.
    pub decided: Origins,
    /// Whether the callee had no gas but what comes with wei (2300).
    pub is_stipend: bool,
    /// Whether it succeeded.
    pub success: bool,
    /// Whether it failed for lack of gas, itself and not in a call below it.
    pub out_of_gas: bool,
    /// Where the callee itself reverted, and not because of a call that it made, if it did.
    pub reverted_at: Option<Site>,
    /// Whether its success was looked at: decided by, stored, logged or returned.
    pub is_checked: bool,
}

/// A conditional jump whose condition depended on the block or on `tx.origin`.
#[derive(Clone, Debug, PartialEq)]
pub struct Decision {
    /// Where it stands.
    pub site: Site,
    /// What it depended on.
    pub origins: Origins,
}

/// What an account got out of a transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gain {
    /// Who.
    pub account: Address,
    /// Wei received, what it sent taken off.
    pub wei: U256,
    /// Tokens of the contract that it holds then, by `balanceOf`.
    pub tokens: U256,
}

/// A call that was answered by calling back.
#[derive(Clone, Debug, PartialEq)]
pub struct Reentered {
    /// Where the call stands.
    pub site: Site,
    /// Who called back.
    pub by: Address,
}

/// What one transaction did.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TaintReport {
    /// Calls in the order in which they began; those of actors are not among them.
    pub calls: Vec<OutwardCall>,
    /// Decisions, each place once.
    pub decisions: Vec<Decision>,
    /// Arithmetic that wrapped, and whose result was taken for a quantity: compared with another by size, or sent.
    pub wraps: Vec<Site>,
    /// Jumps to places that are none, chosen by arguments.
    pub wild_jumps: Vec<Site>,
    /// Contracts destroyed.
    pub destroyed: Vec<(Site, Address)>,
    /// Accounts whose storage was written.
    pub wrote: Vec<Address>,
    /// What actors gained and hold; those without either are left out.
    pub gains: Vec<Gain>,
    /// Whether the call ended by deciding that a call below it had failed.
    pub is_passed_on: bool,
    /// Wei that the contract owned before and after.
    pub balance: [U256; 2],
    /// Who answered a call by calling back, and made a difference by it.
    pub reentered: Option<Reentered>,
}
