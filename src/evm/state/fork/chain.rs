//! State of a chain at a block: each item is fetched once, and cached for all threads and on disk.

use super::{
    endpoint::Endpoints,
    node::{self, RpcNode},
};
use crate::{
    evm::state::blob::blob_fee,
    files::{read, write_atomically},
};
use alloy_chains::{Chain as ChainName, NamedChain};
use alloy_consensus::BlockHeader as _;
use alloy_network::{AnyNetwork, AnyRpcBlock, BlockResponse as _};
use alloy_primitives::{Address, B256, Bytes, U256, hex, keccak256};
use alloy_rpc_types::BlockId;
use elsa::sync::FrozenMap;
use foundry_fork_db::{BlockchainDb, DatabaseError, DatabaseResult, SharedBackend, cache::BlockchainDbMeta};
use revm::{DatabaseRef as _, context::BlockEnv, state::AccountInfo};
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::{
    collections::HashMap,
    fmt,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError, RwLock},
};

/// Backend that fetches the state and caches it.
type Backend = SharedBackend<AnyNetwork, BlockEnv>;

/// Block of a chain, and the state after it.
pub(crate) struct Chain {
    pub(crate) node: RpcNode,
    /// Chain id.
    pub(crate) id: u64,
    pub(crate) block: BlockEnv,
    /// Number of the block whose state this is. If transactions of a block are replayed over it, this is the
    /// block before.
    pub(crate) number: u64,
    backend: Backend,
    accounts: FrozenMap<Address, Box<AccountInfo>>,
    words: RwLock<HashMap<(Address, U256), U256>>,
    /// First error of the node since the last call of [`Self::take_failure`].
    failure: Mutex<Option<String>>,
}

impl fmt::Debug for Chain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Chain").field("id", &self.id).field("number", &self.number).finish_non_exhaustive()
    }
}

impl Chain {
    /// Returns the state after a block, or after the newest block if `number` is `None`. If the node is
    /// unreachable, a block header cached on disk is enough.
    ///
    /// # Errors
    /// Fails if the node does not answer or has no such block.
    pub(crate) fn at(node: &RpcNode, number: Option<u64>, nodes: Endpoints<'_>) -> Result<Arc<Self>, String> {
        let cache = |chain| nodes.cache(&node.address.url, chain);
        let head = match Head::ask(node, number) {
            Ok(head) => {
                if let Some(cache) = cache(head.chain) {
                    head.keep(&Head::file(cache, node, head.number));
                }
                head
            }
            Err(error) => {
                let file = number
                    .zip(nodes.0.cache.as_deref())
                    .map(|(number, cache)| Head::file(cache, node, number));
                let known =
                    file.and_then(|file| Head::read(&file)).filter(|head| cache(head.chain).is_some());
                known.ok_or(error)?
            }
        };
        let Head { chain: id, number, block } = head;
        let file = cache(id).map(|cache| cache_file(cache, id, number));
        let meta = BlockchainDbMeta::new(block.clone(), node.address.url.clone()).set_chain(id.into());
        let database = BlockchainDb::new(meta, file);
        let backend =
            SharedBackend::spawn_backend(node.provider().clone(), database, Some(BlockId::number(number)));
        Ok(Arc::new(Self {
            node: node.clone(),
            id,
            block,
            number,
            backend: RpcNode::wait(backend)?,
            accounts: FrozenMap::new(),
            words: RwLock::default(),
            failure: Mutex::default(),
        }))
    }

    /// Returns an account, if it exists.
    pub(crate) fn info(&self, address: Address) -> Option<&AccountInfo> {
        if let Some(known) = self.accounts.get(&address) {
            return Some(known).filter(|info| !info.is_empty());
        }
        match self.ask(move |backend| backend.basic_ref(address)) {
            Ok(info) => {
                let info = self.accounts.insert(address, Box::new(info.unwrap_or_default()));
                Some(info).filter(|info| !info.is_empty())
            }
            Err(error) => {
                self.fail(&error);
                None
            }
        }
    }

    /// Returns a word of storage.
    pub(crate) fn word(&self, address: Address, slot: U256) -> U256 {
        let known = self.words.read().unwrap_or_else(PoisonError::into_inner).get(&(address, slot)).copied();
        known.unwrap_or_else(|| match self.ask(move |backend| backend.storage_ref(address, slot)) {
            Ok(word) => {
                self.words.write().unwrap_or_else(PoisonError::into_inner).insert((address, slot), word);
                word
            }
            Err(error) => {
                self.fail(&error);
                U256::ZERO
            }
        })
    }

    /// Returns the hash of a block.
    pub(crate) fn block_hash(&self, number: u64) -> B256 {
        self.ask(move |backend| backend.block_hash_ref(number)).unwrap_or_else(|error| {
            self.fail(&error);
            B256::ZERO
        })
    }

    /// Returns the result of a call without value after this block; empty if it reverts.
    pub(crate) fn call(&self, address: Address, data: &[u8]) -> Bytes {
        let call = json!({ "to": address, "data": hex::encode_prefixed(data) });
        let answer = self.node.request("eth_call".into(), &json!([call, format!("{:#x}", self.number)]));
        match answer {
            Ok(answer) => answer.as_str().and_then(|text| hex::decode(text).ok()).unwrap_or_default().into(),
            Err(error) => {
                if !error.contains("revert") {
                    self.fail(&error);
                }
                Bytes::new()
            }
        }
    }

