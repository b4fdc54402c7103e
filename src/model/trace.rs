//! A call tree as executed, with the decoded text that reports show.

use alloy_primitives::{Address, B256, Bytes, U256};

/// What a trace belongs to, in Forge's words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TraceKind {
    /// Library and test-contract deployment.
    Deployment,
    /// `setUp`.
    Setup,
    /// A call of the sequence, or the property itself.
    Execution,
}

/// How a frame was entered.
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
    /// Whether the frame deploys a contract.
    #[must_use]
    pub fn is_create(self) -> bool {
        matches!(self, Self::Create | Self::Create2)
    }
}

/// How a frame ended.
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
    /// Whether the frame kept its effects.
    #[must_use]
    pub fn is_success(&self) -> bool {
        matches!(self, Self::Stop | Self::Return | Self::SelfDestruct)
    }
}

/// What happened inside a frame, in order.
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

/// One message call or contract creation.
#[derive(Clone, Debug)]
pub struct Frame {
    /// Index of the calling frame; `None` for the root.
    pub parent: Option<usize>,
    /// Call depth, the root at zero.
    pub depth: usize,
    /// How it was entered.
    pub kind: FrameKind,
    /// `msg.sender` seen inside.
    pub caller: Address,
    /// The account whose storage is used, or that was created.
    pub address: Address,
    /// The account whose code runs.
    pub code_address: Address,
    /// Wei sent.
    pub value: U256,
    /// Calldata or init code.
    pub input: Bytes,
    /// Return data, revert data, or deployed code.
    pub output: Bytes,
    /// Gas used, without the intrinsic gas of a transaction.
    pub gas_used: u64,
    /// Gas given.
    pub gas_limit: u64,
    /// How it ended.
    pub status: FrameStatus,
    /// Sub-calls and events in order.
    pub items: Vec<TraceItem>,
    /// Net storage changes made by this frame itself: slot, before, after, in slot order of first write.
    pub storage: Vec<(U256, U256, U256)>,
    /// `Contract` part of `Contract::function(args)`: label or contract name, or a checksummed address.
    pub label: Option<String>,
    /// `function(args)` with decoded arguments, where the function is known.
    pub call: Option<String>,
    /// Decoded return value or revert reason, where known.
    pub result: Option<String>,
    /// Whether this is a call to the cheatcode or console address or a precompile.
    pub builtin: bool,
}

/// A call tree; the root is frame 0.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    /// Frames in the order they were entered.
    pub frames: Vec<Frame>,
}
