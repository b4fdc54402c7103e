//! `scan`: contracts on a chain and in files of bytecode, with and without their project.

use crate::harness::{Node, Project, REPOSITORY, Run, node};
use insta::assert_snapshot;
use std::path::Path;

const SETTINGS: &str = "[profile.default]\nsolc = \"0.8.30\"\n";

const SOURCES: &str = r#"// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

contract Token {
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;

    function transferFrom(address from, address to, uint256 amount) external returns (bool) {
        allowance[from][msg.sender] -= amount;
        balanceOf[from] -= amount;
        balanceOf[to] += amount;
        return true;
    }
}

contract Bank {
    Token public token;
    address public owner;
    uint256 public total;

    constructor(Token token_) {
        (token, owner) = (token_, msg.sender);
    }

    function deposit(uint256 amount) external {
        token.transferFrom(msg.sender, address(this), amount);
        total += amount;
        assert(total % 1000003 != 77);
    }

    function sweep() external {
        payable(msg.sender).transfer(address(this).balance);
    }

    function retire() external {
        require(msg.sender == owner);
        payable(msg.sender).transfer(address(this).balance);
    }
}

contract Counter {
    uint256 public number;

    function set(uint256 number_) external {
        number = number_;
        assert(number_ != 123456789);
    }
}

