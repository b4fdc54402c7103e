//! Failed assertions and other violations in a transaction, as executor and oracles report them.

use crate::model::place::Site;
use alloy_primitives::Address;

/// Kind of a failed assertion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AssertionKind {
    /// Solidity `assert`: Panic(0x01).
    Panic,
    /// The INVALID opcode (`assert` before 0.8).
    Invalid,
    /// A revert of a `vm.assert*` cheatcode, with or without a custom message.
    VmAssert,
    /// The global failure flag was set (`fail()`, DSTest assertions).
    FailFlag,
    /// No assertion: a write to the slot that no program means to write (SWC-124).
    ArbitraryWrite,
    /// No assertion: a report of another oracle.
    Oracle,
}

impl AssertionKind {
    /// Tells whether an assertion failed.
    #[must_use]
    pub fn is_assertion(self) -> bool {
        !matches!(self, Self::ArbitraryWrite | Self::Oracle)
    }

    /// Returns a stable lower-case name for reports and persisted files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Panic => "panic",
            Self::Invalid => "invalid",
            Self::VmAssert => "vm-assert",
            Self::FailFlag => "fail-flag",
            Self::ArbitraryWrite => "arbitrary-write",
            Self::Oracle => "oracle",
        }
    }
}

/// A failed assertion whose failure reached the top-level call, or another failure that an oracle reports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AssertionFailure {
    /// Kind of assertion.
    pub kind: AssertionKind,
    /// Place in the code.
    pub site: Site,
    /// The reason as Forge prints it.
    pub reason: String,
    /// Account whose storage was written, for an arbitrary write.
    pub written: Option<Address>,
}
