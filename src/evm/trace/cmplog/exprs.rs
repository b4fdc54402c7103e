//! Expressions behind words on the stack: results of comparisons, and words computed from them.
//!
//! A node describes how a word was computed. Words carry the ids of their nodes ([`super::tags`]). A node is
//! valid for a word only if its recorded result equals that word, so that stale tags left behind by untraced
//! instructions do no harm.

use crate::model::branch::Relation;
use alloy_primitives::U256;

/// Id of a node; zero means none.
pub(in crate::evm) type ExprId = u32;

/// Maximum number of nodes kept for one transaction; the newest are kept.
const KEPT: usize = 1 << 14;

/// Predefined nodes: the constants 0 and 1.
const CONSTANTS: [(U256, Expr); 2] = [(U256::ZERO, Expr::Constant), (U256::ONE, Expr::Constant)];

/// Word with the id of its node, zero if it has no valid one.
#[derive(Clone, Copy, Debug)]
pub(in crate::evm) struct TaggedWord {
    pub(in crate::evm) word: U256,
    pub(in crate::evm) node: ExprId,
}

/// Expression that computed a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::evm) enum Expr {
    /// Result of a comparison: 1 or 0.
    Compare(Relation, U256, U256),
    /// ISZERO of a word with this node.
    IsZero(U256, ExprId),
    /// SUB, XOR, or ADD of a negated constant: nonzero if both operands differ.
    Difference(U256, U256),
    /// Negation of a boolean or of a difference.
    Not(ExprId),
    /// Conjunction of two booleans.
    And(ExprId, ExprId),
    /// Disjunction of two booleans or differences.
    Or(ExprId, ExprId),
    /// Constant 0 or 1, pushed by the code.
    Constant,
    /// The bits of another word that fit its type.
    Masked(ExprId),
    /// The bits of another word beyond its type: zero if the word is valid.
    HighBits,
    /// KECCAK256 of a preimage with this number of bytes.
    Image(u64),
    /// Hash of a mapping's key with a constant added: a struct member.
    Member,
    /// Word read from calldata or memory. The node only identifies its copies.
    Read,
    /// Call value.
    CallValue,
    /// First word of calldata.
    FirstWord,
    /// Size, selector or call success in a compiler-generated check, or a word computed from one.
    CompilerCheck,
}

/// Nodes of one transaction.
#[derive(Clone, Debug, Default)]
pub(in crate::evm) struct Exprs {
    /// Results and nodes by index, modulo [`KEPT`].
    ring: Vec<(U256, Expr)>,
    /// Number of nodes created in the transaction.
    pub(super) count: usize,
}

impl Exprs {
    /// Largest id that is none, or that of a constant.
    pub(super) const CONSTANT_IDS: ExprId = CONSTANTS.len() as ExprId;

    pub(in crate::evm) fn reset(&mut self) {
        self.count = 0;
    }

    /// Adds a node for a word and returns its id.
    pub(in crate::evm) fn push(&mut self, result: U256, node: Expr) -> ExprId {
        let place = self.count % KEPT;
        match self.ring.get_mut(place) {
            Some(entry) => *entry = (result, node),
            None => self.ring.push((result, node)),
        }
        self.count += 1;
        // Gas runs out long before the ids do.
        ExprId::try_from(self.count + CONSTANTS.len()).unwrap_or_default()
    }

    /// Returns the node of a constant pushed by the code.
    pub(in crate::evm) fn constant(word: U256) -> ExprId {
        match word {
            U256::ZERO => 1,
            U256::ONE => 2,
            _ => 0,
        }
    }

    /// Returns the result and node of an id, if it is still kept.
    pub(in crate::evm) fn get(&self, id: ExprId) -> Option<&(U256, Expr)> {
        let index = (id as usize).checked_sub(1)?;
        let Some(index) = index.checked_sub(CONSTANTS.len()) else { return CONSTANTS.get(index) };
        let kept = index < self.count && self.count - index <= KEPT;
        self.ring.get(index % KEPT).filter(|_| kept)
    }

