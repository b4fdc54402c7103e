//! External commands that tests run, if the configuration allows it.

use super::{
    super::base::heartbeat,
    dispatch::{CheatError, CheatResult, Cheatcode, Cx, ensure},
    strings::parse,
    vm::Vm,
};
use alloy_primitives::{
    Bytes,
    hex::{self, FromHexError},
};
use std::{
    io::{self, Read},
    process::{Child, Command, ExitStatus, Output, Stdio},
    sync::mpsc,
    thread,
    time::Duration,
};

fn quoted(words: &[String]) -> String {
    // Commands cannot have arguments with NUL characters.
    let shown = |word: &String| if word.contains('\0') { "<string-with-nul>".into() } else { word.clone() };
    words.iter().map(|word| format!("{:?}", shown(word))).collect::<Vec<_>>().join(" ")
}

/// Runs a command in the project's root.
fn run(cx: &Cx<'_>, command: &[String]) -> Result<Output, CheatError> {
    ensure!(
        cx.cheats.shared.config.ffi,
        "FFI is disabled; add the `--ffi` flag to allow tests to call external commands"
    );
    let Some((program, arguments)) = command.split_first().filter(|(program, _)| !program.is_empty()) else {
        return Err("can't execute empty command".into());
    };
    let mut process = Command::new(program);
    process.args(arguments).current_dir(&cx.cheats.shared.root);
    process.envs(&*cx.cheats.utilities.environment);
    let limits = &cx.ctx.chain.limits;
    Ok(heartbeat::waiting(|| output(process, &|| limits.is_requested())).map_err(|error| {
        // Environment variables are left out, because they may be secret.
        let shown = format!("cd {:?} && {}", cx.cheats.shared.root, quoted(command));
        format!("failed to execute command {shown}: {error}")
    })?)
}

/// Returns the exit code of a command; one that a signal ended has none.
fn exit_code(status: ExitStatus) -> i32 {
    status.code().unwrap_or(69)
}

/// Returns what a command printed, without the blanks around it.
fn printed_text(stdout: Vec<u8>) -> Result<String, CheatError> {
    let text = String::from_utf8(stdout).map_err(|error| error.utf8_error().to_string())?;
    Ok(text.trim().to_owned())
}

/// Decodes hexadecimal digits, with or without `0x`. Unlike elsewhere, the prefix `0X` is not accepted.
fn decoded(text: &str) -> Result<Vec<u8>, FromHexError> {
    if text.starts_with("0X") {
        return Err(FromHexError::InvalidHexCharacter { c: 'X', index: 1 });
    }
    hex::decode(text)
}

/// Returns what a command printed that may be hexadecimal digits.
fn decoded_or_plain(text: String) -> Bytes {
    decoded(&text).unwrap_or_else(|_| text.into_bytes()).into()
}

/// Returns what a command printed that must succeed.
fn text_of(cx: &Cx<'_>, command: &[String]) -> Result<String, CheatError> {
    let Output { status, stdout, stderr } = run(cx, command)?;
    let text = printed_text(stdout)?;
    ensure!(
        status.success(),
        "ffi command {command:?} exited with code {}. stderr: {}",
        exit_code(status),
        String::from_utf8_lossy(&stderr)
    );
    Ok(text)
}

/// Maximum output of a command, in bytes.
const MOST_PRINTED: u64 = 64 << 20;

/// Maximum interval between two checks whether the command must end.
const NAP: Duration = Duration::from_millis(50);

/// Runs a command to its end, or kills it after an error, such as the end of the run.
fn output(mut command: Command, is_over: &dyn Fn() -> bool) -> io::Result<Output> {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn()?;
    let output = printed(&mut child, is_over);
    if output.is_err() {
        // The command may have ended by itself.
        _ = child.kill();
        _ = child.wait();
    }
    output
}

