//! Code of the project's artifacts, read or deployed; and creations that are intercepted.

use super::{
    Cheats,
    dispatch::{CheatError, CheatResult, Cheatcode, Cx, dispatch, done, ensure},
    file_access::FileAccess,
    vm::Vm,
};
use crate::{
    evm::{Ctx, base::constants::VM_ADDRESS},
    files::read_text,
    project::{CodeKind, Contract, LookupError},
};
use alloy_json_abi::{ContractObject, Function, JsonAbi};
use alloy_primitives::{Address, B256, Bytes, FixedBytes, U256};
use alloy_sol_types::{SolCall, SolValue};
use revm::{
    context::{CreateScheme, TxEnv},
    handler::FrameResult,
    interpreter::{
        CallOutcome, CreateInputs, CreateOutcome, FrameInput, Gas, InstructionResult, InterpreterResult,
    },
};
use serde_json::Value;
use std::{borrow::Cow, mem, ops::Range, path::Path};

/// Artifact that a test names.
enum NamedArtifact<'a> {
    /// Contract of this build.
    Contract(&'a Contract),
    /// Text of a file.
    File(String),
}

/// Returns an artifact by the names that lookups take or by its file. As in Forge, one that this build did not make
/// is looked for below `out`.
fn named<'a>(cx: &'a Cx<'_>, artifact: &str) -> Result<NamedArtifact<'a>, CheatError> {
    let shared = &cx.cheats.shared;
    if let Some(file) = file_of(artifact) {
        return text_of(cx, &file);
    }
    let artifact = shared.project.remapped(artifact, &shared.running);
    let checked = !shared.config.unchecked_artifacts;
    let found = checked.then(|| shared.project.artifact(&artifact, Some(&shared.running)));
    match found {
        Some(Ok(contract)) => Ok(NamedArtifact::Contract(contract)),
        Some(Err(error)) if error != LookupError::NotFound => Err(error.to_string())?,
        _ => text_of(cx, &file_below(&shared.config.artifacts, &artifact)),
    }
}

fn text_of<'a>(cx: &Cx<'_>, file: &str) -> Result<NamedArtifact<'a>, CheatError> {
    let path = cx.path(file, FileAccess::Read)?;
    Ok(NamedArtifact::File(read_text(&path).map_err(|_| "no matching artifact found")?))
}

/// Returns the code of an artifact.
fn code(cx: &Cx<'_>, artifact: &str, kind: CodeKind) -> Result<Bytes, CheatError> {
    let found = match named(cx, artifact)? {
        NamedArtifact::Contract(contract) => contract.code(kind).cloned(),
        NamedArtifact::File(text) => {
            let artifact: ContractObject = serde_json::from_str(&text).map_err(|error| error.to_string())?;
            match kind {
                CodeKind::Creation => artifact.bytecode,
                CodeKind::Runtime => artifact.deployed_bytecode,
            }
        }
    };
    Ok(found.ok_or_else(|| LookupError::NoBytecode.to_string())?)
}

/// Returns the selectors of the functions of an artifact, sorted by the functions' names as in its ABI.
fn selectors(cx: &Cx<'_>, artifact: &str) -> Result<Vec<FixedBytes<4>>, CheatError> {
    let all = |abi: &JsonAbi| abi.functions().map(Function::selector).collect();
    match named(cx, artifact)? {
        NamedArtifact::Contract(contract) => Ok(all(&contract.abi)),
        // The code is not read, because it may be one that is not linked.
        NamedArtifact::File(text) => {
            let json: Value = serde_json::from_str(&text).map_err(|error| error.to_string())?;
            let abi = json.get("abi").ok_or("no `abi` field in artifact JSON")?;
            let abi: JsonAbi = serde_json::from_value(abi.clone()).map_err(|error| error.to_string())?;
            Ok(all(&abi))
        }
    }
}

/// Returns the file of an artifact that is named by it, or by a source outside of the project.
fn file_of(artifact: &str) -> Option<Cow<'_, str>> {
    if artifact.ends_with(".json") {
        return Some(artifact.into());
    }
    let (source, name) = artifact.split_once(':').filter(|(source, _)| Path::new(source).is_absolute())?;
    Some(format!("{source}/{name}.json").into())
}

/// Returns the file of an artifact below `out`.
fn file_below(out: &Path, artifact: &str) -> String {
    let mut parts = artifact.split(':');
    let first = parts.next().unwrap_or_default();
    let named = parts.next().filter(|second| !second.contains('.'));
    let (file, name) = match first.strip_suffix(".sol") {
        Some(stem) => (first.to_owned(), named.unwrap_or(stem)),
        None => (format!("{first}.sol"), first),
    };
    out.join(file).join(format!("{name}.json")).display().to_string()
}

