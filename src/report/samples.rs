//! Hand-built reports for the tests of this module, modelled on real output of Forge.

use crate::{
    model::{
        AssertionFailure, AssertionKind, BranchCoverage, CallMetrics, Confidence, ContractCoverage,
        ContractId, Counterexample, DecisionKind, EntryPoint, Evidence, Extent, FailureEvent, FileCoverage,
        Finding, ForgeReplay, Found, Frame, FrameGas, FrameKind, FrameResult, FrameStatus, FrameText,
        FunctionStats, Input, Looked, Message, Nearest, Need, Place, Relation, ReportSettings, Revision,
        Rule, RunReport, SequenceCall, Site, SourceCoverage, Stats, Status, Stuck, SuiteReport,
        TargetFunction, TestKind, TestReport, Trace, TraceItem, TraceKind, Transaction,
    },
    report::{ReportOptions, html::PageFacts},
};
use alloy_dyn_abi::DynSolValue;
use alloy_json_abi::Function;
use alloy_primitives::{Address, B256, Bytes, U256, address, bytes};
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
    time::{Duration, SystemTime},
};

const BANK: Address = address!("5615dEB798BB3E4dFa0139dFa1b3D433Cc23b72f");
const SENDER: Address = address!("0000000000000000000000000000000000001234");

/// Returns a call of `signature` on the bank with the given arguments.
pub(super) fn call(signature: &str, args: Vec<DynSolValue>) -> SequenceCall {
    let function = Arc::new(TargetFunction::new(Function::parse(signature).unwrap()));
    let tx = transaction(Input::typed(&function, args));
    SequenceCall::new(tx, Some("test/A.t.sol:Bank".into()))
}

fn transaction(input: Input) -> Transaction {
    let (value, warp, roll) = (U256::ZERO, U256::ZERO, U256::ZERO);
    Transaction { sender: SENDER, target: BANK, value, warp, roll, input, reentry: None }
}

pub(super) fn deposit(amount: u64) -> SequenceCall {
    call("deposit(uint256)", vec![DynSolValue::Uint(U256::from(amount), 256)])
}

/// Returns a call with calldata of no known function.
pub(super) fn unknown_call() -> SequenceCall {
    SequenceCall::new(transaction(Input::Raw(bytes!("0102030405"))), Some("test/A.t.sol:Bank".into()))
}

pub(super) fn metrics() -> BTreeMap<String, CallMetrics> {
    BTreeMap::from([
        ("test/A.t.sol:Bank.deposit".into(), CallMetrics { calls: 64133, reverts: 2, discards: 0 }),
        ("Child.kill".into(), CallMetrics { calls: 1, reverts: 0, discards: 0 }),
    ])
}

/// Returns a unit result such as `setUp()`.
pub(super) fn unit(signature: &str, status: Status, reason: Option<&str>) -> TestReport {
    TestReport { reason: reason.map(Into::into), ..TestReport::new(signature, status) }
}

/// Returns an invariant's result without counterexample, logs and traces.
pub(super) fn invariant(name: &str, status: Status, reason: Option<&str>) -> TestReport {
    let kind = TestKind::Invariant {
        runs: 3,
        calls: 18,
        reverts: 7,
        workers: 1,
        metrics: BTreeMap::new(),
        best: None,
    };
    TestReport { kind, duration: Duration::new(0, 10_443_877), ..unit(&format!("{name}()"), status, reason) }
}

/// Returns an invariant broken by one deposit, with everything that a report can show.
pub(crate) fn broken() -> TestReport {
    let mut test = invariant("invariant_lastIsZero", Status::Failure, Some("last must be zero: 1 != 0"));
    test.counterexample = Some(Counterexample { original_len: 2, calls: vec![deposit(123_456)] });
    test.kind =
        TestKind::Invariant { runs: 0, calls: 0, reverts: 2, workers: 1, metrics: metrics(), best: None };
    test.evidence.logs = vec!["setup log".into(), "checking 44".into()];
    test.evidence.traces = traces();
    test.evidence.labels =
        BTreeMap::from([(address!("0000000000000000000000000000000000000abc"), "Alice".into())]);
    test.found = Some(Found { calls: 3, executions: 5, seconds: 0.5, cpu_seconds: 0.4, operator: "random" });
    test
}

