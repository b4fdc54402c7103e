//! A node of a chain, asked over JSON-RPC.

use super::jwt;
use alloy_network::{AnyNetwork, AnyRpcBlock, AnyRpcTransaction};
use alloy_primitives::B256;
use alloy_provider::{Provider, RootProvider};
use alloy_rpc_client::ClientBuilder;
use alloy_rpc_types::{BlockId, Filter, Log};
use alloy_transport::{
    TransportError, TransportErrorKind,
    layers::{RateLimitRetryPolicy, RetryBackoffLayer},
};
use reqwest::header::AUTHORIZATION;
use serde_json::{Value, value::RawValue};
use std::{
    collections::HashMap,
    sync::{
        Arc, LazyLock, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};
use tokio::runtime::{Builder, Runtime};

/// Where requests run.
static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| {
    // Whoever was first decides, and all are as good.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let mut builder = Builder::new_multi_thread();
    builder.worker_threads(1).thread_name("forks").enable_all().build().expect("a thread can be started")
});

/// How to reach a node.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Address {
    /// Where it is.
    pub(crate) url: String,
    /// Headers of each request.
    pub(crate) headers: Vec<(String, String)>,
    /// Whether its certificate need not be valid.
    pub(crate) accepts_invalid_certs: bool,
    /// Whether it is asked without a proxy.
    pub(crate) no_proxy: bool,
    /// The secret that signs a token for it, in hexadecimal.
    pub(crate) jwt: Option<String>,
    /// Seconds to wait for an answer.
    pub(crate) timeout: u64,
    /// How often a request is made again.
    pub(crate) retries: u32,
    /// Milliseconds before that, at first.
    pub(crate) backoff: u64,
}

/// A node; clones share a connection.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    provider: RootProvider<AnyNetwork>,
    pub(crate) address: Address,
    /// Whether it has answered before, so that it is worth waiting for.
    answered: Arc<AtomicBool>,
}

/// Nodes that are known to the process.
static NODES: LazyLock<Mutex<HashMap<Address, Node>>> = LazyLock::new(Mutex::default);

