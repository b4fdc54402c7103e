//! Contracts without a test contract: deployed, called, and looked at by oracles.

use crate::harness::{Project, placeholders};
use insta::assert_snapshot;
use serde_json::Value;
use std::{collections::BTreeSet, fs, sync::OnceLock};

const SETTINGS: &str =
    "[profile.default]\nsolc = \"0.8.30\"\n[profile.default.invariant]\nruns = 200\ndepth = 50\n";

const VAULT: &str = r#"// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

interface IOracle {
    function price() external view returns (uint256);
}

contract Oracle is IOracle {
    uint256 public price = 3;
}

contract Vault {
    uint256 public immutable cap;
    IOracle internal immutable oracle;
    bool internal isUnlocked;

    constructor(uint256 cap_, IOracle oracle_) {
        require(cap_ > 10, "cap");
        (cap, oracle) = (cap_, oracle_);
    }

    function unlock(uint256 key) external {
        if (key * oracle.price() == 123456789 + 3 * cap) isUnlocked = true;
    }

    function check(uint256 number) external view {
        if (isUnlocked) assert(number != cap + 77);
    }

    function isSmall() external view {
        assert(cap != 1000123);
    }

    receive() external payable {
        assert(msg.value != 5 ether);
    }
}

contract Stubborn {
    constructor(uint256 number) {
        require(number == 3 && number == 5, "never");
    }

    function fail() external pure {
        assert(false);
    }
}

contract Plain {
    uint256 public number;

    function set(uint256 number_) external {
        number = number_;
    }
}
"#;

fn vault(settings: &str) -> Project {
    Project::new(&[("foundry.toml", &format!("{SETTINGS}{settings}")), ("src/Vault.sol", VAULT)])
}

