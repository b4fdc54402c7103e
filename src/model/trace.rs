//! A call tree as executed, with the decoded text that reports show.

use alloy_primitives::{Address, B256, Bytes, U256};

/// Phase that a trace belongs to, in Forge's terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TraceKind {
    /// Library and test-contract deployment.
    Deployment,
    /// `setUp`.
    Setup,
    /// A call of the sequence, or the property itself.
    Execution,
}

/// Kind of a frame, by the instruction that entered it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FrameKind {
    /// CALL.
    Call,
    /// STATICCALL.
    StaticCall,
    /// DELEGATECALL.
    DelegateCall,
    /// CALLCODE.
    CallCode,
    /// CREATE.
    Create,
    /// CREATE2.
    Create2,
}

impl FrameKind {
    /// Tells whether the frame deploys a contract.
    #[must_use]
    pub fn is_create(self) -> bool {
        matches!(self, Self::Create | Self::Create2)
    }
}

/// Status with which a frame ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FrameStatus {
    /// STOP or the end of code.
    Stop,
    /// RETURN.
    Return,
    /// REVERT.
    Revert,
    /// SELFDESTRUCT.
    SelfDestruct,
    /// An exceptional halt, by its EVM name (`OutOfGas`, `InvalidFEOpcode`, ...).
    Halt(String),
}

impl FrameStatus {
    /// Tells whether the frame kept its effects.
    #[must_use]
    pub fn is_success(&self) -> bool {
        matches!(self, Self::Stop | Self::Return | Self::SelfDestruct)
    }
}

/// An item inside a frame; items are in the order of execution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TraceItem {
    /// A sub-call: index into [`Trace::frames`].
    Call(usize),
    /// An event.
    Log {
        /// The contract that emitted it.
        emitter: Address,
        /// Topics, the event signature's hash first.
        topics: Vec<B256>,
        /// Unindexed data.
        data: Bytes,
        /// `Name(arg: value, ...)` when the event is known.
        decoded: Option<String>,
    },
}

/// Message with which a frame was entered.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Message {
    /// `msg.sender` seen inside.
    pub caller: Address,
    /// Account whose storage is used, or that was created.
    pub address: Address,
    /// Account whose code runs.
    pub code_address: Address,
    /// Wei sent.
    pub value: U256,
    /// Calldata or init code.
    pub input: Bytes,
}

/// Gas of a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FrameGas {
    /// Gas limit.
    pub limit: u64,
    /// Gas used, without the intrinsic gas of a transaction.
    pub used: u64,
}

/// Result of a frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FrameResult {
    /// Status at the end.
    pub status: FrameStatus,
    /// Return data, revert data, or deployed code.
    pub output: Bytes,
}

/// Decoded text of a frame, as far as it is known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FrameText {
    /// `Contract` in `Contract::function(args)`: label or contract name, or a checksummed address.
    pub label: Option<String>,
    /// `function(args)` with decoded arguments.
    pub call: Option<String>,
    /// Decoded return value or revert reason.
    pub result: Option<String>,
}

/// One message call or contract creation.
#[derive(Clone, Debug)]
pub struct Frame {
    /// Index of the calling frame; `None` for the root.
    pub parent: Option<usize>,
    /// Call depth, the root at zero.
    pub depth: usize,
    /// Kind of the frame.
    pub kind: FrameKind,
    /// True if this is a call to the cheatcode or console address or a precompile.
    pub builtin: bool,
    /// Message.
    pub message: Message,
    /// Gas.
    pub gas: FrameGas,
    /// Result.
    pub result: FrameResult,
    /// Sub-calls and events in order.
    pub items: Vec<TraceItem>,
    /// Net storage changes by this frame itself (slot, before, after), in the order of the first writes.
    pub storage: Vec<(U256, U256, U256)>,
    /// Decoded text.
    pub text: FrameText,
}

/// A call tree; the root is frame 0.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    /// Frames in the order they were entered.
    pub frames: Vec<Frame>,
}
