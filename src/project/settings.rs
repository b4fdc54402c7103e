//! Compiler settings, equal to Forge's in every field.
//!
//! Our builds and Forge's share a cache file, and foundry-compilers discards cached results of other
//! settings. Therefore even settings that we do not need are equal to Forge's: the metadata output, the
//! settings of Vyper, and the allowed paths.

use crate::{
    config::{CompilerConfig, Config, SolcRequest},
    project::error::ProjectError,
};
use foundry_compilers::{
    ConfigurableArtifacts, ProjectPathsConfig,
    artifacts::{
        BytecodeHash, DebuggingSettings, EvmVersion, Libraries, ModelCheckerSettings, ModelCheckerTarget,
        Optimizer, Settings, SettingsMetadata, Severity,
        output_selection::{ContractOutputSelection, OutputSelection},
        remappings::Remapping,
        vyper::VyperSettings,
    },
    cache::SOLIDITY_FILES_CACHE_FILENAME,
    compilers::{
        multi::{MultiCompilerLanguage, MultiCompilerSettings},
        solc::{CliSettings, SolcSettings},
    },
};
use semver::Version;
use serde::de::DeserializeOwned;
use std::{path::PathBuf, str::FromStr};

/// Returns the directories of the project for foundry-compilers.
pub(crate) fn paths(config: &Config) -> Result<ProjectPathsConfig<MultiCompilerLanguage>, ProjectError> {
    let paths = &config.paths;
    let remappings = paths.remappings.iter().map(|text| {
        let mut remapping = Remapping::from_str(text).map_err(|error| invalid("remappings", error))?;
        // The path is absolute, as in Forge. foundry-compilers makes it relative again before it calls the
        // compiler.
        remapping.path = paths.root.join(&remapping.path).display().to_string();
        Ok(remapping)
    });
    let mut builder = ProjectPathsConfig::builder()
        .cache(paths.cache.join(SOLIDITY_FILES_CACHE_FILENAME))
        .sources(&paths.src)
        .tests(&paths.test)
        .scripts(&paths.script)
        .artifacts(&paths.out)
        .libs(&paths.libs)
        .remappings(remappings.collect::<Result<Vec<_>, ProjectError>>()?)
        .allowed_path(&paths.root)
        .allowed_paths(&paths.libs)
        .allowed_paths(&paths.allow_paths);
    builder = builder.include_paths(&paths.include_paths);
    if let Some(path) = &config.compiler.build_info_path {
        builder = builder.build_infos(path);
    }
    Ok(builder.build_with_root(&paths.root))
}

/// Returns the content of artifacts: Forge's, together with `extra_output` and `extra_output_files`.
pub(crate) fn artifacts(config: &CompilerConfig) -> Result<ConfigurableArtifacts, ProjectError> {
    let mut extra = outputs("extra_output", &config.extra_output)?;
    if !extra.contains(&ContractOutputSelection::Metadata) {
        extra.push(ContractOutputSelection::Metadata);
    }
    let mut artifacts =
        ConfigurableArtifacts::new(extra, outputs("extra_output_files", &config.extra_output_files)?);
    artifacts.additional_values.ast |= config.ast;
    Ok(artifacts)
}

/// Returns the deployed libraries of the setting `libraries`.
pub(crate) fn libraries(
    config: &CompilerConfig,
    paths: &ProjectPathsConfig<MultiCompilerLanguage>,
) -> Result<Libraries, ProjectError> {
    let libraries = Libraries::parse(&config.libraries).map_err(|error| invalid("libraries", error))?;
    Ok(paths.apply_lib_remappings(libraries))
}

fn outputs(key: &'static str, names: &[String]) -> Result<Vec<ContractOutputSelection>, ProjectError> {
    names.iter().map(|name| name.parse().map_err(|error| invalid(key, error))).collect()
}

/// Returns the settings of the default profile. `version` is that of the compiler, if the user chose one.
pub(crate) fn compiler(
    config: &CompilerConfig,
    paths: &ProjectPathsConfig<MultiCompilerLanguage>,
    artifacts: &ConfigurableArtifacts,
    version: Option<&Version>,
) -> Result<MultiCompilerSettings, ProjectError> {
    let evm_version = evm_version(config, version)?;
    let revert_strings =
        config.revert_strings.as_deref().map(|text| parse("revert_strings", text)).transpose()?;
    let details = config.optimizer_details.clone().map(|details| read("optimizer_details", details));

    let mut settings = Settings {
        libraries: libraries(config, paths)?,
        optimizer: Optimizer {
            enabled: Some(config.optimizer),
            runs: Some(config.optimizer_runs),
            details: details.transpose()?,
        },
        evm_version: Some(evm_version),
        metadata: Some(SettingsMetadata {
            use_literal_content: Some(config.use_literal_content),
            bytecode_hash: Some(parse::<BytecodeHash>("bytecode_hash", &config.bytecode_hash)?),
            cbor_metadata: Some(config.cbor_metadata),
        }),
        debug: revert_strings
            .map(|strings| DebuggingSettings { revert_strings: Some(strings), debug_info: Vec::new() }),
        via_ir: Some(config.via_ir),
        model_checker: model_checker(config)?,
        stop_after: None,
        remappings: Vec::new(),
        output_selection: OutputSelection::default(),
    }
    .with_extra_output(artifacts.output_selection());
    if config.ast || config.build_info {
        // Forge's build-info files contain the AST.
        settings = settings.with_ast();
    }
    let vyper_outputs = ["abi", "evm.bytecode", "evm.deployedBytecode"].map(str::to_owned);
    Ok(MultiCompilerSettings {
        solc: SolcSettings {
            settings,
            cli_settings: CliSettings { extra_args: config.extra_args.clone(), ..CliSettings::default() },
        },
        vyper: VyperSettings {
            evm_version: Some(evm_version),
            optimize: config
                .vyper
                .optimize
                .as_deref()
                .map(|text| read("vyper.optimize", text.into()))
                .transpose()?,
            experimental_codegen: config.vyper.experimental_codegen,
            output_selection: OutputSelection::common_output_selection(vyper_outputs),
            ..VyperSettings::default()
        },
    })
}

