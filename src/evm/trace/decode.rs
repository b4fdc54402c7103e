//! Decoding of bytes to readable text: revert reasons, calls, events, return values.

use super::redaction;
use crate::evm::base::constants::{CALLER, CONSOLE_ADDRESS, CREATE2_DEPLOYER, VM_ADDRESS};
use crate::model::{
    Frame, FrameStatus, Trace, TraceItem,
    format::{self, Style},
    is_bounded,
};
use alloy_dyn_abi::{DynSolType, DynSolValue, EventExt, FunctionExt, JsonAbiExt};
use alloy_json_abi::{Error, Event, Function, JsonAbi, Param};
use alloy_primitives::{Address, B256, Bytes, LogData, Selector, hex};
use alloy_sol_types::{Panic, SolError};
use std::{
    collections::{BTreeMap, HashMap},
    sync::Arc,
};

/// Selector of Forge's `CheatcodeError(string)`.
pub(crate) const CHEATCODE_ERROR: Selector = alloy_primitives::fixed_bytes!("eeaa9e6f");
const ERROR_STRING: Selector = alloy_primitives::fixed_bytes!("08c379a0");

/// Functions, events and errors of all contracts of a project, by selector.
#[derive(Clone, Debug, Default)]
pub struct Abis {
    functions: HashMap<Selector, Arc<Function>>,
    events: HashMap<(B256, usize), Event>,
    errors: HashMap<Selector, Error>,
}

/// Maximum length of a shown reason in bytes.
const MOST_REASON: usize = 4096;

impl Abis {
    /// Indexes `abis`; of equal selectors, the first one wins.
    pub fn new<'a>(abis: impl IntoIterator<Item = &'a JsonAbi>) -> Self {
        let mut index = Self::default();
        for abi in abis {
            index.add(abi);
        }
        index
    }

    /// Adds one contract's interface, without entries whose types are too large for memory.
    pub fn add(&mut self, abi: &JsonAbi) {
        let fits = |function: &&Function| is_bounded(&function.inputs) && is_bounded(&function.outputs);
        for function in abi.functions().filter(fits) {
            self.functions.entry(function.selector()).or_insert_with(|| Arc::new(function.clone()));
        }
        for event in abi.events().filter(|event| is_bounded(&event.inputs)) {
            let indexed = event.inputs.iter().filter(|input| input.indexed).count();
            self.events.entry((event.selector(), indexed)).or_insert_with(|| event.clone());
        }
        for error in abi.errors().filter(|error| is_bounded(&error.inputs)) {
            self.errors.entry(error.selector()).or_insert_with(|| error.clone());
        }
    }

    /// Returns the function of a selector.
    pub(crate) fn function(&self, selector: Selector) -> Option<&Arc<Function>> {
        self.functions.get(&selector)
    }

    /// Returns the reason of a failed call as Forge words it, trying the same decodings in the same order.
    /// `result` is revm's name for the result, which is shown if there is no data.
    #[must_use]
    pub fn revert_reason(&self, output: &[u8], result: &str) -> String {
        let unsaid = || format!("EvmError: {result}");
        cut(self.decoded_reason(output).or_else(|| undecoded_reason(output)).unwrap_or_else(unsaid))
    }

    fn decoded_reason(&self, output: &[u8]) -> Option<String> {
        let selector = Selector::try_from(output.get(..4)?).ok()?;
        let data = &output[4..];
        if selector == ERROR_STRING || selector == CHEATCODE_ERROR {
            let value = DynSolType::String.abi_decode_params(data).ok()?;
            return value.as_str().map(str::to_owned);
        }
        if let Ok(panic) = Panic::abi_decode(output) {
            return Some(panic.to_string());
        }
        let error = self.errors.get(&selector)?;
        let values = error.abi_decode_input(data).ok()?;
        Some(format!("{}({})", error.name, format::args(&error.inputs, &values, Style::Pretty)))
    }
}

/// Shortens a long reason to its beginning and its length.
pub(in crate::evm) fn cut(mut reason: String) -> String {
    if reason.len() > MOST_REASON {
        let end = (0..=MOST_REASON).rev().find(|end| reason.is_char_boundary(*end)).unwrap_or(0);
        let len = reason.len();
        reason.truncate(end);
        reason += &format!("... ({len} bytes)");
    }
    reason
}

