//! The contracts that the flags of `scan` name, and their suites.

use super::interfaces::{CompiledFile, Interface, sourcify};
use crate::{
    cli::args::DeployedCodeArgs,
    evm::exec::test_env::ConfiguredFork,
    model::{ChainAccount, CodeOrigin, ContractId},
    project::{CodeKind, Contract, Project, Suite},
};
use alloy_json_abi::{Function, JsonAbi};
use alloy_primitives::{Address, Bytes};
use anyhow::{Context as _, Result, anyhow, bail};
use serde_json::json;
use std::{collections::BTreeMap, path::PathBuf, sync::Arc};

/// Contract with the origin of its code.
struct NamedContract {
    contract: Arc<Contract>,
    origin: CodeOrigin,
    /// True if the project has it.
    is_of_project: bool,
}

/// Contracts that the flags name.
pub(super) struct NamedContracts<'a> {
    project: &'a Project,
    all: Vec<NamedContract>,
    /// ABIs for certain addresses.
    abis: BTreeMap<Address, Interface>,
    /// ABIs for the contracts without one, the last one first.
    more_abis: Vec<(PathBuf, Interface)>,
}

impl<'a> NamedContracts<'a> {
    /// Reads the files with ABIs.
    pub(super) fn new(args: &DeployedCodeArgs, project: &'a Project) -> Result<Self> {
        let mut contracts = Self { project, all: Vec::new(), abis: BTreeMap::new(), more_abis: Vec::new() };
        for given in args.abi.iter().rev() {
            let interface = Interface::read(&given.file)?;
            match given.address {
                Some(address) if !args.address.contains(&address) => {
                    bail!("--abi {address}={}: no --address names this account", given.file.display())
                }
                Some(address) => {
                    if contracts.abis.insert(address, interface).is_some() {
                        bail!("--abi names {address} twice");
                    }
                }
                None => contracts.more_abis.push((given.file.clone(), interface)),
            }
        }
        Ok(contracts)
    }

    /// Adds the contracts on the chain.
    pub(super) fn ask_chain(&mut self, args: &DeployedCodeArgs, fork: Option<&ConfiguredFork>) -> Result<()> {
        let fork = fork.context("--address needs a chain: name its node by --fork-url URL")?;
        for (index, address) in args.address.iter().enumerate() {
            if args.address[..index].contains(address) {
                bail!("--address names {address} twice");
            }
            let there = fork.contract(*address).map_err(|error| anyhow!(error))?;
            let (account, code) = there.with_context(|| {
                format!(
                    "there is no code at {address} in block {} of chain {}",
                    fork.block(),
                    fork.chain_id()
                )
            })?;
            let contract = self.contract_at(account, code, args, fork)?;
            self.add(contract, CodeOrigin::Chain { account, others: Vec::new() })?;
        }
        Ok(())
    }

    /// Returns a contract on the chain by the ABI that is given for it, as the project has it, by an ABI on disk, or by
    /// the next one that is given for no address.
    fn contract_at(
        &mut self,
        account: ChainAccount,
        code: Bytes,
        args: &DeployedCodeArgs,
        fork: &ConfiguredFork,
    ) -> Result<Arc<Contract>> {
        let address = account.address;
        let own = self.abis.remove(&address);
        if own.is_none()
            && let Some(known) = self.project.exact_runtime(&code)
        {
            if self.all.iter().all(|other| other.contract.id != known.id) {
                return Ok(known.clone());
            }
            // Suites have different names.
            let id = ContractId { name: format!("{}.{address}", known.id.name), ..known.id.clone() };
            let abi = (*known.abi).clone();
            return Ok(Arc::new(Contract::without_sources(id, abi, CodeKind::Runtime, code)?));
        }
        let on_disk = || {
            let files = args.sourcify.as_deref()?;
            // The metadata of a proxy itself says nothing of the functions of its implementation.
            sourcify(files, fork.chain_id(), account.code_at()).transpose()
        };
        let found = match own {
            Some(own) => Some(own),
            None => on_disk().transpose()?.or_else(|| self.more_abis.pop().map(|(_, abi)| abi)),
        };
        let Some(Interface { name, abi }) = found else {
            bail!(
                "the interface of {address} is not known: give its ABI by --abi {address}=FILE, or --sourcify \
                 DIR, or run in the Foundry project of the contract"
            );
        };
        check_callable(&abi, &address.to_string())?;
        let id = ContractId { path: address.to_string(), name: name.unwrap_or_else(|| UNNAMED.to_owned()) };
        Ok(Arc::new(Contract::without_sources(id, abi, CodeKind::Runtime, code)?))
    }

