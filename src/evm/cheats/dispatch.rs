//! Dispatch of calls to cheatcodes: from calldata to one impl a cheatcode, and back to the outcome of the call.

use super::{Cheats, asserts, forge_abi, vm::Vm};
use crate::{
    evm::{Ctx, trace::cmplog::CheatcodeComparison},
    model::BranchKind,
    panics,
    project::{Contract, StructMembers},
};
use Vm::VmCalls;
use alloy_primitives::{Address, Bytes, hex};
use alloy_sol_types::{SolCall, SolError, SolInterface};
use revm::{
    interpreter::{CallInputs, CallOutcome, CreateInputs, Gas, InstructionResult, InterpreterResult},
    primitives::hardfork::SpecId,
    state::Account,
};
use std::sync::{Arc, PoisonError};

/// Cheatcode, implemented on the arguments that `sol!` generated for it.
pub(super) trait Cheatcode: SolCall {
    /// Carries out the cheatcode.
    ///
    /// # Errors
    /// The call reverts with the error; a [`CheatError::Message`] gets Forge's `vm.name: ` prefix.
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self>;
}

/// Return value of a cheatcode.
pub(super) type CheatResult<C> = Result<<C as SolCall>::Return, CheatError>;

/// Revert of a cheatcode.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum CheatError {
    /// Text, sent as `CheatcodeError(string)`.
    Message(String),
    /// Revert data sent as it is: magic bytes, or those of a callee.
    Raw(Bytes),
}

impl<T: Into<String>> From<T> for CheatError {
    fn from(text: T) -> Self {
        Self::Message(text.into())
    }
}

/// Returns early with a [`CheatError::Message`] unless the condition holds.
macro_rules! ensure {
    ($condition:expr, $($message:tt)+) => {
        if !$condition {
            return Err($crate::evm::cheats::dispatch::CheatError::Message(format!($($message)+)));
        }
    };
}
pub(super) use ensure;

/// Returns the empty return value.
#[expect(clippy::unnecessary_wraps, reason = "the last line of cheatcodes that return nothing")]
pub(super) fn done<R: From<()>>() -> Result<R, CheatError> {
    Ok(().into())
}

/// State that a cheatcode may see and change, and details of its call.
pub(super) struct Cx<'a> {
    pub(super) ctx: &'a mut Ctx,
    pub(super) cheats: &'a mut Cheats,
    /// Contract that called the cheatcode.
    pub(super) caller: Address,
    /// Gas that the caller forwarded.
    pub(super) gas_limit: u64,
    /// Gas that the caller gets on top of what it forwarded.
    pub(super) gas_back: u64,
    /// Creation to run in place of the call (`deployCode`).
    pub(super) create: Option<CreateInputs>,
}

impl<'a> Cx<'a> {
    pub(super) fn new(ctx: &'a mut Ctx, cheats: &'a mut Cheats, inputs: &CallInputs) -> Self {
        Self { ctx, cheats, caller: inputs.caller, gas_limit: inputs.gas_limit, gas_back: 0, create: None }
    }

    /// Returns the depth of calls made by the contract that called the cheatcode; calls by a transaction have depth 0.
    pub(super) fn depth(&self) -> usize {
        self.ctx.journaled_state.depth
    }

    /// Records that the cheatcode tells more of earlier calls than what they returned.
    pub(super) fn note_calls(&mut self) {
        self.ctx.chain.reads.note_calls();
        self.cheats.transaction.read_gaps |= self.ctx.chain.watch.has_gaps;
    }

    /// Tells whether the transaction is traced for predictions.
    pub(super) fn is_traced(&self) -> bool {
        self.ctx.chain.cmplog.is_on()
    }

    /// Records a comparison by which the cheatcode decides, for the fuzzer.
    pub(super) fn compared(&mut self, kind: BranchKind, comparison: CheatcodeComparison) {
        let depth = self.depth();
        let recorder = &mut self.ctx.chain;
        if recorder.cmplog.is_on() {
            // Comparisons at one place are numbered.
            recorder.reads.note_transaction();
            let place = recorder.cheat_site(depth);
            let edges = recorder.cmplog.comparison(kind, place, depth, comparison);
            if let Some(symbolic) = &mut recorder.symbolic {
                symbolic.compared(depth, edges, comparison);
            }
        }
    }

