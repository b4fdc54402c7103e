//! What hashes of the campaign are hashes of.

use alloy_primitives::{Bytes, U256, keccak256};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// Hashes remembered, the newest.
const REMEMBERED: usize = 1 << 16;

/// Bytes of the longest preimage that is remembered.
const LONGEST: usize = 1024;

/// Preimages by image.
#[derive(Clone, Debug, Default)]
pub(crate) struct Preimages {
    known: FxHashMap<U256, Bytes>,
    order: VecDeque<U256>,
}

impl Preimages {
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

    /// Hashes and never forgets.
    pub(crate) fn keep(&mut self, preimage: &[u8]) {
        if preimage.len() <= LONGEST {
            let image = U256::from_be_bytes(keccak256(preimage).0);
            if self.known.insert(image, Bytes::copy_from_slice(preimage)).is_some() {
                self.order.retain(|known| *known != image);
            }
        }
    }

    /// Hashes and remembers.
    pub(crate) fn hash(&mut self, preimage: &[u8]) -> U256 {
        let image = U256::from_be_bytes(keccak256(preimage).0);
        self.add(image, preimage);
        image
    }

    /// What this is a hash of.
    pub(crate) fn preimage(&self, image: U256) -> Option<&Bytes> {
        self.known.get(&image)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_hashes_are_forgotten_but_not_those_that_are_kept() {
        let mut preimages = Preimages::default();
        preimages.keep(b"literal");
        let first = preimages.hash(b"first");
        let kept = U256::from_be_bytes(keccak256(b"literal").0);
        (0..REMEMBERED).for_each(|index| _ = preimages.hash(&index.to_be_bytes()));
        assert_eq!(preimages.preimage(first), None);
        assert_eq!(preimages.preimage(kept).map(|bytes| &bytes[..]), Some(&b"literal"[..]));
        let last = preimages.hash(&(REMEMBERED - 1).to_be_bytes());
        assert!(preimages.preimage(last).is_some());
    }
}