    /// Runs a request on the backend and waits for the answer of the node.
    fn ask<T: Send + 'static>(
        &self,
        ask: impl FnOnce(&Backend) -> DatabaseResult<T> + Send + 'static,
    ) -> Result<T, String> {
        let backend = self.backend.clone();
        RpcNode::wait_apart(move || ask(&backend))?.map_err(|error| with_causes(&error))
    }

    fn fail(&self, error: &dyn fmt::Display) {
        let mut failure = self.failure.lock().unwrap_or_else(PoisonError::into_inner);
        failure.get_or_insert_with(|| self.node.without_key(error.to_string()));
    }

    /// Returns and clears the first error of the node since the last call. If there is one, values read in
    /// the meantime are meaningless.
    pub(crate) fn take_failure(&self) -> Option<String> {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// Block header of a chain, cached on disk for runs without its node.
#[derive(Debug, Serialize, Deserialize)]
struct Head {
    chain: u64,
    /// Real block number; `block.number` may differ from it.
    number: u64,
    block: BlockEnv,
}

impl Head {
    fn ask(node: &RpcNode, number: Option<u64>) -> Result<Self, String> {
        let chain = node.chain_id().map_err(|error| {
            let host = node.host();
            format!("could not instantiate forked environment with provider {host}; {error}")
        })?;
        let number = match number {
            Some(number) => number,
            None => node.latest()?,
        };
        let Some(block) = node.block(number)? else {
            let latest = node.latest()?;
            return Err(format!("failed to get block number: {number}; latest block number: {latest}"));
        };
        Ok(Self { chain, number: block.header.number(), block: block_env(&block, chain) })
    }

    /// Returns the path of the cache file. The name holds a hash of the node's address, which may contain a
    /// secret.
    fn file(cache: &Path, node: &RpcNode, number: u64) -> PathBuf {
        let address = keccak256(&node.address.url);
        cache.join("harvey").join(format!("{}-{number}.json", hex::encode(&address[..8])))
    }

    fn read(file: &Path) -> Option<Self> {
        serde_json::from_slice(&read(file).ok()?).ok()
    }

    /// Writes the cache file. Errors are ignored: the block is then requested again.
    fn keep(&self, file: &Path) {
        if let Ok(text) = serde_json::to_vec(self) {
            let _ = write_atomically(file, &text);
        }
    }
}

/// Formats an error as Forge does, with its causes.
fn with_causes(error: &DatabaseError) -> String {
    use DatabaseError::{GetAccount, GetBlockHash, GetStorage};
    match error {
        GetAccount(_, cause) | GetStorage(_, _, cause) | GetBlockHash(_, cause) => {
            node::text(error, cause.chain().next())
        }
        _ => error.to_string(),
    }
}

/// Returns the path where Forge caches the state of a block.
fn cache_file(cache: &Path, chain: u64, number: u64) -> PathBuf {
    cache.join(ChainName::from(chain).to_string()).join(number.to_string()).join("storage.json")
}

/// Returns the fields of a block that contracts see, as Forge sets them: contracts on Arbitrum see the number
/// of the L1 block, and `prevrandao` on BSC is the difficulty.
pub(crate) fn block_env(block: &AnyRpcBlock, chain: u64) -> BlockEnv {
    use NamedChain::{BinanceSmartChain, BinanceSmartChainTestnet};
    let header = &block.header;
    let mut number = U256::from(header.number());
    let mut prevrandao = header.mix_hash().unwrap_or_default();
    let mut difficulty = header.difficulty();
    match NamedChain::try_from(chain) {
        Ok(BinanceSmartChain | BinanceSmartChainTestnet) => prevrandao = difficulty.into(),
        Ok(name) if name.is_arbitrum() => {
            let below = block.other_fields().and_then(|fields| fields.get_deserialized("l1BlockNumber"));
            number = below.and_then(Result::ok).unwrap_or(number);
        }
        _ => {}
    }
    if difficulty.is_zero() {
        difficulty = prevrandao.into();
    }
    BlockEnv {
        number,
        timestamp: U256::from(header.timestamp()),
        beneficiary: header.beneficiary(),
        gas_limit: header.gas_limit(),
        basefee: header.base_fee_per_gas().unwrap_or_default(),
        difficulty,
        prevrandao: Some(prevrandao),
        blob_excess_gas_and_price: Some(blob_fee(
            header.excess_blob_gas().unwrap_or_default(),
            BLOB_FEE_FRACTION,
        )),
        ..BlockEnv::default()
    }
}

/// Update fraction of the blob base fee (EIP-7691).
const BLOB_FEE_FRACTION: u64 = 5_007_716;

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the values that contracts see of a block of a chain: number, difficulty and `prevrandao`.
    fn seen(chain: u64) -> [U256; 3] {
        let header = alloy_rpc_types::Header::<alloy_consensus::Header> {
            inner: alloy_consensus::Header {
                number: 1000,
                difficulty: U256::from(2),
                mix_hash: B256::with_last_byte(3),
                ..Default::default()
            },
            ..Default::default()
        };
        let mut block = serde_json::to_value(header).unwrap();
        let fields = block.as_object_mut().unwrap();
        fields.insert("transactions".to_owned(), serde_json::json!([]));
        fields.insert("uncles".to_owned(), serde_json::json!([]));
        fields.insert("l1BlockNumber".to_owned(), "0x20".into());
        let env = block_env(&serde_json::from_value(block).unwrap(), chain);
        [env.number, env.difficulty, env.prevrandao.unwrap_or_default().into()]
    }

    #[test]
    fn chains_have_their_own_ways_with_the_block() {
        assert_eq!(seen(10), [1000, 2, 3].map(U256::from));
        assert_eq!(seen(56), [1000, 2, 2].map(U256::from), "BSC");
        assert_eq!(seen(42161), [32, 2, 3].map(U256::from), "Arbitrum");
    }
}
