//! Names and addresses of nodes, as the configuration has them.

use super::node::{Address, is_local};
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
                    // Forge goes by these texts alone.
                    let is_named = |host| url.contains(host);
                    !is_local(url) && !["localhost:", "127.0.0.1:", "0.0.0.0:"].into_iter().any(is_named)
                }
                CachedEndpoints::Matching(regex) => Regex::new(regex).is_ok_and(|regex| regex.is_match(url)),
            };
        self.0.cache.as_deref().filter(|_| wanted && !self.0.no_caching)
    }

    /// Whether a test may reach the node at `url`: it is on this machine, or somebody other than the test named it, in the
    /// configuration or in a `variable`. `resolve` fills in variables as they were before the test could set any.
    pub(crate) fn allow<'v>(
        self,
        url: &str,
        variables: impl IntoIterator<Item = &'v String>,
        resolve: impl Fn(&str) -> Result<String, String>,
    ) -> bool {
        let named = self.0.endpoints.values().map(|endpoint| &endpoint.url).chain(&self.0.url);
        let is_named = || named.into_iter().any(|named| resolve(named).is_ok_and(|named| named == url));
        let is_in_variable = || variables.into_iter().any(|value| value == url);
        !self.0.closed && (self.0.any_node || is_local(url) || is_named() || is_in_variable())
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Endpoint;

    #[test]
    fn a_test_reaches_what_others_named_and_this_machine() {
        let endpoint = Endpoint { url: "https://${HOST}.example".to_owned(), ..Endpoint::default() };
        let config = RpcConfig {
            endpoints: [("main".to_owned(), endpoint)].into(),
            url: Some("https://flag.example".to_owned()),
            ..RpcConfig::default()
        };
        let variables = ["https://variable.example".to_owned()];
        let resolve = |text: &str| Ok(text.replace("${HOST}", "named"));
        let allowed = |url: &str| Endpoints(&config).allow(url, &variables, resolve);
        for url in ["named", "flag", "variable"] {
            assert!(allowed(&format!("https://{url}.example")), "{url}");
        }
        for url in ["http://localhost:8545", "http://[::1]:1", "http://127.1.2.3/x"] {
            assert!(allowed(url), "{url}");
        }
        for url in ["other.example", "variable.example/more", "127.0.0.1.example", "set-by-the-test.example"]
        {
            assert!(!allowed(&format!("https://{url}")), "{url}");
        }
        let any = RpcConfig { any_node: true, ..config.clone() };
        assert!(Endpoints(&any).allow("https://other.example", &variables, resolve));
    }
}
