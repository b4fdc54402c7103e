//! Distribution of the mutants among workers, and collection of their verdicts.

use super::{
    choice::ChosenMutant,
    original::{Original, ReachingSuites},
    tester::{Codes, MutantTester},
    verdicts::{SearchSeconds, StoredVerdict, VerdictStore},
    workspace::{self, Workspace},
};
use crate::{
    campaign::CancellationToken,
    cli::{args::MutateArgs, project},
    config::Loaded,
    files::nofollow,
    model::{MutantCounts, MutantVerdict, MutationReport, TestedMutant},
    panics,
    project::SourceVariants,
    report::progress::MutantBar,
};
use anyhow::{Context as _, Result, anyhow, bail};
use std::{
    collections::VecDeque,
    fs::{self, File},
    path::Path,
    sync::{Mutex, MutexGuard, PoisonError},
    thread,
    time::Duration,
};

/// Everything that tests mutants.
pub(super) struct MutantScheduler<'a> {
    pub(super) args: &'a MutateArgs,
    /// Configuration of the build whose artifacts mutants share.
    pub(super) build: &'a Loaded,
    pub(super) original: &'a Original,
    pub(super) stop: &'a CancellationToken,
    pub(super) bar: &'a MutantBar,
}

/// State that the workers share.
struct Shared<'a> {
    candidates: &'a [ChosenMutant],
    /// Indices of the candidates that wait.
    waiting: Mutex<VecDeque<usize>>,
    verdicts: Mutex<Vec<Option<MutantVerdict>>>,
    /// Reasons for which mutants could not be tested.
    errors: Mutex<Vec<String>>,
    results: VerdictStore,
    codes: Codes,
    /// Number of workers.
    threads: usize,
    /// Directory of the workers.
    directory: &'a Path,
}

