//! What tracking records of one transaction: comparisons that decided, and the state that was touched.

use alloy_primitives::{Address, Bytes, U256, aliases::U320, uint};
use std::{
    hash::{Hash, Hasher},
    sync::Arc,
};

/// One direction of a decision: a place in the code (masked code identity and program counter) within the
/// transaction's entry function, and what was decided there.
pub type EdgeId = u64;

/// A class of values that one SLOAD read: its place in the code, within the transaction's entry function, and the bit length
/// of the word. New classes tell states apart that take no new edge (dataflow waypoints: Shou, Tan and Sen, *ItyFuzz*,
/// ISSTA 2023, section 3.3).
pub type ValueId = u64;

/// A distance to an optimal execution, in units of the compared words. The largest is 2^256, one more than a
/// word holds.
pub type Cost = U320;

/// The slot that no program means to write (SWC-124): whoever gets a program to write it can have any slot written.
/// It is the hash of `forge-harvey.probe-slot`, whatever the seed, so that a sequence kept from an earlier run still shows
/// what it showed.
pub const PROBE_SLOT: U256 = uint!(0x2d7c96319ad634a917ceecf40600310a343fd15aab05fe309b02f8b6bd084daf_U256);

/// What a comparison asks of its operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Relation {
    /// `left == right`. Also of SUB, XOR and ADD of a negated constant used as inequality, and of a bare word,
    /// which is compared with zero.
    Equal,
    /// `left < right`, unsigned.
    Less,
    /// `left < right`, two's complement.
    SignedLess,
}

impl Relation {
    /// Whether the relation holds.
    #[must_use]
    pub fn holds(self, left: U256, right: U256) -> bool {
        match self {
            Self::Equal => left == right,
            Self::Less => left < right,
            Self::SignedLess => flip_sign(left) < flip_sign(right),
        }
    }

    /// Distance to the other outcome (Harvey section 4.3): zero never, for one outcome always holds.
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

/// What kind of place a [`Branch`] stands at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BranchKind {
    /// A JUMPI; its directions are edges of the code.
    Jump,
    /// A cheatcode assertion; wanted is that it fails.
    Assertion,
    /// `vm.assume`; wanted is that it holds.
    Assumption,
    /// An SSTORE whose slot is compared with the probe slot (SWC-124); wanted is that they are equal.
    Store,
}

/// Where an edge leads without deciding anything more.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum BranchOutcome {
    /// On, or unknown.
    #[default]
    On,
    /// Into a revert: a failed requirement or checked arithmetic.
    Revert,
    /// Into Panic(0x01) or INVALID: a failed assertion.
    Assert,
}

/// A comparison that decided a branch of one transaction. Where it was evaluated several times (a loop), the
/// operands are those of the evaluation with the smallest distance to the other outcome.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Branch {
    /// What kind of place.
    pub kind: BranchKind,
    /// The relation compared.
    pub relation: Relation,
    /// Left operand.
    pub left: U256,
    /// Right operand.
    pub right: U256,
    /// The edge where the relation does not hold, and the one where it does.
    pub edges: [EdgeId; 2],
    /// Which of the two were taken in this transaction.
    pub taken: [bool; 2],
    /// Where the two lead.
    pub branch_outcomes: [BranchOutcome; 2],
    /// What the operands are hashes of, where they are known to be such.
    pub preimages: [Option<Bytes>; 2],
}

impl Branch {
    /// The outcome that this transaction did not have, if there is one; its edge is just missed.
    #[must_use]
    pub fn missed(&self) -> Option<bool> {
        match self.taken {
            [true, false] => Some(true),
            [false, true] => Some(false),
            _ => None,
        }
    }

    /// Tells the place from others: one comparison may decide by opposite relations, whose edges are swapped.
    #[must_use]
    pub fn place(&self) -> EdgeId {
        self.edges[0].min(self.edges[1])
    }

    /// Whether `edge` was taken.
    #[must_use]
    pub fn took(&self, edge: EdgeId) -> bool {
        [0, 1].into_iter().any(|outcome| self.edges[outcome] == edge && self.taken[outcome])
    }

    /// The just-missed edge.
    #[must_use]
    pub fn missed_edge(&self) -> Option<EdgeId> {
        self.missed().map(|outcome| self.edges[usize::from(outcome)])
    }

    /// Distance to the missed outcome, zero once both were seen.
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
    /// The account whose storage it is.
    pub address: Address,
    /// The key.
    pub slot: U256,
}

impl Slot {
    /// Time of the block. Calls depend on it and cheatcodes change it as if it were a word of storage.
    pub const TIMESTAMP: Self = Self { address: Address::ZERO, slot: U256::from_limbs([0x42, 0, 0, 0]) };
    /// Number of the block, likewise.
    pub const BLOCK_NUMBER: Self = Self { address: Address::ZERO, slot: U256::from_limbs([0x43, 0, 0, 0]) };

    /// True for the slots that stand for what the block tells.
    #[must_use]
    pub fn is_of_block(self) -> bool {
        [Self::TIMESTAMP, Self::BLOCK_NUMBER].contains(&self)
    }
}

/// A part of the address suffices.
impl Hash for Slot {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let [.., a, b, c, d, e, f, g, h] = self.address.into_array();
        state.write_u64(u64::from_le_bytes([a, b, c, d, e, f, g, h]));
        hash_word(&self.slot, state);
    }
}

/// Hashes a word limb by limb, which is faster than the bytes that it would hash itself.
pub(crate) fn hash_word<H: Hasher>(word: &U256, state: &mut H) {
    word.as_limbs().iter().for_each(|limb| state.write_u64(*limb));
}

/// What a tracked transaction compared, read and wrote. Nested calls are included, cheatcode calls are not.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Footprint {
    /// Comparisons, one for each place, in the order of first evaluation.
    pub branches: Vec<Branch>,
    /// Slots read before the transaction wrote them, with their values, each once, in order.
    pub reads: Vec<(Slot, U256)>,
    /// Slots written with what they hold at the end, each once, in order; empty where the transaction reverted.
    pub writes: Vec<(Slot, U256)>,
}

impl Footprint {
    /// Bytes that it takes, roughly.
    #[must_use]
    pub fn size(&self) -> usize {
        self.branches.len() * size_of::<Branch>()
            + (self.reads.len() + self.writes.len()) * size_of::<(Slot, U256)>()
    }
}

/// How a property ran after a step.
#[derive(Clone, Debug)]
pub struct PropertyRun {
    /// Index into the suite's properties.
    pub property: usize,
    /// Index of the step after which it ran.
    pub step: usize,
    /// Path through the property's code.
    pub path: super::PathId,
    /// Edges that this executor saw for the first time.
    pub edges: Vec<EdgeId>,
    /// Classes of values that this executor saw read for the first time.
    pub values: Vec<ValueId>,
    /// What it compared and read, where it was tracked.
    pub footprint: Option<Arc<Footprint>>,
    /// Whether it was not run: nothing that it read had changed.
    pub recalled: bool,
}

/// What to record of a run beside its paths, and what to change before its last transaction.
#[derive(Clone, Debug, Default)]
pub struct Probing {
    /// Whether the last transaction, and the properties after it, are tracked.
    pub track: bool,
    /// Words of storage replaced before the last transaction (Harvey's aggressive mode, section 5). Nothing
    /// that such a run shows is a finding.
    pub state: Vec<(Slot, U256)>,
}

impl Probing {
    /// Tracks the last transaction.
    #[must_use]
    pub fn traced() -> Self {
        Self { track: true, state: Vec::new() }
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
