//! A node of a chain, asked over JSON-RPC.

use super::{http::Http, jwt};
use crate::evm::base::heartbeat;
use alloy_network::{AnyNetwork, AnyRpcBlock, AnyRpcTransaction};
use alloy_primitives::B256;
use alloy_provider::{Provider, RootProvider};
use alloy_rpc_client::ClientBuilder;
use alloy_rpc_types::{BlockId, Filter, Log};
use alloy_transport::{
    TransportError, TransportErrorKind,
    layers::{RateLimitRetryPolicy, RetryBackoffLayer, RetryPolicy},
};
use reqwest::header::AUTHORIZATION;
use serde_json::{Value, value::RawValue};
use std::{
    collections::HashMap,
    net::IpAddr,
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
pub(crate) struct RpcNode {
    provider: RootProvider<AnyNetwork>,
    pub(crate) address: Address,
    /// Whether it has answered before, so that it is worth waiting for.
    answered: Arc<AtomicBool>,
}

/// Nodes that are known to the process.
static NODES: LazyLock<Mutex<HashMap<Address, RpcNode>>> = LazyLock::new(Mutex::default);

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

/// How often it is asked whether to wait on.
const NAP: Duration = Duration::from_millis(50);

/// Why an answer was not awaited.
const OVER: &str = "the run ended before the node answered";

/// Longest time for which a node may ask to be left alone; what asks for more is given up.
const PATIENCE: Duration = Duration::from_secs(10);

/// When a request is sent again.
#[derive(Clone, Debug)]
struct BoundedRetry<P>(P);

impl<P: RetryPolicy> RetryPolicy for BoundedRetry<P> {
    fn should_retry(&self, error: &TransportError) -> bool {
        self.0.should_retry(error) && self.backoff_hint(error).is_none_or(|wait| wait <= PATIENCE)
    }

    fn backoff_hint(&self, error: &TransportError) -> Option<Duration> {
        self.0.backoff_hint(error)
    }
}

impl RpcNode {
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
            .map_err(|error| format!("invalid provider URL: {:?}; {error}", beginning(&address.url)))?;
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
            // Who was allowed to ask this node was not allowed to ask another.
            .redirect(reqwest::redirect::Policy::none())
            .default_headers(headers);
        // To a proxy its own machine would be the local one.
        if address.no_proxy || is_local(&address.url) {
            client = client.no_proxy();
        }
        let client = client.build().map_err(|error| error.to_string())?;
        let answered = Arc::new(AtomicBool::new(false));
        let known = answered.clone();
        let policy = RateLimitRetryPolicy::default()
            .or(move |error| known.load(Ordering::Relaxed) && is_passing(error));
        let policy = BoundedRetry(policy);
        let layer = RetryBackoffLayer::new_with_policy(address.retries, address.backoff, u64::MAX, policy);
        let is_local = is_local(&address.url);
        let client = ClientBuilder::default().layer(layer).transport(Http { client, url }, is_local);
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
        without_key(&self.address.url, text)
    }

    pub(crate) fn provider(&self) -> &RootProvider<AnyNetwork> {
        &self.provider
    }

    /// Waits for what a node answers, unless what waits is to end.
    pub(crate) fn wait<T>(future: impl Future<Output = T>) -> Result<T, String> {
        let wait = async {
            let mut future = std::pin::pin!(future);
            loop {
                match tokio::time::timeout(NAP, &mut future).await {
                    Ok(answer) => return Ok(answer),
                    Err(_) if heartbeat::is_over() => return Err(OVER.to_owned()),
                    Err(_) => {}
                }
            }
        };
        heartbeat::waiting(|| RUNTIME.block_on(wait))
    }

    /// The same for what waits on its own thread.
    pub(crate) fn wait_apart<T: Send + 'static>(
        wait: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, String> {
        let answer = Self::wait(RUNTIME.spawn_blocking(wait))?;
        answer.map_err(|error| error.to_string())
    }

    /// The chain's number.
    pub(crate) fn chain_id(&self) -> Result<u64, String> {
        let id = Self::wait(self.provider.get_chain_id())?;
        self.answered.fetch_or(id.is_ok(), Ordering::Relaxed);
        id.map_err(|error| self.text(&error))
    }

    /// The number of the newest block.
    pub(crate) fn latest(&self) -> Result<u64, String> {
        Self::wait(self.provider.get_block_number())?.map_err(|error| self.text(&error))
    }

    /// What a transaction pays for gas, wei.
    pub(crate) fn gas_price(&self) -> Result<u128, String> {
        Self::wait(self.provider.get_gas_price())?.map_err(|error| self.text(&error))
    }

    /// A block, with whole transactions.
    pub(crate) fn block(&self, number: u64) -> Result<Option<AnyRpcBlock>, String> {
        let request = self.provider.get_block(BlockId::number(number)).full();
        Self::wait(async { request.await })?.map_err(|error| self.text(&error))
    }

    /// A transaction.
    pub(crate) fn transaction(&self, hash: B256) -> Result<Option<AnyRpcTransaction>, String> {
        Self::wait(self.provider.get_transaction_by_hash(hash))?.map_err(|error| self.text(&error))
    }

    /// Logs that pass a filter.
    pub(crate) fn logs(&self, filter: &Filter) -> Result<Vec<Log>, String> {
        Self::wait(self.provider.get_logs(filter))?.map_err(|error| self.text(&error))
    }

    /// Any request.
    pub(crate) fn request(&self, method: String, parameters: &Value) -> Result<Value, String> {
        let parameters = RawValue::from_string(parameters.to_string()).map_err(|error| error.to_string())?;
        let answer: Arc<RawValue> = {
            let request = self.provider.raw_request_dyn(method.into(), &parameters);
            Self::wait(request)?.map_err(|error| self.without_key(error.to_string()))?.into()
        };
        serde_json::from_str(answer.get()).map_err(|error| error.to_string())
    }
}

