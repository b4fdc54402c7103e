//! Conversion of merged settings to the resolved configuration.

mod rpc;

use super::{
    CheatsConfig, CompilerConfig, Config, ConfigError, CorpusConfig, EnvConfig, EvmVersion, Feature,
    FilterConfig, ForgeVersion, FuzzConfig, HarveyConfig, InvariantConfig, PathsConfig, Scan, SettingPlace,
    SolcRequest, TracingConfig, VyperConfig,
    read::ConfigSection,
    scalar::{
        ChainId, Deny, ErrorCode, ErrorCodesFrom, FsAccess, GasAmount, GlobText, Hardfork, Labels, Percent,
        RegexText, Workers, word,
    },
    value::{ConfigNode, Table},
};
use crate::files::nofollow::configured_path;
use rpc::rpc;
use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

/// Converts all settings that have an effect.
///
/// # Errors
/// Fails if a value does not fit its setting.
pub(super) fn config(
    root: &Path,
    profile: &str,
    settings: &Table,
    remappings: Vec<String>,
) -> Result<Config, ConfigError> {
    let top = ConfigSection::new(settings);
    Ok(Config {
        profile: profile.to_owned(),
        paths: paths(&top, root, remappings)?,
        compiler: compiler(&top, root)?,
        env: env(&top, root)?,
        invariant: invariant(&top.section("invariant")?, root)?,
        fuzz: fuzz(&top.section("fuzz")?, root)?,
        harvey: harvey(&top.section("harvey")?, top.section("symbolic")?.get("enabled")?)?,
        cheats: cheats(&top, root)?,
        rpc: rpc(&top)?,
        filter: filter(&top)?,
        threads: top.find("threads")?,
        verbosity: top.get::<u8>("verbosity")?.max(top.section("tracing")?.get("verbosity")?),
        tracing: tracing(&top.section("tracing")?)?,
        show_progress: top.get("show_progress")?,
        test_failures_file: top.get("test_failures_file")?,
    })
}

/// Returns an absolute path. Symbolic links are resolved if the path exists, as in Forge.
pub(super) fn absolute(root: &Path, path: impl AsRef<Path>) -> PathBuf {
    let path = root.join(path);
    fs::canonicalize(&path).unwrap_or(path)
}

/// Returns an absolute path without `.` components. Symbolic links are not resolved.
fn joined(root: &Path, path: impl AsRef<Path>) -> PathBuf {
    root.join(path).components().collect()
}

fn paths(top: &ConfigSection<'_>, root: &Path, remappings: Vec<String>) -> Result<PathsConfig, ConfigError> {
    let one = |name: &str| Ok::<_, ConfigError>(absolute(root, top.get::<PathBuf>(name)?));
    let many = |name: &str| {
        let paths = top.get::<Vec<PathBuf>>(name)?;
        Ok::<_, ConfigError>(paths.iter().map(|path| absolute(root, path)).collect())
    };
    Ok(PathsConfig {
        root: root.to_path_buf(),
        src: one("src")?,
        test: one("test")?,
        script: one("script")?,
        out: one("out")?,
        cache: one("cache_path")?,
        corpus: match top.section("harvey")?.find::<PathBuf>("corpus")? {
            Some(corpus) => configured_path(root, &corpus),
            None => one("cache_path")?.join("harvey"),
        },
        libs: many("libs")?,
        remappings,
        allow_paths: many("allow_paths")?,
        include_paths: many("include_paths")?,
        replaced: BTreeMap::new(),
        moved: None,
        ignored_warnings_from: top.get("ignored_warnings_from")?,
    })
}

