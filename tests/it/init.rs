//! `forge-harvey init CONTRACT`: suites that compile and pass, here and under forge.

use crate::harness::Project;
use insta::assert_snapshot;

const VAULT: &str = r"
pragma solidity ^0.8.20;

contract Token {
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;

    function mint(address to, uint256 amount) external {
        balanceOf[to] += amount;
    }

    function approve(address spender, uint256 amount) external {
        allowance[msg.sender][spender] = amount;
    }

    function transfer(address to, uint256 amount) public {
        balanceOf[msg.sender] -= amount;
        balanceOf[to] += amount;
    }

    function transferFrom(address from, address to, uint256 amount) external {
        allowance[from][msg.sender] -= amount;
        balanceOf[from] -= amount;
        balanceOf[to] += amount;
    }
}

contract Vault {
    Token public immutable token;
    address public owner;
    uint256 public total;
    uint256 public fee;
    mapping(address => uint256) public shares;

    constructor(Token token_, address owner_, uint256 fee_) {
        require(fee_ >= 10 && fee_ <= 500, 'fee');
        (token, owner, fee) = (token_, owner_, fee_);
    }

    function deposit(uint256 amount) external {
        require(amount > 0, 'nothing');
        token.transferFrom(msg.sender, address(this), amount);
        shares[msg.sender] += amount;
        total += amount;
    }

    function withdraw(uint256 amount, address to) external returns (uint256 paid) {
        require(to != address(0), 'nobody');
        require(amount <= shares[msg.sender], 'too much');
        shares[msg.sender] -= amount;
        total -= amount;
        paid = amount;
        token.transfer(to, paid);
    }

    function setFee(uint256 fee_) external {
        require(msg.sender == owner, 'owner');
        require(fee_ <= 500, 'fee');
        fee = fee_;
    }
}
";

/// Returns the percentage of calls that succeed, for each function of the handler.
fn rates(stdout: &str) -> Vec<(&str, u32)> {
    let rows = stdout.lines().filter_map(|line| line.trim().split_once("Handler."));
    rows.filter_map(|(_, row)| {
        let mut words = row.split_whitespace();
        Some((words.next()?, words.next()?.parse().ok()?))
    })
    .collect()
}

const UNIT_TEST: &str = r"
pragma solidity ^0.8.20;

import {Token, Vault} from '../src/Vault.sol';

interface Vm {
    function label(address account, string calldata name) external;
    function prank(address sender) external;
}

contract VaultTest {
    Vm internal constant vm = Vm(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D);
    address internal constant treasurer = address(0x7ea5);
    Token internal token;
    Vault internal vault;

    function setUp() public {
        vm.label(treasurer, 'treasurer');
        token = new Token();
        vault = new Vault(token, address(this), 100);
        token.mint(treasurer, 750);
        vm.prank(treasurer);
        token.approve(address(vault), 750);
    }

    function test_deposit() public {
        vm.prank(treasurer);
        vault.deposit(750);
    }
}
";

#[test]
fn accounts_have_the_names_that_unit_tests_give_them() {
    let files = [("foundry.toml", ""), ("src/Vault.sol", VAULT), ("test/Vault.t.sol", UNIT_TEST)];
    let project = Project::new(&files);
    project.command("init", "Vault").run().exits_with(0);
    let suite = project.read("test/VaultInvariants.t.sol");
    let accounts =
        ["owner", "treasurer", "alice"].map(|name| format!("accounts.push(makeAddr(\"{name}\"));"));
    let wanted = accounts.join("\n        ");
    assert!(suite.contains(&wanted), "{wanted} is not in\n{suite}");
}

