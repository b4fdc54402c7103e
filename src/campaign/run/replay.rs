//! Replay of failures of earlier runs, ours and Forge's, before the search.

use super::{
    super::{
        persistence::{FailureSource, Persisted},
        store::own::Failed,
    },
    Campaign, findings,
};
use crate::{
    model::{Executor as _, Exhausted, Observation, Probing, Sequence, executor::Checks},
    oracle,
};

/// Returns the warning about a failure that was neither confirmed nor shown to be gone.
fn unclear(origin: &FailureSource, whole: bool) -> String {
    let what = match origin {
        FailureSource::Own(Failed::Invariant(name) | Failed::Test(name)) => name.clone(),
        FailureSource::Own(Failed::Assertion { function, .. }) => function.clone(),
        FailureSource::Forge(path)
        | FailureSource::ForgeTest(path)
        | FailureSource::Symbolic { path, .. } => path.display().to_string(),
        FailureSource::NamedFile(named_file) => named_file.path.display().to_string(),
    };
    match whole {
        true => format!("the failure of {what} showed, but not when it was replayed from a fresh deployment"),
        false => format!("the failure of {what} was not replayed: it has more calls than `depth` allows"),
    }
}

/// Replays the stored failures. Those that still occur are confirmed like new ones.
pub(super) fn replay_persisted(campaign: &mut Campaign<'_>) {
    let (persisted, warnings) =
        campaign.persistence.load(&campaign.results.properties.alive, campaign.context.first);
    campaign.results.warnings.extend(warnings);
    for Persisted { mut sequence, origin } in persisted {
        // Our failed assertions and named files may be of any length. Other sequences are truncated, as Forge
        // does.
        let depth = match origin {
            FailureSource::Own(Failed::Assertion { .. }) | FailureSource::NamedFile(_) => usize::MAX,
            _ => campaign.spec.config.invariant.depth as usize,
        };
        let kept = sequence.clone();
        let whole = sequence.len() <= depth;
        sequence.truncate(depth);
        let observation = campaign.executor.run(&sequence, &replay_checks(campaign), &Probing::default());
        let known = campaign.failures();
        campaign.confirm(&sequence, &observation, true);
        let shows = campaign.failures() > known;
        let hindrance = (!shows).then(|| hindrance(campaign, &origin, &sequence, &observation)).flatten();
        if let (Some(hindrance), FailureSource::Own(failed)) = (&hindrance, &origin) {
            let path = campaign.persistence.path(failed);
            campaign
                .results
                .warnings
                .push(format!("cannot tell whether {} still fails: {hindrance}", path.display()));
        }
        let still_fails = !whole || hindrance.is_some() || still_fails(campaign, &origin);
        if !still_fails {
            campaign.results.warnings.extend(campaign.persistence.forget(&origin, &kept));
        } else if shows {
            campaign.results.replayed.extend(campaign.persistence.file(&origin));
        }
        if campaign.context.options.replay.is_some() && !shows {
            match whole && observation.broken.is_empty() {
                true => note_held(campaign, &origin, sequence),
                false if hindrance.is_some() => {}
                false => campaign.results.warnings.push(unclear(&origin, whole)),
            }
        }
    }
}

/// Returns the reason that a replay does not show whether a failure still exists: a node is not available,
/// the time was up, or the failure occurred but could not be confirmed.
fn hindrance(
    campaign: &Campaign<'_>,
    origin: &FailureSource,
    sequence: &Sequence,
    observation: &Observation,
) -> Option<String> {
    if let Some(unsupported) = &observation.unsupported {
        return Some(unsupported.clone());
    }
    match observation.exhausted {
        Some(Exhausted::Time) => {
            return Some("a call took longer than it may (harvey.call_timeout)".to_owned());
        }
        Some(Exhausted::Memory) => return Some("the calls took more memory than they may".to_owned()),
        Some(Exhausted::Gas) | None => {}
    }
    let was_cut = observation.steps.len() < sequence.len() && observation.broken.is_empty();
    if observation.ended_in.is_some() || was_cut {
        return Some("it was not replayed to its end".to_owned());
    }
    let FailureSource::Own(failed) = origin else { return None };
    let showed = showed(campaign, failed, sequence, observation);
    showed.then(|| "it showed, but not when it was replayed from a fresh deployment".to_owned())
}

/// Tells whether a run shows a failure that was not confirmed, with this or another sequence.
fn showed(campaign: &Campaign<'_>, failed: &Failed, sequence: &Sequence, observation: &Observation) -> bool {
    if let Failed::Assertion { oracle, contract, function, .. } = failed {
        let is_it = |oracle::Detection { key, .. }: &oracle::Detection| {
            key.oracle == oracle && key.contract == *contract && key.function == *function
        };
        return findings::new_findings(campaign, sequence, observation).iter().any(is_it);
    }
    let mut broken = observation.broken.iter().map(|broken| broken.property);
    broken.any(|index| {
        !campaign.results.properties.is_broken(index)
            && Failed::of_property(&campaign.test_env.suite.properties[index]) == *failed
    })
}

/// Keeps a sequence that shows no failure any more, for the reports of the properties that it once broke.
fn note_held(campaign: &mut Campaign<'_>, origin: &FailureSource, sequence: Sequence) {
    for index in &campaign.results.properties.alive {
        let property = &campaign.test_env.suite.properties[*index];
        let is_of = match origin {
            FailureSource::Own(failed) => Failed::of_property(property) == *failed,
            FailureSource::NamedFile(named_file) => named_file.is_of_property(property),
            FailureSource::Symbolic { test, .. } => property.function.signature() == test,
            FailureSource::Forge(path) | FailureSource::ForgeTest(path) => {
                path.file_name().is_some_and(|name| *name == *property.function.name)
            }
        };
        if is_of {
            campaign.results.held.insert(*index, sequence.clone());
        }
    }
}

/// Returns the checks of a replay by Forge: properties only at the end, then `afterInvariant`.
fn replay_checks(campaign: &Campaign<'_>) -> Checks {
    Checks { interval: 0, full_runs_only: false, depth: u32::MAX, ..campaign.checks() }
}

/// Tells whether a stored failure of ours is known to occur now, with any sequence.
fn still_fails(campaign: &Campaign<'_>, origin: &FailureSource) -> bool {
    match origin {
        // Without its oracle, nothing is known about a failure.
        FailureSource::Own(Failed::Assertion { id, oracle, .. }) => {
            campaign.results.findings.found(id) || !campaign.confirmer.detectors.has(oracle)
        }
        FailureSource::Own(failed) => campaign.results.properties.reports.keys().any(|index| {
            campaign.results.properties.is_broken(*index)
                && Failed::of_property(&campaign.test_env.suite.properties[*index]) == *failed
        }),
        FailureSource::Forge(_)
        | FailureSource::ForgeTest(_)
        | FailureSource::Symbolic { .. }
        | FailureSource::NamedFile(_) => true,
    }
}
