//! Contract that calls the contract under test: one function for each function that changes its state.

use super::{
    SourceNames, StarterInput,
    expressions::elementary,
    function::FunctionWriter,
    names::{ImportList, Scope, function},
    permit, reads,
};
use crate::{
    model::handler::{AmountChange, ArgumentLeaf, ContractRole, HandlerFunction, ValueChoice},
    report::literal,
};
use std::collections::BTreeSet;

/// Names of variables that every function may have.
const LOCALS: [&str; 7] = ["seeds", "sender", "length", "result", "result2", "result3", "result4"];

/// Functions of the handler that the others use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Helper {
    /// One of the accounts.
    Account,
    /// An account, or sometimes nobody.
    Receiver,
    /// An address, or sometimes another account.
    Mostly,
    /// A number in a range, or sometimes any.
    Amount,
    /// A signed permit.
    Permit,
}

/// Text of the handler's functions, and what they need.
#[derive(Default)]
pub(super) struct HandlerText {
    pub(super) functions: Vec<String>,
    /// Declarations of what is remembered.
    pub(super) remembered: String,
    pub(super) helpers: BTreeSet<Helper>,
    /// Functions that cannot be written.
    pub(super) left_out: Vec<String>,
    /// Function that calls view functions, if there are any.
    pub(super) reads: Option<String>,
}

/// Writes the functions.
pub(super) fn functions(
    input: &StarterInput<'_>,
    terms: &SourceNames,
    imports: &ImportList<'_>,
) -> HandlerText {
    let mut text = HandlerText::default();
    let mut scope = Scope::with(terms.state());
    let names: Vec<String> = input
        .model
        .functions
        .iter()
        .map(|called| scope.name(&function(&called.function.name), "call"))
        .collect();
    text.reads = reads::function(input.abi, terms, &scope.name("read", "read"), &mut text.helpers);
    let memories: Vec<Memory> = (0..names.len()).map(|index| Memory::new(input, index, &names)).collect();
    for (index, called) in input.model.functions.iter().enumerate() {
        let mut writer = FunctionWriter {
            input,
            terms,
            imports,
            memories: &memories,
            called,
            scope: Scope::with(terms.state().chain(LOCALS).chain(names.iter().map(String::as_str))),
            parameters: Vec::new(),
            lines: Vec::new(),
            leaves: vec![None; called.leaves.len()],
            helpers: BTreeSet::new(),
        };
        match writer.write(index, &names[index]) {
            Some(written) => {
                text.functions.push(written);
                text.helpers.extend(writer.helpers);
                text.remembered += &memories[index].declaration;
            }
            None => {
                let signature = literal::comment(called.function.signature(), 200);
                let comment =
                    format!("    // {signature} is not called: its parameters cannot be written here.\n");
                text.functions.push(comment);
                text.left_out.push(called.function.name.clone());
            }
        }
    }
    text
}

/// Calls of one function that later calls refer to.
pub(super) struct Memory {
    pub(super) declaration: String,
    /// Name of the array of earlier calls.
    pub(super) list: String,
    /// Name of the struct of one of them.
    pub(super) item: String,
    /// Leaves that are kept, with their names.
    pub(super) leaves: Vec<(usize, String)>,
    pub(super) keeps_result: bool,
}

