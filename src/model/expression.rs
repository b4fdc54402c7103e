//! Expressions: how a transaction computed a word from its inputs (symbolic execution along one path).

mod simplify;

use crate::model::Slot;
use alloy_primitives::{Address, U256};
use rustc_hash::{FxHashMap, FxHashSet};
use simplify::Simplified;
use std::collections::BTreeMap;

/// Maximum number of operations that are looked through. Without a bound, shared operands would be looked at once for
/// each way to them.
const MOST_STEPS: usize = 6;

/// Number of an expression in its [`Expressions`], larger than those of its operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ExpressionId(u32);

/// Input of a computation. Those of a transaction carry the index of the transaction in its sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SymbolicInput {
    /// Word of a transaction's calldata, at an offset in bytes that includes the selector.
    Input(usize, usize),
    /// Wei that a transaction brought.
    Value(usize),
    /// Sender of a transaction.
    Sender(usize),
    /// Seconds that passed before a transaction.
    Delay(usize),
    /// Blocks that passed before a transaction.
    Blocks(usize),
    /// Caller of a frame, if it is not the sender of the transaction.
    Caller,
    /// Time of the block, if it is not known from the delays.
    Time,
    /// Number of the block, if it is not known from the delays.
    Number,
    /// Other data of the block, such as a hash or randomness.
    Block,
    /// Wei that an account owns.
    Balance,
    /// Success of a call to an account.
    Success(Address),
    /// Storage that the transaction has not written. A key of a mapping has its own expression.
    Storage(Slot, Option<ExpressionId>),
}

/// Operation of an [`Expression`]. Unless stated otherwise, it is the EVM instruction of that name, with the operands
/// in the same order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "each is an EVM instruction")]
pub enum WordOperator {
    Add,
    Mul,
    Sub,
    Div,
    SignedDiv,
    Mod,
    SignedMod,
    AddMod,
    MulMod,
    Exp,
    SignExtend,
    Less,
    Greater,
    SignedLess,
    SignedGreater,
    Equal,
    IsZero,
    And,
    Or,
    Xor,
    Not,
    Byte,
    ShiftLeft,
    ShiftRight,
    SignedShiftRight,
    /// KECCAK256; the operands are the number of bytes and the words of the hashed memory.
    Hash,
    /// Result of which only the inputs are known: output of a precompiled contract or a cheatcode, or the hash of many
    /// bytes.
    Builtin,
}

impl WordOperator {
    /// Tells whether the result is one if a comparison holds, and otherwise zero.
    #[must_use]
    pub fn is_comparison(self) -> bool {
        use WordOperator::{Equal, Greater, IsZero, Less, SignedGreater, SignedLess};
        matches!(self, Less | Greater | SignedLess | SignedGreater | Equal | IsZero)
    }

    /// Tells whether two operands may change places.
    fn is_commutative(self) -> bool {
        matches!(self, Self::Add | Self::Mul | Self::Equal | Self::And | Self::Or | Self::Xor)
    }
}

/// Computation of a word.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Expression {
    /// A word that no input changes on the path of the transaction.
    Constant,
    /// An input.
    Input(SymbolicInput),
    /// A result.
    Operation(WordOperator, Box<[ExpressionId]>),
}

/// Expressions of one transaction. Equal ones with equal values exist once (hash consing).
#[derive(Clone, Debug, Default)]
pub struct Expressions {
    nodes: Vec<(Expression, U256)>,
    known: FxHashMap<(Expression, U256), ExpressionId>,
}

/// Inputs that a word depends on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Dependencies {
    /// True for arguments of the transaction.
    pub input: bool,
    /// True for the sender of the transaction, or the caller of a nested call.
    pub caller: bool,
    /// True for a word of storage whose slot such an account chooses, as the key of a mapping.
    pub keyed_by_caller: bool,
    /// True for the time, the number or other data of the block.
    pub block: bool,
    /// True for wei that was sent or is owned.
    pub ether: bool,
    /// True for the success of a nested call.
    pub success: bool,
    /// True for hashes, and for results of precompiled contracts and cheatcodes. Hashes that only choose a slot do
    /// not count.
    pub hash: bool,
    /// Words of storage that the transaction had not written, each with the bits that matter.
    pub slots: BTreeMap<Slot, U256>,
}