    /// Returns `id` if its node is valid for this word, else zero.
    pub(in crate::evm) fn valid(&self, id: ExprId, word: U256) -> ExprId {
        match self.get(id) {
            Some((result, _)) if *result == word => id,
            _ => 0,
        }
    }

    /// Returns true if a comparison of a word with this node says nothing about how the word was computed.
    pub(in crate::evm) fn hides_origin(&self, node: ExprId) -> bool {
        use Expr::{Constant, Image, Masked, Member, Read};
        matches!(self.node(node), None | Some(Constant | Image(_) | Masked(_) | Member | Read))
    }

    fn node(&self, id: ExprId) -> Option<Expr> {
        self.get(id).map(|(_, node)| *node)
    }

    /// Returns true if the word has no node or is a constant.
    fn is_plain(&self, operand: TaggedWord) -> bool {
        matches!(self.node(operand.node), None | Some(Expr::Constant))
    }

    pub(in crate::evm) fn is_compiler_check(&self, operand: TaggedWord) -> bool {
        self.node(operand.node) == Some(Expr::CompilerCheck)
    }

    fn is_truth(&self, operand: TaggedWord) -> bool {
        use Expr::{And, Compare, IsZero, Not, Or};
        let node = self.node(operand.node);
        matches!(node, Some(Compare(..) | IsZero(..) | Not(_) | And(..) | Or(..)))
            && operand.word <= U256::ONE
    }

    /// Returns true if the word is nonzero exactly if a known condition is true.
    fn is_truthy(&self, operand: TaggedWord) -> bool {
        self.is_truth(operand) || matches!(self.node(operand.node), Some(Expr::Difference(..) | Expr::Or(..)))
    }

    /// Returns true if one operand is the other with the bits beyond its type cleared: the validity check of
    /// an ABI decoder.
    fn is_cleanup(&self, left: TaggedWord, right: TaggedWord) -> bool {
        let cleans = |clean: TaggedWord, source: TaggedWord| match self.node(clean.node) {
            Some(Expr::Masked(of)) => of == source.node,
            Some(Expr::Not(inner)) => {
                matches!(self.node(inner), Some(Expr::IsZero(_, of)) if of != 0 && of == source.node)
                    || self.node(inner) == Some(Expr::Not(source.node))
            }
            _ => false,
        };
        // Types of 256 bits need no cleaning.
        let same = left.node == right.node && self.node(left.node) == Some(Expr::Read);
        same || left.node != 0 && right.node != 0 && (cleans(left, right) || cleans(right, left))
    }

    /// Returns the node of `left == right` if one is a boolean and the other is the constant 0 or 1.
    fn equals_constant(&mut self, left: TaggedWord, right: TaggedWord) -> Option<ExprId> {
        for (truth, other) in [(left, right), (right, left)] {
            if self.is_plain(other) && self.is_truth(truth) {
                match other.word {
                    U256::ZERO => {
                        return Some(self.push(U256::from(truth.word.is_zero()), Expr::Not(truth.node)));
                    }
                    U256::ONE => return Some(truth.node),
                    _ => {}
                }
            }
        }
        None
    }

    /// Returns the node of `relation(left, right)`.
    pub(in crate::evm) fn compare(
        &mut self,
        relation: Relation,
        left: TaggedWord,
        right: TaggedWord,
    ) -> ExprId {
        let result = U256::from(relation.holds(left.word, right.word));
        if self.is_compiler_check(left) || self.is_compiler_check(right) {
            return self.push(result, Expr::CompilerCheck);
        }
        if relation == Relation::Equal {
            if self.is_cleanup(left, right) {
                return self.push(result, Expr::CompilerCheck);
            }
            if let Some(node) = self.equals_constant(left, right) {
                return node;
            }
        }
        self.push(result, Expr::Compare(relation, left.word, right.word))
    }