    /// Returns the contract of the project whose code an account has.
    pub(super) fn contract_at(&self, address: Address) -> Option<&Arc<Contract>> {
        let code = crate::evm::state::layers::info(self.ctx, address)?.code.as_ref()?.original_bytes();
        let project = &self.cheats.shared.project;
        project.exact_runtime(&code).or_else(|| project.identify_runtime(&code))
    }

    /// Returns the structs of the project.
    pub(super) fn structs(&self) -> &StructMembers {
        self.cheats.shared.project.structs()
    }

    /// Checks that a value of so many bytes fits into memory.
    ///
    /// # Errors
    /// Fails if the EVM may not have as much memory.
    pub(super) fn fits(&self, bytes: usize) -> Result<(), CheatError> {
        let most = self.ctx.cfg.memory_limit;
        ensure!(bytes as u64 <= most, "{bytes} bytes are more than `memory_limit` allows ({most})");
        Ok(())
    }

    /// Returns the hard fork that the EVM runs.
    pub(super) fn spec(&self) -> SpecId {
        self.ctx.cfg.spec
    }

    /// Returns the account, loaded with its code and marked as touched so that its changes are kept.
    pub(super) fn account(&mut self, address: Address) -> &mut Account {
        account(self.ctx, address)
    }

    /// Checks that an address is no precompile.
    ///
    /// # Errors
    /// Fails if it is one.
    pub(super) fn not_precompile(&self, address: Address) -> Result<(), CheatError> {
        let precompile = self.ctx.journaled_state.inner.warm_addresses.precompiles().contains(&address);
        ensure!(!precompile, "cannot use precompile {address} as an argument");
        Ok(())
    }
}

/// Returns the account, loaded with its code and marked as touched.
pub(super) fn account(ctx: &mut Ctx, address: Address) -> &mut Account {
    let journal = &mut ctx.journaled_state;
    let Ok(_) = journal.inner.load_code(&mut journal.database, address);
    journal.inner.touch(address);
    journal.inner.state.get_mut(&address).expect("the account was just loaded")
}

/// Runs the cheatcode that `data` encodes; the error is the revert data.
pub(super) fn dispatch(cx: &mut Cx<'_>, data: &[u8]) -> Result<Vec<u8>, Bytes> {
    let Some(selector) = data.first_chunk::<4>().copied() else {
        return Err(encode_message(format!(
            "type check failed for \"VmCalls\" with data: {}",
            hex::encode(data)
        )));
    };
    if let Some(assertion) = asserts::find(selector) {
        return assertion.check(cx, &data[4..]);
    }
    if !VmCalls::valid_selector(selector) {
        return Err(encode_message(forge_abi::unsupported(selector)));
    }
    if data.len() > SHORT && keeps(selector) {
        cx.ctx.chain.limits.holds(data.len());
    }
    let call = VmCalls::abi_decode(data).map_err(|error| encode_message(error.to_string()))?;
    apply(call, cx)
}

/// Most bytes of calldata that are not counted: other costs of a cheatcode are larger.
const SHORT: usize = 1 << 10;

/// Tells whether a cheatcode keeps its arguments until the run ends.
fn keeps(selector: [u8; 4]) -> bool {
    let name = VmCalls::name_by_selector(selector).unwrap_or_default();
    let families = ["mock", "expect", "serialize", "create"];
    ["label", "setEnv", "etch"].contains(&name) || families.iter().any(|family| name.starts_with(family))
}

/// Tells whether a call of this cheatcode depends on its arguments alone, and on pranks of the same transaction.
pub(crate) fn is_pure(data: &[u8]) -> bool {
    use Vm::*;
    let Some(selector) = data.first_chunk::<4>().copied() else { return false };
    let pure = [
        prank_0Call::SELECTOR,
        prank_1Call::SELECTOR,
        startPrank_0Call::SELECTOR,
        startPrank_1Call::SELECTOR,
        stopPrankCall::SELECTOR,
        labelCall::SELECTOR,
        addrCall::SELECTOR,
    ];
    asserts::find(selector).is_some() || pure.contains(&selector)
}

/// Encodes `CheatcodeError(message)`.
pub(super) fn encode_message(message: String) -> Bytes {
    Vm::CheatcodeError { message }.abi_encode().into()
}

/// Cheatcodes that Forge will drop, with what replaces them.
const DEPRECATED: [(&str, &str); 5] = [
    ("snapshot()", "snapshotState"),
    ("revertTo(uint256)", "revertToState"),
    ("revertToAndDelete(uint256)", "revertToStateAndDelete"),
    ("deleteSnapshot(uint256)", "deleteStateSnapshot"),
    ("deleteSnapshots()", "deleteStateSnapshots"),
];