fn printed(child: &mut Child, is_over: &dyn Fn() -> bool) -> io::Result<Output> {
    let pipes: [Option<Box<dyn Read + Send>>; 2] = [
        child.stdout.take().map(|pipe| Box::new(pipe) as _),
        child.stderr.take().map(|pipe| Box::new(pipe) as _),
    ];
    let [stdout, stderr] = pipes.map(|pipe| read_apart(pipe.unwrap_or_else(|| Box::new(io::empty()))));
    let stdout = awaited(&stdout, is_over)?;
    let stderr = awaited(&stderr, is_over)?;
    Ok(Output { status: ended(child, is_over)?, stdout, stderr })
}

/// Waits for the end of a command that has closed its output.
fn ended(child: &mut Child, is_over: &dyn Fn() -> bool) -> io::Result<ExitStatus> {
    let mut nap = Duration::from_millis(1);
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status);
        }
        if is_over() {
            return Err(over());
        }
        thread::sleep(nap);
        nap = NAP.min(nap * 2);
    }
}

fn over() -> io::Error {
    io::Error::other("the run ended before the command")
}

/// Reads a pipe on a separate thread, because a command may print to both of its pipes.
fn read_apart(pipe: Box<dyn Read + Send>) -> mpsc::Receiver<io::Result<Vec<u8>>> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let mut bytes = Vec::new();
        let read = pipe.take(MOST_PRINTED + 1).read_to_end(&mut bytes);
        // The receiver is gone if the run has ended.
        _ = sender.send(read.map(|_| bytes));
    });
    receiver
}

fn awaited(
    receiver: &mpsc::Receiver<io::Result<Vec<u8>>>,
    is_over: &dyn Fn() -> bool,
) -> io::Result<Vec<u8>> {
    loop {
        match receiver.recv_timeout(NAP) {
            Ok(Ok(bytes)) if bytes.len() as u64 > MOST_PRINTED => {
                let mebibytes = MOST_PRINTED >> 20;
                return Err(io::Error::other(format!("it printed more than {mebibytes} MiB")));
            }
            Ok(read) => return read,
            Err(mpsc::RecvTimeoutError::Timeout) if is_over() => return Err(over()),
            Err(mpsc::RecvTimeoutError::Timeout) => {}
            Err(mpsc::RecvTimeoutError::Disconnected) => {
                return Err(io::Error::other("its output cannot be read"));
            }
        }
    }
}

impl Cheatcode for Vm::ffiCall {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        Ok(decoded_or_plain(text_of(cx, &self.command)?))
    }
}

impl Cheatcode for Vm::ffiUintCall {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        parse(&text_of(cx, &self.command)?)
    }
}

impl Cheatcode for Vm::ffiStringCall {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        text_of(cx, &self.command)
    }
}

impl Cheatcode for Vm::ffiBytesCall {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        let bytes = decoded(&text_of(cx, &self.command)?);
        Ok(bytes.map_err(|error| format!("failed parsing ffi stdout as bytes: {error}"))?.into())
    }
}

impl Cheatcode for Vm::tryFfiCall {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        let Output { status, stdout, stderr } = run(cx, &self.command)?;
        let stdout = decoded_or_plain(printed_text(stdout)?);
        Ok(Vm::FfiResult { exitCode: exit_code(status), stdout, stderr: stderr.into() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hexadecimal_digits_are_decoded() {
        assert_eq!(decoded("0x01ff"), Ok(vec![1, 255]));
        assert_eq!(decoded("01FF"), Ok(vec![1, 255]));
        assert_eq!(decoded(""), Ok(vec![]));
        let errors = ["0x1", "hello!", "0X12"].map(|text| decoded(text).unwrap_err().to_string());
        insta::assert_snapshot!(errors.join("\n"), @r"
        odd number of digits
        invalid character 'h' at position 0
        invalid character 'X' at position 1
        ");
        assert_eq!(decoded_or_plain("0X12".to_owned())[..], *b"0X12");
    }
}
