//! Cache of property results, by the values that the property read.
//!
//! A property is a function of the values that it reads, and each value read decides which one is read next.
//! Its evaluations therefore form a tree. A node is a chain of reads for which all its evaluations found the
//! same values. It ends in a fork, which is a read for which they found different values, with one child for
//! each value, or in the result of the property. A property whose reads match an earlier evaluation is not run.

use crate::{
    evm::trace::read_set::StateRead,
    model::{Footprint, Gas, PathId, Verdict, branch::hash_word},
};
use alloy_primitives::U256;
use rustc_hash::FxHashMap;
use std::{
    collections::hash_map::Entry,
    hash::{Hash, Hasher},
    mem,
    sync::Arc,
};

/// Maximum size of the cache, approximately, in bytes. A cache that would exceed it is cleared.
const MOST_BYTES: usize = 64 << 20;

/// Result of the evaluation of a property.
#[derive(Clone, Debug)]
pub(super) struct CachedEvaluation {
    pub(super) verdict: Verdict,
    pub(super) gas: Gas,
    pub(super) path: PathId,
    pub(super) footprint: Option<Arc<Footprint>>,
}

impl CachedEvaluation {
    fn size(&self) -> usize {
        let footprint = self.footprint.as_ref().map_or(0, |footprint| footprint.size());
        size_of::<Self>() + footprint
    }
}

/// Index of the property, and true if its comparisons were traced.
type CachedCall = (usize, bool);

/// Reads with the same values in all evaluations, and the next node.
#[derive(Clone, Debug)]
struct CacheNode {
    chain: Vec<(StateRead, U256)>,
    next: NextNode,
}

#[derive(Clone, Debug)]
enum NextNode {
    /// Fork with this number, by the value of this read.
    Fork(u32, StateRead),
    /// Result of the evaluation.
    CachedEvaluation(CachedEvaluation),
}

/// Branch of a fork.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct ForkBranch {
    fork: u32,
    value: U256,
}

impl Hash for ForkBranch {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u32(self.fork);
        hash_word(&self.value, state);
    }
}

/// Evaluations of all properties on one thread.
#[derive(Clone, Debug, Default)]
pub(super) struct PropertyCache {
    /// Root nodes, as indices into `nodes`.
    roots: FxHashMap<CachedCall, usize>,
    nodes: Vec<CacheNode>,
    /// Nodes that the branches of forks lead to, as indices into `nodes`.
    ways: FxHashMap<ForkBranch, usize>,
    forks: u32,
    bytes: usize,
}

impl PropertyCache {
    /// Returns the result of the call, if all its reads had the same values in an earlier evaluation. `value`
    /// returns the current value of a read.
    pub(super) fn ask(
        &self,
        call: CachedCall,
        value: impl Fn(StateRead) -> U256,
    ) -> Option<&CachedEvaluation> {
        let mut place = *self.roots.get(&call)?;
        loop {
            let node = &self.nodes[place];
            if node.chain.iter().any(|(fact, known)| value(*fact) != *known) {
                return None;
            }
            match &node.next {
                NextNode::CachedEvaluation(said) => return Some(said),
                NextNode::Fork(fork, fact) => {
                    place = *self.ways.get(&ForkBranch { fork: *fork, value: value(*fact) })?;
                }
            }
        }
    }

    /// Stores the result of a call with these reads, in this order.
    pub(super) fn learn(&mut self, call: CachedCall, facts: &[(StateRead, U256)], said: CachedEvaluation) {
        let size =
            said.size() + size_of::<CacheNode>() + size_of::<(ForkBranch, usize)>() + size_of_val(facts);
        if self.bytes + size > MOST_BYTES {
            *self = Self::default();
        }
        let Some(&root) = self.roots.get(&call) else {
            self.roots.insert(call, self.nodes.len());
            return self.end(facts, said, size);
        };
        let (mut place, mut rest) = (root, facts);
        loop {
            let chain = &self.nodes[place].chain;
            let alike = chain.iter().zip(rest).take_while(|(known, read)| known == read).count();
            if alike < chain.len() {
                self.fork(place, alike);
            }
            let NextNode::Fork(fork, _) = self.nodes[place].next else { return };
            let Some(((_, value), after)) = rest[alike..].split_first() else { return };
            rest = after;
            match self.ways.entry(ForkBranch { fork, value: *value }) {
                Entry::Occupied(way) => place = *way.get(),
                Entry::Vacant(way) => {
                    way.insert(self.nodes.len());
                    return self.end(rest, said, size);
                }
            }
        }
    }