/// Cheatcodes whose errors do not begin with their names.
const UNNAMED: [&str; 1] = ["rpcUrl"];

fn run<C: Cheatcode>(call: C, cx: &mut Cx<'_>) -> Result<Vec<u8>, Bytes> {
    if let Some(deprecated) = DEPRECATED.iter().find(|(signature, _)| *signature == C::SIGNATURE) {
        cx.cheats.shared.deprecated.lock().unwrap_or_else(PoisonError::into_inner).insert(*deprecated);
    }
    // A library may give up on what a contract makes up; then the cheatcode fails, and nothing else.
    let applied = panics::caught(|| call.apply(cx))
        .unwrap_or_else(|panic| Err(format!("these arguments cannot be read ({panic})").into()));
    match applied {
        Ok(value) => Ok(C::abi_encode_returns(&value)),
        Err(CheatError::Raw(data)) => Err(data),
        Err(CheatError::Message(text)) => {
            let name = C::SIGNATURE.split('(').next().unwrap_or_default();
            let prefix = if UNNAMED.contains(&name) { String::new() } else { format!("vm.{name}: ") };
            Err(encode_message(prefix + &text))
        }
    }
}

/// Matches all variants of the interface: a new line there does not compile until it is listed and implemented.
macro_rules! exhaustive {
    ($($variant:ident)*) => {
        fn apply(call: VmCalls, cx: &mut Cx<'_>) -> Result<Vec<u8>, Bytes> {
            match call {
                $(VmCalls::$variant(call) => run(call, cx),)*
            }
        }
    };
}