impl Expressions {
    /// Returns the number of expressions.
    #[must_use]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Tells whether there are no expressions.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Adds an expression that had this value, unless it exists.
    pub fn add(&mut self, expression: Expression, value: U256) -> ExpressionId {
        let next = ExpressionId(u32::try_from(self.nodes.len()).unwrap_or(u32::MAX));
        *self.known.entry((expression, value)).or_insert_with_key(|node| {
            self.nodes.push(node.clone());
            next
        })
    }

    /// Returns an expression.
    #[must_use]
    pub fn get(&self, id: ExpressionId) -> &Expression {
        &self.nodes[id.0 as usize].0
    }

    /// Returns the value that an expression had.
    #[must_use]
    pub fn value(&self, id: ExpressionId) -> U256 {
        self.nodes[id.0 as usize].1
    }

    /// Returns the value of an expression that is a constant.
    #[must_use]
    pub fn constant(&self, id: ExpressionId) -> Option<U256> {
        (*self.get(id) == Expression::Constant).then(|| self.value(id))
    }

    /// Tells whether an expression is zero or one whatever the inputs are.
    #[must_use]
    pub fn is_boolean(&self, id: ExpressionId) -> bool {
        simplify::possible_bits(self, id) <= U256::ONE
    }

    /// Adds the result of an operation that had this value, in a simpler form if there is one.
    pub fn operation(
        &mut self,
        operator: WordOperator,
        mut operands: Box<[ExpressionId]>,
        value: U256,
    ) -> ExpressionId {
        // Constants come first, so that equal expressions are the same.
        if let [first, second] = &mut operands[..]
            && operator.is_commutative()
            && self.constant(*first).is_none()
            && self.constant(*second).is_some()
        {
            std::mem::swap(first, second);
        }
        match simplify::simplified(self, operator, &operands) {
            Some(Simplified::Constant) => self.add(Expression::Constant, value),
            Some(Simplified::Same(same)) => same,
            Some(Simplified::Operation(operator, first, second)) => {
                // Each step leaves fewer operations.
                self.operation(operator, [first, second].into(), value)
            }
            None => self.add(Expression::Operation(operator, operands), value),
        }
    }

    /// Returns the inputs that an expression depends on.
    #[must_use]
    pub fn dependencies(&self, id: ExpressionId) -> Dependencies {
        let mut found = Dependencies::default();
        let (mut open, mut seen) = (vec![(id, U256::MAX, false)], FxHashSet::default());
        while let Some((id, bits, is_key)) = open.pop() {
            if !seen.insert((id, bits, is_key)) {
                continue;
            }
            match self.get(id) {
                Expression::Constant => {}
                Expression::Input(leaf) => {
                    found.add(*leaf, bits, is_key);
                    if let SymbolicInput::Storage(_, Some(key)) = leaf {
                        open.push((*key, U256::MAX, true));
                    }
                }
                Expression::Operation(operator, operands) => {
                    let is_hash = matches!(operator, WordOperator::Hash | WordOperator::Builtin);
                    let is_constant = |operand: &ExpressionId| self.constant(*operand).is_some();
                    found.hash |= is_hash && !is_key && !operands.iter().all(is_constant);
                    let bits = self.bits(*operator, operands, bits);
                    open.extend(operands.iter().map(|operand| (*operand, bits, is_key)));
                }
            }
        }
        found
    }

