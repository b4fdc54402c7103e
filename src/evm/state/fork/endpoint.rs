//! Names and addresses of nodes in the configuration.

use super::node::{Address, is_local};
use crate::config::{CachedEndpoints, CachingConfig, RpcConfig};
use regex::Regex;
use std::path::Path;

/// Default timeout of a request in seconds, as in Forge.
const TIMEOUT: u64 = 45;
/// Default maximum number of retries of a request, as in Forge.
const RETRIES: u32 = 8;
/// Default initial delay before a retry in milliseconds.
const BACKOFF: u64 = 800;

/// Nodes in the configuration.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Endpoints<'a>(pub(crate) &'a RpcConfig);

impl<'a> Endpoints<'a> {
    /// Returns the directory in which the state of a chain fetched from the node at `url` is cached; `None`
    /// if it is not cached.
    pub(crate) fn cache(self, url: &str, chain: u64) -> Option<&'a Path> {
        let CachingConfig { chains, endpoints } = &self.0.caching;
        let wanted = chains.as_ref().is_none_or(|chains| chains.contains(&chain))
            && match endpoints {
                CachedEndpoints::All => true,
                CachedEndpoints::Remote => {
                    // Forge looks only for these substrings.
                    let is_named = |host| url.contains(host);
                    !is_local(url) && !["localhost:", "127.0.0.1:", "0.0.0.0:"].into_iter().any(is_named)
                }
                CachedEndpoints::Matching(regex) => Regex::new(regex).is_ok_and(|regex| regex.is_match(url)),
            };
        self.0.cache.as_deref().filter(|_| wanted && !self.0.no_caching)
    }

    /// Tells whether a test may reach the node at `url`: it is on this machine, or it is named in the
    /// configuration or in one of the environment `variables`. `resolve` expands variables to their values
    /// before the test could set any.
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

    /// Returns the address of the node with this name, or treats `name` as a URL; `resolve` expands
    /// variables.
    ///
    /// # Errors
    /// Fails if a variable is not set.
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
            retries: named.and_then(|endpoint| endpoint.retries).or(self.0.retries).unwrap_or(RETRIES),
            backoff: named.and_then(|endpoint| endpoint.backoff).or(self.0.backoff).unwrap_or(BACKOFF),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{Config, Endpoint};
    use std::path::Path;

    #[test]
    fn a_test_reaches_what_others_named_and_this_machine() {
        let endpoint = Endpoint { url: "https://${HOST}.example".to_owned(), ..Endpoint::default() };
        let config = RpcConfig {
            endpoints: [("main".to_owned(), endpoint)].into(),
            url: Some("https://flag.example".to_owned()),
            ..Config::defaults(Path::new("/project")).rpc
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
