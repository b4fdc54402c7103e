//! `setUp` of a reproducer for a scan: the state before the first call.

use crate::{
    model::{ContractId, Deployment, Initializer, Scene, SequenceCall, Transaction},
    report::literal,
};
use alloy_primitives::{Address, hex};

/// Writes `setUp`: the actors, the contracts that were deployed, and the calls that initialise them. The
/// contract itself is left out if the first call of the sequence creates it.
pub(super) fn set_up(scene: &Scene, calls: &[SequenceCall], id: &str) -> String {
    let mut lines =
        vec![format!("vm_{id}.warp({});", scene.timestamp), format!("vm_{id}.roll({});", scene.number)];
    for actor in &scene.actors {
        lines.push(format!("vm_{id}.deal({}, {}); // {}", actor.address, Scene::BALANCE, actor.name));
        if !actor.code.is_empty() {
            lines.push(format!("vm_{id}.etch({}, hex\"{}\");", actor.address, hex::encode(&actor.code)));
        }
    }
    if !scene.forced.is_zero() {
        lines.push(format!("vm_{id}.deal({}, {}); // forced", scene.contract.address, scene.forced));
    }
    let is_created = calls.first().is_some_and(|call| call.tx.input.is_creation());
    let deployed = scene.dependencies.iter().chain((!is_created).then_some(&scene.contract));
    lines.extend(deployed.map(|deployment| {
        let Deployment { contract, address, args, value } = deployment;
        let args = hex::encode(args);
        create(contract, &format!("{}, {address}, {value}, hex\"{args}\"", scene.deployer), id)
    }));
    if !is_created {
        lines.extend(initializers(scene.deployer, &scene.contract, &scene.initializers, id));
    }
    let lines: String = lines.iter().map(|line| format!("        {line}\n")).collect();
    format!("    function setUp() public {{\n{lines}    }}\n\n")
}

/// Writes the creation of the contract by a call of the sequence, as the end of a statement that may begin
/// with variables for the results.
pub(super) fn creation(
    tx: &Transaction,
    contract: &Deployment,
    initializers: &[Initializer],
    id: &str,
) -> String {
    let calldata = tx.input.calldata();
    let args = hex::encode(calldata.get(4..).unwrap_or_default());
    let call =
        create(&contract.contract, &format!("{}, {}, {}, hex\"{args}\"", tx.sender, tx.target, tx.value), id);
    let then = self::initializers(tx.sender, contract, initializers, id);
    then.into_iter().fold(call + "\n", |text, line| format!("{text}        {line}\n"))
}

fn create(contract: &ContractId, rest: &str, id: &str) -> String {
    format!("create_{id}({}, {rest});", literal::string(&artifact(contract)))
}

fn initializers(sender: Address, contract: &Deployment, calls: &[Initializer], id: &str) -> Vec<String> {
    let call = |Initializer { signature, calldata }: &Initializer| {
        let data = hex::encode(calldata);
        format!("send_{id}({sender}, {}, 0, hex\"{data}\"); // {signature}", contract.address)
    };
    calls.iter().map(call).collect()
}

/// Returns the name by which `vm.getCode` finds the artifact. A version at the end of an artifact's name
/// follows a colon there.
fn artifact(contract: &ContractId) -> String {
    match contract.name.split_once('.') {
        Some((name, version)) => format!("{}:{name}:{version}", contract.path),
        None => contract.to_string(),
    }
}
