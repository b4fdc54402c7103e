//! Data types that all modules share: plain data without behaviour that needs an EVM, a clock, a thread or a
//! file. This module does not use any other module of this crate.
//!
//! Targets and inputs:
//!
//! | file | content |
//! |---|---|
//! | `target` | target contracts and functions with their ABI types, and the properties of a suite |
//! | `scan` | deployment and accounts of a contract that is fuzzed without a test contract |
//! | `handler` | calls of a contract by the handler of an invariant suite, and facts that hold after them |
//! | `transaction` | transactions with typed or raw calldata, sender, value and delays; sequences of them |
//!
//! Execution:
//!
//! | file | content |
//! |---|---|
//! | `executor` | the interface by which the search runs sequences, and the properties to check meanwhile |
//! | `observation` | results of one execution: outcome, path and new coverage of each step, broken properties |
//! | `branch` | conditional jumps with the values compared, branch distance, storage reads and writes |
//! | `expression` | how a transaction computed a word from its inputs, and the inputs that it depends on |
//! | `symbolic_path` | decisions of a sequence with their conditions as expressions |
//! | `taint` | origins of data that oracles ask for: calls, decisions, gains of accounts |
//! | `trace` | call trees with decoded calls, events and return values |
//! | `assertion` | failed assertions and violations found by oracles |
//!
//! Results:
//!
//! | file | content |
//! |---|---|
//! | `counterexample` | sequences that reproduce a failure |
//! | `failure` | evidence and replay data that failing tests and findings have in common |
//! | `finding` | failed assertions and reports of other oracles, ready to be reported |
//! | `rule` | descriptions of the oracles: name, severity of a report, SWC number |
//! | `coverage`, `contract_coverage` | coverage of sources, and of contracts in four kinds |
//! | `stuck` | branches that a campaign is stuck on |
//! | `outcome/` | reports of tests, suites and runs, and statistics of campaigns |
//! | `event` | events of a campaign while it runs |
//! | `mutant` | mutants of the sources, and verdicts of the tests on them |
//!
//! Text:
//!
//! | file | content |
//! |---|---|
//! | `place` | places in source files and in deployed code |
//! | `revision` | commit of a project |
//! | `format` | ABI values in Forge's notation |
//! | `text` | control characters in text from outside |

pub mod assertion;
pub mod branch;
mod contract_coverage;
pub mod counterexample;
mod coverage;
pub mod event;
pub mod executor;
pub mod expression;
pub mod failure;
pub mod finding;
pub mod format;
pub mod handler;
mod mutant;
pub mod observation;
pub mod outcome;
pub mod place;
pub mod revision;
pub mod rule;
pub mod scan;
mod stuck;
pub mod symbolic_path;
pub mod taint;
pub mod target;
pub mod text;
pub mod trace;
pub mod transaction;

pub use assertion::{AssertionFailure, AssertionKind};
pub use branch::{
    Branch, BranchKind, BranchOutcome, Cost, EdgeId, Footprint, PROBE_SLOT, Probing, PropertyRun, Relation,
    Slot, ValueId,
};
pub use contract_coverage::{ContractCounts, ContractCoverage};
pub use counterexample::{Counterexample, SequenceCall};
pub use coverage::{
    BranchCoverage, DecisionKind, Extent, FileCoverage, Looked, Nearest, SourceCounts, SourceCoverage,
    merge_outcomes,
};
pub use event::{Event, FailureEvent, ProgressFigures};
pub use executor::Executor;
pub use expression::{Dependencies, Expression, ExpressionId, Expressions, SymbolicInput, WordOperator};
pub use failure::{Evidence, ForgeReplay, Found, ReportSettings};
pub use finding::{EntryPoint, Finding};
pub use mutant::{
    DifferenceKind, KillStep, Mutant, MutantCounts, MutantVerdict, MutationReport, OutcomeDifference,
    TestedMutant,
};
pub use observation::{
    Broken, Created, Exhausted, Gas, InterruptedCall, NewCoverage, Observation, Outcome, PathId, Step,
    Verdict, Work,
};
pub use outcome::{
    CallMetrics, CoveragePoint, FunctionStats, GasOfRuns, OriginStats, PredictionCounts, Predictions,
    RunReport, SolverCounts, Stats, Status, SuiteCoverage, SuiteReport, TestKind, TestReport, Violation,
    test_id,
};
pub use place::{Place, Site};
pub use revision::Revision;
pub use rule::{Confidence, Rule};
pub use scan::{
    Actor, ChainAccount, CodeOrigin, Copied, Deployment, Initializer, PreparedState, Scene, TokenWord,
};
pub use stuck::{Need, Stuck, stuck};
pub use symbolic_path::{PathDecision, SymbolicPath};
pub use taint::{
    Decision, Gain, GrownLength, Handover, Origins, OutwardCall, Proofs, Reentered, Scheme, TaintReport,
    TaintedMessage, Takeover, Wrap,
};
pub use target::{
    ContractId, Entry, MOST_WORDS, Property, PropertyKind, Target, TargetFunction, TargetSet, is_bounded,
    is_view, is_word, nesting, parse_function, types_of, words,
};
pub use text::controls;
pub use trace::{
    Frame, FrameGas, FrameKind, FrameResult, FrameStatus, FrameText, Message, Trace, TraceItem, TraceKind,
};
pub use transaction::{Input, Reentry, Sequence, Transaction};
