//! Settings of nodes and forks.

use crate::config::{
    CachedEndpoints, CachingConfig, ConfigError, Endpoint, RpcConfig,
    read::{ConfigSection, FromNode},
    scalar::{ChainId, RegexText},
    value::ConfigNode,
};

/// Converts the settings of nodes, and of the cache of what was fetched from them.
pub(super) fn rpc(top: &ConfigSection<'_>) -> Result<RpcConfig, ConfigError> {
    let endpoints = top.section("rpc_endpoints")?.entries::<Endpoint>()?;
    Ok(RpcConfig {
        endpoints: endpoints.into_iter().map(|(name, endpoint)| (name.to_owned(), endpoint)).collect(),
        url: top.find("eth_rpc_url")?,
        block: top.find("fork_block_number")?,
        timeout: top.find("eth_rpc_timeout")?,
        retries: top.find("fork_retries")?,
        backoff: top.find("fork_retry_backoff")?,
        headers: top.find("eth_rpc_headers")?.unwrap_or_default(),
        jwt: top.find("eth_rpc_jwt")?,
        accepts_invalid_certs: top.get("eth_rpc_accept_invalid_certs")?,
        no_proxy: top.get("eth_rpc_no_proxy")?,
        caching: caching(&top.section("rpc_storage_caching")?)?,
        no_caching: top.get("no_storage_caching")?,
        any_node: top.section("harvey")?.get("network")?,
        closed: false,
        cache: None,
    })
}

fn caching(section: &ConfigSection<'_>) -> Result<CachingConfig, ConfigError> {
    let chains = section.node("chains").filter(|node| node.as_text() != Some("all"));
    let chains = chains.map(|node| match node.as_text() {
        Some("none") => Ok(Vec::new()),
        _ => Vec::<ChainId>::from_node(node, "rpc_storage_caching.chains"),
    });
    let chains = chains.transpose()?.map(|chains| chains.into_iter().map(|chain| chain.0).collect());
    let endpoints = match section.get::<RegexText>("endpoints")?.0.as_str() {
        "all" => CachedEndpoints::All,
        "remote" => CachedEndpoints::Remote,
        regex => CachedEndpoints::Matching(regex.to_owned()),
    };
    Ok(CachingConfig { chains, endpoints })
}

/// Accepts an address (URL), or a table that contains one.
impl FromNode for Endpoint {
    fn from_node(node: &ConfigNode, key: &str) -> Result<Self, ConfigError> {
        if let Some(url) = node.as_text() {
            return Ok(Self { url: url.to_owned(), ..Self::default() });
        }
        let Some(table) = node.as_table() else { return Err(node.mismatch(key, "a string or a table")) };
        let section = ConfigSection::new(table);
        let url = section.find("endpoint")?.or(section.find("url")?);
        Ok(Self {
            url: url.ok_or_else(|| node.invalid(key, "missing field `endpoint`"))?,
            auth: section.find("auth")?,
            retries: section.find("retries")?,
            backoff: section.find("retry_backoff")?,
        })
    }
}
