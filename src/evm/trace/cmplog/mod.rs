//! Comparison tracing, which gives the costs for input prediction: comparisons, reads and writes of a traced
//! transaction (Harvey section 4.3).
//!
//! Traced transactions run with an instruction table of their own; all others have no overhead. A word on the
//! stack that results from a comparison has a tag ([`tags`]), the id of a node ([`exprs`]). At a JUMPI, the
//! node of the condition is decomposed into comparisons ([`condition`]). Each becomes a branch
//! ([`branches`]), unless it is a compiler-generated check. The outcomes of both edges are read from the code
//! ([`outcome`]).

mod branches;
mod code_key;
mod comparisons;
mod condition;
mod copied_expr;
mod exprs;
mod outcome;
mod preimages;
mod recall;
mod seen;
#[cfg(test)]
mod shapes;
mod storage;
mod tags;

pub(crate) use code_key::{CodeKey, CodeKeys, pushes};
pub(crate) use comparisons::{CheatcodeComparison, ComparedWord};
pub(crate) use outcome::{CodeWalk, PathEnd, Word, end};
pub(crate) use preimages::Preimages;
pub(crate) use recall::TracedCall;
pub(crate) use seen::SeenCoverage;

use crate::{
    evm::base::hash::{forget_if_full, mix},
    model::branch::{Branch, BranchKind, BranchOutcome, EdgeId, PROBE_SLOT, Relation, Slot},
};
use alloy_primitives::{Bytes, U256, uint};
use branches::{Branches, EdgePair, Evaluation};
use condition::{About, Condition, Leaf};
pub(in crate::evm) use exprs::{Expr, Exprs};
use exprs::{ExprId, TaggedWord};
use recall::{CallBranch, MOST_RECORDED};
use rustc_hash::FxHashMap;
use storage::Touched;
use tags::FrameTags;

/// Maximum number of conditional jumps whose outcomes are known.
const MOST_ENDS: usize = 1 << 18;

/// Bounds that compilers compare offsets, lengths and pointers with. Solidity before 0.6 used 2^32.
const LARGEST_OFFSETS: [U256; 2] = [uint!(0xffffffffffffffff_U256), uint!(0x100000000_U256)];

/// Panic if memory cannot be allocated.
const ALLOCATION: PathEnd = PathEnd::Panic(0x41);

/// Recordings of one traced transaction, and caches for the next ones.
#[derive(Clone, Debug, Default)]
pub(crate) struct CmpLog {
    /// True if the transaction is traced.
    on: bool,
    /// Tags of frames, by call depth.
    pub(in crate::evm) frames: Vec<FrameTags>,
    pub(in crate::evm) exprs: Exprs,
    branches: Branches,
    /// Comparisons in calls, while these are recorded.
    of_calls: Vec<CallBranch>,
    records_calls: bool,
    pub(in crate::evm) touched: Touched,
    /// Last condition that was decomposed; kept to reuse its memory.
    condition: Condition,
    /// Ends of both edges of a JUMPI, by code and offset.
    ends: FxHashMap<(CodeKey, usize), [PathEnd; 2]>,
    /// True if preimages of hashes are recorded, even if the transaction is not traced.
    pub(crate) hashing: bool,
    /// Preimages of hashes.
    pub(crate) preimages: Preimages,
}

/// Place in code that identifies branches.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CmpSite {
    /// Key of the code.
    pub(crate) code: CodeKey,
    /// Key of the code within the transaction's entry function.
    pub(crate) salted: u64,
    pub(crate) pc: usize,
}

impl CmpSite {
    /// Returns the edge of the branch here.
    pub(crate) fn edge(self, taken: bool) -> EdgeId {
        mix(self.salted ^ ((self.pc as u64) << 1 | u64::from(taken)))
    }

    /// Returns all possible edges of a JUMPI here: its own, and those of the comparisons in its condition.
    pub(crate) fn edges_decided(self) -> impl Iterator<Item = EdgeId> {
        let leaves = (0..MOST_LEAVES).flat_map(move |index| self.edges_of(LEAVES, index));
        [self.edge(false), self.edge(true)].into_iter().chain(leaves)
    }

