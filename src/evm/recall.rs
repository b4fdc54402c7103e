//! What properties said before, by what they read.
//!
//! A property is a function of what it reads, and which word it reads next depends on those before. So its evaluations
//! are a tree: at each node stands what is read, its children are the values that were found there, and at the end
//! stands what the property said. One that reads what an earlier one read is not run.

use super::facts::Fact;
use crate::model::{Footprint, Gas, PathId, Verdict};
use alloy_primitives::U256;
use rustc_hash::FxHashMap;
use std::sync::Arc;

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

/// Evaluations of all properties on one thread.
#[derive(Clone, Debug, Default)]
pub(super) struct Recall {
    roots: FxHashMap<Call, NodeId>,
    nodes: Vec<Node>,
    children: FxHashMap<(NodeId, U256), NodeId>,
    bytes: usize,
}

impl Recall {
    /// What the call says, if it did so before on a state where all that it reads had the same `value`.
    pub(super) fn ask(&self, call: Call, value: impl Fn(Fact) -> U256) -> Option<&Said> {
        let mut node = *self.roots.get(&call)?;
        loop {
            match &self.nodes[node as usize] {
                Node::Ends(said) => return Some(said),
                Node::Asks(fact) => node = *self.children.get(&(node, value(*fact)))?,
            }
        }
    }

    /// Remembers what a call said that read these facts, in this order.
    pub(super) fn learn(&mut self, call: Call, facts: &[(Fact, U256)], said: Said) {
        let size = said.size() + facts.len() * (size_of::<Node>() + size_of::<(NodeId, U256, NodeId)>());
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
            place = values.next().map(|value| (id, value));
        }
    }
}
