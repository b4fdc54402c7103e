//! Names and addresses of nodes, as the configuration has them.

use super::node::Address;
use crate::config::RpcConfig;

/// Seconds to wait for an answer, as Forge waits.
const TIMEOUT: u64 = 45;
/// How often a request is made again, as Forge does it.
const RETRIES: u32 = 8;
/// Milliseconds before that, at first.
const BACKOFF: u64 = 800;

/// What the configuration says of nodes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Endpoints<'a>(pub(crate) &'a RpcConfig);

impl Endpoints<'_> {
    /// How to reach the node that has this name, or else this address; `resolve` fills in variables.
    ///
    /// # Errors
    /// When a variable is not set.
    pub(crate) fn address(
        self,
        name: &str,
        resolve: impl Fn(&str) -> Result<String, String>,
    ) -> Result<Address, String> {
        let named = self.0.endpoints.get(name);
        let url = resolve(named.map_or(name, |endpoint| &endpoint.url))?;
        let split = |header: &String| {
            let (name, value) = header.split_once(':')?;
            Some((name.trim().to_owned(), value.trim().to_owned()))
        };
        let mut headers: Vec<_> = self.0.headers.iter().filter_map(split).collect();
        if let Some(auth) = named.and_then(|endpoint| endpoint.auth.as_ref()) {
            headers.push(("authorization".to_owned(), resolve(auth)?));
        }
        Ok(Address {
            url,
            headers,
            timeout: self.0.timeout.unwrap_or(TIMEOUT),
            retries: named.and_then(|endpoint| endpoint.retries).unwrap_or(RETRIES),
            backoff: named.and_then(|endpoint| endpoint.backoff).unwrap_or(BACKOFF),
        })
    }
}
