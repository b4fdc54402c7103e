//! Comparison trace of one transaction: the comparisons that decided branches, and the state that was read
//! and written.

use alloy_primitives::{Address, Bytes, U256, aliases::U320, uint};
use std::{
    cmp::Ordering,
    hash::{Hash, Hasher},
    sync::Arc,
};

/// One outcome of a decision: its place in the code (masked code identity and program counter), the
/// transaction's entry function, and the result.
pub type EdgeId = u64;

/// A class of values that one SLOAD read: its place in the code, the transaction's entry function, and the
/// bit length of the word. New classes distinguish states that cover no new edge (dataflow waypoints: Shou,
/// Tan and Sen, *ItyFuzz*, ISSTA 2023, section 3.3).
pub type ValueId = u64;

/// A distance to an optimal execution, in units of the compared words. The largest distance is 2^256, one
/// more than a word can hold.
pub type Cost = U320;

/// Slot that no program means to write (SWC-124). A caller who can make a program write it can have any slot
/// written. The slot is the hash of `forge-harvey.probe-slot` for every seed, so that a sequence kept from an
/// earlier run still shows the write.
pub const PROBE_SLOT: U256 = uint!(0x2d7c96319ad634a917ceecf40600310a343fd15aab05fe309b02f8b6bd084daf_U256);

/// Relation between the operands of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Relation {
    /// `left == right`. It also represents SUB, XOR and ADD of a negated constant, used as inequality, and a
    /// bare word, which is compared with zero.
    Equal,
    /// `left < right`, unsigned.
    Less,
    /// `left < right`, two's complement.
    SignedLess,
}

impl Relation {
    /// Returns the order of two words: in two's complement for [`Self::SignedLess`], and otherwise unsigned.
    #[must_use]
    pub fn order(self, left: U256, right: U256) -> Ordering {
        match self {
            Self::Equal | Self::Less => left.cmp(&right),
            Self::SignedLess => flip_sign(left).cmp(&flip_sign(right)),
        }
    }

    /// Tells whether the relation holds.
    #[must_use]
    pub fn holds(self, left: U256, right: U256) -> bool {
        match self {
            Self::Equal => left == right,
            Self::Less | Self::SignedLess => self.order(left, right).is_lt(),
        }
    }

    /// Returns the distance to the other outcome (Harvey section 4.3). It is never zero, since one of the
    /// outcomes always holds.
    #[must_use]
    pub fn cost(self, left: U256, right: U256) -> Cost {
        let (left, right) = match self {
            Self::SignedLess => (flip_sign(left), flip_sign(right)),
            _ => (left, right),
        };
        let distance = Cost::from(left.abs_diff(right));
        match self {
            Self::Equal if left == right => Cost::ONE,
            Self::Less | Self::SignedLess if left >= right => distance + Cost::ONE,
            _ => distance,
        }
    }
}

/// Maps two's complement order to unsigned order.
fn flip_sign(word: U256) -> U256 {
    word ^ (U256::ONE << 255)
}

/// Kind of the place of a [`Branch`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BranchKind {
    /// A JUMPI; its outcomes are edges of the code.
    Jump,
    /// A cheatcode assertion; the wanted outcome is that it fails.
    Assertion,
    /// `vm.assume`; the wanted outcome is that it holds.
    Assumption,
    /// An SSTORE whose slot is compared with [`PROBE_SLOT`] (SWC-124); the wanted outcome is that they are
    /// equal.
    Store,
}

/// Result of following an edge up to the next decision.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum BranchOutcome {
    /// The code continues, or the result is unknown.
    #[default]
    On,
    /// A revert: a failed requirement or checked arithmetic.
    Revert,
    /// Panic(0x01) or INVALID: a failed assertion.
    Assert,
}

/// A comparison that decided a branch of one transaction. If it was evaluated several times (in a loop), the
/// operands are those with the smallest distance to the other outcome.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Branch {
    /// Kind of the place.
    pub kind: BranchKind,
    /// The relation compared.
    pub relation: Relation,
    /// Left operand.
    pub left: U256,
    /// Right operand.
    pub right: U256,
    /// Edges of the outcomes: first if the relation does not hold, then if it holds.
    pub edges: [EdgeId; 2],
    /// True for each edge that was taken in this transaction.
    pub taken: [bool; 2],
    /// Result of following each of the edges.
    pub branch_outcomes: [BranchOutcome; 2],
    /// Preimages of the operands, if both are known to be hashes.
    pub preimages: Option<Box<[Bytes; 2]>>,
}

impl Branch {
    /// Tells whether an outcome occurred that leads to a revert.
    #[must_use]
    pub fn reverted(&self) -> bool {
        let mut outcomes = self.taken.iter().zip(self.branch_outcomes);
        outcomes.any(|(taken, outcome)| *taken && outcome == BranchOutcome::Revert)
    }

    /// Returns the outcome that did not occur in this transaction, if only the other one did. Its edge is
    /// just missed.
    #[must_use]
    pub fn missed(&self) -> Option<bool> {
        match self.taken {
            [true, false] => Some(true),
            [false, true] => Some(false),
            _ => None,
        }
    }

    /// Returns an edge that identifies the place. It does not depend on the relation: one comparison may
    /// decide by opposite relations, whose edges are swapped.
    #[must_use]
    pub fn place(&self) -> EdgeId {
        self.edges[0].min(self.edges[1])
    }

    /// Tells whether `edge` was taken.
    #[must_use]
    pub fn took(&self, edge: EdgeId) -> bool {
        [0, 1].into_iter().any(|outcome| self.edges[outcome] == edge && self.taken[outcome])
    }