fn compiler(top: &ConfigSection<'_>, root: &Path) -> Result<CompilerConfig, ConfigError> {
    let (optimizer, optimizer_runs) = optimizer(top.find("optimizer")?, top.find("optimizer_runs")?);
    let json = |name| top.node(name).map(ConfigNode::to_json);
    let table = |name| json(name).filter(|value| value.as_object().is_none_or(|map| !map.is_empty()));
    let words =
        |name, words| top.node(name).map(|node| word(node, name, words).map(str::to_owned)).transpose();
    Ok(CompilerConfig {
        solc: solc(top, root)?,
        optimizer,
        optimizer_runs,
        optimizer_details: table("optimizer_details"),
        via_ir: top.get("via_ir")?,
        evm_version: evm_version(top, root)?,
        bytecode_hash: words("bytecode_hash", &["ipfs", "bzzr1", "none"])?.unwrap_or_default(),
        cbor_metadata: top.get("cbor_metadata")?,
        use_literal_content: top.get("use_literal_content")?,
        revert_strings: words("revert_strings", &["default", "strip", "debug", "verboseDebug"])?,
        libraries: top.get("libraries")?,
        create2_library_salt: top.get("create2_library_salt")?,
        extra_output: top.get("extra_output")?,
        extra_output_files: top.get("extra_output_files")?,
        ignored_error_codes: top
            .get::<Vec<ErrorCode>>("ignored_error_codes")?
            .iter()
            .map(|code| code.0)
            .collect(),
        ignored_error_codes_from: top
            .get::<Vec<ErrorCodesFrom>>("ignored_error_codes_from")?
            .into_iter()
            .map(|from| (from.path, from.codes))
            .collect(),
        deny: top.get::<Deny>("deny")?.0.to_owned(),
        dynamic_test_linking: top.get("dynamic_test_linking")?,
        offline: top.get("offline")?,
        force: top.get("force")?,
        cache: top.get("cache")?,
        build_info: top.get("build_info")?,
        build_info_path: top.find::<PathBuf>("build_info_path")?.map(|path| joined(root, path)),
        ast: top.get("ast")?,
        model_checker: table("model_checker"),
        extra_args: top.find("extra_args")?.unwrap_or_default(),
        vyper: vyper(&top.section("vyper")?)?,
        compiler_profiles: json("additional_compiler_profiles").unwrap_or_default(),
        compilation_restrictions: json("compilation_restrictions").unwrap_or_default(),
        skip: top.get::<Vec<GlobText>>("skip")?.into_iter().map(|glob| glob.0).collect(),
    })
}

/// Returns `optimizer` and `optimizer_runs`. Setting only the runs enables the optimizer, unless they are 0.
fn optimizer(enabled: Option<bool>, runs: Option<usize>) -> (bool, usize) {
    match (enabled, runs) {
        (None, None) => (false, 200),
        (Some(enabled), None) => (enabled, 200),
        (None, Some(runs)) => (runs > 0, runs),
        (Some(enabled), Some(runs)) => (enabled, runs),
    }
}

fn solc(top: &ConfigSection<'_>, root: &Path) -> Result<SolcRequest, ConfigError> {
    let request = top.find::<SolcRequest>("solc")?.zip(top.node("solc"));
    Ok(request.map_or(SolcRequest::Auto, |(request, node)| request.at(root, &node.place)))
}

/// Returns the EVM version, lowered to one that a configured compiler version supports. It is not lowered for
/// `--use`, because Forge reads flags afterwards.
fn evm_version(top: &ConfigSection<'_>, root: &Path) -> Result<EvmVersion, ConfigError> {
    let mut version = top.get::<EvmVersion>("evm_version")?;
    if !top.node("solc").is_some_and(|node| matches!(node.place, SettingPlace::Flag(_))) {
        version = version.lowered_to(&solc(top, root)?);
    }
    Ok(version)
}

fn vyper(section: &ConfigSection<'_>) -> Result<VyperConfig, ConfigError> {
    let optimize =
        section.node("optimize").map(|node| word(node, "vyper.optimize", &["gas", "codesize", "none"]));
    Ok(VyperConfig {
        path: section.find("path")?,
        optimize: optimize.transpose()?.map(str::to_owned),
        experimental_codegen: section.find("experimental_codegen")?,
    })
}

