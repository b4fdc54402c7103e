//! First invariant suite for a contract: its deployment, a handler, and invariants.

mod array;
mod deployment;
mod expressions;
mod function;
mod handler;
mod invariants;
mod names;
mod permit;
mod reads;
mod seeds;
#[cfg(test)]
mod tests;
mod token;

pub use names::ImportPath;
pub use token::{TOKEN, TokenBase, token};

use crate::model::{
    ContractId,
    handler::{ContractRole, Fact, HandlerFunction, HandlerModel, Quantity},
};
use alloy_json_abi::JsonAbi;
use names::{ImportList, Scope, variable};
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
    /// Names of the contract's functions that the handler cannot call, as their parameters cannot be written.
    pub left_out: Vec<String>,
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
    let imports = ImportList::new(input.import, input.find);
    imports.add(input.contract.bare_name(), input.import);
    for (built, (path, _)) in input.model.scene.dependencies.iter().zip(input.interfaces) {
        imports.add(built.contract.bare_name(), path);
    }
    let terms = SourceNames::new(input);
    let (suite, invariants) = invariants::contract(input, &terms, &imports)?;
    let (handler, left_out) = handler_contract(input, &terms, &imports);
    let holder = if input.model.has_holder { deployment::holder(&terms) } else { String::new() };
    let base = if input.has_forge_std {
        imports.add("Test", "forge-std/Test.sol");
        ""
    } else {
        BASE
    };
    let source = format!(
        "// SPDX-License-Identifier: UNLICENSED\npragma solidity >=0.8.8;\n\n{}{base}\n{holder}{handler}\n{suite}",
        imports.text()
    );
    Ok(Starter { source, invariants, left_out })
}

/// Names of state variables.
struct SourceNames {
    /// Type and variable of the contract.
    subject_type: String,
    subject: String,
    /// Types and variables of the dependencies.
    dependencies: Vec<(String, String)>,
    /// Names of what came in and went out, by quantity; `None` for those that no call moves.
    ghosts: Vec<Option<[String; 2]>>,
}

impl SourceNames {
    fn new(input: &StarterInput<'_>) -> Self {
        let mut scope = Scope::with(["accounts", "handler"]);
        let subject_type = input.contract.bare_name().to_owned();
        let subject = scope.name(&variable(&subject_type), "subject");
        let dependencies: Vec<(String, String)> = input
            .model
            .scene
            .dependencies
            .iter()
            .map(|built| {
                (
                    built.contract.bare_name().to_owned(),
                    scope.name(&variable(built.contract.bare_name()), "dependency"),
                )
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

    /// Returns the variable, if an expression only converts its address back to its type.
    fn simplest(&self, expression: String) -> String {
        let is_it = |(ty, variable): &(&str, &str)| expression == format!("{ty}(address({variable}))");
        let found = self.contracts().find(is_it).map(|(_, variable)| variable.to_owned());
        found.unwrap_or(expression)
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

/// Writes the handler; also returns the functions that it leaves out.
fn handler_contract(
    input: &StarterInput<'_>,
    terms: &SourceNames,
    imports: &ImportList<'_>,
) -> (String, Vec<String>) {
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
    out += &text.reads.unwrap_or_default();
    if !text.helpers.is_empty() {
        out += "\n";
        out += &handler::helpers(input, &text.helpers, terms);
    }
    (out + "}\n", text.left_out)
}

/// Members of forge-std's `Test`, for projects without it.
const BASE: &str = include_str!("base.sol");