    /// Returns the bits of the operands that matter if these bits of the result do: fewer than all if a constant
    /// masks or shifts, as where a field is taken out of a packed word.
    fn bits(&self, operator: WordOperator, operands: &[ExpressionId], bits: U256) -> U256 {
        let constant = |nth: usize| self.constant(*operands.get(nth)?);
        let shift = |by: U256| usize::try_from(by).unwrap_or(usize::MAX).min(256);
        match (operator, constant(0), constant(1)) {
            (WordOperator::And, Some(mask), _) | (WordOperator::And, _, Some(mask)) => bits & mask,
            (WordOperator::ShiftRight, Some(by), _) => bits << shift(by),
            (WordOperator::ShiftLeft, Some(by), _) => bits >> shift(by),
            (WordOperator::Or | WordOperator::Xor | WordOperator::Not, ..) => bits,
            _ => U256::MAX,
        }
    }
}

impl Dependencies {
    fn add(&mut self, leaf: SymbolicInput, bits: U256, is_key: bool) {
        match leaf {
            SymbolicInput::Input(..) => self.input = true,
            SymbolicInput::Sender(_) | SymbolicInput::Caller if is_key => self.keyed_by_caller = true,
            SymbolicInput::Sender(_) | SymbolicInput::Caller => self.caller = true,
            SymbolicInput::Delay(_)
            | SymbolicInput::Blocks(_)
            | SymbolicInput::Time
            | SymbolicInput::Number
            | SymbolicInput::Block => self.block = true,
            SymbolicInput::Value(_) | SymbolicInput::Balance => self.ether = true,
            SymbolicInput::Success(_) => self.success = true,
            // The key of a mapping may come from storage, but it is seldom what should change.
            SymbolicInput::Storage(..) if is_key => {}
            SymbolicInput::Storage(slot, _) => *self.slots.entry(slot).or_default() |= bits,
        }
    }

    /// Tells whether the word depends on nothing that a sequence of calls can change.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SLOT: Slot = Slot { address: Address::repeat_byte(1), slot: U256::ZERO };

    fn operation(all: &mut Expressions, operator: WordOperator, operands: &[ExpressionId]) -> ExpressionId {
        all.add(Expression::Operation(operator, operands.into()), U256::ZERO)
    }

    #[test]
    fn of_a_packed_word_only_the_bits_of_the_field_matter() {
        let mut all = Expressions::default();
        let word = all.add(Expression::Input(SymbolicInput::Storage(SLOT, None)), U256::from(0x0102_0304));
        let [eight, mask] = [8, 0xff].map(|constant| all.add(Expression::Constant, U256::from(constant)));
        let shifted = operation(&mut all, WordOperator::ShiftRight, &[eight, word]);
        let field = operation(&mut all, WordOperator::And, &[mask, shifted]);
        let is_zero = operation(&mut all, WordOperator::IsZero, &[field]);
        assert_eq!(all.dependencies(is_zero).slots, [(SLOT, U256::from(0xff00))].into());
        assert_eq!(all.len(), 6);
        assert_eq!(operation(&mut all, WordOperator::And, &[mask, shifted]), field);
        assert_eq!(all.len(), 6);
    }

    #[test]
    fn the_key_of_a_mapping_counts_for_callers_and_arguments_alone() {
        let mut all = Expressions::default();
        let other = Slot { slot: U256::from(7), ..SLOT };
        let [sender, stored] = [SymbolicInput::Sender(0), SymbolicInput::Storage(other, None)]
            .map(|leaf| all.add(Expression::Input(leaf), U256::from(3)));
        let key = operation(&mut all, WordOperator::Hash, &[sender, stored]);
        let allowed = all.add(Expression::Input(SymbolicInput::Storage(SLOT, Some(key))), U256::ZERO);
        let expected = Dependencies {
            keyed_by_caller: true,
            slots: [(SLOT, U256::MAX)].into(),
            ..Dependencies::default()
        };
        assert_eq!(all.dependencies(allowed), expected);
        assert!(all.dependencies(key).hash);
    }
}