/// Whether it is the address of a node on this machine.
pub(super) fn is_local(url: &str) -> bool {
    let host = reqwest::Url::parse(url).ok().and_then(|url| url.host_str().map(str::to_owned));
    host.is_some_and(|host| {
        let address = host.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
        host == "localhost" || address.is_ok_and(|address| address.is_loopback() || address.is_unspecified())
    })
}

/// What may be shown of an address that cannot be read: all before a key may stand in it.
fn beginning(url: &str) -> String {
    let scheme = url.find("://").map_or(0, |at| at + "://".len());
    match url[scheme..].find(['/', '?', '#', '@']) {
        Some(_) if url.contains('@') => format!("{}...", &url[..scheme]),
        Some(at) => format!("{}/...", &url[..scheme + at]),
        None => url.to_owned(),
    }
}

/// Text in which an address is cut off behind its host.
fn without_key(address: &str, text: String) -> String {
    let Ok(url) = address.parse::<reqwest::Url>() else { return text };
    let mut bare = url.clone();
    // Only addresses without hosts have no user.
    _ = bare.set_username("");
    _ = bare.set_password(None);
    let mut shown = bare.clone();
    shown.set_path("/...");
    shown.set_query(None);
    shown.set_fragment(None);
    let has_key = bare.path().len() > 1 || bare.query().is_some();
    let mut forms = vec![url.as_str(), address];
    if has_key {
        // As it is requested, and as errors show it.
        forms.push(bare.as_str());
    } else if bare == url {
        return text;
    }
    forms.into_iter().fold(text, |text, form| text.replace(form, shown.as_str()))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_in_addresses_are_cut_off() {
        for (address, said) in [
            ("https://node.example/v2/KEY", "at https://node.example/v2/KEY!"),
            ("https://node.example?k=KEY", "at https://node.example/?k=KEY!"),
            ("https://user:KEY@node.example/v2/KEY", "at https://node.example/v2/KEY!"),
            ("https://:KEY@node.example", "at https://:KEY@node.example!"),
        ] {
            assert_eq!(without_key(address, said.to_owned()), "at https://node.example/...!", "{address}");
        }
        let plain = "at http://127.0.0.1:8545/!";
        assert_eq!(without_key("http://127.0.0.1:8545", plain.to_owned()), plain);
    }

    #[test]
    fn an_address_that_cannot_be_read_is_shown_up_to_its_host() {
        assert_eq!(beginning("nowhere"), "nowhere");
        assert_eq!(beginning("node.example/v2/KEY"), "node.example/...");
        assert_eq!(beginning("htp://user:KEY@node.example:x/v2"), "htp://...");
    }
}
