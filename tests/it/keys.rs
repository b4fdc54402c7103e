//! Keys of foundry.toml that change what is compiled or run, judged by the real forge.

use crate::harness::{Project, Run};

/// The verdicts of unit tests, sorted.
fn verdicts(run: &Run) -> String {
    let mut lines: Vec<_> = run.stdout.lines().filter(|line| line.starts_with('[')).collect();
    lines.sort_unstable();
    lines.dedup();
    lines.join("\n")
}

/// What ours and forge both say.
#[track_caller]
fn agreed(project: &Project) -> String {
    let (ours, forges) = (project.ours("--unit").run(), project.forge("").run());
    assert_eq!(verdicts(&ours), verdicts(&forges), "{}\n{}", ours.shown(), forges.shown());
    assert_eq!(ours.code, forges.code);
    verdicts(&ours)
}

#[test]
fn a_hardfork_is_run_and_not_compiled_for() {
    let tests = "contract T { function test_transient() external { assembly { tstore(0, 1) } } }";
    let settings = "evm_version = 'cancun'\nhardfork = 'ethereum:shanghai'";
    insta::assert_snapshot!(agreed(&Project::with_tests(settings, tests)), @"[FAIL: EvmError: NotActivated] test_transient() (gas: 1073720760)");
}

#[test]
fn the_deployer_of_creations_with_a_salt_is_the_configured_one() {
    let tests = "
contract Empty {}
interface Addresses { function computeCreate2Address(bytes32 salt, bytes32 hash) external pure returns (address); }

contract T {
    function test_address() external pure {
        address at = Addresses(address(vm)).computeCreate2Address(0, 0);
        bytes32 hash = keccak256(abi.encodePacked(hex'ff', address(0x1234), bytes32(0), bytes32(0)));
        require(at == address(uint160(uint256(hash))), 'the usual deployer');
    }

    function test_missing() external {
        new Empty{salt: 0}();
    }
}";
    let settings =
        "create2_deployer = '0x0000000000000000000000000000000000001234'\nalways_use_create_2_factory = true";
    insta::assert_snapshot!(agreed(&Project::with_tests(settings, tests)), @r"
    [FAIL: missing CREATE2 deployer: 0x0000000000000000000000000000000000001234] test_missing() (gas: 32296)
    [FAIL: the usual deployer] test_address() (gas: 4942)
    ");
}

#[test]
fn another_contract_is_no_deployer() {
    let tests = "
contract Empty {}
interface Etching { function etch(address at, bytes calldata code) external; }

contract T {
    function test_other() external {
        Etching(address(vm)).etch(0x4e59b44847b379578588920cA78FbF26c0B4956C, hex'00');
        new Empty{salt: 0}();
    }
}";
    insta::assert_snapshot!(agreed(&Project::with_tests("always_use_create_2_factory = true", tests)), @"[FAIL: invalid CREATE2 deployer bytecode] test_other() (gas: 35516)");
}

#[test]
fn a_transaction_may_not_use_more_gas_than_the_protocol_allows() {
    let tests = "contract T { function setUp() external {} function test_any() external {} }";
    insta::assert_snapshot!(agreed(&Project::with_tests("enable_tx_gas_limit = true", tests)), @"[FAIL: EVM error; transaction validation error: transaction gas limit (1073741824) is greater than the cap (16777216)] setUp() (gas: 0)");
    let settings = "enable_tx_gas_limit = true\ngas_limit = 16000000";
    insta::assert_snapshot!(agreed(&Project::with_tests(settings, tests)), @"[PASS] test_any() (gas: 143)");
}

#[test]
fn isolated_calls_have_the_gas_that_forge_gives_them() {
    let tests = "
contract Burner {
    function burn() external returns (uint256) {
        return gasleft();
    }
}

contract T {
    Burner burner = new Burner();

    function test_gas() external {
        uint256 left = burner.burn();
        require(left < 2000000, 'more than a block');
    }
}";
    let bounded = Project::with_tests("isolate = true\nblock_gas_limit = 2000000", tests);
    insta::assert_snapshot!(agreed(&bounded), @"[PASS] test_gas() (gas: 26658)");
    let free = "isolate = true\nblock_gas_limit = 2000000\ndisable_block_gas_limit = true";
    insta::assert_snapshot!(agreed(&Project::with_tests(free, tests)), @"[PASS] test_gas() (gas: 26658)");
}

#[test]
fn artifacts_need_not_be_of_this_build_when_they_are_not_checked() {
    let tests = "
interface Code { function getCode(string calldata artifact) external view returns (bytes memory); }

contract T {
    function check(string memory artifact) internal view {
        require(keccak256(Code(address(vm)).getCode(artifact)) == keccak256(hex'600160ff'), 'other code');
    }

    function test_name() external view { check('Ghost'); }
    function test_file() external view { check('Ghost.sol'); }
    function test_both() external view { check('Ghost.sol:Ghost'); }
    function test_version() external view { check('Ghost:0.8.30'); }
}";
    let ghost =
        r#"{ "abi": [], "bytecode": { "object": "0x600160ff", "sourceMap": "", "linkReferences": {} } }"#;
    let run = |settings: &str| {
        let project = Project::with_tests(settings, tests);
        project.write("out/Ghost.sol/Ghost.json", ghost);
        agreed(&project)
    };
    insta::assert_snapshot!(run("unchecked_cheatcode_artifacts = true"), @r"
    [PASS] test_both() (gas: 4258)
    [PASS] test_file() (gas: 4236)
    [PASS] test_name() (gas: 4214)
    [PASS] test_version() (gas: 4280)
    ");
    insta::assert_snapshot!(run(""), @r"
    [PASS] test_both() (gas: 4258)
    [PASS] test_file() (gas: 4236)
    [PASS] test_name() (gas: 4214)
    [PASS] test_version() (gas: 4280)
    ");
}

#[test]
fn warnings_are_ignored_below_the_paths_that_are_named() {
    let tests = "contract T { function test_any() external {} }";
    let tests = format!("{tests}\nfunction g() pure {{ uint256 x; }}");
    let tests = tests.as_str();
    let project = Project::with_tests("ignored_error_codes_from = [['test', [2018, 'unused-var']]]", tests);
    assert!(project.ours("--unit").run().shown().contains("Compiler run successful!"));
    let project = Project::with_tests("ignored_error_codes_from = [['other', [2018]]]", tests);
    assert!(project.ours("--unit").run().shown().contains("Warning (2072)"));
}

#[test]
fn what_the_compiler_is_asked_for_is_what_forge_asks_for() {
    let tests = "contract T { function test_any() external {} }";
    let settings = "ast = true\nbuild_info = true\nbuild_info_path = 'infos'\n\
                    [profile.default.model_checker]\nengine = 'bmc'\ntimeout = 1000";
    let project = Project::with_tests(settings, tests);
    project.ours("--unit").run().exits_with(0);
    assert_eq!(project.root().join("infos").read_dir().unwrap().count(), 1);
    assert!(project.read("out/Test.t.sol/T.json").contains("\"nodeType\""));
    let forge = project.forge("").run().exits_with(0).shown();
    assert!(forge.contains("No files changed, compilation skipped"), "{forge}");
}

#[test]
fn a_vyper_that_is_not_there_is_named() {
    let project =
        Project::with_tests("[vyper]\npath = 'bin/none'", "contract T { function test_any() external {} }");
    project.write("src/C.vy", "x: uint256\n");
    let shown = project.ours("--unit").run().exits_with(1).shown();
    assert!(shown.contains("vyper.path"), "{shown}");
}

#[test]
fn all_runs_of_a_fuzz_test_show_their_logs() {
    let tests =
        "contract T { event log(string); function test_fuzz(bool) external { emit log('one of them'); } }";
    let logged = |settings: &str| {
        let project = Project::with_tests(settings, tests);
        let logs = |run: Run| run.stdout.matches("one of them").count();
        let (ours, forges) = (logs(project.ours("-vv").run()), logs(project.forge("-vv").run()));
        assert_eq!(ours, forges);
        ours
    };
    assert_eq!(logged("[profile.default.fuzz]\nruns = 9"), 1);
    assert_eq!(logged("[profile.default.fuzz]\nruns = 9\nshow_logs = true"), 9);
}
