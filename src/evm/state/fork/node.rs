//! Client for a node of a chain over JSON-RPC.

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
    error::Error as _,
    fmt::Display,
    net::IpAddr,
    sync::{
        Arc, LazyLock, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};
use tokio::runtime::{Builder, Runtime};

/// Runtime for requests to nodes.
static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| {
    // Fails if a provider is installed already, which is just as good.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let mut builder = Builder::new_multi_thread();
    builder.worker_threads(1).thread_name("forks").enable_all().build().expect("a thread can be started")
});

/// Address and connection settings of a node.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Address {
    /// URL of the node.
    pub(crate) url: String,
    /// Headers sent with each request.
    pub(crate) headers: Vec<(String, String)>,
    /// True if invalid certificates are accepted.
    pub(crate) accepts_invalid_certs: bool,
    /// True if no proxy is used.
    pub(crate) no_proxy: bool,
    /// Secret that signs JSON web tokens for the node, in hexadecimal.
    pub(crate) jwt: Option<String>,
    /// Timeout of a request in seconds.
    pub(crate) timeout: u64,
    /// Maximum number of retries of a request.
    pub(crate) retries: u32,
    /// Initial delay before a retry in milliseconds.
    pub(crate) backoff: u64,
}

/// Node of a chain; clones share a connection.
#[derive(Clone, Debug)]
pub(crate) struct RpcNode {
    provider: RootProvider<AnyNetwork>,
    pub(crate) address: Address,
    /// True if the node has answered before: connection errors are then worth a retry.
    answered: Arc<AtomicBool>,
}

/// All nodes used by the process.
static NODES: LazyLock<Mutex<HashMap<Address, RpcNode>>> = LazyLock::new(Mutex::default);

/// Tells whether an error is temporary, so that a retry may succeed: the request or its answer was lost on the
/// way. A request that timed out is not sent again, since it has taken its time already.
fn is_passing(error: &TransportError) -> bool {
    let TransportError::Transport(TransportErrorKind::Custom(error)) = error else { return false };
    error.downcast_ref::<reqwest::Error>().is_some_and(|error| {
        !error.is_timeout() && (error.is_connect() || error.is_request() || error.is_decode())
    })
}

/// Interval between two checks for the end of the run while waiting.
const NAP: Duration = Duration::from_millis(50);

/// Error message if the run ended before the answer arrived.
const OVER: &str = "the run ended before the node answered";

/// Longest delay that a node may request before a retry; a request that would have to wait longer fails.
const ONE_OFF_FACTOR: Duration = Duration::from_secs(10);

/// Retry policy that gives up if the node requests a delay longer than [`ONE_OFF_FACTOR`].
#[derive(Clone, Debug)]
struct BoundedRetry<P>(P);

impl<P: RetryPolicy> RetryPolicy for BoundedRetry<P> {
    fn should_retry(&self, error: &TransportError) -> bool {
        self.0.should_retry(error) && self.backoff_hint(error).is_none_or(|wait| wait <= ONE_OFF_FACTOR)
    }

    fn backoff_hint(&self, error: &TransportError) -> Option<Duration> {
        self.0.backoff_hint(error)
    }
}

impl RpcNode {
    /// Returns the client for a node, and creates it if needed; nothing is sent.
    ///
    /// # Errors
    /// Fails if the address or a header cannot be parsed.
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
        // Configured headers are inserted last, and override the token.
        for (name, value) in token.iter().chain(&address.headers) {
            let name = name.parse::<reqwest::header::HeaderName>().map_err(|error| error.to_string())?;
            let value = value.parse().map_err(|_| format!("invalid value of the header {name}"))?;
            headers.insert(name, value);
        }
        let mut client = reqwest::Client::builder()
            .timeout(Duration::from_secs(address.timeout))
            .danger_accept_invalid_certs(address.accepts_invalid_certs)
            // Permission to reach this node does not extend to the target of a redirect.
            .redirect(reqwest::redirect::Policy::none())
            .default_headers(headers);
        // For a proxy, a local address would be its own machine.
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

    /// Returns the name or IP address of its host.
    pub(crate) fn host(&self) -> String {
        let url = self.address.url.parse::<reqwest::Url>().ok();
        url.and_then(|url| Some(url.host()?.to_string())).unwrap_or_else(|| self.address.url.clone())
    }

    /// Formats an error and its causes on one line.
    fn text(&self, error: &TransportError) -> String {
        self.without_key(text(error, error.source()))
    }

    /// Hides the part of the node's address after the host in a text, since it often is a secret key.
    pub(crate) fn without_key(&self, text: String) -> String {
        without_key(&self.address.url, text)
    }

