//! Chains by name, and their configured RPC endpoints.

use super::{
    dispatch::{CheatError, CheatResult, Cheatcode, Cx, ensure},
    environment,
    vm::Vm,
};
use alloy_chains::Chain;
use std::collections::BTreeMap;

/// Returns the text with the values of environment variables in their places.
fn resolved(cx: &Cx<'_>, text: &str) -> Result<String, CheatError> {
    Ok(environment::resolve(&cx.cheats.utilities.environment, text)?)
}

/// Returns the URL of an endpoint, given by its name in the configuration or as a URL.
pub(super) fn url(cx: &Cx<'_>, name: &str) -> Result<String, CheatError> {
    let shared = &cx.cheats.shared;
    if let Some(endpoint) = shared.rpc.endpoints.get(name) {
        return resolved(cx, &endpoint.url);
    }
    let is_address = name.starts_with("http") || name.starts_with("ws");
    let is_file = !name.is_empty() && shared.root.join(name).exists();
    ensure!(is_address || is_file, "invalid rpc url: {name}");
    resolved(cx, name)
}

/// Returns the URLs of all configured endpoints by name.
fn urls(cx: &Cx<'_>) -> Result<BTreeMap<String, String>, CheatError> {
    let endpoints = cx.cheats.shared.rpc.endpoints.iter();
    endpoints.map(|(name, endpoint)| Ok((name.clone(), resolved(cx, &endpoint.url)?))).collect()
}

impl Cheatcode for Vm::rpcUrlCall {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        url(cx, &self.name)
    }
}

impl Cheatcode for Vm::rpcUrlsCall {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        Ok(urls(cx)?.into_iter().map(|(name, url)| [name, url]).collect())
    }
}

impl Cheatcode for Vm::rpcUrlStructsCall {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        Ok(urls(cx)?.into_iter().map(|(key, url)| Vm::Rpc { key, url }).collect())
    }
}

/// Returns the chain with this name or number, with its configured URL. Unnamed chains are an error.
fn chain(cx: &Cx<'_>, alias: String) -> Result<Vm::Chain, CheatError> {
    let known = alias.parse::<Chain>().ok().filter(|chain| chain.named().is_some());
    let Some(chain) = known else { return Err(format!("invalid chain alias: {alias}").into()) };
    let name = chain.to_string();
    let configured = cx.cheats.shared.rpc.endpoints.get(&name);
    let url = configured.and_then(|endpoint| resolved(cx, &endpoint.url).ok());
    let chain_alias = if url.is_some() { name.clone() } else { alias };
    Ok(Vm::Chain {
        name,
        chainId: alloy_primitives::U256::from(chain.id()),
        chainAlias: chain_alias,
        rpcUrl: url.unwrap_or_default(),
    })
}

impl Cheatcode for Vm::getChain_0Call {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        chain(cx, self.chainAlias)
    }
}

impl Cheatcode for Vm::getChain_1Call {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        chain(cx, self.chainId.to_string())
    }
}
