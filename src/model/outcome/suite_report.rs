//! Result of one test contract.

use crate::model::{
    contract_coverage::ContractCounts,
    coverage::{Looked, SourceCounts, SourceCoverage},
    finding::Finding,
    outcome::{Stats, Status, TestReport},
    scan::Scene,
    stuck::Stuck,
    target::ContractId,
};
use std::{collections::BTreeMap, sync::Arc, time::Duration};

/// Source coverage of the campaigns of a suite.
#[derive(Clone, Debug, Default)]
pub struct SuiteCoverage {
    /// The coverage. It is moved into [`RunReport::covered`](crate::model::RunReport::covered) once the suite
    /// was reported.
    pub sources: SourceCoverage,
    /// Numbers of that coverage, by path.
    pub counts: BTreeMap<Arc<str>, SourceCounts>,
    /// Numbers of the contracts whose code ran, by identifier.
    pub contracts: BTreeMap<Arc<str>, ContractCounts>,
    /// Share of the kept sequences that were measured for it.
    pub looked: Looked,
    /// Branches that the campaigns are stuck on.
    pub stuck: Vec<Stuck>,
}

/// Result of one test contract.
#[derive(Clone, Debug)]
pub struct SuiteReport {
    /// Identifier of the test contract.
    pub id: ContractId,
    /// Results ordered by signature.
    pub tests: Vec<TestReport>,
    /// Failed assert properties, and reports of other oracles.
    pub findings: Vec<Finding>,
    /// Settings in the comments of the contract, as they were written there.
    pub comments: Vec<String>,
    /// Warnings, without the `Warning: ` prefix.
    pub warnings: Vec<String>,
    /// Wall-clock time.
    pub duration: Duration,
    /// CPU time of the thread that ran it.
    pub cpu: Duration,
    /// Figures of its campaigns; zero if none ran.
    pub stats: Stats,
    /// Coverage of its campaigns.
    pub coverage: SuiteCoverage,
    /// State before the first call, if the contract was called without a test contract.
    pub scene: Option<Scene>,
    /// True if a bug of this program ended it.
    pub panicked: bool,
}

impl SuiteReport {
    /// Creates the report of a suite of which nothing ran yet.
    #[must_use]
    pub fn new(id: ContractId) -> Self {
        Self {
            id,
            tests: Vec::new(),
            findings: Vec::new(),
            comments: Vec::new(),
            warnings: Vec::new(),
            duration: Duration::ZERO,
            cpu: Duration::ZERO,
            stats: Stats::default(),
            coverage: SuiteCoverage::default(),
            scene: None,
            panicked: false,
        }
    }

    /// Returns the number of tests with the given status.
    #[must_use]
    pub fn count(&self, status: Status) -> usize {
        self.tests.iter().filter(|test| test.status == status).count()
    }

    /// Tells whether any test failed or anything was found.
    #[must_use]
    pub fn failed(&self) -> bool {
        self.count(Status::Failure) > 0 || !self.findings.is_empty()
    }
}
