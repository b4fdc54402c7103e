//! Results of a campaign: one report per suite, in Forge's terms.
//!
//! | file | content |
//! |---|---|
//! | `test_report` | result of one test function |
//! | `suite_report` | result of one test contract |
//! | `run_report` | result of the whole command |
//! | `statistics` | figures of a campaign: calls, coverage, cost and yield of the search |

mod run_report;
mod statistics;
mod suite_report;
mod test_report;

pub use run_report::RunReport;
pub use statistics::{
    CallMetrics, CoveragePoint, FunctionStats, OriginStats, PredictionCounts, Predictions, SolverCounts,
    Stats,
};
pub use suite_report::{SuiteCoverage, SuiteReport};
pub use test_report::{GasOfRuns, Status, TestKind, TestReport, Violation, test_id};