exhaustive! {
    warp roll fee chainId coinbase difficulty prevrandao_0 prevrandao_1 txGasPrice blobBaseFee getBlobBaseFee
    blobhashes getBlobhashes setBlockhash getBlockTimestamp getBlockNumber getChainId getEvmVersion
    setEvmVersion isIsolateMode deal etch store load getNonce_0 getNonce_1 setNonce setNonceUnsafe resetNonce
    cool coolSlot warmSlot allowCheatcodes copyStorage cloneAccount dumpState loadAllocs accessList
    noAccessList executeTransaction setArbitraryStorage_0 setArbitraryStorage_1 snapshotState snapshot
    revertToState revertTo revertToStateAndDelete revertToAndDelete deleteStateSnapshot deleteSnapshot
    deleteStateSnapshots deleteSnapshots prank_0 prank_1 prank_2 prank_3 startPrank_0 startPrank_1
    startPrank_2 startPrank_3 stopPrank readCallers mockCall_0 mockCall_1 mockCall_2 mockCall_3 mockCall_4
    mockCallRevert_0 mockCallRevert_1 mockCallRevert_2 mockCallRevert_3 mockCalls_0 mockCalls_1 mockFunction
    clearMockedCalls expectRevert_0 expectRevert_1 expectRevert_2 expectRevert_3 expectRevert_4 expectRevert_5
    expectRevert_6 expectRevert_7 expectRevert_8 expectRevert_9 expectRevert_10 expectRevert_11
    _expectCheatcodeRevert_0 _expectCheatcodeRevert_1 _expectCheatcodeRevert_2 expectPartialRevert_0
    expectPartialRevert_1 expectEmit_0 expectEmit_1 expectEmit_2 expectEmit_3 expectEmit_4 expectEmit_5
    expectEmit_6 expectEmit_7 expectEmitAnonymous_0 expectEmitAnonymous_1 expectEmitAnonymous_2
    expectEmitAnonymous_3 expectCall_0 expectCall_1 expectCall_2 expectCall_3 expectCall_4 expectCall_5
    expectCallMinGas_0 expectCallMinGas_1 expectDelegateCall expectCreate expectCreate2 assume
    assumeNoRevert_0 assumeNoRevert_1 assumeNoRevert_2 skip_0 skip_1 expectSafeMemory expectSafeMemoryCall
    stopExpectSafeMemory record stopRecord accesses recordLogs getRecordedLogs startMappingRecording
    stopMappingRecording getMappingLength getMappingSlotAt getMappingKeyAndParentOf startStateDiffRecording
    stopAndReturnStateDiff getStorageAccesses getStateDiff getStateDiffJson getStorageSlots
    getRecordedLogsJson interceptInitcode startDebugTraceRecording stopAndReturnDebugTraceRecording
    pauseGasMetering resumeGasMetering resetGasMetering lastCallGas lastFrameGas addr createWallet_0
    createWallet_1 createWallet_2 rememberKey rememberKeys_0 rememberKeys_1 deriveKey_0 deriveKey_1
    deriveKey_2 deriveKey_3 getWallets sign_0 sign_1 sign_2 sign_3 signCompact_0 signCompact_1 signCompact_2
    signCompact_3 signWithNonceUnsafe signP256 publicKeyP256 createEd25519Key publicKeyEd25519 signEd25519
    verifyEd25519 ecAddAffine ecAddProjective ecMulAffine ecMulProjective toRlp fromRlp ensNamehash
    eip712HashType_0 eip712HashType_1 eip712HashStruct_0 eip712HashStruct_1 eip712HashTypedData prompt
    promptSecret promptAddress promptUint promptSecretUint snapshotValue_0 snapshotValue_1
    snapshotGasLastCall_0 snapshotGasLastCall_1 snapshotGasLastFrame_0 snapshotGasLastFrame_1
    startSnapshotGas_0 startSnapshotGas_1 stopSnapshotGas_0 stopSnapshotGas_1 stopSnapshotGas_2 rpcUrl rpcUrls
    rpcUrlStructs getChain_0 getChain_1 createFork_0 createFork_1 createFork_2 createSelectFork_0
    createSelectFork_1 createSelectFork_2 selectFork activeFork rollFork_0 rollFork_1 rollFork_2 rollFork_3
    transact_0 transact_1 getRawBlockHeader makePersistent_0 makePersistent_1 makePersistent_2
    makePersistent_3 revokePersistent_0 revokePersistent_1 isPersistent rpc_0 rpc_1 rpcJson_0 rpcJson_1
    eth_getLogs broadcast_0 broadcast_1 broadcast_2 startBroadcast_0 startBroadcast_1 startBroadcast_2
    stopBroadcast attachBlob broadcastRawTransaction attachDelegation_0 attachDelegation_1 signDelegation_0
    signDelegation_1 signDelegation_2 signAndAttachDelegation_0 signAndAttachDelegation_1
    signAndAttachDelegation_2 getBroadcast getBroadcasts_0 getBroadcasts_1 getDeployment_0 getDeployment_1
    getDeployments toString_0 toString_1 toString_2 toString_3 toString_4 toString_5 parseAddress parseBytes
    parseBytes32 parseBool parseUint parseInt toLowercase toUppercase trim replace split indexOf contains
    toBase64_0 toBase64_1 toBase64URL_0 toBase64URL_1 setEnv envExists envBool_0 envUint_0 envInt_0
    envAddress_0 envBytes32_0 envString_0 envBytes_0 envBool_1 envUint_1 envInt_1 envAddress_1 envBytes32_1
    envString_1 envBytes_1 envOr_0 envOr_1 envOr_2 envOr_3 envOr_4 envOr_5 envOr_6 envOr_7 envOr_8 envOr_9
    envOr_10 envOr_11 envOr_12 envOr_13 isContext projectRoot unixTime sleep ffi ffiUint ffiString ffiBytes
    tryFfi resolveEnv getFoundryVersion foundryVersionCmp foundryVersionAtLeast breakpoint_0 breakpoint_1
    pauseTracing resumeTracing readFile readFileBinary readLine closeFile writeFile writeFileBinary writeLine
    copyFile removeFile exists isFile isDir fsMetadata createDir removeDir readLink readDir_0 readDir_1
    readDir_2 currentFilePath keyExists keyExistsJson parseJsonKeys parseJsonArrayLength parseJson_0
    parseJson_1 parseJsonType_0 parseJsonType_1 parseJsonTypeArray parseJsonBool_0 parseJsonBool_1
    parseJsonBoolArray_0 parseJsonBoolArray_1 parseJsonUint_0 parseJsonUint_1 parseJsonUintArray_0
    parseJsonUintArray_1 parseJsonInt_0 parseJsonInt_1 parseJsonIntArray_0 parseJsonIntArray_1
    parseJsonAddress_0 parseJsonAddress_1 parseJsonAddressArray_0 parseJsonAddressArray_1 parseJsonBytes32_0
    parseJsonBytes32_1 parseJsonBytes32Array_0 parseJsonBytes32Array_1 parseJsonString_0 parseJsonString_1
    parseJsonStringArray_0 parseJsonStringArray_1 parseJsonBytes_0 parseJsonBytes_1 parseJsonBytesArray_0
    parseJsonBytesArray_1 serializeBool_0 serializeBool_1 serializeUint_0 serializeUint_1 serializeInt_0
    serializeInt_1 serializeAddress_0 serializeAddress_1 serializeBytes32_0 serializeBytes32_1
    serializeString_0 serializeString_1 serializeBytes_0 serializeBytes_1 serializeUintToHex serializeJson
    serializeJsonType_0 serializeJsonType_1 writeJson_0 writeJson_1 keyExistsToml parseTomlKeys parseToml_0
    parseToml_1 parseTomlType_0 parseTomlType_1 parseTomlTypeArray parseTomlBool_0 parseTomlBool_1
    parseTomlBoolArray_0 parseTomlBoolArray_1 parseTomlUint_0 parseTomlUint_1 parseTomlUintArray_0
    parseTomlUintArray_1 parseTomlInt_0 parseTomlInt_1 parseTomlIntArray_0 parseTomlIntArray_1
    parseTomlAddress_0 parseTomlAddress_1 parseTomlAddressArray_0 parseTomlAddressArray_1 parseTomlBytes32_0
    parseTomlBytes32_1 parseTomlBytes32Array_0 parseTomlBytes32Array_1 parseTomlString_0 parseTomlString_1
    parseTomlStringArray_0 parseTomlStringArray_1 parseTomlBytes_0 parseTomlBytes_1 parseTomlBytesArray_0
    parseTomlBytesArray_1 writeToml_0 writeToml_1 getCode getDeployedCode getSelectors getArtifactPathByCode
    getArtifactPathByDeployedCode deployCode_0 deployCode_1 deployCode_2 deployCode_3 deployCode_4
    deployCode_5 deployCode_6 deployCode_7 label getLabel computeCreateAddress computeCreate2Address_0
    computeCreate2Address_1 setSeed randomUint_0 randomUint_1 randomUint_2 randomInt_0 randomInt_1
    randomAddress randomBool randomBytes randomBytes4 randomBytes8 bound_0 bound_1 shuffle sort
    registerSloadHook registerSstoreHook registerMappingSstoreHook
}

