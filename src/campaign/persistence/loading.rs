//! Failures of earlier runs, in our store, in Forge's, and in files of Forge's symbolic mode.

use super::{FailureSource, Persisted, Persistence};
use crate::{
    campaign::store::{
        NamedFile,
        forge::{ArtifactPlace, ignored_warning, symbolic_artifacts, unusable_artifact},
        own::Failed,
    },
    evm::exec::test_env::TestEnv,
    model::{Counterexample, PropertyKind, Sequence, Transaction},
};
use std::sync::Arc;

impl Persistence<'_> {
    /// Loads the failures of earlier runs, ours and Forge's. Also returns warnings about unusable files. If
    /// `assertions` is true, failures that belong to no property are included.
    pub(in crate::campaign) fn load(
        &self,
        alive: &[usize],
        assertions: bool,
    ) -> (Vec<Persisted>, Vec<String>) {
        if let Some(named_file) = self.options.named_file() {
            return (self.named_file(named_file, alive, assertions).into_iter().collect(), Vec::new());
        }
        let loaded = self.own.load(&self.test_env.targets);
        let mut warnings = loaded.warnings;
        let mut persisted: Vec<Persisted> = Vec::new();
        let properties = || alive.iter().map(|index| &self.test_env.suite.properties[*index]);
        for saved in loaded.saved {
            let wanted = match &saved.failed {
                Failed::Invariant(_) | Failed::Test(_) => {
                    properties().any(|property| Failed::of_property(property) == saved.failed)
                }
                Failed::Assertion { .. } => assertions,
            };
            if !wanted {
                continue;
            }
            let origin = FailureSource::Own(saved.failed);
            persisted.push(Persisted { sequence: sequence(&saved.counterexample), origin });
        }
        for property in properties().filter(|property| property.kind == PropertyKind::Test) {
            let Some((path, call)) = self.forge.read_test(&property.function, self.test_env.suite.test)
            else {
                continue;
            };
            let sequence = vec![Transaction { sender: self.test_env.start.env.sender, ..call }];
            if !persisted.iter().any(|known| known.sequence == sequence) {
                persisted.push(Persisted { sequence, origin: FailureSource::ForgeTest(path) });
            }
        }
        let invariants = properties()
            .filter(|property| property.kind != PropertyKind::Test && !property.kind.is_echidna_style());
        let names = invariants.map(|property| &property.function.name);
        let files = names.flat_map(|name| self.forge.read(name)).chain(self.forge.read_handlers());
        for (path, file) in files {
            let changes = file.check_settings(&self.test_env.targets, self.config.invariant.fail_on_revert);
            if !changes.is_empty() {
                // Forge ignores such a file. The sequence may still show a failure, so it is run.
                warnings.push(ignored_warning(&path, &changes));
            }
            let sequence = sequence(&file.counterexample(&self.test_env.targets));
            if !persisted.iter().any(|known| known.sequence == sequence) {
                persisted.push(Persisted { sequence, origin: FailureSource::Forge(path) });
            }
        }
        warnings.extend(self.load_symbolic(alive, &mut persisted));
        (persisted, warnings)
    }

    /// Adds the counterexamples of Forge's symbolic mode for these properties. Returns warnings about unusable files.
    fn load_symbolic(&self, alive: &[usize], persisted: &mut Vec<Persisted>) -> Vec<String> {
        let TestEnv { targets, suite, start, .. } = &*self.test_env;
        let place = ArtifactPlace { targets, test: suite.test, sender: start.env.sender };
        let (artifacts, mut warnings) = symbolic_artifacts(&self.config.paths.cache, &self.suite);
        for (path, artifact) in artifacts {
            let mut properties = alive.iter().map(|index| &suite.properties[*index]);
            let Some(property) = properties.find(|property| artifact.is_of_property(property)) else {
                continue;
            };
            match artifact.sequence(property, place) {
                Ok(sequence) if persisted.iter().any(|known| known.sequence == sequence) => {}
                Ok(sequence) => {
                    let test = property.function.signature().to_owned();
                    persisted.push(Persisted { sequence, origin: FailureSource::Symbolic { path, test } });
                }
                Err(why) => warnings.push(unusable_artifact(&path, &why)),
            }
        }
        warnings
    }

    /// Returns the failure in a file that the user named, if it belongs to this campaign.
    fn named_file(
        &self,
        named_file: &Arc<NamedFile>,
        alive: &[usize],
        assertions: bool,
    ) -> Option<Persisted> {
        let properties: Vec<_> = alive.iter().map(|index| &self.test_env.suite.properties[*index]).collect();
        if !named_file.is_of_campaign(&properties, assertions) {
            return None;
        }
        let TestEnv { targets, suite, start, .. } = &*self.test_env;
        let place = ArtifactPlace { targets, test: suite.test, sender: start.env.sender };
        let mut sequence = named_file.take(place, &properties)?;
        if properties.iter().any(|property| property.kind == PropertyKind::Test) {
            sequence.iter_mut().for_each(|tx| tx.sender = start.env.sender);
        }
        Some(Persisted { sequence, origin: FailureSource::NamedFile(named_file.clone()) })
    }
}

fn sequence(counterexample: &Counterexample) -> Sequence {
    counterexample.calls.iter().map(|call| call.tx.clone()).collect()
}