    /// Returns the node of `iszero(word)`.
    pub(in crate::evm) fn is_zero(&mut self, operand: TaggedWord) -> ExprId {
        let result = U256::from(operand.word.is_zero());
        let node = match self.node(operand.node) {
            Some(Expr::Constant) => return Self::constant(result),
            Some(Expr::CompilerCheck) => Expr::CompilerCheck,
            Some(_) if self.is_truthy(operand) => Expr::Not(operand.node),
            _ => Expr::IsZero(operand.word, operand.node),
        };
        self.push(result, node)
    }

    /// Returns the node of SUB or XOR.
    pub(in crate::evm) fn difference(&mut self, left: TaggedWord, right: TaggedWord, result: U256) -> ExprId {
        if self.is_compiler_check(left) || self.is_compiler_check(right) || self.is_cleanup(left, right) {
            return self.push(result, Expr::CompilerCheck);
        }
        match self.equals_constant(left, right) {
            Some(equal) => self.push(result, Expr::Not(equal)),
            None => self.push(result, Expr::Difference(left.word, right.word)),
        }
    }

    /// Returns the node of ADD, or zero if it is irrelevant. `is_constant` tells whether the code pushes a
    /// word.
    pub(in crate::evm) fn sum(
        &mut self,
        left: TaggedWord,
        right: TaggedWord,
        result: U256,
        mut is_constant: impl FnMut(U256) -> bool,
    ) -> ExprId {
        if self.is_compiler_check(left) || self.is_compiler_check(right) {
            return self.push(result, Expr::CompilerCheck);
        }
        for (image, other) in [(left, right), (right, left)] {
            let mapped = matches!(self.node(image.node), Some(Expr::Image(64) | Expr::Member));
            if mapped && self.is_plain(other) && is_constant(other.word) {
                return self.push(result, Expr::Member);
            }
        }
        // The optimizer writes `x - C` as `x + (-C)`.
        match (left.word.bit(255), right.word.bit(255)) {
            (true, false) => self.push(result, Expr::Difference(right.word, left.word.wrapping_neg())),
            (false, true) => self.push(result, Expr::Difference(left.word, right.word.wrapping_neg())),
            _ => 0,
        }
    }

    /// Returns the node of AND.
    pub(in crate::evm) fn conjunction(
        &mut self,
        left: TaggedWord,
        right: TaggedWord,
        result: U256,
    ) -> ExprId {
        if self.is_compiler_check(left) || self.is_compiler_check(right) {
            return self.push(result, Expr::CompilerCheck);
        }
        if self.is_truth(left) && self.is_truth(right) {
            return self.push(result, Expr::And(left.node, right.node));
        }
        for (known, mask) in [(left, right), (right, left)] {
            if self.is_truth(known) {
                // A mask with the lowest bit set keeps the boolean. A zero word is a boolean of unknown
                // origin.
                if mask.word.bit(0) {
                    return known.node;
                }
                let unknown = self.push(mask.word, Expr::Difference(mask.word, U256::ZERO));
                return self.push(result, Expr::And(known.node, unknown));
            }
        }
        for (known, mask) in [(left, right), (right, left)] {
            if self.is_type_mask(mask) {
                return self.masked(known, result, |word| word & mask.word);
            }
        }
        0
    }

    /// Returns true if the word is the mask of a type: a constant, or `2^n - 1` computed on the spot.
    fn is_type_mask(&self, operand: TaggedWord) -> bool {
        let computed = match self.node(operand.node) {
            None | Some(Expr::Constant) => true,
            Some(Expr::Difference(power, one)) => one == U256::ONE && power.is_power_of_two(),
            Some(_) => false,
        };
        computed && is_mask(operand.word)
    }