/// Returns the settings of solc's model checker. By default it checks assertions.
fn model_checker(config: &CompilerConfig) -> Result<Option<ModelCheckerSettings>, ProjectError> {
    let Some(settings) = &config.model_checker else { return Ok(None) };
    let mut settings: ModelCheckerSettings = read("model_checker", settings.clone())?;
    settings.targets.get_or_insert_with(|| vec![ModelCheckerTarget::Assert]);
    Ok(Some(settings))
}

/// Returns the EVM version. For a compiler given by version, the configuration has lowered it to a supported
/// one already; for a compiler given by path, it is lowered here, where its version is known.
fn evm_version(config: &CompilerConfig, version: Option<&Version>) -> Result<EvmVersion, ProjectError> {
    let asked: EvmVersion = parse("evm_version", config.evm_version.name())?;
    let chosen = version.filter(|_| matches!(config.solc, SolcRequest::Path(_)));
    Ok(chosen.and_then(|version| asked.normalize_version_solc(version)).unwrap_or(asked))
}

/// Returns the lowest severity of diagnostics that fails the build.
pub(crate) fn severity(config: &CompilerConfig) -> Result<Severity, ProjectError> {
    match config.deny.as_str() {
        "never" => Ok(Severity::Error),
        "warnings" => Ok(Severity::Warning),
        "notes" => Ok(Severity::Info),
        other => Err(invalid("deny", format!("`{other}` is none of never, warnings, notes"))),
    }
}

/// Returns `ignored_warnings_from` relative to the root, as in the compiler's messages.
pub(crate) fn ignored_paths(config: &Config) -> Vec<PathBuf> {
    let relative = |path: &PathBuf| path.strip_prefix(&config.paths.root).unwrap_or(path).to_owned();
    config.paths.ignored_warnings_from.iter().map(relative).collect()
}

fn parse<T: FromStr<Err: ToString>>(key: &'static str, text: &str) -> Result<T, ProjectError> {
    text.parse().map_err(|error| invalid(key, error))
}

fn read<T: DeserializeOwned>(key: &'static str, value: serde_json::Value) -> Result<T, ProjectError> {
    serde_json::from_value(value).map_err(|error| invalid(key, error))
}

pub(crate) fn invalid(key: &'static str, message: impl ToString) -> ProjectError {
    ProjectError::Setting { key, message: message.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    fn settings(
        change: impl FnOnce(&mut Config),
        version: Option<Version>,
    ) -> Result<MultiCompilerSettings, ProjectError> {
        let mut config = Config::defaults(Path::new("/project"));
        change(&mut config);
        let paths = paths(&config)?;
        compiler(&config.compiler, &paths, &artifacts(&config.compiler)?, version.as_ref())
    }

    #[test]
    fn default_settings_are_those_that_forge_writes_into_its_cache() {
        // Expected value: `profiles.default` in the cache file that forge 1.7.1 writes for an empty
        // foundry.toml.
        insta::assert_snapshot!(
            serde_json::to_string_pretty(&settings(|_| {}, None).unwrap()).unwrap(),
            @r#"
        {
          "solc": {
            "optimizer": {
              "enabled": false,
              "runs": 200
            },
            "metadata": {
              "useLiteralContent": false,
              "bytecodeHash": "ipfs",
              "appendCBOR": true
            },
            "outputSelection": {
              "*": {
                "*": [
                  "abi",
                  "evm.bytecode.object",
                  "evm.bytecode.sourceMap",
                  "evm.bytecode.linkReferences",
                  "evm.deployedBytecode.object",
                  "evm.deployedBytecode.sourceMap",
                  "evm.deployedBytecode.linkReferences",
                  "evm.deployedBytecode.immutableReferences",
                  "evm.methodIdentifiers",
                  "metadata"
                ]
              }
            },
            "evmVersion": "osaka",
            "viaIR": false,
            "libraries": {}
          },
          "vyper": {
            "evmVersion": "osaka",
            "outputSelection": {
              "*": {
                "*": [
                  "abi",
                  "evm.bytecode",
                  "evm.deployedBytecode"
                ]
              }
            }
          }
        }
        "#
        );
    }

    #[test]
    fn the_evm_version_is_lowered_here_for_a_compiler_given_by_its_path() {
        let evm = |solc| {
            let chosen = |config: &mut Config| config.compiler.solc = solc;
            settings(chosen, Some(Version::new(0, 8, 19))).unwrap().solc.evm_version.unwrap()
        };
        assert_eq!(evm(SolcRequest::Path("solc".into())), EvmVersion::Paris);
        assert_eq!(evm(SolcRequest::Version(Version::new(0, 8, 19))), EvmVersion::Osaka);
        assert_eq!(evm(SolcRequest::Auto), EvmVersion::Osaka);
    }

    #[test]
    fn unknown_values_are_reported_with_their_key() {
        let message = |change: fn(&mut Config)| settings(change, None).unwrap_err().to_string();
        insta::assert_snapshot!(
            message(|config| config.compiler.extra_output = vec!["everything".into()]),
            @"invalid value for `extra_output`: Invalid contract output selection: everything"
        );
        insta::assert_snapshot!(
            message(|config| config.compiler.libraries = vec!["src/L.sol:L".into()]),
            @"invalid value for `libraries`: failed to parse library address: L"
        );
    }
}