#[test]
fn a_vault_gets_tokens_a_handler_and_invariants_that_hold_under_forge() {
    let project = Project::new(&[
        ("foundry.toml", "[profile.default.invariant]\nruns = 20\ndepth = 50"),
        ("src/Vault.sol", VAULT),
    ]);
    let run = project.command("init", "Vault").run().exits_with(0);
    let rates = rates(&run.stdout);
    assert_eq!(
        rates.iter().map(|(name, _)| *name).collect::<Vec<_>>(),
        ["deposit", "read", "setFee", "withdraw"]
    );
    assert!(rates.iter().all(|(_, rate)| *rate >= 75), "{}", run.shown());
    let suite = project.read("test/VaultInvariants.t.sol");
    for part in [
        "vault = new Vault(token, accounts[1], ",
        "fee = _amount(fee, 500);",
        "tokenOut += amount;",
        "token.mint(accounts[i], 1_000_000 ether);",
        "token.approve(address(vault), type(uint256).max);",
        "amount = _amount(amount, token.balanceOf(sender));",
        "amount = _amount(amount, vault.shares(sender));",
        "address sender = _mostly(vault.owner(), caller);",
        "tokenIn += amount;",
        "function invariant_sum_of_shares_equals_total()",
        "assertEq(token.balanceOf(address(vault)) + handler.tokenOut(), handler.tokenIn());",
    ] {
        assert!(suite.contains(part), "{part} is not in\n{suite}");
    }
    let forge = project.forge("").run().exits_with(0);
    assert_eq!(forge.stdout.matches("[PASS] invariant_").count(), 3, "{}", forge.shown());
    assert_eq!(forge.stdout.matches("[SKIP] invariant_writeThisOne()").count(), 1, "{}", forge.shown());
}

#[test]
fn a_project_without_a_token_gets_one() {
    let vault = VAULT.replace("contract Token {", "abstract contract Token {");
    let project = Project::new(&[("foundry.toml", ""), ("src/Vault.sol", &vault)]);
    let run = project.command("init", "Vault").run().exits_with(0);
    assert!(run.stdout.contains("Wrote test/mocks/TestToken.sol\n"), "{}", run.shown());
    assert!(rates(&run.stdout).iter().all(|(_, rate)| *rate >= 75), "{}", run.shown());
    assert!(project.read("test/mocks/TestToken.sol").contains("contract TestToken {"));
}

const NUMBERED: &str = r"
pragma solidity ^0.8.20;

contract Notes {
    struct Note { address writer; uint64 due; bytes32 text; }
    enum Kind { Short, Long, Endless }
    mapping(uint256 => address) public ownerOf;
    mapping(uint256 => uint256) public due;
    uint256 public last = 1_000;

    function write(Note calldata note, Kind kind, uint8[] calldata marks) external returns (uint256 id) {
        require(note.due > block.timestamp && note.writer != address(0) && marks.length > 0);
        require(kind != Kind.Endless || note.due > block.timestamp + 1 days);
        id = ++last;
        ownerOf[id] = note.writer;
        due[id] = note.due;
    }

    function tear(uint256 id) external {
        require(ownerOf[id] == msg.sender, 'not yours');
        ownerOf[id] = address(0xdead);
    }
}
";

#[test]
fn identifiers_come_from_earlier_calls_and_structs_are_made_of_their_members() {
    let project = Project::new(&[("foundry.toml", ""), ("src/Notes.sol", NUMBERED)]);
    let run = project.command("init", "Notes").run().exits_with(0);
    let rates = rates(&run.stdout);
    assert!(rates.iter().all(|(_, rate)| *rate >= 50), "{}", run.shown());
    let suite = project.read("test/NotesInvariants.t.sol");
    assert!(suite.contains("Notes.Note(") && suite.contains("type(Notes.Kind).max"), "{suite}");
    assert!(suite.contains("notes.ownerOf(") && suite.contains("writeCalls.push("), "{suite}");
}

const HOUSE: &str = r"
pragma solidity ^0.8.20;

contract Registry {
    address public immutable keeper;
    constructor(address keeper_) { require(keeper_ != address(0)); keeper = keeper_; }
    function ok() external pure returns (bool) { return true; }
}

