//! Isolated calls, which Forge 1.8 has by default and Forge 1.7 with a flag.

use crate::harness::{Program, Project, Run, Running};

const TESTS: &str = r#"
interface Cheats {
    function computeCreateAddress(address deployer, uint256 nonce) external view returns (address);
    function getNonce(address account) external view returns (uint64);
}

Cheats constant cheats = Cheats(address(vm));

contract Slot {
    function set() external {
        assembly { tstore(0, 1) }
    }

    function get() external view returns (uint256 value) {
        assembly { value := tload(0) }
    }
}

contract Handler {
    Slot slot = new Slot();
    uint256 public lost;

    function poke() external {
        slot.set();
        if (slot.get() == 0) lost++;
    }
}

contract IsolationTest {
    Slot slot = new Slot();
    Handler handler = new Handler();

    function targetContracts() external view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = address(handler);
    }

    function invariant_transient_storage_lasts() external view {
        require(handler.lost() == 0, "lost");
    }

    function test_transient_storage_lasts() external {
        slot.set();
        require(slot.get() == 1, "lost");
    }

    function test_a_call_costs_no_transaction() external {
        uint256 gas = gasleft();
        slot.set();
        require(gas - gasleft() < 21000, "a transaction");
    }

    function test_a_call_raises_no_nonce() external {
        uint64 nonce = cheats.getNonce(address(this));
        slot.set();
        require(cheats.getNonce(address(this)) == nonce, "raised");
    }

    function test_a_call_moves_no_creation() external {
        address next = cheats.computeCreateAddress(address(this), cheats.getNonce(address(this)));
        slot.set();
        require(address(new Slot()) == next, "moved");
    }
}
"#;

/// Status of each test, from a run with `--json`.
fn statuses(run: &Run) -> Vec<(String, String)> {
    let json = run.json();
    let results = json["test/Test.t.sol:IsolationTest"]["test_results"].as_object().unwrap().clone();
    let status = |(name, result): (String, serde_json::Value)| {
        let name = name.trim_end_matches("()").to_owned();
        (name, result["status"].as_str().unwrap().to_owned())
    };
    results.into_iter().map(status).collect()
}

#[test]
fn calls_are_isolated_by_default_since_forge_1_8() {
    let project = Project::with_tests("", TESTS);
    let forge = |program, flags: &str| {
        let running = Running::new(program, "test", project.root());
        statuses(&running.args(&format!("--fuzz-seed 1 --json {flags}")).run())
    };
    let ours = |flags: &str| {
        let flags = format!("--unit --fuzz-seed 1 --runs 10 --depth 10 --threads 1 --json {flags}");
        statuses(&project.copy().ours(&flags).run())
    };
    let expected = |status: &str| {
        let names = [
            "invariant_transient_storage_lasts",
            "test_a_call_costs_no_transaction",
            "test_a_call_moves_no_creation",
            "test_a_call_raises_no_nonce",
            "test_transient_storage_lasts",
        ];
        names.map(|name| (name.to_owned(), status.to_owned())).to_vec()
    };
    for (status, by_flag, by_version) in [
        ("Success", "", ["--forge-version 1.7", "--forge-version 1.8 --no-isolate"]),
        ("Failure", "--isolate", ["--forge-version 1.8", "--forge-version 1.7 --isolate"]),
    ] {
        for program in [Program::Forge, Program::Nightly] {
            assert_eq!(forge(program, by_flag), expected(status), "{program:?} {by_flag}");
        }
        for flags in by_version {
            assert_eq!(ours(flags), expected(status), "{flags}");
        }
    }
}
