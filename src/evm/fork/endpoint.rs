//! Names and addresses of nodes, as the configuration has them.

use super::node::Address;
use crate::config::{CachedEndpoints, CachingConfig, RpcConfig};
use regex::Regex;
use std::path::Path;

/// Seconds to wait for an answer, as Forge waits.
const TIMEOUT: u64 = 45;
/// How often a request is made again, as Forge does it.
const RETRIES: u32 = 8;
/// Milliseconds before that, at first.
const BACKOFF: u64 = 800;

/// What the configuration says of nodes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Endpoints<'a>(pub(crate) &'a RpcConfig);

impl<'a> Endpoints<'a> {
    /// Where the state of a chain is kept that this node tells, if it is to be kept.
    pub(crate) fn cache(self, url: &str, chain: u64) -> Option<&'a Path> {
        let CachingConfig { chains, endpoints } = &self.0.caching;
        let wanted = chains.as_ref().is_none_or(|chains| chains.contains(&chain))
            && match endpoints {
                CachedEndpoints::All => true,
                CachedEndpoints::Remote => {
                    !["localhost:", "127.0.0.1:", "0.0.0.0:"].iter().any(|host| url.contains(host))
                }
                CachedEndpoints::Matching(regex) => Regex::new(regex).is_ok_and(|regex| regex.is_match(url)),
            };
        self.0.cache.as_deref().filter(|_| wanted && !self.0.no_caching)
    }

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
            jwt: self.0.jwt.clone(),
            accepts_invalid_certs: self.0.accepts_invalid_certs,
            no_proxy: self.0.no_proxy,
            timeout: self.0.timeout.unwrap_or(TIMEOUT),
            retries: named.and_then(|endpoint| endpoint.retries).unwrap_or(RETRIES),
            backoff: named.and_then(|endpoint| endpoint.backoff).unwrap_or(BACKOFF),
        })
    }
}