/// Returns an optimization with its best sequence.
pub(super) fn optimization() -> TestReport {
    let mut test = invariant("invariant_max", Status::Success, None);
    test.counterexample = Some(Counterexample { original_len: 2, calls: vec![deposit(6098)] });
    test.kind = TestKind::Invariant {
        runs: 3,
        calls: 18,
        reverts: 7,
        workers: 1,
        metrics: BTreeMap::new(),
        best: Some("103".parse().unwrap()),
    };
    test
}

/// Returns a finding for an assertion broken in the bank, which Forge's failure file cannot express.
pub(crate) fn finding() -> Finding {
    Finding {
        id: "assertion-1f2e3d4c".into(),
        oracle: "assertion",
        failure: AssertionFailure {
            kind: AssertionKind::Panic,
            site: Site {
                code: B256::ZERO,
                pc: 7,
                location: Some(Place { path: "test/A.t.sol".into(), line: 8, column: 5 }),
            },
            reason: "panic: assertion failed (0x01)".into(),
            written: None,
        },
        others: Vec::new(),
        entry: EntryPoint {
            contract: "test/A.t.sol:Bank".into(),
            address: BANK,
            function: "deposit(uint256)".into(),
        },
        reverts: true,
        counterexample: Counterexample { original_len: 9, calls: vec![deposit(7)] },
        evidence: Evidence::default(),
        replayed: false,
        found: Found { calls: 12, executions: 20, seconds: 0.25, cpu_seconds: 0.2, operator: "predict" },
        settings: ReportSettings::default(),
        forge_replay: ForgeReplay::Inexpressible("it sends value".into()),
    }
}

pub(crate) fn suite(name: &str, tests: Vec<TestReport>, findings: Vec<Finding>) -> SuiteReport {
    let called =
        |(name, metrics): (String, CallMetrics)| FunctionStats { name, metrics, reasons: Vec::new() };
    let functions = metrics().into_iter().map(called).collect();
    SuiteReport {
        tests,
        findings,
        duration: Duration::new(0, 29_001_168),
        cpu: Duration::from_micros(2500),
        stats: Stats {
            seconds: 2.0,
            calls: 1000,
            executions: 1500,
            paths: 12,
            functions,
            ..Stats::default()
        },
        ..SuiteReport::new(ContractId { path: "test/A.t.sol".into(), name: name.into() })
    }
}

/// Returns the event of an invariant that broke.
pub(super) fn failure_event() -> FailureEvent {
    FailureEvent {
        id: "test/A.t.sol:FailInv.invariant_lastIsZero()".into(),
        suite: ContractId { path: "test/A.t.sol".into(), name: "FailInv".into() },
        property: "invariant_lastIsZero".into(),
        oracle: None,
        is_test: false,
        reason: "last must be zero".into(),
        timestamp: 1_700_000_000,
        found: Found { calls: 1234, executions: 1500, seconds: 0.5, cpu_seconds: 0.4, operator: "random" },
        counterexample: Some(Counterexample { original_len: 2, calls: vec![deposit(7)] }),
    }
}

/// Returns the report of a run with these suites.
pub(super) fn run(suites: Vec<SuiteReport>) -> RunReport {
    let duration = Duration::from_millis(31);
    RunReport { suites, duration, seed: U256::from(1), planned: 1, ..RunReport::default() }
}

/// Returns the facts of a page without sources and reproducers.
pub(super) fn page_facts() -> PageFacts {
    PageFacts {
        title: "vault".into(),
        started: SystemTime::UNIX_EPOCH + Duration::from_secs(1_700_000_000),
        command: "forge-harvey test --report html=report.html".into(),
        revision: Some(Revision { commit: "1f2e3d4c".repeat(5), is_changed: true }),
        rules: &RULES,
        sources: BTreeMap::new(),
        reproducers: BTreeMap::new(),
    }
}