fn undecoded_reason(output: &[u8]) -> Option<String> {
    if let Ok(value) = DynSolType::String.abi_decode(output)
        && let Some(text) = value.as_str()
    {
        return Some(text.to_owned());
    }
    if let Some(text) = printable(output) {
        return Some(text.to_owned());
    }
    let (selector, data) = output.split_at_checked(4)?;
    let selector = hex::encode(selector);
    if data.is_empty() {
        return Some(format!("custom error 0x{selector}"));
    }
    let data = std::str::from_utf8(data).map_or_else(|_| hex::encode(data), str::to_owned);
    Some(format!("custom error 0x{selector}: {data}"))
}

fn printable(bytes: &[u8]) -> Option<&str> {
    let text = std::str::from_utf8(bytes).ok()?;
    let visible = |c: char| !c.is_control() || c.is_whitespace();
    (!text.trim().is_empty() && text.is_ascii() && text.chars().all(visible)).then_some(text)
}

/// Names of addresses: labels set by tests, Forge's built-in names, and contract names.
#[derive(Clone, Debug, Default)]
pub struct Names {
    names: BTreeMap<Address, String>,
}

impl Names {
    /// Returns Forge's built-in names.
    #[must_use]
    pub fn builtin() -> Self {
        const PRECOMPILES: [&str; 17] = [
            "ECRecover",
            "SHA-256",
            "RIPEMD-160",
            "Identity",
            "ModExp",
            "ECAdd",
            "ECMul",
            "ECPairing",
            "Blake2F",
            "PointEvaluation",
            "BLS12_G1ADD",
            "BLS12_G1MSM",
            "BLS12_G2ADD",
            "BLS12_G2MSM",
            "BLS12_PAIRING_CHECK",
            "BLS12_MAP_FP_TO_G1",
            "BLS12_MAP_FP2_TO_G2",
        ];
        let mut names: BTreeMap<Address, String> = [
            (VM_ADDRESS, "VM"),
            (CONSOLE_ADDRESS, "console"),
            (CREATE2_DEPLOYER, "Create2Deployer"),
            (CALLER, "DefaultSender"),
        ]
        .map(|(address, name)| (address, name.to_owned()))
        .into();
        for (number, name) in (1u8..).zip(PRECOMPILES) {
            names.insert(Address::with_last_byte(number), name.to_owned());
        }
        Self { names }
    }

    /// Names an address that has no name yet.
    pub fn add(&mut self, address: Address, name: impl Into<String>) {
        self.names.entry(address).or_insert_with(|| name.into());
    }

    /// Names an address and replaces any earlier name.
    pub fn label(&mut self, address: Address, name: impl Into<String>) {
        self.names.insert(address, name.into());
    }

    fn get(&self, address: Address) -> Option<&str> {
        self.names.get(&address).map(String::as_str)
    }
}

/// Decodes the frames and events of a trace.
#[derive(Clone, Copy, Debug)]
pub struct Decoder<'a> {
    /// Interfaces of the project.
    pub abis: &'a Abis,
    /// Interfaces of the cheatcode and console addresses.
    pub builtins: &'a Abis,
    /// Names of addresses.
    pub names: &'a Names,
}