    /// Returns the edges of another decision here: the `index`-th one of a `family`.
    fn edges_of(self, family: u8, index: usize) -> [EdgeId; 2] {
        let base = mix(self.edge(false) ^ (u64::from(family) << 56 | (index as u64) << 1));
        [base, mix(base)]
    }
}

/// Families of edges that are not edges of the code.
const LEAVES: u8 = 1;
/// Maximum number of comparisons in one condition whose edges are looked for.
const MOST_LEAVES: usize = 8;
const CHEATCODES: u8 = 2;
const STORES: u8 = 16;

impl CmpLog {
    /// Returns true if the transaction is traced.
    pub(crate) fn is_on(&self) -> bool {
        self.on
    }

    pub(crate) fn switch(&mut self, on: bool) {
        self.on = on;
    }

    /// Prepares for a traced transaction.
    pub(crate) fn reset(&mut self) {
        self.exprs.reset();
        self.branches.reset();
        self.touched.reset();
        self.record_calls(false);
    }

    /// Records an evaluation at a place.
    fn record(&mut self, place: CmpSite, seen: Evaluation) {
        self.branches.record(seen.edges.at(place), seen);
        if self.records_calls && self.of_calls.len() < MOST_RECORDED {
            self.of_calls.push(CallBranch { code: place.code, pc: place.pc, seen });
        }
    }

    /// Begins a frame at this depth.
    pub(crate) fn enter(&mut self, depth: usize) {
        while self.frames.len() <= depth {
            self.frames.push(FrameTags::default());
        }
        self.frames[depth].reset();
    }

    /// Ends a call made by the frame at `depth`. Its success flag on the stack is for compiler-generated
    /// checks.
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

    /// Records the comparisons behind a JUMPI with this condition. Jump target and condition are still on the
    /// stack.
    pub(in crate::evm) fn jumpi(&mut self, place: CmpSite, code: &[u8], stack: &[U256], word: TaggedWord) {
        // The most frequent ones: checks of selectors, sizes and argument types.
        if self.exprs.is_compiler_check(word) {
            return;
        }
        forget_if_full(&mut self.ends, MOST_ENDS);
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
            let edges = match single {
                true => EdgePair::Jump(truths.map(|truth| truth == 1)),
                false => EdgePair::Other(LEAVES, index),
            };
            let seen = Evaluation {
                kind: BranchKind::Jump,
                relation: leaf.relation,
                left: leaf.left,
                right: leaf.right,
                edges,
                branch_outcomes: truths.map(|truth| ends[truth].branch_outcome()),
            };
            self.record(place, seen);
        }
        self.condition = condition;
    }

    /// Records an SSTORE to a slot that is neither a constant nor a hash, and may not be intended by the
    /// program.
    pub(in crate::evm) fn store(&mut self, place: CmpSite, slot: U256) {
        let seen = Evaluation {
            kind: BranchKind::Store,
            relation: Relation::Equal,
            left: slot,
            right: PROBE_SLOT,
            edges: EdgePair::Other(STORES, 0),
            branch_outcomes: [BranchOutcome::On; 2],
        };
        self.record(place, seen);
    }

    /// Records that a cheatcode reads a block value.
    pub(crate) fn reads(&mut self, slot: Slot, word: U256) {
        if self.on {
            self.touched.load(slot, word);
        }
    }

    /// Records that a cheatcode changes a block value.
    pub(crate) fn changes(&mut self, slot: Slot) {
        if self.on {
            self.touched.store(slot);
        }
    }

    /// Takes the comparisons of the transaction, and its reads and writes.
    pub(crate) fn take(&mut self) -> Recorded {
        let mut branches = self.branches.take();
        for branch in branches.iter_mut().filter(|branch| branch.relation == Relation::Equal) {
            let preimage = |word: U256| -> Option<Bytes> { self.preimages.preimage(word).cloned() };
            let both = preimage(branch.left).zip(preimage(branch.right));
            branch.preimages = both.map(|(left, right)| Box::new([left, right]));
        }
        let reads = self.touched.reads.drain(..).collect();
        let writes = std::mem::take(&mut self.touched.writes);
        Recorded { branches, reads, writes }
    }
}

/// Recordings of a traced transaction.
pub(crate) struct Recorded {
    pub(crate) branches: Vec<Branch>,
    pub(crate) reads: Vec<(Slot, U256)>,
    /// Slots that were written.
    pub(crate) writes: Vec<Slot>,
}