fn env(top: &ConfigSection<'_>, root: &Path) -> Result<EnvConfig, ConfigError> {
    let hardfork = top.find::<Hardfork>("hardfork")?.map(|fork| fork.0);
    Ok(EnvConfig {
        evm_version: hardfork.map_or_else(|| evm_version(top, root), Ok)?,
        tx_gas_limit: top.get("enable_tx_gas_limit")?,
        sender: top.get("sender")?,
        tx_origin: top.get("tx_origin")?,
        initial_balance: top.get("initial_balance")?,
        block_number: top.get("block_number")?,
        block_timestamp: top.get("block_timestamp")?,
        block_coinbase: top.get("block_coinbase")?,
        block_difficulty: top.get("block_difficulty")?,
        block_prevrandao: top.get("block_prevrandao")?,
        block_base_fee: top.get("block_base_fee_per_gas")?,
        block_gas_limit: top.find::<GasAmount>("block_gas_limit")?.map(|gas| gas.0),
        // As in Forge, the gas limit of a block is also that of a call.
        gas_limit: top.find::<GasAmount>("block_gas_limit")?.unwrap_or(top.get::<GasAmount>("gas_limit")?).0,
        gas_price: top.find("gas_price")?.unwrap_or(0),
        chain_id: top.find::<ChainId>("chain_id")?.map(|chain| chain.0),
        code_size_limit: top.find("code_size_limit")?,
        memory_limit: top.get("memory_limit")?,
    })
}

fn invariant(section: &ConfigSection<'_>, root: &Path) -> Result<InvariantConfig, ConfigError> {
    let modes = &["fixed", "random", "uniform"];
    let depth_mode =
        section.node("depth_mode").map(|node| word(node, "invariant.depth_mode", modes)).transpose()?;
    // "uniform" is Forge's other name of the same mode.
    let is_random = depth_mode.is_some_and(|mode| mode != "fixed");
    Ok(InvariantConfig {
        runs: section.get("runs")?,
        depth: section.get("depth")?,
        min_depth: is_random.then(|| section.get("min_depth")).transpose()?,
        workers: section.get::<Workers>("workers")?.0,
        payable_value_weight: section.get::<Percent>("payable_value_weight")?.0,
        fail_on_revert: section.get("fail_on_revert")?,
        dictionary_weight: section.get::<Percent>("dictionary_weight")?.0,
        include_storage: section.get("include_storage")?,
        include_push_bytes: section.get("include_push_bytes")?,
        shrink_run_limit: section.get("shrink_run_limit")?,
        max_assume_rejects: section.get("max_assume_rejects")?,
        timeout: section.find("timeout")?,
        call_override: section.get("call_override")?,
        failure_persist_dir: configured_path(root, &section.get::<PathBuf>("failure_persist_dir")?),
        corpus: corpus(section, root)?,
        show_metrics: section.get("show_metrics")?,
        show_solidity: section.get("show_solidity")?,
        max_time_delay: section.find("max_time_delay")?,
        max_block_delay: section.find("max_block_delay")?,
        check_interval: section.get("check_interval")?,
    })
}

fn fuzz(section: &ConfigSection<'_>, root: &Path) -> Result<FuzzConfig, ConfigError> {
    Ok(FuzzConfig {
        runs: section.get("runs")?,
        seed: section.find("seed")?,
        payable_value_weight: section.get::<Percent>("payable_value_weight")?.0,
        max_test_rejects: section.get("max_test_rejects")?,
        fail_on_revert: section.get("fail_on_revert")?,
        dictionary_weight: section.get::<Percent>("dictionary_weight")?.0,
        include_storage: section.get("include_storage")?,
        include_push_bytes: section.get("include_push_bytes")?,
        timeout: section.find("timeout")?,
        failure_persist_dir: configured_path(root, &section.get::<PathBuf>("failure_persist_dir")?),
        corpus: corpus(section, root)?,
        show_logs: section.get("show_logs")?,
    })
}

fn harvey(section: &ConfigSection<'_>, checks: bool) -> Result<HarveyConfig, ConfigError> {
    let no_tests =
        section.node("no_tests").map(|node| word(node, "harvey.no_tests", &["pass", "fail"])).transpose()?;
    let scan = section
        .node("scan")
        .map(|node| word(node, "harvey.scan", &["none", "asserts", "all"]))
        .transpose()?;
    Ok(HarveyConfig {
        checks,
        forge: section.find("forge")?.unwrap_or(ForgeVersion::NEWEST),
        scan: match scan {
            Some("none") => Scan::None,
            Some("all") => Scan::All,
            _ => Scan::Asserts,
        },
        strategy: section.get("strategy")?,
        random_walks: section.get::<Percent>("random_walks")?.0,
        panics: section.get("panics")?,
        inner_asserts: section.get("inner_asserts")?,
        call_timeout: seconds(section.get("call_timeout")?),
        solver: section.get("solver")?,
        solver_timeout: Duration::from_millis(section.get::<u32>("solver_timeout")?.into()),
        solver_share: section.get::<Percent>("solver_share")?.0,
        plateau: section.get("plateau")?,
        executions: section.get("executions")?,
        oracles: section.get("oracles")?,
        keep_inputs: !section.get::<bool>("no_corpus")?,
        without: section.get::<Vec<Feature>>("without")?,
        unit: section.get("unit")?,
        foreign_properties: section.get("foreign_properties")?,
        invariant_calls: section.get("invariant_calls")?,
        no_tests: no_tests.unwrap_or_default().to_owned(),
    })
}

