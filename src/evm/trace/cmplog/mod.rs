//! Comparison tracing, which gives the costs for input prediction: comparisons, reads and writes of a traced
//! transaction (Harvey section 4.3).
//!
//! Tracking has an instruction table of its own ([`instructions`]), which is swapped in for the transactions that
//! somebody wants the costs of; all others pay nothing. A word on the stack that stems from a comparison has a tag
//! ([`tags`]) that leads to a node ([`exprs`]); at a JUMPI the node of the condition is taken apart into
//! comparisons ([`condition`]), and each becomes a branch ([`branches`]) unless the compiler put it there on its
//! own account. Where the two edges lead is read from the code ([`branch_outcome`]).

mod branches;
mod code_key;
mod comparisons;
mod condition;
mod exprs;
mod outcome;
mod preimages;
mod seen;
#[cfg(test)]
mod shapes;
mod storage;
mod tags;

pub(crate) use code_key::{CodeKey, CodeKeys, pushes};
pub(crate) use comparisons::CheatcodeComparison;
pub(crate) use outcome::{CodeWalk, Word, end};
pub(crate) use preimages::Preimages;
pub(crate) use seen::SeenCoverage;

use crate::{
    evm::base::hash::mix,
    model::branch::{Branch, BranchKind, BranchOutcome, EdgeId, PROBE_SLOT, Relation, Slot},
};
use alloy_primitives::{Bytes, U256, uint};
use branches::{Branches, Evaluation};
use condition::{About, Condition, Leaf};
pub(in crate::evm) use exprs::{Expr, Exprs};
use exprs::{ExprId, TaggedWord};
use outcome::PathEnd;
use rustc_hash::FxHashMap;
use storage::Touched;
use tags::FrameTags;

/// What compilers compare offsets, lengths and pointers with; before 0.6 it was 2^32.
const LARGEST_OFFSETS: [U256; 2] = [uint!(0xffffffffffffffff_U256), uint!(0x100000000_U256)];

/// What the compiler panics with when memory cannot be allocated.
const ALLOCATION: PathEnd = PathEnd::Panic(0x41);

/// Recordings of one tracked transaction, and what is remembered for the next ones.
#[derive(Clone, Debug, Default)]
pub(crate) struct CmpLog {
    /// Whether the transaction is tracked.
    on: bool,
    /// By depth.
    pub(in crate::evm) frames: Vec<FrameTags>,
    pub(in crate::evm) exprs: Exprs,
    branches: Branches,
    pub(in crate::evm) touched: Touched,
    /// Taken apart last; kept for its memory.
    condition: Condition,
    /// Where the edges of a JUMPI lead, by code and place.
    ends: FxHashMap<(CodeKey, usize), [PathEnd; 2]>,
    /// Whether hashes are remembered, tracked or not.
    pub(crate) hashing: bool,
    /// What hashes are hashes of.
    pub(crate) preimages: Preimages,
}

/// A place in code as branches are named after it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CmpSite {
    /// Which code it is.
    pub(crate) code: CodeKey,
    /// The same within the transaction's entry function.
    pub(crate) salted: u64,
    pub(crate) pc: usize,
}

impl CmpSite {
    /// The edge of the branch here.
    pub(crate) fn edge(self, taken: bool) -> EdgeId {
        mix(self.salted ^ ((self.pc as u64) << 1 | u64::from(taken)))
    }

    /// All edges that a JUMPI here may stand for: its own, and those of the comparisons that its condition is made of.
    pub(crate) fn edges_decided(self) -> impl Iterator<Item = EdgeId> {
        let leaves = (0..MOST_LEAVES).flat_map(move |index| self.edges_of(LEAVES, index));
        [self.edge(false), self.edge(true)].into_iter().chain(leaves)
    }

    /// The edges of something else that is decided here: the `index`-th one of a `family`.
    fn edges_of(self, family: u8, index: usize) -> [EdgeId; 2] {
        let base = mix(self.edge(false) ^ (u64::from(family) << 56 | (index as u64) << 1));
        [base, mix(base)]
    }
}

/// Families of edges that are no edges of the code.
const LEAVES: u8 = 1;
/// Comparisons of one condition whose edges are looked for.
const MOST_LEAVES: usize = 8;
const CLAIMS: u8 = 2;
const STORES: u8 = 16;

impl CmpLog {
    /// Whether the transaction is tracked.
    pub(crate) fn is_on(&self) -> bool {
        self.on
    }

    pub(crate) fn switch(&mut self, on: bool) {
        self.on = on;
    }

    /// Prepares for a tracked transaction.
    pub(crate) fn reset(&mut self) {
        self.exprs.reset();
        self.branches.reset();
        self.touched.reset();
    }