contract Proxy {
    constructor(address logic) {
        assembly {
            sstore(0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc, logic)
        }
    }

    fallback() external payable {
        assembly {
            let logic := sload(0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc)
            calldatacopy(0, 0, calldatasize())
            let ok := delegatecall(gas(), logic, 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            if iszero(ok) { revert(0, returndatasize()) }
            return(0, returndatasize())
        }
    }
}
"#;

const LIMITS: &str = "--fuzz-seed 1 --threads 1 --runs 300 --depth 20 --solver none";

/// A project with its contracts on a chain: a token, a bank that owns ether, a counter, and a proxy of the counter.
struct Deployed {
    node: Node,
    project: Project,
    addresses: Vec<String>,
}

impl Deployed {
    fn new() -> Self {
        let project = Project::new(&[("foundry.toml", SETTINGS), ("src/Bank.sol", SOURCES)]);
        project.forge_build().run().exits_with(0);
        let chain = Node::start();
        let script = Path::new(REPOSITORY).join("scripts/deploy.mjs");
        let contracts = ["Token", "Bank,@0,5000000000000000000", "Counter", "Proxy,@2"].map(|contract| {
            let (name, rest) = contract
                .split_once(',')
                .map_or((contract, String::new()), |(name, rest)| (name, format!(",{rest}")));
            format!("{}{rest}", project.root().join(format!("out/Bank.sol/{name}.json")).display())
        });
        let mut args = vec![script.as_path(), Path::new(&chain.url)];
        args.extend(contracts.iter().map(Path::new));
        let addresses = node(&args).lines().map(str::to_owned).collect();
        Self { node: chain, project, addresses }
    }

    fn scan(&self, project: &Project, line: &str) -> Run {
        let line = format!("{line} {LIMITS} --fork-url {}", self.node.url);
        project.command("scan", &line).run()
    }
}

/// Findings as `oracle contract.function location`.
fn findings(run: &Run) -> Vec<String> {
    let json = run.json();
    let suites = json.as_object().unwrap().values();
    let all = suites.flat_map(|suite| suite["harvey"]["findings"].as_array().unwrap().clone());
    let mut all: Vec<String> = all
        .map(|finding| {
            let text = |key: &str| finding[key].as_str().unwrap().to_owned();
            format!("{} {}.{} {}", text("oracle"), text("contract"), text("function"), text("location"))
        })
        .collect();
    all.sort();
    all
}

#[test]
fn contracts_of_a_project_are_scanned_where_they_are_deployed() {
    let deployed = Deployed::new();
    let [_, bank, _, proxy] = &deployed.addresses[..] else { panic!("four addresses") };
    let run = deployed.scan(&deployed.project, &format!("--json --address {bank} --address {proxy}"));
    assert_snapshot!(findings(&run).join("\n"), @r"
    assertion src/Bank.sol:Bank.deposit(uint256) src/Bank.sol:28:9
    assertion src/Bank.sol:Counter.set(uint256) src/Bank.sol:46:9
    ether-leak src/Bank.sol:Bank.sweep() src/Bank.sol:32:9
    ");
    // The real forge runs the reproducers on the same chain.
    let line = format!("--address {bank} --address {proxy} --emit-repro test/repro");
    deployed.scan(&deployed.project, &line).exits_with(1);
    let forge = deployed.project.forge("--match-path test/repro/*").env("FORK_URL", &deployed.node.url);
    let forge = forge.run().exits_with(1);
    assert!(forge.stdout.contains("0 tests passed, 3 failed"), "{}", forge.stdout);
    assert!(!forge.stdout.contains("setUp()"), "{}", forge.stdout);
}

#[test]
fn contracts_without_sources_are_scanned_by_their_interfaces() {
    let deployed = Deployed::new();
    let [_, bank, counter, proxy] = &deployed.addresses[..] else { panic!("four addresses") };
    let artifact = |name: &str| deployed.project.read(format!("out/Bank.sol/{name}.json"));
    let file = |address: &str| format!("sourcify/contracts/full_match/271828/{address}/metadata.json");
    let metadata = |name: &str| {
        let abi: serde_json::Value = serde_json::from_str(&artifact(name)).unwrap();
        format!("{{\"output\":{{\"abi\":{}}}}}", abi["abi"])
    };
    // Sourcify has the metadata of the proxy itself as well.
    let elsewhere = Project::new(&[
        ("Bank.json", &artifact("Bank")),
        ("Counter.json", &artifact("Counter")),
        (&file(counter), &metadata("Counter")),
        (&file(proxy), &metadata("Proxy")),
    ]);
    let named = format!("--address {bank} --abi {bank}=Bank.json --address {proxy} --sourcify sourcify");
    let run = deployed.scan(&elsewhere, &format!("--json {named}"));
    assert_snapshot!(findings(&run).join("\n"), @r"
    assertion 0x9fE46736679d2D9a65F0992F2272dE9f3c7fa6e0:Bank.deposit(uint256) code 0x3d33d65c01b030c747b752d26c3462de0ea52d83e1cfcf6f4e235128b1e9a8f9 at pc 715
    assertion 0xDc64a140Aa3E981100a9becA4E685f962f0cF6C9:Contract.set(uint256) code 0x4480098d41473db69f442cde117895da680c0365eff5f7541dabf888c90a7c2a at pc 131
    ether-leak 0x9fE46736679d2D9a65F0992F2272dE9f3c7fa6e0:Bank.sweep() code 0x3d33d65c01b030c747b752d26c3462de0ea52d83e1cfcf6f4e235128b1e9a8f9 at pc 291
    ");
    let listed = deployed.scan(&elsewhere, &format!("--list {named}")).exits_with(0).stdout;
    assert_snapshot!(listed, @r"
    0x9fE46736679d2D9a65F0992F2272dE9f3c7fa6e0:Bank at 0x9fE46736679d2D9a65F0992F2272dE9f3c7fa6e0
      deposit(uint256)
      owner()
      retire()
      sweep()
      token()
      total()
    0xDc64a140Aa3E981100a9becA4E685f962f0cF6C9:Contract at 0xDc64a140Aa3E981100a9becA4E685f962f0cF6C9, proxy of 0xCf7Ed3AccA5a467e9e704C703E8D87F634fB0Fc9
      number()
      set(uint256)
    ");
    let bytecode = elsewhere.command("scan", &format!("--json --bytecode Counter.json {LIMITS}")).run();
    assert_snapshot!(findings(&bytecode).join("\n"), @"assertion Counter.json:Counter.set(uint256) code 0x4480098d41473db69f442cde117895da680c0365eff5f7541dabf888c90a7c2a at pc 131");
    let runtime =
        elsewhere.command("scan", &format!("--json --deployed-bytecode Counter.json {LIMITS}")).run();
    assert_snapshot!(findings(&runtime).join("\n"), @"assertion Counter.json:Counter.set(uint256) code 0x4480098d41473db69f442cde117895da680c0365eff5f7541dabf888c90a7c2a at pc 131");
}

#[test]
fn what_cannot_be_scanned_is_named() {
    let deployed = Deployed::new();
    let bank = &deployed.addresses[1];
    let abi = r#"[{"type":"function","name":"f","inputs":[],"outputs":[],"stateMutability":"view"}]"#;
    let elsewhere = Project::new(&[
        ("abi.json", abi),
        ("none.json", "[]"),
        ("code.bin", "60__$lib$__00"),
        ("empty.bin", "0x"),
    ]);
    let said = |line: &str| deployed.scan(&elsewhere, line).exits_with(1).stderr;
    assert_snapshot!(said(&format!("--address {bank}")), @"Error: the interface of 0x9fE46736679d2D9a65F0992F2272dE9f3c7fa6e0 is not known: give its ABI by --abi 0x9fE46736679d2D9a65F0992F2272dE9f3c7fa6e0=FILE, or --sourcify DIR, or run in the Foundry project of the contract");
    assert_snapshot!(said("--address 0x00000000000000000000000000000000000000aa --abi abi.json"), @"Error: there is no code at 0x00000000000000000000000000000000000000AA in block 10 of chain 271828");
    assert_snapshot!(said(&format!("--address {bank} --abi abi.json --abi abi.json")), @"Error: --abi abi.json: no contract needs it");
    assert_snapshot!(said("--bytecode code.bin --abi abi.json"), @"Error: code.bin: the code lacks addresses of libraries; link it first");
    assert_snapshot!(said("--bytecode empty.bin --abi abi.json"), @"Error: empty.bin: the code is empty, as that of an interface or an abstract contract");
    let twice = format!("--address {bank} --address {bank} --abi abi.json --abi abi.json");
    assert_snapshot!(said(&twice), @"Error: --address names 0x9fE46736679d2D9a65F0992F2272dE9f3c7fa6e0 twice");
    assert_snapshot!(said(&format!("--address {bank} --abi none.json")), @"Error: the ABI of 0x9fE46736679d2D9a65F0992F2272dE9f3c7fa6e0 has no functions, so there is nothing to call; is it that of another contract?");
    let unit = deployed.scan(&elsewhere, "--bytecode code.bin --unit").exits_with(2);
    assert_snapshot!(unit.stderr, @"Error: --unit is for tests, and `scan` runs none; it is a flag of `forge-harvey test`");
    let offline = elsewhere.command("scan", &format!("--address {bank}")).run().exits_with(1);
    assert_snapshot!(offline.stderr, @"Error: --address needs a chain: name its node by --fork-url URL");
}