/// Returns a duration; `None` if it is zero, which means no limit.
fn seconds(seconds: u32) -> Option<Duration> {
    (seconds > 0).then(|| Duration::from_secs(seconds.into()))
}

fn cheats(top: &ConfigSection<'_>, root: &Path) -> Result<CheatsConfig, ConfigError> {
    let permission = |rule: ConfigSection<'_>| {
        let access = rule.find::<FsAccess>("access")?.map_or("none", |access| access.0);
        let path = rule.find::<PathBuf>("path")?.unwrap_or_default();
        Ok((access.to_owned(), joined(root, path)))
    };
    // The section `labels` is part of `tracing` since Forge 1.8.
    let mut labels = top.get::<Labels>("labels")?.0;
    labels.extend(top.section("tracing")?.get::<Labels>("labels")?.0);
    Ok(CheatsConfig {
        ffi: top.get("ffi")?,
        fs_permissions: top
            .sections("fs_permissions")?
            .into_iter()
            .map(permission)
            .collect::<Result<_, _>>()?,
        assertions_revert: top.get("assertions_revert")?,
        legacy_assertions: top.get("legacy_assertions")?,
        allow_internal_expect_revert: top.get("allow_internal_expect_revert")?,
        always_use_create_2_factory: top.get("always_use_create_2_factory")?,
        isolate: top.get("isolate")?,
        no_block_gas_limit: top.get("disable_block_gas_limit")?,
        create2_deployer: top.get("create2_deployer")?,
        unchecked_artifacts: top.get("unchecked_cheatcode_artifacts")?,
        artifacts: joined(root, top.get::<PathBuf>("out")?),
        bindings: joined(root, top.section("bind_json")?.get::<PathBuf>("out")?),
        broadcast: joined(root, top.get::<PathBuf>("broadcast")?),
        snapshots: joined(root, top.get::<PathBuf>("snapshots")?),
        settings: Vec::new(),
        snapshot_check: top.get("gas_snapshot_check")?,
        snapshot_emit: top.get("gas_snapshot_emit")?,
        labels,
        read_only: false,
    })
}

fn tracing(section: &ConfigSection<'_>) -> Result<TracingConfig, ConfigError> {
    Ok(TracingConfig { depth: section.find("trace_depth")?, disable_labels: section.get("disable_labels")? })
}

fn filter(top: &ConfigSection<'_>) -> Result<FilterConfig, ConfigError> {
    let regex = |name| Ok::<_, ConfigError>(top.find::<RegexText>(name)?.map(|text| text.0));
    let glob = |name| Ok::<_, ConfigError>(top.find::<GlobText>(name)?.map(|text| text.0));
    Ok(FilterConfig {
        test: regex("match_test")?,
        no_test: regex("no_match_test")?,
        contract: regex("match_contract")?,
        no_contract: regex("no_match_contract")?,
        path: glob("match_path")?,
        no_path: glob("no_match_path")?,
    })
}

fn corpus(section: &ConfigSection<'_>, root: &Path) -> Result<Option<CorpusConfig>, ConfigError> {
    let gzip = section.get("corpus_gzip")?;
    let dir = section.find::<PathBuf>("corpus_dir")?;
    Ok(dir.map(|dir| CorpusConfig { dir: configured_path(root, &dir), gzip }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_alone_switch_the_optimizer_on() {
        assert_eq!(optimizer(None, None), (false, 200));
        assert_eq!(optimizer(Some(true), None), (true, 200));
        assert_eq!(optimizer(None, Some(1)), (true, 1));
        assert_eq!(optimizer(None, Some(0)), (false, 0));
        assert_eq!(optimizer(Some(false), Some(7)), (false, 7));
    }
}
