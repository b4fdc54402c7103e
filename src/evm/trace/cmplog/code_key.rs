//! Short keys for code, which all instances of a contract share, together with their branches and paths.

use crate::{
    evm::base::hash::forget_if_full,
    project::{Project, pushed_ranges},
};
use alloy_primitives::{B256, U256, keccak256};
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use std::{fmt, hash::Hasher, sync::Arc};

/// Key of a piece of code, which ignores immutables and metadata.
pub(crate) type CodeKey = u64;

/// Keys of all code seen so far, each computed once.
#[derive(Clone, Default)]
pub(crate) struct CodeKeys {
    project: Option<Arc<Project>>,
    /// Keys of deployed code, by code hash.
    deployed: FxHashMap<B256, CodeKey>,
    /// Keys of creation code, by a fast hash of it.
    creation: FxHashMap<u64, CodeKey>,
    /// Words that code pushes, by its key.
    constants: FxHashMap<CodeKey, FxHashSet<U256>>,
}

/// Maximum number of cached keys of each kind; forgotten keys are computed again.
const NAMES: usize = 1 << 14;

/// Maximum number of codes whose pushed words are known. They take tens of kilobytes each.
const MOST_CONSTANTS: usize = 1 << 10;

impl fmt::Debug for CodeKeys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CodeKeys").field("deployed", &self.deployed).finish_non_exhaustive()
    }
}

impl CodeKeys {
    /// Creates keys that mask the parts of code that vary between instances of the project's contracts.
    pub(crate) fn of(project: Arc<Project>) -> Self {
        Self { project: Some(project), ..Self::default() }
    }

    /// Returns the key of running code; creation code has no `hash`.
    pub(crate) fn key(&mut self, hash: Option<B256>, code: &[u8]) -> CodeKey {
        match hash {
            Some(hash) => match self.deployed.get(&hash) {
                Some(key) => *key,
                None => {
                    forget_if_full(&mut self.deployed, NAMES);
                    let identity = self.project.as_ref().map_or(hash, |project| project.code_identity(code));
                    *self.deployed.entry(hash).or_insert(short(identity))
                }
            },
            None => self.creation_key(code),
        }
    }

    /// Returns the key of creation code. It ignores the constructor arguments at the end if the contract is
    /// known.
    fn creation_key(&mut self, code: &[u8]) -> CodeKey {
        let mut hasher = FxHasher::default();
        hasher.write(code);
        let hash = hasher.finish();
        if let Some(key) = self.creation.get(&hash) {
            return *key;
        }
        let contracts = self.project.iter().flat_map(|project| project.contracts());
        let mut codes = contracts.filter_map(|contract| contract.creation_code());
        let known = codes.find(|known| code.starts_with(known));
        let key = short(keccak256(known.map_or(code, |known| known.as_ref())));
        forget_if_full(&mut self.creation, NAMES);
        self.creation.insert(hash, key);
        key
    }

    /// Returns true if the code pushes this word.
    pub(crate) fn is_constant(&mut self, key: CodeKey, code: &[u8], word: U256) -> bool {
        forget_if_full(&mut self.constants, MOST_CONSTANTS);
        word.is_zero() || self.constants.entry(key).or_insert_with(|| pushes(code).collect()).contains(&word)
    }
}

fn short(identity: B256) -> CodeKey {
    CodeKey::from_le_bytes(identity[..8].try_into().expect("eight of 32 bytes"))
}

/// Returns the words that code pushes, in order and without those of PUSH0. Skips the data of each PUSH.
pub(crate) fn pushes(code: &[u8]) -> impl Iterator<Item = U256> + '_ {
    pushed_ranges(code).filter_map(|range| code.get(range)).map(U256::from_be_slice)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pushes_are_read_and_their_data_is_not_taken_for_code() {
        // PUSH2 0x6001 (PUSH1 1 in disguise), PUSH1 5, PUSH0, and a PUSH cut off by the end of code.
        let code = [0x61, 0x60, 0x01, 0x60, 0x05, 0x5f, 0x62, 0x01];
        assert_eq!(pushes(&code).collect::<Vec<_>>(), [U256::from(0x6001), U256::from(5)]);
    }

    #[test]
    fn creation_code_is_named_by_what_it_is() {
        let mut codes = CodeKeys::default();
        assert_eq!(codes.key(None, &[1, 2]), codes.key(None, &[1, 2]));
        assert_ne!(codes.key(None, &[1, 2]), codes.key(None, &[1, 3]));
    }
}
