//! Snapshot of a suite.

use super::*;
use crate::model::{
    Deployment, Scene, TargetFunction,
    handler::{Amount, AmountChange, ArgumentLeaf, AskedAccount, Funding, Getter, Token, ValueChoice},
};
use alloy_dyn_abi::DynSolType;
use alloy_primitives::{Address, Bytes, U256};

const VAULT: [&str; 6] = [
    "constructor(address asset)",
    "function deposit(uint256 assets, address receiver) returns (uint256 shares)",
    "function close(uint64 id)",
    "function setFee(uint16 fee)",
    "function owner() view returns (address)",
    "function totalSupply() view returns (uint256)",
];

fn getter(of: ContractRole, name: &str, about: Vec<AskedAccount>) -> Getter {
    Getter { of, name: name.to_owned(), about }
}

fn leaf(name: &str, ty: DynSolType, choice: ValueChoice) -> ArgumentLeaf {
    ArgumentLeaf { name: name.to_owned(), ty, is_array: false, choice }
}

fn called(abi: &JsonAbi, name: &str, sender: ValueChoice, leaves: Vec<ArgumentLeaf>) -> HandlerFunction {
    let function = abi.function(name).expect("a function")[0].clone();
    HandlerFunction {
        function: Arc::new(TargetFunction::new(function)),
        is_ending: false,
        sender,
        value: None,
        length: None,
        leaves,
        flows: vec![AmountChange::None],
    }
}

fn built(path: &str, name: &str, address: Address, args: Bytes) -> Deployment {
    let contract = ContractId { path: path.to_owned(), name: name.to_owned() };
    Deployment { contract, address, args, value: U256::ZERO }
}

fn model(abi: &JsonAbi) -> HandlerModel {
    let token = Address::repeat_byte(1);
    let balance = getter(ContractRole::Dependency(0), "balanceOf", vec![AskedAccount::Sender]);
    let mut deposit = called(
        abi,
        "deposit",
        ValueChoice::Account,
        vec![
            leaf("assets", DynSolType::Uint(256), ValueChoice::UpTo(balance)),
            leaf("receiver", DynSolType::Address, ValueChoice::Account),
        ],
    );
    deposit.flows = vec![AmountChange::In(Amount::Leaf(0))];
    let close = called(
        abi,
        "close",
        ValueChoice::One(1),
        vec![leaf("id", DynSolType::Uint(64), ValueChoice::Returned(0))],
    );
    let owner = getter(ContractRole::Subject, "owner", Vec::new());
    let most = ValueChoice::Range(U256::ZERO, U256::from(10_000));
    let fee = leaf("fee", DynSolType::Uint(16), most);
    let set_fee = called(abi, "setFee", ValueChoice::Equal(owner), vec![fee]);
    let scene = Scene {
        deployer: Some(Address::ZERO),
        actors: Vec::new(),
        named: Vec::new(),
        prepared: crate::model::PreparedState::default(),
        origin: crate::model::CodeOrigin::default(),
        dependencies: vec![built("src/Token.sol", "Token", token, Bytes::new())],
        guessed: Vec::new(),
        contract: built("src/Vault.sol", "Vault", Address::ZERO, token.into_word().0.to_vec().into()),
        copied: crate::model::Copied::default(),
        initializers: Vec::new(),
        can_pay: false,
    };
    HandlerModel {
        scene,
        names: Vec::new(),
        has_holder: false,
        accounts: [2, 3].map(Address::repeat_byte).to_vec(),
        tokens: vec![Token {
            dependency: 0,
            funding: Funding::Mint("mint".to_owned()),
            amount: U256::from(1000),
        }],
        functions: vec![deposit, close, set_fee],
        set_up: Vec::new(),
        quantities: vec![Quantity::Tokens(0)],
        facts: Vec::new(),
        reads_time: false,
        states: 12,
    }
}