impl Memory {
    fn new(input: &StarterInput<'_>, index: usize, names: &[String]) -> Self {
        let functions = &input.model.functions;
        let choices = || functions.iter().flat_map(HandlerFunction::choices);
        let given: BTreeSet<usize> = choices()
            .filter_map(|choice| match choice {
                ValueChoice::Given(function, leaf) if *function == index => Some(*leaf),
                _ => None,
            })
            .collect();
        let keeps_result = choices().any(|choice| *choice == ValueChoice::Returned(index));
        let name = &names[index];
        let mut upper = name.clone();
        upper[..1].make_ascii_uppercase();
        let mut memory = Self {
            declaration: String::new(),
            list: format!("{name}Calls"),
            item: format!("{upper}Call"),
            leaves: Vec::new(),
            keeps_result,
        };
        if given.is_empty() && !keeps_result {
            return memory;
        }
        let called = &functions[index];
        let mut scope = Scope::with(["result"]);
        let mut members = String::new();
        for leaf in given {
            let ArgumentLeaf { name, ty, is_array, .. } = &called.leaves[leaf];
            let member = scope.name(name, "arg");
            let array = if *is_array { "[]" } else { "" };
            members += &format!("        {}{array} {member};\n", elementary(ty));
            memory.leaves.push((leaf, member));
        }
        if keeps_result && let Some(output) = called.function.outputs.first() {
            members += &format!("        {} result;\n", output.ty);
        }
        let Self { item, list, .. } = &memory;
        memory.declaration =
            format!("    struct {item} {{\n{members}    }}\n\n    {item}[] internal {list};\n\n");
        memory
    }
}

/// Writes the functions that the others use.
pub(super) fn helpers(input: &StarterInput<'_>, used: &BTreeSet<Helper>, terms: &SourceNames) -> String {
    let subject = terms.address(ContractRole::Subject);
    let text = |helper: &Helper| match helper {
        Helper::Permit => permit::helpers(input, terms),
        Helper::Account => "    function _account(uint256 seed) internal view returns (address) {\n        \
             return accounts[seed % accounts.length];\n    }\n"
            .to_owned(),
        // A contract that asks receivers has a check for those that do not answer.
        Helper::Receiver if input.model.has_holder => format!(
            "    // Sometimes it is nobody or the contract itself, so that checks for them run as well.\n    \
             function _receiver(uint256 seed) internal view returns (address) {{\n        \
             if (seed % 16 > 13) return seed % 16 == 15 ? address(0) : {subject};\n        \
             return _account(seed);\n    }}\n"
        ),
        Helper::Receiver => {
            "    // One time in sixteen it is the zero address, so that checks for it run as well.\n    \
             function _receiver(uint256 seed) internal view returns (address) {\n        \
             return seed % 16 == 15 ? address(0) : _account(seed);\n    }\n"
                .to_owned()
        }
        Helper::Mostly => format!(
            "    // One time in sixteen it is somebody else, so that checks of the caller run as well.\n    \
             function _mostly(address usual, uint256 seed) internal view returns (address) {{\n        \
             bool isNobody = usual == address(0) || usual == {subject};\n        \
             return seed % 16 == 15 || isNobody ? _account(seed / 16) : usual;\n    }}\n"
        ),
        Helper::Amount => {
            "    // One time in sixteen it is any number, so that checks for too much run as well.\n    \
             function _amount(uint256 seed, uint256 most) internal pure returns (uint256) {\n        \
             return seed % 16 == 15 ? seed : bound(seed, 0, most);\n    }\n"
                .to_owned()
        }
    };
    used.iter().map(text).collect::<Vec<_>>().join("\n")
}

/// Writes the function that sends wei to the contract without calldata.
pub(super) fn receive(terms: &SourceNames, wei_in: Option<&str>) -> String {
    let counted = wei_in.map(|into| format!("        {into} += value;\n")).unwrap_or_default();
    let subject = terms.address(ContractRole::Subject);
    format!(
        "\n    function sendWei(uint256 caller, uint256 value) external {{\n        \
         address sender = _account(caller);\n        value = bound(value, 0, 10 ether);\n        \
         vm.deal(sender, sender.balance + value);\n        vm.prank(sender);\n        \
         (bool success,) = {subject}.call{{value: value}}(\"\");\n        require(success);\n{counted}    }}\n"
    )
}

/// Quantities that have ghost variables: those that a call moves.
pub(super) fn has_ghosts(input: &StarterInput<'_>, index: usize) -> bool {
    input.model.functions.iter().any(|function| function.flows[index] != AmountChange::None)
}
