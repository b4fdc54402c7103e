//! Taint report of one transaction, for all oracles except failed assertions: its calls, the origins of its
//! decisions and calls, and the gains of accounts.

use crate::model::{branch::Slot, place::Site};
use alloy_primitives::{Address, U256};
use std::ops::BitOr;

/// Set of the origins of a word, found by following data through stack, memory and storage (taint tracking).
/// Control flow is not followed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Origins(u32);

impl Origins {
    /// No origin that anyone can choose.
    pub const NONE: Self = Self(0);
    /// Time of this transaction's block.
    pub const TIME: Self = Self(1);
    /// Number of this transaction's block, or other data that a miner chooses with it: hashes of blocks,
    /// randomness, the address of the miner.
    pub const BLOCK: Self = Self(1 << 1);
    /// `tx.origin`.
    pub const ORIGIN: Self = Self(1 << 2);
    /// Caller of this transaction.
    pub const CALLER: Self = Self(1 << 3);
    /// Arguments of this transaction.
    pub const INPUT: Self = Self(1 << 4);
    /// Place in storage that arguments or callers choose: the key of a mapping, the index of an array.
    pub const KEYED: Self = Self(1 << 5);
    /// Place in storage whose key the caller of this transaction is, such as his balance.
    pub const KEYED_BY_CALLER: Self = Self(1 << 9);
    /// Caller of any frame, including nested ones.
    pub const ANY_CALLER: Self = Self(1 << 6);
    /// A number drawn from the time of this transaction's block: a remainder, a part of a hash, or an exact
    /// match.
    pub const DRAWN_TIME: Self = Self(Self::TIME.0 << Self::DRAW);
    /// A number drawn from other data of the block, or such data that is itself random.
    pub const DRAWN_BLOCK: Self = Self(Self::BLOCK.0 << Self::DRAW);
    /// Time that an earlier transaction stored.
    pub const PAST_TIME: Self = Self(1 << Self::PAST);
    /// Data of the block that an earlier transaction stored.
    pub const PAST_BLOCK: Self = Self(1 << (1 + Self::PAST));
    /// Caller that an earlier transaction stored.
    pub const PAST_CALLER: Self = Self(1 << (3 + Self::PAST));
    /// Arguments that an earlier transaction stored.
    pub const PAST_INPUT: Self = Self(1 << (4 + Self::PAST));

    /// Number that an earlier transaction drew from the time.
    pub const PAST_DRAWN_TIME: Self = Self(Self::DRAWN_TIME.0 << Self::PAST);
    /// Number that an earlier transaction drew from other data of the block.
    pub const PAST_DRAWN_BLOCK: Self = Self(Self::DRAWN_BLOCK.0 << Self::PAST);

    /// All origins of drawn numbers.
    pub const DRAWN: Self =
        Self(Self::DRAWN_TIME.0 | Self::DRAWN_BLOCK.0 | Self::PAST_DRAWN_TIME.0 | Self::PAST_DRAWN_BLOCK.0);

    /// Distance in bits between time or block and the numbers drawn from them.
    const DRAW: u32 = 7;
    /// Distance in bits between an origin in this transaction and the same origin in an earlier one.
    const PAST: u32 = 16;
    /// Mask of the origins in this transaction, which storage keeps.
    const KEPT: u32 = (1 << Self::PAST) - 1;

    /// Returns the origins that the sender of this transaction chooses.
    #[must_use]
    pub fn of_call() -> Self {
        Self::INPUT | Self::CALLER | Self::ANY_CALLER | Self::KEYED | Self::ORIGIN
    }

    /// Tells whether the set contains any of these origins.
    #[must_use]
    pub fn has(self, any: Self) -> bool {
        self.0 & any.0 != 0
    }

    /// Returns the origins of a number drawn from a word with these.
    #[must_use]
    pub fn drawn(self) -> Self {
        let block = Self::TIME | Self::BLOCK | Self::PAST_TIME | Self::PAST_BLOCK;
        Self(self.0 | (self.0 & block.0) << Self::DRAW)
    }

    /// Returns those of some origins that the set contains.
    #[must_use]
    pub fn only(self, some: Self) -> Self {
        Self(self.0 & some.0)
    }

    /// Returns the set without some origins.
    #[must_use]
    pub fn without(self, some: Self) -> Self {
        Self(self.0 & !some.0)
    }

    /// Returns the origins of a word in storage that follow from those of its slot. Arguments and callers
    /// that chose the slot become [`Self::KEYED`], and the caller also [`Self::KEYED_BY_CALLER`]. The block's
    /// time and number are dropped, since to count by days or rounds is no choice, but numbers drawn from them
    /// stay.
    #[must_use]
    pub fn of_place(self) -> Self {
        let chosen = Self::INPUT | Self::PAST_INPUT | Self::CALLER | Self::PAST_CALLER;
        let period = Self::TIME | Self::PAST_TIME | Self::BLOCK | Self::PAST_BLOCK;
        let keyed = if self.has(chosen | Self::KEYED) { Self::KEYED } else { Self::NONE };
        let own = if self.has(Self::CALLER) { Self::KEYED_BY_CALLER } else { Self::NONE };
        self.without(chosen | period) | keyed | own
    }

    /// Returns the same origins as seen from a later transaction.
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

/// Kind of call by which a contract ran code of another account.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scheme {
    /// CALL.
    Call,
    /// STATICCALL.
    Static,
    /// DELEGATECALL or CALLCODE: code of the other account on the caller's storage.
    Delegate,
}