/// Rules of a finding and of tests.
pub(super) const RULES: [Rule; 1] = [Rule {
    id: "assertion",
    name: "FailedAssertion",
    summary: "An assertion fails",
    swc: Some(110),
    severity: Some(7.5),
    confidence: Some(Confidence::High),
    by_default: true,
    help: "An `assert` failed.\n\nUse `require`.",
}];

/// Returns options with this verbosity and no colours.
pub(super) fn verbosity(verbosity: u8) -> ReportOptions {
    ReportOptions { verbosity, ..ReportOptions::default() }
}

fn extent(line: usize, column: usize, last_column: usize) -> Extent {
    Extent { line, column, last_line: line, last_column }
}

/// Returns the coverage of a source with one function.
pub(super) fn covered() -> SourceCoverage {
    let text = "contract Vault {\n    function deposit(uint256 amount) public {\n        if (amount == magic) {\n            \
                open = true;\n        }\n        require(amount > 0);\n    }\n}\n";
    let branch = |kind, condition: &str, was, nearest| BranchCoverage {
        kind,
        condition: condition.into(),
        was,
        nearest,
    };
    let file = FileCoverage {
        text: text.into(),
        is_contract: true,
        statements: [(extent(3, 9, 28), true), (extent(4, 13, 24), false), (extent(6, 9, 28), true)].into(),
        functions: [((2, 5), ("Vault.deposit".to_owned(), true))].into(),
        branches: [
            (
                extent(3, 9, 28),
                branch(DecisionKind::If, "if (amount == magic)", [true, false], Some(stuck().nearest)),
            ),
            (extent(6, 9, 28), branch(DecisionKind::Require, "require(amount > 0)", [true, true], None)),
        ]
        .into(),
    };
    let contract = ContractCoverage {
        instructions: [vec![true; 150], vec![false; 50]].concat(),
        events: vec![true, false, false],
        calls: Vec::new(),
        branches: file
            .branches
            .iter()
            .map(|(at, branch)| (("src/Vault.sol".into(), *at), branch.was))
            .collect(),
    };
    SourceCoverage {
        files: [("src/Vault.sol".into(), file)].into(),
        contracts: [("src/Vault.sol:Vault".into(), contract)].into(),
        looked: Looked::Everywhere,
    }
}

/// Returns a branch that nothing passed.
pub(super) fn stuck() -> Stuck {
    let (left, right) = (U256::from(5), U256::from(4_716));
    Stuck {
        place: Place { path: "src/Vault.sol".into(), line: 12, column: 9 },
        condition: "if (amount == magic)".into(),
        nearest: Nearest {
            relation: Relation::Equal,
            left,
            right,
            wanted: true,
            distance: Relation::Equal.cost(left, right),
        },
        never: Some(true),
        tries: 812,
        functions: ["Vault.deposit".to_owned()].into(),
        writers: BTreeSet::new(),
        is_unwritten: false,
        behind: [13, 14].map(|line| ("src/Vault.sol".into(), extent(line, 9, 20))).into(),
        needs: vec![Need::Value],
    }
}

/// Returns a call frame that returned nothing.
fn frame(label: Option<&str>, call: Option<&str>, gas_used: u64) -> Frame {
    Frame {
        parent: None,
        depth: 0,
        kind: FrameKind::Call,
        builtin: false,
        message: Message { caller: SENDER, address: BANK, code_address: BANK, ..Message::default() },
        gas: FrameGas { limit: 1 << 30, used: gas_used },
        result: FrameResult { status: FrameStatus::Stop, output: Bytes::new() },
        items: vec![],
        storage: vec![],
        text: FrameText { label: label.map(Into::into), call: call.map(Into::into), result: None },
    }
}

/// Returns a tree of one root with the given children.
fn tree(mut root: Frame, children: Vec<Frame>) -> Trace {
    root.items.extend((1..=children.len()).map(TraceItem::Call));
    let children = children.into_iter().map(|child| Frame { parent: Some(0), depth: 1, ..child });
    Trace { frames: std::iter::once(root).chain(children).collect() }
}