    /// Returns the just-missed edge.
    #[must_use]
    pub fn missed_edge(&self) -> Option<EdgeId> {
        self.missed().map(|outcome| self.edges[usize::from(outcome)])
    }

    /// Returns the distance to the missed outcome, or zero if none is missed.
    #[must_use]
    pub fn cost(&self) -> Cost {
        match self.missed() {
            Some(_) => self.relation.cost(self.left, self.right),
            None => Cost::ZERO,
        }
    }
}

/// A word of storage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Slot {
    /// Account that owns the storage.
    pub address: Address,
    /// Key of the word.
    pub slot: U256,
}

impl Slot {
    /// Timestamp of the block. It is treated like a word of storage, since calls depend on it and cheatcodes
    /// change it.
    pub const TIMESTAMP: Self = Self { address: Address::ZERO, slot: U256::from_limbs([0x42, 0, 0, 0]) };
    /// Number of the block, treated likewise.
    pub const BLOCK_NUMBER: Self = Self { address: Address::ZERO, slot: U256::from_limbs([0x43, 0, 0, 0]) };

    /// Returns true for the slots that represent properties of the block.
    #[must_use]
    pub fn is_of_block(self) -> bool {
        [Self::TIMESTAMP, Self::BLOCK_NUMBER].contains(&self)
    }
}

/// Hashes only a part of the address, which suffices.
impl Hash for Slot {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let [.., a, b, c, d, e, f, g, h] = self.address.into_array();
        state.write_u64(u64::from_le_bytes([a, b, c, d, e, f, g, h]));
        hash_word(&self.slot, state);
    }
}

/// Hashes a word limb by limb, which is faster than hashing its bytes.
pub(crate) fn hash_word<H: Hasher>(word: &U256, state: &mut H) {
    word.as_limbs().iter().for_each(|limb| state.write_u64(*limb));
}

/// Comparisons, reads and writes of a traced transaction. Nested calls are included. Of cheatcode
/// calls, only the comparisons of `assume` and of assertions are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Footprint {
    /// Comparisons, one for each place, in the order of their first evaluation.
    pub branches: Vec<Branch>,
    /// Slots read before the transaction wrote them, with their values; each occurs once, in order.
    pub reads: Vec<(Slot, U256)>,
    /// Slots written, with their values at the end; each occurs once, in order. Empty if the transaction
    /// reverted.
    pub writes: Vec<(Slot, U256)>,
}

impl Footprint {
    /// Returns the approximate size in bytes.
    #[must_use]
    pub fn size(&self) -> usize {
        let preimages = self.branches.iter().filter_map(|branch| branch.preimages.as_deref()).flatten();
        size_of::<Self>()
            + size_of_val(&*self.branches)
            + preimages.map(|preimage| size_of::<Bytes>() + preimage.len()).sum::<usize>()
            + size_of_val(&*self.reads)
            + size_of_val(&*self.writes)
    }
}

/// Run of a property after a step.
#[derive(Clone, Debug)]
pub struct PropertyRun {
    /// Index into the suite's properties.
    pub property: usize,
    /// Index of the step after which it ran.
    pub step: usize,
    /// Path through the property's code.
    pub path: super::PathId,
    /// Coverage that was new to this executor.
    pub new_coverage: super::NewCoverage,
    /// Comparisons and reads, if the property was traced.
    pub footprint: Option<Arc<Footprint>>,
    /// True if the result came from the property cache, since nothing in the read set had changed.
    pub recalled: bool,
    /// False if it has always read the same state, whatever was called. True if that is not known.
    pub changed: bool,
}

/// Data to record of a run in addition to its paths, and changes to make before its last transaction.
#[derive(Clone, Debug, Default)]
pub struct Probing {
    /// True if the last transaction, and the properties after it, are traced.
    pub track: bool,
    /// Words of storage replaced before the last transaction (Harvey's aggressive mode, section 5). Failures
    /// of such a run are not findings.
    pub state: Vec<(Slot, U256)>,
    /// Edge about whose decisions the run is executed symbolically: its last transactions, and the properties after
    /// them.
    pub symbolic: Option<EdgeId>,
    /// True if the instructions that run are counted.
    pub instructions: bool,
}

impl Probing {
    /// Traces the last transaction.
    #[must_use]
    pub fn traced() -> Self {
        Self { track: true, ..Self::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn word(number: i64) -> U256 {
        alloy_primitives::I256::unchecked_from(number).into_raw()
    }

    #[test]
    fn costs_are_those_of_the_paper() {
        let cost = |relation: Relation, left, right| -> u64 { relation.cost(word(left), word(right)).to() };
        assert_eq!(cost(Relation::Equal, 42, 42), 1);
        assert_eq!(cost(Relation::Equal, 7, 42), 35);
        assert_eq!(cost(Relation::Less, 1, 3), 2);
        assert_eq!(cost(Relation::Less, 3, 3), 1);
        assert_eq!(cost(Relation::Less, 7, 3), 5);
        assert_eq!(cost(Relation::SignedLess, -5, 42), 47);
        assert_eq!(cost(Relation::SignedLess, 42, -5), 48);
    }

    #[test]
    fn the_largest_cost_needs_one_bit_more_than_a_word() {
        assert_eq!(Relation::Less.cost(U256::MAX, U256::ZERO), Cost::ONE << 256);
        let (low, high) = (U256::ONE << 255, U256::MAX >> 1);
        assert_eq!(Relation::SignedLess.cost(high, low), Cost::ONE << 256);
    }
}
