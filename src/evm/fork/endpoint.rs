//! Names and addresses of nodes, as the configuration has them.

use super::node::Address;
use crate::config::{CachedEndpoints, CachingConfig, RpcConfig};
use alloy_primitives::hex;
use base64::{Engine as _, prelude::BASE64_URL_SAFE_NO_PAD};
use hmac::{Hmac, Mac as _};
use regex::Regex;
use serde_json::json;
use sha2::Sha256;
use std::{path::Path, time::SystemTime};

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
        if let Some(secret) = &self.0.jwt {
            headers.push(("authorization".to_owned(), token(secret)?));
        }
        Ok(Address {
            url,
            headers,
            accepts_invalid_certs: self.0.accepts_invalid_certs,
            no_proxy: self.0.no_proxy,
            timeout: self.0.timeout.unwrap_or(TIMEOUT),
            retries: named.and_then(|endpoint| endpoint.retries).unwrap_or(RETRIES),
            backoff: named.and_then(|endpoint| endpoint.backoff).unwrap_or(BACKOFF),
        })
    }
}

/// Proves to a node that its secret is known, as of now.
///
/// # Errors
/// When the secret is not hexadecimal.
fn token(secret: &str) -> Result<String, String> {
    let secret = hex::decode(secret).map_err(|error| format!("eth_rpc_jwt: {error}"))?;
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |since| since.as_secs());
    Ok(format!("Bearer {}", signed(&secret, now)))
}

/// A JSON web token (RFC 7519) with the time at which it was issued, signed by HMAC-SHA-256.
fn signed(secret: &[u8], now: u64) -> String {
    let encode = |text: &[u8]| BASE64_URL_SAFE_NO_PAD.encode(text);
    let claims = json!({ "iat": now }).to_string();
    let body = [encode(br#"{"alg":"HS256","typ":"JWT"}"#), encode(claims.as_bytes())].join(".");
    let mut mac = Hmac::<Sha256>::new_from_slice(secret).expect("a key of any length will do");
    mac.update(body.as_bytes());
    format!("{body}.{}", encode(&mac.finalize().into_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_signed() {
        let token = signed(b"secret", 1);
        insta::assert_snapshot!(
            token,
            @"eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJpYXQiOjF9.75y--Iaw0szg_VLLlRRG-55NKRYEJ84YPGi8H2FHW-E"
        );
        assert_eq!(super::token("0xgg"), Err("eth_rpc_jwt: invalid character 'g' at position 0".into()));
    }
}