contract Engine {
    uint256 public price;
    constructor(uint256 price_) { require(price_ == 31337); price = price_; }
}

contract Coin {
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;
    uint256 public totalSupply;
    function setBalance(address account, uint256 amount) external { balanceOf[account] = amount; }
    function approve(address spender, uint256 amount) external returns (bool) {
        allowance[msg.sender][spender] = amount;
        return true;
    }
    function transfer(address to, uint256 amount) external returns (bool) {
        balanceOf[msg.sender] -= amount;
        balanceOf[to] += amount;
        return true;
    }
    function transferFrom(address from, address to, uint256 amount) external returns (bool) {
        allowance[from][msg.sender] -= amount;
        balanceOf[from] -= amount;
        balanceOf[to] += amount;
        return true;
    }
}

abstract contract Base {
    struct Sale { Coin coin; uint256 amount; }
    uint256 public sold;
    constructor(address a, address b, uint256 c) {
        require(Registry(a).ok() && Engine(b).price() == 31337 && c == 777_777);
    }
    function buy(Sale calldata sale) external {
        require(sale.amount > 0);
        sale.coin.transferFrom(msg.sender, address(this), sale.amount);
        sold += sale.amount;
    }
}

contract House is Base {
    constructor(address a, address b, uint256 c) Base(a, b, c) {}
}

contract Plain is Base {
    constructor(address a, address b, uint256 c) Base(a, b, c) {}
}
";

const HOUSE_TEST: &str = r"
pragma solidity ^0.8.20;
import {House, Registry, Engine} from 'src/House.sol';

contract HouseTest {
    House house;
    function setUp() public {
        house = new House(address(new Registry(address(this))), address(new Engine(31337)), 777_777);
    }
    function test_nothing_is_sold() public view { require(house.sold() == 0); }
}
";

#[test]
fn a_contract_is_created_as_a_unit_test_creates_it() {
    let files = [("foundry.toml", ""), ("src/House.sol", HOUSE), ("test/House.t.sol", HOUSE_TEST)];
    let project = Project::new(&files);
    let run = project.command("init", "House").run().exits_with(0);
    assert!(rates(&run.stdout).iter().all(|(_, rate)| *rate >= 75), "{}", run.shown());
    let suite = project.read("test/HouseInvariants.t.sol");
    for part in [
        "registry = new Registry(accounts[0]);",
        "engine = new Engine(31_337);",
        "house = new House(address(registry), address(engine), 777_777);",
        "coin.setBalance(accounts[i], ",
        "Base.Sale(coin, ",
    ] {
        assert!(suite.contains(part), "{part} is not in\n{suite}");
    }
    project.forge("--match-contract HouseInvariants").run().exits_with(0);

    let run = project.command("init", "Plain").run().exits_with(1);
    assert_snapshot!(run.stderr.lines().skip_while(|line| !line.starts_with("Error")).collect::<Vec<_>>().join("\n"), @"
    Error: src/House.sol:Plain: it cannot be deployed: constructor(address,address,uint256) reverts for each of 96 sets of arguments, first with: call to non-contract address 0x1804c8AB1F12E6bbf3894d4083f33e07309d1f38, an account that was given as a
    Write a unit test whose setUp creates Plain: what it gives the constructor is tried first.
    ");
}

#[test]
fn a_contract_that_cannot_be_deployed_is_an_error_and_leaves_no_file() {
    let source = "pragma solidity ^0.8.0; contract Never { constructor() { revert('never'); } function act() external {} }";
    let project = Project::new(&[("foundry.toml", ""), ("src/Never.sol", source)]);
    let run = project.command("init", "Never").run().exits_with(1);
    assert_snapshot!(run.stderr, @"Error: src/Never.sol:Never: it cannot be deployed: its constructor reverts: never");
    assert!(!project.root().join("test/NeverInvariants.t.sol").exists());
}