impl MutantScheduler<'_> {
    /// Tests all mutants on the threads of the run. The verdicts are stored in a directory.
    ///
    /// # Errors
    /// When something cannot be read or written. The verdicts until then are stored.
    pub(super) fn test_all(&self, candidates: &[ChosenMutant], directory: &Path) -> Result<MutationReport> {
        let _lock = open(directory)?;
        let shared = Shared {
            candidates,
            errors: Mutex::default(),
            waiting: Mutex::new((0..candidates.len()).collect()),
            verdicts: Mutex::new(vec![None; candidates.len()]),
            results: VerdictStore::open(&directory.join("results.jsonl"), self.args.fresh)?,
            codes: Codes::default(),
            threads: project::threads(&self.build.config).min(candidates.len()),
            directory,
        };
        thread::scope(|scope| {
            let shared = &shared;
            let workers: Vec<_> =
                (0..shared.threads).map(|index| scope.spawn(move || self.work(index, shared))).collect();
            let joined = workers.into_iter().map(|worker| match worker.join() {
                Ok(result) => result,
                Err(_) => Err(anyhow!("a worker panicked; this is a bug in forge-harvey, please report it")),
            });
            joined.collect::<Result<Vec<()>>>()
        })?;
        let verdicts = shared.verdicts.into_inner().unwrap_or_else(PoisonError::into_inner);
        let left = verdicts.iter().filter(|verdict| verdict.is_none()).count();
        let tested = candidates.iter().zip(verdicts).filter_map(|(candidate, verdict)| {
            let ChosenMutant { id, mutant, place, before, after } = candidate.clone();
            Some(TestedMutant { id, mutant, place, before, after, verdict: verdict? })
        });
        Ok(MutationReport {
            mutants: tested.collect(),
            suites: self.original.suite_ids(),
            failing: self.original.failing.clone(),
            errors: shared.errors.into_inner().unwrap_or_else(PoisonError::into_inner),
            left,
        })
    }

    /// Tests mutants until none is left, the end is requested, or too many cannot be tested.
    fn work(&self, index: usize, shared: &Shared<'_>) -> Result<()> {
        let mut tester = None;
        while !self.stop.is_interrupted() {
            let batch = shared.next_batch();
            if batch.is_empty() {
                break;
            }
            let mut untested = Vec::new();
            for next in batch {
                let suites = self.original.suites_for(&shared.candidates[next].mutant);
                match self.known(&shared.candidates[next], &suites, shared) {
                    Some(verdict) => self.enter(next, Some(verdict), shared),
                    None => untested.push((next, suites)),
                }
            }
            if untested.is_empty() {
                continue;
            }
            // The tester is made when it is needed first.
            let tester = match &mut tester {
                Some(tester) => tester,
                None => {
                    let made = self.tester(index, shared);
                    tester.insert(made.inspect_err(|_| locked(&shared.waiting).clear())?)
                }
            };
            self.test(&untested, tester, shared)?;
        }
        Ok(())
    }

    /// Tests mutants of one source, which are compiled together.
    fn test(
        &self,
        mutants: &[(usize, ReachingSuites<'_>)],
        tester: &mut MutantTester<'_>,
        shared: &Shared<'_>,
    ) -> Result<()> {
        let Some((first, _)) = mutants.first() else { return Ok(()) };
        let unneeded = self.original.unneeded_importers(&shared.candidates[*first].mutant).collect();
        let of_source = mutants.iter().map(|(index, _)| &shared.candidates[*index].mutant);
        let variants = tester.workspace.variants(of_source, unneeded);
        for (index, suites) in mutants {
            if self.stop.is_interrupted() {
                break;
            }
            let chosen = &shared.candidates[*index];
            let verdict = match self.verdict(chosen, suites, &variants, tester, shared) {
                Ok(verdict) => verdict,
                // The compiler gets the signal as well.
                Err(_) if self.stop.is_interrupted() => None,
                Err(error) => {
                    let mut errors = locked(&shared.errors);
                    errors.push(format!("{} cannot be tested: {error:#}", chosen.id));
                    if errors.len() >= MOST_ERRORS {
                        locked(&shared.waiting).clear();
                        return Err(anyhow!("{}", errors.join("\n")));
                    }
                    None
                }
            };
            self.enter(*index, verdict, shared);
        }
        Ok(())
    }

    fn enter(&self, index: usize, verdict: Option<MutantVerdict>, shared: &Shared<'_>) {
        let mut verdicts = locked(&shared.verdicts);
        verdicts[index] = verdict;
        let counts = MutantCounts::of(verdicts.iter().flatten());
        self.bar.advance(counts.killed, counts.survived);
    }

    /// Returns the verdict of an earlier run.
    fn known(
        &self,
        chosen: &ChosenMutant,
        suites: &ReachingSuites<'_>,
        shared: &Shared<'_>,
    ) -> Option<MutantVerdict> {
        let known = shared.results.get(&chosen.id, suites.key, self.searched())?;
        // A longer search of the original may have reached the code.
        if matches!(known.verdict, MutantVerdict::NotReached) && !suites.reaching.is_empty() {
            return None;
        }
        let code = known.code.filter(|_| known.verdict.counts());
        let of = code.and_then(|code| shared.codes.enter(code, &chosen.id));
        Some(of.map_or_else(|| known.verdict.clone(), |of| MutantVerdict::Duplicate { of }))
    }

    /// Returns the verdict on a mutant; none if the run was interrupted meanwhile.
    fn verdict(
        &self,
        chosen: &ChosenMutant,
        suites: &ReachingSuites<'_>,
        variants: &SourceVariants,
        tester: &mut MutantTester<'_>,
        shared: &Shared<'_>,
    ) -> Result<Option<MutantVerdict>> {
        let tested = panics::caught(|| tester.verdict(chosen, suites, variants));
        let tested =
            tested.map_err(|panic| anyhow!("forge-harvey panicked ({panic}); please report it"))??;
        let Some((verdict, code)) = tested else { return Ok(None) };
        // Which of two mutants is the duplicate depends on the others of a run.
        if !matches!(verdict, MutantVerdict::Duplicate { .. }) {
            let (id, key, searched) = (chosen.id.clone(), suites.key, self.searched());
            shared.results.add(&StoredVerdict { id, key, code, searched, verdict: verdict.clone() })?;
        }
        Ok(Some(verdict))
    }

    /// Returns the seconds of the searches for the original and for a mutant.
    fn searched(&self) -> SearchSeconds {
        let tests = &self.args.tests;
        SearchSeconds { original: self.original.search_seconds, mutant: tests.search_seconds() }
    }

    fn tester<'a>(&'a self, index: usize, shared: &'a Shared<'_>) -> Result<MutantTester<'a>> {
        let directory = shared.directory.join(format!("{WORKER}{index}"));
        Ok(MutantTester {
            original: self.original,
            codes: &shared.codes,
            stop: self.stop,
            budget: Duration::from_secs(self.args.tests.budget.into()),
            searches: !self.args.tests.no_search,
            workspace: Workspace::new(directory, self.build)?,
        })
    }
}

impl Shared<'_> {
    /// Takes the next waiting candidates of one source, for one thread. Towards the end there are fewer, so that all
    /// threads have something to do.
    fn next_batch(&self) -> Vec<usize> {
        let mut waiting = locked(&self.waiting);
        let most = (waiting.len() / (2 * self.threads)).clamp(1, MOST_AT_ONCE);
        let path = |index: &usize| &self.candidates[*index].mutant.path;
        let of_first = waiting.iter().take_while(|index| path(index) == path(&waiting[0]));
        let count = of_first.take(most).count();
        waiting.drain(..count).collect()
    }
}

/// Number of mutants that are compiled together at most. The time after which an interrupted run ends grows with it.
const MOST_AT_ONCE: usize = 8;

/// Number of mutants that cannot be tested at which a run ends: the reason may be the computer.
const MOST_ERRORS: usize = 5;

/// Beginning of the names of the workers' directories.
const WORKER: &str = "worker-";

/// Opens the directory of mutants for this process alone, and removes what earlier runs have left there.
fn open(directory: &Path) -> Result<File> {
    let lock = directory.join("lock");
    nofollow::write(&lock, &[])?;
    let file = File::open(&lock).with_context(|| format!("cannot open {}", lock.display()))?;
    if file.try_lock().is_err() {
        bail!("another `forge-harvey mutate` runs in this project; wait for its end");
    }
    for entry in fs::read_dir(directory)?.flatten() {
        if entry.file_name().to_string_lossy().starts_with(WORKER) {
            workspace::remove(&entry.path())?;
        }
    }
    Ok(file)
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
