//! Words of the stack whose making matters: results of comparisons and what is made of them.
//!
//! A node tells how a word came about. Words carry the numbers of their nodes ([`super::tags`]); a node counts
//! for a word only while its recorded result is that word, so that a tag left behind by an instruction that is
//! not followed does no harm.

use crate::model::branch::Relation;
use alloy_primitives::U256;

/// Number of a node; zero is none.
pub(in crate::evm) type ExprId = u32;

/// Nodes kept of one transaction, the newest.
const KEPT: usize = 1 << 14;

/// Nodes that every transaction has: the constants 0 and 1.
const CONSTANTS: [(U256, Expr); 2] = [(U256::ZERO, Expr::Constant), (U256::ONE, Expr::Constant)];

/// A word with its node, zero unless it is valid.
#[derive(Clone, Copy, Debug)]
pub(in crate::evm) struct TaggedWord {
    pub(in crate::evm) word: U256,
    pub(in crate::evm) node: ExprId,
}

/// How a word came about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::evm) enum Expr {
    /// Whether a relation holds: 1 or 0.
    Compare(Relation, U256, U256),
    /// Whether a word, with its node, is zero.
    IsZero(U256, ExprId),
    /// SUB, XOR, or ADD of a negated constant: nonzero if the two are unequal.
    Difference(U256, U256),
    /// Of a truth, or of a difference.
    Not(ExprId),
    /// Of two truths.
    And(ExprId, ExprId),
    /// Of two truths or differences.
    Or(ExprId, ExprId),
    /// Pushed by the code, and 0 or 1.
    Constant,
    /// The part of another word that fits a type.
    Masked(ExprId),
    /// The part of another word that does not fit a type: zero if it is valid.
    LimitExceeded,
    /// KECCAK256 of so many bytes.
    Image(u64),
    /// Such an image of a mapping's key with a constant added: a member of a struct.
    Member,
    /// Something read, known only to be the same word wherever it is copied to.
    Read,
    /// What was sent with the call.
    CallValue,
    /// The first word of calldata.
    FirstWord,
    /// Sizes, selectors and successes of calls that the compiler looks at on its own account, and what was
    /// computed from them.
    CompilerCheck,
}

/// The nodes of one transaction.
#[derive(Clone, Debug, Default)]
pub(in crate::evm) struct Exprs {
    /// Result and node by number from the first one on, modulo [`KEPT`].
    ring: Vec<(U256, Expr)>,
    /// How many there were in the transaction.
    count: usize,
}

impl Exprs {
    pub(in crate::evm) fn reset(&mut self) {
        self.count = 0;
    }

    /// A new node for a word.
    pub(in crate::evm) fn push(&mut self, result: U256, node: Expr) -> ExprId {
        let place = self.count % KEPT;
        match self.ring.get_mut(place) {
            Some(entry) => *entry = (result, node),
            None => self.ring.push((result, node)),
        }
        self.count += 1;
        // Gas runs out long before numbers do.
        ExprId::try_from(self.count + CONSTANTS.len()).unwrap_or_default()
    }

    /// The node of a word that the code pushes.
    pub(in crate::evm) fn constant(word: U256) -> ExprId {
        match word {
            U256::ZERO => 1,
            U256::ONE => 2,
            _ => 0,
        }
    }

    /// Result and node of a number, while it is kept.
    pub(in crate::evm) fn get(&self, id: ExprId) -> Option<&(U256, Expr)> {
        let index = (id as usize).checked_sub(1)?;
        let Some(index) = index.checked_sub(CONSTANTS.len()) else { return CONSTANTS.get(index) };
        let kept = index < self.count && self.count - index <= KEPT;
        self.ring.get(index % KEPT).filter(|_| kept)
    }

    /// The number itself if its node belongs to this word, else zero.
    pub(in crate::evm) fn valid(&self, id: ExprId, word: U256) -> ExprId {
        match self.get(id) {
            Some((result, _)) if *result == word => id,
            _ => 0,
        }
    }

    fn node(&self, id: ExprId) -> Option<Expr> {
        self.get(id).map(|(_, node)| *node)
    }

    /// Whether nothing is known of a word, or that it is constant.
    fn is_plain(&self, operand: TaggedWord) -> bool {
        matches!(self.node(operand.node), None | Some(Expr::Constant))
    }

    pub(in crate::evm) fn is_plumbing(&self, operand: TaggedWord) -> bool {
        self.node(operand.node) == Some(Expr::CompilerCheck)
    }

    fn is_truth(&self, operand: TaggedWord) -> bool {
        use Expr::{And, Compare, IsZero, Not, Or};
        let node = self.node(operand.node);
        matches!(node, Some(Compare(..) | IsZero(..) | Not(_) | And(..) | Or(..)))
            && operand.word <= U256::ONE
    }

    /// Whether a word is nonzero exactly if something that is known is true.
    fn is_truthy(&self, operand: TaggedWord) -> bool {
        self.is_truth(operand) || matches!(self.node(operand.node), Some(Expr::Difference(..) | Expr::Or(..)))
    }

