//! A suite that is really compiled and set up, and calls of its contracts.

use super::{Project, tools};
use alloy_dyn_abi::DynSolType;
use alloy_json_abi::Function;
use alloy_primitives::{Address, U256, address};
use forge_harvey::{
    config,
    evm::exec::test_env::{ProjectContext, TestEnv},
    model::{TargetFunction, Transaction},
    project,
};
use std::sync::Arc;

/// Sender of all transactions.
const SENDER: Address = address!("00000000000000000000000000000000000A11CE");

/// Compiles a source, and runs the `setUp` of one of its test contracts.
pub(crate) fn set_up(path: &str, source: &str, suite: &str, isolate: bool) -> Arc<TestEnv> {
    let solc = tools().svm.join("0.8.30/solc-0.8.30");
    let profile = format!("[profile.default]\nsolc = {:?}\nisolate = {isolate}\n", solc.display());
    let settings = profile + "[fuzz]\nseed = \"0x1\"\n";
    let files = Project::new(&[("foundry.toml", &settings), (path, source)]);
    let finders = config::Finders { remappings: &project::find_remappings, forge: &|| None };
    let loaded = config::load(files.root(), &Default::default(), &Default::default(), &finders);
    let config = loaded.unwrap().config;
    let project = Arc::new(project::Project::load(&config, &mut |_| {}).unwrap());
    let mut suites = project.suites();
    suites.retain(|found| found.id().name == suite);
    let context = ProjectContext::new(project, Default::default(), U256::ONE);
    Arc::new(TestEnv::build(&context, &config, &suites[0]).unwrap_or_else(|failure| panic!("{failure:?}")))
}

/// Returns a call of a function with arguments as in Solidity.
pub(crate) fn transaction(target: Address, signature: &str, arguments: &[&str]) -> Transaction {
    let function = Function::parse(&format!("function {signature}")).unwrap();
    let function = Arc::new(TargetFunction::new(function));
    let values = function.inputs.iter().zip(arguments);
    let args = values.map(|(input, text)| DynSolType::parse(&input.ty).unwrap().coerce_str(text).unwrap());
    Transaction::plain(SENDER, target, &function, args.collect())
}