/// Returns the outcome of a call that was answered without running code: its gas comes back untouched.
pub(super) fn answer(inputs: &CallInputs, result: Result<Vec<u8>, Bytes>, gas_back: u64) -> CallOutcome {
    let (result, output) = match result {
        Ok(data) => (InstructionResult::Return, data.into()),
        Err(data) => (InstructionResult::Revert, data),
    };
    let limit = inputs.gas_limit.saturating_add(gas_back);
    let gas = Gas::new_with_regular_gas_and_reservoir(limit, inputs.reservoir);
    CallOutcome::new(InterpreterResult { result, output, gas }, inputs.return_memory_offset.clone())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evm::base::constants::VM_ADDRESS;
    use crate::evm::cheats::testing::{Lab, Program, reason};
    use alloy_primitives::{U256, hex};

    #[test]
    fn an_error_names_the_cheatcode() {
        let output = Lab::new().run(&Program::new().vm(&Vm::addrCall { privateKey: U256::ZERO }));
        insta::assert_snapshot!(reason(&output.output), @"vm.addr: private key cannot be 0");
    }

    #[test]
    fn a_failed_assertion_is_known_by_its_revert_data() {
        let mut lab = Lab::new();
        let call = [&hex!("98296c54")[..], &[1; 32], &[2; 32]].concat();
        let output = lab.run(&Program::new().must(VM_ADDRESS, call));
        assert!(lab.cheats().assert_failed_with(&output.output));
        assert!(!lab.cheats().assert_failed_with(&Bytes::new()));
    }

    #[test]
    fn a_failed_assertion_may_be_flagged_instead() {
        let mut lab = Lab::configured(|env| env.config.assertions_revert = false);
        let call = [&hex!("0c9fd581")[..], &[0; 32]].concat();
        assert!(lab.run(&Program::new().must(VM_ADDRESS, call)).is_success());
        assert_eq!(lab.evm.storage(VM_ADDRESS, crate::evm::base::constants::FAILED_SLOT), U256::ONE);
        assert_eq!(lab.cheats().take_logs(), ["assertion failed"]);
    }
}
