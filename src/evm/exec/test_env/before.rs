//! Calls that `beforeTestSetup` requests before a test.

use super::TestEnv;
use crate::evm::{
    base::constants::CALLER,
    trace::call_tree::Tracer,
    vm::{
        call::{Callee, TopCall},
        evm::Evm,
        inspector::CallInspector,
    },
};
use crate::model::{TargetFunction, TraceKind};
use alloy_dyn_abi::{DynSolValue, FunctionExt as _, JsonAbiExt as _};
use alloy_json_abi::Function;
use alloy_primitives::{Address, B256, Bytes, U256};

/// Signature with which Forge calls the function, regardless of its declaration in the contract.
const BEFORE_TEST_SETUP: &str = "beforeTestSetup(bytes4)(bytes[])";

/// Makes the calls that the test contract requests before `test`, in the same way as the test itself. After
/// the first call that reverts, the others are left out, and the test counts as not prepared.
pub(super) fn prepare(test_env: &mut TestEnv, test: &TargetFunction) {
    let mut evm = Evm::new(
        test_env.start.base_state.clone(),
        &test_env.start.env,
        CallInspector::new(test_env.start.cheats.clone()),
    );
    evm.bound_time(test_env.limits.patient_timeout());
    evm.end_when(test_env.limits.ends_when.clone());
    evm.surround(&test_env.start.block_context);
    let calls = calls_before(test_env, &mut evm, test);
    evm.inspector().cheats = test_env.start.cheats.clone();
    evm.inspector().tracer = Some(Tracer::default());
    for data in calls {
        let output = evm.transact(&to_test(test_env, test_env.start.env.sender, data));
        let traces = evm.inspector().tracer.as_mut().map(Tracer::take).unwrap_or_default();
        test_env.setup.traces.extend(traces.into_iter().map(|trace| (TraceKind::Execution, trace)));
        test_env.setup.logs.append(&mut evm.inspector().cheats.take_logs());
        if output.is_success() {
            evm.commit();
        } else {
            evm.discard();
        }
        evm.settle();
        test_env.setup.prepared = output.is_success();
        if !test_env.setup.prepared {
            break;
        }
    }
    test_env.start.cheats = evm.inspector().cheats.clone();
    test_env.start.block_context = evm.block_context();
    test_env.start.base_state = evm.base_state().clone();
}

/// Returns the calldata of these calls; none if the contract's answer cannot be decoded.
fn calls_before(test_env: &TestEnv, evm: &mut Evm, test: &TargetFunction) -> Vec<Bytes> {
    let function = Function::parse(BEFORE_TEST_SETUP).expect("a signature");
    let selector = DynSolValue::FixedBytes(B256::right_padding_from(test.selector().as_slice()), 4);
    let data = function.abi_encode_input(&[selector]).expect("its only argument");
    let output = evm.transact(&to_test(test_env, CALLER, data.into()));
    evm.discard();
    evm.settle();
    let answer = output.is_success().then(|| function.abi_decode_output(&output.output).ok()).flatten();
    let calls = answer.and_then(|answer| answer.first()?.as_array().map(<[_]>::to_vec)).unwrap_or_default();
    calls.iter().filter_map(DynSolValue::as_bytes).map(Bytes::copy_from_slice).collect()
}

fn to_test(test_env: &TestEnv, caller: Address, data: Bytes) -> TopCall {
    TopCall::plain(caller, Callee::Account(test_env.suite.test), U256::ZERO, data)
}
