//! What properties said before, by what they read.
//!
//! A property is a function of what it reads, and which word it reads next depends on those before. So its evaluations
//! are a tree: at each node stands what is read, its children are the values that were found there, and at the end
//! stands what the property said. One that reads what an earlier one read is not run.

use crate::{
    evm::facts::Fact,
    model::{Footprint, Gas, PathId, Verdict},
};
use alloy_primitives::U256;
use rustc_hash::FxHashMap;
use std::{
    hash::{Hash, Hasher},
    sync::Arc,
};

/// Bytes that all of it may take, roughly; then everything is forgotten.
const MOST_BYTES: usize = 64 << 20;

/// How a property ran.
#[derive(Clone, Debug)]
pub(super) struct Said {
    pub(super) verdict: Verdict,
    pub(super) gas: Gas,
    pub(super) path: PathId,
    pub(super) footprint: Option<Arc<Footprint>>,
}

impl Said {
    fn size(&self) -> usize {
        let footprint = self.footprint.as_ref().map_or(0, |footprint| footprint.size());
        size_of::<Self>() + footprint
    }
}

/// Which function was called, and whether it was tracked.
type Call = (usize, bool);

type NodeId = u32;

#[derive(Clone, Debug)]
enum Node {
    Asks(Fact),
    Ends(Said),
}

/// What was found for what a node asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Found {
    node: NodeId,
    value: U256,
}

/// Word by word: faster than the bytes that the value would hash.
impl Hash for Found {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u32(self.node);
        self.value.as_limbs().iter().for_each(|limb| state.write_u64(*limb));
    }
}

/// Evaluations of all properties on one thread.
#[derive(Clone, Debug, Default)]
pub(super) struct Recall {
    roots: FxHashMap<Call, NodeId>,
    nodes: Vec<Node>,
    children: FxHashMap<Found, NodeId>,
    bytes: usize,
}

impl Recall {
    /// What the call says, if it did so before on a state where all that it reads had the same `value`.
    pub(super) fn ask(&self, call: Call, value: impl Fn(Fact) -> U256) -> Option<&Said> {
        let mut node = *self.roots.get(&call)?;
        loop {
            match &self.nodes[node as usize] {
                Node::Ends(said) => return Some(said),
                Node::Asks(fact) => node = *self.children.get(&Found { node, value: value(*fact) })?,
            }
        }
    }

    /// Remembers what a call said that read these facts, in this order.
    pub(super) fn learn(&mut self, call: Call, facts: &[(Fact, U256)], said: Said) {
        let size = said.size() + facts.len() * (size_of::<Node>() + size_of::<(Found, NodeId)>());
        if self.bytes + size > MOST_BYTES {
            *self = Self::default();
        }
        self.bytes += size;
        let nodes = facts.iter().map(|(fact, _)| Node::Asks(*fact)).chain([Node::Ends(said)]);
        let mut values = facts.iter().map(|(_, value)| *value);
        let mut place = None;
        for node in nodes {
            let next = self.nodes.len() as NodeId;
            let id = match place {
                None => *self.roots.entry(call).or_insert(next),
                Some(place) => *self.children.entry(place).or_insert(next),
            };
            if id == next {
                self.nodes.push(node);
            }
            place = values.next().map(|value| Found { node: id, value });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Slot;
    use alloy_primitives::{Address, I256};
    use proptest::prelude::*;

    fn word(slot: u64) -> Fact {
        Fact::Word(Slot { address: Address::ZERO, slot: U256::from(slot) })
    }

    fn said(value: i64) -> Said {
        let verdict = Verdict::Value(I256::try_from(value).expect("it fits"));
        Said { verdict, gas: Gas::default(), path: 0, footprint: None }
    }

    /// Reads a word, and by its value one of two others.
    fn run(state: &[u64; 3]) -> (Vec<(Fact, U256)>, Said) {
        let next = 1 + (state[0] % 2);
        let read = [0, next].map(|slot| (word(slot), U256::from(state[slot as usize])));
        (read.to_vec(), said((state[0] * 10 + state[next as usize]) as i64))
    }

    fn ask(recall: &Recall, state: &[u64; 3]) -> Option<Verdict> {
        let value =
            |fact| (0..3).find(|slot| word(*slot) == fact).map(|slot| U256::from(state[slot as usize]));
        recall.ask((0, false), |fact| value(fact).expect("a word")).map(|said| said.verdict.clone())
    }

    proptest! {
        #[test]
        fn what_is_recalled_is_what_a_run_would_say(states in prop::collection::vec([0..4u64, 0..4, 0..4], 1..40)) {
            let mut recall = Recall::default();
            for state in &states {
                let (facts, now) = run(state);
                if let Some(before) = ask(&recall, state) {
                    prop_assert_eq!(before, now.verdict);
                } else {
                    recall.learn((0, false), &facts, now.clone());
                    prop_assert_eq!(ask(&recall, state), Some(now.verdict));
                }
            }
        }
    }

    #[test]
    fn what_was_not_read_makes_no_difference() {
        let mut recall = Recall::default();
        let (facts, now) = run(&[0, 5, 6]);
        recall.learn((0, false), &facts, now.clone());
        assert_eq!(ask(&recall, &[0, 5, 99]), Some(now.verdict));
        assert_eq!(ask(&recall, &[0, 4, 6]), None);
        assert!(recall.ask((1, false), |_| U256::ZERO).is_none(), "another property");
        assert!(recall.ask((0, true), |_| U256::ZERO).is_none(), "another way of running it");
    }

    #[test]
    fn a_property_that_reads_nothing_is_known_at_once() {
        let mut recall = Recall::default();
        recall.learn((3, true), &[], said(4));
        assert!(recall.ask((3, true), |_| unreachable!("nothing is read")).is_some());
    }

    #[test]
    fn memory_is_bounded() {
        let mut recall = Recall::default();
        for value in 0..1_000_000 {
            recall.learn((0, false), &[(word(0), U256::from(value))], said(1));
            assert!(recall.bytes <= MOST_BYTES);
        }
        assert!(recall.nodes.len() < 500_000, "{}", recall.nodes.len());
    }
}
