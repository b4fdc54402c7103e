//! Deployments of scripts, read from the files that `forge script --broadcast` writes.

use super::{
    dispatch::{CheatError, CheatResult, Cheatcode, Cx, ensure},
    vm::Vm,
};
use crate::files::read_text;
use alloy_primitives::{Address, B256, U64};
use serde::Deserialize;
use std::{collections::HashMap, path::Path};
use walkdir::WalkDir;

/// Run of a script on one chain.
#[derive(Debug, Deserialize)]
struct ScriptRun {
    transactions: Vec<Sent>,
    receipts: Vec<Receipt>,
    timestamp: u64,
    chain: u64,
}

/// Run of a script on several chains.
#[derive(Debug, Deserialize)]
struct SeveralRuns {
    deployments: Vec<ScriptRun>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Sent {
    hash: Option<B256>,
    transaction_type: BroadcastKind,
    contract_name: Option<String>,
    contract_address: Option<Address>,
}

/// Kind of a transaction, with the numbers of Forge's `BroadcastTxType`.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "UPPERCASE")]
enum BroadcastKind {
    Call,
    Create,
    Create2,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Receipt {
    transaction_hash: B256,
    block_number: Option<U64>,
    status: Option<U64>,
}

/// Returns all runs on a chain that have a transaction of this contract, the newest first.
fn runs(cx: &Cx<'_>, chain: u64, contract: &str, kind: Option<u8>) -> Result<Vec<ScriptRun>, CheatError> {
    let root = &cx.cheats.shared.config.broadcast;
    ensure!(root.is_dir(), "broadcast dir does not exist or is not a directory");
    let files = WalkDir::new(root).sort_by_file_name().into_iter().filter_map(Result::ok);
    let mut runs = Vec::new();
    for file in files.filter(|file| file.file_type().is_file()) {
        let path = file.path();
        let is = |part: &str| {
            path.components().any(|component| component.as_os_str().to_string_lossy().contains(part))
        };
        if path.extension().is_some_and(|extension| extension == "json") && !is("-latest") {
            runs.extend(read(path, is("multi"))?);
        }
    }
    runs.retain(|run| run.chain == chain && run.transactions.iter().any(|sent| sent.is_of(contract, kind)));
    runs.sort_by_key(|run| std::cmp::Reverse(run.timestamp));
    Ok(runs)
}

fn read(path: &Path, several: bool) -> Result<Vec<ScriptRun>, CheatError> {
    let text = read_text(path).map_err(|error| format!("failed to read from {path:?}: {error}"))?;
    let parsed = if several {
        serde_json::from_str::<SeveralRuns>(&text).map(|runs| runs.deployments)
    } else {
        serde_json::from_str(&text).map(|run| vec![run])
    };
    Ok(parsed.map_err(|error| format!("failed to parse json file: {path:?}: {error}"))?)
}

impl Sent {
    fn is_of(&self, contract: &str, kind: Option<u8>) -> bool {
        self.contract_name.as_deref() == Some(contract)
            && kind.is_none_or(|kind| self.transaction_type as u8 == kind)
    }
}

/// Returns the mined transactions of a contract in a run, the newest first.
fn mined(run: &ScriptRun, contract: &str, kind: Option<u8>) -> Vec<Vm::BroadcastTxSummary> {
    let receipts: HashMap<_, _> =
        run.receipts.iter().map(|receipt| (receipt.transaction_hash, receipt)).collect();
    let sent = run.transactions.iter().filter(|sent| sent.is_of(contract, kind));
    let mut found: Vec<_> = sent
        .filter_map(|sent| {
            let receipt = receipts.get(&sent.hash?)?;
            Some(Vm::BroadcastTxSummary {
                txHash: receipt.transaction_hash,
                txType: sent.transaction_type as u8,
                contractAddress: sent.contract_address.unwrap_or_default(),
                blockNumber: receipt.block_number.unwrap_or_default().to(),
                success: receipt.status.is_none_or(|status| !status.is_zero()),
            })
        })
        .collect();
    found.sort_by_key(|summary| std::cmp::Reverse(summary.blockNumber));
    found
}

fn none(contract: &str, chain: u64) -> String {
    format!("no deployment found for {contract} on chain {chain}")
}

impl Cheatcode for Vm::getBroadcastCall {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        let runs = runs(cx, self.chain, &self.contractName, Some(self.kind))?;
        let newest = runs.first().ok_or("No broadcasts found")?;
        let found = mined(newest, &self.contractName, Some(self.kind)).into_iter().next();
        Ok(found.ok_or_else(|| none(&self.contractName, self.chain))?)
    }
}

fn all(
    cx: &Cx<'_>,
    chain: u64,
    contract: &str,
    kind: Option<u8>,
) -> Result<Vec<Vm::BroadcastTxSummary>, CheatError> {
    let runs = runs(cx, chain, contract, kind)?;
    Ok(runs.iter().flat_map(|run| mined(run, contract, kind)).collect())
}

impl Cheatcode for Vm::getBroadcasts_0Call {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        all(cx, self.chain, &self.contractName, None)
    }
}

impl Cheatcode for Vm::getBroadcasts_1Call {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        all(cx, self.chain, &self.contractName, Some(self.kind))
    }
}

/// Returns the addresses of the contracts that a run created.
fn created(run: &ScriptRun, contract: &str) -> impl Iterator<Item = Address> + use<> {
    let found = mined(run, contract, None).into_iter();
    found.filter(|summary| summary.txType != BroadcastKind::Call as u8).map(|summary| summary.contractAddress)
}

fn deployment(cx: &Cx<'_>, chain: u64, contract: &str) -> Result<Address, CheatError> {
    let runs = runs(cx, chain, contract, None)?;
    let newest = runs.first().ok_or("No broadcasts found")?;
    Ok(created(newest, contract).next().ok_or_else(|| none(contract, chain))?)
}

impl Cheatcode for Vm::getDeployment_0Call {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        deployment(cx, cx.ctx.cfg.chain_id, &self.contractName)
    }
}

impl Cheatcode for Vm::getDeployment_1Call {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        deployment(cx, self.chain, &self.contractName)
    }
}

impl Cheatcode for Vm::getDeploymentsCall {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        let runs = runs(cx, self.chain, &self.contractName, None)?;
        Ok(runs.iter().flat_map(|run| created(run, &self.contractName)).collect())
    }
}
