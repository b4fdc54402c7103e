//! Function of the handler that calls view functions: they have checks and assertions as well.

use super::{SourceNames, expressions, handler::Helper};
use crate::model::{handler::ContractRole, is_view, is_word};
use alloy_dyn_abi::{DynSolType, Specifier as _};
use alloy_json_abi::{Function, JsonAbi, Param};
use std::collections::BTreeSet;

/// Maximum number of view functions that are called.
const MOST: usize = 12;

/// Largest number that they are asked about, most of the time.
const FEW: &str = "15";

/// Writes the function, and adds the helpers that it uses; `None` if there is no view function with arguments.
pub(super) fn function(
    abi: &JsonAbi,
    terms: &SourceNames,
    name: &str,
    helpers: &mut BTreeSet<Helper>,
) -> Option<String> {
    let subject = terms.role(ContractRole::Subject);
    let asked = abi.functions().filter(|function| is_view(function) && !function.inputs.is_empty());
    let calls: Vec<(&str, String)> =
        asked.filter_map(|function| Some((&*function.name, arguments(function)?))).take(MOST).collect();
    if calls.is_empty() {
        return None;
    }
    let count = calls.len();
    let lines = calls.iter().enumerate().map(|(index, (called, args))| {
        format!("        if (which == {index}) {subject}.{called}({args});\n")
    });
    let body: String = lines.collect();
    let uses = |part: &str| calls.iter().any(|(_, args)| args.contains(part));
    helpers.insert(Helper::Account);
    if uses("_receiver(") {
        helpers.insert(Helper::Receiver);
    }
    if uses("_amount(") {
        helpers.insert(Helper::Amount);
    }
    let parameters = ["which", "caller", "account", "number"].into_iter();
    let parameters = parameters.filter(|parameter| parameter.starts_with(['w', 'c']) || uses(parameter));
    let parameters: Vec<String> = parameters.map(|parameter| format!("uint256 {parameter}")).collect();
    Some(format!(
        "\n    // View functions have checks and assertions as well.\n    function {name}({}) external {{\n        \
         which = which % {count};\n        vm.prank(_account(caller));\n{body}    }}\n",
        parameters.join(", ")
    ))
}

/// Returns arguments of elementary types; `None` if there are others.
fn arguments(function: &Function) -> Option<String> {
    let mut seeds = ["account", "number"].into_iter().cycle();
    let args: Option<Vec<String>> =
        function.inputs.iter().map(|param| argument(param, seeds.next().unwrap_or("number"))).collect();
    Some(args?.join(", "))
}

fn argument(param: &Param, seed: &str) -> Option<String> {
    let is_elementary = param.internal_type().is_none_or(|ty| ty.to_string() == param.ty);
    let ty = param.resolve().ok().filter(|ty| is_word(ty) && is_elementary)?;
    Some(match ty {
        DynSolType::Address => format!("_receiver({seed})"),
        DynSolType::Uint(_) => expressions::cast(&ty, &format!("_amount(number, {FEW})")),
        ty => expressions::from_word(&ty, "number"),
    })
}