pub(super) fn invariant_trace() -> Trace {
    let reason = || Some("last must be zero: 1 != 0".to_owned());
    let mut root = frame(Some("FailInv"), Some("invariant_lastIsZero()"), 18160);
    (root.result.status, root.text.result) = (FrameStatus::Revert, reason());
    let mut total = frame(Some("Bank"), Some("total()"), 2470);
    (total.kind, total.result.status, total.text.result) =
        (FrameKind::StaticCall, FrameStatus::Return, Some("44".into()));
    let mut log = frame(Some("console"), Some("log(\"checking\", 44)"), 0);
    log.kind = FrameKind::StaticCall;
    let mut vm = frame(Some("VM"), Some("assertEq(1, 0, \"last must be zero\")"), 0);
    vm.message.code_address = address!("7109709ECfa91a80626fF3989D68f67F5b1DD12D");
    (vm.kind, vm.result.status, vm.text.result) = (FrameKind::StaticCall, FrameStatus::Revert, reason());
    tree(root, vec![total, log, vm])
}

pub(super) fn deposit_trace() -> Trace {
    let mut root = frame(Some("Bank"), Some("deposit(999999)"), 54167);
    root.items.push(TraceItem::Log {
        emitter: BANK,
        topics: vec![],
        data: Bytes::new(),
        decoded: Some(format!("Deposited(who: {SENDER}, amt: 999999 [9.999e5])")),
    });
    let million = U256::from(1_000_000);
    root.storage = vec![
        (U256::ZERO, U256::ZERO, U256::from(999_999)),
        (million, U256::from(5), million + U256::from(1)),
    ];
    tree(root, vec![])
}

/// Returns a trace that cannot be decoded, with the rarer kinds of frames.
pub(super) fn unknown_trace() -> Trace {
    let log = |topics: &[u8], data: Bytes| TraceItem::Log {
        emitter: BANK,
        topics: topics.iter().map(|&b| B256::with_last_byte(b)).collect(),
        data,
        decoded: None,
    };
    let mut root = frame(None, None, 88681);
    (root.message.value, root.message.input, root.result.status) =
        (U256::from(1), bytes!("aabbccdd0011"), FrameStatus::Return);
    root.items = vec![log(&[], Bytes::new()), log(&[1, 2], bytes!("00"))];
    let created = address!("2e234DAe75C793f67A35089C9d99245E1C58470b");
    let mut create = frame(Some("Child"), None, 32885);
    (create.kind, create.message.address, create.result.status) =
        (FrameKind::Create2, created, FrameStatus::Return);
    create.result.output = bytes!("600060");
    let mut failed = frame(None, None, 351);
    (failed.kind, failed.message.address, failed.result.status) =
        (FrameKind::Create, created, FrameStatus::Revert);
    failed.result.output = bytes!("08c379a0");
    let mut out_of_gas = frame(Some("Child"), None, 30);
    (out_of_gas.kind, out_of_gas.message.input) = (FrameKind::DelegateCall, bytes!("aabb"));
    out_of_gas.result.status = FrameStatus::Halt("OutOfGas".into());
    let mut kill = frame(Some("Child"), Some("kill()"), 5120);
    kill.result.status = FrameStatus::SelfDestruct;
    let mut label = frame(Some("VM"), Some("label(Alice: [0x0000000000000000000000000000000000000aBc])"), 0);
    (label.result.status, label.text.result) = (FrameStatus::Return, Some(String::new()));
    tree(root, vec![create, failed, out_of_gas, kill, label])
}

/// Returns the traces of deployment, `setUp`, one call and the property.
pub(super) fn traces() -> Vec<(TraceKind, Trace)> {
    let setup = tree(frame(Some("FailInv"), Some("setUp()"), 628_695), vec![]);
    vec![
        (TraceKind::Deployment, tree(frame(Some("FailInv"), None, 1), vec![])),
        (TraceKind::Setup, setup),
        (TraceKind::Execution, deposit_trace()),
        (TraceKind::Execution, invariant_trace()),
    ]
}
