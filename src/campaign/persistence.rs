//! Stored failures and corpora of a campaign, and the initial data of its search.

mod loading;

use super::{
    plan::{CampaignPlan, RunOptions},
    store::{
        NamedFile,
        corpus::CorpusStore,
        forge::{
            FailurePath, ForgeCorpus, ForgeFile, ForgeStore, ReplayRules, Shows, expressible,
            replayed_warning, value_obstacle,
        },
        own::{Failed, OwnStore, SavedFailure},
    },
};
use crate::{
    config::{Config, HarveyConfig, InvariantConfig},
    engine::{EngineInit, Example, InitialDictionary},
    evm::exec::{executor::EvmExecutor, seed_dictionary, test_env::TestEnv},
    model::{ContractId, Counterexample, Finding, ForgeReplay, Property, Sequence, TestReport, Transaction},
    project::Literals,
};
use alloy_dyn_abi::DynSolValue;
use alloy_primitives::{U256, keccak256};
use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

/// Source of a persisted sequence.
#[derive(Clone, Debug)]
pub(super) enum FailureSource {
    /// Our store.
    Own(Failed),
    /// A file of Forge's, for an invariant or a handler.
    Forge(PathBuf),
    /// A file of Forge's, for a fuzz test.
    ForgeTest(PathBuf),
    /// A counterexample of Forge's symbolic mode, for the test with this signature.
    Symbolic { path: PathBuf, test: String },
    /// A file that the user named.
    NamedFile(Arc<NamedFile>),
}

/// Failure of an earlier run.
#[derive(Clone, Debug)]
pub(super) struct Persisted {
    pub(super) sequence: Sequence,
    pub(super) origin: FailureSource,
}

/// Stores of one campaign, and the initial data of its search.
pub(super) struct Persistence<'a> {
    options: &'a RunOptions,
    /// Index of this partition among those that share the campaign.
    copy: u32,
    suite: ContractId,
    config: Arc<Config>,
    test_env: Arc<TestEnv>,
    own: OwnStore,
    forge: ForgeStore,
}

impl<'a> Persistence<'a> {
    pub(super) fn new(
        options: &'a RunOptions,
        suite: &ContractId,
        group: &CampaignPlan,
        test_env: Arc<TestEnv>,
    ) -> Self {
        let config = group.config.clone();
        Self {
            own: OwnStore::new(&config.paths.corpus, suite),
            forge: ForgeStore::new(&config.invariant.failure_persist_dir, &suite.name),
            suite: suite.clone(),
            copy: group.copy,
            options,
            config,
            test_env,
        }
    }

    /// Tells whether failures are written to disk. They are not if the user named a file: its replay says
    /// nothing about the other stored failures.
    fn keeps(&self) -> bool {
        self.options.named_file().is_none()
    }

    /// Returns the path of a failure in our store.
    pub(super) fn path(&self, failed: &Failed) -> PathBuf {
        self.own.path(failed)
    }

    /// Forgets a failure of our store that no longer occurs with its `calls`. Returns a warning if that fails.
    pub(super) fn forget(&self, origin: &FailureSource, calls: &[Transaction]) -> Option<String> {
        let FailureSource::Own(failed) = origin else { return None };
        let error = self.own.remove(failed, calls, &self.test_env.targets).err()?;
        Some(format!("cannot remove {}: {error}", self.own.path(failed).display()))
    }

    /// Returns the file of a failure that still occurs, unless the user named it.
    pub(super) fn file(&self, origin: &FailureSource) -> Option<ReplayedFile> {
        match origin {
            FailureSource::Own(failed) => {
                Some(ReplayedFile { path: self.own.path(failed), is_forges: false })
            }
            FailureSource::NamedFile(_) => None,
            FailureSource::ForgeTest(path) | FailureSource::Symbolic { path, .. } => {
                Some(ReplayedFile { path: path.clone(), is_forges: false })
            }
            FailureSource::Forge(path) => Some(ReplayedFile { path: path.clone(), is_forges: true }),
        }
    }

    /// Saves a broken property in our store, and in Forge's if Forge can express it. Returns warnings.
    pub(super) fn save_broken(
        &self,
        property: &Property,
        report: &mut TestReport,
        shows: &Shows<'_>,
    ) -> Vec<String> {
        let Some(counterexample) = report.counterexample.clone().filter(|_| self.keeps()) else {
            return Vec::new();
        };
        let reason = report.reason.clone().unwrap_or_default();
        let mut warnings = self.save_own(Failed::of_property(property), reason, &counterexample);
        if property.kind.is_echidna_style() {
            report.forge_replay = ForgeReplay::Inexpressible("Forge knows no such property".to_owned());
            return warnings;
        }
        let slots = FailurePath::of_invariant(&property.function.name, self.rules().forge);
        match self.write_forge(&slots, &counterexample, shows) {
            Ok(Ok(path)) => report.forge_replay = ForgeReplay::File(path),
            Ok(Err(why)) => report.forge_replay = ForgeReplay::Inexpressible(why),
            Err(error) => warnings.push(error),
        }
        warnings
    }

