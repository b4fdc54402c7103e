//! Statements of `setUp`: accounts, contracts and tokens.

use super::{
    SourceNames, StarterInput,
    expressions::number,
    names::{ImportList, SourceType},
};
use crate::{
    model::{
        Deployment, Initializer, Input, Transaction,
        handler::{Funding, HandlerModel, Token},
    },
    report::{literal, reproducer::ACTORS},
};
use alloy_dyn_abi::{DynSolValue, JsonAbiExt as _};
use alloy_json_abi::{JsonAbi, Param};
use alloy_primitives::{Address, U256};

/// Maximum length of the name of an account.
const LONGEST_NAME: usize = 24;

/// Writes the statements.
pub(super) fn set_up(
    input: &StarterInput<'_>,
    terms: &SourceNames,
    imports: &ImportList<'_>,
) -> Result<String, String> {
    let model = input.model;
    let writer = DeploymentWriter { input, terms, imports };
    let mut lines = Vec::new();
    if model.reads_time {
        lines.push(format!("vm.warp({});", model.scene.prepared.timestamp));
    }
    lines.extend(account_names(model).iter().map(|name| format!("accounts.push(makeAddr(\"{name}\"));")));
    if model.has_holder {
        lines.push(format!("accounts.push(address(new {}()));", holder_name(terms)));
    }
    if model.scene.dependencies.iter().chain([&model.scene.contract]).any(|built| !built.value.is_zero()) {
        lines.push("vm.deal(accounts[0], 1_000_000 ether);".to_owned());
    }
    lines.push("vm.startPrank(accounts[0]);".to_owned());
    for (index, built) in model.scene.dependencies.iter().enumerate() {
        let (ty, variable) = &terms.dependencies[index];
        lines.extend(writer.create(ty, variable, built, &input.interfaces[index].1)?);
    }
    lines.extend(writer.create(&terms.subject_type, &terms.subject, &model.scene.contract, input.abi)?);
    for initializer in &model.scene.initializers {
        lines.extend(writer.initialize(initializer)?);
    }
    lines.push("vm.stopPrank();".to_owned());
    lines.extend(model.set_up.iter().filter_map(|call| writer.call(call)).flatten());
    let funding = funding(model.tokens.iter(), terms);
    if !funding.is_empty() {
        lines.push("for (uint256 i = 0; i < accounts.length; i++) {".to_owned());
        lines.extend(funding.iter().map(|line| format!("    {line}")));
        lines.push("}".to_owned());
    }
    Ok(lines.iter().map(|line| format!("        {line}\n")).collect())
}

/// Returns the names of the accounts without code, the deployer's first: those of the unit tests, then usual ones.
pub(super) fn account_names(model: &HandlerModel) -> Vec<&str> {
    let count = model.accounts.len() - usize::from(model.has_holder);
    let is_plain = |name: &&str| {
        name.len() <= LONGEST_NAME
            && name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
    };
    let given = model.names.iter().map(String::as_str).filter(is_plain);
    let mut names = vec!["owner"];
    for name in given.chain(ACTORS) {
        if names.len() < count && !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

fn holder_name(terms: &SourceNames) -> String {
    format!("{}Holder", terms.subject_type)
}

/// Writes the account that is a contract.
pub(super) fn holder(terms: &SourceNames) -> String {
    format!(
        "/// Account that is a contract and takes tokens.
contract {} {{
    receive() external payable {{}}

    function onERC721Received(address, address, uint256, bytes calldata) external pure returns (bytes4) {{
        return {0}.onERC721Received.selector;
    }}

    function onERC1155Received(address, address, uint256, uint256, bytes calldata) external pure returns (bytes4) {{
        return {0}.onERC1155Received.selector;
    }}

    function onERC1155BatchReceived(address, address, uint256[] calldata, uint256[] calldata, bytes calldata)
        external
        pure
        returns (bytes4)
    {{
        return {0}.onERC1155BatchReceived.selector;
    }}
}}

",
        holder_name(terms)
    )
}

/// Returns the statements that give tokens to an account and approve the contract.
fn funding<'a>(tokens: impl Iterator<Item = &'a Token>, terms: &SourceNames) -> Vec<String> {
    tokens
        .flat_map(|Token { dependency, funding, amount }| {
            let amount = number(*amount);
            let token = &terms.dependencies[*dependency].1;
            let get = match funding {
                Funding::Mint(mint) => vec![
                    "vm.prank(accounts[0]);".to_owned(),
                    format!("{token}.{mint}(accounts[i], {amount});"),
                ],
                Funding::Transfer => vec![
                    "vm.prank(accounts[0]);".to_owned(),
                    format!("if (i > 0) {token}.transfer(accounts[i], {amount});"),
                ],
                Funding::Deposit => vec![
                    format!("vm.deal(accounts[i], {amount});"),
                    "vm.prank(accounts[i]);".to_owned(),
                    format!("{token}.deposit{{value: {amount}}}();"),
                ],
            };
            let approve = [
                "vm.prank(accounts[i]);".to_owned(),
                format!("{token}.approve(address({}), type(uint256).max);", terms.subject),
            ];
            get.into_iter().chain(approve)
        })
        .collect()
}

/// Writer of statements that create and initialise contracts.
struct DeploymentWriter<'a> {
    input: &'a StarterInput<'a>,
    terms: &'a SourceNames,
    imports: &'a ImportList<'a>,
}