/// Whether a request may get an answer if it is made again: the node is busy, or about to come back.
fn is_passing(error: &TransportError) -> bool {
    match error {
        TransportError::Transport(TransportErrorKind::Custom(error)) => {
            let mut source: Option<&(dyn std::error::Error + 'static)> = Some(error.as_ref());
            std::iter::from_fn(|| {
                let error = source?;
                source = error.source();
                Some(error.to_string())
            })
            .any(|text| {
                ["connect", "connection closed", "reset by peer"].iter().any(|sign| text.contains(sign))
            })
        }
        _ => false,
    }
}

impl Node {
    /// Makes ready to ask a node; nothing is sent.
    ///
    /// # Errors
    /// When the address cannot be read.
    pub(crate) fn at(address: &Address) -> Result<Self, String> {
        let mut nodes = NODES.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(node) = nodes.get(address) {
            return Ok(node.clone());
        }
        LazyLock::force(&RUNTIME);
        let url = address
            .url
            .parse::<reqwest::Url>()
            .map_err(|error| format!("invalid provider URL: {:?}; {error}", address.url))?;
        let mut headers = reqwest::header::HeaderMap::new();
        let token = address.jwt.as_deref().map(jwt::token).transpose()?;
        let token = token.map(|token| (AUTHORIZATION.to_string(), token));
        // What is given in so many words goes before the token.
        for (name, value) in token.iter().chain(&address.headers) {
            let name = name.parse::<reqwest::header::HeaderName>().map_err(|error| error.to_string())?;
            let value = value.parse().map_err(|_| format!("invalid value of the header {name}"))?;
            headers.insert(name, value);
        }
        let mut client = reqwest::Client::builder()
            .timeout(Duration::from_secs(address.timeout))
            .danger_accept_invalid_certs(address.accepts_invalid_certs)
            .default_headers(headers);
        if address.no_proxy {
            client = client.no_proxy();
        }
        let client = client.build().map_err(|error| error.to_string())?;
        let answered = Arc::new(AtomicBool::new(false));
        let known = answered.clone();
        let policy = RateLimitRetryPolicy::default()
            .or(move |error| known.load(Ordering::Relaxed) && is_passing(error));
        let layer = RetryBackoffLayer::new_with_policy(address.retries, address.backoff, u64::MAX, policy);
        let client = ClientBuilder::default().layer(layer).http_with_client(client, url);
        let node = Self { provider: RootProvider::new(client), address: address.clone(), answered };
        nodes.insert(address.clone(), node.clone());
        Ok(node)
    }

    /// The name or number of its host.
    pub(crate) fn host(&self) -> String {
        let url = self.address.url.parse::<reqwest::Url>().ok();
        url.and_then(|url| Some(url.host()?.to_string())).unwrap_or_else(|| self.address.url.clone())
    }

    /// An error and what caused it, on one line.
    fn text(&self, error: &TransportError) -> String {
        self.without_key(text(error))
    }

    /// Text without what stands behind the host in the address, which often is a key that is nobody's business.
    pub(crate) fn without_key(&self, text: String) -> String {
        let Ok(mut url) = self.address.url.parse::<reqwest::Url>() else { return text };
        let whole = url.to_string();
        let has_key = url.path().len() > 1 || url.query().is_some() || !url.username().is_empty();
        if !has_key {
            return text;
        }
        url.set_path("/...");
        url.set_query(None);
        // Only addresses without hosts have no user.
        _ = url.set_username("");
        _ = url.set_password(None);
        text.replace(&whole, url.as_str()).replace(&self.address.url, url.as_str())
    }

    pub(crate) fn provider(&self) -> &RootProvider<AnyNetwork> {
        &self.provider
    }

    /// Waits for what a node answers.
    pub(crate) fn wait<T>(future: impl Future<Output = T>) -> T {
        RUNTIME.block_on(future)
    }

    /// The chain's number.
    pub(crate) fn chain_id(&self) -> Result<u64, String> {
        let id = Self::wait(self.provider.get_chain_id());
        self.answered.fetch_or(id.is_ok(), Ordering::Relaxed);
        id.map_err(|error| self.text(&error))
    }

    /// The number of the newest block.
    pub(crate) fn latest(&self) -> Result<u64, String> {
        Self::wait(self.provider.get_block_number()).map_err(|error| self.text(&error))
    }

    /// What a transaction pays for gas, wei.
    pub(crate) fn gas_price(&self) -> Result<u128, String> {
        Self::wait(self.provider.get_gas_price()).map_err(|error| self.text(&error))
    }

    /// A block, with whole transactions.
    pub(crate) fn block(&self, number: u64) -> Result<Option<AnyRpcBlock>, String> {
        let request = self.provider.get_block(BlockId::number(number)).full();
        Self::wait(async { request.await }).map_err(|error| self.text(&error))
    }

    /// A transaction.
    pub(crate) fn transaction(&self, hash: B256) -> Result<Option<AnyRpcTransaction>, String> {
        Self::wait(self.provider.get_transaction_by_hash(hash)).map_err(|error| self.text(&error))
    }

    /// Logs that pass a filter.
    pub(crate) fn logs(&self, filter: &Filter) -> Result<Vec<Log>, String> {
        Self::wait(self.provider.get_logs(filter)).map_err(|error| self.text(&error))
    }

    /// Any request.
    pub(crate) fn request(&self, method: String, parameters: &Value) -> Result<Value, String> {
        let parameters = RawValue::from_string(parameters.to_string()).map_err(|error| error.to_string())?;
        let answer: Arc<RawValue> = {
            let request = self.provider.raw_request_dyn(method.into(), &parameters);
            Self::wait(request).map_err(|error| self.without_key(error.to_string()))?.into()
        };
        serde_json::from_str(answer.get()).map_err(|error| error.to_string())
    }
}

/// An error and what caused it, on one line.
fn text(error: &TransportError) -> String {
    let mut source: Option<&(dyn std::error::Error + 'static)> = Some(error);
    let mut parts: Vec<String> = Vec::new();
    while let Some(error) = source {
        let part = error.to_string();
        if !parts.last().is_some_and(|last| last.ends_with(&part)) {
            parts.push(part);
        }
        source = error.source();
    }
    parts.join("; ")
}
