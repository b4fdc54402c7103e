//! Version 1 of the JSON report: a superset of the output of `forge test --json` of Forge 1.7.
//!
//! If Forge 1.8 is followed, it has some of the fields that are new there, too. All of its fields are optional.
//! `traces` and the raw logs are left out. Each suite has an additional `harvey` object, and calls that send
//! wei have a `value`, as in Forge 1.8. The order of the fields is Forge's.

use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;

/// Version in `harvey.version`; it changes if a field changes its meaning or is removed.
pub(in crate::report) const VERSION: u32 = 1;

/// Suites by `path:Contract`.
pub(in crate::report) type JsonReport<'a> = BTreeMap<String, JsonSuite<'a>>;

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Suite")]
pub(in crate::report) struct JsonSuite<'a> {
    pub(in crate::report) duration: String,
    /// By signature.
    pub(in crate::report) test_results: BTreeMap<&'a str, JsonTest<'a>>,
    pub(in crate::report) warnings: &'a [String],
    pub(in crate::report) harvey: JsonHarvey<'a>,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Test")]
pub(in crate::report) struct JsonTest<'a> {
    pub(in crate::report) status: &'static str,
    pub(in crate::report) reason: Option<&'a str>,
    /// As in Forge 1.8, if that is followed: the failure of an invariant. `reason` and `counterexample` give it, too.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(in crate::report) invariant_failures: Vec<JsonInvariantFailure<'a>>,
    /// As in Forge 1.8, if that is followed: failed assertions of handlers, in the first invariant of the suite. They
    /// do not change its status. `harvey.findings` has them, too.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(in crate::report) invariant_handler_failures: Vec<JsonInvariantFailure<'a>>,
    pub(in crate::report) counterexample: Option<JsonCounterexample<'a>>,
    /// Always empty: raw logs are not kept.
    pub(in crate::report) logs: [(); 0],
    pub(in crate::report) decoded_logs: &'a [String],
    pub(in crate::report) kind: JsonKind<'a>,
    pub(in crate::report) labeled_addresses: BTreeMap<String, &'a str>,
    pub(in crate::report) duration: String,
    pub(in crate::report) breakpoints: BTreeMap<String, ()>,
    pub(in crate::report) gas_snapshots: BTreeMap<String, ()>,
}

/// Failure that a campaign found, as in Forge 1.8.
#[derive(Serialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[schemars(rename = "InvariantFailure")]
pub(in crate::report) enum JsonInvariantFailure<'a> {
    /// Broken invariant.
    Predicate {
        /// Name of its function.
        name: &'a str,
        reason: &'a str,
        #[serde(skip_serializing_if = "Option::is_none")]
        counterexample: Option<JsonCounterexample<'a>>,
        /// Forge's failure file that replays it, relative to the root; none if Forge cannot replay it.
        #[serde(skip_serializing_if = "Option::is_none")]
        persisted_path: Option<&'a str>,
        /// Always true: each invariant has a result of its own.
        is_anchor: bool,
    },
    /// Failed assertion of a handler.
    Handler {
        /// `path:Contract::function`.
        name: String,
        /// Address of the handler.
        reverter: String,
        selector: String,
        reason: &'a str,
        counterexample: JsonCounterexample<'a>,
    },
}

