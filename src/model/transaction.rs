//! One call of a sequence: target, selector, typed arguments, sender, value, time and block advance.

use crate::model::target::{Entry, TargetFunction};
use alloy_dyn_abi::{DynSolValue, JsonAbiExt};
use alloy_json_abi::StateMutability;
use alloy_primitives::{Address, Bytes, U256};
use std::sync::Arc;

/// Transactions run in order from the state after `setUp`.
pub type Sequence = Vec<Transaction>;

/// Calldata of a transaction.
#[derive(Clone, Debug, PartialEq)]
pub enum Input {
    /// A known function with typed arguments, one per parameter.
    Typed {
        /// The function called.
        function: Arc<TargetFunction>,
        /// Its arguments, one value per parameter, of the parameter's type. Copies of a sequence share them.
        args: Arc<Vec<DynSolValue>>,
    },
    /// Calldata with an unknown function or unknown arguments, as it is.
    Raw(Bytes),
}

/// One top-level transaction of a [`Sequence`].
#[derive(Clone, Debug, PartialEq)]
pub struct Transaction {
    /// `msg.sender` and `tx.origin` of the call.
    pub sender: Address,
    /// The contract called.
    pub target: Address,
    /// Wei sent with the call. A sender that owns less is given the difference first.
    pub value: U256,
    /// Seconds added to `block.timestamp` before the call; zero leaves it unchanged.
    pub warp: U256,
    /// Blocks added to `block.number` before the call; zero leaves it unchanged.
    pub roll: U256,
    /// Function and arguments.
    pub input: Input,
    /// Callback with which one call of a contract is answered (`call_override`).
    pub reentry: Option<Arc<Reentry>>,
}

/// A callback. In place of its own code, a callee calls its caller, from its own account. In a scan, a payable function
/// gets the value of the transaction once more. The callee returns the result of this call, or nothing if the call
/// fails. It owns the value that it was sent.
#[derive(Clone, Debug, PartialEq)]
pub struct Reentry {
    /// The contract that is called back.
    pub target: Address,
    /// Index of the answered call among the contract's calls to other contracts in this transaction, counted
    /// from zero as they begin. Only plain calls count: no static or delegate calls, and no calls of
    /// cheatcodes or the console.
    pub nth: u32,
    /// Calldata of the callback.
    pub input: Input,
}

impl Reentry {
    /// Returns the wei that an actor of a scan sends with the callback in a transaction with this value.
    #[must_use]
    pub fn value(&self, of_transaction: U256) -> U256 {
        let function = self.input.function();
        let is_payable = function.is_some_and(|named| named.state_mutability == StateMutability::Payable);
        if is_payable { of_transaction } else { U256::ZERO }
    }
}

impl Transaction {
    /// Creates a call of a known function, without value, delay or callback.
    #[must_use]
    pub fn plain(
        sender: Address,
        target: Address,
        function: &Arc<TargetFunction>,
        args: Vec<DynSolValue>,
    ) -> Self {
        let input = Input::typed(function, args);
        let zero = U256::ZERO;
        Self { sender, target, value: zero, warp: zero, roll: zero, input, reentry: None }
    }

    /// Tells whether only this tool makes this call; see [`TargetFunction::only_ours`].
    #[must_use]
    pub fn is_only_ours(&self) -> bool {
        self.input.function().is_some_and(|function| function.is_only_ours())
    }
}

impl Input {
    /// Creates a call of a known function.
    #[must_use]
    pub fn typed(function: &Arc<TargetFunction>, args: Vec<DynSolValue>) -> Self {
        Self::Typed { function: function.clone(), args: Arc::new(args) }
    }

    /// Returns the arguments, to be changed; `None` if the function is unknown. Arguments that another sequence has,
    /// too, are copied first.
    pub fn args_mut(&mut self) -> Option<&mut Vec<DynSolValue>> {
        match self {
            Self::Typed { args, .. } => Some(Arc::make_mut(args)),
            Self::Raw(_) => None,
        }
    }

    /// Decodes `data` as a call of `function`. Keeps `data` as it is if the decoded call does not encode to
    /// the same bytes.
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
        let args = args.map(|args| args.into_iter().map(unnamed).collect::<Vec<_>>());
        // Decoding does not check the ranges of types.
        let args = args.filter(|args| args.iter().all(is_in_range));
        let typed = args.map(|args| Self::typed(function, args));
        typed.filter(|typed| typed.calldata() == *data).unwrap_or_else(|| Self::Raw(data.clone()))
    }

    /// Returns the bytes sent: selector and ABI-encoded arguments. The arguments of a constructor are kept in
    /// this form, too.
    ///
    /// # Panics
    /// If an argument is not of its parameter's type, which only a bug of this tool can cause.
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

    /// Tells whether it creates the contract that is called; see [`Entry::Constructor`].
    #[must_use]
    pub fn is_creation(&self) -> bool {
        self.function().is_some_and(|function| function.entry() == Entry::Constructor)
    }

    /// Returns the function called, if it is known.
    #[must_use]
    pub fn function(&self) -> Option<&Arc<TargetFunction>> {
        match self {
            Self::Typed { function, .. } => Some(function),
            Self::Raw(_) => None,
        }
    }
}

/// Removes the names of structs and their members from a value, so that equal values compare as equal.
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

/// Tells whether a value, and each one in it, is within the range of its type.
fn is_in_range(value: &DynSolValue) -> bool {
    match value {
        DynSolValue::Uint(number, bits) => number.bit_len() <= *bits,
        DynSolValue::Int(number, bits) => {
            // A negative number needs as many bits as its complement, and each one bit for the sign.
            let magnitude = if number.is_negative() { !number.into_raw() } else { number.into_raw() };
            magnitude.bit_len() < *bits
        }
        DynSolValue::FixedBytes(word, size) => word[*size..].iter().all(|byte| *byte == 0),
        DynSolValue::Array(values) | DynSolValue::FixedArray(values) | DynSolValue::Tuple(values) => {
            values.iter().all(is_in_range)
        }
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloy_json_abi::Function;
    use alloy_primitives::U256;

    #[test]
    fn a_change_of_arguments_leaves_copies_alone() {
        let function = Function::parse("f(uint256)").expect("a function");
        let one = DynSolValue::Uint(U256::ONE, 256);
        let input = Input::typed(&Arc::new(TargetFunction::new(function)), vec![one.clone()]);
        let mut changed = input.clone();
        changed.args_mut().expect("arguments")[0] = DynSolValue::Uint(U256::ZERO, 256);
        let args = |input: &Input| match input {
            Input::Typed { args, .. } => args.to_vec(),
            Input::Raw(_) => Vec::new(),
        };
        assert_eq!(args(&input), [one]);
        assert_eq!(args(&changed), [DynSolValue::Uint(U256::ZERO, 256)]);
        assert!(Input::Raw(Bytes::new()).args_mut().is_none());
    }
}
