//! One call of a sequence: target, selector, typed arguments, sender, value, time and block advance.

use crate::model::target::{Entry, TargetFunction};
use alloy_dyn_abi::{DynSolValue, JsonAbiExt};
use alloy_primitives::{Address, Bytes, U256};
use std::sync::Arc;

/// Transactions run in order from the state after `setUp`.
pub type Sequence = Vec<Transaction>;

/// What a transaction sends as calldata.
#[derive(Clone, Debug, PartialEq)]
pub enum Input {
    /// A known function with typed arguments, one per parameter.
    Typed {
        /// The function called.
        function: Arc<TargetFunction>,
        /// Its arguments, one value per parameter, of the parameter's type.
        args: Vec<DynSolValue>,
    },
    /// Calldata whose function or arguments are not known, kept as it is.
    Raw(Bytes),
}

/// One top-level transaction of a [`Sequence`].
#[derive(Clone, Debug, PartialEq)]
pub struct Transaction {
    /// `msg.sender` and `tx.origin` of the call.
    pub sender: Address,
    /// The contract called.
    pub target: Address,
    /// Wei sent along; a sender that owns less is given the difference first.
    pub value: U256,
    /// Seconds added to `block.timestamp` before the call; zero leaves it.
    pub warp: U256,
    /// Blocks added to `block.number` before the call; zero leaves it.
    pub roll: U256,
    /// Function and arguments.
    pub input: Input,
    /// A call of a contract that is answered by calling the contract back (`call_override`).
    pub reentry: Option<Arc<Reentry>>,
}

/// What a callee does in the place of what it is called for: it calls its caller back, from its own account and without
/// value, and returns what that returns, or nothing if that fails. The value that came with the call is its own then.
#[derive(Clone, Debug, PartialEq)]
pub struct Reentry {
    /// The contract that is called back.
    pub target: Address,
    /// Which of its calls to other contracts it is in this transaction, counted from zero as they begin. Only plain calls
    /// count: no static or delegate call, and none of cheatcodes or the console.
    pub nth: u32,
    /// What it is called back with.
    pub input: Input,
}

impl Transaction {
    /// A call of a known function, without value, delay or callback.
    #[must_use]
    pub fn plain(
        sender: Address,
        target: Address,
        function: &Arc<TargetFunction>,
        args: Vec<DynSolValue>,
    ) -> Self {
        let input = Input::Typed { function: function.clone(), args };
        let zero = U256::ZERO;
        Self { sender, target, value: zero, warp: zero, roll: zero, input, reentry: None }
    }

    /// Whether this is a call that only we make; see [`TargetFunction::only_ours`].
    #[must_use]
    pub fn is_only_ours(&self) -> bool {
        self.input.function().is_some_and(|function| function.is_only_ours())
    }
}

impl Input {
    /// Decodes `data` as a call of `function`; keeps it raw when that does not give the same bytes back.
    #[must_use]
    pub fn decode(function: &Arc<TargetFunction>, data: &Bytes) -> Self {
        let args = match function.entry() {
            Entry::Selector | Entry::Constructor => {
                let tail = data.get(4..).filter(|_| function.types().is_some());
                tail.and_then(|tail| function.abi_decode_input(tail).ok())
            }
            Entry::Receive => Some(Vec::new()),
            Entry::Fallback => Some(vec![DynSolValue::Bytes(data.to_vec())]),
        };
        let typed = args.map(|args| Self::Typed {
            function: function.clone(),
            args: args.into_iter().map(unnamed).collect(),
        });
        typed.filter(|typed| typed.calldata() == *data).unwrap_or_else(|| Self::Raw(data.clone()))
    }

    /// The bytes sent: selector and ABI-encoded arguments, which is how a constructor's are kept too.
    ///
    /// # Panics
    /// When an argument is not of its parameter's type, which only our own bug can cause.
    #[must_use]
    pub fn calldata(&self) -> Bytes {
        match self {
            Self::Typed { function, .. } if function.entry() == Entry::Receive => Bytes::new(),
            Self::Typed { function, args } if function.entry() == Entry::Fallback => {
                args.first().and_then(DynSolValue::as_bytes).map(Bytes::copy_from_slice).unwrap_or_default()
            }
            Self::Typed { function, args } => {
                let args = function.abi_encode_input_raw(args);
                let args =
                    args.unwrap_or_else(|error| panic!("arguments of {}: {error}", function.signature()));
                [function.selector().as_slice(), &args].concat().into()
            }
            Self::Raw(data) => data.clone(),
        }
    }

    /// Whether it creates the contract that is called; see [`Entry::Constructor`].
    #[must_use]
    pub fn is_creation(&self) -> bool {
        self.function().is_some_and(|function| function.entry() == Entry::Constructor)
    }

    /// The function called, where it is known.
    #[must_use]
    pub fn function(&self) -> Option<&Arc<TargetFunction>> {
        match self {
            Self::Typed { function, .. } => Some(function),
            Self::Raw(_) => None,
        }
    }
}

/// A value without the names of structs and their members, so that equal ones compare so.
fn unnamed(value: DynSolValue) -> DynSolValue {
    let all = |values: Vec<DynSolValue>| values.into_iter().map(unnamed).collect();
    match value {
        DynSolValue::Array(values) => DynSolValue::Array(all(values)),
        DynSolValue::FixedArray(values) => DynSolValue::FixedArray(all(values)),
        DynSolValue::Tuple(values) | DynSolValue::CustomStruct { tuple: values, .. } => {
            DynSolValue::Tuple(all(values))
        }
        scalar => scalar,
    }
}
