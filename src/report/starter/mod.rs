//! First invariant suite for a contract: its deployment, a handler, and invariants.

mod deployment;
mod handler;
mod invariants;
mod names;
mod token;

pub use names::ImportPath;
pub use token::{TOKEN, TokenBase, token};

use crate::model::{
    ContractId,
    handler::{ContractRole, Fact, HandlerFunction, HandlerModel, Quantity},
};
use alloy_json_abi::JsonAbi;
use names::{Imports, Scope, variable};
use std::sync::Arc;

/// Data about the contract and the project of a suite.
pub struct StarterInput<'a> {
    /// Identifier of the contract.
    pub contract: &'a ContractId,
    /// Interface of the contract.
    pub abi: &'a JsonAbi,
    /// Import path of the contract.
    pub import: &'a str,
    /// Import paths and interfaces of the dependencies, in their order.
    pub interfaces: &'a [(String, Arc<JsonAbi>)],
    /// Calls of the contract.
    pub model: &'a HandlerModel,
    /// Facts for the invariants.
    pub facts: &'a [Fact],
    /// Finds the import paths of other contracts by their names.
    pub find: &'a ImportPath<'a>,
    /// True if the project has forge-std.
    pub has_forge_std: bool,
}

/// A suite.
#[derive(Clone, Debug)]
pub struct Starter {
    /// Source of the suite.
    pub source: String,
    /// Names of the invariants, one for each fact.
    pub invariants: Vec<String>,
}

/// Returns the name of the suite.
#[must_use]
pub fn name(contract: &str) -> String {
    format!("{contract}Invariants")
}

/// Writes the suite.
///
/// # Errors
/// When the source cannot name the contract, or a value that its constructor needs: the reason.
pub fn suite(input: &StarterInput<'_>) -> Result<Starter, String> {
    let imports = Imports::new(input.import, input.find);
    imports.add(bare(input.contract), input.import);
    for (built, (path, _)) in input.model.scene.dependencies.iter().zip(input.interfaces) {
        imports.add(bare(&built.contract), path);
    }
    let terms = Terms::new(input);
    let (suite, invariants) = invariants::contract(input, &terms, &imports)?;
    let handler = handler_contract(input, &terms, &imports);
    let base = if input.has_forge_std {
        imports.add("Test", "forge-std/Test.sol");
        ""
    } else {
        BASE
    };
    let source = format!(
        "// SPDX-License-Identifier: UNLICENSED\npragma solidity >=0.8.8;\n\n{}{base}\n{handler}\n{suite}",
        imports.text()
    );
    Ok(Starter { source, invariants })
}

/// Returns the name of a contract in its source, without the version in the name of its artifact.
fn bare(id: &ContractId) -> &str {
    id.name.split('.').next().unwrap_or_default()
}

/// Names of state variables.
struct Terms {
    /// Type and variable of the contract.
    subject_type: String,
    subject: String,
    /// Types and variables of the dependencies.
    dependencies: Vec<(String, String)>,
    /// Names of what came in and went out, by quantity; `None` for those that no call moves.
    ghosts: Vec<Option<[String; 2]>>,
}

impl Terms {
    fn new(input: &StarterInput<'_>) -> Self {
        let mut scope = Scope::with(["accounts", "handler"]);
        let subject_type = bare(input.contract).to_owned();
        let subject = scope.name(&variable(&subject_type), "subject");
        let dependencies: Vec<(String, String)> = input
            .model
            .scene
            .dependencies
            .iter()
            .map(|built| {
                (bare(&built.contract).to_owned(), scope.name(&variable(bare(&built.contract)), "dependency"))
            })
            .collect();
        let ghosts = input.model.quantities.iter().enumerate().map(|(index, quantity)| {
            let words = match quantity {
                Quantity::Wei => ["weiIn".to_owned(), "weiOut".to_owned()],
                Quantity::Supply => ["minted".to_owned(), "burned".to_owned()],
                Quantity::Tokens(token) => {
                    let name = &dependencies[*token].1;
                    [format!("{name}In"), format!("{name}Out")]
                }
            };
            handler::has_ghosts(input, index).then(|| words.map(|word| scope.name(&word, "amount")))
        });
        let ghosts = ghosts.collect();
        Self { subject_type, subject, dependencies, ghosts }
    }

    /// Returns the names of all state variables of the handler.
    fn state(&self) -> impl Iterator<Item = &str> {
        let contracts = self.dependencies.iter().map(|(_, variable)| &**variable);
        let ghosts = self.ghosts.iter().flatten().flatten().map(String::as_str);
        ["accounts", "handler", &*self.subject].into_iter().chain(contracts).chain(ghosts)
    }

    fn ghosts(&self, quantity: usize) -> Option<&[String; 2]> {
        self.ghosts[quantity].as_ref()
    }

    /// Returns the variable with a contract.
    fn role(&self, role: ContractRole) -> &str {
        match role {
            ContractRole::Subject => &self.subject,
            ContractRole::Dependency(index) => &self.dependencies[index].1,
        }
    }

    fn address(&self, role: ContractRole) -> String {
        format!("address({})", self.role(role))
    }

    /// Returns the expression for an amount.
    fn owned(&self, quantity: &Quantity) -> String {
        let subject = &self.subject;
        match quantity {
            Quantity::Wei => format!("address({subject}).balance"),
            Quantity::Supply => format!("{subject}.totalSupply()"),
            Quantity::Tokens(index) => {
                format!("{}.balanceOf(address({subject}))", self.dependencies[*index].1)
            }
        }
    }