/// `{"Single": call}` or `{"Sequence": [original length, calls]}`.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Counterexample")]
pub(in crate::report) enum JsonCounterexample<'a> {
    Single(Box<JsonCall<'a>>),
    Sequence(usize, Vec<JsonCall<'a>>),
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Call")]
pub(in crate::report) struct JsonCall<'a> {
    /// `0x` quantity of seconds.
    pub(in crate::report) warp: Option<String>,
    /// `0x` quantity of blocks.
    pub(in crate::report) roll: Option<String>,
    /// `0x` quantity of wei.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::report) value: Option<String>,
    pub(in crate::report) sender: Option<String>,
    pub(in crate::report) addr: Option<String>,
    pub(in crate::report) calldata: String,
    pub(in crate::report) contract_name: Option<&'a str>,
    pub(in crate::report) func_name: Option<&'a str>,
    pub(in crate::report) signature: Option<String>,
    pub(in crate::report) args: Option<String>,
    pub(in crate::report) raw_args: Option<String>,
    /// Ours: the call of a contract that is answered by calling it back.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::report) reentry: Option<JsonReentry>,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Reentry")]
pub(in crate::report) struct JsonReentry {
    /// The contract.
    pub(in crate::report) addr: String,
    /// Which of its calls, from zero.
    pub(in crate::report) nth: u32,
    pub(in crate::report) calldata: String,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Kind")]
pub(in crate::report) enum JsonKind<'a> {
    Unit {
        gas: u64,
    },
    Fuzz {
        first_case: JsonGas,
        runs: u64,
        mean_gas: u64,
        median_gas: u64,
        failed_corpus_replays: u64,
    },
    Table {
        runs: u64,
        mean_gas: u64,
        median_gas: u64,
    },
    Invariant {
        runs: u64,
        calls: u64,
        reverts: u64,
        /// As in Forge 1.8, if that is followed: workers that searched.
        #[serde(skip_serializing_if = "Option::is_none")]
        workers: Option<usize>,
        metrics: BTreeMap<&'a str, JsonMetrics>,
        failed_corpus_replays: u64,
        optimization_best_value: Option<String>,
    },
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Gas")]
pub(in crate::report) struct JsonGas {
    pub(in crate::report) gas: u64,
    pub(in crate::report) stipend: u64,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Metrics")]
pub(in crate::report) struct JsonMetrics {
    pub(in crate::report) calls: u64,
    pub(in crate::report) reverts: u64,
    pub(in crate::report) discards: u64,
}

/// What Forge has no place for.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Harvey")]
pub(in crate::report) struct JsonHarvey<'a> {
    pub(in crate::report) version: u32,
    /// `0x` quantity.
    pub(in crate::report) seed: String,
    /// Whether the run was ended early.
    pub(in crate::report) interrupted: bool,
    pub(in crate::report) findings: Vec<JsonFinding<'a>>,
    pub(in crate::report) stats: JsonStats<'a>,
    /// Calls of functions, by `path:Name.function`.
    pub(in crate::report) functions: BTreeMap<&'a str, JsonFunction<'a>>,
    /// Invariants that held although no call changed what they read.
    pub(in crate::report) vacuous: &'a [String],
    /// What ran of the sources, by path; constructors are not counted.
    pub(in crate::report) sources: BTreeMap<&'a str, JsonSource>,
    /// Coverage of the code of the project's contracts, by `path:Name`; only those of which something ran.
    pub(in crate::report) contracts: BTreeMap<&'a str, JsonContract>,
    /// Share of the runs that was measured for `sources`, `contracts` and `stuck`: `everywhere`, `partly` or `nowhere`.
    pub(in crate::report) looked: &'static str,
    /// Branches that nothing passed, those first that most code is behind.
    pub(in crate::report) stuck: Vec<JsonStuck<'a>>,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Function")]
pub(in crate::report) struct JsonFunction<'a> {
    pub(in crate::report) calls: u64,
    pub(in crate::report) reverts: u64,
    pub(in crate::report) discards: u64,
    /// Reasons of reverts and how often each was given, the most frequent first.
    pub(in crate::report) reasons: Vec<(&'a str, u64)>,
}

/// How many ran, and how many there are.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Source")]
pub(in crate::report) struct JsonSource {
    pub(in crate::report) functions: (usize, usize),
    pub(in crate::report) statements: (usize, usize),
    /// Outcomes of the conditions of `if` and `require`: two each.
    pub(in crate::report) branches: (usize, usize),
    /// Outcomes of `assert`, loops, `&&`, `||` and `?:`, two each, which Forge does not count.
    pub(in crate::report) other_branches: (usize, usize),
}

/// Numbers of what ran, and of all that the runtime code has.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Contract")]
pub(in crate::report) struct JsonContract {
    pub(in crate::report) instructions: (usize, usize),
    /// Outcomes of conditions of all kinds: two each.
    pub(in crate::report) branches: (usize, usize),
    /// Instructions that log events.
    pub(in crate::report) events: (usize, usize),
    /// CALL instructions.
    pub(in crate::report) calls: (usize, usize),
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Stuck")]
pub(in crate::report) struct JsonStuck<'a> {
    /// `path:line:column`.
    pub(in crate::report) location: String,
    pub(in crate::report) condition: &'a str,
    /// What the nearest execution compared: `equal`, `less` or `signed-less`.
    pub(in crate::report) relation: &'static str,
    /// What it would have to come out as.
    pub(in crate::report) wanted: bool,
    /// `0x` quantity.
    pub(in crate::report) left: String,
    /// `0x` quantity.
    pub(in crate::report) right: String,
    /// How far that is from the other outcome, decimal.
    pub(in crate::report) distance: String,
    /// Calls spent on it since it last came nearer.
    pub(in crate::report) tries: u64,
    /// Result that the condition never had; none if the branch decides only a part of it.
    pub(in crate::report) never: Option<bool>,
    /// Functions called that reached it.
    pub(in crate::report) functions: Vec<&'a str>,
    /// Functions called that changed what it reads from storage and compares.
    pub(in crate::report) writers: Vec<&'a str>,
    /// Lines behind it that nothing ran, `path:line`.
    pub(in crate::report) behind: Vec<String>,
    /// Changes that may pass it, the most helpful first: `role`, `time`, `hash`, `ether`, `call`, `value`, `state` or
    /// `deployment`. Empty if nothing is known.
    pub(in crate::report) needs: Vec<&'static str>,
    /// Values of the nearest execution, in words. Empty if they say nothing.
    pub(in crate::report) nearest: String,
    /// Advice on how to get past it, in words.
    pub(in crate::report) advice: String,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Finding")]
pub(in crate::report) struct JsonFinding<'a> {
    pub(in crate::report) id: &'a str,
    pub(in crate::report) oracle: &'a str,
    pub(in crate::report) kind: &'a str,
    pub(in crate::report) contract: &'a str,
    pub(in crate::report) address: String,
    pub(in crate::report) function: &'a str,
    /// Other functions that reach the same place; only for scanned contracts.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(in crate::report) also: Vec<&'a str>,
    pub(in crate::report) location: String,
    pub(in crate::report) reason: &'a str,
    pub(in crate::report) original_len: usize,
    pub(in crate::report) sequence: Vec<JsonCall<'a>>,
    /// Forge's failure file that replays it, relative to the root.
    pub(in crate::report) forge_file: Option<&'a str>,
    /// Why there is none.
    pub(in crate::report) unforgeable: Option<&'a str>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    pub(in crate::report) decoded_logs: &'a [String],
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Stats")]
pub(in crate::report) struct JsonStats<'a> {
    pub(in crate::report) seconds: f64,
    pub(in crate::report) calls: u64,
    pub(in crate::report) calls_per_second: f64,
    pub(in crate::report) executions: u64,
    pub(in crate::report) paths: u64,
    pub(in crate::report) branches: u64,
    /// Predictions that were tried, and what came of them.
    pub(in crate::report) predictions: JsonPredictions,
    /// Those of them that were for branches of properties.
    pub(in crate::report) property_predictions: JsonPredictions,
    /// Results of symbolic executions.
    pub(in crate::report) solver: JsonSolver,
    /// Sequences in the test suite at the end, and the calls in them.
    pub(in crate::report) suite: (u64, u64),
    /// What each technique of the search cost and earned.
    pub(in crate::report) techniques: BTreeMap<&'a str, JsonTechnique<'a>>,
    /// Executions, seconds, paths and branches at times of the campaign.
    pub(in crate::report) coverage: Vec<(u64, f64, u64, u64)>,
    /// When each broken invariant and each finding was found, by test signature or finding id.
    pub(in crate::report) found: BTreeMap<&'a str, JsonFound>,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Solver")]
pub(in crate::report) struct JsonSolver {
    /// Conditions of paths that were examined.
    pub(in crate::report) conditions: u64,
    /// Those that were met without an external solver.
    pub(in crate::report) solved: u64,
    /// Those that were put to an external solver.
    pub(in crate::report) asked: u64,
    /// Those that it met.
    pub(in crate::report) answered: u64,
    /// Branches that nothing passed and that were left to an external solver.
    pub(in crate::report) left: u64,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Predictions")]
pub(in crate::report) struct JsonPredictions {
    pub(in crate::report) tried: u64,
    /// The first value flipped the branch.
    pub(in crate::report) one_shot: u64,
    /// A later value flipped the branch.
    pub(in crate::report) iterated: u64,
    /// The first value led elsewhere: the branch was not reached.
    pub(in crate::report) unreached: u64,
    /// The first value came no nearer.
    pub(in crate::report) no_nearer: u64,
}

#[derive(Default, Serialize, JsonSchema)]
#[schemars(rename = "Technique")]
pub(in crate::report) struct JsonTechnique<'a> {
    #[serde(flatten)]
    pub(in crate::report) account: JsonAccount,
    /// The same by operator.
    pub(in crate::report) operators: BTreeMap<&'a str, JsonAccount>,
}

#[derive(Clone, Copy, Default, Serialize, JsonSchema)]
#[schemars(rename = "Account")]
pub(in crate::report) struct JsonAccount {
    /// Sequences run.
    pub(in crate::report) sequences: u64,
    /// Transactions executed: calls and properties.
    pub(in crate::report) executions: u64,
    /// Work of the EVM and what else is counted, by which the budget is shared.
    pub(in crate::report) cost: u64,
    pub(in crate::report) cpu_seconds: f64,
    /// Edges covered for the first time.
    pub(in crate::report) edges: u64,
    /// Classes of values that nothing had read before.
    pub(in crate::report) values: u64,
    /// Just-missed branches that came nearer.
    pub(in crate::report) nearer: u64,
    /// Paths taken for the first time.
    pub(in crate::report) paths: u64,
    pub(in crate::report) findings: u64,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Found")]
pub(in crate::report) struct JsonFound {
    pub(in crate::report) calls: u64,
    pub(in crate::report) executions: u64,
    pub(in crate::report) seconds: f64,
    /// CPU seconds of the campaign's threads.
    pub(in crate::report) cpu_seconds: f64,
    pub(in crate::report) operator: &'static str,
}

/// Event that Forge 1.7 writes to stderr for a broken invariant.
#[derive(Serialize)]
pub(in crate::report) struct JsonFailureEvent<'a> {
    pub(in crate::report) timestamp: u64,
    pub(in crate::report) event: &'static str,
    pub(in crate::report) invariant: &'a str,
    pub(in crate::report) target: &'a str,
    pub(in crate::report) reason: &'a str,
}