#[test]
fn what_asserts_is_called_without_a_test_and_what_cannot_be_deployed_is_named() {
    let project = vault("");
    let run = |contract: &str| {
        let line = format!("--fuzz-seed 1 --threads 1 --match-contract ^{contract}$");
        project.ours(&line).run().brief()
    };
    assert_snapshot!(run("Vault"), @r#"
    exit code 1
    Ran 1 test for src/Vault.sol:Vault
    [FAIL: panic: assertion failed (0x01)]
    	[Sequence] (original: 1, shrunk: 1)
    		sender=0x1804c8AB1F12E6bbf3894d4083f33e07309d1f38 addr=[src/Vault.sol:Vault]0xEBFb805aDC4f2E6D09532eC9664a5b24dFEADd6A value=5000000000000000000 calldata=receive() args=[]
     Vault.receive() at src/Vault.sol:35:9 (assertion, calls: 10)
    [FAIL: panic: assertion failed (0x01)]
    	[Sequence] (original: 2, shrunk: 2)
    		sender=0x1804c8AB1F12E6bbf3894d4083f33e07309d1f38 addr=[src/Vault.sol:Vault]0xEBFb805aDC4f2E6D09532eC9664a5b24dFEADd6A calldata=unlock(uint256) args=[41153263 [4.115e7]]
    		sender=0x1804c8AB1F12E6bbf3894d4083f33e07309d1f38 addr=[src/Vault.sol:Vault]0xEBFb805aDC4f2E6D09532eC9664a5b24dFEADd6A calldata=check(uint256) args=[1077]
     Vault.check(uint256) at src/Vault.sol:27:25 (assertion, calls: 45)
    [FAIL: panic: assertion failed (0x01)]
    	[Sequence] (original: 2, shrunk: 2)
    		sender=0x1804c8AB1F12E6bbf3894d4083f33e07309d1f38 addr=[src/Vault.sol:Vault]0xEBFb805aDC4f2E6D09532eC9664a5b24dFEADd6A calldata=constructor(uint256,address) args=[1000123 [1e6], 0x0000000000000000000000000000000000000000]
    		sender=0x1804c8AB1F12E6bbf3894d4083f33e07309d1f38 addr=[src/Vault.sol:Vault]0xEBFb805aDC4f2E6D09532eC9664a5b24dFEADd6A calldata=isSmall() args=[]
     Vault.isSmall() at src/Vault.sol:31:9 (assertion, calls: 99)
    Note: `forge test` cannot replay Vault.receive(), Vault.check(uint256), Vault.isSmall() from its failure file (there is no test contract that Forge could replay it in); `--emit-repro DIR` writes a Solidity test that can
    --- stderr
    {"timestamp":[TIME],"event":"failure","invariant":"receive()","target":"src/Vault.sol:Vault","reason":"panic: assertion failed (0x01)"}
    {"timestamp":[TIME],"event":"failure","invariant":"check(uint256)","target":"src/Vault.sol:Vault","reason":"panic: assertion failed (0x01)"}
    {"timestamp":[TIME],"event":"failure","invariant":"isSmall()","target":"src/Vault.sol:Vault","reason":"panic: assertion failed (0x01)"}
    "#);
    assert_snapshot!(run("Stubborn"), @r"
    exit code 0
    Ran 1 test for src/Vault.sol:Stubborn
    [SKIP: it cannot be deployed: constructor(uint256) reverts for each of 96 sets of arguments, first with: never] scan() (gas: 0)
    ");
    assert!(run("Plain").contains("no tests match the provided pattern"));
}

#[test]
fn suites_with_invariants_take_the_place_of_scans_unless_all_contracts_are_wanted() {
    let project = vault("");
    project.write(
        "test/Vault.t.sol",
        "pragma solidity ^0.8.20;\nimport {Plain} from \"../src/Vault.sol\";\ncontract PlainTest {\n    \
         Plain plain = new Plain();\n    function invariant_any() external view { plain.number(); }\n}\n",
    );
    let listed = |flags: &str| project.ours(&format!("--list --json {flags}")).run().exits_with(0).stdout;
    assert_snapshot!(listed(""), @r#"
    {"test/Vault.t.sol":{"PlainTest":["invariant_any"]}}
    "#);
    assert_snapshot!(listed("--scan"), @r#"
    {"src/Vault.sol":{"Oracle":["scan"],"Plain":["scan"],"Stubborn":["scan"],"Vault":["scan"]},"test/Vault.t.sol":{"PlainTest":["invariant_any"]}}
    "#);
    assert_snapshot!(listed("--scan --match-contract Vault$"), @r#"
    {"src/Vault.sol":{"Vault":["scan"]}}
    "#);
}

#[test]
fn findings_are_kept_replayed_and_not_forgotten_by_those_who_do_not_look_for_them() {
    let project = Project::copy_of("testdata/oracles");
    let found = |line: &str| {
        let run = project.ours(line).run();
        let report: Value = serde_json::from_str(&run.stdout).unwrap();
        report["src/UncheckedCall.sol:UncheckedCallBad"]["harvey"]["findings"].as_array().map(Vec::len)
    };
    let only = "--scan --match-contract UncheckedCallBad --fuzz-seed 1 --json";
    assert_eq!(found(&format!("{only} --oracles unchecked-call --runs 100")), Some(1));
    assert_eq!(found(&format!("{only} --runs 1 --depth 1")), Some(0));
    assert_eq!(found(&format!("{only} --oracles unchecked-call --runs 1 --depth 1")), Some(1));
    let run = project.command("replay", "--match-contract UncheckedCallBad").run().exits_with(1);
    assert!(run.stdout.contains("unchecked-call, replayed"), "{}", run.shown());
    assert!(run.stdout.contains("UncheckedCallBad::repay()"), "{}", run.shown());
}

#[test]
fn an_oracle_that_is_none_is_an_error() {
    let run = vault("").ours("--oracles reentrance").run().exits_with(1);
    assert_snapshot!(run.brief(), @r"
    exit code 1
    --- stderr
    Error: no oracle is named `reentrance`; there are all, assertion, arbitrary-write, ether-leak, token-leak, excess-withdrawal, integer-overflow, reentrancy, unchecked-call, failed-call-dos, gas-exhaustion, requirement-violation, panic, arbitrary-jump, delegatecall, ownership-takeover, selfdestruct, tx-origin, freezing-ether, gasless-send, timestamp-dependence, block-number-dependence for setting `harvey.oracles`
      --> flag --oracles
    ");
}

/// Searched once for all tests of oracles.
fn pairs() -> &'static (Project, Value, String) {
    static PAIRS: OnceLock<(Project, Value, String)> = OnceLock::new();
    PAIRS.get_or_init(|| {
        let project = Project::copy_of("testdata/oracles");
        let line = "--scan --oracles all --fuzz-seed 1 --runs 300 --report json=report.json --report sarif=report.sarif \
                    --emit-repro test/repro";
        let run = project.ours(line).run().exits_with(1);
        let report = serde_json::from_str(&project.read("report.json")).unwrap();
        (project, report, run.stdout)
    })
}

/// Oracles that report something of a contract.
fn oracles(report: &Value, contract: &str) -> BTreeSet<String> {
    let suites = report.as_object().unwrap();
    let (_, suite) = suites.iter().find(|(id, _)| id.ends_with(&format!(":{contract}"))).unwrap();
    let findings = suite["harvey"]["findings"].as_array().unwrap();
    findings.iter().map(|finding| finding["oracle"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn every_oracle_sees_its_bug_and_not_its_twin() {
    let (project, report, _) = pairs();
    let mut seen = BTreeSet::new();
    for file in fs::read_dir(project.root().join("src")).unwrap().map(Result::unwrap) {
        let name = file.file_name().to_str().unwrap().trim_end_matches(".sol").to_owned();
        let dashed = |letter: char| match letter.is_uppercase() {
            true => format!("-{}", letter.to_lowercase()),
            false => letter.to_string(),
        };
        let id = name.chars().map(dashed).collect::<String>().trim_start_matches('-').to_owned();
        assert!(oracles(report, &format!("{name}Bad")).contains(&id), "{id} misses its bug");
        assert!(!oracles(report, &format!("{name}Good")).contains(&id), "{id} sees what is not there");
        seen.insert(id);
    }
    let sarif: Value = serde_json::from_str(&project.read("report.sarif")).unwrap();
    let rules = sarif["runs"][0]["tool"]["driver"]["rules"].as_array().unwrap();
    let rules: BTreeSet<String> = rules.iter().map(|rule| rule["id"].as_str().unwrap().to_owned()).collect();
    let of_tests = ["invariant", "test"].map(str::to_owned).into();
    assert_eq!(&rules - &of_tests, seen, "an oracle without a pair");
}

#[test]
fn every_finding_fails_as_a_test_under_plain_forge() {
    let (project, report, stdout) = pairs();
    let findings = |suite: &Value| suite["harvey"]["findings"].as_array().map_or(0, Vec::len);
    let found: usize = report.as_object().unwrap().values().map(findings).sum();
    // No test can let the first call of a contract pass and answer a later one.
    let left_out = stdout.matches("No reproducer of ").count();
    let written = stdout.matches("Reproducer: ").count();
    assert_eq!(written + left_out, found, "{}", placeholders(stdout));
    assert!(left_out <= 2, "{}", placeholders(stdout));
    let forge = project.forge("--match-path test/repro/*").run().exits_with(1);
    assert!(forge.stdout.contains(&format!("0 tests passed, {written} failed")), "{}", forge.shown());
}

/// Sources of 2016 and 2017: the DAO, Parity's wallet, a token whose sums wrap.
#[test]
fn classic_contracts_are_scanned() {
    let project = Project::copy_of("testdata/labelled");
    project.write(
        "foundry.toml",
        "[profile.default]\nsrc = \".\"\n[profile.default.invariant]\ndepth = 100\nruns = 200\n",
    );
    let line = "--scan --oracles all --fuzz-seed 1 --json --match-contract ^(DaoFund|ParityWallet|BatchToken)(Bad|Good)$";
    let report = project.ours(line).run().exits_with(1).json();
    for (name, oracle) in
        [("DaoFund", "reentrancy"), ("ParityWallet", "delegatecall"), ("BatchToken", "integer-overflow")]
    {
        assert!(oracles(&report, &format!("{name}Bad")).contains(oracle), "{name}: no {oracle}");
        assert!(oracles(&report, &format!("{name}Good")).is_empty(), "{name}: a false alarm");
    }
}

const CLUB: &str = r#"// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

interface IMember {
    function word() external returns (bytes32);
}

contract Club {
    mapping(address => uint256) public credits;

    function join() external {
        require(credits[msg.sender] == 0, "joined");
        require(IMember(msg.sender).word() == keccak256("welcome"), "who are you?");
        credits[msg.sender] += 20;
    }
}
"#;

/// The right word is a hash, and both calls must get it.
#[test]
fn an_actor_says_what_a_contract_wants_to_hear_and_so_does_its_reproducer() {
    let project = Project::new(&[("foundry.toml", SETTINGS), ("src/Club.sol", CLUB)]);
    let line = "--scan --oracles reentrancy --fuzz-seed 1 --runs 2000 --json --emit-repro test/repro";
    let report = project.ours(line).run().exits_with(1).json();
    assert!(oracles(&report, "Club").contains("reentrancy"), "{report}");
    let forge = project.forge("--match-path test/repro/*").run().exits_with(1);
    assert!(forge.stdout.contains("0 tests passed, 1 failed"), "{}", forge.shown());
}

#[test]
fn a_suite_with_a_handler_is_looked_at_on_request() {
    let source = "pragma solidity ^0.8.20;\ncontract Till {\n    uint256 public paid;\n    \
                  function pay(address to) external {\n        paid += 1;\n        to.call(\"\");\n    }\n}\n";
    let test = "pragma solidity ^0.8.20;\nimport {Till} from \"../src/Till.sol\";\ncontract Handler {\n    \
                Till till = new Till();\n    function pay() external {\n        address(this).call(\"\");\n        \
                till.pay(address(this));\n    }\n}\ncontract TillTest {\n    Handler handler = new Handler();\n    \
                function targetContracts() external view returns (address[] memory all) {\n        \
                (all = new address[](1))[0] = address(handler);\n    }\n    function invariant_any() external {}\n}\n";
    let files = [("foundry.toml", SETTINGS), ("src/Till.sol", source), ("test/Till.t.sol", test)];
    let project = Project::new(&files);
    let found = |flags: &str| {
        let report = project.ours(&format!("--runs 5 --depth 5 --json {flags}")).run().json();
        let findings = report["test/Till.t.sol:TillTest"]["harvey"]["findings"].as_array().unwrap().clone();
        findings.iter().map(|finding| finding["location"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert!(found("").is_empty());
    assert_eq!(
        found("--oracles unchecked-call"),
        ["src/Till.sol:6:9"],
        "only the tested contract's own call"
    );
}

#[test]
fn a_scan_goes_on_without_the_files_that_do_not_compile() {
    let project = vault("");
    project
        .write("src/Broken.sol", "pragma solidity ^0.8.20;\ncontract Broken {\n    uint256 x = true;\n}\n");
    let run = project.ours("--scan --match-contract ^Plain$ --runs 2 --fuzz-seed 1").run().exits_with(0);
    assert!(run.stdout.contains("Left out src/Broken.sol, which does not compile"), "{}", run.shown());
    assert!(run.stdout.contains("Ran 1 test for src/Vault.sol:Plain"), "{}", run.shown());
    let run = project.ours("--match-contract ^Vault$ --runs 2").run().exits_with(1);
    assert!(run.stderr.contains("Broken.sol"), "{}", run.shown());
}

/// This compiler is older than the standard JSON input.
#[test]
fn a_contract_of_2017_is_scanned_by_its_own_compiler() {
    let source = "pragma solidity 0.4.9;\ncontract Till {\n    uint256 public paid;\n    \
                  function pay(address to) {\n        paid += 1;\n        to.call();\n    }\n}\n";
    let settings = "[profile.default.invariant]\nruns = 20\ndepth = 10\n";
    let project = Project::new(&[("foundry.toml", settings), ("src/Till.sol", source)]);
    let report =
        project.ours("--scan --oracles unchecked-call --fuzz-seed 1 --json").run().exits_with(1).json();
    let finding = &report["src/Till.sol:Till"]["harvey"]["findings"][0];
    assert_eq!(finding["location"], "src/Till.sol:6:9", "{report}");
}

/// The ranges are so narrow that only what the constructor compares can tell them.
#[test]
fn arguments_of_a_constructor_are_corrected_by_what_it_compares() {
    let source = "pragma solidity ^0.8.20;\ncontract Fair {\n    \
                  constructor(uint256 price, int64 shift, uint256 seats) payable {\n        \
                  require(price >= 31 * 37 * 41 && price <= 31 * 37 * 41 + 9, \"price\");\n        \
                  require(shift < -77 * 79 && shift > -77 * 79 - 3, \"shift\");\n        \
                  require(seats != 0 && seats * 2 != 0 && seats < 53 * 59 && 53 * 59 - 2 < seats, \"seats\");\n        \
                  require(msg.value == 61 * 67, \"stake\");\n    }\n    \
                  function fail() external pure {\n        assert(false);\n    }\n}\n";
    let project = Project::new(&[("foundry.toml", SETTINGS), ("src/Fair.sol", source)]);
    let run = project.ours("--scan --fuzz-seed 1 --runs 2").run().exits_with(1);
    assert!(run.stdout.contains("Fair.fail()"), "{}", run.shown());
}

const INTEREST: &str = r#"// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

contract Interest {
    struct Deposit {
        uint128 amount;
        uint64 since;
    }

    address public immutable owner = msg.sender;
    uint256 public budget;
    mapping(address => Deposit[]) private deposits;

    function fund() external payable {
        require(msg.sender == owner, "not the owner");
        budget += msg.value;
    }

    function save() external payable {
        require(msg.value > 0, "nothing");
        require(deposits[msg.sender].length < 8, "too many");
        deposits[msg.sender].push(Deposit(uint128(msg.value), uint64(block.timestamp)));
    }

    function leave() external {
        uint256 sum = 0;
        Deposit[] storage mine = deposits[msg.sender];
        for (uint256 i = 0; i < mine.length; ++i) {
            uint256 reward = (block.timestamp - mine[i].since) * 3;
            if (reward > budget) reward = budget;
            budget -= reward;
            sum += mine[i].amount + reward;
        }
        delete deposits[msg.sender];
        (bool ok, ) = msg.sender.call{value: sum}("");
        require(ok, "payment failed");
    }
}
"#;

/// Interest by the second is no draw, although products of a time are checked for wraps, and a sum that is zero
/// before the loop is paid out.
#[test]
fn interest_is_neither_luck_nor_frozen() {
    let project = Project::new(&[("foundry.toml", SETTINGS), ("src/Interest.sol", INTEREST)]);
    let line = "--scan --oracles timestamp-dependence,freezing-ether --fuzz-seed 1 --runs 200 --json";
    let report = project.ours(line).run().exits_with(0).json();
    assert!(oracles(&report, "Interest").is_empty(), "{report}");
}

const MARKET: &str = r#"// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

contract Coin {
    mapping(address => uint256) public balanceOf;

    function transferFrom(address from, address to, uint256 amount) external returns (bool) {
        require(balanceOf[from] >= amount, "too little");
        balanceOf[from] -= amount;
        balanceOf[to] += amount;
        return true;
    }
}

contract Points {
    mapping(address => uint256) public points;

    function spend(address holder, uint256 amount) external {
        require(points[holder] >= amount, "too few");
        points[holder] -= amount;
    }
}

contract Market {
    Coin private coin = new Coin();
    Points private points = new Points();
    address payable private seller = payable(msg.sender);
    uint256 private start = block.timestamp;

    function deposit(address from, uint256 amount) external {
        coin.transferFrom(from, address(this), amount);
    }

    function redeem(uint256 amount) external {
        points.spend(msg.sender, amount);
    }

    function buy() external payable {
        uint256 late = block.timestamp - start;
        require(late < 1000 && msg.value == (1000 - late) * 3, "not the price");
        seller.transfer(msg.value);
    }
}
"#;

#[test]
fn refusals_of_tokens_and_falling_prices_are_no_findings() {
    let project = Project::new(&[("foundry.toml", SETTINGS), ("src/Market.sol", MARKET)]);
    let line = "--scan --oracles requirement-violation,timestamp-dependence --fuzz-seed 1 --runs 200 --json";
    let report = project.ours(&format!("{line} --mc ^Market$")).run().exits_with(0).json();
    assert!(oracles(&report, "Market").is_empty(), "{report}");
}

const PASSES: &str = r#"// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

interface IReceiver {
    function onPass(uint256 id) external;
}

contract Passes {
    uint256 public sold;
    mapping(address => uint256) public passes;
    mapping(address => bool) public has;

    function buy() external payable {
        require(!has[msg.sender], "one for each");
        require(msg.value == 0.02 ether, "not the price");
        sold += 1;
        passes[msg.sender] += 1;
        if (msg.sender.code.length > 0) IReceiver(msg.sender).onPass(sold);
        has[msg.sender] = true;
    }
}
"#;

/// Both calls must pay.
#[test]
fn a_callback_pays_like_the_call_that_it_answers() {
    let project = Project::new(&[("foundry.toml", SETTINGS), ("src/Passes.sol", PASSES)]);
    let line = "--scan --oracles reentrancy --fuzz-seed 1 --runs 2000 --json --emit-repro test/repro";
    let report = project.ours(line).run().exits_with(1).json();
    assert!(oracles(&report, "Passes").contains("reentrancy"), "{report}");
    let forge = project.forge("--match-path test/repro/*").run().exits_with(1);
    assert!(forge.stdout.contains("0 tests passed, 1 failed"), "{}", forge.shown());
}

const CACHE: &str = r#"// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

contract Cache {
    mapping(bytes32 => address) public made;

    function write(bytes memory code) external {
        address target;
        assembly {
            target := create(0, add(code, 32), mload(code))
            if iszero(extcodesize(target)) { revert(0, 0) }
        }
        made[keccak256(code)] = target;
    }
}
"#;

/// The code that the caller gives has an INVALID soon.
#[test]
fn code_that_a_caller_chooses_asserts_nothing() {
    let project = Project::new(&[("foundry.toml", SETTINGS), ("src/Cache.sol", CACHE)]);
    let report = project.ours("--scan --fuzz-seed 1 --runs 2000 --json").run().exits_with(0).json();
    assert!(oracles(&report, "Cache").is_empty(), "{report}");
}

/// What readers of findings in contracts from Etherscan called false alarms.
const INNOCENT: &str = r#"// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

interface IAuthority {
    function canCall(address who) external returns (bool);
}

contract Appointed {
    address internal owner = msg.sender;
    IAuthority internal authority;
    uint256 internal changes;

    modifier auth() {
        require(msg.sender == owner || authority.canCall(msg.sender), "not allowed");
        _;
    }

    function setAuthority(IAuthority authority_) external auth {
        authority = authority_;
        changes++;
    }

    function execute(address target, bytes calldata data) external auth {
        (bool success,) = target.delegatecall(data);
        require(success, "failed");
    }
}

contract Sale {
    address internal owner = msg.sender;
    uint256 internal cap;
    uint256 public sold;

    constructor(uint256 units) {
        setCap(units);
    }

    function setCap(uint256 units) public {
        require(msg.sender == owner, "not the owner");
        unchecked {
            cap = units * 1 ether;
        }
    }

    function buy() external payable {
        require(sold + msg.value <= cap, "sold out");
        sold += msg.value;
        payable(owner).transfer(msg.value);
    }
}

contract Till {
    address internal owner = msg.sender;
    address payable internal wallet;
    mapping(address => Bet) internal bets;

    struct Bet {
        uint128 amount;
        uint48 at;
    }

    receive() external payable {}

    function setWallet(address payable wallet_) external {
        require(msg.sender == owner, "not the owner");
        wallet = wallet_;
    }

    function empty() external {
        require(msg.sender == owner, "not the owner");
        wallet.transfer(address(this).balance);
    }

    function refund() external payable {
        require(bets[msg.sender].at != uint48(block.number), "once a block");
        bets[msg.sender] = Bet(uint128(msg.value), uint48(block.number));
        payable(msg.sender).transfer(msg.value);
    }
}

contract Savings {
    uint256 internal start = block.timestamp;
    mapping(uint256 => uint256) internal paid;
    mapping(address => uint256) internal deposits;
    mapping(address => uint256) internal since;
    uint256 internal round;

    function deposit() external payable {
        uint256 today = (block.timestamp - start) / 1 days;
        if (today != round) round = today;
        deposits[msg.sender] += msg.value;
        since[msg.sender] = block.timestamp;
    }

    function withdraw() external {
        uint256 interest = deposits[msg.sender] * (block.timestamp - since[msg.sender]) / 365 days;
        uint256 amount = deposits[msg.sender] + interest;
        require((block.timestamp - start) / 1 days == round, "deposit first");
        deposits[msg.sender] = 0;
        payable(msg.sender).transfer(amount);
    }
}

contract Sum {
    uint256 internal total;

    function tell(address who) external {
        (bool success,) = who.call("");
        require(success, "failed");
    }

    function add(uint256 amount) external {
        unchecked {
            total += amount;
        }
        require(total >= amount && total < 1e30, "too much");
    }
}

contract Receiver {
    receive() external payable {}
}

contract Account is Receiver {
    address internal owner = msg.sender;

    function pay(address payable to) external {
        require(msg.sender == owner, "not the owner");
        to.transfer(address(this).balance);
    }
}
"#;

#[test]
fn what_owners_choose_and_what_time_earns_is_no_finding() {
    let project = Project::new(&[("foundry.toml", SETTINGS), ("src/Innocent.sol", INNOCENT)]);
    let oracles = "reentrancy,delegatecall,integer-overflow,gasless-send,freezing-ether,timestamp-dependence,\
                   block-number-dependence";
    let report =
        project.ours(&format!("--scan --oracles {oracles} --fuzz-seed 1 --runs 500 --json")).run().json();
    let found = report
        .as_object()
        .unwrap()
        .values()
        .flat_map(|suite| suite["harvey"]["findings"].as_array().unwrap());
    let found: Vec<_> =
        found.map(|finding| (&finding["contract"], &finding["oracle"], &finding["location"])).collect();
    assert!(found.is_empty(), "{found:?}");
}
