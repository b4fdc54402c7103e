//! Flags of `forge-harvey scan`.

use super::{BuildArgs, CampaignArgs, DocumentArgs, EvmArgs, TestArgs};
use alloy_primitives::{Address, hex, keccak256};
use clap::Args;
use std::{
    convert::Infallible,
    path::{self, PathBuf},
    str::FromStr,
};

/// Flags of `forge-harvey scan`.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Contracts")]
pub struct ScanArgs {
    /// Flags that name the contracts.
    #[command(flatten)]
    pub code: DeployedCodeArgs,
    /// List the contracts with their functions instead of calling them
    #[arg(long, short, help_heading = "Display options")]
    pub list: bool,
    /// Flags that write documents.
    #[command(flatten)]
    pub documents: DocumentArgs,
    /// Flags that limit and direct campaigns.
    #[command(flatten)]
    pub campaign: CampaignArgs,
    /// Flags for accounts, the chain and the block.
    #[command(flatten)]
    pub evm: EvmArgs,
    /// Flags for the compiler and the project's layout.
    #[command(flatten)]
    pub build: BuildArgs,
}

/// Flags that name contracts whose code is compiled already.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Contracts")]
#[group(required = true, multiple = true, args = ["address", "bytecode", "deployed_bytecode"])]
pub struct DeployedCodeArgs {
    /// Address of a contract on the chain of --fork-url; several are called together
    #[arg(long, value_name = "ADDRESS")]
    pub address: Vec<Address>,
    /// File with the creation code of a contract in hex, or an artifact of a compiler
    #[arg(long, value_name = "FILE")]
    pub bytecode: Vec<PathBuf>,
    /// File with the runtime code of a contract in hex, or an artifact of a compiler: no constructor runs
    #[arg(long, value_name = "FILE")]
    pub deployed_bytecode: Vec<PathBuf>,
    /// File with the ABI of a contract: a list, an artifact, or Sourcify's metadata.json. Without ADDRESS, ABIs belong
    /// to the contracts that have none, in the order --address, --bytecode, --deployed-bytecode
    #[arg(long, value_name = "[ADDRESS=]FILE")]
    pub abi: Vec<AbiArg>,
    /// Directory in Sourcify's format, with the ABIs of contracts by chain and address
    #[arg(long, value_name = "DIR")]
    pub sourcify: Option<PathBuf>,
}

/// File with an ABI, and the address that it is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AbiArg {
    /// Address of the contract, if it was given.
    pub address: Option<Address>,
    /// The file.
    pub file: PathBuf,
}

impl FromStr for AbiArg {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let named = text.split_once('=').and_then(|(address, file)| Some((address.parse().ok()?, file)));
        Ok(match named {
            Some((address, file)) => Self { address: Some(address), file: file.into() },
            None => Self { address: None, file: text.into() },
        })
    }
}

impl ScanArgs {
    /// Returns the equivalent flags of `test`. All oracles are on if none are named.
    #[must_use]
    pub fn as_test(&self) -> TestArgs {
        let mut campaign = self.campaign.clone();
        campaign.search.scan = true;
        if campaign.search.oracles.is_empty() {
            campaign.search.oracles = vec!["all".to_owned()];
        }
        TestArgs {
            documents: self.documents.clone(),
            campaign,
            evm: self.evm.clone(),
            build: self.build.clone(),
            ..TestArgs::default()
        }
    }

    /// Returns the name of a corpus for these contracts, on the chain of this node. Inputs name addresses, and what a
    /// project or another chain calls by the same name may be deployed elsewhere.
    #[must_use]
    pub fn corpus_name(&self, node: Option<&str>) -> String {
        let DeployedCodeArgs { address, bytecode, deployed_bytecode, .. } = &self.code;
        let files = bytecode.iter().chain(deployed_bytecode);
        let files: Vec<_> = files.map(|file| path::absolute(file).unwrap_or_else(|_| file.clone())).collect();
        hex::encode(&keccak256(format!("{address:?} {files:?} {node:?}"))[..4])
    }

    /// Returns the first of the given flags that belongs to tests, which a scan does not run.
    #[must_use]
    pub fn flag_of_tests(&self) -> Option<&'static str> {
        let CampaignArgs { limits, search, run, .. } = &self.campaign;
        let flags = [
            ("--affected-by", limits.affected_by.is_some()),
            ("--unit", search.unit),
            ("--check", search.check),
            ("--foreign-properties", search.foreign_properties),
            ("--scan", search.scan),
            ("--rerun", run.rerun),
            ("--no-tests", run.no_tests.is_some()),
            ("--fuzz-input-file", run.fuzz_input_file.is_some()),
        ];
        flags.into_iter().find(|(_, is_given)| *is_given).map(|(flag, _)| flag)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_before_a_file_is_told_from_a_part_of_its_name() {
        let parsed = |text: &str| text.parse::<AbiArg>().expect("a flag");
        let address = Address::repeat_byte(7);
        assert_eq!(
            parsed(&format!("{address}=a.json")),
            AbiArg { address: Some(address), file: "a.json".into() }
        );
        assert_eq!(parsed("x=a.json"), AbiArg { address: None, file: "x=a.json".into() });
    }

    #[test]
    fn each_chain_and_each_file_has_a_corpus_of_its_own() {
        let of = |file: &str, node| {
            let bytecode = vec![file.into()];
            let code = DeployedCodeArgs { bytecode, ..DeployedCodeArgs::default() };
            ScanArgs { code, ..ScanArgs::default() }.corpus_name(node)
        };
        assert_eq!(of("A.bin", None), of("./A.bin", None));
        assert_ne!(of("A.bin", None), of("b/A.bin", None));
        assert_ne!(of("A.bin", Some("http://a")), of("A.bin", Some("http://b")));
    }
}
