//! What hashes of the campaign are hashes of.

use alloy_primitives::{B256, Bytes, U256, keccak256};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// Hashes remembered, the newest.
const REMEMBERED: usize = 4096;

/// Bytes of the longest preimage that is remembered.
const LONGEST: usize = 1024;

/// Preimages by image.
#[derive(Clone, Debug, Default)]
pub(crate) struct Images {
    known: FxHashMap<U256, Bytes>,
    order: VecDeque<U256>,
}

impl Images {
    /// Remembers a hash.
    pub(crate) fn add(&mut self, image: U256, preimage: &[u8]) {
        if preimage.len() > LONGEST || self.known.contains_key(&image) {
            return;
        }
        if self.order.len() == REMEMBERED
            && let Some(oldest) = self.order.pop_front()
        {
            self.known.remove(&oldest);
        }
        self.order.push_back(image);
        self.known.insert(image, Bytes::copy_from_slice(preimage));
    }

    /// Hashes and remembers.
    pub(crate) fn hash(&mut self, preimage: &[u8]) -> U256 {
        let image = U256::from_be_bytes(B256::from(keccak256(preimage)).0);
        self.add(image, preimage);
        image
    }

    /// What this is a hash of.
    pub(crate) fn preimage(&self, image: U256) -> Option<&Bytes> {
        self.known.get(&image)
    }
}