impl Cheatcode for Vm::getCodeCall {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        code(cx, &self.artifact, CodeKind::Creation)
    }
}

impl Cheatcode for Vm::getDeployedCodeCall {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        code(cx, &self.artifact, CodeKind::Runtime)
    }
}

impl Cheatcode for Vm::getSelectorsCall {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        selectors(cx, &self.artifact)
    }
}

/// Returns the artifact of the contract that has this code.
fn artifact_of(cx: &Cx<'_>, code: &[u8], kind: CodeKind) -> Result<String, CheatError> {
    let project = &cx.cheats.shared.project;
    let similar = match kind {
        CodeKind::Creation => project.with_creation_code(code),
        CodeKind::Runtime => project.identify_runtime(code),
    };
    let found = project.with_code(code, kind).next().or(similar);
    Ok(found.map(|contract| contract.artifact.display().to_string()).ok_or("no matching artifact found")?)
}

impl Cheatcode for Vm::getArtifactPathByCodeCall {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        artifact_of(cx, &self.code, CodeKind::Creation)
    }
}

impl Cheatcode for Vm::getArtifactPathByDeployedCodeCall {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        artifact_of(cx, &self.code, CodeKind::Runtime)
    }
}

/// Creations that cheatcodes run or answer.
#[derive(Clone, Debug, Default)]
pub(super) struct Deployments {
    /// True if the next creation gives its code back instead of running it.
    intercepting: bool,
    /// Calls of `deployCode` whose creations are running, the innermost last.
    running: Vec<Deploying>,
}

/// Call of `deployCode` whose creation is running.
#[derive(Clone, Debug)]
struct Deploying {
    depth: usize,
    returns: Range<usize>,
    gas_limit: u64,
    reservoir: u64,
    /// Transaction of the test, hidden from the creation: as in Forge, that is a transaction of its own from nobody.
    tx: TxEnv,
}

/// Turns a call of `deployCode` into the creation that it asks for.
///
/// The creation runs as a frame of the caller's, so pranks and expectations see an ordinary CREATE. When the
/// cheatcode fails, the call is left as it is, and fails when it is answered.
pub(super) fn begin_deployment(cheats: &mut Cheats, ctx: &mut Ctx, input: &mut FrameInput) {
    let FrameInput::Call(inputs) = &input else { return };
    if inputs.target_address != VM_ADDRESS {
        return;
    }
    let data = inputs.input.bytes(ctx);
    if !data.first_chunk().is_some_and(|selector| SELECTORS.contains(selector)) {
        return;
    }
    let depth = ctx.journaled_state.depth;
    let mut cx = Cx::new(ctx, cheats, inputs);
    if dispatch(&mut cx, &data).is_ok()
        && let Some(create) = cx.create
    {
        let tx = TxEnv { gas_limit: ctx.tx.gas_limit, ..TxEnv::default() };
        cheats.deployments.running.push(Deploying {
            tx: mem::replace(&mut ctx.tx, tx),
            depth,
            returns: inputs.return_memory_offset.clone(),
            gas_limit: inputs.gas_limit,
            reservoir: inputs.reservoir,
        });
        *input = FrameInput::Create(Box::new(create));
    }
}

impl Deployments {
    /// Tells whether the creations of the next transaction run.
    pub(super) fn is_quiet(&self) -> bool {
        let Self { intercepting, running: _ } = self;
        !intercepting
    }

    /// Forgets the calls of the last transaction.
    pub(super) fn begin_tx(&mut self) {
        self.running.clear();
    }

    /// Goes on with the transaction around one that has ended.
    pub(super) fn after_transaction(&mut self, outer: Self) {
        let Self { intercepting: _, running } = outer;
        self.running = running;
    }

    /// Tells whether the creation that begins at this depth is one of `deployCode`.
    pub(super) fn is_running(&self, depth: usize) -> bool {
        self.running.last().is_some_and(|last| last.depth == depth)
    }

    /// Answers the creation that `vm.interceptInitcode` waits for with its own code.
    pub(super) fn intercept(&mut self, inputs: &CreateInputs) -> Option<CreateOutcome> {
        if !mem::take(&mut self.intercepting) {
            return None;
        }
        Some(refused(inputs, inputs.init_code().clone()))
    }