    /// Adds a node at which an evaluation ends.
    fn end(&mut self, facts: &[(StateRead, U256)], said: CachedEvaluation, size: usize) {
        self.bytes += size;
        self.nodes.push(CacheNode { chain: facts.to_vec(), next: NextNode::CachedEvaluation(said) });
    }

    /// Splits the chain of a node at an index at which another value was read.
    fn fork(&mut self, place: usize, at: usize) {
        let node = &mut self.nodes[place];
        let rest = node.chain.split_off(at + 1);
        let Some((fact, value)) = node.chain.pop() else { return };
        let next = mem::replace(&mut node.next, NextNode::Fork(self.forks, fact));
        self.ways.insert(ForkBranch { fork: self.forks, value }, self.nodes.len());
        self.nodes.push(CacheNode { chain: rest, next });
        self.forks += 1;
        self.bytes += size_of::<CacheNode>() + size_of::<(ForkBranch, usize)>();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Slot;
    use alloy_primitives::{Address, I256};
    use proptest::prelude::*;

    fn word(slot: u64) -> StateRead {
        StateRead::Word(Slot { address: Address::ZERO, slot: U256::from(slot) })
    }

    fn said(value: i64) -> CachedEvaluation {
        let verdict = Verdict::Value(I256::try_from(value).expect("it fits"));
        CachedEvaluation { verdict, gas: Gas::default(), path: 0, footprint: None }
    }

    /// Simulates a property that reads one word and, depending on its value, one of two others.
    fn run(state: &[u64; 3]) -> (Vec<(StateRead, U256)>, CachedEvaluation) {
        let next = 1 + (state[0] % 2);
        let read = [0, next].map(|slot| (word(slot), U256::from(state[slot as usize])));
        (read.to_vec(), said((state[0] * 10 + state[next as usize]) as i64))
    }

    fn ask(property_cache: &PropertyCache, state: &[u64; 3]) -> Option<Verdict> {
        let value =
            |fact| (0..3).find(|slot| word(*slot) == fact).map(|slot| U256::from(state[slot as usize]));
        property_cache.ask((0, false), |fact| value(fact).expect("a word")).map(|said| said.verdict.clone())
    }

    proptest! {
        #[test]
        fn what_is_recalled_is_what_a_run_would_say(states in prop::collection::vec([0..4u64, 0..4, 0..4], 1..40)) {
            let mut property_cache = PropertyCache::default();
            for state in &states {
                let (facts, now) = run(state);
                if let Some(before) = ask(&property_cache, state) {
                    prop_assert_eq!(before, now.verdict);
                } else {
                    property_cache.learn((0, false), &facts, now.clone());
                    prop_assert_eq!(ask(&property_cache, state), Some(now.verdict));
                }
            }
        }
    }

    #[test]
    fn what_was_not_read_makes_no_difference() {
        let mut property_cache = PropertyCache::default();
        let (facts, now) = run(&[0, 5, 6]);
        property_cache.learn((0, false), &facts, now.clone());
        assert_eq!(ask(&property_cache, &[0, 5, 99]), Some(now.verdict));
        assert_eq!(ask(&property_cache, &[0, 4, 6]), None);
        assert!(property_cache.ask((1, false), |_| U256::ZERO).is_none(), "another property");
        assert!(property_cache.ask((0, true), |_| U256::ZERO).is_none(), "another way of running it");
    }

    #[test]
    fn a_property_that_reads_nothing_is_known_at_once() {
        let mut property_cache = PropertyCache::default();
        property_cache.learn((3, true), &[], said(4));
        assert!(property_cache.ask((3, true), |_| unreachable!("nothing is read")).is_some());
    }

    #[test]
    fn memory_is_bounded() {
        let mut property_cache = PropertyCache::default();
        for value in 0..1_000_000 {
            property_cache.learn((0, false), &[(word(0), U256::from(value))], said(1));
            assert!(property_cache.bytes <= MOST_BYTES);
        }
        assert!(property_cache.nodes.len() < 500_000, "{}", property_cache.nodes.len());
    }
}