    pub(crate) fn provider(&self) -> &RootProvider<AnyNetwork> {
        &self.provider
    }

    /// Waits for the answer of a node, or until the run is to end.
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

    /// Runs blocking code on its own thread and waits for it as [`Self::wait`] does.
    pub(crate) fn wait_apart<T: Send + 'static>(
        wait: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, String> {
        let answer = Self::wait(RUNTIME.spawn_blocking(wait))?;
        answer.map_err(|error| error.to_string())
    }

    /// Requests the chain id.
    pub(crate) fn chain_id(&self) -> Result<u64, String> {
        let id = Self::wait(self.provider.get_chain_id())?;
        self.answered.fetch_or(id.is_ok(), Ordering::Relaxed);
        id.map_err(|error| self.text(&error))
    }

    /// Requests the number of the newest block.
    pub(crate) fn latest(&self) -> Result<u64, String> {
        Self::wait(self.provider.get_block_number())?.map_err(|error| self.text(&error))
    }

    /// Requests the current gas price in wei.
    pub(crate) fn gas_price(&self) -> Result<u128, String> {
        Self::wait(self.provider.get_gas_price())?.map_err(|error| self.text(&error))
    }

    /// Requests a block with full transactions.
    pub(crate) fn block(&self, number: u64) -> Result<Option<AnyRpcBlock>, String> {
        let request = self.provider.get_block(BlockId::number(number)).full();
        Self::wait(async { request.await })?.map_err(|error| self.text(&error))
    }

    /// Requests a transaction.
    pub(crate) fn transaction(&self, hash: B256) -> Result<Option<AnyRpcTransaction>, String> {
        Self::wait(self.provider.get_transaction_by_hash(hash))?.map_err(|error| self.text(&error))
    }

    /// Requests the logs that match a filter.
    pub(crate) fn logs(&self, filter: &Filter) -> Result<Vec<Log>, String> {
        Self::wait(self.provider.get_logs(filter))?.map_err(|error| self.text(&error))
    }

    /// Sends an arbitrary request.
    pub(crate) fn request(&self, method: String, parameters: &Value) -> Result<Value, String> {
        let parameters = RawValue::from_string(parameters.to_string()).map_err(|error| error.to_string())?;
        let answer: Arc<RawValue> = {
            let request = self.provider.raw_request_dyn(method.into(), &parameters);
            Self::wait(request)?.map_err(|error| self.without_key(error.to_string()))?.into()
        };
        serde_json::from_str(answer.get()).map_err(|error| error.to_string())
    }
}

/// Tells whether a URL points to this machine.
pub(super) fn is_local(url: &str) -> bool {
    let host = reqwest::Url::parse(url).ok().and_then(|url| url.host_str().map(str::to_owned));
    host.is_some_and(|host| {
        let address = host.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
        host == "localhost" || address.is_ok_and(|address| address.is_loopback() || address.is_unspecified())
    })
}

/// Returns the part of an invalid URL that may be shown: everything before a possible key.
fn beginning(url: &str) -> String {
    let scheme = url.find("://").map_or(0, |at| at + "://".len());
    match url[scheme..].find(['/', '?', '#', '@']) {
        Some(_) if url.contains('@') => format!("{}...", &url[..scheme]),
        Some(at) => format!("{}/...", &url[..scheme + at]),
        None => url.to_owned(),
    }
}

/// Replaces an address in a text by its beginning up to the host.
fn without_key(address: &str, text: String) -> String {
    let Ok(url) = address.parse::<reqwest::Url>() else { return text };
    let mut bare = url.clone();
    // This fails only for addresses without a host, which have no user.
    _ = bare.set_username("");
    _ = bare.set_password(None);
    let mut shown = bare.clone();
    shown.set_path("/...");
    shown.set_query(None);
    shown.set_fragment(None);
    let has_key = bare.path().len() > 1 || bare.query().is_some();
    let mut forms = vec![url.as_str(), address];
    if has_key {
        // The form in which it is requested and shown in errors.
        forms.push(bare.as_str());
    } else if bare == url {
        return text;
    }
    forms.into_iter().fold(text, |text, form| text.replace(form, shown.as_str()))
}

/// Formats an error and its causes on one line, without repetitions.
pub(super) fn text(error: &dyn Display, mut cause: Option<&(dyn std::error::Error + 'static)>) -> String {
    let mut parts = vec![error.to_string()];
    while let Some(error) = cause {
        let part = error.to_string();
        if !parts.last().is_some_and(|last| last.ends_with(&part)) {
            parts.push(part);
        }
        cause = error.source();
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