impl Decoder<'_> {
    /// Decodes every frame and event.
    pub fn decode(&self, trace: &mut Trace) {
        for frame in &mut trace.frames {
            self.frame(frame);
        }
    }

    fn frame(&self, frame: &mut Frame) {
        let shown = if frame.kind.is_create() { frame.message.address } else { frame.message.code_address };
        frame.text.label = self.names.get(shown).map(str::to_owned);
        if frame.message.code_address == CONSOLE_ADDRESS && frame.result.status == FrameStatus::Return {
            frame.result.status = FrameStatus::Stop;
        }
        let function = if frame.kind.is_create() { None } else { self.function(frame) };
        if let Some(function) = function {
            frame.text.call = self.call(function, frame);
        }
        frame.text.result = match &frame.result.status {
            FrameStatus::Halt(reason) => Some(format!("EvmError: {reason}")),
            FrameStatus::Revert => Some(self.abis.revert_reason(&frame.result.output, "Revert")),
            // Forge prints nothing after the arrow for a cheatcode that returns nothing.
            FrameStatus::Return if frame.builtin && frame.result.output.is_empty() => Some(String::new()),
            _ => function.and_then(|function| {
                let hidden =
                    redaction::result(&function.name).filter(|_| frame.message.code_address == VM_ADDRESS);
                hidden.map(str::to_owned).or_else(|| self.returned(function, &frame.result.output))
            }),
        };
        for item in &mut frame.items {
            if let TraceItem::Log { topics, data, decoded, .. } = item {
                *decoded = self.event(topics, data);
            }
        }
    }

    fn function(&self, frame: &Frame) -> Option<&Function> {
        let selector = Selector::try_from(frame.message.input.get(..4)?).ok()?;
        let builtin =
            frame.message.code_address == VM_ADDRESS || frame.message.code_address == CONSOLE_ADDRESS;
        let abis = if builtin { self.builtins } else { self.abis };
        abis.functions.get(&selector).map(Arc::as_ref)
    }

    fn call(&self, function: &Function, frame: &Frame) -> Option<String> {
        let is_cheatcode = frame.message.code_address == VM_ADDRESS;
        if is_cheatcode && redaction::hides_arguments(function) {
            return Some(format!("{}({})", function.name, redaction::KEY));
        }
        let args = function.abi_decode_input(&frame.message.input[4..]).ok()?;
        if is_cheatcode && function.name == "expectRevert" {
            return Some(self.expected_revert(function, &args));
        }
        let hidden =
            |index: usize| redaction::argument(function, index, args.get(index)?).filter(|_| is_cheatcode);
        let shown = args.iter().enumerate().map(|(index, value)| match hidden(index) {
            Some(placeholder) => format!("\"{placeholder}\""),
            None => self.value(function.inputs.get(index), value),
        });
        Some(format!("{}({})", function.name, shown.collect::<Vec<_>>().join(", ")))
    }

    /// Formats `expectRevert` with the decoded reason that it expects. If it accepts any reason, Forge shows
    /// the cheatcode's own selector.
    fn expected_revert(&self, function: &Function, args: &[DynSolValue]) -> String {
        let own = function.selector();
        let said = match args.first() {
            Some(DynSolValue::Bytes(said)) => Some(said.as_slice()),
            Some(DynSolValue::FixedBytes(said, 4)) => Some(&said[..4]),
            Some(_) => None,
            None => Some(own.as_slice()),
        };
        let said = said.map(|said| match said {
            [] => "<empty revert data>".to_owned(),
            said => self.abis.revert_reason(said, "Revert"),
        });
        let others = args.iter().skip(usize::from(said.is_some())).map(|value| self.value(None, value));
        let shown: Vec<_> = said.iter().cloned().chain(others).collect();
        format!("{}({})", function.name, shown.join(", "))
    }

    fn returned(&self, function: &Function, output: &Bytes) -> Option<String> {
        if output.is_empty() || function.outputs.is_empty() {
            return None;
        }
        let values = function.abi_decode_output(output).ok()?;
        Some(self.values(&function.outputs, &values))
    }

    fn event(&self, topics: &[B256], data: &Bytes) -> Option<String> {
        let first = topics.first()?;
        let event = self.events().get(&(*first, topics.len() - 1))?;
        let log = LogData::new_unchecked(topics.to_vec(), data.clone());
        let decoded = event.decode_log(&log).ok()?;
        let (mut indexed, mut body) = (decoded.indexed.iter(), decoded.body.iter());
        let args = event.inputs.iter().enumerate().map(|(index, input)| {
            let value = if input.indexed { indexed.next() } else { body.next() };
            let name = if input.name.is_empty() { format!("param{index}") } else { input.name.clone() };
            let value = value.map(|value| self.value(None, value)).unwrap_or_default();
            format!("{name}: {value}")
        });
        Some(format!("{}({})", event.name, args.collect::<Vec<_>>().join(", ")))
    }

    fn events(&self) -> &HashMap<(B256, usize), Event> {
        &self.abis.events
    }

    fn values(&self, params: &[Param], values: &[DynSolValue]) -> String {
        let texts = values.iter().enumerate().map(|(index, value)| self.value(params.get(index), value));
        texts.collect::<Vec<_>>().join(", ")
    }

    fn value(&self, param: Option<&Param>, value: &DynSolValue) -> String {
        if let DynSolValue::Address(address) = value
            && let Some(name) = self.names.get(*address)
        {
            return format!("{name}: [{address}]");
        }
        format::value(value, param, Style::Pretty)
    }
}