    /// Saves a failing input of a fuzz test in our store and in Forge's. Returns warnings.
    pub(super) fn save_test(&self, property: &Property, report: &mut TestReport) -> Vec<String> {
        let Some(counterexample) = report.counterexample.as_ref().filter(|_| self.keeps()) else {
            return Vec::new();
        };
        let reason = report.reason.clone().unwrap_or_default();
        let mut warnings = self.save_own(Failed::of_property(property), reason, counterexample);
        let ([call], forge) = (&counterexample.calls[..], self.rules().forge) else { return warnings };
        if let Some(why) = value_obstacle(call, forge) {
            report.forge_replay = ForgeReplay::Inexpressible(format!("it {why}"));
            return warnings;
        }
        match self.forge.write_test(&property.function.name, call, forge) {
            Ok(path) => report.forge_replay = ForgeReplay::File(self.relative(&path)),
            Err(error) => warnings.push(error.to_string()),
        }
        warnings
    }

    fn relative(&self, path: &Path) -> String {
        path.strip_prefix(&self.config.paths.root).unwrap_or(path).display().to_string()
    }

    /// Saves a finding in our store. Returns warnings.
    pub(super) fn save_finding(&self, finding: &Finding) -> Vec<String> {
        self.save_own(Failed::of(finding), finding.failure.reason.clone(), &finding.counterexample)
    }

    fn save_own(&self, failed: Failed, reason: String, counterexample: &Counterexample) -> Vec<String> {
        if !self.keeps() {
            return Vec::new();
        }
        let (seed, counterexample) = (self.options.seed, counterexample.clone());
        let saved = SavedFailure { failed, reason, seed, counterexample };
        let warning = self.own.save(&saved).unwrap_or_else(|error| Some(error.to_string()));
        warning.into_iter().collect()
    }

    /// Writes findings to Forge's files. Forge 1.8 has files for the assertions of handlers. Forge 1.7 replays them
    /// under any invariant, so they go to the files of invariants that are not broken, one finding each. Returns
    /// warnings.
    pub(super) fn write_forge_files(&self, findings: &mut [Finding], alive: &[usize]) -> Vec<String> {
        if !self.keeps() {
            return Vec::new();
        }
        if self.test_env.scene().is_some() {
            for finding in findings {
                finding.forge_replay = ForgeReplay::Inexpressible(
                    "there is no test contract that Forge could replay it in".to_owned(),
                );
            }
            return Vec::new();
        }
        let alive = alive.iter().map(|index| &self.test_env.suite.properties[*index]);
        let mut free = alive
            .filter(|property| !property.kind.is_echidna_style())
            .map(|property| property.function.name.as_str());
        let (forge, mut taken) = (self.rules().forge, Vec::new());
        let mut warnings = Vec::new();
        for finding in findings {
            let shows = Shows::Assertion { kind: finding.failure.kind, reason: &finding.failure.reason };
            if let Err(why) = expressible(&finding.counterexample, &shows, self.rules()) {
                finding.forge_replay = ForgeReplay::Inexpressible(why);
                continue;
            }
            let is_handlers = forge.behaviour().keeps_handler_failures && shows.assertion_for_forge();
            let handler = FailurePath::of_handler(&finding.counterexample).filter(|_| is_handlers);
            let slots = match handler {
                Some(handler) if taken.contains(&handler) => {
                    Err("Forge keeps one failed assertion a function")
                }
                Some(handler) => Ok(vec![handler]),
                None => free
                    .next()
                    .map(|name| FailurePath::of_invariant(name, forge))
                    .ok_or("Forge keeps one failure an invariant, and all are taken"),
            };
            taken.extend(handler);
            let written = match slots {
                Ok(slots) => self.write_forge(&slots, &finding.counterexample, &shows),
                Err(why) => Ok(Err(why.to_owned())),
            };
            match written {
                Ok(Ok(path)) => finding.forge_replay = ForgeReplay::File(path),
                Ok(Err(why)) => finding.forge_replay = ForgeReplay::Inexpressible(why),
                Err(error) => warnings.push(error),
            }
        }
        warnings
    }

    fn rules(&self) -> ReplayRules {
        let InvariantConfig { depth, fail_on_revert, .. } = self.config.invariant;
        ReplayRules { forge: self.config.harvey.forge, depth, fail_on_revert }
    }

