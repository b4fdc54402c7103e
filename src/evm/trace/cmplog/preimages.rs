//! Preimages of the hashes computed in the campaign.

use alloy_primitives::{Bytes, U256, keccak256};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// Maximum number of hashes kept; the newest are kept.
const REMEMBERED: usize = 1 << 16;

/// Maximum length of a preimage in bytes; longer ones are not kept.
const LONGEST: usize = 1024;

/// Preimages by hash.
#[derive(Clone, Debug, Default)]
pub(crate) struct Preimages {
    known: FxHashMap<U256, Bytes>,
    order: VecDeque<U256>,
}

impl Preimages {
    /// Adds a hash and its preimage.
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

    /// Hashes a preimage and keeps it permanently.
    pub(crate) fn keep(&mut self, preimage: &[u8]) {
        if preimage.len() <= LONGEST {
            let image = U256::from_be_bytes(keccak256(preimage).0);
            if self.known.insert(image, Bytes::copy_from_slice(preimage)).is_some() {
                self.order.retain(|known| *known != image);
            }
        }
    }

    /// Hashes a preimage, adds it and returns the hash.
    pub(crate) fn hash(&mut self, preimage: &[u8]) -> U256 {
        let image = U256::from_be_bytes(keccak256(preimage).0);
        self.add(image, preimage);
        image
    }

    /// Returns the preimage of a hash.
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
