//! Selection of sources and of the settings that compile them: `skip`, `additional_compiler_profiles` and
//! `compilation_restrictions`.

use crate::project::{error::ProjectError, settings::invalid};
use foundry_compilers::{
    FileFilter, Graph, ProjectPathsConfig, RestrictionsWithVersion,
    artifacts::{BytecodeHash, EvmVersion},
    compilers::{
        multi::{
            MultiCompilerLanguage, MultiCompilerParser, MultiCompilerRestrictions, MultiCompilerSettings,
        },
        solc::{Restriction, SolcRestrictions},
        vyper::settings::VyperRestrictions,
    },
};
use globset::{Glob, GlobMatcher};
use semver::VersionReq;
use serde::{Deserialize, de::DeserializeOwned};
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

const PROFILES: &str = "additional_compiler_profiles";
const RESTRICTIONS: &str = "compilation_restrictions";

/// Restrictions by file; files without restrictions are not contained.
pub(crate) type Restrictions = BTreeMap<PathBuf, RestrictionsWithVersion<MultiCompilerRestrictions>>;

/// Entry of `additional_compiler_profiles`: the differences from the default settings.
#[derive(Deserialize)]
struct Profile {
    name: String,
    via_ir: Option<bool>,
    evm_version: Option<String>,
    optimizer: Option<bool>,
    optimizer_runs: Option<usize>,
}

/// Returns the settings of each additional profile, by name.
pub(crate) fn additional(
    value: &serde_json::Value,
    default: &MultiCompilerSettings,
) -> Result<BTreeMap<String, MultiCompilerSettings>, ProjectError> {
    let with_name = |profile: Profile| {
        let mut settings = default.clone();
        settings.solc.via_ir = profile.via_ir.or(settings.solc.via_ir);
        settings.solc.optimizer.enabled = profile.optimizer.or(settings.solc.optimizer.enabled);
        settings.solc.optimizer.runs = profile.optimizer_runs.or(settings.solc.optimizer.runs);
        if let Some(version) = parse_evm(PROFILES, profile.evm_version.as_deref())? {
            settings.solc.evm_version = Some(version);
            settings.vyper.evm_version = Some(version);
        }
        Ok((profile.name, settings))
    };
    list::<Profile>(PROFILES, value)?.into_iter().map(with_name).collect()
}

/// Entry of `compilation_restrictions`.
#[derive(Deserialize)]
struct ProfileEntry {
    paths: String,
    version: Option<VersionReq>,
    via_ir: Option<bool>,
    bytecode_hash: Option<BytecodeHash>,
    min_optimizer_runs: Option<usize>,
    optimizer_runs: Option<usize>,
    max_optimizer_runs: Option<usize>,
    min_evm_version: Option<String>,
    evm_version: Option<String>,
    max_evm_version: Option<String>,
}

/// Returns the restrictions on the compiler profile of each source.
pub(crate) fn restrictions(
    value: &serde_json::Value,
    paths: &ProjectPathsConfig<MultiCompilerLanguage>,
) -> Result<Restrictions, ProjectError> {
    let entries = list::<ProfileEntry>(RESTRICTIONS, value)?;
    let mut all = Restrictions::new();
    if entries.is_empty() {
        return Ok(all);
    }
    let graph = Graph::<MultiCompilerParser>::resolve(paths);
    let graph = graph.map_err(|error| ProjectError::Build(error.to_string()))?;
    let mut files = graph.files().keys().collect::<Vec<_>>();
    files.sort_unstable();
    for entry in entries {
        let pattern = PathPattern::new(RESTRICTIONS, &entry.paths)?;
        let demanded = entry.restrictions()?;
        for file in files.iter().filter(|file| pattern.matches_in(file, &paths.root)) {
            let merged = match all.remove(*file) {
                // As in Forge, the earlier entry is kept if two entries contradict each other.
                Some(earlier) => earlier.clone().merge(demanded.clone()).unwrap_or(earlier),
                None => demanded.clone(),
            };
            all.insert((*file).clone(), merged);
        }
    }
    Ok(all)
}

impl ProfileEntry {
    fn restrictions(&self) -> Result<RestrictionsWithVersion<MultiCompilerRestrictions>, ProjectError> {
        let evm = |version: &Option<String>| parse_evm(RESTRICTIONS, version.as_deref());
        let (min, exact, max) =
            (evm(&self.min_evm_version)?, evm(&self.evm_version)?, evm(&self.max_evm_version)?);
        let evm_version = range("evm_version", min, exact, max)?;
        let runs = (self.min_optimizer_runs, self.optimizer_runs, self.max_optimizer_runs);
        let solc = SolcRestrictions {
            evm_version,
            via_ir: self.via_ir,
            optimizer_runs: range("optimizer_runs", runs.0, runs.1, runs.2)?,
            bytecode_hash: self.bytecode_hash,
        };
        let restrictions = MultiCompilerRestrictions { solc, vyper: VyperRestrictions { evm_version } };
        Ok(RestrictionsWithVersion { version: self.version.clone(), restrictions })
    }
}