    /// Writes a failure to these files of Forge and returns the path of the last one, relative to the root. The inner
    /// error is the reason that Forge cannot replay the failure.
    fn write_forge(
        &self,
        slots: &[FailurePath<'_>],
        counterexample: &Counterexample,
        shows: &Shows<'_>,
    ) -> Result<Result<String, String>, String> {
        let rules = self.rules();
        if let Err(why) = expressible(counterexample, shows, rules) {
            return Ok(Err(why));
        }
        let file = ForgeFile::new(counterexample, shows, &self.test_env.targets, rules.fail_on_revert);
        let mut written = PathBuf::new();
        for slot in slots {
            written = self.forge.write(*slot, &file).map_err(|error| error.to_string())?;
        }
        Ok(Ok(self.relative(&written)))
    }

    /// Returns our corpus of the suite, if inputs are kept.
    pub(super) fn inputs(&self) -> Option<CorpusStore> {
        let HarveyConfig { keep_inputs, .. } = self.config.harvey;
        (keep_inputs && self.keeps()).then(|| CorpusStore::new(&self.config.paths.corpus, &self.suite))
    }

    /// Returns Forge's corpora of these properties, if they are kept. Forge knows no contracts without a test contract.
    pub(super) fn corpus(&self, alive: &[usize]) -> Option<ForgeCorpus> {
        if self.test_env.scene().is_some() {
            return None;
        }
        let properties = alive.iter().map(|index| &self.test_env.suite.properties[*index]);
        let config = self.config.invariant.corpus.as_ref()?;
        Some(ForgeCorpus::new(config, &self.suite.name, properties, self.config.harvey.forge))
    }

    /// Returns the values of all fixtures, by the names of their functions.
    pub(super) fn fixtures(&self, executor: &mut EvmExecutor) -> Vec<(String, Vec<DynSolValue>)> {
        let fixtures = self.test_env.suite.fixtures.iter();
        fixtures
            .filter_map(|function| {
                Some((function.name.clone(), seed_dictionary::fixture(executor, function)?))
            })
            .collect()
    }

    /// Returns the initial data of the search.
    pub(super) fn engine_init(
        &self,
        literals: &Literals,
        examples: &[Vec<Example>],
        executor: &mut EvmExecutor,
    ) -> EngineInit {
        let mut dictionary = InitialDictionary {
            literals: seed_dictionary::literals(literals),
            constants: seed_dictionary::push_constants(&self.test_env),
            addresses: seed_dictionary::accounts(&self.test_env),
            fixtures: [self.fixtures(executor), self.test_env.deployed_for()].concat(),
        };
        if self.config.invariant.include_storage {
            let words = seed_dictionary::stored_words(&self.test_env)
                .into_iter()
                .map(|word| DynSolValue::Uint(word, 256));
            dictionary.literals.extend(words);
        }
        // A full dictionary drops its oldest values, so the literals of the sources come last.
        let said = examples.iter().flatten().flat_map(|example| example.args.iter().cloned());
        dictionary.literals = said.chain(dictionary.literals).collect();
        EngineInit {
            targets: self.test_env.targets.clone(),
            examples: examples.to_vec(),
            dictionary,
            invariant: self.config.invariant.clone(),
            harvey: self.config.harvey.clone(),
            has_solver: self.options.solver.is_some(),
            seed: self.seed(),
            stream: 0,
        }
    }

    /// Returns the seed of the suite. It depends on the suite's name, so that another suite does not change
    /// the search. Partitions that share a campaign have different seeds.
    fn seed(&self) -> u64 {
        let seed: U256 = self.config.fuzz.seed.unwrap_or(self.options.seed);
        let copy = if self.copy == 0 { String::new() } else { format!("#{}", self.copy) };
        let suite = format!("{}{copy}", self.suite);
        let hash = keccak256([&seed.to_be_bytes::<32>(), suite.as_bytes()].concat());
        u64::from_be_bytes(hash[..8].try_into().expect("eight of 32 bytes"))
    }
}

/// File of a failure of an earlier run that still occurs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ReplayedFile {
    path: PathBuf,
    /// True if it is a file of Forge's that Forge, too, warns about.
    is_forges: bool,
}

/// Returns the warning about replayed failures; `None` if there are none. About one failure, it is that of Forge if
/// Forge has one.
pub(super) fn replayed_files(files: &[ReplayedFile]) -> Option<String> {
    match files {
        [] => None,
        [ReplayedFile { path, is_forges: true }] => Some(replayed_warning(path)),
        [ReplayedFile { path, .. }] => {
            Some(format!("replayed a failure of an earlier run; remove {} to forget it", path.display()))
        }
        _ => {
            let paths: Vec<_> = files.iter().map(|file| format!("\n  {}", file.path.display())).collect();
            let (count, paths) = (files.len(), paths.concat());
            Some(format!(
                "replayed {count} failures of earlier runs; remove these files to forget them:{paths}"
            ))
        }
    }
}
