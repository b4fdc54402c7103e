//! One function of the handler: it chooses the caller and the arguments, calls, and counts what the call moves.

use super::{
    SourceNames, StarterInput,
    expressions::{cast, elementary, folded, number, zero},
    handler::{Helper, Memory},
    names::{ImportList, Scope, SourceType},
    permit,
    seeds::gathered,
};
use crate::model::{
    handler::{
        Amount, AmountChange, ArgumentLeaf, AskedAccount, ChosenValue, ContractRole, Getter, HandlerFunction,
        ValueChoice, order,
    },
    is_word,
};
use alloy_dyn_abi::DynSolType;
use alloy_json_abi::Param;
use alloy_primitives::U256;
use std::collections::BTreeSet;

/// Returns the types of all leaves of parameters; `None` for those that cannot be named.
fn leaf_types(params: &[Param], imports: &ImportList<'_>) -> Vec<Option<SourceType>> {
    let of = |param: &Param| match &*param.ty {
        "tuple" => leaf_types(&param.components, imports),
        _ => vec![SourceType::of(param, imports)],
    };
    params.iter().flat_map(of).collect()
}

/// Writer of one function.
pub(super) struct FunctionWriter<'a> {
    pub(super) input: &'a StarterInput<'a>,
    pub(super) terms: &'a SourceNames,
    pub(super) imports: &'a ImportList<'a>,
    pub(super) memories: &'a [Memory],
    pub(super) called: &'a HandlerFunction,
    pub(super) scope: Scope,
    pub(super) parameters: Vec<String>,
    /// Statements before the call.
    pub(super) lines: Vec<String>,
    /// Expressions for the leaves so far, of their elementary types.
    pub(super) leaves: Vec<Option<String>>,
    pub(super) helpers: BTreeSet<Helper>,
}

