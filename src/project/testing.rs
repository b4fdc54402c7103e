//! Helpers for the tests of this module and of others.

use crate::{
    config::{
        CheatsConfig, CompilerConfig, Config, EnvConfig, EvmVersion, FilterConfig, FuzzConfig, HarveyConfig,
        InvariantConfig, PathsConfig, RpcConfig, Scan, SolcRequest,
    },
    model::ContractId,
    project::contract::{Code, Contract, LinkReference},
};
use alloy_json_abi::JsonAbi;
use alloy_primitives::{Address, U256, address, hex};
use semver::Version;
use std::{collections::BTreeMap, path::Path, sync::Arc};

/// Returns a configuration with Forge's defaults for a project at `root`.
pub(crate) fn config(root: impl AsRef<Path>) -> Config {
    let root = root.as_ref();
    let sender = address!("1804c8AB1F12E6bbf3894d4083f33e07309d1f38");
    Config {
        profile: "default".into(),
        paths: PathsConfig {
            root: root.to_owned(),
            src: root.join("src"),
            test: root.join("test"),
            script: root.join("script"),
            out: root.join("out"),
            cache: root.join("cache"),
            libs: vec![root.join("lib")],
            corpus: root.join("cache/harvey"),
            remappings: vec![],
            allow_paths: vec![],
            include_paths: vec![],
            ignored_warnings_from: vec![],
        },
        compiler: compiler(),
        env: EnvConfig {
            evm_version: EvmVersion::Osaka,
            tx_gas_limit: false,
            sender,
            tx_origin: sender,
            initial_balance: U256::from(u128::MAX >> 32),
            block_number: U256::from(1),
            block_timestamp: U256::from(1),
            block_coinbase: Address::ZERO,
            block_difficulty: 0,
            block_prevrandao: U256::ZERO,
            block_base_fee: 0,
            block_gas_limit: None,
            gas_limit: 1 << 30,
            gas_price: 0,
            chain_id: None,
            code_size_limit: None,
            memory_limit: 1 << 27,
        },
        invariant: invariant(root),
        fuzz: FuzzConfig {
            runs: 256,
            seed: None,
            max_test_rejects: 65536,
            fail_on_revert: true,
            dictionary_weight: 40,
            include_storage: true,
            include_push_bytes: true,
            timeout: None,
            failure_persist_dir: root.join("cache/fuzz"),
            corpus: None,
            show_logs: false,
        },
        harvey: HarveyConfig {
            payable_value_weight: 15,
            random_walks: 25,
            panics: vec![],
            inner_asserts: false,
            call_timeout: None,
            plateau: 0,
            executions: 0,
            keep_inputs: false,
            without: vec![],
            unit: false,
            foreign_properties: false,
            invariant_calls: false,
            no_tests: "pass".into(),
            scan: Scan::default(),
            oracles: Vec::new(),
        },
        cheats: CheatsConfig {
            ffi: false,
            fs_permissions: vec![],
            assertions_revert: true,
            legacy_assertions: false,
            allow_internal_expect_revert: false,
            always_use_create_2_factory: false,
            isolate: false,
            no_block_gas_limit: false,
            create2_deployer: Address::ZERO,
            unchecked_artifacts: false,
            artifacts: root.join("out"),
            bindings: root.join("utils/JsonBindings.sol"),
            broadcast: root.join("broadcast"),
            snapshots: root.join("snapshots"),
            settings: Vec::new(),
            snapshot_check: false,
            snapshot_emit: true,
            labels: BTreeMap::new(),
        },
        rpc: RpcConfig::default(),
        filter: FilterConfig::default(),
        threads: None,
        verbosity: 0,
        show_progress: false,
        test_failures_file: "cache/test-failures".into(),
    }
}

fn compiler() -> CompilerConfig {
    CompilerConfig {
        solc: SolcRequest::Auto,
        optimizer: false,
        optimizer_runs: 200,
        optimizer_details: None,
        via_ir: false,
        evm_version: EvmVersion::Osaka,
        bytecode_hash: "ipfs".into(),
        cbor_metadata: true,
        use_literal_content: false,
        revert_strings: None,
        libraries: vec![],
        extra_output: vec![],
        extra_output_files: vec![],
        ignored_error_codes: vec![1878, 5574, 3860, 2394],
        deny: "never".into(),
        offline: false,
        force: false,
        cache: true,
        build_info: false,
        build_info_path: None,
        ast: false,
        model_checker: None,
        extra_args: Vec::new(),
        vyper: Default::default(),
        ignored_error_codes_from: Vec::new(),
        compiler_profiles: serde_json::Value::Null,
        compilation_restrictions: serde_json::Value::Null,
        skip: vec![],
    }
}

fn invariant(root: &Path) -> InvariantConfig {
    InvariantConfig {
        runs: 256,
        depth: 500,
        fail_on_revert: false,
        dictionary_weight: 80,
        include_storage: true,
        include_push_bytes: true,
        shrink_run_limit: 5000,
        max_assume_rejects: 65536,
        timeout: None,
        call_override: false,
        failure_persist_dir: root.join("cache/invariant"),
        corpus: None,
        show_metrics: true,
        show_solidity: false,
        max_time_delay: None,
        max_block_delay: None,
        check_interval: 1,
    }
}

/// Returns a contract without functions, compiled by solc 0.8.30. `code` is its creation and runtime code in
/// hexadecimal digits.
pub(crate) fn contract(id: &str, code: &str) -> Contract {
    let (path, name) = id.split_once(':').unwrap();
    let file = Path::new(path).file_name().unwrap();
    let code = || Code { bytes: Some(hex::decode(code).unwrap().into()), ..Code::default() };
    Contract {
        id: ContractId { path: path.into(), name: name.into() },
        artifact: Path::new("/out").join(file).join(format!("{name}.json")),
        version: Version::new(0, 8, 30),
        profile: "default".into(),
        abi: Arc::default(),
        creation: code(),
        runtime: code(),
        layout: None,
        build: "build".into(),
    }
}

/// Returns an unlinked contract whose code is a PUSH20 of each library's address.
pub(crate) fn unlinked(id: &str, libraries: &[&str]) -> Contract {
    let link = |(index, library): (usize, &&str)| {
        let (path, name) = library.split_once(':').unwrap();
        LinkReference { start: 21 * index + 1, library: ContractId { path: path.into(), name: name.into() } }
    };
    let code = || Code {
        links: libraries.iter().enumerate().map(link).collect(),
        unlinked: Some(format!("73{}", "__$0123456789abcdef0123456789abcdef01$__").repeat(libraries.len())),
        ..Code::default()
    };
    Contract { creation: code(), runtime: code(), ..contract(id, "") }
}

/// Returns the contract with these functions, given as Solidity declarations.
pub(crate) fn with_functions(contract: Contract, functions: &[&str]) -> Contract {
    Contract { abi: Arc::new(JsonAbi::parse(functions.iter().copied()).unwrap()), ..contract }
}
