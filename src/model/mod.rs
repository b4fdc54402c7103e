//! Data types that all modules share: plain data without behaviour that needs an EVM, a clock, a thread or a
//! file.
//!
//! This module does not use any other module of this crate.

pub mod branch;
pub mod coverage;
pub mod event;
pub mod executor;
pub mod finding;
pub mod format;
pub mod observation;
pub mod outcome;
pub mod place;
pub mod rule;
pub mod scan;
pub mod taint;
pub mod target;
pub mod text;
pub mod trace;
pub mod transaction;

pub use branch::{
    Branch, BranchKind, BranchOutcome, Cost, EdgeId, Footprint, PROBE_SLOT, Probing, PropertyRun, Relation,
    Slot, ValueId,
};
pub use coverage::{
    BranchCoverage, Extent, FileCoverage, Looked, Nearest, Need, SourceCounts, SourceCoverage, Stuck, stuck,
};
pub use event::Event;
pub use executor::Executor;
pub use finding::{AssertionKind, Counterexample, Finding, SequenceCall, Site};
pub use observation::{
    AssertionFailure, Broken, Created, Exhausted, Gas, Observation, Outcome, PathId, Step, Verdict, Work,
};
pub use outcome::{
    CallMetrics, CoveragePoint, Found, FunctionStats, GasOfRuns, OriginStats, Predictions, RunReport, Stats,
    Status, SuiteReport, TestKind, TestReport,
};
pub use place::Place;
pub use rule::{Confidence, Rule};
pub use scan::{Actor, Deployment, Scene};
pub use taint::{Decision, Gain, Origins, OutwardCall, Reentered, Scheme, TaintReport};
pub use target::{
    ContractId, Entry, MOST_WORDS, Property, PropertyKind, Target, TargetFunction, TargetSet, is_bounded,
    is_view, nesting, parse_function, types_of, words,
};
pub use text::controls;
pub use trace::{Frame, FrameKind, FrameStatus, Trace, TraceItem, TraceKind};
pub use transaction::{Input, Reentry, Sequence, Transaction};