    /// A frame begins at this depth.
    pub(crate) fn enter(&mut self, depth: usize) {
        while self.frames.len() <= depth {
            self.frames.push(FrameTags::default());
        }
        self.frames[depth].reset();
    }

    /// A call that the frame at `depth` made has ended: what it leaves on the stack is the compiler's to check.
    pub(crate) fn call_ended(&mut self, depth: usize, success: bool) {
        if let Some(frame) = self.frames.get_mut(depth) {
            let node = self.exprs.push(U256::from(success), exprs::Expr::CompilerCheck);
            frame.set(frame.outcome, node);
        }
    }

    pub(in crate::evm) fn operand(&self, depth: usize, position: usize, word: U256) -> TaggedWord {
        let id = self.frames.get(depth).map_or(0, |frame| frame.at(position));
        TaggedWord { word, node: self.exprs.valid(id, word) }
    }

    pub(in crate::evm) fn tag(&mut self, depth: usize, position: usize, node: ExprId) {
        if let Some(frame) = self.frames.get_mut(depth) {
            frame.set(position, node);
        }
    }

    /// A JUMPI decides by this word; target and condition are still on the stack.
    pub(in crate::evm) fn jumpi(&mut self, place: CmpSite, code: &[u8], stack: &[U256], word: TaggedWord) {
        // The most frequent ones: selectors, sizes and types of arguments.
        if self.exprs.is_plumbing(word) {
            return;
        }
        let ends = self.ends.entry((place.code, place.pc)).or_insert_with(|| {
            let (rest, target) = match stack {
                [rest @ .., _, target] => (rest, usize::try_from(*target).unwrap_or(usize::MAX)),
                _ => (stack, usize::MAX),
            };
            [place.pc + 1, target].map(|pc| outcome::end(code, pc, rest))
        });
        if ends.contains(&ALLOCATION) {
            return;
        }
        let ends = *ends;
        self.condition.resolve(&self.exprs, word);
        let is_bound =
            |leaf: &Leaf| [leaf.left, leaf.right].iter().any(|word| LARGEST_OFFSETS.contains(word));
        if ends.contains(&PathEnd::EmptyRevert) && self.condition.leaves.iter().any(is_bound) {
            return;
        }
        let edges = [place.edge(false), place.edge(true)];
        let condition = std::mem::take(&mut self.condition);
        for (index, leaf) in condition.leaves.iter().enumerate() {
            let truths = [condition.with(index, false), condition.with(index, true)].map(usize::from);
            let [without, _] = truths.map(|truth| ends[truth]);
            match leaf.about {
                About::CompilerCheck => continue,
                About::CallValue if without == PathEnd::EmptyRevert => continue,
                About::CallValue | About::Program => {}
            }
            let single = condition.leaves.len() == 1;
            self.branches.record(Evaluation {
                kind: BranchKind::Jump,
                relation: leaf.relation,
                left: leaf.left,
                right: leaf.right,
                edges: if single { truths.map(|truth| edges[truth]) } else { place.edges_of(LEAVES, index) },
                branch_outcomes: truths.map(|truth| ends[truth].branch_outcome()),
            });
        }
        self.condition = condition;
    }

    /// An SSTORE to a slot that the program may not have meant.
    pub(in crate::evm) fn store(&mut self, place: CmpSite, slot: U256) {
        self.branches.record(Evaluation {
            kind: BranchKind::Store,
            relation: Relation::Equal,
            left: slot,
            right: PROBE_SLOT,
            edges: place.edges_of(STORES, 0),
            branch_outcomes: [BranchOutcome::On; 2],
        });
    }

    /// A cheatcode reads what the block tells.
    pub(crate) fn reads(&mut self, slot: Slot, word: U256) {
        if self.on {
            self.touched.load(slot, word);
        }
    }

    /// A cheatcode changes what the block tells.
    pub(crate) fn changes(&mut self, slot: Slot) {
        if self.on {
            self.touched.store(slot);
        }
    }

    /// The comparisons of the transaction, and what it read and wrote.
    pub(crate) fn take(&mut self) -> Recorded {
        let mut branches = self.branches.take();
        for branch in branches.iter_mut().filter(|branch| branch.relation == Relation::Equal) {
            let preimage = |word: U256| -> Option<Bytes> { self.preimages.preimage(word).cloned() };
            branch.preimages = [preimage(branch.left), preimage(branch.right)];
        }
        let reads = std::mem::take(&mut self.touched.reads);
        let writes = std::mem::take(&mut self.touched.writes);
        Recorded { branches, reads, writes }
    }
}

/// What a tracked transaction left.
pub(crate) struct Recorded {
    pub(crate) branches: Vec<Branch>,
    pub(crate) reads: Vec<(Slot, U256)>,
    /// Slots written.
    pub(crate) writes: Vec<Slot>,
}