    /// Turns the result of such a creation into the one of the call.
    pub(super) fn on_frame_end(&mut self, ctx: &mut Ctx, result: &mut FrameResult) {
        let FrameResult::Create(created) = &result else { return };
        let Some(deploying) = self.running.pop_if(|last| last.depth == ctx.journaled_state.depth) else {
            return;
        };
        ctx.tx = deploying.tx;
        let mut call = created.result.clone();
        match created.address {
            Some(address) if call.result.is_ok() => {
                call.result = InstructionResult::Return;
                call.output = address.abi_encode().into();
            }
            _ => call.result = InstructionResult::Revert,
        }
        call.gas = Gas::new_with_regular_gas_and_reservoir(deploying.gas_limit, deploying.reservoir);
        *result = FrameResult::Call(CallOutcome::new(call, deploying.returns));
    }
}

const SELECTORS: [[u8; 4]; 8] = [
    Vm::deployCode_0Call::SELECTOR,
    Vm::deployCode_1Call::SELECTOR,
    Vm::deployCode_2Call::SELECTOR,
    Vm::deployCode_3Call::SELECTOR,
    Vm::deployCode_4Call::SELECTOR,
    Vm::deployCode_5Call::SELECTOR,
    Vm::deployCode_6Call::SELECTOR,
    Vm::deployCode_7Call::SELECTOR,
];

/// Prepares the creation, whose address is known when it has run.
fn deploy(
    cx: &mut Cx<'_>,
    artifact: &str,
    arguments: &Bytes,
    value: U256,
    salt: Option<B256>,
) -> Result<Address, CheatError> {
    let code = code(cx, artifact, CodeKind::Creation)?;
    let scheme = salt.map_or(CreateScheme::Create, |salt| CreateScheme::Create2 { salt: salt.into() });
    let init_code = [code, arguments.clone()].concat().into();
    cx.create = Some(CreateInputs::new(cx.caller, scheme, value, init_code, cx.gas_limit, 0));
    Ok(Address::ZERO)
}

/// Returns the outcome of a creation that is not carried out.
pub(super) fn refused(inputs: &CreateInputs, output: Bytes) -> CreateOutcome {
    let gas = Gas::new_with_regular_gas_and_reservoir(inputs.gas_limit(), 0);
    CreateOutcome::new(InterpreterResult { result: InstructionResult::Revert, output, gas }, None)
}

impl Cheatcode for Vm::interceptInitcodeCall {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        let intercepting = &mut cx.cheats.deployments.intercepting;
        ensure!(!*intercepting, "vm.interceptInitcode() has already been called");
        *intercepting = true;
        done()
    }
}

/// Implements the overloads, which differ in what they give: constructor arguments, value and salt.
macro_rules! deployments {
    ($($call:ident($self:ident => $arguments:expr, $value:expr, $salt:expr);)*) => {$(
        impl Cheatcode for Vm::$call {
            fn apply($self, cx: &mut Cx<'_>) -> CheatResult<Self> {
                deploy(cx, &$self.artifact, $arguments, $value, $salt)
            }
        }
    )*};
}

deployments! {
    deployCode_0Call(self => &Bytes::new(), U256::ZERO, None);
    deployCode_1Call(self => &self.arguments, U256::ZERO, None);
    deployCode_2Call(self => &Bytes::new(), self.value, None);
    deployCode_3Call(self => &self.arguments, self.value, None);
    deployCode_4Call(self => &Bytes::new(), U256::ZERO, Some(self.salt));
    deployCode_5Call(self => &self.arguments, U256::ZERO, Some(self.salt));
    deployCode_6Call(self => &Bytes::new(), self.value, Some(self.salt));
    deployCode_7Call(self => &self.arguments, self.value, Some(self.salt));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evm::cheats::testing::{ALICE, Lab, Program, TEST, reason};

    fn deploy(artifact: &str) -> Vm::deployCode_0Call {
        Vm::deployCode_0Call { artifact: artifact.into() }
    }

    fn deployed(program: &Program) -> Address {
        let output = Lab::new().run(program);
        Address::abi_decode(&output.output).unwrap()
    }

    #[test]
    fn the_caller_is_the_creator() {
        assert_eq!(deployed(&Program::new().vm(&deploy("Empty")).give()), TEST.create(1));
    }

    #[test]
    fn a_prank_changes_the_creator() {
        let pranked = Program::new().vm(&Vm::prank_0Call { sender: ALICE }).vm(&deploy("Empty"));
        assert_eq!(deployed(&pranked.give()), ALICE.create(0));
    }

    #[test]
    fn a_constructor_s_revert_is_passed_on() {
        assert_eq!(Lab::new().run(&Program::new().vm(&deploy("Reverts"))).output[..], *b"no");
    }

    #[test]
    fn an_unknown_artifact_is_an_error() {
        let output = Lab::new().run(&Program::new().vm(&deploy("Nope")));
        insta::assert_snapshot!(
            reason(&output.output),
            @"vm.deployCode: the path root/out/Nope.sol/Nope.json is not allowed to be accessed \
              for read operations"
        );
    }
}