    /// Whether one operand is the other freed of the bits that its type has not: the check of a decoder.
    fn is_cleanup(&self, left: TaggedWord, right: TaggedWord) -> bool {
        let cleans = |clean: TaggedWord, source: TaggedWord| match self.node(clean.node) {
            Some(Expr::Masked(of)) => of == source.node,
            Some(Expr::Not(inner)) => {
                matches!(self.node(inner), Some(Expr::IsZero(_, of)) if of != 0 && of == source.node)
                    || self.node(inner) == Some(Expr::Not(source.node))
            }
            _ => false,
        };
        // Types that fill a word are cleaned by doing nothing.
        let same = left.node == right.node && self.node(left.node) == Some(Expr::Read);
        same || left.node != 0 && right.node != 0 && (cleans(left, right) || cleans(right, left))
    }

    /// The node of a truth that is compared with a constant, by whether they are equal.
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

    /// The node of `relation(left, right)`.
    pub(in crate::evm) fn compare(
        &mut self,
        relation: Relation,
        left: TaggedWord,
        right: TaggedWord,
    ) -> ExprId {
        let result = U256::from(relation.holds(left.word, right.word));
        if self.is_plumbing(left) || self.is_plumbing(right) {
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

    /// The node of `iszero(word)`.
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

    /// The node of SUB or XOR.
    pub(in crate::evm) fn difference(&mut self, left: TaggedWord, right: TaggedWord, result: U256) -> ExprId {
        if self.is_plumbing(left) || self.is_plumbing(right) || self.is_cleanup(left, right) {
            return self.push(result, Expr::CompilerCheck);
        }
        match self.equals_constant(left, right) {
            Some(equal) => self.push(result, Expr::Not(equal)),
            None => self.push(result, Expr::Difference(left.word, right.word)),
        }
    }

    /// The node of ADD, where it matters. `is_constant` tells words that the code pushes.
    pub(in crate::evm) fn sum(
        &mut self,
        left: TaggedWord,
        right: TaggedWord,
        result: U256,
        mut is_constant: impl FnMut(U256) -> bool,
    ) -> ExprId {
        if self.is_plumbing(left) || self.is_plumbing(right) {
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

    /// The node of AND.
    pub(in crate::evm) fn conjunction(
        &mut self,
        left: TaggedWord,
        right: TaggedWord,
        result: U256,
    ) -> ExprId {
        if self.is_plumbing(left) || self.is_plumbing(right) {
            return self.push(result, Expr::CompilerCheck);
        }
        if self.is_truth(left) && self.is_truth(right) {
            return self.push(result, Expr::And(left.node, right.node));
        }
        for (known, mask) in [(left, right), (right, left)] {
            if self.is_truth(known) {
                // A mask leaves it as it is; a word that is zero is a truth of which nothing is known.
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

    /// Masks are constants, or `2^n - 1` computed on the spot.
    fn is_type_mask(&self, operand: TaggedWord) -> bool {
        let computed = match self.node(operand.node) {
            None | Some(Expr::Constant) => true,
            Some(Expr::Difference(power, one)) => one == U256::ONE && power.is_power_of_two(),
            Some(_) => false,
        };
        computed && is_mask(operand.word)
    }

    /// The node of a word of which `mask` has left what fits a type.
    pub(in crate::evm) fn masked(
        &mut self,
        operand: TaggedWord,
        result: U256,
        mask: impl Fn(U256) -> U256,
    ) -> ExprId {
        let node = match self.node(operand.node) {
            Some(Expr::CompilerCheck) => Expr::CompilerCheck,
            Some(Expr::Difference(left, right)) if (mask(left) == mask(right)) == result.is_zero() => {
                Expr::Difference(mask(left), mask(right))
            }
            Some(Expr::Read | Expr::FirstWord) => Expr::Masked(operand.node),
            // Cleaned twice.
            Some(Expr::Masked(of)) => Expr::Masked(of),
            _ => return 0,
        };
        self.push(result, node)
    }

    /// The node of OR.
    pub(in crate::evm) fn disjunction(
        &mut self,
        left: TaggedWord,
        right: TaggedWord,
        result: U256,
    ) -> ExprId {
        if self.is_plumbing(left) || self.is_plumbing(right) {
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

    /// The node of a right shift.
    pub(in crate::evm) fn shifted_right(&mut self, operand: TaggedWord, bits: U256, result: U256) -> ExprId {
        let node = match self.node(operand.node) {
            Some(Expr::FirstWord) if bits == U256::from(224) => Expr::CompilerCheck,
            Some(Expr::CompilerCheck) => Expr::CompilerCheck,
            Some(Expr::Read | Expr::FirstWord) => Expr::LimitExceeded,
            _ => return 0,
        };
        self.push(result, node)
    }
}

/// Ones in the low bits or in the high bits, as masks of types are.
fn is_mask(word: U256) -> bool {
    let low = |word: U256| !word.is_zero() && (word & word.wrapping_add(U256::ONE)).is_zero();
    low(word) || low(!word)
}
