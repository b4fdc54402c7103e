//! Cache of results, by the values that were read for them.
//!
//! A call is a function of its input and of the values that it reads, and each value read decides which one is read
//! next. The evaluations of one input therefore form a tree. A node is a chain of reads for which all its evaluations
//! found the same values. It ends in a fork, which is a read for which they found different values, with one child for
//! each value, or in the result. A call whose reads match an earlier evaluation need not run.

use super::read_set::StateRead;
use crate::model::branch::hash_word;
use alloy_primitives::U256;
use rustc_hash::FxHashMap;
use std::{
    collections::hash_map::Entry,
    hash::{Hash, Hasher},
    mem,
};

/// Maximum size of a cache, approximately, in bytes. A cache that exceeds it is cleared.
const MOST_BYTES: usize = 24 << 20;

/// Reads with the same values in all evaluations, and the next node.
#[derive(Clone, Debug)]
struct CacheNode<V> {
    chain: Vec<(StateRead, U256)>,
    next: NextNode<V>,
}

#[derive(Clone, Debug)]
enum NextNode<V> {
    /// Fork with this number, by the value of this read.
    Fork(u32, StateRead),
    /// Result of the evaluation.
    Result(V),
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

/// Results `V` of calls with inputs `K`.
#[derive(Clone, Debug)]
pub(in crate::evm) struct ResultTree<K, V> {
    /// Root nodes, as indices into `nodes`.
    roots: FxHashMap<K, usize>,
    nodes: Vec<CacheNode<V>>,
    /// Nodes that the branches of forks lead to, as indices into `nodes`.
    ways: FxHashMap<ForkBranch, usize>,
    forks: u32,
    /// Bytes of the chains of the nodes, and those that calls and results own.
    owned: usize,
}

impl<K, V> Default for ResultTree<K, V> {
    fn default() -> Self {
        Self {
            roots: FxHashMap::default(),
            nodes: Vec::new(),
            ways: FxHashMap::default(),
            forks: 0,
            owned: 0,
        }
    }
}

impl<K: Eq + Hash, V> ResultTree<K, V> {
    /// Returns the result of a call, if all its reads had the same values in an earlier evaluation. `value` returns
    /// the current value of a read; it is called for each read of the call, in order, until one differs.
    pub(in crate::evm) fn ask(&self, call: &K, mut value: impl FnMut(StateRead) -> U256) -> Option<&V> {
        let mut place = *self.roots.get(call)?;
        loop {
            let node = &self.nodes[place];
            if node.chain.iter().any(|(fact, known)| value(*fact) != *known) {
                return None;
            }
            match &node.next {
                NextNode::Result(result) => return Some(result),
                NextNode::Fork(fork, fact) => {
                    place = *self.ways.get(&ForkBranch { fork: *fork, value: value(*fact) })?;
                }
            }
        }
    }

    /// Stores the result of a call with these reads, in this order. The call and its result own `owned` bytes.
    pub(in crate::evm) fn learn(&mut self, call: K, facts: &[(StateRead, U256)], result: V, owned: usize) {
        self.insert(call, facts, result, owned);
        if self.size() > MOST_BYTES {
            *self = Self::default();
        }
    }

    fn insert(&mut self, call: K, facts: &[(StateRead, U256)], result: V, owned: usize) {
        let Some(&root) = self.roots.get(&call) else {
            self.roots.insert(call, self.nodes.len());
            return self.end(facts, result, owned);
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
                    return self.end(rest, result, owned);
                }
            }
        }
    }

    /// Returns the size in bytes.
    fn size(&self) -> usize {
        self.owned
            + self.nodes.capacity() * size_of::<CacheNode<V>>()
            + self.ways.capacity() * size_of::<(ForkBranch, usize)>()
            + self.roots.capacity() * size_of::<(K, usize)>()
    }

    /// Adds a node at which an evaluation ends.
    fn end(&mut self, facts: &[(StateRead, U256)], result: V, owned: usize) {
        self.owned += size_of_val(facts) + owned;
        self.nodes.push(CacheNode { chain: facts.to_vec(), next: NextNode::Result(result) });
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
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Slot;
    use alloy_primitives::Address;
    use proptest::prelude::*;

    fn word(slot: u64) -> StateRead {
        StateRead::Word(Slot { address: Address::ZERO, slot: U256::from(slot) })
    }

    /// Simulates a call that reads one word and, depending on its value, one of two others.
    fn run(state: &[u64; 3]) -> (Vec<(StateRead, U256)>, u64) {
        let next = 1 + (state[0] % 2);
        let read = [0, next].map(|slot| (word(slot), U256::from(state[slot as usize])));
        (read.to_vec(), state[0] * 10 + state[next as usize])
    }

    fn ask(tree: &ResultTree<u8, u64>, state: &[u64; 3]) -> Option<u64> {
        let value =
            |fact| (0..3).find(|slot| word(*slot) == fact).map(|slot| U256::from(state[slot as usize]));
        tree.ask(&0, |fact| value(fact).expect("a word")).copied()
    }

    proptest! {
        #[test]
        fn what_is_recalled_is_what_a_run_would_say(states in prop::collection::vec([0..4u64, 0..4, 0..4], 1..40)) {
            let mut tree = ResultTree::default();
            for state in &states {
                let (facts, now) = run(state);
                if let Some(before) = ask(&tree, state) {
                    prop_assert_eq!(before, now);
                } else {
                    tree.learn(0, &facts, now, 0);
                    prop_assert_eq!(ask(&tree, state), Some(now));
                }
            }
        }
    }

    #[test]
    fn what_was_not_read_makes_no_difference() {
        let mut tree = ResultTree::default();
        let (facts, now) = run(&[0, 5, 6]);
        tree.learn(0, &facts, now, 0);
        assert_eq!(ask(&tree, &[0, 5, 99]), Some(now));
        assert_eq!(ask(&tree, &[0, 4, 6]), None);
        assert!(tree.ask(&1, |_| U256::ZERO).is_none(), "another call");
    }

    #[test]
    fn a_call_that_reads_nothing_is_known_at_once() {
        let mut tree = ResultTree::<u8, u64>::default();
        tree.learn(3, &[], 4, 0);
        assert!(tree.ask(&3, |_| unreachable!("nothing is read")).is_some());
    }

    #[test]
    fn memory_is_bounded() {
        let mut tree = ResultTree::<u8, u64>::default();
        for value in 0..1_000_000 {
            tree.learn(0, &[(word(0), U256::from(value))], 1, 0);
            assert!(tree.size() <= MOST_BYTES);
        }
        assert!(tree.nodes.len() < 500_000, "{}", tree.nodes.len());
    }
}