    /// Adds the contracts whose code is in files.
    pub(super) fn read_files(&mut self, args: &DeployedCodeArgs) -> Result<()> {
        let creation = args.bytecode.iter().map(|file| (file, CodeKind::Creation));
        let runtime = args.deployed_bytecode.iter().map(|file| (file, CodeKind::Runtime));
        for (file, kind) in creation.chain(runtime) {
            let CompiledFile { code, interface } = CompiledFile::read(file, kind)?;
            let interface = interface.or_else(|| self.more_abis.pop().map(|(_, interface)| interface));
            let Some(Interface { name, abi }) = interface else {
                bail!("the interface of {} is not known: give its ABI by --abi FILE", file.display());
            };
            check_callable(&abi, &file.display().to_string())?;
            let stem = || file.file_stem().map(|stem| stem.to_string_lossy().into_owned());
            let name = name.or_else(stem).unwrap_or_else(|| UNNAMED.to_owned());
            let id = ContractId { path: file.to_string_lossy().into_owned(), name };
            let contract = Contract::without_sources(id, abi, kind, code.clone())?;
            let origin = match kind {
                CodeKind::Creation => CodeOrigin::CreationCode(code),
                CodeKind::Runtime => CodeOrigin::RuntimeCode(code),
            };
            self.add(Arc::new(contract), origin)?;
        }
        Ok(())
    }

    fn add(&mut self, contract: Arc<Contract>, origin: CodeOrigin) -> Result<()> {
        if self.all.iter().any(|other| other.contract.id == contract.id) {
            bail!("{} is named twice", contract.id);
        }
        let is_of_project = self.project.contract(&contract.id).is_some();
        self.all.push(NamedContract { contract, origin, is_of_project });
        Ok(())
    }

    /// Fails if an ABI is left over.
    pub(super) fn check_abis(&self) -> Result<()> {
        match self.more_abis.last() {
            Some((file, _)) => bail!("--abi {}: no contract needs it", file.display()),
            None => Ok(()),
        }
    }

    /// Lists the contracts: where they are, and their functions.
    pub(super) fn listing(&self, json: bool) -> String {
        let functions = |contract: &Contract| -> Vec<String> {
            contract.abi.functions().map(Function::signature).collect()
        };
        if json {
            let all =
                self.all.iter().map(|named| (named.contract.id.to_string(), functions(&named.contract)));
            return format!("{}\n", json!(all.collect::<BTreeMap<_, _>>()));
        }
        let lines = |NamedContract { contract, origin, .. }: &NamedContract| {
            let place = origin.account().map(|ChainAccount { address, implementation }| {
                let of = implementation.map(|logic| format!(", proxy of {logic}"));
                format!(" at {address}{}", of.unwrap_or_default())
            });
            let place = place.unwrap_or_default();
            let functions: String = functions(contract).iter().map(|line| format!("  {line}\n")).collect();
            format!("{}{place}\n{functions}", contract.id)
        };
        self.all.iter().map(lines).collect()
    }

    /// Returns the suites, each with the other contracts on the chain, and the contracts that the project does not
    /// have.
    pub(super) fn into_suites(self) -> (Vec<Suite>, Vec<Arc<Contract>>) {
        let on_chain = self.all.iter().filter_map(|NamedContract { contract, origin, .. }| {
            Some((origin.account()?, contract.id.clone()))
        });
        let on_chain: Vec<(ChainAccount, ContractId)> = on_chain.collect();
        let (mut suites, mut added) = (Vec::new(), Vec::new());
        for NamedContract { contract, mut origin, is_of_project } in self.all {
            if let CodeOrigin::Chain { account, others, .. } = &mut origin {
                others.extend(on_chain.iter().filter(|(other, _)| other.address != account.address).cloned());
            }
            suites.push(Suite { origin, ..Suite::scan(&contract) });
            added.extend((!is_of_project).then_some(contract));
        }
        suites.sort_by(|a, b| a.id().cmp(b.id()));
        (suites, added)
    }
}

/// Fails if an ABI has nothing that can be called.
fn check_callable(abi: &JsonAbi, of: &str) -> Result<()> {
    if abi.functions().next().is_none() && abi.receive.is_none() && abi.fallback.is_none() {
        bail!(
            "the ABI of {of} has no functions, so there is nothing to call; is it that of another contract?"
        );
    }
    Ok(())
}

/// Name of a contract if nothing names it.
const UNNAMED: &str = "Contract";