fn range<T: Copy>(
    key: &str,
    min: Option<T>,
    exact: Option<T>,
    max: Option<T>,
) -> Result<Restriction<T>, ProjectError> {
    match (min, exact, max) {
        (None, Some(exact), None) => Ok(Restriction { min: Some(exact), max: Some(exact) }),
        (min, None, max) => Ok(Restriction { min, max }),
        _ => Err(invalid(RESTRICTIONS, format!("specified both exact and relative restrictions for {key}"))),
    }
}

fn list<T: DeserializeOwned>(key: &'static str, value: &serde_json::Value) -> Result<Vec<T>, ProjectError> {
    if value.is_null() {
        return Ok(Vec::new());
    }
    serde_json::from_value(value.clone()).map_err(|error| invalid(key, error))
}

fn parse_evm(key: &'static str, text: Option<&str>) -> Result<Option<EvmVersion>, ProjectError> {
    text.map(|text| text.parse().map_err(|error: String| invalid(key, error))).transpose()
}

/// Returns the filter for the globs in `skip`; `None` if nothing is skipped.
pub(crate) fn filter(
    skip: &[String],
    root: &Path,
) -> Result<Option<impl FileFilter + 'static>, ProjectError> {
    let patterns = skip.iter().map(|glob| PathPattern::new("skip", glob)).collect::<Result<Vec<_>, _>>()?;
    let root = root.to_owned();
    let keep = move |file: &Path| !patterns.iter().any(|pattern| pattern.matches_in(file, &root));
    Ok((!skip.is_empty()).then_some(keep))
}

/// Glob with Forge's rules: it matches paths, and also files whose name contains its text.
#[derive(Clone)]
struct PathPattern {
    text: String,
    glob: GlobMatcher,
}

impl PathPattern {
    fn new(key: &'static str, text: &str) -> Result<Self, ProjectError> {
        let glob = Glob::new(text).map_err(|error| invalid(key, error))?.compile_matcher();
        Ok(Self { text: text.to_owned(), glob })
    }

    fn matches(&self, path: &Path) -> bool {
        let name = path.file_name().and_then(|name| name.to_str());
        self.glob.is_match(path)
            || name.is_some_and(|name| name.contains(&self.text))
            || (self.text.starts_with("./") && self.glob.is_match(Path::new(".").join(path)))
    }

    /// Tells whether the glob matches the absolute path `file`, or its path relative to `root`.
    fn matches_in(&self, file: &Path, root: &Path) -> bool {
        self.matches(file) || file.strip_prefix(root).is_ok_and(|file| self.matches(file))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn an_additional_profile_changes_what_it_names_and_nothing_else() {
        let default = MultiCompilerSettings::default();
        let value = json!([{ "name": "ir", "via_ir": true, "optimizer_runs": 5, "evm_version": "paris" }]);
        let profiles = additional(&value, &default).unwrap();
        let settings = &profiles["ir"].solc;
        assert_eq!(settings.via_ir, Some(true));
        assert_eq!(settings.optimizer.runs, Some(5));
        assert_eq!(settings.optimizer.enabled, default.solc.optimizer.enabled);
        assert_eq!(settings.evm_version, Some(EvmVersion::Paris));
    }

    #[test]
    fn a_restriction_is_exact_or_a_range_but_not_both() {
        let entry = |value| serde_json::from_value::<ProfileEntry>(value).unwrap().restrictions();
        let exact = entry(json!({ "paths": "src/**", "optimizer_runs": 7 })).unwrap();
        assert_eq!(exact.solc.optimizer_runs, Restriction { min: Some(7), max: Some(7) });
        let both = entry(json!({ "paths": "src/**", "evm_version": "paris", "max_evm_version": "cancun" }));
        assert_eq!(
            both.unwrap_err().to_string(),
            "invalid value for `compilation_restrictions`: specified both exact and relative restrictions \
             for evm_version"
        );
    }

    #[test]
    fn skip_matches_globs_below_the_root_and_parts_of_file_names() {
        let skip = |glob: &str, file: &str| {
            let filter = filter(&[glob.to_owned()], Path::new("/p")).unwrap().unwrap();
            !filter.is_match(Path::new(file))
        };
        assert!(skip("test/**", "/p/test/deep/A.t.sol"));
        assert!(skip("./test/**", "/p/test/A.t.sol"));
        assert!(skip(".s.sol", "/p/script/A.s.sol"));
        assert!(!skip("test/**", "/p/src/A.sol"));
        assert!(filter(&[], Path::new("/p")).unwrap().is_none());
    }
}
