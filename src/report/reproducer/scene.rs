//! `setUp` of a reproducer for a scan: the state before the first call.

use crate::{
    model::{
        CodeOrigin, ContractId, Deployment, Initializer, PreparedState, Scene, SequenceCall, Slot, TokenWord,
        Transaction,
    },
    report::literal,
};
use alloy_primitives::{Address, hex};

/// Environment variable with the URL of the node whose chain a reproducer forks. A URL may contain a secret.
const FORK_URL: &str = "FORK_URL";

/// Returns what precedes the command that runs a reproducer: the variable, with the name of its value.
pub(super) fn variable(scene: Option<&Scene>) -> String {
    let block = scene.and_then(Scene::forked_block);
    block.map(|_| format!("{FORK_URL}=URL ")).unwrap_or_default()
}

/// Writes `setUp`: the forked chain, the actors, the contracts that were deployed, and the calls that initialise them.
/// The contract itself is left out if the first call of the sequence creates it.
pub(super) fn set_up(scene: &Scene, calls: &[SequenceCall], id: &str) -> String {
    let PreparedState { timestamp, number, forced, tokens, .. } = &scene.prepared;
    let mut lines = Vec::new();
    if let Some(block) = scene.forked_block() {
        lines.push(format!("vm_{id}.createSelectFork(vm_{id}.envString(\"{FORK_URL}\"), {block});"));
    }
    lines.extend([format!("vm_{id}.warp({timestamp});"), format!("vm_{id}.roll({number});")]);
    for actor in &scene.actors {
        lines.push(format!("vm_{id}.deal({}, {}); // {}", actor.address, Scene::BALANCE, actor.name));
        if !actor.code.is_empty() {
            lines.push(format!("vm_{id}.etch({}, hex\"{}\");", actor.address, hex::encode(&actor.code)));
        }
    }
    if !forced.is_zero() {
        lines.push(format!("vm_{id}.deal({}, {forced}); // forced", scene.contract.address));
    }
    lines.extend(tokens.iter().map(|TokenWord { slot: Slot { address, slot }, value, .. }| {
        format!("vm_{id}.store({address}, bytes32(uint256({slot})), bytes32(uint256({value})));")
    }));
    let deployer = scene.deployer.unwrap_or_default();
    let is_created = calls.first().is_some_and(|call| call.tx.input.is_creation());
    match &scene.origin {
        CodeOrigin::Chain { .. } => {}
        CodeOrigin::RuntimeCode(code) => {
            lines.push(format!("vm_{id}.etch({}, hex\"{}\");", scene.contract.address, hex::encode(code)));
        }
        origin => {
            let artifact = &CodeOrigin::Artifact;
            let dependencies = scene.dependencies.iter().map(|built| (built, artifact));
            let deployed = dependencies.chain((!is_created).then_some((&scene.contract, origin)));
            lines.extend(deployed.map(|(Deployment { contract, address, args, value }, origin)| {
                let args = hex::encode(args);
                let rest = format!("{deployer}, {address}, {value}, hex\"{args}\"");
                create(contract, origin, &rest, id)
            }));
        }
    }
    if !is_created {
        lines.extend(initializers(deployer, &scene.contract, &scene.initializers, id));
    }
    let lines: String = lines.iter().map(|line| format!("        {line}\n")).collect();
    format!("    function setUp() public {{\n{lines}    }}\n\n")
}

/// Writes the creation of the contract by a call of the sequence, as the end of a statement that may begin
/// with variables for the results.
pub(super) fn creation(tx: &Transaction, scene: &Scene, id: &str) -> String {
    let calldata = tx.input.calldata();
    let args = hex::encode(calldata.get(4..).unwrap_or_default());
    let rest = format!("{}, {}, {}, hex\"{args}\"", tx.sender, tx.target, tx.value);
    let call = create(&scene.contract.contract, &scene.origin, &rest, id);
    let then = initializers(tx.sender, &scene.contract, &scene.initializers, id);
    then.into_iter().fold(call + "\n", |text, line| format!("{text}        {line}\n"))
}

fn create(contract: &ContractId, origin: &CodeOrigin, rest: &str, id: &str) -> String {
    let code = match origin {
        CodeOrigin::CreationCode(code) => format!("hex\"{}\"", hex::encode(code)),
        _ => format!("vm_{id}.getCode({})", literal::string(&artifact(contract))),
    };
    format!("create_{id}({code}, {rest});")
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