#[test]
fn a_suite_deploys_a_contract_and_calls_it_within_the_learned_bounds() {
    let abi = JsonAbi::parse(VAULT).expect("an interface");
    let supply = getter(ContractRole::Subject, "totalSupply", Vec::new());
    let balances = getter(ContractRole::Subject, "balanceOf", vec![AskedAccount::Account]);
    let owner = getter(ContractRole::Subject, "owner", Vec::new());
    let facts = [Fact::SumEquals(balances, supply), Fact::Conserved(0), Fact::Constant(owner)];
    let written = suite(&StarterInput {
        contract: &ContractId { path: "src/Vault.sol".into(), name: "Vault".into() },
        abi: &abi,
        import: "../src/Vault.sol",
        interfaces: &[("../src/Token.sol".to_owned(), Arc::default())],
        model: &model(&abi),
        facts: &facts,
        find: &|_| None,
        has_forge_std: true,
    })
    .expect("a suite");
    insta::assert_snapshot!(written.source, @r#"
    // SPDX-License-Identifier: UNLICENSED
    pragma solidity >=0.8.8;

    import {Token} from "../src/Token.sol";
    import {Vault} from "../src/Vault.sol";
    import {Test} from "forge-std/Test.sol";

    /// Calls Vault as its users do. The bounds are those with which most calls succeed.
    contract VaultHandler is Test {
        Token internal token;
        Vault internal vault;
        address[] internal accounts;

        // Amounts that came in, and that went out.
        uint256 public tokenIn;
        uint256 public tokenOut;

        struct DepositCall {
            uint256 result;
        }

        DepositCall[] internal depositCalls;

        constructor(Token token_, Vault vault_, address[] memory accounts_) {
            token = token_;
            vault = vault_;
            accounts = accounts_;
            tokenIn = token.balanceOf(address(vault));
        }

        function deposit(uint256 caller, uint256 assets, uint256 receiver) external {
            address sender = _account(caller);
            assets = _amount(assets, token.balanceOf(sender));
            vm.prank(sender);
            uint256 result = vault.deposit(assets, _receiver(receiver));
            tokenIn += assets;
            depositCalls.push(DepositCall(result));
        }

        function close(uint256 earlier, uint256 caller) external {
            vm.assume(depositCalls.length > 0);
            DepositCall memory depositCalls_ = depositCalls[earlier % depositCalls.length];
            address sender = _mostly(accounts[1], caller);
            vm.prank(sender);
            vault.close(depositCalls_.result);
        }

        function setFee(uint256 caller, uint256 fee) external {
            address sender = _mostly(vault.owner(), caller);
            fee = _amount(fee, 10_000);
            vm.prank(sender);
            vault.setFee(uint16(fee));
        }

        function _account(uint256 seed) internal view returns (address) {
            return accounts[seed % accounts.length];
        }

        // One time in sixteen it is the zero address, so that checks for it run as well.
        function _receiver(uint256 seed) internal view returns (address) {
            return seed % 16 == 15 ? address(0) : _account(seed);
        }

        // One time in sixteen it is somebody else, so that checks of the caller run as well.
        function _mostly(address usual, uint256 seed) internal view returns (address) {
            bool isNobody = usual == address(0) || usual == address(vault);
            return seed % 16 == 15 || isNobody ? _account(seed / 16) : usual;
        }

        // One time in sixteen it is any number, so that checks for too much run as well.
        function _amount(uint256 seed, uint256 most) internal pure returns (uint256) {
            return seed % 16 == 15 ? seed : bound(seed, 0, most);
        }
    }

    /// Checks what holds after any calls. The first invariants are what 12 states had in common: keep those that
    /// are meant, and make them stricter where you can.
    contract VaultInvariants is Test {
        Token internal token;
        Vault internal vault;
        VaultHandler internal handler;
        address[] internal accounts;
        address internal ownerAtFirst;

        function setUp() public {
            accounts.push(makeAddr("owner"));
            accounts.push(makeAddr("alice"));
            vm.startPrank(accounts[0]);
            token = new Token();
            vault = new Vault(address(token));
            vm.stopPrank();
            for (uint256 i = 0; i < accounts.length; i++) {
                vm.prank(accounts[0]);
                token.mint(accounts[i], 1000);
                vm.prank(accounts[i]);
                token.approve(address(vault), type(uint256).max);
            }
            handler = new VaultHandler(token, vault, accounts);
            ownerAtFirst = address(vault.owner());
            targetContract(address(handler));
        }

        function invariant_sum_of_balanceOf_equals_totalSupply() public view {
            uint256 sum = vault.balanceOf(address(vault));
            for (uint256 i = 0; i < accounts.length; i++) {
                sum += vault.balanceOf(accounts[i]);
            }
            assertEq(sum, vault.totalSupply());
        }

        function invariant_tokenIn_equals_tokenOut_and_the_rest() public view {
            assertEq(token.balanceOf(address(vault)) + handler.tokenOut(), handler.tokenIn());
        }

        function invariant_owner_never_changes() public view {
            assertEq(address(vault.owner()), ownerAtFirst);
        }

        // Write here what users rely on, and what no getter says: for example, that an account can always take out
        // what it put in, and no more. It can read owner, totalSupply.
        function invariant_writeThisOne() public {
            vm.skip(true); // Remove this line.
        }
    }
    "#);
}