    /// Returns the node of a word after `mask` has cleared the bits beyond its type.
    pub(in crate::evm) fn masked(
        &mut self,
        operand: TaggedWord,
        result: U256,
        mask: impl Fn(U256) -> U256,
    ) -> ExprId {
        match self.node(operand.node) {
            Some(Expr::Read | Expr::FirstWord) => self.push(result, Expr::Masked(operand.node)),
            // Masked twice.
            Some(Expr::Masked(of)) => self.push(result, Expr::Masked(of)),
            _ => self.cut(operand, result, mask),
        }
    }

    /// Returns the node of a left shift. Shifting out the high bits compares only the low ones.
    pub(in crate::evm) fn shifted_left(&mut self, operand: TaggedWord, bits: U256, result: U256) -> ExprId {
        let bits = usize::try_from(bits).unwrap_or(256);
        self.cut(operand, result, |word| word & U256::MAX.checked_shr(bits).unwrap_or_default())
    }

    /// Returns the node of a word of which only the bits of a mask are compared.
    fn cut(&mut self, operand: TaggedWord, result: U256, mask: impl Fn(U256) -> U256) -> ExprId {
        let node = match self.node(operand.node) {
            Some(Expr::CompilerCheck) => Expr::CompilerCheck,
            Some(Expr::Difference(left, right)) if (mask(left) == mask(right)) == result.is_zero() => {
                Expr::Difference(mask(left), mask(right))
            }
            _ => return 0,
        };
        self.push(result, node)
    }

    /// Returns the node of OR.
    pub(in crate::evm) fn disjunction(
        &mut self,
        left: TaggedWord,
        right: TaggedWord,
        result: U256,
    ) -> ExprId {
        if self.is_compiler_check(left) || self.is_compiler_check(right) {
            return self.push(result, Expr::CompilerCheck);
        }
        match (self.is_truthy(left), self.is_truthy(right)) {
            (true, true) => self.push(result, Expr::Or(left.node, right.node)),
            (true, false) => self.or_unknown(left, right, result),
            (false, true) => self.or_unknown(right, left, result),
            (false, false) => 0,
        }
    }

    fn or_unknown(&mut self, known: TaggedWord, unknown: TaggedWord, result: U256) -> ExprId {
        if unknown.word.is_zero() && self.is_plain(unknown) && unknown.node != 0 {
            return known.node;
        }
        let other = self.push(unknown.word, Expr::Difference(unknown.word, U256::ZERO));
        self.push(result, Expr::Or(known.node, other))
    }

    /// Returns the node of a right shift.
    pub(in crate::evm) fn shifted_right(&mut self, operand: TaggedWord, bits: U256, result: U256) -> ExprId {
        let node = match self.node(operand.node) {
            Some(Expr::FirstWord) if bits == U256::from(224) => Expr::CompilerCheck,
            Some(Expr::CompilerCheck) => Expr::CompilerCheck,
            Some(Expr::Read | Expr::FirstWord) => Expr::HighBits,
            _ => return 0,
        };
        self.push(result, node)
    }
}

/// Returns true if a word has all its ones in the low bits, or all in the high bits, as masks of types do.
fn is_mask(word: U256) -> bool {
    let low = |word: U256| !word.is_zero() && (word & word.wrapping_add(U256::ONE)).is_zero();
    low(word) || low(!word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cleaned_word_is_checked_by_the_compiler_and_a_shifted_one_by_the_program() {
        let mut exprs = Exprs::default();
        let word = U256::from(0x1234_5678_u64);
        let read = TaggedWord { word, node: exprs.push(word, Expr::Read) };
        let low = word & U256::from(0xffff);
        let clean = exprs.masked(read, low, |word| word & U256::from(0xffff));
        let check = exprs.difference(read, TaggedWord { word: low, node: clean }, word ^ low);
        assert_eq!(exprs.node(check), Some(Expr::CompilerCheck));
        let up = word << 32;
        let shifted = exprs.shifted_left(read, U256::from(32), up);
        let check = exprs.difference(read, TaggedWord { word: up, node: shifted }, word ^ up);
        assert_eq!(exprs.node(check), Some(Expr::Difference(word, up)));
    }
}