    /// Returns types and variables of all contracts.
    fn contracts(&self) -> impl Iterator<Item = (&str, &str)> {
        let dependencies = self.dependencies.iter().map(|(ty, variable)| (&**ty, &**variable));
        dependencies.chain([(&*self.subject_type, &*self.subject)])
    }
}

/// Tells whether `receive` is the only way to send wei to the contract.
fn takes_wei_only_by_receive(input: &StarterInput<'_>) -> bool {
    let is_payable = |function: &HandlerFunction| function.value.is_some();
    input.abi.receive.is_some() && !input.model.functions.iter().any(is_payable)
}

fn base_of(input: &StarterInput<'_>) -> &'static str {
    if input.has_forge_std { "Test" } else { "TestBase" }
}

/// Writes the handler.
fn handler_contract(input: &StarterInput<'_>, terms: &Terms, imports: &Imports<'_>) -> String {
    let mut text = handler::functions(input, terms, imports);
    let name = &terms.subject_type;
    let contracts: String =
        terms.contracts().map(|(ty, variable)| format!("    {ty} internal {variable};\n")).collect();
    let mut out = format!(
        "/// Calls {name} as its users do. The bounds are those with which most calls succeed.\n\
         contract {name}Handler is {} {{\n{contracts}    address[] internal accounts;\n\n",
        base_of(input)
    );
    let ghosts: Vec<_> =
        terms.ghosts.iter().enumerate().filter_map(|(index, names)| Some((index, names.as_ref()?))).collect();
    if !ghosts.is_empty() {
        out += "    // Amounts that came in, and that went out.\n";
        for (_, [into, gone]) in &ghosts {
            out += &format!("    uint256 public {into};\n    uint256 public {gone};\n");
        }
        out += "\n";
    }
    out += &text.remembered;
    let parameters: Vec<_> = terms.contracts().map(|(ty, variable)| format!("{ty} {variable}_")).collect();
    out += &format!("    constructor({}, address[] memory accounts_) {{\n", parameters.join(", "));
    for (_, variable) in terms.contracts() {
        out += &format!("        {variable} = {variable}_;\n");
    }
    out += "        accounts = accounts_;\n";
    for (index, [into, _]) in &ghosts {
        out += &format!("        {into} = {};\n", terms.owned(&input.model.quantities[*index]));
    }
    out += "    }\n\n";
    out += &text.functions.join("\n");
    if takes_wei_only_by_receive(input) {
        let wei = input.model.quantities.iter().position(|quantity| *quantity == Quantity::Wei);
        let ghosts = wei.and_then(|wei| terms.ghosts(wei));
        out += &handler::receive(terms, ghosts.map(|[into, _]| &**into));
        text.helpers.insert(handler::Helper::Account);
    }
    if input.model.reads_time {
        out += "\n    function passTime(uint256 time) external {\n        \
                vm.warp(block.timestamp + bound(time, 1, 30 days));\n        vm.roll(block.number + 1);\n    }\n";
    }
    if !text.helpers.is_empty() {
        out += "\n";
        out += &handler::helpers(&text.helpers);
    }
    out + "}\n"
}

/// What forge-std gives to tests, for projects without it.
const BASE: &str = r#"
interface Vm {
    function prank(address sender) external;
    function startPrank(address sender) external;
    function stopPrank() external;
    function deal(address account, uint256 balance) external;
    function warp(uint256 timestamp) external;
    function roll(uint256 number) external;
    function skip(bool skipped) external;
    function label(address account, string calldata name) external;
}

contract TestBase {
    Vm internal constant vm = Vm(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D);

    function bound(uint256 x, uint256 min, uint256 max) internal pure returns (uint256) {
        if (x >= min && x <= max) return x;
        uint256 size = max - min;
        return size == type(uint256).max ? x : min + (x % (size + 1));
    }

    function makeAddr(string memory name) internal returns (address account) {
        account = address(uint160(uint256(keccak256(bytes(name)))));
        vm.label(account, name);
    }

    function assertEq(uint256 a, uint256 b) internal pure {
        require(a == b, "they are not equal");
    }

    function assertEq(address a, address b) internal pure {
        require(a == b, "they are not equal");
    }

    function assertEq(bytes32 a, bytes32 b) internal pure {
        require(a == b, "they are not equal");
    }

    function assertLe(uint256 a, uint256 b) internal pure {
        require(a <= b, "it is too large");
    }
}
"#;

#[cfg(test)]
mod tests {
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
            sender,
            value: None,
            length: None,
            leaves,
            calls: 0,
            successes: 0,
            flows: vec![AmountChange::None],
            is_remembered: false,
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
            deployer: Address::ZERO,
            actors: Vec::new(),
            named: Vec::new(),
            forced: U256::ZERO,
            dependencies: vec![built("src/Token.sol", "Token", token, Bytes::new())],
            guessed: Vec::new(),
            contract: built("src/Vault.sol", "Vault", Address::ZERO, token.into_word().0.to_vec().into()),
            initializers: Vec::new(),
            can_pay: false,
            timestamp: U256::ONE,
            number: U256::ONE,
        };
        HandlerModel {
            scene,
            accounts: [2, 3].map(Address::repeat_byte).to_vec(),
            tokens: vec![Token { dependency: 0, funding: Funding::Mint }],
            functions: vec![deposit, close, set_fee],
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
        insta::assert_snapshot!(written.source, @"");
    }
}
