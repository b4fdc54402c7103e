//! Commands that tests run, if the configuration allows them.

use super::{
    dispatch::{CheatError, CheatResult, Cheatcode, Cx, ensure},
    vm::Vm,
};
use alloy_primitives::hex;
use std::process::Command;

fn quoted(words: &[String]) -> String {
    // No command may have such a word.
    let shown = |word: &String| if word.contains('\0') { "<string-with-nul>".into() } else { word.clone() };
    words.iter().map(|word| format!("{:?}", shown(word))).collect::<Vec<_>>().join(" ")
}

/// Runs a command in the project's root. Output that is hexadecimal is taken for bytes.
fn run(cx: &Cx<'_>, command: &[String]) -> Result<Vm::FfiResult, CheatError> {
    ensure!(
        cx.cheats.shared.config.ffi,
        "FFI is disabled; add the `--ffi` flag to allow tests to call external commands"
    );
    let Some((program, arguments)) = command.split_first().filter(|(program, _)| !program.is_empty()) else {
        return Err("can't execute empty command".into());
    };
    let mut process = Command::new(program);
    process.args(arguments).current_dir(&cx.cheats.shared.root);
    process.envs(&*cx.cheats.environment);
    let output = process.output().map_err(|error| {
        // Without the variables, which are nobody's business.
        let shown = format!("cd {:?} && {}", cx.cheats.shared.root, quoted(command));
        format!("failed to execute command {shown}: {error}")
    })?;
    let printed = String::from_utf8(output.stdout).map_err(|error| error.utf8_error().to_string())?;
    let printed = printed.trim();
    // Unlike others, `0X` is no prefix.
    let bytes = if printed.starts_with("0X") { None } else { hex::decode(printed).ok() };
    Ok(Vm::FfiResult {
        exitCode: output.status.code().unwrap_or(69),
        stdout: bytes.unwrap_or_else(|| printed.as_bytes().to_vec()).into(),
        stderr: output.stderr.into(),
    })
}

impl Cheatcode for Vm::ffiCall {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        let output = run(cx, &self.command)?;
        ensure!(
            output.exitCode == 0,
            "ffi command {:?} exited with code {}. stderr: {}",
            self.command,
            output.exitCode,
            String::from_utf8_lossy(&output.stderr)
        );
        Ok(output.stdout)
    }
}

impl Cheatcode for Vm::tryFfiCall {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        run(cx, &self.command)
    }
}