impl DeploymentWriter<'_> {
    /// Writes the creation of a contract.
    fn create(
        &self,
        ty: &str,
        variable: &str,
        built: &Deployment,
        abi: &JsonAbi,
    ) -> Result<Vec<String>, String> {
        let params = abi.constructor().map(|constructor| &constructor.inputs[..]).unwrap_or_default();
        let values = abi.constructor().map(|constructor| constructor.abi_decode_input(&built.args));
        let values =
            values.transpose().map_err(|error| format!("the arguments of {ty} are unknown: {error}"))?;
        let (mut lines, args) = self.arguments(params, &values.unwrap_or_default(), ty)?;
        let value =
            if built.value.is_zero() { String::new() } else { format!("{{value: {}}}", number(built.value)) };
        lines.push(format!("{variable} = new {ty}{value}({});", args.join(", ")));
        Ok(lines)
    }

    /// Writes a call by an account; `None` if an argument cannot be written.
    fn call(&self, call: &Transaction) -> Option<Vec<String>> {
        let Input::Typed { function, args } = &call.input else { return None };
        let sender = self.address(call.sender);
        let of = self.dependency(call.target).map_or(&*self.terms.subject, |(_, variable)| variable);
        let (mut lines, args) = self.arguments(&function.inputs, args, &function.name).ok()?;
        let mut value = String::new();
        if !call.value.is_zero() {
            let wei = number(call.value);
            lines.push(format!("vm.deal({sender}, {wei});"));
            value = format!("{{value: {wei}}}");
        }
        lines.push(format!("vm.prank({sender});"));
        lines.push(format!("{of}.{}{value}({});", function.name, args.join(", ")));
        Some(lines)
    }

    /// Writes the call of an initializer.
    fn initialize(&self, initializer: &Initializer) -> Result<Vec<String>, String> {
        let signature = &initializer.signature;
        let functions = self.input.abi.functions();
        let Some(function) = functions.into_iter().find(|function| function.signature() == *signature) else {
            return Err(format!("{signature} is unknown"));
        };
        let data = initializer.calldata.get(4..).unwrap_or_default();
        let values = function.abi_decode_input(data).map_err(|error| format!("{signature}: {error}"))?;
        let (mut lines, args) = self.arguments(&function.inputs, &values, signature)?;
        lines.push(format!("{}.{}({});", self.terms.subject, function.name, args.join(", ")));
        Ok(lines)
    }

    /// Writes arguments, with the statements that come before: those that make arrays.
    fn arguments(
        &self,
        params: &[Param],
        values: &[DynSolValue],
        of: &str,
    ) -> Result<(Vec<String>, Vec<String>), String> {
        let mut lines = Vec::new();
        let mut args = Vec::new();
        for (param, value) in params.iter().zip(values) {
            let written = self.argument(param, value, &mut lines);
            args.push(written.ok_or_else(|| {
                format!("{of} takes {} {}, which cannot be written here", param.ty, param.name)
            })?);
        }
        Ok((lines, args))
    }

    fn argument(&self, param: &Param, value: &DynSolValue, lines: &mut Vec<String>) -> Option<String> {
        let ty = SourceType::of(param, self.imports)?;
        match value {
            DynSolValue::Array(items) if param.ty.ends_with("[]") && param.components.is_empty() => {
                let name = format!("list{}", lines.len());
                let ty_name = ty.name();
                lines.push(format!("{ty_name}[] memory {name} = new {ty_name}[]({});", items.len()));
                for (index, item) in items.iter().enumerate() {
                    lines.push(format!("{name}[{index}] = {};", ty.convert(&self.word(item)?)));
                }
                Some(name)
            }
            DynSolValue::Tuple(values) | DynSolValue::CustomStruct { tuple: values, .. } => {
                let members = param.components.iter().zip(values);
                let members: Vec<_> = members
                    .map(|(param, value)| self.argument(param, value, lines))
                    .collect::<Option<_>>()?;
                Some(format!("{}({})", ty.name(), members.join(", ")))
            }
            value => match (&ty, value.as_address().and_then(|address| self.dependency(address))) {
                (SourceType::Contract(wanted), Some((ty, variable))) if wanted == ty => {
                    Some(variable.to_owned())
                }
                _ => Some(ty.convert(&self.word(value)?)),
            },
        }
    }

    /// Returns type and variable of the dependency at an address.
    fn dependency(&self, address: Address) -> Option<(&str, &str)> {
        let index = self.input.model.scene.dependencies.iter().position(|built| built.address == address)?;
        let (ty, variable) = &self.terms.dependencies[index];
        Some((ty, variable))
    }

    /// Writes a value without parts.
    fn word(&self, value: &DynSolValue) -> Option<String> {
        match value {
            DynSolValue::Address(address) => Some(self.address(*address)),
            DynSolValue::Uint(value, _) => Some(number(*value)),
            DynSolValue::Bytes(bytes) if bytes.is_empty() => Some("\"\"".to_owned()),
            value => literal::value(value),
        }
    }

    /// Writes an address: that of an account, or of a contract that was created before.
    fn address(&self, address: Address) -> String {
        let account = self.input.model.accounts.iter().position(|account| *account == address);
        match (account, self.dependency(address)) {
            (Some(account), _) => format!("accounts[{account}]"),
            (_, Some((_, variable))) => format!("address({variable})"),
            _ if address == self.input.model.scene.contract.address => {
                format!("address({})", self.terms.subject)
            }
            _ if address.is_zero() => "address(0)".to_owned(),
            _ => format!("address(uint160({}))", U256::from_be_slice(address.as_slice())),
        }
    }
}