impl FunctionWriter<'_> {
    /// Writes the function; `None` if one of its types cannot be named.
    pub(super) fn write(&mut self, index: usize, name: &str) -> Option<String> {
        let called = self.called;
        if permit::is_permit(self.input, &called.function) {
            self.helpers.extend([Helper::Account, Helper::Receiver, Helper::Permit]);
            return Some(permit::function(name, self.terms));
        }
        let types = leaf_types(&called.function.inputs, self.imports);
        self.recall();
        let value =
            called.value.as_ref().filter(|value| **value != ValueChoice::Zero).map(|value| self.value(value));
        if let Some(ValueChoice::Range(low, high)) = &called.length {
            self.parameters.push("uint256 length".to_owned());
            self.lines.push(format!("length = bound(length, {low}, {high});"));
        }
        let choices: Vec<&ValueChoice> = called.leaves.iter().map(|leaf| &leaf.choice).collect();
        for item in order(&called.sender, &choices)? {
            match item {
                ChosenValue::Sender => self.sender(),
                ChosenValue::Leaf(index) => {
                    let expression = self.leaf(&called.leaves[index], types[index].as_ref()?);
                    self.leaves[index] = Some(expression);
                }
            }
        }
        let mut leaves = self.leaves.iter().flatten().cloned();
        let args: Vec<String> = called
            .function
            .inputs
            .iter()
            .map(|param| self.argument(param, &mut leaves))
            .collect::<Option<_>>()?;
        let sent = match &value {
            Some(value) => {
                self.lines.push(format!("vm.deal(sender, sender.balance + {value});"));
                format!("{{value: {value}}}")
            }
            None => String::new(),
        };
        let (before, after) = self.moved(value.as_deref());
        let memory = &self.memories[index];
        let result = self.result(memory);
        let mut body = self.lines.clone();
        body.extend(before);
        body.push("vm.prank(sender);".to_owned());
        let subject = &self.terms.subject;
        body.push(folded(&format!("{result}{subject}.{}{sent}(", called.function.name), &args, ");"));
        body.extend(after);
        if !memory.declaration.is_empty() {
            let leaves = memory.leaves.iter().map(|(leaf, _)| self.value_of(*leaf).to_owned());
            let result = memory.keeps_result.then(|| self.result_word(0));
            let values: Vec<String> = leaves.chain(result).collect();
            body.push(format!("{}.push({}({}));", memory.list, memory.item, values.join(", ")));
        }
        if called.is_ending && self.parameters.iter().any(|known| known == "uint256 caller") {
            let rarely = "if (caller % 64 != 0) return; // After it, most other calls fail.";
            body.insert(0, rarely.to_owned());
        }
        let (parameters, body) = gathered(self.parameters.clone(), body);
        let lines = body.iter().flat_map(|statement| statement.lines());
        let body: String = lines.map(|line| format!("        {line}\n")).collect();
        let head = folded(&format!("function {name}("), &parameters, ") external {");
        let head: String = head.lines().map(|line| format!("    {line}\n")).collect();
        Some(format!("{head}{body}    }}\n"))
    }

    /// Selects an earlier call, if a value comes from one.
    fn recall(&mut self) {
        let sources: BTreeSet<usize> = self.called.choices().filter_map(ValueChoice::source).collect();
        for source in sources {
            let Memory { list, item, .. } = &self.memories[source];
            let seed = self.scope.name("earlier", "earlier");
            self.parameters.push(format!("uint256 {seed}"));
            self.lines.push(format!("vm.assume({list}.length > 0);"));
            self.lines.push(format!("{item} memory {list}_ = {list}[{seed} % {list}.length];"));
        }
    }

    /// Writes the choice of the caller.
    fn sender(&mut self) {
        let sender = match &self.called.sender {
            ValueChoice::Account => self.account("caller", Helper::Account),
            ValueChoice::Equal(getter) => {
                let owner = self.getter(getter);
                self.mostly(&owner)
            }
            ValueChoice::Contract(role) => {
                let contract = self.terms.address(*role);
                let seed = self.scope.name("caller", "caller");
                self.parameters.push(format!("uint256 {seed}"));
                self.helpers.insert(Helper::Account);
                format!("{seed} % 16 == 15 ? _account({seed} / 16) : {contract}")
            }
            ValueChoice::One(account) => self.mostly(&format!("accounts[{account}]")),
            _ => self.mostly("accounts[0]"),
        };
        self.lines.push(format!("address sender = {sender};"));
    }

    /// Returns an expression for an account that a new parameter selects.
    fn account(&mut self, wanted: &str, helper: Helper) -> String {
        let seed = self.scope.name(wanted, "account");
        self.parameters.push(format!("uint256 {seed}"));
        self.helpers.extend([Helper::Account, helper]);
        let name = if helper == Helper::Account { "_account" } else { "_receiver" };
        format!("{name}({seed})")
    }

    fn mostly(&mut self, usual: &str) -> String {
        let seed = self.scope.name("caller", "caller");
        self.parameters.push(format!("uint256 {seed}"));
        self.helpers.extend([Helper::Account, Helper::Mostly]);
        format!("_mostly({usual}, {seed})")
    }

    /// Returns the expression for a value of the selected earlier call.
    pub(super) fn earlier(&self, choice: &ValueChoice) -> String {
        let Some(function) = choice.source() else { return String::new() };
        let memory = &self.memories[function];
        let member = memory.leaves.iter().find(|(leaf, _)| *choice == ValueChoice::Given(function, *leaf));
        format!("{}_.{}", memory.list, member.map_or("result", |(_, name)| name))
    }

    /// Returns the expression for the result of a getter that a new parameter selects.
    fn one_of(&mut self, wanted: &str, getters: &[Getter]) -> String {
        let seed = self.scope.name(wanted, "word");
        let list = self.scope.name(&format!("{seed}s"), "words");
        self.parameters.push(format!("uint256 {seed}"));
        let items: Vec<String> = getters.iter().map(|getter| self.getter(getter)).collect();
        let start = format!("bytes32[{}] memory {list} = [", items.len());
        self.lines.push(folded(&start, &items, "];"));
        format!("{list}[{seed} % {}]", items.len())
    }

    /// Returns the name of the wei that are sent.
    fn value(&mut self, choice: &ValueChoice) -> String {
        let name = self.scope.name("value", "value");
        if let ValueChoice::Equal(getter) = choice {
            let price = self.getter(getter);
            self.parameters.push(format!("uint256 {name}"));
            self.lines.push(format!("if ({name} % 16 != 15) {name} = {price};"));
            self.lines.push(format!("else {name} = bound({name}, 0, 10 ether);"));
            return name;
        }
        self.parameters.push(format!("uint256 {name}"));
        let high = match choice {
            ValueChoice::Range(_, high) => *high,
            _ => U256::ZERO,
        };
        self.lines.push(format!("{name} = bound({name}, 0, {});", number(high)));
        name
    }

    /// Returns the expression for a leaf, of its elementary type.
    fn leaf(&mut self, leaf: &ArgumentLeaf, ty: &SourceType) -> String {
        if leaf.is_array {
            return self.array(leaf, ty);
        }
        match &leaf.choice {
            ValueChoice::Account => return self.account(&leaf.name, Helper::Receiver),
            ValueChoice::Sender => return self.mostly("sender"),
            ValueChoice::One(account) => return format!("accounts[{account}]"),
            ValueChoice::Contract(role) => return self.terms.address(*role),
            ValueChoice::Zero => return zero(&leaf.ty),
            ValueChoice::Returned(_) | ValueChoice::Given(..) => return self.earlier(&leaf.choice),
            ValueChoice::EqualToOne(getters) => return self.one_of(&leaf.name, getters),
            ValueChoice::Range(low, high) if leaf.ty == DynSolType::Bool => {
                debug_assert_eq!(low, high);
                return (!high.is_zero()).to_string();
            }
            _ => {}
        }
        let name = self.scope.name(&leaf.name, "arg");
        let bounds = self.bounds(&leaf.choice);
        match (&leaf.choice, bounds) {
            (ValueChoice::Equal(getter), _) => {
                let value = self.getter(getter);
                self.lines.push(format!("{} {name} = {value};", elementary(&leaf.ty)));
                name
            }
            (ValueChoice::Later(most), _) => {
                self.parameters.push(format!("uint256 {name}"));
                self.lines.push(format!("{name} = block.timestamp + bound({name}, 0, {});", number(*most)));
                cast(&leaf.ty, &name)
            }
            (_, Some(most)) => {
                let is_signed = matches!(leaf.ty, DynSolType::Int(_));
                let bounding = match (ty, is_signed) {
                    (SourceType::Enum(kind), _) => format!("bound({name}, 0, uint256(type({kind}).max))"),
                    (_, true) => format!("int256(bound(uint256({name}), 0, {most}))"),
                    _ => {
                        self.helpers.insert(Helper::Amount);
                        format!("_amount({name}, {most})")
                    }
                };
                self.parameters.push(format!("{} {name}", if is_signed { "int256" } else { "uint256" }));
                self.lines.push(format!("{name} = {bounding};"));
                cast(&leaf.ty, &name)
            }
            _ => {
                let location = if is_word(&leaf.ty) { "" } else { " memory" };
                self.parameters.push(format!("{}{location} {name}", elementary(&leaf.ty)));
                name
            }
        }
    }

    /// Returns the expression for a leaf that was chosen before.
    pub(super) fn value_of(&self, leaf: usize) -> &str {
        self.leaves[leaf].as_deref().unwrap_or_default()
    }

    /// Returns the upper bound of a number, if its choice has one.
    pub(super) fn bounds(&mut self, choice: &ValueChoice) -> Option<String> {
        match choice {
            ValueChoice::Range(_, high) => Some(number(*high)),
            ValueChoice::UpTo(getter) => Some(self.getter(getter)),
            _ => None,
        }
    }

    /// Returns the expression for a parameter, made of its leaves.
    fn argument(&self, param: &Param, leaves: &mut dyn Iterator<Item = String>) -> Option<String> {
        let ty = SourceType::of(param, self.imports)?;
        if param.ty != "tuple" {
            let leaf = leaves.next()?;
            let whole = param.ty.ends_with(']');
            return Some(if whole { leaf } else { self.terms.simplest(ty.convert(&leaf)) });
        }
        let members: Vec<_> =
            param.components.iter().map(|member| self.argument(member, leaves)).collect::<Option<_>>()?;
        Some(format!("{}({})", ty.name(), members.join(", ")))
    }

    /// Returns a call of a getter.
    pub(super) fn getter(&self, getter: &Getter) -> String {
        let account = |about: &AskedAccount| match about {
            AskedAccount::Sender | AskedAccount::Account => "sender".to_owned(),
            AskedAccount::Subject => self.terms.address(ContractRole::Subject),
            AskedAccount::Leaf(leaf) => self.value_of(*leaf).to_owned(),
        };
        let about: Vec<_> = getter.about.iter().map(account).collect();
        format!("{}.{}({})", self.terms.role(getter.of), getter.name, about.join(", "))
    }

    /// Returns the start of the statement with the call, up to what it calls.
    fn result(&self, memory: &Memory) -> String {
        let outputs = &self.called.function.outputs;
        let used: BTreeSet<usize> =
            self.called
                .flows
                .iter()
                .filter_map(|flow| match flow {
                    AmountChange::In(Amount::Returned(index))
                    | AmountChange::Out(Amount::Returned(index)) => Some(*index),
                    _ => None,
                })
                .chain(memory.keeps_result.then_some(0))
                .collect();
        if used.is_empty() {
            return String::new();
        }
        let names: Vec<String> = outputs
            .iter()
            .enumerate()
            .map(|(index, output)| match used.contains(&index) {
                true => {
                    let ty = SourceType::of(output, self.imports);
                    let ty = ty.as_ref().map_or(&*output.ty, SourceType::name).to_owned();
                    format!("{ty} {}", result_name(index))
                }
                false => String::new(),
            })
            .collect();
        match &names[..] {
            [only] => format!("{only} = "),
            _ => format!("({}) = ", names.join(", ")),
        }
    }

    /// Returns the expression for a result, of its elementary type.
    fn result_word(&self, index: usize) -> String {
        let output = self.called.function.outputs.get(index);
        let ty = output.and_then(|output| SourceType::of(output, self.imports));
        ty.map_or_else(|| result_name(index), |ty| ty.unwrap(&result_name(index)))
    }

    /// Returns the statements that count what the call moves: before it, and after it.
    fn moved(&mut self, value: Option<&str>) -> (Vec<String>, Vec<String>) {
        let (mut before, mut after) = (Vec::new(), Vec::new());
        for (index, flow) in self.called.flows.iter().enumerate() {
            let Some([into, out]) = self.terms.ghosts(index) else { continue };
            let amount = |amount: Amount| match amount {
                Amount::Leaf(leaf) => self.value_of(leaf).to_owned(),
                Amount::Returned(index) => self.result_word(index),
                Amount::Value => value.unwrap_or("0").to_owned(),
            };
            match flow {
                AmountChange::None => {}
                AmountChange::In(of) => after.push(format!("{into} += {};", amount(*of))),
                AmountChange::Out(of) => after.push(format!("{out} += {};", amount(*of))),
                AmountChange::Measured => {
                    let owned = self.terms.owned(&self.input.model.quantities[index]);
                    let name = self.scope.name("before", "before");
                    before.push(format!("uint256 {name} = {owned};"));
                    after.push(format!(
                        "if ({owned} > {name}) {into} += {owned} - {name};\nelse {out} += {name} - {owned};"
                    ));
                }
            }
        }
        (before, after)
    }
}

fn result_name(index: usize) -> String {
    if index == 0 { "result".to_owned() } else { format!("result{}", index + 1) }
}
