//! Test contract: `setUp`, and the invariants.

use super::{
    SourceNames, StarterInput, base_of, deployment,
    names::{ImportList, Scope},
};
use crate::model::{
    handler::{AskedAccount, ContractRole, Fact, Getter},
    is_view,
};

/// Writes the test contract.
pub(super) fn contract(
    input: &StarterInput<'_>,
    terms: &SourceNames,
    imports: &ImportList<'_>,
) -> Result<(String, Vec<String>), String> {
    let name = &terms.subject_type;
    let set_up = deployment::set_up(input, terms, imports)?;
    let mut scope = Scope::default();
    let mut constants = Vec::new();
    let invariants: Vec<(String, String)> =
        input.facts.iter().map(|fact| invariant(fact, input, terms, &mut scope, &mut constants)).collect();
    let contracts: String =
        terms.contracts().map(|(ty, variable)| format!("    {ty} internal {variable};\n")).collect();
    let first: String =
        constants.iter().map(|(ty, name, _)| format!("    {ty} internal {name};\n")).collect();
    let start: String =
        constants.iter().map(|(_, name, value)| format!("        {name} = {value};\n")).collect();
    let targets = if input.has_forge_std {
        ""
    } else {
        "\n    function targetContracts() public view returns (address[] memory targets) {\n        \
         targets = new address[](1);\n        targets[0] = address(handler);\n    }\n"
    };
    let target = if input.has_forge_std { "        targetContract(address(handler));\n" } else { "" };
    let given: Vec<_> = terms.contracts().map(|(_, variable)| variable).collect();
    let names = invariants.iter().map(|(name, _)| name.clone()).collect();
    let invariants: Vec<String> = invariants.into_iter().map(|(_, text)| text).collect();
    let text = format!(
        "/// Checks what holds after any calls. The first invariants are what {states} states had in common: keep those that\n\
         /// are meant, and make them stricter where you can.\n\
         contract {name}Invariants is {base} {{\n{contracts}    {name}Handler internal handler;\n    \
         address[] internal accounts;\n{first}\n    function setUp() public {{\n{set_up}        \
         handler = new {name}Handler({given}, accounts);\n{start}{target}    }}\n{targets}\n{invariants}\n{yours}}}\n",
        states = input.model.states,
        base = base_of(input),
        given = given.join(", "),
        invariants = invariants.join("\n"),
        yours = yours(input),
    );
    Ok((text, names))
}

/// Writes the invariant that the author has to write.
fn yours(input: &StarterInput<'_>) -> String {
    let getters: Vec<&str> = input
        .abi
        .functions()
        .filter(|function| is_view(function) && !function.outputs.is_empty())
        .map(|function| &*function.name)
        .take(4)
        .collect();
    let examples = match getters.is_empty() {
        true => String::new(),
        false => format!(" It can read {}.", getters.join(", ")),
    };
    format!(
        "    // Write here what users rely on, and what no getter says: for example, that an account can always take out\n    \
         // what it put in, and no more.{examples}\n    \
         function invariant_writeThisOne() public {{\n        vm.skip(true); // Remove this line.\n    }}\n"
    )
}

/// Writes the function of one fact. Constants are kept from `setUp` on: type, name and value.
fn invariant(
    fact: &Fact,
    input: &StarterInput<'_>,
    terms: &SourceNames,
    scope: &mut Scope,
    constants: &mut Vec<(String, String, String)>,
) -> (String, String) {
    let get = |getter: &Getter, account: &str| {
        let about = if getter.about == [AskedAccount::Account] { account } else { "" };
        format!("{}.{}({about})", terms.role(getter.of), getter.name)
    };
    let subject = terms.address(ContractRole::Subject);
    let sum = |each: &Getter, check: &str, total: &Getter| {
        format!(
            "uint256 sum = {};\n        for (uint256 i = 0; i < accounts.length; i++) {{\n            \
             sum += {};\n        }}\n        {check}(sum, {});",
            get(each, &subject),
            get(each, "accounts[i]"),
            get(total, "")
        )
    };
    let (name, body) = match fact {
        Fact::Conserved(quantity) => {
            let owned = terms.owned(&input.model.quantities[*quantity]);
            let [into, out] = terms.ghosts(*quantity).expect("a quantity that calls move");
            let body = format!("assertEq({owned} + handler.{out}(), handler.{into}());");
            (format!("{into}_equals_{out}_and_the_rest"), body)
        }
        Fact::SumEquals(each, total) => {
            (format!("sum_of_{}_equals_{}", each.name, total.name), sum(each, "assertEq", total))
        }
        Fact::SumAtMost(each, total) => {
            (format!("sum_of_{}_is_at_most_{}", each.name, total.name), sum(each, "assertLe", total))
        }
        Fact::EachAtMost(each, total) => {
            let body = format!(
                "for (uint256 i = 0; i < accounts.length; i++) {{\n            assertLe({}, {});\n        }}",
                get(each, "accounts[i]"),
                get(total, "")
            );
            (format!("{}_is_at_most_{}", each.name, total.name), body)
        }
        Fact::Covers(quantity, getter) => {
            let body = format!("assertLe({}, {});", get(getter, ""), terms.owned(quantity));
            (format!("{}_is_covered", getter.name), body)
        }
        Fact::AtMost(small, large) => {
            let body = format!("assertLe({}, {});", get(small, ""), get(large, ""));
            (format!("{}_is_at_most_{}", small.name, large.name), body)
        }
        Fact::Constant(getter) => {
            let kept = format!("{}AtFirst", getter.name);
            let function = input.abi.function(&getter.name).and_then(|all| all.first());
            let ty =
                function.and_then(|function| function.outputs.first()).map_or("uint256", |output| &output.ty);
            let value = get(getter, "");
            let (ty, value) = match ty {
                "address" | "bytes32" => (ty.to_owned(), value),
                "bool" => ("uint256".to_owned(), format!("{value} ? 1 : 0")),
                ty if ty.starts_with("uint") => ("uint256".to_owned(), value),
                ty if ty.starts_with("bytes") => ("bytes32".to_owned(), value),
                _ => ("uint256".to_owned(), format!("uint256(int256({value}))")),
            };
            let wrapped = if ty == "address" { format!("address({value})") } else { value };
            constants.push((ty, kept.clone(), wrapped.clone()));
            (format!("{}_never_changes", getter.name), format!("assertEq({wrapped}, {kept});"))
        }
        Fact::NoWei => ("it_owns_no_wei".to_owned(), format!("assertEq({subject}.balance, 0);")),
        Fact::HasCode => ("it_has_code".to_owned(), format!("assertLe(1, {subject}.code.length);")),
    };
    let name = scope.name(&format!("invariant_{name}"), "invariant");
    let text = format!("    function {name}() public view {{\n        {body}\n    }}\n");
    (name, text)
}
