//! Connections to nodes.

use std::{collections::BTreeMap, path::PathBuf};

/// Connections to nodes of chains.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RpcConfig {
    /// `[rpc_endpoints]` by name.
    pub endpoints: BTreeMap<String, Endpoint>,
    /// `eth_rpc_url`: URL or endpoint name of the node whose chain is forked for tests.
    pub url: Option<String>,
    /// `fork_block_number`; `None` means the newest block.
    pub block: Option<u64>,
    /// `eth_rpc_timeout`, in seconds.
    pub timeout: Option<u64>,
    /// `fork_retries`: number of retries of a request to a node that does not set its own.
    pub retries: Option<u32>,
    /// `fork_retry_backoff`: milliseconds before the first retry.
    pub backoff: Option<u64>,
    /// `eth_rpc_headers`: HTTP headers, each `name:value`.
    pub headers: Vec<String>,
    /// `eth_rpc_jwt`: secret for signing tokens (JWT), in hexadecimal.
    pub jwt: Option<String>,
    /// `eth_rpc_accept_invalid_certs`: true if invalid TLS certificates are accepted.
    pub accepts_invalid_certs: bool,
    /// `eth_rpc_no_proxy`: true if proxies are ignored.
    pub no_proxy: bool,
    /// `rpc_storage_caching`: chains and nodes whose state is cached on disk.
    pub caching: CachingConfig,
    /// `no_storage_caching`: true if nothing is cached on disk.
    pub no_caching: bool,
    /// `harvey.network`: true if tests may connect to any node, even to one that is named only in the test.
    pub any_node: bool,
    /// True if tests may connect to no node at all.
    pub closed: bool,
    /// Forge's cache of fetched state in the user's home directory, which the caller of
    /// [`load()`](crate::config::load()) sets; `None` means that nothing is cached on disk.
    pub cache: Option<PathBuf>,
}

/// Node with a name in `[rpc_endpoints]`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Endpoint {
    /// URL of the node; `${NAME}` stands for an environment variable.
    pub url: String,
    /// Value of the HTTP header `Authorization`; `${NAME}` stands for an environment variable.
    pub auth: Option<String>,
    /// Number of retries if a request fails.
    pub retries: Option<u32>,
    /// Milliseconds before the first retry.
    pub backoff: Option<u64>,
}

/// Chains and nodes whose state is cached on disk, `rpc_storage_caching`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CachingConfig {
    /// `chains`: chain ids; `None` means all chains.
    pub chains: Option<Vec<u64>>,
    /// `endpoints`: nodes.
    pub endpoints: CachedEndpoints,
}

/// Nodes whose state is cached on disk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CachedEndpoints {
    /// All nodes.
    All,
    /// Nodes on other computers.
    Remote,
    /// Nodes whose URL matches this regular expression.
    Matching(String),
}