/// Message of a call, with the origins of its parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaintedMessage {
    /// Kind of call.
    pub scheme: Scheme,
    /// Account whose storage the caller uses.
    pub from: Address,
    /// Account whose code was to run.
    pub to: Address,
    /// Origins of the address of the code.
    pub to_origins: Origins,
    /// Wei sent with the call.
    pub value: U256,
    /// True if the amount is above zero, or is at least no constant.
    pub is_payment: bool,
    /// Origins of the amount.
    pub value_origins: Origins,
    /// True if the callee had only the gas that comes with wei (2300).
    pub is_stipend: bool,
}

/// A call that a contract made.
#[derive(Clone, Debug, PartialEq)]
pub struct OutwardCall {
    /// Place of the call.
    pub site: Site,
    /// Message.
    pub message: TaintedMessage,
    /// Origins of the decisions that the transaction made before the call.
    pub decided: Origins,
    /// Place that read the block's data on which the message or the decisions depend, if they do.
    pub source: Option<Site>,
    /// True if it succeeded.
    pub success: bool,
    /// True if it ran out of gas itself, and not in a nested call.
    pub out_of_gas: bool,
    /// Place at which the callee itself reverted, if it did so and not because of a nested call that failed.
    pub reverted_at: Option<Site>,
    /// True if its success was used: in a decision, or stored, logged or returned.
    pub is_checked: bool,
    /// True if a call around it failed, and so undid it.
    pub is_undone: bool,
}

impl OutwardCall {
    /// Returns the place that read the block's data, or that of the call if it depends on none.
    #[must_use]
    pub fn source_or_call(&self) -> &Site {
        self.source.as_ref().unwrap_or(&self.site)
    }
}

/// A conditional jump whose condition depended on the block or on `tx.origin`.
#[derive(Clone, Debug, PartialEq)]
pub struct Decision {
    /// Place of the jump.
    pub site: Site,
    /// Origins of the condition.
    pub origins: Origins,
}

/// Gain of an account by a transaction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Gain {
    /// Account that gained.
    pub account: Address,
    /// Wei received, minus the wei that it sent.
    pub wei: U256,
    /// Tokens of the contract that it gained, by `balanceOf`.
    pub tokens: U256,
    /// True if no account is known to have lost these tokens.
    pub is_minted: bool,
}

/// A write of an account into a fixed slot of storage.
#[derive(Clone, Debug, PartialEq)]
pub struct Takeover {
    /// Place of the write.
    pub site: Site,
    /// Sender of the transaction that wrote.
    pub by: Address,
    /// Word that was replaced, as far as it is known.
    pub replaced: U256,
    /// True if the caller then wrote another account there.
    pub is_handed_on: bool,
}

/// A call whose callee called back.
#[derive(Clone, Debug, PartialEq)]
pub struct Reentered {
    /// Place of the call.
    pub site: Site,
    /// Account that called back.
    pub by: Address,
}

/// A call that handed control to an actor, after which the contract wrote storage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Handover {
    /// The contract that called.
    pub contract: Address,
    /// Index of the call as in [`Reentry::nth`](crate::model::Reentry::nth).
    pub nth: u32,
}

/// Length of a list in storage that an earlier call made grow by one.
#[derive(Clone, Debug, PartialEq)]
pub struct GrownLength {
    /// Place that read it.
    pub site: Site,
    /// Slot that holds it.
    pub slot: Slot,
    /// Index of the call in the sequence.
    pub by: usize,
}

/// Facts that further runs prove.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Proofs {
    /// Call whose callee called back, if that made a difference.
    pub reentered: Option<Reentered>,
    /// Accounts that have got more wei than they sent, and would have if all others had acted before.
    pub takers: Vec<Address>,
    /// Place that read a length that a stranger can make so large that the call runs out of a block's gas.
    pub exhausted: Option<Site>,
    /// Check of the compiler that failed because of what earlier calls did, not because of this call's input.
    pub panicked: Option<Site>,
}

/// Arithmetic that wrapped around.
#[derive(Clone, Debug, PartialEq)]
pub struct Wrap {
    /// Place of the instruction.
    pub site: Site,
    /// True if the result went back to the slot that an operand came from.
    pub grows: bool,
    /// Sender of the transaction that computed it.
    pub by: Address,
}

/// Taint report of one transaction.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TaintReport {
    /// Calls in the order in which they began, without those of actors.
    pub calls: Vec<OutwardCall>,
    /// Decisions, one for each place.
    pub decisions: Vec<Decision>,
    /// Arithmetic that wrapped, and whose result was used as a quantity: it was compared by size, sent, or stored
    /// as a difference.
    pub wraps: Vec<Wrap>,
    /// Accounts in fixed slots of storage: the caller was compared with them, and is the same account.
    pub takeovers: Vec<Takeover>,
    /// Places of jumps to invalid destinations that arguments chose.
    pub wild_jumps: Vec<Site>,
    /// Contracts destroyed, with the places of the instructions.
    pub destroyed: Vec<(Site, Address)>,
    /// Gains and tokens of actors, without actors that have neither.
    pub gains: Vec<Gain>,
    /// True if the last decision of the outermost call was on the failure of a nested call.
    pub is_passed_on: bool,
    /// Wei that the contract owned before and after.
    pub balance: [U256; 2],
    /// Calls that handed over control.
    pub handovers: Vec<Handover>,
    /// Lengths that earlier calls made grow, and this one read.
    pub lengths: Vec<GrownLength>,
    /// Facts that further runs proved, or that are still to be proved.
    pub proofs: Proofs,
}
