//! Making of a [`Project`] from a build, or from artifacts alone.

use crate::{
    config::{Config, InstalledForge, inline},
    model::ContractId,
    project::{
        Project,
        artifacts::Artifacts,
        compile::{self, BuildOutput},
        contract::Contract,
        directories::Directories,
        error::ProjectError,
        events::Sink,
        imports::Imports,
        link_rules::{CREATE2_DEPLOYER, LinkRules},
        naming::Naming,
        source_index::{INLINE_CONFIG, Roots, SourceIndex},
        sources::{DocComment, Sources},
        toolchain::{Places, SourceVariants},
    },
};
use alloy_primitives::Address;
use foundry_compilers::{ArtifactId, artifacts::remappings::Remapping};
use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

impl Project {
    /// Compiles the sources that changed since the last build, by Forge or by us, and links the contracts.
    ///
    /// `events` receives the events of compilation, so that the caller can print them.
    ///
    /// # Errors
    /// Fails if no compiler fits, if the sources do not compile, or if a library is missing; see
    /// [`ProjectError`].
    pub fn load(config: &Config, events: Sink<'_>) -> Result<Self, ProjectError> {
        Self::load_on(config, &factory(config), events)
    }

    /// Loads a project as [`Self::load`] does. `has_code` tells whether there is code at an address on the chain on
    /// which the tests run. It is asked for the factory of libraries, if there are libraries to deploy.
    ///
    /// # Errors
    /// As those of [`Self::load`].
    pub fn load_on(
        config: &Config,
        has_code: &dyn Fn(Address) -> bool,
        events: Sink<'_>,
    ) -> Result<Self, ProjectError> {
        Self::load_with(config, &Places::from_env(), None, has_code, events)
    }

    /// Loads a project as [`Self::load`] does, with one of several texts of a source (`PathsConfig::replaced`), which
    /// are compiled together.
    ///
    /// # Errors
    /// As those of [`Self::load`].
    pub fn load_variant(config: &Config, variants: &SourceVariants) -> Result<Self, ProjectError> {
        let places = &Places::from_env();
        Self::load_with(config, places, Some(variants), &factory(config), &mut |_| ())
    }

    pub(super) fn load_with(
        config: &Config,
        places: &Places,
        variants: Option<&SourceVariants>,
        has_code: &dyn Fn(Address) -> bool,
        events: Sink<'_>,
    ) -> Result<Self, ProjectError> {
        let make = |output: BuildOutput<'_>| Self::new(config, has_code, output);
        Ok(compile::run(config, places, variants, events, make)?.unwrap_or_default())
    }

    /// Makes a project of artifacts, each given by its source path, its name and its JSON. The result is that
    /// of [`Self::load`], but without a build and without sources. It is for tests with artifacts that no
    /// compiler wrote.
    ///
    /// # Errors
    /// Fails if the JSON is no valid artifact, or if a library is missing.
    #[doc(hidden)]
    pub fn of_artifacts(artifacts: &[(&str, &str, &[u8])]) -> Result<Self, ProjectError> {
        let root = Path::new("/project");
        let mut contracts = Vec::new();
        for (path, name, json) in artifacts {
            let artifact = serde_json::from_slice(json)
                .map_err(|error| ProjectError::Build(format!("{path}:{name}: {error}")))?;
            let id = ArtifactId {
                path: root.join("out").join(path).join(format!("{name}.json")),
                name: (*name).to_owned(),
                source: root.join(path),
                version: semver::Version::new(0, 8, 30),
                build_id: String::new(),
                profile: "default".to_owned(),
            };
            contracts.extend(Contract::from_artifact(root, id, artifact)?);
        }
        let files = artifacts.iter().zip(0..).map(|((path, ..), index)| (index, root.join(path)));
        let builds = BTreeMap::from([(String::new(), files.collect())]);
        Ok(Self {
            artifacts: Artifacts::link(contracts, &LinkRules::of(&Config::defaults(root), &|_| true)?)?,
            sources: SourceIndex::without_sources(builds),
            directories: Directories::at(root),
            naming: Naming::default(),
            symbolic: BTreeSet::new(),
        })
    }

    /// Makes a project of contracts without sources.
    #[cfg(test)]
    pub(crate) fn of(contracts: Vec<std::sync::Arc<Contract>>) -> Self {
        Self { artifacts: Artifacts::new(contracts), ..Self::default() }
    }

    fn new(
        config: &Config,
        has_code: &dyn Fn(Address) -> bool,
        mut output: BuildOutput<'_>,
    ) -> Result<Self, ProjectError> {
        let paths = &config.paths;
        let sources = Sources::take(output.parser_mut(), &paths.root);
        let imports = Imports::of(output.graph());
        let builds =
            output.builds().map(|(id, build)| (id.clone(), build.source_id_to_path.clone())).collect();
        let artifacts = output.into_artifacts();
        let mut contracts = artifacts
            .filter_map(|(id, artifact)| Contract::from_artifact(&paths.root, id, artifact).transpose())
            .collect::<Result<Vec<_>, _>>()?;
        contracts.sort_by_cached_key(Contract::artifact_order);
        let literals = vec![paths.src.clone(), paths.test.clone()];
        let mut compiled = BTreeMap::<_, BTreeSet<_>>::new();
        if config.compiler.dynamic_test_linking {
            for contract in &contracts {
                let path = paths.root.join(&contract.id.path);
                let is_test = path.starts_with(&paths.test) || path.starts_with(&paths.script);
                if let Some(hash) = contract.source_hash.clone().filter(|_| is_test) {
                    compiled.entry(path).or_default().insert(hash);
                }
            }
        }
        let roots = Roots { literals, compiled };
        let symbolic = symbolic(&sources.doc_comments(INLINE_CONFIG), &config.profile);
        Ok(Self {
            artifacts: Artifacts::link(contracts, &LinkRules::of(config, has_code)?)?,
            sources: SourceIndex::new(sources, imports, builds, roots),
            directories: Directories::new(paths),
            naming: Naming { echidna_style: config.harvey.foreign_properties, checks: config.harvey.checks },
            symbolic,
        })
    }
}

/// Returns the answer whether there is code at an address, if no chain is asked.
fn factory(config: &Config) -> impl Fn(Address) -> bool {
    // Forge can install no other factory, but there may be one on the chain that is forked.
    let is_on_fork = config.rpc.url.is_some();
    move |address| is_on_fork || address == CREATE2_DEPLOYER
}

/// Returns the contracts whose comments enable Forge's symbolic mode in this profile. Comments that cannot be parsed
/// are reported when campaigns are planned.
fn symbolic(comments: &[DocComment], profile: &str) -> BTreeSet<ContractId> {
    let enables = |comment: &&DocComment| {
        let item = inline::parse(&comment.text, Path::new(&comment.path), comment.line, comment.column);
        comment.function.is_none()
            && item.ok().flatten().is_some_and(|item| item.enables_symbolic_mode(profile))
    };
    let id = |comment: &DocComment| ContractId { path: comment.path.clone(), name: comment.contract.clone() };
    comments.iter().filter(enables).map(id).collect()
}

/// Returns the `forge` on `PATH`. It is asked for its version once for each file, and again when the file changes.
#[must_use]
pub fn find_forge() -> Option<InstalledForge> {
    Places::from_env().forge_on_path()
}

/// Returns the remappings, `name/=path/`, that Forge detects in a directory of libraries.
#[must_use]
pub fn find_remappings(library: &Path) -> Vec<String> {
    Remapping::find_many(library).iter().map(ToString::to_string).collect()
}
